"""Advice about a miniature foresees the damage of its acts and of those of its enemies."""

from __future__ import annotations

import random

from msgspec.structs import replace

from enfilade.rulesets.torn import TORN
from tests.property.advice.positions import check, positions
from tests.unit.rulesets.torn.scenes import ally, foe, scene

COUNT = 24


def test_the_damage_that_advice_foresees_is_that_of_the_acts():
    chance = random.Random(11)
    found = [check(TORN, board, token, chance) for board, token in positions(TORN, COUNT)]
    assert sum(map(bool, found)) > COUNT // 4


def test_one_miniature_is_ready_in_its_activation_and_several_as_before_the_first_round():
    board = scene(ally("ann", (10, 10)), ally("bo", (4, 4)), foe("orc", (12, 10)))
    for number, tokens, found in ((0, ("ann",), 1), (3, ("ann",), 3), (3, ("ann", "bo"), 0)):
        now = TORN.outlook.ready(replace(board, tracks={"round": number}), tokens)
        assert now.track("round") == found
        assert now.conditions.get("active") == ("ann" if len(tokens) == 1 else None)
