"""Connecting and membership: tables, invitations, requests to join, tickets, and the GM's list of members."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from enfilade.messages.fields import (
    UNPRINTABLE,
    Several,
    Strict,
    epoch,
    hexadecimal,
    identifier,
    one_of,
    text,
    whole,
)

LONGEST_INVITATION_HOURS = 24 * 90
_USUAL_INVITATION_HOURS = 24 * 7
_INVISIBLE = r"\s\u00ad\u115f\u1160\u200b-\u200f\u2060-\u2064\u3164\ufeff"
_NAME = (
    rf"^(?=.*[^{_INVISIBLE}])(?![{_INVISIBLE}]*[Gg][{_INVISIBLE}.]*[Mm][{_INVISIBLE}.]*\Z)"
    rf"[^{UNPRINTABLE}]{{1,40}}\Z"
)


def name(**extra: object) -> fields.String:
    """Return the field of a member's name: 1 to 40 characters on one line, not blank, and not GM."""
    said = "1 to 40 characters, not all blank, without line breaks, and not GM."
    return fields.String(validate=validate.Regexp(_NAME, error=said), **extra)  # type: ignore[arg-type]


class CreateTableSchema(Strict):
    """Create a table with an empty board of the ruleset's kind, or with its ready-made `battle`."""

    ruleset = identifier(required=True)
    name = text(200, load_default="")
    battle = fields.Boolean(load_default=False)


class CreatedTableSchema(Strict):
    """A new table and its keys, which are sent only once."""

    table = identifier(required=True)
    gm_key = text(200, required=True)
    spectator_key = text(200, required=True)


class TicketSchema(Strict):
    """A ticket for one connection, valid for some seconds and for a page of the same origin.

    `process` is the name of the process that serves the table, for the address of the connection
    (`/socket.io/?table=ID&process=NAME`). It is empty for a server that is no cluster.
    """

    ticket = text(200, required=True)
    seconds = whole(1, 3600, required=True)
    process = text(40, required=True)


class InviteSchema(Strict):
    """Create an invitation: for one `player`, or for any number of spectators."""

    role = one_of("player", "spectator", required=True)
    hours = whole(1, LONGEST_INVITATION_HOURS, load_default=_USUAL_INVITATION_HOURS)


class InvitationSchema(Strict):
    """An invitation that is valid until `expires_ms`. Its `secret` is sent only once, to its creator."""

    id = identifier(required=True)
    role = one_of("player", "spectator", required=True)
    expires_ms = whole(0, 2**53, required=True)
    secret = text(200)


class DeleteTableSchema(Strict):
    """Delete a table for good; `name` repeats its name, so that no slip of the hand does it."""

    name = text(200, required=True)


class ReplaceKeySchema(Strict):
    """Replace the key in the GM's link, or in the one link of all spectators."""

    role = one_of("gm", "spectator", required=True)


class ReplacedKeySchema(Strict):
    """A new key, which is sent only once. The one before it opens nothing any more."""

    role = one_of("gm", "player", "spectator", required=True)
    key = text(200, required=True)


class AskSchema(Strict):
    """Ask to join with an invitation's secret and a name."""

    invitation = text(200, required=True)
    name = name(required=True)


class JoinedSchema(Strict):
    """A new seat and its key, which is sent only once. A player's key is useless until the GM approves."""

    seat = identifier(required=True)
    role = one_of("player", "spectator", required=True)
    seated = fields.Boolean(required=True)
    key = text(200, required=True)


class SeatSchema(Strict):
    """The seat of a key."""

    seat = identifier(required=True)
    role = one_of("gm", "player", "spectator", required=True)
    name = fields.String(required=True)
    seated = fields.Boolean(required=True)


class ApproveSchema(Strict):
    """Approve a waiting player, and assign these tokens."""

    tokens = Several(identifier(), 2_000, load_default=list)


class MemberSchema(SeatSchema):
    """A member of the table with a key, in the GM's list."""

    online = fields.Boolean(required=True)


class PlayersSchema(Strict):
    """All members with a key, all waiting players, and all valid invitations."""

    members = fields.List(fields.Nested(MemberSchema), required=True)
    invitations = fields.List(fields.Nested(InvitationSchema), required=True)


class ConnectSchema(Strict):
    """The `auth` of a Socket.IO connection: a `ticket`, or the `resume` token of the connection before.

    A returning client sends its state: the `epoch` and `seq` of its last update, and the `hash` of its scene
    if it has computed one. `close_others` closes the other connections of the seat first.
    """

    table = identifier(required=True)
    ticket = text(200, load_default="")
    resume = text(200, load_default="")
    epoch = epoch(load_default=None, allow_none=True)
    seq = whole(0, 2**53, load_default=None, allow_none=True)
    hash = hexadecimal(load_default=None, allow_none=True)
    close_others = fields.Boolean(load_default=False)


class HelloSchema(Strict):
    """The first update of a connection: its seat, and the token for the next connection."""

    seat = identifier(required=True)
    role = one_of("gm", "player", "spectator", required=True)
    name = fields.String(required=True)
    resume = text(200, required=True)


HTTP: dict[str, type[Schema]] = {
    "create-table": CreateTableSchema,
    "created-table": CreatedTableSchema,
    "ticket": TicketSchema,
    "delete-table": DeleteTableSchema,
    "replace-key": ReplaceKeySchema,
    "replaced-key": ReplacedKeySchema,
    "invite": InviteSchema,
    "invitation": InvitationSchema,
    "ask": AskSchema,
    "joined": JoinedSchema,
    "seat": SeatSchema,
    "approve": ApproveSchema,
    "players": PlayersSchema,
}
"""The requests and answers over HTTP other than commands (docs/bridges.md has the routes)."""
