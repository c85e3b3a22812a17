"""The default choices of an attack have the best expected value, and its odds are exact and fast."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product

import pytest

from enfilade.rules.dice import Die
from enfilade.rules.odds import odds
from enfilade.rulesets.torn.combat.attack_rolls import exchange
from enfilade.rulesets.torn.combat.decisions import KEEP, AttackRoll, attack_value, expected_value
from enfilade.rulesets.torn.dice import (
    AttackSpec,
    Blocks,
    Dice,
    Hits,
    Pool,
    Shield,
    compare_evade,
    compare_rolls,
)
from enfilade.scene.model import Grid, Scene

pytestmark = pytest.mark.usefixtures("nothing_known")

DICE = Dice(
    Die("Attack", tuple("SSSC--")),
    Die("Defense", tuple("SSC---")),
    Die("Skill", tuple("SSS---")),
    Die("Agility", tuple("SSS---")),
)
NOWHERE = Scene(ruleset="torn", grid=Grid("hex_odd_r", 3, 3))
BOLD = Dice(
    Die("Attack", tuple("SSSS--")),
    Die("Defense", tuple("SSS---")),
    Die("Skill", tuple("SSSSS-")),
    Die("Agility", tuple("SSSS--")),
)
"""Faces of other house rules: no die has a critical."""
SMALL = [
    (Pool(2, 1, 1), Shield(1, 1), {}),
    (Pool(2, 1, 1), Shield(2, 1), {"return_damage": 2}),
    (Pool(1, 2, 2), Shield(1, 2), {"return_damage": 1}),
    (Pool(3, 0, 1), Shield(2, 1), {"defender_wounds": 2}),
    (Pool(2, 1, 2), Shield(1, 1), {"damage": 2, "return_damage": 3, "attacker_wounds": 2}),
    (Pool(2, 1, 1), Shield(1, 2), {"must_evade": True}),
    (Pool(2, 1, 1), Shield(1, 1), {"rerolled_faces": "SC"}),
    (Pool(2, 1, 1), Shield(1, 1), {"rerolled_faces": "S"}),
    (Pool(3, 1, 1), Shield(2, 2), {"return_damage": 3}),
    (Pool(2, 1, 0), Shield(2, 1), {"damage": 3, "return_damage": 1}),
    (Pool(2, 1, 1), Shield(2, 1), {"return_damage": 1, "dice": BOLD}),
]


def spec_of(pool, shield, dice=DICE, **more):
    settings = {"damage": 1, "defender_wounds": 5, "attacker_wounds": 5, **more}
    return AttackSpec("blue", "red", dice, pool, shield, **settings)


class BruteForce:
    """The value of an attack by every face of every die and every choice of one die to reroll."""

    def __init__(self, spec):
        self.spec, self.dice = spec, spec.dice
        self.attack = lru_cache(maxsize=None)(self._attack)
        self.defense = lru_cache(maxsize=None)(self._defense)
        self.versus_defense = lru_cache(maxsize=None)(self._versus_defense)

    def value(self):
        pool = self.spec.pool
        return mean(
            self.attack(tuple(sorted(a)), tuple(sorted(s)), g.count("S"))
            for a, s, g in rolls(
                (self.dice.attack, pool.attack),
                (self.dice.skill, pool.skill),
                (self.dice.agility, pool.agility),
            )
        )

    def _attack(self, dice, skill, agility):
        best = self._after_low_visibility(dice, skill)
        if not agility:
            return best
        for group, die in ((dice, self.dice.attack), (skill, self.dice.skill)):
            for face in set(group):
                rest = list(group)
                rest.remove(face)
                values = []
                for new in die.faces:
                    again = tuple(sorted([*rest, new]))
                    values.append(
                        self.attack(*((again, skill) if group is dice else (dice, again)), agility - 1)
                    )
                best = max(best, mean(values))
        return best

    def _after_low_visibility(self, dice, skill):
        if not self.spec.rerolled_faces:
            return self.versus_defense(dice, skill)
        kept = tuple(face for face in dice if face not in self.spec.rerolled_faces)
        return mean(
            self.versus_defense(tuple(sorted([*kept, *again])), skill)
            for (again,) in rolls((self.dice.attack, len(dice) - len(kept)))
        )

    def _versus_defense(self, dice, skill):
        hits = Hits(dice.count("S"), dice.count("C"), skill.count("S"))
        shield = self.spec.shield
        evading = mean(
            compare_evade(self.spec, hits, g.count("S")).dealt
            for (g,) in rolls((self.dice.agility, shield.agility))
        )
        if self.spec.must_evade:
            return evading
        defending = mean(
            self.defense(hits, tuple(sorted(d)), g.count("S"))
            for d, g in rolls((self.dice.defense, shield.defense), (self.dice.agility, shield.agility))
        )
        return min(evading, defending)

    def _defense(self, hits, dice, agility):
        guard = Blocks(dice.count("S"), dice.count("C"))
        results = [
            compare_rolls(self.spec, hits, guard, x) for x in range(min(guard.criticals, hits.criticals) + 1)
        ]
        best = Fraction(min(result.dealt - result.returned for result in results))
        if agility:
            for face in set(dice):
                rest = list(dice)
                rest.remove(face)
                again = (
                    self.defense(hits, tuple(sorted([*rest, new])), agility - 1)
                    for new in self.dice.defense.faces
                )
                best = min(best, mean(again))
        return best


def rolls(*pools):
    return product(*(["".join(faces) for faces in product(die.faces, repeat=count)] for die, count in pools))


def mean(values):
    values = list(values)
    return sum(map(Fraction, values), Fraction(0)) / len(values)


@pytest.mark.rule("TRN-014", "TRN-015", "TRN-018", "TRN-019", "TRN-026", "TRN-082")
@pytest.mark.parametrize(("pool", "shield", "more"), SMALL)
def test_the_defaults_have_the_value_of_the_best_choices(pool, shield, more):
    spec = spec_of(pool, shield, **more)
    assert expected_value(spec) == BruteForce(spec).value()


@pytest.mark.parametrize(("pool", "shield", "more"), SMALL)
def test_the_odds_of_an_exchange_have_the_expected_value_of_its_defaults(pool, shield, more):
    spec = spec_of(pool, shield, **more)
    found = odds(NOWHERE, exchange_procedure, (spec,))
    assert found.is_exact
    assert sum(
        chance * (result.dealt - result.returned) for result, chance in found.chances.items()
    ) == expected_value(spec)


def exchange_procedure(scene, spec):
    del scene
    return exchange(spec)


@pytest.mark.rule("TRN-021", "TRN-089")
@pytest.mark.parametrize(
    ("damage", "hits", "blocks", "hurts"),
    [(1, (0, 1), 0, True), (1, (1, 0), 0, False), (1, (1, 1), 1, True), (0, (0, 1), 0, False)],
)
def test_a_critical_hurts_if_it_is_left_and_does_damage(damage, hits, blocks, hurts):
    spec = spec_of(Pool(2), Shield(2), damage=damage)
    assert compare_rolls(spec, Hits(*hits, 0), Blocks(blocks, 0), 0).by_critical is hurts


def test_agility_is_not_spent_on_an_attack_against_an_ally():
    on_ally = spec_of(Pool(2, 0, 1), Shield(1), is_on_ally=True)
    assert attack_value(on_ally).best_reroll(AttackRoll(0, 0, 2, 0, 0, 1)) == KEEP


@pytest.mark.rule("TRN-014", "TRN-018")
def test_against_the_immune_nobody_rerolls_but_the_defender_its_blanks():
    immune = spec_of(Pool(3, 1, 2), Shield(2, 2), damage=0)
    value = attack_value(immune)
    for successes, skill, agility in product(range(4), range(2), range(1, 3)):
        roll = AttackRoll(successes, 0, 3 - successes, skill, 1 - skill, agility)
        assert value.best_reroll(roll) == KEEP
    assert (value.success_rerolls(Hits(3, 0, 1)), value.is_evade_better(Hits(3, 0, 1))) == ((), False)


def test_blanks_are_rerolled_before_successes_and_all_at_once():
    value = attack_value(spec_of(Pool(3, 0, 2), Shield(2, 2), return_damage=3))
    assert value.best_reroll(AttackRoll(0, 1, 2, 0, 0, 2)) == "attack blank 2"
    assert dict(value.success_rerolls(Hits(0, 1, 0)))[2, 1] == 1


TEN = [
    (Pool(5, 2, 3), Shield(6, 4)),
    (Pool(6, 2, 2), Shield(6, 4)),
    (Pool(10), Shield(10)),
    (Pool(4, 2, 4), Shield(5, 5)),
]
MOST_REQUESTS = 20_000
"""A third of what one act may cost: a roll whose rerolls were followed one by one would cost more."""


@pytest.mark.parametrize(("pool", "shield"), TEN)
def test_odds_of_ten_dice_against_ten_are_exact_with_few_requests(pool, shield):
    for wounds in (6, 7, 8):
        found = odds(
            NOWHERE, exchange_procedure, (spec_of(pool, shield, return_damage=2, defender_wounds=wounds),)
        )
        assert found.is_exact
        assert sum(found.chances.values()) == 1
        assert found.cost.requests < MOST_REQUESTS
