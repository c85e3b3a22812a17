"""The best choice at each point of an attack: the defaults of automatic sides and of the odds.

The value of an attack is counted for the attacker: the expected wounds of the defender, minus the expected
wounds of the attacker. The attacker maximizes it, the defender minimizes it, and both assume that all later
choices are made so. Values are integers, scaled by 6 for each die that is still to roll.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from operator import mul

from enfilade.rules.dice import Die
from enfilade.rulesets.torn.combat.rerolls import (
    KEEP,
    AttackRerolls,
    AttackRoll,
    attack_states,
    reached_states,
)
from enfilade.rulesets.torn.combat.shields import (
    Balances,
    BestDefense,
    SuccessRerolls,
    shield_table,
    uses_of_criticals,
)
from enfilade.rulesets.torn.dice import (
    BLANK,
    CRITICAL,
    SIDES,
    AttackSpec,
    Blocks,
    Counts,
    Hits,
    compare_rolls,
    roll_distribution,
)
from enfilade.runtime.time_budget import checkpoint


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
    )


def expects_gain(spec: AttackSpec) -> bool:
    """Return whether the `expected_value` of an attack is above 0."""
    dice, can_hit = spec.dice, spec.pool.attack and set(spec.dice.attack.faces) != {BLANK}
    can_fail = BLANK in dice.defense.faces and BLANK in dice.agility.faces
    if can_hit and can_fail and spec.damage and spec.defender_wounds and not spec.return_damage:
        return True  # with any choices some rolls wound the defender, and none wounds the attacker
    return _expects_gain(_without_relations(spec))


def expected_value(spec: AttackSpec) -> Fraction:
    """Return the expected wounds dealt by an attack, minus the expected wounds returned."""
    return _expected(_without_relations(spec))


def _without_relations(spec: AttackSpec) -> AttackSpec:
    # Specs that differ in what cannot matter are one, because a reaction asks for its value each time.
    return without_sides(spec)._replace(is_on_ally=False)


@lru_cache(maxsize=4096)
def _expects_gain(spec: AttackSpec) -> bool:
    return _value_of(spec).is_surely_a_gain() or _expected(spec) > 0


@lru_cache(maxsize=4096)
def _expected(spec: AttackSpec) -> Fraction:
    """Return the expected value of a spec; cached."""
    return _value_of(spec).expected()


@lru_cache(maxsize=128)
def _attack_weights(die: Die, attack: int) -> Sequence[int]:
    """Return the weight of each of the `attack_states` in a roll."""
    weights = {(s, c): weight for (s, c, _), weight in roll_distribution(die, attack)}
    return [weights.get(state, 0) for state in attack_states(attack)]


class AttackValue:
    """The value of one attack at each point of it, computed on demand.

    The results of attack rolls are `Hits`, or plain tuples of the same numbers.
    """

    def __init__(self, spec: AttackSpec) -> None:
        self.spec = spec
        self._table = shield_table(spec.dice.defense, spec.dice.agility, spec.shield)
        self._after_defense: dict[Counts, int] = {}
        self._attack_rerolls: dict[tuple[int, int], AttackRerolls] = {}
        self._rerolls_of_one: AttackRerolls | None = None
        self._defenses: dict[Counts, BestDefense] = {}
        self._low_visibility: dict[Counts, int] = {}
        self._damages: dict[int, Sequence[int]] = {}
        strike, limit = spec.return_damage, spec.attacker_wounds
        self._returned = [min(strike * criticals, limit) for criticals in range(spec.shield.defense + 1)]

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
        return self._defense(hits).success_rerolls if self.spec.shield.agility else ()

    def is_evade_better(self, hits: Hits) -> bool:
        """Return whether the defender loses less with the Agility dice alone (TRN-082)."""
        return self._evade_value(hits) < self._defense(hits).value

    def _defense(self, hits: Counts) -> BestDefense:
        if hits not in self._defenses:
            self._find_defenses([hits])
        return self._defenses[hits]

    def _find_defenses(self, attacks: Iterable[Counts]) -> None:
        """Find the best defense against some results of an attack roll, all at once."""
        new = [hits for hits in attacks if hits not in self._defenses]
        if new:
            found = self._table.find([self._balances(hits) for hits in new])
            self._defenses.update(zip(new, found, strict=True))

    def _prepare(self, attacks: Iterable[Counts]) -> None:
        """Find the best defense against all of some results at once, unless the defender must evade them."""
        if not self.spec.must_evade:
            self._find_defenses(attacks)

    def _balances(self, hits: Counts) -> Balances:
        """Return the least balance of each state of a defense roll.

        The formula is that of `compare_rolls`, which would cost a call for each use of the criticals.
        """
        checkpoint()
        successes, criticals, _ = hits
        is_strike = bool(self.spec.return_damage)
        uses = uses_of_criticals(successes, criticals, self.spec.shield.defense, is_strike)
        return uses.balances(self._dealt(hits), self._returned)

    def _dealt(self, hits: Counts) -> Sequence[int]:
        """Return the wounds for each number of attack dice that a defense leaves of a roll, or more dice."""
        successes, criticals, skill = hits
        known = self._damages.get(skill, ())
        if len(known) <= successes + criticals:
            damage, limit = self.spec.damage, self.spec.defender_wounds
            most = max(self.spec.pool.attack, successes + criticals)
            known = [min(damage * (left + min(skill, left)), limit) for left in range(most + 1)]
            self._damages[skill] = known
        return known

    def _evade_value(self, hits: Counts) -> int:
        """Return the value against an Evade. The formula is that of `compare_evade`."""
        successes, criticals, _ = hits
        return self._table.evade(successes, criticals, self._dealt(hits))

    def after_defense(self, hits: Counts) -> int:
        """Return the value of an attack roll against the best defense."""
        known = self._after_defense.get(hits)
        if known is None:
            if self.spec.must_evade:
                known = self._evade_value(hits)
            else:
                known = self._defense(hits).value
                if self.spec.shield.agility:  # else an Evade cancels nothing
                    known = min(known, self._evade_value(hits))
            self._after_defense[hits] = known
        return known

    # The attacker's choices

    def expected(self) -> Fraction:
        """Return the value of the attack before its first roll."""
        dice, pool = self.spec.dice, self.spec.pool
        rerolls, value = self._rerolls_of(pool.attack, pool.skill, pool.agility), 0
        weights = _attack_weights(dice.attack, pool.attack)
        for (tokens, _, _), of_agility in roll_distribution(dice.agility, pool.agility):
            scale = of_agility * SIDES ** (pool.agility - tokens)
            for (skill, _, _), of_skill in roll_distribution(dice.skill, pool.skill):
                value += scale * of_skill * sum(map(mul, weights, rerolls.values[tokens][skill]))
        scale = self._table.scale * SIDES ** (sum(pool) + pool.agility)
        return Fraction(value, scale * SIDES**pool.attack if self.spec.rerolled_faces else scale)

    def is_surely_a_gain(self) -> bool:
        """Return whether the attack expects a gain even without criticals and rerolls; False says nothing.

        A success in the place of a critical is worth no more: it can be cancelled by any die of the defense,
        and the critical that cancels it strikes back. So a few rolls tell what most attacks are worth.
        """
        dice, pool = self.spec.dice, self.spec.pool
        if self.spec.rerolled_faces:
            return False
        skills = [(skill, weight) for (skill, _, _), weight in roll_distribution(dice.skill, pool.skill)]
        rolls = [
            ((successes + criticals, 0, skill), weight * of_skill)
            for (successes, criticals, _), weight in roll_distribution(dice.attack, pool.attack)
            for skill, of_skill in skills
        ]
        self._prepare([hits for hits, _ in rolls])
        return sum(weight * self.after_defense(hits) for hits, weight in rolls) > 0

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
        reached, states = reached_states(self.spec.dice, roll, attack, skill), [*attack_states(attack)]
        wanted = {(*states[place], of_skill) for place, of_skill in set().union(*reached)}
        rerolls = AttackRerolls(self.spec.dice, attack, skill, self._values(attack, skill, wanted), reached)
        rerolls.require(roll.agility)
        return rerolls

    def _rerolls_of(self, attack: int, skill: int, agility: int) -> AttackRerolls:
        """Return the best rerolls of so many dice, with at least so much Agility."""
        known = self._attack_rerolls.get((attack, skill))
        if known is None:
            kept = self._values(attack, skill)
            known = self._attack_rerolls[attack, skill] = AttackRerolls(self.spec.dice, attack, skill, kept)
        known.require(agility)
        return known

    def _values(self, attack: int, skill: int, wanted: Collection[Counts] | None = None) -> list[list[int]]:
        """Return the values of all results of so many dice, by Skill successes and state; 0 if not wanted."""
        states = attack_states(attack)
        every = [[(*state, of_skill) for state in states] for of_skill in range(skill + 1)]
        self._prepare(sorted(wanted) if wanted is not None else chain.from_iterable(every))
        value = self._after_low_visibility if self.spec.rerolled_faces else self.after_defense
        if wanted is None:
            return [[value(hits) for hits in of_skill] for of_skill in every]
        return [[value(hits) if hits in wanted else 0 for hits in of_skill] for of_skill in every]

    def _after_low_visibility(self, hits: Counts) -> int:
        """Return the value of an attack roll before low visibility rerolls some of it."""
        known = self._low_visibility.get(hits)
        if known is None:
            count, kept = low_visibility_reroll(self.spec, Hits(*hits))
            scale = SIDES ** (self.spec.pool.attack - count)
            known = self._low_visibility[hits] = sum(
                weight * scale * self.after_defense((kept.successes + s, kept.criticals + c, kept.skill))
                for (s, c, _), weight in roll_distribution(self.spec.dice.attack, count)
            )
        return known


def low_visibility_reroll(spec: AttackSpec, hits: Hits) -> tuple[int, Hits]:
    """Return the number of attack dice that low visibility rerolls, and the rest (TRN-043)."""
    if CRITICAL in spec.rerolled_faces:
        return hits.successes + hits.criticals, Hits(0, 0, hits.skill)
    return hits.successes, Hits(0, hits.criticals, hits.skill)
