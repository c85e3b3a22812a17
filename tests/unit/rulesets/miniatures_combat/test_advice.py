"""Advice about a model foresees the damage of its acts and of those of its enemies."""

from __future__ import annotations

import random

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from tests.property.advice.positions import check, positions

COUNT = 24


def test_the_damage_that_advice_foresees_is_that_of_the_acts():
    chance = random.Random(11)
    found = [
        check(MINIATURES_COMBAT, board, token, chance) for board, token in positions(MINIATURES_COMBAT, COUNT)
    ]
    assert sum(map(bool, found)) > COUNT // 4
