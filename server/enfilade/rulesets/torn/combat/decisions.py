"""The best choice at each point of an attack: the defaults of automatic sides and of the odds.

The value of an attack is counted for the attacker: the expected wounds of the defender, minus the expected
wounds of the attacker. The attacker maximizes it, the defender minimizes it, and both assume that all later
choices are made so. Values are integers, scaled by 6 for each die that is still to roll.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from enfilade.rulesets.torn.combat.rerolls import (
    KEEP,
    AttackRerolls,
    AttackRoll,
    DefenseRerolls,
    attack_states,
    defense_rerolls,
    defense_states,
    getter,
    rerolled_dice,
)
from enfilade.rulesets.torn.dice import (
    BLANK,
    CRITICAL,
    SIDES,
    AttackSpec,
    Blocks,
    Hits,
    compare_rolls,
    roll_distribution,
)
from enfilade.time_budget import checkpoint

SuccessRerolls = tuple[tuple[tuple[int, int], int], ...]
"""Successes to reroll for each (successes, Agility) once no blank is left; states with none are left out."""


@lru_cache(maxsize=1024)
def attack_value(spec: AttackSpec) -> AttackValue:
    """Return the values of an attack's choices; one object for all attacks that differ in no value."""
    return _value_of(without_sides(spec))


@lru_cache(maxsize=256)
def _value_of(spec: AttackSpec) -> AttackValue:
    return AttackValue(spec)


def without_sides(spec: AttackSpec) -> AttackSpec:
    """Return an attack without what does not change its values."""
    attack, skill = spec.pool.attack, spec.pool.skill
    most = spec.damage * (attack + min(attack, skill))
    most_returned = spec.return_damage * spec.shield.defense
    return spec._replace(
        attacker_side="",
        defender_side="",
        defender_wounds=min(spec.defender_wounds, most),
        attacker_wounds=min(spec.attacker_wounds, most_returned),
        keeps_blanks=False,
    )


def expects_gain(spec: AttackSpec) -> bool:
    """Return whether the `expected_value` of an attack is above 0."""
    dice, can_hit = spec.dice, spec.pool.attack and set(spec.dice.attack.faces) != {BLANK}
    can_fail = BLANK in dice.defense.faces and BLANK in dice.agility.faces
    if can_hit and can_fail and spec.damage and spec.defender_wounds and not spec.return_damage:
        return True  # with any choices some rolls wound the defender, and none wounds the attacker
    return expected_value(spec) > 0


def expected_value(spec: AttackSpec) -> Fraction:
    """Return the expected wounds dealt by an attack, minus the expected wounds returned."""
    # Specs that differ in what cannot matter are one, because a reaction asks for its value each time.
    return _expected(without_sides(spec)._replace(is_on_ally=False))


@lru_cache(maxsize=4096)
def _expected(spec: AttackSpec) -> Fraction:
    """Return the expected value of a spec; cached."""
    return _value_of(spec).expected()


class AttackValue:
    """The value of one attack at each point of it, computed on demand."""

    def __init__(self, spec: AttackSpec) -> None:
        self.spec = spec
        self._after_defense: dict[Hits, int] = {}
        self._attack_rerolls: dict[tuple[int, int], AttackRerolls] = {}
        self._rerolls_of_one: AttackRerolls | None = None
        self._defends: dict[Hits, int] = {}
        self._success_rerolls: dict[Hits, SuccessRerolls] = {}
        self._evades: dict[Hits, bool] = {}
        self._low_visibility: dict[Hits, int] = {}
        self._rerolls: DefenseRerolls = defense_rerolls(spec.dice.defense, *spec.shield)
        index, rolls = self._rerolls.index, roll_distribution(spec.dice.defense, spec.shield.defense)
        self._damages: dict[int, Sequence[int]] = {}
        strike, limit = spec.return_damage, spec.attacker_wounds
        self._returned = [min(strike * criticals, limit) for criticals in range(spec.shield.defense + 1)]
        weights = {index[counts]: weight for counts, weight in rolls}
        self._weights = [weights.get(state, 0) for state in range(len(index))]

    @property
    def scale(self) -> int:
        """Return the scale of `after_defense`."""
        shield = self.spec.shield
        return int(SIDES ** (shield.defense + 2 * shield.agility))

    # The defender's choices

    def criticals_to_cancel(self, hits: Hits, blocks: Blocks) -> int:
        """Return how many defense criticals to put on criticals; on a tie more, which avoids markers."""
        limit = min(blocks.criticals, hits.criticals)
        return min(range(limit + 1), key=lambda count: (self._balance(hits, blocks, count), -count))

    def _balance(self, hits: Hits, blocks: Blocks, on_criticals: int) -> int:
        result = compare_rolls(self.spec, hits, blocks, on_criticals)
        return result.dealt - result.returned

    def success_rerolls(self, hits: Hits) -> SuccessRerolls:
        """Return the states in which the defender rerolls successes for criticals."""
        if not self.spec.shield.agility:
            return ()
        if hits not in self._success_rerolls:
            self._find_best([hits])
        return self._success_rerolls[hits]

    def _find_best(self, attacks: Sequence[Hits]) -> None:
        """Find the best defense against some results of an attack roll, all at once."""
        if not attacks:
            return
        kept = list(zip(*map(self._least_balances, attacks), strict=True))
        without_blanks = [(i, s) for i, (s, _, b) in enumerate(self._rerolls.states) if not b]
        for hits, best in zip(attacks, self._rerolls.minimize_all(kept), strict=True):
            self._defends[hits] = self._value_of_defense(best.values)
            self._success_rerolls[hits] = tuple(
                [
                    ((s, agility), int(answers[i].split()[1]))
                    for agility, answers in enumerate(best.answers[1:], 1)
                    for i, s in without_blanks
                    if answers[i] != KEEP
                ]
            )

    def _value_of_defense(self, values: Sequence[Sequence[int]]) -> int:
        """Return the value before the defense roll, from the values of its states for each Agility."""
        dice, shield, value = self.spec.dice, self.spec.shield, 0
        for (tokens, _, _), chance in roll_distribution(dice.agility, shield.agility):
            of_level = sum(map(mul, self._weights, values[tokens]))
            value += of_level * chance * SIDES ** (shield.agility - tokens)
        return value

    def _least_balances(self, hits: Hits) -> Sequence[int]:
        """Return the least balance of each state of a defense roll: the best use of its criticals.

        The formula is that of `compare_rolls`, which would cost a call for each use.
        """
        checkpoint()
        shield, is_strike = self.spec.shield, self.spec.return_damage > 0
        uses = uses_of_criticals(hits.successes, hits.criticals, shield.defense, is_strike)
        dealt, returned = self._dealt(hits), self._returned
        least = [min([dealt[left] - returned[back] for left, back in use]) for use in uses.kinds]
        return uses.by_state(least)

    def _dealt(self, hits: Hits) -> Sequence[int]:
        """Return the wounds for each number of attack dice that a defense leaves of a roll, or more dice."""
        skill, most = hits.skill, max(self.spec.pool.attack, hits.successes + hits.criticals)
        known = self._damages.get(skill, ())
        if len(known) <= most:
            damage, limit = self.spec.damage, self.spec.defender_wounds
            known = [min(damage * (left + min(skill, left)), limit) for left in range(most + 1)]
            self._damages[skill] = known
        return known

    def is_evade_better(self, hits: Hits) -> bool:
        """Return whether the defender loses less with the Agility dice alone (TRN-082)."""
        known = self._evades.get(hits)
        if known is None:
            known = self._evades[hits] = self._evade_value(hits) < self._defend_value(hits)
        return known

    def after_defense(self, hits: Hits) -> int:
        """Return the value of an attack roll against the best defense."""
        known = self._after_defense.get(hits)
        if known is None:
            known = self._evade_value(hits)
            if not self.spec.must_evade:
                known = min(known, self._defend_value(hits))
            self._after_defense[hits] = known
        return known

    def _defend_value(self, hits: Hits) -> int:
        if hits not in self._defends:
            self._find_best([hits])
        return self._defends[hits]

    def _evade_value(self, hits: Hits) -> int:
        shield = self.spec.shield
        rolls, (successes, criticals, _) = roll_distribution(self.spec.dice.agility, shield.agility), hits
        # The formula is that of `compare_evade`, which would cost a call for each.
        dealt = self._dealt(hits)
        of_rolls = [weight * dealt[max(0, successes - s) + criticals] for (s, _, _), weight in rolls]
        return sum(of_rolls) * int(SIDES ** (shield.defense + shield.agility))

    # The attacker's choices

    def expected(self) -> Fraction:
        """Return the value of the attack before its first roll."""
        dice, pool = self.spec.dice, self.spec.pool
        rerolls, value = self._rerolls_of(pool.attack, pool.skill), 0
        for (tokens, _, _), of_agility in roll_distribution(dice.agility, pool.agility):
            scale = of_agility * SIDES ** (pool.agility - tokens)
            for (skill, _, _), of_skill in roll_distribution(dice.skill, pool.skill):
                best = rerolls.values[tokens][skill]
                of_attack = (
                    weight * best[rerolls.index[s, c]]
                    for (s, c, _), weight in roll_distribution(dice.attack, pool.attack)
                )
                value += scale * of_skill * sum(of_attack)
        scale = self.scale * SIDES ** (sum(pool) + pool.agility)
        return Fraction(value, scale * SIDES**pool.attack if self.spec.rerolled_faces else scale)

    def best_reroll(self, roll: AttackRoll) -> str:
        """Return the answer with the best attack dice to reroll next; none against an ally."""
        if self.spec.is_on_ally:
            return KEEP
        attack, skill = roll.successes + roll.criticals + roll.blanks, roll.skill + roll.skill_blanks
        # At the table one roll is made, whose rerolls lead to few others; the odds ask about all rolls.
        if (attack, skill) not in self._attack_rerolls:
            of_one = self._rerolls_of_one
            if of_one is None:
                of_one = self._rerolls_of_one = self._rerolls_from(roll, attack, skill)
            if (of_one.attack, of_one.skill) == (attack, skill) and of_one.covers(roll):
                return of_one.answer(roll)
        return self._rerolls_of(attack, skill, roll.agility).answer(roll)

    def _rerolls_from(self, roll: AttackRoll, attack: int, skill: int) -> AttackRerolls:
        """Return the best rerolls of one roll, and of all that they lead to."""
        reached = {
            Hits(*state, of_skill)
            for state in attack_states(attack)
            for of_skill in range(roll.skill, skill + 1)
            if rerolled_dice(roll, *state, of_skill) <= roll.agility
        }
        self._find_all(sorted(reached))
        kept = [
            [
                self._after_low_visibility(hits) if hits in reached else 0
                for hits in (Hits(*state, of_skill) for state in attack_states(attack))
            ]
            for of_skill in range(skill + 1)
        ]
        rerolls = AttackRerolls(self.spec.dice, attack, skill, kept, roll)
        rerolls.require(roll.agility)
        return rerolls

    def _rerolls_of(self, attack: int, skill: int, agility: int = 0) -> AttackRerolls:
        """Return the best rerolls of so many dice, with at least so much Agility."""
        known = self._attack_rerolls.get((attack, skill))
        if known is None:
            states = attack_states(attack)
            self._find_all([Hits(*state, of_skill) for state in states for of_skill in range(skill + 1)])
            kept = [
                [self._after_low_visibility(Hits(*state, of_skill)) for state in states]
                for of_skill in range(skill + 1)
            ]
            known = self._attack_rerolls[attack, skill] = AttackRerolls(self.spec.dice, attack, skill, kept)
        known.require(max(agility, self.spec.pool.agility))
        return known

    def _find_all(self, attacks: Sequence[Hits]) -> None:
        """Find the best rerolls against all these attacks, and those that low visibility makes of them."""
        if not self.spec.must_evade:
            self._find_best([hits for hits in attacks if hits not in self._defends])

    def _after_low_visibility(self, hits: Hits) -> int:
        if not self.spec.rerolled_faces:
            return self.after_defense(hits)
        known = self._low_visibility.get(hits)
        if known is None:
            count, kept = low_visibility_reroll(self.spec, hits)
            scale = SIDES ** (self.spec.pool.attack - count)
            rolls = roll_distribution(self.spec.dice.attack, count)
            known = self._low_visibility[hits] = sum(
                weight * scale * self.after_defense(Hits(kept.successes + s, kept.criticals + c, hits.skill))
                for (s, c, _), weight in rolls
            )
        return known


Use = tuple[tuple[int, int], ...]
"""The ways to use a defense's criticals that may be best: the dice left, and the strikes back, of each."""


class Uses(NamedTuple):
    """The uses of criticals in each state of a defense roll.

    `kinds` has the different ones. `by_state` gives each state of `defense_states` its item of a list that
    has one for each of the kinds.
    """

    kinds: Sequence[Use]
    by_state: Callable[[Sequence[int]], Sequence[int]]


@lru_cache(maxsize=1_024)
def uses_of_criticals(successes: int, hit_criticals: int, defense: int, is_strike: bool) -> Uses:
    """Return the uses of criticals of each defense roll against some hits.

    `is_strike` tells whether a critical that cancels no critical strikes back.
    """
    states = defense_states(defense)
    uses = [_uses(successes, hit_criticals, blocks, criticals, is_strike) for blocks, criticals, _ in states]
    places = {use: place for place, use in enumerate(dict.fromkeys(uses))}
    return Uses(list(places), getter([places[use] for use in uses]))


def _uses(successes: int, hit_criticals: int, blocks: int, criticals: int, is_strike: bool) -> Use:
    most = min(criticals, hit_criticals)
    # Without a strike back, each critical that cancels a critical is best. With one, as many as there are
    # more blocks than successes: a further one would leave no die less, and strike once less.
    first = 0 if is_strike else most
    last = max(first, min(most, blocks + criticals - successes)) if is_strike else most
    return tuple(
        [
            (
                max(0, successes - blocks - criticals + cancels) + hit_criticals - cancels,
                criticals - cancels if is_strike else 0,
            )
            for cancels in range(first, last + 1)
        ]
    )


def low_visibility_reroll(spec: AttackSpec, hits: Hits) -> tuple[int, Hits]:
    """Return the number of attack dice that low visibility rerolls, and the rest (TRN-043)."""
    if CRITICAL in spec.rerolled_faces:
        return hits.successes + hits.criticals, Hits(0, 0, hits.skill)
    return hits.successes, Hits(0, hits.criticals, hits.skill)
