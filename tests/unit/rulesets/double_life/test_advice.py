"""What advice foresees of a character is what its acts and those of its enemies then do."""

from __future__ import annotations

import random

from enfilade.rulesets.double_life import DOUBLE_LIFE
from tests.property.advice.positions import check, positions

COUNT = 24


def test_the_damage_that_advice_foresees_is_that_of_the_acts():
    chance = random.Random(11)
    found = [check(DOUBLE_LIFE, board, token, chance) for board, token in positions(DOUBLE_LIFE, COUNT)]
    assert sum(map(bool, found)) > COUNT // 4
