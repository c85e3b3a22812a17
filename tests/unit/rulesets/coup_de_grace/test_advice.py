"""Advice about a miniature foresees the damage of its acts and of those of its enemies."""

from __future__ import annotations

import random

from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from tests.property.advice.positions import check, positions

COUNT = 24


def test_the_damage_that_advice_foresees_is_that_of_the_acts():
    chance = random.Random(11)
    found = [check(COUP_DE_GRACE, board, token, chance) for board, token in positions(COUP_DE_GRACE, COUNT)]
    assert sum(map(bool, found)) > COUNT // 4
