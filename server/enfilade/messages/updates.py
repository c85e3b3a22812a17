"""What a table tells its seats: acknowledgements, errors, and updates with the kind inside."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from enfilade.messages.fields import (
    Strict,
    epoch,
    hexadecimal,
    identifier,
    identifier_or_none,
    one_of,
    players_hash,
    random_bytes,
    text,
    whole,
)
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


class FactsSchema(Strict):
    """What the log shows beside an entry's sentences; each part only where there is something to say.

    `total` is the die with all modifiers, `needed` what the die alone had to show, `hit_points` before and
    after, `override` the game master's reason where the rules were overruled.
    """

    token = fields.String()
    target = fields.String()
    act = fields.String()
    weapon = fields.String()
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


class ChoiceOptionSchema(Strict):
    """One of the answers a choice offers."""

    key = text(64, required=True)
    label = fields.String(required=True)


class ChoiceSchema(Strict):
    """A decision the table waits for: whose, what is asked, the answers, the one taken by default.

    `token` is the miniature whose own decision it is; empty where it is the side's. `facts` is what has been
    said and has fallen up to the question.
    """

    id = identifier(required=True)
    side = identifier(required=True)
    question = fields.String(required=True)
    options = fields.List(fields.Nested(ChoiceOptionSchema), required=True)
    default = text(64, required=True)
    token = identifier_or_none(load_default="")
    facts = fields.Nested(FactsSchema, load_default=dict)


class PlayedSchema(Strict):
    """The rules that dice fell under: the ruleset's key and the house rules chosen."""

    ruleset = identifier(required=True)
    house_rules = fields.Dict(keys=text(64), values=fields.Raw(), required=True)


class HiddenHeadSchema(Strict):
    """What hidden rolls are committed to: the name, the head and the length of their own chain."""

    epoch = identifier(required=True)
    head = hexadecimal(required=True)
    links = whole(1, 2**32, required=True)


class PartSchema(Strict):
    """A player's part in the dice: whose (`seat`), the commitment, the bytes (empty until they are given)."""

    seat = identifier(required=True)
    commitment = hexadecimal(required=True)
    value = random_bytes(required=True)


class ChainNoteSchema(Strict):
    """What an entry says of the table's dice, so that everybody can check them (docs/fair-dice.md).

    `opened`: a chain was made and committed to by its `head`, and `hidden`, the chain of hidden rolls;
    `reason` says why. `used`: a `link` was used up for a `command` with its sender's `random` bytes, under
    these `rules`, with the `players`' parts; `void` says why its dice do not count, and is empty where they
    do; `is_hidden` where it is of the chain of hidden rolls. `shown`: such a one is shown to all. `hidden`: a
    link of the open chain was used up for something that this seat may not know of. `sealed`: the proof is
    the game master's until it is shown. `committed`, `given`: the players' parts. Each carries its own only.
    """

    type = one_of("opened", "used", "shown", "hidden", "sealed", "committed", "given", required=True)
    epoch = identifier(required=True)
    head = hexadecimal()
    links = whole(1, 2**32)
    reason = fields.String()
    index = whole(1, 2**32)
    link = hexadecimal()
    command = fields.String()
    random = random_bytes()
    rules = fields.Nested(PlayedSchema)
    void = fields.String()
    players = players_hash()
    hidden = fields.Nested(HiddenHeadSchema, allow_none=True)
    is_hidden = fields.Boolean()
    parts = fields.List(fields.Nested(PartSchema))


class ChainHeadSchema(Strict):
    """What a table's dice are committed to: the chain's name, head and length, and the next link.

    `hidden` is the chain of hidden rolls, `players` the hash of the players' parts that go into the dice now.
    """

    epoch = identifier(required=True)
    head = hexadecimal(required=True)
    links = whole(1, 2**32, required=True)
    next = whole(1, 2**32, required=True)
    hidden = fields.Nested(HiddenHeadSchema, required=True, allow_none=True)
    players = players_hash(required=True)


class LogEntrySchema(Strict):
    """One act at the table: its number in this view, its sentences, its facts and the events it made.

    What a seat may know nothing of takes no number in its view. Of a `secret` entry it knows what it could
    see: no words, no time (`at_ms` 0), not whose it was.
    `events` are the published facts (schemas/events.json); folding them into the scene keeps it in step.
    `secret`: its words are not for everybody; `readers` are the players who may read them all the same, and
    are told to the game master alone.
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


def _bodies() -> fields.Dict:
    """The cells of each token, by its id, that fills others than its size says."""
    return fields.Dict(keys=fields.String(), values=fields.List(run()), load_default=dict)


class WebhookSchema(Strict):
    """What a game master may know of the table's webhook.

    `hosts` are those it may be at, `host` is where it is, empty where none is set.
    `outcome` says how the last attempt to post went, at `at_ms` (0: none yet). `is_stopped`: it was given up.
    """

    hosts = fields.List(fields.String(), required=True)
    host = fields.String(required=True)
    outcome = fields.String(required=True)
    at_ms = whole(0, 2**53, required=True)
    is_stopped = fields.Boolean(required=True)


class BarSchema(Strict):
    """A token's hit points: which track they are, and the most it may be."""

    track = text(64, required=True)
    most = whole(0, 1_000_000, required=True)


def _bars() -> fields.Dict:
    """The hit points of each token that has some, by its id."""
    return fields.Dict(keys=fields.String(), values=fields.Nested(BarSchema), load_default=dict)


class SnapshotSchema(Strict):
    """A table as a whole, as this seat may know it.

    `seat` is the id of the player who looks, as it stands in the `owners` of tokens; empty for others.
    `regions` are the parts that the ruleset divides the board into beyond its cells, `hash` is the SHA-256
    of the scene's canonical JSON (RFC 8785). `webhook` is null for all but the game master, and where the
    server posts nowhere.
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
    dice = fields.Nested(ChainHeadSchema, required=True, allow_none=True)
    webhook = fields.Nested(WebhookSchema, load_default=None, allow_none=True)
    hash = hexadecimal(required=True)


class EntriesSchema(Strict):
    """New entries, oldest first, without a gap; the choice the table now waits for; the bodies and bars now.

    `regions` is null where they are still the same, `hash` (of the scene after these) where it is not told.
    """

    entries = fields.List(fields.Nested(LogEntrySchema), required=True)
    choice = fields.Nested(ChoiceSchema, required=True, allow_none=True)
    regions = fields.List(fields.Nested(AreaSchema), load_default=None, allow_none=True)
    bodies = _bodies()
    bars = _bars()
    webhook = fields.Nested(WebhookSchema, load_default=None, allow_none=True)
    hash = hexadecimal(load_default=None, allow_none=True)


UPDATES: dict[str, type[Schema]] = {
    "snapshot": SnapshotSchema,
    "entries": EntriesSchema,
    "overlay": OverlaySchema,
    "hello": HelloSchema,
    "players": PlayersSchema,
}
"""The kinds of update, and the body of each."""


class UpdateSchema(Strict):
    """The envelope of every update; `seq` is this view's last entry when it was made.

    Numbers mean something together with their `epoch` only, which is another one after a log was restored.
    """

    v = fields.Integer(strict=True, required=True, validate=validate.Equal(1))
    table = identifier(required=True)
    epoch = epoch(required=True)
    kind = one_of(*UPDATES, required=True)
    seq = whole(0, 2**53, required=True)
    body = fields.Dict(required=True)


class ErrorSchema(Strict):
    """Why a command was refused: a code for programs, a sentence for people.

    `rule` is the ID of the rule that refuses, `fields` every wrong field by its path. Where a command was
    decided on an older scene, `current` is the last entry of this view, and `missing` the entries since as
    an update has them; null where they are too many, and a snapshot must be asked for (`sync`).
    `retry_after_ms` is the time after which the same may be asked again.
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


class AckSchema(Strict):
    """The answer to a command: what was asked for, or the error.

    `seq` is this view's last entry once the command was stored. `dup` where it had been done before, and
    all else is the answer of then.
    """

    ok = fields.Boolean(required=True)
    id = fields.String(required=True)
    seq = whole(0, 2**53)
    result = fields.Dict()
    dup = fields.Boolean()
    error = fields.Nested(ErrorSchema)
