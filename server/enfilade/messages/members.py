"""Who comes to a table: what is asked for over HTTP, what is answered, and what the game master is told."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from enfilade.messages.fields import Several, Strict, identifier, one_of, text, whole

LONGEST_INVITATION_HOURS = 24 * 90
_USUAL_INVITATION_HOURS = 24 * 7
_NAME = r"^(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]{1,40}\Z"


def name(**extra: object) -> fields.String:
    """What somebody is called: at most 40 characters on one line, read from left to right, not all blank."""
    said = "1 to 40 characters, not all blank, without line breaks."
    return fields.String(validate=validate.Regexp(_NAME, error=said), **extra)  # type: ignore[arg-type]


class CreateTableSchema(Strict):
    """Makes a table: an empty board of the ruleset's own kind. A map is brought to it afterwards."""

    ruleset = identifier(required=True)
    name = text(200, load_default="")


class CreatedTableSchema(Strict):
    """A new table and the keys that open it; they are not said again."""

    table = identifier(required=True)
    gm_key = text(200, required=True)
    spectator_key = text(200, required=True)


class TicketSchema(Strict):
    """What opens one connection, within so many seconds, by a page of the same origin."""

    ticket = text(200, required=True)
    seconds = whole(1, 3600, required=True)


class InviteSchema(Strict):
    """Makes an invitation: for one `player`, or for any number of spectators."""

    role = one_of("player", "spectator", required=True)
    hours = whole(1, LONGEST_INVITATION_HOURS, load_default=_USUAL_INVITATION_HOURS)


class InvitationSchema(Strict):
    """An invitation that holds until `expires_ms`. Its `secret` is said once, to who made it."""

    id = identifier(required=True)
    role = one_of("player", "spectator", required=True)
    expires_ms = whole(0, 2**53, required=True)
    secret = text(200)


class AskSchema(Strict):
    """Comes by an invitation (its secret), under a name."""

    invitation = text(200, required=True)
    name = name(required=True)


class JoinedSchema(Strict):
    """A new seat and its key, which is not said again; a player's opens nothing before the GM says yes."""

    seat = identifier(required=True)
    role = one_of("player", "spectator", required=True)
    seated = fields.Boolean(required=True)
    key = text(200, required=True)


class SeatSchema(Strict):
    """The seat that a key is for."""

    seat = identifier(required=True)
    role = one_of("gm", "player", "spectator", required=True)
    name = fields.String(required=True)
    seated = fields.Boolean(required=True)


class ApproveSchema(Strict):
    """Lets a player in who waits, and gives them these tokens."""

    tokens = Several(identifier(), 2_000, load_default=list)


class MemberSchema(SeatSchema):
    """Somebody who has a key of the table, as the game master is shown them."""

    online = fields.Boolean(required=True)


class PlayersSchema(Strict):
    """Everybody who has a key of the table or waits for a seat, and the invitations that hold."""

    members = fields.List(fields.Nested(MemberSchema), required=True)
    invitations = fields.List(fields.Nested(InvitationSchema), required=True)


class HelloSchema(Strict):
    """The first update of a connection: whose seat it is, and the token to connect with next time."""

    seat = identifier(required=True)
    role = one_of("gm", "player", "spectator", required=True)
    name = fields.String(required=True)
    resume = text(200, required=True)


HTTP: dict[str, type[Schema]] = {
    "create-table": CreateTableSchema,
    "created-table": CreatedTableSchema,
    "ticket": TicketSchema,
    "invite": InviteSchema,
    "invitation": InvitationSchema,
    "ask": AskSchema,
    "joined": JoinedSchema,
    "seat": SeatSchema,
    "approve": ApproveSchema,
    "players": PlayersSchema,
}
"""What is asked for and answered over HTTP besides commands (docs/bridges.md has the routes)."""
