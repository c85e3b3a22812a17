"""Every registered ruleset is played to the end 2,000 times; `make games` plays more."""

from __future__ import annotations

import pytest

from enfilade.rules.conformance import MAX_DRAWN, check_random_game
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN

GAMES = 2_000
SHARES = 20


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("ruleset", load_rulesets(BUILT_IN).values(), ids=lambda ruleset: ruleset.key)
def test_random_legal_games_end_with_nothing_broken(ruleset, share):
    ends = [check_random_game(ruleset, seed) for seed in range(share, GAMES, SHARES)]
    assert all(end.acts for end in ends)
    assert sum(not end.is_decided for end in ends) * MAX_DRAWN <= len(ends)
