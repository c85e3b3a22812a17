"""A thousand random games of every ruleset, each act checked: games a second of one core."""

from __future__ import annotations

import time

from enfilade.cluster.serve import tune_garbage_collector
from enfilade.rules.conformance import check_random_game
from enfilade.rules.registry import load_rulesets
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN

GAMES = 1_000


def games() -> dict[str, dict[str, float]]:
    """For each ruleset: how many games, the processor's seconds for them, and games a second.

    Garbage is collected as in a server.
    """
    tune_garbage_collector()
    return {key: _timed(ruleset) for key, ruleset in load_rulesets(BUILT_IN).items()}


def _timed(ruleset: Ruleset) -> dict[str, float]:
    start = time.process_time()
    for seed in range(GAMES):
        check_random_game(ruleset, seed)
    seconds = time.process_time() - start
    return {"games": GAMES, "cpu_seconds": round(seconds, 1), "games_per_second": round(GAMES / seconds, 1)}
