"""Pairs of worlds with the same surface: those that were told apart once look the same."""

from __future__ import annotations

import pytest

from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from tests.fault.noninterference import Pair

RULESETS = list(load_rulesets(BUILT_IN).values())


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(374, id="a move that the rules refuse only as players see it"),
        pytest.param(745, id="the same without a grid"),
        pytest.param(1994, id="one whom a hidden creature holds"),
        pytest.param(3252, id="a sealed attack on one that has the name of a hidden character"),
        pytest.param(4456, id="the same beside other answers"),
    ],
)
def test_nothing_that_players_get_tells_two_worlds_apart(seed):
    pair = Pair(RULESETS[seed % len(RULESETS)], seed)
    pair.play()
    assert not pair.is_distinguished
