"""Advice about a creature foresees the damage of its acts and of those of its enemies."""

from __future__ import annotations

import random

from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from tests.property.advice.positions import check, positions

COUNT = 24


def test_the_damage_that_advice_foresees_is_that_of_the_acts():
    chance = random.Random(11)
    found = [
        check(KNIGHTS_OF_VALOUR, board, token, chance) for board, token in positions(KNIGHTS_OF_VALOUR, COUNT)
    ]
    assert sum(map(bool, found)) > COUNT // 4
