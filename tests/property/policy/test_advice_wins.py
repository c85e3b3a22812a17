"""The default policy beats random legal play. `make policy-games N=100` plays more games."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from enfilade.rulesets import GAMES
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.tactics.policy import Policy
from tests.property.policy.games import battle, result_of

BATTLES, LEAST = 3, 2


@pytest.mark.parametrize("ruleset", GAMES, ids=lambda ruleset: ruleset.key)
def test_a_side_that_follows_the_advice_beats_one_that_plays_at_random(ruleset):
    results = []
    while results.count("won") < LEAST and len(results) < BATTLES:
        results.append(result_of(ruleset.key, len(results)))
    assert results.count("won") >= LEAST


def test_both_sides_have_the_same_units():
    for ruleset in GAMES:
        scene = battle(ruleset, 3)
        profiles = [[one.profile for one in scene.tokens if one.side == side] for side in ("blue", "red")]
        assert profiles[0] == profiles[1]


def test_the_policy_returns_none_if_no_act_is_legal():
    over = replace(battle(COUP_DE_GRACE, 1), conditions={"won": "red"})
    assert Policy(COUP_DE_GRACE, random.Random(1)).act(over) is None
