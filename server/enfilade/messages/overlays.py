"""What a table tells of one token: its overlay, its chances, what it sees of a target."""

from __future__ import annotations

from marshmallow import fields

from enfilade.messages.commands import ActSchema
from enfilade.messages.fields import Strict, identifier, one_of, whole


class ModifierSchema(Strict):
    """A reason and what it adds; kept with `counts` false where it did not count in the end."""

    reason = fields.String(required=True)
    value = fields.Integer(strict=True, required=True)
    rule = fields.String(load_default="")
    counts = fields.Boolean(load_default=True)


class RulingSchema(Strict):
    """The judgement of a move: allowed or not, its cost out of the budget, every reason."""

    allowed = fields.Boolean(required=True)
    cost = fields.Integer(strict=True, required=True, allow_none=True)
    budget = fields.Integer(strict=True, required=True)
    reasons = fields.List(fields.String(), required=True)


class RollSchema(Strict):
    """Dice that fell: which, every face in order, and whether a person typed them in.

    `die_faces` is every face of the die, where its name does not say it all (a d6 has 1 to 6).
    """

    label = fields.String(required=True)
    die = fields.String(required=True)
    faces = fields.List(fields.Raw(), required=True)
    typed = fields.Boolean(required=True)
    die_faces = fields.List(fields.Raw())


class OddsSchema(Strict):
    """One thing an act may come to, and its exact chance as [numerator, denominator]."""

    outcome = fields.String(required=True)
    chance = fields.Tuple((fields.Integer(), fields.Integer()), required=True)


class TargetSchema(Strict):
    """An act at a target: legal or refused (with the sentence why), its cost, chance and modifiers."""

    act = fields.Nested(ActSchema, required=True)
    label = fields.String(required=True)
    target = fields.String(required=True)
    legal = fields.Boolean(required=True)
    why = fields.String(required=True)
    cost = fields.Integer(required=True)
    needed = fields.Integer(required=True, allow_none=True)
    chance = fields.Tuple((fields.Integer(), fields.Integer()), required=True)
    exact = fields.Boolean(required=True)
    modifiers = fields.List(fields.Nested(ModifierSchema), required=True)
    defenses = fields.List(fields.Nested(ModifierSchema), required=True)
    outcomes = fields.List(fields.Nested(OddsSchema), required=True)


class AreaSchema(Strict):
    """Cells of one layer under one label, as runs [row, first column, last column]."""

    layer = fields.String(required=True)
    label = fields.String(required=True)
    runs = fields.List(fields.Tuple((fields.Integer(), fields.Integer(), fields.Integer())), required=True)


class ReachSchema(Strict):
    """Where a token may go: the budget, and [column, row, cost] of every cell."""

    budget = fields.Integer(required=True)
    cells = fields.List(fields.Tuple((fields.Integer(), fields.Integer(), fields.Integer())), required=True)


class CardLineSchema(Strict):
    """A line of a miniature's card: a name, a value, and where it comes from."""

    label = fields.String(required=True)
    value = fields.String(required=True)
    note = fields.String(required=True)


class EngagementSchema(Strict):
    """Two tokens that are locked with one another, and what that means to them."""

    tokens = fields.Tuple((fields.String(), fields.String()), required=True)
    label = fields.String(required=True)


class OverlaySchema(Strict):
    """Everything to draw for one token at one moment (`seq`)."""

    token = identifier(required=True)
    seq = whole(0, 2**53, required=True)
    card = fields.List(fields.Nested(CardLineSchema), required=True)
    reach = fields.Nested(ReachSchema, required=True, allow_none=True)
    areas = fields.List(fields.Nested(AreaSchema), required=True)
    engagements = fields.List(fields.Nested(EngagementSchema), required=True)
    targets = fields.List(fields.Nested(TargetSchema), required=True)


class BlockerSchema(Strict):
    """What stops a line of sight: a thing of the scene by its id and its name, both empty where none is."""

    kind = one_of("wall", "door", "token", "terrain", "corner", required=True)
    id = fields.String(required=True)
    name = fields.String(required=True)


class SightSchema(Strict):
    """Whether a token sees another (null: the game does not say), and what shows it.

    `line` is looked along, from eye to target, in 64ths of a cell as walls are; `blocker` stops it at `at`.
    `why` says why it is not seen, `cover` what cover it has all the same, `distance` how far it is.
    """

    is_seen = fields.Boolean(required=True, allow_none=True)
    why = fields.String(required=True)
    cover = fields.String(required=True)
    distance = fields.String(required=True)
    line = fields.Tuple([fields.Integer()] * 4, required=True, allow_none=True)
    at = fields.Tuple([fields.Integer()] * 2, required=True, allow_none=True)
    blocker = fields.Nested(BlockerSchema, required=True, allow_none=True)


class VerdictSchema(Strict):
    """What a token makes of another at one moment (`seq`): a sentence, its parts, and every act at it."""

    token = identifier(required=True)
    target = identifier(required=True)
    seq = whole(0, 2**53, required=True)
    sentence = fields.String(required=True)
    sight = fields.Nested(SightSchema, required=True)
    acts = fields.List(fields.Nested(TargetSchema), required=True)


def run() -> fields.Tuple:
    """Cells side by side: [row, first column, last column]."""
    return fields.Tuple((fields.Integer(), fields.Integer(), fields.Integer()))
