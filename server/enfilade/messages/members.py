"""Requests of membership: to connect, to create tables and invitations, to join and to admit."""

from __future__ import annotations

from marshmallow import fields, validate

from enfilade.messages.fields import (
    UNPRINTABLE,
    Several,
    Strict,
    epoch,
    hexadecimal,
    identifier,
    identifier_or_none,
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


class InviteSchema(Strict):
    """Create an invitation: for one `player`, or for any number of spectators."""

    role = one_of("player", "spectator", required=True)
    hours = whole(1, LONGEST_INVITATION_HOURS, load_default=_USUAL_INVITATION_HOURS)


class DeleteTableSchema(Strict):
    """Delete a table for good; `name` repeats its name, so that no slip of the hand does it."""

    name = text(200, required=True)


class ReplaceKeySchema(Strict):
    """Replace the key in the GM's link, or in the one link of all spectators."""

    role = one_of("gm", "spectator", required=True)


class AskSchema(Strict):
    """Ask to join with an invitation's secret and a name."""

    invitation = text(200, required=True)
    name = name(required=True)


class ApproveSchema(Strict):
    """Approve a waiting player, and assign these tokens."""

    tokens = Several(identifier(), 2_000, load_default=list)


class ConnectSchema(Strict):
    """The `auth` of a Socket.IO connection: a `ticket`, which opens it once.

    A returning client sends its state: the `epoch` and `seq` of its last update, and the `hash` of its scene
    if it has computed one. `page` is a random ID of a program, the same in all its connections; the program's
    last connection is closed, as it may have ended unnoticed. `close_others` closes the seat's other ones.
    """

    table = identifier(required=True)
    ticket = text(200, required=True)
    page = identifier_or_none(load_default="")
    epoch = epoch(load_default=None, allow_none=True)
    seq = whole(0, 2**53, load_default=None, allow_none=True)
    hash = hexadecimal(load_default=None, allow_none=True)
    close_others = fields.Boolean(load_default=False)
