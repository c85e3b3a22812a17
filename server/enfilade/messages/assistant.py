"""Messages of the assistant: decision maps, focus fire, matchups, forecasts, and facts for programs."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from enfilade.messages.commands import ActSchema
from enfilade.messages.fields import Strict, cell, identifier, one_of, whole
from enfilade.messages.overlays import ProvocationSchema


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
    was asked for. `is_whole` is false if it has only some of the cells, those that were asked for or that
    there was time for. `notes` say what the numbers leave out, in sentences.
    """

    token = identifier(required=True)
    seq = whole(0, 2**53, required=True)
    is_next_turn = fields.Boolean(required=True)
    is_whole = fields.Boolean(required=True)
    notes = fields.List(fields.String())
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
