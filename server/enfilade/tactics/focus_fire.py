"""Focus fire: the exact chance that some attackers in order bring a target down, and the best order.

Each attacker counts as ready and makes one attack: the one with the highest expected damage on the target as
it stands, or if that has become impossible, the best of the others. The target is followed through all its
states: hit points, conditions, and where a push leaves it. What an attack does to others, such as a
counterattack, is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from enfilade.rules.odds import odds
from enfilade.rules.outlook import with_token
from enfilade.rules.procedures import Act, Change, Procedure, Settled, Step, Steps
from enfilade.rules.ruleset import Ruleset
from enfilade.scene.model import Scene, Token, Value
from enfilade.tactics.advice import attack_label
from enfilade.tactics.expected_damage import DamageTable, attacks
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
        chance=to_chance(plan.down_in(states)),
        left=plan.remainders(states),
        used=used.limit_denominator(10**9).as_integer_ratio(),
        exact=plan.is_exact,
        best=best,
        best_chance=to_chance(plan.down_in(best_states)),
        best_used=best_used.limit_denominator(10**9).as_integer_ratio(),
    )


States = dict[bytes, Fraction]
"""The states of the target, each a token as JSON, with their probabilities."""

FloatStates = dict[bytes, float]
FloatShares = tuple[tuple[bytes, float], ...]


class _Plan:
    """The attacks on one target; equal states of it are worked out once for each attacker."""

    def __init__(self, ruleset: Ruleset, scene: Scene, target: str, attackers: Sequence[str]) -> None:
        self._ruleset, self._target = ruleset, target
        self._start = msgspec.json.encode(scene.token(target))
        self._ready = {one: ruleset.outlook.ready(scene, (one,)) for one in attackers}
        self._damage = DamageTable(ruleset)
        self._known: dict[tuple[str, bytes], tuple[Act | None, tuple[tuple[bytes, Fraction], ...]]] = {}
        self._floats: dict[tuple[str, bytes], FloatShares] = {}
        self._down: dict[bytes, bool] = {}
        self.is_exact = True

    def follow(self, order: Sequence[str]) -> tuple[list[FocusStep], States, Fraction]:
        """Return each step of an order, the states after it, and the mean number of attackers used."""
        states: States = {self._start: Fraction(1)}
        steps, used = [], Fraction(0)
        for one in order:
            checkpoint()
            used += 1 - self.down_in(states)
            act = self._attack(one, self._start)[0]
            states = self._after(one, states)
            label = attack_label(self._ruleset, act) if act else ""
            steps.append(FocusStep(token=one, act=act, label=label, chance=to_chance(self.down_in(states))))
        return steps, states, used

    def best_order(self, attackers: Sequence[str]) -> tuple[str, ...]:
        """Return the order with the highest chance, then the fewest attackers used; the first of equals.

        Orders that begin alike share the states after their beginnings.
        """
        found: list[tuple[tuple[float, float], tuple[str, ...]]] = []

        def go_on(order: tuple[str, ...], left: Sequence[str], states: FloatStates, used: float) -> None:
            checkpoint()
            up = sum(chance for state, chance in states.items() if not self.is_down(state))
            if not left:
                down = sum(chance for state, chance in states.items() if self.is_down(state))
                found.append(((round(down, 12), -round(used, 12)), order))
            for one in left:
                rest = [other for other in left if other != one]
                go_on((*order, one), rest, self._float_after(one, states), used + up)

        go_on((), attackers, {self._start: 1.0}, 0.0)
        return max(found, key=lambda one: one[0])[1]

    def _float_after(self, one: str, states: FloatStates) -> FloatStates:
        after: FloatStates = {}
        for state, chance in states.items():
            for then, share in self._float_attack(one, state):
                after[then] = after.get(then, 0.0) + chance * share
        return after

    def _float_attack(self, one: str, state: bytes) -> FloatShares:
        """Return the states after an attack; a fraction is as slow to turn into a float as to add."""
        known = self._floats.get((one, state))
        if known is None:
            shares = self._attack(one, state)[1]
            known = self._floats[one, state] = tuple([(then, float(share)) for then, share in shares])
        return known

    def down_in(self, states: States) -> Fraction:
        """Return the probability that the target is down."""
        return sum((chance for state, chance in states.items() if self.is_down(state)), Fraction(0))

    def remainders(self, states: States) -> tuple[Remainder, ...]:
        """Return the hit points that are left where the target is not down, the most first."""
        found: dict[int | None, Fraction] = {}
        for state, chance in states.items():
            if not self.is_down(state):
                points = self._hit_points(_token_of(state))
                found[points] = found.get(points, Fraction(0)) + chance
        ordered = sorted(found.items(), key=lambda item: -(item[0] or 0))
        return tuple(Remainder(points, to_chance(chance)) for points, chance in ordered)

    def is_down(self, state: bytes) -> bool:
        """Return whether the target is down in a state."""
        known = self._down.get(state)
        if known is None:
            token = _token_of(state)
            points = self._hit_points(token)
            is_gone = token.at is None or any(token.has(name) for name in self._ruleset.outlook.down)
            known = self._down[state] = is_gone or (points is not None and points <= 0)
        return known

    def _hit_points(self, token: Token) -> int | None:
        bar = self._ruleset.bar(token)
        return token.track(bar.track, bar.most) if bar else None

    def _after(self, one: str, states: States) -> States:
        after: States = {}
        for state, chance in states.items():
            for then, share in self._attack(one, state)[1]:
                after[then] = after.get(then, Fraction(0)) + chance * share
        return after

    def _attack(self, one: str, state: bytes) -> tuple[Act | None, tuple[tuple[bytes, Fraction], ...]]:
        """Return the best attack of an attacker on a state of the target, and the states after it."""
        known = self._known.get((one, state))
        if known is None:
            known = self._known[one, state] = self._work_out(one, state)
        return known

    def _work_out(self, one: str, state: bytes) -> tuple[Act | None, tuple[tuple[bytes, Fraction], ...]]:
        unchanged = ((state, Fraction(1)),)
        if self.is_down(state):
            return None, unchanged
        target = _token_of(state)
        scene = with_token(self._ready[one], target)
        act = self._choose(one, state, scene, target)
        if act is None:
            return None, unchanged
        found = odds(scene, _target_after, (self._ruleset.acts[act.kind].procedure, act))
        self.is_exact &= found.is_exact
        return act, tuple(found.chances.items())

    def _choose(self, one: str, state: bytes, scene: Scene, target: Token) -> Act | None:
        """Return the attack on a state of the target: that on the first state if it is still legal."""
        first = None if state == self._start else self._attack(one, self._start)[0]
        if first in attacks(self._ruleset, scene, scene.token(one), target):
            return first
        strike = self._damage.best(scene, scene.token(one), target)
        return strike.act if strike else None


def _token_of(state: bytes) -> Token:
    return msgspec.json.decode(state, type=Token)


def _target_after(scene: Scene, procedure: Procedure, act: Act) -> Steps:
    """Run an act to its end; return the state of its target."""
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
