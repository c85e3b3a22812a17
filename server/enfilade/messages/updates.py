"""Messages to seats: acknowledgements, errors, and updates with the kind inside."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from enfilade.messages.fair_dice import ChainHeadSchema, ChainNoteSchema, SealedAnswersSchema
from enfilade.messages.fields import (
    Strict,
    cell,
    epoch,
    hexadecimal,
    identifier,
    identifier_or_none,
    one_of,
    text,
    whole,
)
from enfilade.messages.game_facts import GameFactsSchema
from enfilade.messages.members import HelloSchema, PlayersSchema
from enfilade.messages.overlays import (
    AreaSchema,
    ModifierSchema,
    OverlaySchema,
    RollSchema,
    RulingSchema,
    run,
)
from enfilade.messages.scene import SceneSchema

ROLES = ("gm", "player", "spectator")


class TokenChangeSchema(Strict):
    """A miniature after a step: its place, facing, tracks and conditions."""

    token = identifier(required=True)
    at = cell(required=True, allow_none=True)
    facing = fields.Integer(required=True, allow_none=True)
    tracks = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    conditions = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class StepSchema(Strict):
    """A step of an act that pages play: its sentences, who acts on whom, and the miniatures that it changes.

    The first step has no text, and the miniatures as they were before the act.
    """

    text = fields.String(required=True)
    token = identifier_or_none(required=True)
    target = identifier_or_none(required=True)
    changes = fields.List(fields.Nested(TokenChangeSchema), required=True)


class FactsSchema(GameFactsSchema):
    """The facts that the log shows beside an entry's sentences. Each part is optional.

    `steps` play the act step by step.
    `total` is the die with all modifiers, `needed` the face that the die needed, `hit_points` before and
    after, `override` the GM's reason for overruling the rules.
    """

    token = fields.String()
    target = fields.String()
    act = fields.String()
    ruling = fields.Nested(RulingSchema)
    rolls = fields.List(fields.Nested(RollSchema))
    modifiers = fields.List(fields.Nested(ModifierSchema))
    defenses = fields.List(fields.Nested(ModifierSchema))
    total = fields.Integer()
    needed = fields.Integer()
    result = fields.String()
    damage = fields.Integer()
    hit_points = fields.Tuple((fields.Integer(), fields.Integer()))
    override = fields.String()
    counts = fields.Dict(keys=fields.String(), values=fields.Integer())
    steps = fields.List(fields.Nested(StepSchema))


class ChoiceOptionSchema(Strict):
    """One answer that a choice offers, and the tokens and the cell that it is about, if it is about some."""

    key = text(64, required=True)
    label = fields.String(required=True)
    tokens = fields.List(identifier())
    at = cell(allow_none=True)


class AllocationSchema(Strict):
    """The numbers of a choice that splits a pool over its options; all lists are in their order.

    The sum is from `least` to `pool`, the number of each option within its `limits`. `default` is the
    recommended split. `chances` has for each option the chance of success with 0, 1, 2 and so on, as
    (numerator, denominator); it may be empty.
    """

    pool = whole(0, 10_000, required=True)
    least = whole(0, 10_000, required=True)
    limits = fields.List(fields.Tuple((fields.Integer(), fields.Integer())), required=True)
    default = fields.List(fields.Integer(), required=True)
    chances = fields.List(fields.List(fields.Tuple((fields.Integer(), fields.Integer()))), load_default=list)


class OwnChoiceSchema(Strict):
    """One of the choices that a seat has at the same time, like ChoiceSchema.

    `given` is the seat's answer that waits for those of others; it is empty before the answer. `is_sealed`:
    the log proves the answers (docs/fair-dice.md). `has_odds`: `matchup.ask` answers for this choice.
    """

    id = identifier(required=True)
    side = identifier(required=True)
    question = fields.String(required=True)
    options = fields.List(fields.Nested(ChoiceOptionSchema), required=True)
    default = text(64, required=True)
    token = identifier_or_none(load_default="")
    facts = fields.Nested(FactsSchema, load_default=dict)
    allocation = fields.Nested(AllocationSchema, load_default=None, allow_none=True)
    is_sealed = fields.Boolean(load_default=False)
    has_odds = fields.Boolean(load_default=False)
    given = fields.String(load_default="")


class ChoiceSchema(OwnChoiceSchema):
    """A choice that the table waits for: the side, the question, the answers, and the default.

    `token` is the miniature that decides; it is empty if the whole side decides. `facts` are the facts and
    rolls before the question. With an `allocation` the answer is a split over the options, and `default` is
    empty. `others` are the choices that the seat has at the same time. Each is answered by its ID, and may be
    answered again until all seats have answered; `given` is the answer so far.
    """

    others = fields.List(fields.Nested(OwnChoiceSchema), load_default=list)


class LogEntrySchema(Strict):
    """An entry of the log: its number in this view, its sentences, its facts and its events.

    An entry that a seat may not know takes no number in its view. Of a `secret` entry the seat gets only what
    its tokens could see: no text, no time (`at_ms` 0) and no author. `events` are the published events
    (schemas/events.json); a client that folds them into its scene stays in sync. `secret`: not all seats may
    read its text; only the GM gets `readers`, the players who may.
    """

    seq = whole(1, 2**53, required=True)
    id = fields.String(required=True)
    seat = fields.String(required=True)
    kind = fields.String(required=True)
    at_ms = whole(0, 2**53, required=True)
    text = fields.String(required=True)
    facts = fields.Nested(FactsSchema, required=True)
    events = fields.List(fields.Dict(), required=True)
    undoes = whole(1, 2**53, required=True, allow_none=True)
    secret = fields.Boolean(required=True)
    readers = fields.List(identifier(), required=True)
    dice = fields.Nested(ChainNoteSchema, required=True, allow_none=True)
    sealed = fields.List(fields.Nested(SealedAnswersSchema), load_default=list)


def _bodies() -> fields.Dict:
    """Return the cells of each token whose body differs from its size, by the token's ID."""
    return fields.Dict(keys=fields.String(), values=fields.List(run()), load_default=dict)


class WebhookSchema(Strict):
    """The table's webhook, for the GM.

    `hosts` are the hosts that the server allows, `host` is the webhook's host, empty if none is set.
    `outcome` describes the last attempt to post, at `at_ms` (0: none yet). `is_stopped`: the server has given
    up.
    """

    hosts = fields.List(fields.String(), required=True)
    host = fields.String(required=True)
    outcome = fields.String(required=True)
    at_ms = whole(0, 2**53, required=True)
    is_stopped = fields.Boolean(required=True)


class TurnSchema(Strict):
    """The turn order as a seat sees it: the round (0: not started), and the sides or the token that may act.

    `token` is empty if any token of `sides` may act. A battle that `is_over` without `winners` is a draw.
    """

    round = whole(0, 2**31, required=True)
    sides = fields.List(identifier(), required=True)
    token = identifier_or_none(required=True)
    is_over = fields.Boolean(required=True)
    winners = fields.List(identifier(), required=True)


class HistorySchema(Strict):
    """The entries that undo and redo would take next, and the first that undo can reach; null for none."""

    undo = whole(1, 2**53, required=True, allow_none=True)
    redo = whole(1, 2**53, required=True, allow_none=True)
    first = whole(1, 2**53, required=True, allow_none=True)


class BarSchema(Strict):
    """A token's hit points: their track and its maximum."""

    track = text(64, required=True)
    most = whole(0, 1_000_000, required=True)


def _bars() -> fields.Dict:
    """Return the hit points of each token that has some, by the token's ID."""
    return fields.Dict(keys=fields.String(), values=fields.Nested(BarSchema), load_default=dict)


class SnapshotSchema(Strict):
    """A whole table, as this seat may know it.

    `seat` is the player's ID, as in the `owners` of tokens; it is empty for other roles. `regions` are the
    ruleset's parts of the board beyond its cells, `hash` is the SHA-256 of the scene's canonical JSON (RFC
    8785). `webhook` and `history` are null for all but the GM, `webhook` also on a server without webhooks.
    """

    role = one_of(*ROLES, required=True)
    seat = identifier_or_none(required=True)
    scene = fields.Nested(SceneSchema, required=True)
    log = fields.List(fields.Nested(LogEntrySchema), required=True)
    choice = fields.Nested(ChoiceSchema, required=True, allow_none=True)
    ruleset = fields.Dict(required=True)
    regions = fields.List(fields.Nested(AreaSchema), load_default=list)
    bodies = _bodies()
    bars = _bars()
    turn = fields.Nested(TurnSchema, required=True)
    dice = fields.Nested(ChainHeadSchema, required=True, allow_none=True)
    webhook = fields.Nested(WebhookSchema, load_default=None, allow_none=True)
    history = fields.Nested(HistorySchema, load_default=None, allow_none=True)
    hash = hexadecimal(required=True)


class EntriesSchema(Strict):
    """New entries, oldest first, without a gap; the choice that the table now waits for; bodies, bars, turn.

    `regions` is null if they have not changed, `hash` (of the scene after the entries) if it is not sent.
    """

    entries = fields.List(fields.Nested(LogEntrySchema), required=True)
    choice = fields.Nested(ChoiceSchema, required=True, allow_none=True)
    regions = fields.List(fields.Nested(AreaSchema), load_default=None, allow_none=True)
    bodies = _bodies()
    bars = _bars()
    turn = fields.Nested(TurnSchema, required=True)
    webhook = fields.Nested(WebhookSchema, load_default=None, allow_none=True)
    history = fields.Nested(HistorySchema, load_default=None, allow_none=True)
    hash = hexadecimal(load_default=None, allow_none=True)


class PingedSchema(Strict):
    """A place that a seat points at, in 64ths of a cell, with the player's name ("" for the GM)."""

    at = cell(required=True)
    name = fields.String(required=True)


class BranchNewsSchema(Strict):
    """A branch that a seat shows or shows no longer, with the player's name ("" for the GM)."""

    branch = identifier(required=True)
    name = fields.String(required=True)
    is_shown = fields.Boolean(required=True)


UPDATES: dict[str, type[Schema]] = {
    "snapshot": SnapshotSchema,
    "entries": EntriesSchema,
    "overlay": OverlaySchema,
    "hello": HelloSchema,
    "players": PlayersSchema,
    "ping": PingedSchema,
    "branch": BranchNewsSchema,
}
"""The kinds of update with their bodies."""


class UpdateSchema(Strict):
    """The envelope of every update; `seq` is the last entry of this view.

    Numbers belong to their `epoch`. A restored log has another one.
    """

    v = fields.Integer(strict=True, required=True, validate=validate.Equal(1))
    table = identifier(required=True)
    epoch = epoch(required=True)
    kind = one_of(*UPDATES, required=True)
    seq = whole(0, 2**53, required=True)
    body = fields.Dict(required=True)


class ErrorSchema(Strict):
    """The reason for a refusal: a code for programs, a sentence for people.

    `rule` is the ID of the rule that refuses, `fields` has all wrong fields by path. For a stale command,
    `current` is the last entry of this view, and `missing` has the entries since `base` as in an update; it
    is null if they are too many, and the client must ask for a snapshot (`sync`). After `retry_after_ms` the
    client may send the same again. `process` is the name of the process that serves the table; the
    client opens its next connection with it in the address (`/socket.io/?table=ID&process=NAME`).
    """

    code = text(40, required=True)
    sentence = fields.String(required=True)
    retryable = fields.Boolean(load_default=False)
    rule = text(40)
    fields_ = fields.Dict(
        keys=fields.String(), values=fields.List(fields.String()), data_key="fields", attribute="fields"
    )
    current = whole(0, 2**53)
    missing = fields.Nested(EntriesSchema, allow_none=True)
    retry_after_ms = whole(1, 2**31)
    process = text(40)


class AckSchema(Strict):
    """The answer to a command: its result, or the error.

    `seq` is the last entry of this view after the command. `dup` is set if the command had been done before;
    the answer is then that of the first time.
    """

    ok = fields.Boolean(required=True)
    id = fields.String(required=True)
    seq = whole(0, 2**53)
    result = fields.Dict()
    dup = fields.Boolean()
    error = fields.Nested(ErrorSchema)
