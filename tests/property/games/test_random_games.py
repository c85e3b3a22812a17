"""Play 24 random legal games of every ruleset to the end; `make games` plays 10,000 of each."""

from __future__ import annotations

import pytest

from enfilade.rules.conformance import MAX_DRAWN, check_random_game
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN

GAMES = 24
PARTS = 2


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("ruleset", load_rulesets(BUILT_IN).values(), ids=lambda ruleset: ruleset.key)
def test_random_legal_games_end_and_pass_every_check(ruleset, part):
    ends = [check_random_game(ruleset, seed) for seed in range(part, GAMES, PARTS)]
    assert all(end.acts for end in ends)
    if not ruleset.only_moves:  # which has no end
        assert sum(not end.is_decided for end in ends) * MAX_DRAWN <= len(ends)
