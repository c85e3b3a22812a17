"""Messages about one token: its overlay, its odds, and its verdict on a target."""

from __future__ import annotations

from typing import Any

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


class TargetSchema(Strict):
    """An act at a target: legal, or refused with a sentence; its cost, chance and modifiers.

    `caught` has the tokens that an area of effect catches beside the target.
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


def _fraction(**options: Any) -> fields.Tuple:
    return fields.Tuple((fields.Integer(), fields.Integer()), **options)


class MapCellSchema(Strict):
    """A place of a decision map: cell, best facing, cost, and damage in thousandths of a point.

    `dealt` is the expected damage of the token's best attack there, `taken` that of the best attack of each
    enemy that can attack it there, `provoked` that of what the way there provokes. The number of the place is
    `dealt` minus the other two. `attackers` is the number of these enemies. `may_come`: enemies can also
    attack the cell after a move of their own.
    """

    at = cell(required=True)
    facing = fields.Integer(required=True, allow_none=True)
    cost = fields.Integer(required=True)
    dealt = fields.Integer(required=True)
    taken = fields.Integer(required=True)
    provoked = fields.Integer(required=True)
    attackers = fields.Integer(required=True)
    may_come = fields.Boolean(required=True)


class AttackOutlookSchema(Strict):
    """An attack to come, with its chance to hit and its expected damage as [numerator, denominator]."""

    token = identifier(required=True)
    target = identifier(required=True)
    act = fields.Nested(ActSchema, required=True)
    label = fields.String(required=True)
    chance = _fraction(required=True)
    damage = _fraction(required=True)
    exact = fields.Boolean(required=True)


class WatcherSchema(Strict):
    """An enemy and a place: whether it sees the token there, and its cover, distance and arc.

    `is_seen` is null in a game without lines of sight; `saw` is the same for where the token stands now.
    """

    token = identifier(required=True)
    is_seen = fields.Boolean(required=True, allow_none=True)
    saw = fields.Boolean(required=True, allow_none=True)
    cover = fields.String(required=True)
    distance = fields.String(required=True)
    is_in_arc = fields.Boolean(required=True)


class PlaceOutlookSchema(Strict):
    """Everything about one place: the best attack there, attacks on it, watchers, and a text with reasons."""

    cell = fields.Nested(MapCellSchema, required=True)
    own = fields.Nested(AttackOutlookSchema, required=True, allow_none=True)
    suffered = fields.List(fields.Nested(AttackOutlookSchema), required=True)
    provokes = fields.List(fields.Nested(ProvocationSchema), required=True)
    watchers = fields.List(fields.Nested(WatcherSchema), required=True)
    text = fields.String(required=True)


class DecisionMapSchema(Strict):
    """The decision map of a token at one entry (`seq`), all of it from the asking seat's view.

    `is_next_turn`: it is not the token's turn, so the map is that of its next one, as if it began now. `here`
    is where it stands, `advice` has the best places in order. `places` has the facings of the one cell that
    was asked for. `is_whole` is false if only some of the cells were asked for.
    """

    token = identifier(required=True)
    seq = whole(0, 2**53, required=True)
    is_next_turn = fields.Boolean(required=True)
    is_whole = fields.Boolean(required=True)
    cells = fields.List(fields.Nested(MapCellSchema), required=True)
    here = fields.Nested(PlaceOutlookSchema, required=True, allow_none=True)
    advice = fields.List(fields.Nested(PlaceOutlookSchema), required=True)
    places = fields.List(fields.Nested(PlaceOutlookSchema), required=True)


class FocusStepSchema(Strict):
    """An attacker's attack, null if it has none now, and the chance that the target is down after it."""

    token = identifier(required=True)
    act = fields.Nested(ActSchema, required=True, allow_none=True)
    label = fields.String(required=True)
    chance = _fraction(required=True)


class RemainderSchema(Strict):
    """The hit points that a target may have left, null without hit points, and the chance of that."""

    hit_points = fields.Integer(required=True, allow_none=True)
    chance = _fraction(required=True)


class FocusFireSchema(Strict):
    """The result of attackers in order on a target at one entry; chances are [numerator, denominator].

    `chance`: it is down in the end. `left`: its hit points if not. `used`: the mean number of attackers that
    it takes. `best`: the order with the highest chance, among equals the one that takes the fewest.
    """

    target = identifier(required=True)
    seq = whole(0, 2**53, required=True)
    steps = fields.List(fields.Nested(FocusStepSchema), required=True)
    chance = _fraction(required=True)
    left = fields.List(fields.Nested(RemainderSchema), required=True)
    used = _fraction(required=True)
    exact = fields.Boolean(required=True)
    best = fields.List(identifier(), required=True)
    best_chance = _fraction(required=True)
    best_used = _fraction(required=True)


class SideForecastSchema(Strict):
    """A side and its share of the continuations that it wins."""

    side = identifier(required=True)
    name = fields.String(required=True)
    chance = _fraction(required=True)


class TokenForecastSchema(Strict):
    """A token and the share of the continuations in which it falls."""

    token = identifier(required=True)
    name = fields.String(required=True)
    side = identifier(required=True)
    chance = _fraction(required=True)


class ForecastSchema(Strict):
    """The state of a forecast from one entry on, as far as it is counted; chances are [count, of].

    `state`: waiting, running, done, cancelled or failed. `margin`: 95 of 100 counts have a smaller error.
    `rounds`: [further rounds, continuations]. `undecided`: those without an end after many rounds.
    """

    forecast = identifier(required=True)
    seq = whole(0, 2**53, required=True)
    state = one_of("waiting", "running", "done", "cancelled", "failed", required=True)
    total = whole(1, 2**53, required=True)
    played = whole(0, 2**53, required=True)
    undecided = _fraction(required=True)
    margin = fields.Float(required=True)
    sides = fields.List(fields.Nested(SideForecastSchema), required=True)
    rounds = fields.List(fields.Tuple((fields.Integer(), fields.Integer())), required=True)
    tokens = fields.List(fields.Nested(TokenForecastSchema), required=True)


class TokenFactsSchema(Strict):
    """A token: its side, cell, facing in degrees, hit points if the game has them, and conditions."""

    token = identifier(required=True)
    name = fields.String(required=True)
    side = fields.String(required=True)
    at = cell(required=True, allow_none=True)
    facing = fields.Integer(required=True, allow_none=True)
    hit_points = fields.Integer(required=True, allow_none=True)
    most_hit_points = fields.Integer(required=True, allow_none=True)
    conditions = fields.List(fields.String(), required=True)


class SightFactsSchema(Strict):
    """The line from the asking token to another: a sentence, seen or not, and the distance of the rules."""

    token = identifier(required=True)
    sentence = fields.String(required=True)
    is_seen = fields.Boolean(required=True, allow_none=True)
    distance = fields.String(required=True)


class LogFactsSchema(Strict):
    """A log entry: its number in the seat's view, and its text."""

    seq = whole(0, 2**53, required=True)
    text = fields.String(required=True)


class TableFactsSchema(Strict):
    """The facts of a table at one entry (`seq`) for programs, as the asking seat may know them."""

    seq = whole(0, 2**53, required=True)
    ruleset = fields.String(required=True)
    grid = fields.String(required=True)
    columns = fields.Integer(required=True)
    rows = fields.Integer(required=True)
    round = fields.Integer(required=True)
    turn_sides = fields.List(identifier(), required=True)
    turn_token = fields.String(required=True)
    is_over = fields.Boolean(required=True)
    tokens = fields.List(fields.Nested(TokenFactsSchema), required=True)
    sight = fields.List(fields.Nested(SightFactsSchema), required=True)
    log = fields.List(fields.Nested(LogFactsSchema), required=True)


class PathSchema(Strict):
    """The cost of a path at one entry (`seq`): of each leg, and the ruling on the whole.

    A leg is the way to a waypoint from the one before it. Its cost is null where no path leads.
    """

    token = identifier(required=True)
    seq = whole(0, 2**53, required=True)
    costs = fields.List(fields.Integer(allow_none=True), required=True)
    ruling = fields.Nested(RulingSchema, required=True)


class MatchupColumnSchema(Strict):
    """A number of a matchup: a chance, or the mean of an amount; of the miniature itself, or its opponent."""

    label = fields.String(required=True)
    is_own = fields.Boolean(required=True)
    is_amount = fields.Boolean(required=True)


class MatchupRowSchema(Strict):
    """The numbers against one likely answer, as (numerator, denominator), in the order of the columns."""

    label = fields.String(required=True)
    values = fields.List(fields.Tuple((fields.Integer(), fields.Integer())), required=True)
    exact = fields.Boolean(required=True)


class MatchupOpponentSchema(Strict):
    """The rows against one opponent."""

    token = identifier(required=True)
    name = fields.String(required=True)
    rows = fields.List(fields.Nested(MatchupRowSchema), required=True)


class MatchupsSchema(Strict):
    """The numbers of a miniature's answers against each likely answer of each opponent."""

    token = identifier(required=True)
    columns = fields.List(fields.Nested(MatchupColumnSchema), required=True)
    opponents = fields.List(fields.Nested(MatchupOpponentSchema), required=True)


def run() -> fields.Tuple:
    """Return the field of a run of cells: [row, first column, last column]."""
    return fields.Tuple((fields.Integer(), fields.Integer(), fields.Integer()))
