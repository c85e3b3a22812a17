"""The best rerolls of many attacks at once are those of each alone, and the largest dice have odds."""

from __future__ import annotations

import random

import pytest

from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act
from enfilade.rulesets.torn.combat.attack import attack
from enfilade.rulesets.torn.combat.rerolls import DefenseRerolls
from enfilade.rulesets.torn.dice import table_dice
from tests.unit.rulesets.torn.scenes import ally, foe, hexon_cell, hexon_cells, scene


@pytest.mark.rule("TRN-018")
@pytest.mark.parametrize(("dice", "agility"), [(1, 1), (2, 2), (4, 3)])
@pytest.mark.parametrize("lowest", [0, -7])
def test_the_best_rerolls_of_many_attacks_are_those_of_each(dice, agility, lowest):
    chance = random.Random(f"{dice} {agility} {lowest}")
    rerolls = DefenseRerolls(table_dice(scene()).defense, dice, agility)
    kept = [[chance.randint(lowest, 9) for _ in range(5)] for _ in rerolls.states]
    of_all = rerolls.minimize_all(kept)
    for number, best in enumerate(of_all):
        alone = rerolls.minimize([of_state[number] for of_state in kept])
        assert [list(level) for level in best.values] == [list(level) for level in alone.values]
        assert [list(level) for level in best.answers] == [list(level) for level in alone.answers]


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
