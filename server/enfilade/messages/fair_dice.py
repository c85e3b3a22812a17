"""Messages about committed dice and sealed answers, by which each seat checks them (docs/fair-dice.md)."""

from __future__ import annotations

from marshmallow import fields

from enfilade.messages.fields import (
    Strict,
    hexadecimal,
    identifier,
    identifier_or_none,
    one_of,
    players_hash,
    random_bytes,
    text,
    whole,
)


class PlayedSchema(Strict):
    """The rules of a roll: the ruleset's key and the house rules."""

    ruleset = identifier(required=True)
    house_rules = fields.Dict(keys=text(64), values=fields.Raw(), required=True)


class HiddenHeadSchema(Strict):
    """The commitment to the hidden rolls: the name, the head and the length of their own chain."""

    epoch = identifier(required=True)
    head = hexadecimal(required=True)
    links = whole(1, 2**32, required=True)


class PartSchema(Strict):
    """A player's contribution to the dice: the `seat`, the commitment, the bytes (empty until revealed)."""

    seat = identifier(required=True)
    commitment = hexadecimal(required=True)
    value = random_bytes(required=True)


class ChainNoteSchema(Strict):
    """An entry's note on the table's dice, with which each seat can check them (docs/fair-dice.md).

    `opened`: a chain was created, with its commitment `head`, and `hidden`, the chain of hidden rolls;
    `reason` says why. `used`: a `link` was used for a `command` with its sender's `random` bytes, under these
    `rules`, with the contributions of the `players`; `void` says why its dice do not count and is empty
    otherwise; `is_hidden` if it belongs to the chain of hidden rolls. `shown`: such a roll was revealed to
    all. `hidden`: a link of the open chain was used for a roll that this seat may not know. `sealed`: the GM
    keeps the proof until the roll is revealed. `committed`, `given`: the players' contributions. Each note
    has its own fields only.
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
    """The commitment to a table's dice: the chain's name, head and length, and the next link.

    `hidden` is the chain of hidden rolls, `players` the hash of the players' contributions to the dice now.
    """

    epoch = identifier(required=True)
    head = hexadecimal(required=True)
    links = whole(1, 2**32, required=True)
    next = whole(1, 2**32, required=True)
    hidden = fields.Nested(HiddenHeadSchema, required=True, allow_none=True)
    players = players_hash(required=True)


class SealedAnswerSchema(Strict):
    """One sealed answer: its choice, the miniature that decides, the seat that answered, the commitment.

    `seat` is empty for a default that the GM's close took. `answer`, `label` (the answer in words) and `salt`
    are empty until the reveal. `readers` is null.
    """

    choice = identifier(required=True)
    token = identifier_or_none(required=True)
    seat = fields.String(required=True)
    commitment = hexadecimal(required=True)
    answer = fields.String(required=True)
    label = fields.String(load_default="")
    salt = fields.String(required=True)
    readers = fields.List(identifier(), required=True, allow_none=True)


class SealedAnswersSchema(Strict):
    """The answers to one question at the same time; `is_open` after the reveal."""

    question = identifier(required=True)
    answers = fields.List(fields.Nested(SealedAnswerSchema), required=True)
    is_open = fields.Boolean(required=True)
