"""What a seat may ask of a table: one envelope, the kind inside, a body for each kind."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from enfilade.messages.fields import (
    Face,
    Named,
    Several,
    Strict,
    cell,
    facing,
    hexadecimal,
    identifier,
    identifier_or_none,
    one_of,
    part_bytes,
    random_bytes,
    text,
    webhook_url,
    whole,
)
from enfilade.messages.scene import MOST_SIDES, SceneSchema, SideSchema, TokenSchema
from enfilade.play.commands.registry import COMMANDS

LAYERS = (
    "reach",
    "arc",
    "ranges",
    "sight",
    "blind",
    "defense",
    "reactions",
    "targets",
    "threat",
    "cover",
    "engagement",
)


class ActSchema(Strict):
    """An act by a token: what kind, with what, at whom, to where; the ruleset says which parts it needs."""

    kind = identifier(required=True)
    token = identifier_or_none(load_default="")
    target = identifier_or_none(load_default="")
    weapon = text(64, load_default="")
    at = cell(load_default=None, allow_none=True)
    facing = facing(load_default=None)


class SetSceneSchema(Strict):
    """Puts a whole scene on the table."""

    scene = fields.Nested(SceneSchema, required=True)


class SyncSceneSchema(Strict):
    """Brings the table in step with a tabletop's own scene: the map, who stands where, what is hidden.

    What the table knows beyond that stays: tracks, conditions, profiles, owners, the sides' teams, house
    rules. Where nothing is new nothing happens. The result's `unfit` names the tokens that the ruleset
    cannot use yet, mostly for want of a profile; they are left out.
    """

    scene = fields.Nested(SceneSchema, required=True)


class ClaimBridgeSchema(Strict):
    """Asks to be the one page that speaks for a tabletop at this table; over a socket alone.

    `page` is new for each page, so that one whose connection broke goes on at once; null lets it go. The
    result's `number` is null while another page has it. Changes nothing.
    """

    page = identifier(required=True, allow_none=True)


class PlaceTokenSchema(Strict):
    """Puts a token into the scene, or replaces the one with the same id."""

    token = fields.Nested(TokenSchema, required=True)


class RemoveTokenSchema(Strict):
    """Takes a token out of the scene for good."""

    token = identifier(required=True)


class MoveTokenSchema(Strict):
    """Says where a token now stands: a fact, judged by the rules. Without `facing` it keeps its own.

    `override` is the game master's reason to have the move stand on a table set to enforce; the log says
    it. Empty where the rules hold.
    """

    token = identifier(required=True)
    at = cell(required=True)
    facing = facing()
    override = text(200, load_default="")


class AssignTokensSchema(Strict):
    """Says which tokens are a player's: these, and no others any more. Several players may have the same."""

    player = identifier(required=True)
    tokens = Several(identifier(), 2_000, required=True)


class SetDoorSchema(Strict):
    """Opens, closes or locks a door."""

    wall = identifier(required=True)
    state = one_of("closed", "open", "locked", required=True)


class SetSidesSchema(Strict):
    """Names the sides of the battle."""

    sides = Several(fields.Nested(SideSchema), MOST_SIDES, required=True)


class SetRulesSchema(Strict):
    """Sets the table's house rules and how strictly it enforces the rules."""

    house_rules = Named(fields.Raw(), required=True)
    enforcement = one_of("advise", "warn", "enforce", required=True)


class DoActSchema(Strict):
    """Does an act. `faces` are those of real dice, typed in, in the order they are asked for.

    `override` is the game master's reason to have the act go on although the rules forbid it; the log says
    it. Empty where the rules hold. `secret`: the game master's alone; nobody else reads what came of it.
    """

    act = fields.Nested(ActSchema, required=True)
    faces = Several(Face(), 200, load_default=None)
    override = text(200, load_default="")
    secret = fields.Boolean()


class PreviewActSchema(Strict):
    """Asks what an act would cost and bring, without doing it. Changes nothing."""

    act = fields.Nested(ActSchema, required=True)


class AskVerdictSchema(Strict):
    """Asks what a token makes of another: seen or not and why, cover, distance, odds. Changes nothing.

    The answer's result is as `verdict.json` says.
    """

    token = identifier(required=True)
    target = identifier(required=True)


class AnswerSchema(Strict):
    """Answers the choice that the table is waiting for; `faces` where the answer needs more real dice."""

    choice = identifier(required=True)
    answer = text(64, required=True)
    faces = Several(Face(), 200, load_default=None)


class ShowOverlaySchema(Strict):
    """Asks for a token's overlay, now and after every change; null for none. Changes nothing."""

    token = identifier(required=True, allow_none=True)
    layers = Several(one_of(*LAYERS), len(LAYERS), load_default=None, allow_none=True)


class SyncSchema(Strict):
    """Asks for a snapshot, because this client's copy cannot be trusted. Changes nothing.

    `gap`: an update did not follow the one before; `hash`: the scene's hash was another; `stale`: a command
    was refused as stale without what is missing.
    """

    why = one_of("gap", "hash", "stale", required=True)


class ContributeDiceSchema(Strict):
    """Contribute to the dice as a player: reveal requested bytes, commit to the next (docs/fair-dice.md).

    `reveal` holds the 16 random bytes that an entry `dice.committed` requested; `commit` is the commitment to
    the next bytes. The server ignores bytes that it did not request. Pages send this automatically.
    """

    reveal = part_bytes(load_default=None, allow_none=True)
    commit = hexadecimal(load_default=None, allow_none=True)


class RevealRollSchema(Strict):
    """Shows a hidden roll of before to everybody, with the proof of its dice; `seq` is its entry."""

    seq = whole(1, 2**53, required=True)


class UndoSchema(Strict):
    """Takes back the last entry that still stands."""

    seq = whole(1, 2**53, load_default=None, allow_none=True)


class SetWebhookSchema(Strict):
    """Has the table's log posted to a webhook like Discord's from now on; an empty `url` ends it.

    The URL is a secret: no update, log or export shows it again. Its host must be one that the server allows.
    """

    url = webhook_url(required=True)


class TestWebhookSchema(Strict):
    """Puts a line for testing into the log, posted like any other; begins again what was given up."""


BODIES: dict[str, type[Schema]] = {kind: globals()[spec.schema] for kind, spec in COMMANDS.items()}
"""The schema of the body of each kind of command, from the registry."""


class CommandSchema(Strict):
    """The envelope of every command.

    `id` is the sender's own, new for each command: sent again it gets the first answer again, and is done
    once. `n` counts what a socket sends, from 1, also what it sends again: with a gap nothing is done. Over
    HTTP there is none. `base` is the entry the sender had seen last; an act decided on an older scene is
    refused. Null is for what holds whatever has happened meanwhile; questions are answered whatever it is.
    `random` are 16 fresh random bytes of the sender's own, in hexadecimal, that go into the dice
    (docs/fair-dice.md).
    """

    v = fields.Integer(strict=True, required=True, validate=validate.Equal(1))
    id = identifier(required=True)
    n = whole(1, 2**53, load_default=None, allow_none=True)
    kind = one_of(*BODIES, required=True)
    base = whole(0, 2**53, load_default=None, allow_none=True)
    random = random_bytes(load_default="")
    body = fields.Dict(required=True)
