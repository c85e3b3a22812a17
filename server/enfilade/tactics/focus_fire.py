"""Focus fire: the exact chance that some attackers in order bring a target down, and the best order.

Each attacker counts as ready and makes one attack: the one with the highest expected damage on the target as
it stands, or if that has become impossible, the best of the others. The target is followed through all its
states: hit points, conditions, and where a push leaves it. What an attack does to others, such as a
counterattack, is not.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
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
from enfilade.rules.procedures import Act, Call, Change, Procedure, Settled, Step, Steps
from enfilade.rules.resolve import refusal
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Scene, Token, Value
from enfilade.tactics.advice import attack_label
from enfilade.tactics.expected_damage import DamageTable
from enfilade.tactics.previews import Chance, to_chance
from enfilade.time_budget import checkpoint

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
    steps, states, used = plan.follow(attackers)
    _, best_states, best_used = plan.follow(best)
    return FocusFire(
        target=target,
        seq=seq,
        steps=tuple(steps),
        chance=to_chance(states.get(DOWN, Fraction(0))),
        left=plan.remainders(states),
        used=used.limit_denominator(10**9).as_integer_ratio(),
        exact=plan.is_exact,
        best=best,
        best_chance=to_chance(best_states.get(DOWN, Fraction(0))),
        best_used=best_used.limit_denominator(10**9).as_integer_ratio(),
    )


DOWN = 0
"""The number of all states in which the target is down: they are one, because no one attacks it any more."""

States = dict[int, int]
"""The states of the target by number, each with its weight."""


class _Row(NamedTuple):
    """An attacker's act on a state of the target, and the states after it with their weights.

    `states` and `shares` are the same in two columns, the weights as parts of 1.
    """

    act: Act | None
    weights: tuple[tuple[int, int], ...]
    total: int
    states: tuple[int, ...]
    shares: tuple[float, ...]


class _Plan:
    """The attacks on one target; equal states of it have one number, and one row for each attacker."""

    def __init__(self, ruleset: Ruleset, scene: Scene, target: str, attackers: Sequence[str]) -> None:
        self._ruleset, self._outlook = ruleset, ruleset.outlook
        self._ready = {one: ruleset.outlook.ready(scene, (one,)) for one in attackers}
        self._damage = DamageTable(ruleset)
        self._targets = [scene.token(target)]  # that of `DOWN` is not asked for
        self._numbers: dict[bytes, int] = {}
        self._postures: dict[int, bytes] = {}
        self._rows: dict[tuple[str, int], _Row] = {}
        self._is_legal: dict[tuple[str, bytes], bool] = {}
        self._effects: dict[tuple[str, bytes, Act], TargetEffect | None] = {}
        self._results: dict[tuple[Any, ...], Weighed] = {}
        self._weighed_after: dict[tuple[Any, ...], Weighed] = {}
        self._marked: dict[tuple[Any, bytes], dict[Hashable, int]] = {}
        self.is_exact = True
        self._start = self._number(scene.token(target))

    def follow(self, order: Sequence[str]) -> tuple[list[FocusStep], dict[int, Fraction], Fraction]:
        """Return each step of an order, the states after it, and the mean number of attackers used."""
        states: States = {self._start: 1}
        total, steps, used = 1, [], Fraction(0)
        for one in order:
            checkpoint()
            used += 1 - Fraction(states.get(DOWN, 0), total)
            act = self.row(one, self._start).act
            states, total = self._after(one, states, total)
            label = attack_label(self._ruleset, act) if act else ""
            chance = to_chance(Fraction(states.get(DOWN, 0), total))
            steps.append(FocusStep(token=one, act=act, label=label, chance=chance))
        return steps, {state: Fraction(weight, total) for state, weight in states.items()}, used

    def _after(self, one: str, states: States, total: int) -> tuple[States, int]:
        rows = {state: self.row(one, state) for state in states}
        common = lcm(*(row.total for row in rows.values()))
        after: States = {}
        for state, weight in states.items():
            row = rows[state]
            times = weight * (common // row.total)
            for then, share in row.weights:
                after[then] = after.get(then, 0) + times * share
        return after, total * common

    def best_order(self, attackers: Sequence[str]) -> tuple[str, ...]:
        """Return the order with the highest chance, then the fewest attackers used; the first of equals."""
        orders = self._unlike_orders(attackers)
        likeliest = self._with_highest(orders, if_down=1.0, each_attack=0.0)
        return self._with_highest(likeliest, if_down=0.0, each_attack=-1.0)[0]

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
            effects = tuple([(row.weights, row.total) for row in rows])
            kinds[one] = numbers.setdefault(effects, len(numbers))
        return kinds

    def _with_highest(
        self, orders: Sequence[tuple[str, ...]], if_down: float, each_attack: float
    ) -> Sequence[tuple[str, ...]]:
        """Return the orders with the highest value; those that end alike share the values of their ends."""
        known: dict[tuple[str, ...], _Values] = {}

        def values_of(order: tuple[str, ...]) -> _Values:
            if order not in known:
                checkpoint()
                later = values_of(order[1:]) if order else None
                known[order] = _Values(self, order, later, if_down, each_attack)
            return known[order]

        values = [round(values_of(order)[self._start], 12) for order in orders]
        best = max(values)
        return [order for order, value in zip(orders, values, strict=True) if value == best]

    def remainders(self, states: dict[int, Fraction]) -> tuple[Remainder, ...]:
        """Return the hit points that are left where the target is not down, the most first."""
        found: dict[int | None, Fraction] = {}
        for state, chance in states.items():
            if state != DOWN:
                points = self._hit_points(self._targets[state])
                found[points] = found.get(points, Fraction(0)) + chance
        ordered = sorted(found.items(), key=lambda item: -(item[0] or 0))
        return tuple(Remainder(points, to_chance(chance)) for points, chance in ordered)

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
        """Return the best attack of an attacker on a state of the target, and the states after it."""
        known = self._rows.get((one, state))
        if known is None:
            checkpoint()
            act, (weights, total) = self._work_out(one, state)
            states, numbers = zip(*weights, strict=True)
            shares = tuple([number / total for number in numbers])
            known = self._rows[one, state] = _Row(act, weights, total, states, shares)
        return known

    def _work_out(self, one: str, state: int) -> tuple[Act | None, Weighed]:
        unchanged: Weighed = (((state, 1),), 1)
        if state == DOWN:
            return None, unchanged
        posture, act = self._posture(state), self._choose(one, state)
        if act is None:
            return None, unchanged
        asked = (one, posture, act)
        if asked not in self._effects:
            self._effects[asked] = self._outlook.on_target(self._scene(one, state), act)
        effect = self._effects[asked]
        if effect is not None:
            return act, self._after_effect(self._ready[one], effect, state)
        procedure = self._ruleset.acts[act.kind].procedure
        results, total = self._weigh(odds(self._scene(one, state), target_after, (procedure, act)))
        return act, _merged(((self._number(_token_of(then)), weight) for then, weight in results), total)

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

    def _choose(self, one: str, state: int) -> Act | None:
        """Return the attack on a state of the target: that on the first state if it is still legal."""
        if state != self._start:
            first = self.row(one, self._start).act
            asked = (one, self._posture(state))
            if asked not in self._is_legal:
                self._is_legal[asked] = first is not None and self._refusal(one, state, first) is None
            if self._is_legal[asked]:
                return first
        scene = self._scene(one, state)
        strike = self._damage.best(scene, scene.token(one), self._targets[state])
        return strike.act if strike else None

    def _refusal(self, one: str, state: int, act: Act) -> IllegalAct | None:
        return refusal(self._scene(one, state), self._ruleset.acts[act.kind].procedure, act)

    def _results_of(self, scene: Scene, call: Call) -> Weighed:
        key = (call.procedure, call.arguments, call.read)
        if key not in self._results:
            self._results[key] = self._weigh(odds(scene, _result_of, (call,)))
        return self._results[key]

    def _after_effect(self, scene: Scene, effect: TargetEffect, state: int) -> Weighed:
        """Return the states after an attack of which the effect on the target is known."""
        target = self._targets[state]
        call = effect.call(target)
        asked = (state, effect.after, call.procedure, call.arguments, call.read)
        known = self._weighed_after.get(asked)
        if known is not None:
            return known
        mark = effect.marks(target) if effect.marks else None
        marked = self._marked.setdefault((effect.after, self._posture(state)), {})
        results, total = self._results_of(scene, call)
        weights: States = {}
        for result, weight in results:
            key = mark(result) if mark else (state, result)
            then = marked.get(key)
            if then is None:
                then = marked[key] = self._number(effect.after(scene, target, result))
            weights[then] = weights.get(then, 0) + weight
        found = self._weighed_after[asked] = tuple(weights.items()), total
        return found

    def _weigh(self, found: Odds) -> Weighed:
        self.is_exact &= found.is_exact
        total = lcm(*(chance.denominator for chance in found.chances.values()))
        weights = ((one, int(chance * total)) for one, chance in found.chances.items())
        return tuple(weights), total


class _Values(dict[int, float]):
    """The value of some attackers in order by the state of the target before them, worked out when asked.

    It is `if_down` if the target is down, and `each_attack` for each attacker that finds it up.
    """

    def __init__(
        self, plan: _Plan, order: tuple[str, ...], later: _Values | None, if_down: float, each_attack: float
    ) -> None:
        """`later` has the values after the first attacker; it is None without attackers."""
        super().__init__({DOWN: if_down})
        self._plan, self._order, self._later, self._each_attack = plan, order, later, each_attack

    def __missing__(self, state: int) -> float:
        """Return the value of a state: the mean of those after the first attacker."""
        later, value = self._later, 0.0
        if later is not None:
            row = self._plan.row(self._order[0], state)
            value = self._each_attack + sum(map(mul, row.shares, map(later.__getitem__, row.states)))
        self[state] = value
        return value


def _merged(weights: Iterable[tuple[int, int]], total: int) -> Weighed:
    """Return weights with those of equal states added up."""
    found: States = {}
    for state, weight in weights:
        found[state] = found.get(state, 0) + weight
    return tuple(found.items()), total


def _token_of(state: bytes) -> Token:
    return msgspec.json.decode(state, type=Token)


def _result_of(scene: Scene, call: Call) -> Steps:
    del scene
    return (yield call)


def target_after(scene: Scene, procedure: Procedure, act: Act) -> Steps:
    """Run an act to its end; return its target as JSON."""
    steps, answer = procedure(scene, act), None
    try:
        while True:
            request: Any = steps.send(answer)
            if isinstance(request, Settled):
                answer = None  # the aftermath may hurt the target too
                continue
            answer = yield request
            if isinstance(request, Change | Step) and answer is not None:
                scene = answer
    except StopIteration:
        return msgspec.json.encode(scene.token(act.target))
