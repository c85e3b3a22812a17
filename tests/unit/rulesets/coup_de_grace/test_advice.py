"""Advice about a miniature foresees the damage of its acts and of those of its enemies."""

from __future__ import annotations

import random

from msgspec.structs import replace

from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from tests.property.advice.positions import check, positions
from tests.unit.rulesets.coup_de_grace.scenes import battle, foe, mini

COUNT = 24


def test_the_damage_that_advice_foresees_is_that_of_the_acts():
    chance = random.Random(11)
    found = [check(COUP_DE_GRACE, board, token, chance) for board, token in positions(COUP_DE_GRACE, COUNT)]
    assert sum(map(bool, found)) > COUNT // 4


def test_one_miniature_is_ready_in_its_activation_and_several_as_before_the_first_round():
    board = battle(mini("Ann", at=(2, 2)), mini("Bo", at=(7, 7)), foe("Orc", at=(2, 1)))
    for number, tokens, found in ((0, ("ann",), 1), (3, ("ann",), 3), (3, ("ann", "bo"), 0)):
        now = COUP_DE_GRACE.outlook.ready(replace(board, tracks={"round": number}), tokens)
        assert now.track("round") == found
        assert now.conditions.get("active") == ("ann" if len(tokens) == 1 else None)
        assert all(now.token(one).track("mp") == 6 for one in tokens)
