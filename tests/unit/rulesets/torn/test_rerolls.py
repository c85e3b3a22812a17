"""The best rerolls are the same by each way to find them, and the largest dice have odds."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from enfilade.rules.battle.memo import Shelf
from enfilade.rules.dice import Die
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act
from enfilade.rulesets.torn.combat.attack import attack
from enfilade.rulesets.torn.combat.decisions import AttackValue, expected_value, expects_gain
from enfilade.rulesets.torn.combat.rerolls import (
    KEEP,
    AttackRoll,
    DefenseRerolls,
    attack_states,
    reached_states,
    reroll_attack,
)
from enfilade.rulesets.torn.combat.shields import ShieldTable
from enfilade.rulesets.torn.dice import AttackSpec, Dice, Pool, Shield, roll_distribution, table_dice
from tests.unit.rulesets.torn.scenes import ally, foe, hexon_cell, hexon_cells, scene

pytestmark = pytest.mark.usefixtures("nothing_known")


@pytest.mark.rule("TRN-018")
@pytest.mark.parametrize(("dice", "agility"), [(1, 1), (2, 2), (4, 3)])
def test_the_best_rerolls_of_many_attacks_are_those_of_each(dice, agility):
    chance = random.Random(f"{dice} {agility}")
    rerolls = DefenseRerolls(table_dice(scene()).defense, dice, agility)
    kept = [[chance.randint(0, 9) for _ in range(5)] for _ in rerolls.states]
    of_all = rerolls.minimize_all(kept)
    for number, best in enumerate(of_all):
        alone = rerolls.minimize([of_state[number] for of_state in kept])
        assert [list(level) for level in best.values] == [list(level) for level in alone.values]
        assert [list(level) for level in best.answers] == [list(level) for level in alone.answers]


@pytest.mark.rule("TRN-018")
@given(st.data(), st.integers(0, 3), st.integers(0, 2))
def test_a_shield_table_finds_the_best_defense_whatever_it_was_asked_before(data, defense, agility):
    dice, shield = table_dice(scene()), Shield(defense, agility)
    table = ShieldTable(dice.defense, dice.agility, shield)
    table._known = Shelf(3 * len(table._weights))  # it fills up
    states = len(DefenseRerolls(dice.defense, *shield).states)
    balances = st.lists(st.integers(-2, 2), min_size=states, max_size=states).map(tuple)
    asked = data.draw(st.lists(st.lists(balances, min_size=1, max_size=3), min_size=1, max_size=4))
    # Each again with a constant added, and twice: such attacks share what is known.
    for attacks in [*asked, *([tuple(one + 4 for one in each) for each in some] for some in asked), *asked]:
        for of_one, found in zip(attacks, table.find(attacks), strict=True):
            assert [found] == ShieldTable(dice.defense, dice.agility, shield).find([of_one])
            alone = DefenseRerolls(dice.defense, *shield).minimize(list(of_one))
            assert found.value == sum(
                tokens_weight * 6 ** (agility - tokens) * weight * alone.values[tokens][place]
                for (tokens, _, _), tokens_weight in roll_distribution(dice.agility, agility)
                for place, state in enumerate(DefenseRerolls(dice.defense, *shield).states)
                for counts, weight in roll_distribution(dice.defense, defense)
                if counts == state
            )


@pytest.mark.rule("TRN-003")
def test_the_largest_dice_have_sampled_odds_with_a_bound():
    card = {"kind": "melee", "range": 3, "attack": 12, "skill": 6, "agility": 6, "damage": 2}
    sweep, bite = {**card, "name": "Sweep"}, {**card, "name": "Bite"}
    shield = {"defense": 12, "agility": 6, "wounds": 50}
    giant = ally("giant", hexon_cell((0, 0)), tiles=(sweep,), size="large", **shield)
    board = scene(giant, foe("orc", hexon_cells((1, 0))[0], (bite,), is_fresh=True, **shield))
    found = odds(board, attack, (Act(kind="melee", token="giant", target="orc", weapon="Sweep"),))
    assert not found.is_exact
    assert 0 < found.margin < 0.1
    assert sum(found.chances.values()) == 1


FACES = st.sampled_from(["SSSC--", "SSC---", "SSSSSS", "CCCCCC", "------", "SSSCCC", "SCC---"])
PLAIN_FACES = st.sampled_from(["SSS---", "SS----", "SSSSSS", "------"])
"""The faces of Skill and Agility dice, which have no critical."""


@st.composite
def specs(draw):
    number = draw(st.integers(0, 3))
    return AttackSpec(
        "blue",
        "red",
        Dice(
            *(Die(name, tuple(draw(FACES))) for name in ("Attack", "Defense")),
            *(Die(name, tuple(draw(PLAIN_FACES))) for name in ("Skill", "Agility")),
        ),
        Pool(number, draw(st.integers(0, 2)), draw(st.integers(0, 2))),
        Shield(draw(st.integers(0, 3)), draw(st.integers(0, 2))),
        damage=draw(st.integers(0, 2)),
        defender_wounds=draw(st.integers(0, 5)),
        return_damage=draw(st.integers(0, 2)),
        attacker_wounds=draw(st.integers(0, 4)),
        must_evade=draw(st.booleans()),
        rerolled_faces=draw(st.sampled_from(["", "", "S", "SC"])),
    )


def shares(draw, dice):
    """Return dice divided into successes, criticals and blanks."""
    successes = draw(st.integers(0, dice))
    criticals = draw(st.integers(0, dice - successes))
    return successes, criticals, dice - successes - criticals


@given(specs(), st.data())
def test_the_best_reroll_of_one_roll_is_that_among_all_rolls(spec, data):
    of_all = AttackValue(spec)._rerolls_of(spec.pool.attack, spec.pool.skill, spec.pool.agility)
    value = AttackValue(spec)
    skill = data.draw(st.integers(0, spec.pool.skill))
    roll = AttackRoll(*shares(data.draw, spec.pool.attack), skill, spec.pool.skill - skill, spec.pool.agility)
    while True:
        answer = value.best_reroll(roll)
        assert answer == of_all.answer(roll)
        assert not value._attack_rerolls, "A roll that rerolls lead to needs no tables."
        if answer == KEEP:
            break
        kind, count = answer.rsplit(" ", 1)
        die = spec.dice.skill if kind == "skill blank" else spec.dice.attack
        counts, _ = data.draw(st.sampled_from(roll_distribution(die, int(count))))
        roll = reroll_attack(roll, kind, int(count), counts)


@given(specs(), st.data())
def test_the_best_rerolls_of_two_rolls_are_those_among_all_rolls(spec, data):
    of_all = AttackValue(spec)._rerolls_of(spec.pool.attack, spec.pool.skill, spec.pool.agility)
    value = AttackValue(spec)
    for _ in range(2):
        skill = data.draw(st.integers(0, spec.pool.skill))
        tokens = data.draw(st.integers(0, spec.pool.agility))
        roll = AttackRoll(*shares(data.draw, spec.pool.attack), skill, spec.pool.skill - skill, tokens)
        assert value.best_reroll(roll) == of_all.answer(roll)


def test_the_rolls_that_a_roll_may_lead_to_are_those_after_each_reroll_of_each():
    dice = table_dice(scene())
    roll = AttackRoll(0, 0, 2, 0, 1, 3)  # two blanks, a blank of Skill and three Agility
    states, reached = attack_states(2), reached_states(dice, roll, 2, 1)
    assert reached[3] == {(states[0, 0], 0)}
    one_die = {(states[counts], 0) for counts in ((0, 0), (1, 0), (0, 1))}
    assert reached[2] == one_die | {(states[0, 0], 1)}
    assert {place for place, _ in reached[1]} == set(states.values())
    assert {(place, 1) for place in states.values()} <= reached[0]


def leads_to(dice, roll):
    """Yield a roll, and each that its rerolls may lead to: of successes only if no blank is left."""
    yield roll
    spare = 0 if roll.blanks else roll.successes
    for kind, most in (
        ("attack blank", roll.blanks),
        ("skill blank", roll.skill_blanks),
        ("attack success", spare),
    ):
        for count in range(1, min(most, roll.agility) + 1):
            die = dice.skill if kind == "skill blank" else dice.attack
            for counts, _ in roll_distribution(die, count):
                yield from leads_to(dice, reroll_attack(roll, kind, count, counts))


@pytest.mark.rule("TRN-014", "TRN-015")
@pytest.mark.parametrize(
    "roll", [(1, 0, 1, 0, 1, 2), (0, 0, 2, 0, 1, 3), (2, 0, 0, 1, 1, 2), (1, 1, 0, 0, 0, 3)]
)
def test_the_rerolls_of_a_roll_lead_to_these_rolls_and_to_no_others(roll):
    dice, roll = table_dice(scene()), AttackRoll(*roll)
    attack, skill = sum(roll[:3]), sum(roll[3:5])
    found = [set() for _ in range(roll.agility + 1)]
    for one in leads_to(dice, roll):
        found[one.agility].add((attack_states(attack)[one.successes, one.criticals], one.skill))
    assert reached_states(dice, roll, attack, skill) == found


COSTLY = AttackSpec(
    "blue", "red", table_dice(scene()), Pool(1), Shield(3), 1, 5, return_damage=2, attacker_wounds=5
)
"""An attack that costs more wounds than it deals."""


def _against(defense, agility):
    """A common attack against a shield of dice with these faces."""
    dice = Dice(
        Die("Attack", tuple("SSS---")),
        Die("Defense", tuple(defense)),
        Die("Skill", tuple("SSS---")),
        Die("Agility", tuple(agility)),
    )
    return AttackSpec("blue", "red", dice, Pool(2, 1), Shield(2, 2), damage=1, defender_wounds=5)


@given(specs())
@example(COSTLY)
@example(_against("SSSSSS", "SSS---"))
@example(_against("SSC---", "SSSSSS"))
@example(_against("SSC---", "SSS---"))
def test_an_attack_expects_a_gain_if_its_expected_value_is_above_zero(spec):
    assert expects_gain(spec) == (expected_value(spec) > 0)
    assert not AttackValue(spec).is_surely_a_gain() or expected_value(spec) > 0


def test_a_common_attack_is_surely_a_gain():
    spec = AttackSpec("blue", "red", table_dice(scene()), Pool(3, 1), Shield(2, 1), 1, 5, 1, 3)
    assert AttackValue(spec).is_surely_a_gain()
    assert not AttackValue(COSTLY).is_surely_a_gain()
