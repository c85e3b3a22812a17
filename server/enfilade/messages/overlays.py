"""Messages about one token: its overlay, its odds, and its verdict on a target."""

from __future__ import annotations

from marshmallow import fields

from enfilade.messages.commands import ActSchema
from enfilade.messages.fields import Strict, cell, identifier, one_of, whole


def _cell_with_cost() -> fields.Tuple:
    return fields.Tuple((fields.Integer(), fields.Integer(), fields.Integer()))


class ModifierSchema(Strict):
    """A modifier and its reason. `counts` is false if it did not count in the end."""

    reason = fields.String(required=True)
    value = fields.Integer(strict=True, required=True)
    rule = fields.String(load_default="")
    counts = fields.Boolean(load_default=True)


class ProvocationSchema(Strict):
    """An enemy that a move provokes, its attack, the chance of harm and the expected damage.

    Both are [numerator, denominator] of the situation before the move, or null if the game has none.
    """

    token = identifier(required=True)
    act = fields.String(required=True)
    chance = fields.Tuple((fields.Integer(), fields.Integer()), required=True, allow_none=True)
    damage = fields.Tuple((fields.Integer(), fields.Integer()), required=True, allow_none=True)


class PathStepSchema(Strict):
    """A step of a path: the cell where it ends, how the token moves, the cost, and what it provokes."""

    at = cell(required=True)
    how = fields.String(required=True)
    cost = fields.Integer(required=True)
    provokes = fields.List(fields.Nested(ProvocationSchema), required=True)


class RulingSchema(Strict):
    """The ruling on a move: allowed or not, its cost out of the budget, and all reasons.

    `path` has the cells from the start to the end; `steps` is empty in a game without chains of steps.
    """

    allowed = fields.Boolean(required=True)
    cost = fields.Integer(strict=True, required=True, allow_none=True)
    budget = fields.Integer(strict=True, required=True)
    reasons = fields.List(fields.String(), required=True)
    path = fields.List(cell())
    steps = fields.List(fields.Nested(PathStepSchema))


class RollSchema(Strict):
    """A roll: the die, all faces in order, and whether a person typed them.

    `die_faces` has all faces of the die if its name does not imply them (a d6 has 1 to 6).
    """

    label = fields.String(required=True)
    die = fields.String(required=True)
    faces = fields.List(fields.Raw(), required=True)
    typed = fields.Boolean(required=True)
    die_faces = fields.List(fields.Raw())


class OddsSchema(Strict):
    """A possible result of an act, and its exact chance as [numerator, denominator]."""

    outcome = fields.String(required=True)
    chance = fields.Tuple((fields.Integer(), fields.Integer()), required=True)


class TokenResultSchema(Strict):
    """A token that an act may hurt: mean damage and the chance to be down, as [numerator, denominator]."""

    token = identifier(required=True)
    damage = fields.Tuple((fields.Integer(), fields.Integer()), required=True)
    down = fields.Tuple((fields.Integer(), fields.Integer()), required=True)


class AreaResultSchema(Strict):
    """The result of an act at several tokens: for each, [number, chance] of how many fall, and in words."""

    tokens = fields.List(fields.Nested(TokenResultSchema), required=True)
    fallen = fields.List(
        fields.Tuple((fields.Integer(), fields.Tuple((fields.Integer(), fields.Integer())))), required=True
    )
    text = fields.String(required=True)


class TargetSchema(Strict):
    """An act at a target: legal, or refused with a sentence; its cost, chance and modifiers.

    `caught` has the tokens that an area of effect catches beside the target, `area` the result for each of
    several tokens. `no_odds` says why the odds of a legal act are not known; it has no chance then.
    """

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
    caught = fields.List(identifier())
    area = fields.Nested(AreaResultSchema, allow_none=True)
    no_odds = fields.String()


class AreaSchema(Strict):
    """Cells of one layer with one label, as runs [row, first column, last column].

    On a gridless board `rings` and `lines` are x, y, x, y, ... in 64ths of an inch. A point is in the area if
    a ring goes around it; rings may overlap. `lines` are the border where no wall makes it.
    """

    layer = fields.String(required=True)
    label = fields.String(required=True)
    runs = fields.List(fields.Tuple((fields.Integer(), fields.Integer(), fields.Integer())), required=True)
    rings = fields.List(fields.List(fields.Integer()), load_default=list)
    lines = fields.List(fields.List(fields.Integer()), load_default=list)


class ReachSchema(Strict):
    """The cells in a token's reach: the budget, and [column, row, cost] of each cell by the cheapest path.

    `provokes` has [column, row, indices in `provocations`] of each cell whose cheapest path provokes enemies,
    `safe` [column, row, cost] of the cheapest path there that provokes none, if the budget allows one. On a
    gridless board the cells are some of the places in reach, in 64ths of an inch; `bands` have the outline of
    all, several while dice are still to be rolled, the smallest first.
    """

    budget = fields.Integer(required=True)
    cells = fields.List(_cell_with_cost(), required=True)
    provocations = fields.List(fields.Nested(ProvocationSchema), required=True)
    provokes = fields.List(
        fields.Tuple((fields.Integer(), fields.Integer(), fields.List(fields.Integer()))), required=True
    )
    safe = fields.List(_cell_with_cost(), required=True)
    bands = fields.List(fields.Nested(AreaSchema), load_default=list)


class CardLineSchema(Strict):
    """A line of a miniature's card: a label, a value, and its source."""

    label = fields.String(required=True)
    value = fields.String(required=True)
    note = fields.String(required=True)


class EngagementSchema(Strict):
    """Two engaged tokens, and the effect on them."""

    tokens = fields.Tuple((fields.String(), fields.String()), required=True)
    label = fields.String(required=True)


class OverlaySchema(Strict):
    """The drawings for one token at one entry (`seq`)."""

    token = identifier(required=True)
    seq = whole(0, 2**53, required=True)
    card = fields.List(fields.Nested(CardLineSchema), required=True)
    reach = fields.Nested(ReachSchema, required=True, allow_none=True)
    areas = fields.List(fields.Nested(AreaSchema), required=True)
    engagements = fields.List(fields.Nested(EngagementSchema), required=True)
    targets = fields.List(fields.Nested(TargetSchema), required=True)


class BlockerSchema(Strict):
    """The blocker of a line of sight: a thing of the scene by its ID and name, both empty without one."""

    kind = one_of("wall", "door", "token", "terrain", "corner", required=True)
    id = fields.String(required=True)
    name = fields.String(required=True)


class SightSchema(Strict):
    """The line of sight from a token to another; `is_seen` is null in a game without lines of sight.

    `line` goes from eye to target, in 64ths of a cell like walls; `blocker` blocks it at `at`. `why` says why
    the target is not seen, `cover` its cover, `distance` its distance.
    """

    is_seen = fields.Boolean(required=True, allow_none=True)
    why = fields.String(required=True)
    cover = fields.String(required=True)
    distance = fields.String(required=True)
    line = fields.Tuple([fields.Integer()] * 4, required=True, allow_none=True)
    at = fields.Tuple([fields.Integer()] * 2, required=True, allow_none=True)
    blocker = fields.Nested(BlockerSchema, required=True, allow_none=True)


class VerdictSchema(Strict):
    """The verdict of one token on another at one entry (`seq`): a sentence, its parts, and all acts at it."""

    token = identifier(required=True)
    target = identifier(required=True)
    seq = whole(0, 2**53, required=True)
    sentence = fields.String(required=True)
    sight = fields.Nested(SightSchema, required=True)
    acts = fields.List(fields.Nested(TargetSchema), required=True)


class PathSchema(Strict):
    """The cost of a path at one entry (`seq`): of each leg, and the ruling on the whole.

    A leg is the way to a waypoint from the one before it. Its cost is null where no path leads.
    """

    token = identifier(required=True)
    seq = whole(0, 2**53, required=True)
    costs = fields.List(fields.Integer(allow_none=True), required=True)
    ruling = fields.Nested(RulingSchema, required=True)


def run() -> fields.Tuple:
    """Return the field of a run of cells: [row, first column, last column]."""
    return fields.Tuple((fields.Integer(), fields.Integer(), fields.Integer()))
