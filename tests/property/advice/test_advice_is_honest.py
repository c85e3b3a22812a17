"""Advice is honest: its expected damages are those of the odds. `make advice N=300` tries more positions."""

from __future__ import annotations

import random

import pytest

from enfilade.rulesets import GAMES
from tests.property.advice.positions import check, positions

POSITIONS = 6


@pytest.mark.parametrize("ruleset", GAMES, ids=lambda ruleset: ruleset.key)
def test_the_damages_of_a_decision_map_are_those_of_the_odds_on_random_positions(ruleset):
    chance, attacks = random.Random(27), 0
    for scene, token in positions(ruleset, POSITIONS):
        attacks += check(ruleset, scene, token, chance)
    assert attacks, "some place has an attack, or the test compares nothing"
