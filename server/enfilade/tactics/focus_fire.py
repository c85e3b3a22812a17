"""Focus fire: the exact chance that some attackers in order bring a target down, and the best order.

Each attacker counts as ready and makes one attack: the one with the highest expected damage on the target as
it stands, or if that has become impossible, the best of the others. The target is followed through all its
states: hit points, conditions, and where a push leaves it. What an attack does to others, such as a
counterattack, is not.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import permutations
from math import lcm
from operator import mul
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.rules.odds import Odds, Weighed, odds
from enfilade.rules.outlook import TargetEffect, with_token
from enfilade.rules.procedures import Act, Change, Each, Procedure, Rest, Settled, Step, Steps
from enfilade.rules.resolve import refusal
from enfilade.rules.ruleset import Ruleset
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Token, Value
from enfilade.tactics.advice import attack_label
from enfilade.tactics.expected_damage import DamageTable, result_of
from enfilade.tactics.previews import Chance, to_chance

MAX_ATTACKERS = 6
"""The most attackers: the best order is sought among all."""


class FocusStep(Value, frozen=True, kw_only=True):
    """An attacker's part: its attack on the unhurt target, and the chance that the target is down after it.

    `act` is None if it cannot attack the target as that stands now.
    """

    token: str
    act: Act | None
    label: str
    chance: Chance


class Remainder(Value, frozen=True):
    """The hit points that the target may have left, and the chance of that; None without hit points."""

    hit_points: int | None
    chance: Chance


class FocusFire(Value, frozen=True, kw_only=True):
    """The result of some attackers in order on a target at one entry of a table (`seq`).

    `chance` is the chance that it is down in the end, `left` its hit points if it is not, `used` the mean
    number of attackers that it takes. `best` is the order with the highest chance, and among equals the one
    that takes the fewest attackers.
    """

    target: str
    seq: int
    steps: tuple[FocusStep, ...]
    chance: Chance
    left: tuple[Remainder, ...]
    used: Chance
    exact: bool
    best: tuple[str, ...]
    best_chance: Chance
    best_used: Chance


def focus_fire(ruleset: Ruleset, scene: Scene, target: str, attackers: Sequence[str], seq: int) -> FocusFire:
    """Return what attackers in order do to a target in a seat's view of the scene. Raises NotFound."""
    plan = _Plan(ruleset, scene, target, attackers)
    best = plan.best_order(attackers)
    steps, end = plan.follow(attackers)
    _, best_end = plan.follow(best)
    return FocusFire(
        target=target,
        seq=seq,
        steps=tuple(steps),
        chance=to_chance(end.chance),
        left=plan.remainders(end),
        used=end.used.limit_denominator(10**9).as_integer_ratio(),
        exact=plan.is_exact,
        best=best,
        best_chance=to_chance(best_end.chance),
        best_used=best_end.used.limit_denominator(10**9).as_integer_ratio(),
    )


DOWN = 0
"""The number of all states in which the target is down: they are one, because no one attacks it any more."""

States = dict[int, int]
"""The states of the target by number, each with its weight."""


class _Row(NamedTuple):
    """The states after an attack on a state of the target: their weights, out of a total and out of 1."""

    states: tuple[int, ...]
    weights: tuple[int, ...]
    total: int
    shares: tuple[float, ...]


class _End(NamedTuple):
    """The states after some attackers in order, with weights out of a total, and the mean number used."""

    states: States
    total: int
    used: Fraction

    @property
    def chance(self) -> Fraction:
        """Return the chance that the target is down."""
        return Fraction(self.states.get(DOWN, 0), self.total)


class _Attack(NamedTuple):
    """An attack, and its effect on the target if that is known without the whole procedure."""

    act: Act
    effect: TargetEffect | None


class _Plan:
    """The attacks on one target; equal states of it have one number, and one row for each attacker."""

    def __init__(self, ruleset: Ruleset, scene: Scene, target: str, attackers: Sequence[str]) -> None:
        self._ruleset, self._outlook = ruleset, ruleset.outlook
        self._ready = {one: ruleset.outlook.ready(scene, (one,)) for one in attackers}
        self._damage = DamageTable(ruleset)
        self._targets = [scene.token(target)]  # that of `DOWN` is not asked for
        self._numbers: dict[bytes, int] = {}
        self._postures: dict[int, bytes] = {}
        self._rows: dict[str, dict[int, _Row]] = {one: {} for one in attackers}
        self._again: dict[tuple[str, bytes], _Attack | None] = {}
        self._results: dict[tuple[Any, ...], Weighed] = {}
        self._after_calls: dict[tuple[Any, ...], _Row] = {}
        self._after_results: dict[tuple[Any, int | bytes], dict[Hashable, int]] = {}
        self.is_exact = True
        self._start = self._number(scene.token(target))
        self._first = {one: self._best(one, self._start) for one in attackers}

    def follow(self, order: Sequence[str]) -> tuple[list[FocusStep], _End]:
        """Return each step of an order, and its end."""
        end, steps = _End({self._start: 1}, 1, Fraction(0)), []
        for one in order:
            checkpoint()
            used = end.used + 1 - end.chance
            end = _End(*self._after(one, end.states, end.total), used)
            act = self._first[one]
            label = attack_label(self._ruleset, act) if act else ""
            steps.append(FocusStep(token=one, act=act, label=label, chance=to_chance(end.chance)))
        return steps, end

    def _after(self, one: str, states: States, total: int) -> tuple[States, int]:
        rows = {state: self.row(one, state) for state in states}
        common = lcm(*(row.total for row in rows.values()))
        after: States = {}
        for state, weight in states.items():
            row = rows[state]
            times = weight * (common // row.total)
            for then, share in zip(row.states, row.weights, strict=True):
                after[then] = after.get(then, 0) + times * share
        return after, total * common

    def best_order(self, attackers: Sequence[str]) -> tuple[str, ...]:
        """Return the order with the highest chance, then the fewest attackers used; the first of equals."""
        orders = self._unlike_orders(attackers)
        # `_kinds` has worked out the rows of all attackers, and so knows all states.
        ends = [1 + 0j, *[0j] * (len(self._targets) - 1)]
        known: dict[tuple[str, ...], _Values | list[complex]] = {(): ends}

        def values_of(order: tuple[str, ...]) -> _Values | list[complex]:
            """Return the values of an order by state; those that end alike share the values of their ends."""
            if order not in known:
                checkpoint()
                known[order] = _Values(self._rows[order[0]], values_of(order[1:]))
            return known[order]

        values = [values_of(order)[self._start] for order in orders]
        ranks = [(round(value.real, 12), round(value.imag, 12)) for value in values]
        return orders[ranks.index(max(ranks))]

    def _unlike_orders(self, attackers: Sequence[str]) -> list[tuple[str, ...]]:
        """Return all orders, and of those that differ only in attackers who are alike the first."""
        kinds = self._kinds(attackers)
        orders: dict[tuple[int, ...], tuple[str, ...]] = {}
        for order in permutations(attackers):
            orders.setdefault(tuple([kinds[one] for one in order]), order)
        return list(orders.values())

    def _kinds(self, attackers: Sequence[str]) -> dict[str, int]:
        """Return a number for each attacker, the same for those who are alike.

        They do the same to each state that the target may have before the last attack.
        """
        states, added = {self._start}, {self._start}
        for _ in attackers[1:]:
            found = [self.row(one, state).states for one in attackers for state in added]
            added = set().union(*found) - states
            states |= added
        numbers: dict[tuple[Any, ...], int] = {}
        kinds: dict[str, int] = {}
        for one in attackers:
            rows = [self.row(one, state) for state in states]
            effects = tuple([row[:3] for row in rows])
            kinds[one] = numbers.setdefault(effects, len(numbers))
        return kinds

    def remainders(self, end: _End) -> tuple[Remainder, ...]:
        """Return the hit points that are left where the target is not down, the most first."""
        found: dict[int | None, int] = {}
        for state, weight in end.states.items():
            if state != DOWN:
                points = self._hit_points(self._targets[state])
                found[points] = found.get(points, 0) + weight
        ordered = sorted(found.items(), key=lambda item: -(item[0] or 0))
        return tuple(Remainder(points, to_chance(Fraction(weight, end.total))) for points, weight in ordered)

    # The states of the target

    def _number(self, target: Token | None) -> int:
        if target is None:
            return DOWN
        key = msgspec.json.encode(target)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = DOWN if self._is_down(target) else len(self._targets)
            if number:
                self._targets.append(target)
        return number

    def _is_down(self, target: Token) -> bool:
        points = self._hit_points(target)
        is_gone = target.at is None or any(target.has(name) for name in self._outlook.down)
        return is_gone or (points is not None and points <= 0)

    def _hit_points(self, token: Token) -> int | None:
        bar = self._ruleset.bar(token)
        return token.track(bar.track, bar.most) if bar else None

    # An attack on a state

    def row(self, one: str, state: int) -> _Row:
        """Return the states after an attacker's attack on a state of the target."""
        known = self._rows[one].get(state)
        if known is None:
            checkpoint()
            known = self._rows[one][state] = self._work_out(one, state)
        return known

    def _work_out(self, one: str, state: int) -> _Row:
        attack = self._attack(one, state) if state != DOWN else None
        if attack is None:
            return _row_of({state: 1}, 1)
        if attack.effect is not None:
            return self._after_effect(self._ready[one], attack.effect, state)
        procedure = self._ruleset.acts[attack.act.kind].procedure
        results, total = self._weigh(odds(self._scene(one, state), target_after, (procedure, attack.act)))
        weights: States = {}
        for then, weight in results:
            number = self._number(_token_of(then))
            weights[number] = weights.get(number, 0) + weight
        return _row_of(weights, total)

    def _attack(self, one: str, state: int) -> _Attack | None:
        """Return the attack on a state of the target: that on the first state if it is still legal."""
        asked = (one, self._posture(state))
        if asked not in self._again:
            first = self._first[one]
            is_legal = first is not None and (state == self._start or not self._refusal(one, state, first))
            self._again[asked] = self._with_effect(one, state, first) if is_legal else None
        again = self._again[asked]
        if again is not None or state == self._start:
            return again
        return self._with_effect(one, state, self._best(one, state))

    def _with_effect(self, one: str, state: int, act: Act | None) -> _Attack | None:
        return _Attack(act, self._outlook.on_target(self._scene(one, state), act)) if act else None

    def _best(self, one: str, state: int) -> Act | None:
        """Return the attack with the highest expected damage on a state of the target."""
        if state == DOWN:
            return None
        scene = self._scene(one, state)
        strike = self._damage.best(scene, scene.token(one), self._targets[state])
        return strike.act if strike else None

    def _refusal(self, one: str, state: int, act: Act) -> IllegalAct | None:
        return refusal(self._scene(one, state), self._ruleset.acts[act.kind].procedure, act)

    def _scene(self, one: str, state: int) -> Scene:
        """Return the scene in which an attacker is ready and the target in a state."""
        return with_token(self._ready[one], self._targets[state])

    def _posture(self, state: int) -> bytes:
        """Return the target without the tracks on which the legality of attacks does not depend."""
        known = self._postures.get(state)
        if known is None:
            target, hidden = self._targets[state], self._outlook.damage_tracks
            tracks = {key: value for key, value in target.tracks.items() if key not in hidden}
            known = self._postures[state] = msgspec.json.encode(replace(target, tracks=tracks))
        return known

    def _after_effect(self, scene: Scene, effect: TargetEffect, state: int) -> _Row:
        """Return the states after an attack of which the effect on the target is known."""
        call = effect.call(self._targets[state])
        decides = (call.procedure, call.arguments, call.read)
        asked = (state, effect.after, decides)
        row = self._after_calls.get(asked)
        if row is not None:
            return row
        if decides not in self._results:
            self._results[decides] = self._weigh(odds(scene, result_of, (call,)))
        results, total = self._results[decides]
        target = self._targets[state]
        mark = effect.marks(target) if effect.marks else None
        known = self._after_results.setdefault((effect.after, self._posture(state) if mark else state), {})
        weights: States = {}
        for result, weight in results:
            key = mark(result) if mark else result
            then = known.get(key)
            if then is None:
                then = known[key] = self._number(effect.after(scene, target, result))
            weights[then] = weights.get(then, 0) + weight
        row = self._after_calls[asked] = _row_of(weights, total)
        return row

    def _weigh(self, found: Odds) -> Weighed:
        self.is_exact &= found.is_exact
        total = lcm(*(chance.denominator for chance in found.chances.values()))
        weights = ((one, int(chance * total)) for one, chance in found.chances.items())
        return tuple(weights), total


class _Values(dict[int, complex]):
    """The value of some attackers in order by the state of the target before them, worked out when asked.

    The real part is the chance that the target is down in the end. The imaginary part is the mean number of
    attackers that find it up, below 0. One sum adds up both.
    """

    def __init__(self, rows: dict[int, _Row], later: _Values | list[complex]) -> None:
        """`rows` are those of the first attacker, and `later` has the values after it, both by state."""
        super().__init__({DOWN: 1 + 0j})
        self._rows, self._later = rows, later

    def __missing__(self, state: int) -> complex:
        """Return the value of a state: the mean of those after the first attacker."""
        row = self._rows[state]
        value = sum(map(mul, row.shares, map(self._later.__getitem__, row.states)), -1j)
        self[state] = value
        return value


def _row_of(weights: States, total: int) -> _Row:
    numbers = tuple(weights.values())
    return _Row(tuple(weights), numbers, total, tuple([number / total for number in numbers]))


def _token_of(state: bytes) -> Token:
    return msgspec.json.decode(state, type=Token)


def target_after(scene: Scene, procedure: Procedure, act: Act) -> Steps:
    """Run an act to its end; return its target as JSON."""
    steps, answer = procedure(scene, act), None
    try:
        while True:
            request: Any = steps.send(answer)
            if isinstance(request, Settled):
                answer = None  # the aftermath may hurt the target too
                continue
            if isinstance(request, Rest):  # the act goes on as another procedure, to whose end this runs too
                steps, answer = request.procedure(scene, *request.arguments), None
                continue
            answer = yield request
            if isinstance(request, Each):
                scene = answer[0]
            elif isinstance(request, Change | Step) and answer is not None:
                scene = answer
    except StopIteration:
        return msgspec.json.encode(scene.token(act.target))
