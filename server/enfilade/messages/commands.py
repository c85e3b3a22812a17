"""The commands that a seat may send: one envelope, the kind, and a body for each kind."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from enfilade.messages import acts
from enfilade.messages.acts import MAX_ANSWERS, MAX_WAYPOINTS
from enfilade.messages.fields import (
    ChoiceAnswer,
    Face,
    Named,
    Several,
    Strict,
    cell,
    coordinate,
    facing,
    identifier,
    identifier_or_none,
    line,
    one_of,
    random_bytes,
    webhook_url,
    whole,
)
from enfilade.messages.scene import (
    MAX_DRAWINGS,
    MAX_DRAWN_TEXT,
    MAX_POINTS,
    MAX_SIDES,
    MAX_TOKENS,
    MAX_UNITS,
    OwnUnitSchema,
    SceneSchema,
    SideSchema,
    TerrainSchema,
    TokenSchema,
    WallSchema,
    runs,
)
from enfilade.play.commands.registry import COMMANDS

MAX_DRAWN = 20
"""The drawings that one command may make."""


class NewDrawingSchema(Strict):
    """A line drawn freely, x, y, x, y, ... in 64ths of a cell, or a text at one point."""

    points = Several(coordinate(), MAX_POINTS * 2, required=True)
    text = line(MAX_DRAWN_TEXT, load_default="")
    color = one_of("white", "yellow", "red", "green", "blue", "black", load_default="yellow")
    rounds = whole(0, 100, load_default=0)
    hidden = fields.Boolean(load_default=False)


class SetSceneSchema(Strict):
    """Set the whole scene of the table."""

    scene = fields.Nested(SceneSchema, required=True)


class SyncSceneSchema(Strict):
    """Update the table from a tabletop's scene: the map, the tokens' positions, and the hidden things.

    All else that the table knows stays: tracks, conditions, profiles, owners, teams, house rules. A scene
    that the table had before goes on as it was left. `hit_points` are those of tokens at the tabletop; they
    count for tokens that come. Without a difference nothing changes. The result's `unfit` lists the tokens
    that the ruleset cannot use yet, mostly because they have no profile; they are left out.
    """

    scene = fields.Nested(SceneSchema, required=True)
    hit_points = Named(whole(0, 1_000_000), MAX_TOKENS, load_default=dict)


class ClaimBridgeSchema(Strict):
    """Claim to be the only bridge page of this table; over a socket only. Changes nothing.

    `page` is a new ID for each page, so that a page continues after a broken connection; null releases the
    claim. The result's `number` is null while another page has the claim.
    """

    page = identifier(required=True, allow_none=True)


class PlaceTokenSchema(Strict):
    """Add a token to the scene, or replace the one with the same ID.

    If the token `is_new`, it replaces none: where its ID or its name is taken, it gets the next free number
    for both. Two game masters may place the same unit at the same time.
    """

    token = fields.Nested(TokenSchema, required=True)
    is_new = fields.Boolean(load_default=False)


class RemoveTokenSchema(Strict):
    """Remove a token from the scene."""

    token = identifier(required=True)


class MoveTokenSchema(Strict):
    """Report a token's new position, which the rules judge. Without `facing` the token keeps its own.

    `path` has the cells that the move leads through in order, the last of them `at`; empty for the cheapest
    path.

    `override` is the GM's reason for a move against the rules on a table that enforces them; the log has it.
    It is empty otherwise.
    """

    token = identifier(required=True)
    at = cell(required=True)
    facing = facing()
    path = Several(cell(), MAX_WAYPOINTS)
    override = line(200, load_default="")


class TurnBackSchema(Strict):
    """Take back a token's moves of its turn, without the acts of others, if nothing was rolled since."""

    token = identifier(required=True)


class AssignTokensSchema(Strict):
    """Assign exactly these tokens to a player. A token may have several players."""

    player = identifier(required=True)
    tokens = Several(identifier(), 2_000, required=True)


class SetDoorSchema(Strict):
    """Open, close or lock a door."""

    wall = identifier(required=True)
    state = one_of("closed", "open", "locked", required=True)


class SetSidesSchema(Strict):
    """Set the sides of the battle."""

    sides = Several(fields.Nested(SideSchema), MAX_SIDES, required=True)


MAX_EDITS = 500
"""The walls and the terrain that one command may change."""


class EditMapSchema(Strict):
    """Change the map: put walls, doors and terrain, or remove them. A known ID is replaced."""

    walls = Several(fields.Nested(WallSchema), MAX_EDITS, load_default=list)
    terrain = Several(fields.Nested(TerrainSchema), MAX_EDITS, load_default=list)
    remove = Several(identifier(), MAX_EDITS, load_default=list)


class SetUnitsSchema(Strict):
    """Set the table's own catalog of units, which only the GM sees."""

    units = Several(fields.Nested(OwnUnitSchema), MAX_UNITS, required=True)


class DrawSchema(Strict):
    """Draw on the map: lines, and texts at a place. A drawing with `rounds` goes after that number of rounds.

    A player draws for all seats; `hidden` ones are the GM's own.
    """

    drawings = Several(fields.Nested(NewDrawingSchema), MAX_DRAWN, required=True)


class EraseSchema(Strict):
    """Erase drawings: a player their own, the GM any; without IDs all of them."""

    drawings = Several(identifier(), MAX_DRAWINGS, load_default=list)


class SetFogSchema(Strict):
    """Cover cells with fog, or lift it; `clear` lifts it everywhere first. What is null stays as it is."""

    cover = runs(load_default=list)
    lift = runs(load_default=list)
    clear = fields.Boolean(load_default=False)
    by_sight = fields.Boolean(load_default=None, allow_none=True)
    has_picture = fields.Boolean(load_default=None, allow_none=True)


class PingSchema(Strict):
    """Point at a place, in 64ths of a cell on the plane. All seats see it for a moment; nothing is stored."""

    at = cell(required=True)


class SetRulesSchema(Strict):
    """Set the table's house rules, and how strictly it enforces the rules."""

    house_rules = Named(fields.Raw(), required=True)
    enforcement = one_of("advise", "warn", "enforce", required=True)


class AnswerSchema(Strict):
    """Answer a choice that the table waits for; `faces` if the answer needs more real dice.

    `answer` is the key of an option, or for an allocation the number that each option gets. `also` has the
    answers to other choices at the same time, by ID; all are stored, or none. The result of sealed answers
    has a commitment to each (`receipts`), which the log shows when the question closes.
    """

    choice = identifier(required=True)
    answer = ChoiceAnswer(required=True)
    also = Named(ChoiceAnswer(), MAX_ANSWERS)
    faces = Several(Face(), 200, load_default=None)


class CloseChoicesSchema(Strict):
    """Give the default answer to each choice at the same time that has none, and continue the act.

    `choice` is the ID of one of them.
    """

    choice = identifier(required=True)


class SyncSchema(Strict):
    """Ask for a snapshot, because the client's replica is wrong or may be. Changes nothing.

    `gap`: an update did not follow the one before; `hash`: the scene's hash differed; `stale`: a command was
    refused as stale without the missing entries.
    """

    why = one_of("gap", "hash", "stale", required=True)


class RevealRollSchema(Strict):
    """Reveal an earlier hidden roll to all seats, with the proof of its dice; `seq` is its entry."""

    seq = whole(1, 2**53, required=True)


class UndoSchema(Strict):
    """Undo the last entry that has not been undone."""

    seq = whole(1, 2**53, load_default=None, allow_none=True)


MAX_NOTE = 2_000
"""The characters of a note."""


class NoteSchema(Strict):
    """Write a note into the log. Only the GM reads a `secret` one."""

    text = line(MAX_NOTE, required=True)
    secret = fields.Boolean(load_default=False)


MAX_REPORTED = 100
"""The targets that one report may have."""

_AMOUNT = 1_000_000


class ReportedPartSchema(Strict):
    """A part of a roll of damage or healing."""

    amount = whole(-_AMOUNT, _AMOUNT, required=True)
    type = line(64, load_default="")


class ReportedTargetSchema(Strict):
    """One target of a reported act, and the result for it; `token` is empty for one that is not at the table.

    `amount` is what it lost, less than 0 if it got hit points back.
    """

    token = identifier_or_none(load_default="")
    name = line(200, load_default="")
    defense = whole(-_AMOUNT, _AMOUNT, load_default=None, allow_none=True)
    result = one_of("", "hit", "miss", "critical", "fumble", "saved", "failed", load_default="")
    amount = whole(-_AMOUNT, _AMOUNT, load_default=None, allow_none=True)


class ReportSchema(Strict):
    """Report what the tabletop's own system did, for the log: an attack, damage, healing, a save.

    `source` is the tabletop's message. A later report of the same source counts instead of it, as its
    correction; "withdrawn" takes it back. `hides` names what only the GM reads: all, who acts ("actor"), the
    targets' names ("names"), the roll ("total"), the targets' defenses, the result, the amounts. A player
    reports acts of their own tokens. Nothing but the log changes.
    """

    source = identifier(required=True)
    kind = one_of("attack", "damage", "healing", "save", "withdrawn", required=True)
    is_correction = fields.Boolean(load_default=False)
    token = identifier_or_none(load_default="")
    name = line(200, load_default="")
    item = line(200, load_default="")
    total = whole(-_AMOUNT, _AMOUNT, load_default=None, allow_none=True)
    edge = whole(-1, 1, load_default=0)
    parts = Several(fields.Nested(ReportedPartSchema), 40, load_default=list)
    targets = Several(fields.Nested(ReportedTargetSchema), MAX_REPORTED, load_default=list)
    hides = Several(
        one_of("all", "actor", "names", "total", "defense", "result", "amount"), 7, load_default=list
    )


class RedoSchema(Strict):
    """Redo the entry that was undone last, unless the scene has changed since."""


class SetWebhookSchema(Strict):
    """Post the table's log to a webhook such as Discord's from now on; an empty `url` stops it.

    The URL is a secret: no update, log or export shows it again. The server must allow its host.
    """

    url = webhook_url(required=True)


class TestWebhookSchema(Strict):
    """Add a test line to the log, which is posted like all others. A stopped webhook starts again."""


BODIES: dict[str, type[Schema]] = {
    kind: (vars(acts) | globals())[spec.schema] for kind, spec in COMMANDS.items()
}
"""The schema of the body of each kind of command, from the registry."""


MAX_PARTS = 65_536
"""The most parts of one command."""


class CommandSchema(Strict):
    """The envelope of every command.

    `id` is chosen by the sender and new for each command: a command that is sent again gets the first answer
    again and is done once. `n` counts the frames of a socket from 1, repeated ones included; after a gap the
    server does nothing. Over HTTP there is no `n`. `base` is the last entry that the sender had seen: the
    server refuses an act that was decided on an older scene. It is null for commands that hold on any scene;
    questions are answered on any `base`. `random` are 16 fresh random bytes of the sender in hexadecimal,
    which go into the dice (docs/fair-dice.md).
    """

    v = fields.Integer(strict=True, required=True, validate=validate.Equal(1))
    id = identifier(required=True)
    n = whole(1, 2**53, load_default=None, allow_none=True)
    kind = one_of(*BODIES, required=True)
    base = whole(0, 2**53, load_default=None, allow_none=True)
    random = random_bytes(load_default="")
    body = fields.Dict(required=True)


class PartSchema(Strict):
    """A part of a command that is larger than a message: a GM's `scene.set` or `scene.sync`, over a socket.

    `id` is the command's, `text` the next piece of its JSON text without `n`, `part` counts from 0 to
    `parts` - 1. Each part is acknowledged, the last one with the answer to the command. Part 0 begins anew.
    `n` counts as in a command.
    """

    v = fields.Integer(strict=True, required=True, validate=validate.Equal(1))
    id = identifier(required=True)
    n = whole(1, 2**53, required=True)
    part = whole(0, MAX_PARTS - 1, required=True)
    parts = whole(1, MAX_PARTS, required=True)
    text = fields.String(required=True, validate=validate.Length(min=1))
