"""The acts that a token has in a crowd of 500: offers of each game on 120 by 120 cells, nothing cached.

The first token may act. Each figure is the least of some rounds: what else runs on the machine adds to it.
"""

from __future__ import annotations

import time

from bench.geometry.scenes import Size
from bench.rules.overlays import ROUNDS, field_battle, fresh
from enfilade.cluster.serve import tune_garbage_collector
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN

CROWD = Size(120, 500, 0)


def crowds() -> dict[str, dict[str, float]]:
    """Return the CPU milliseconds of the offers of a token, and their number, by game."""
    tune_garbage_collector()
    return {ruleset.key: _of_game(ruleset) for ruleset in BUILT_IN}


def _of_game(ruleset: Ruleset) -> dict[str, float]:
    ready, times, count = ruleset.outlook.ready(field_battle(ruleset, CROWD), ("t0",)), [], 0
    for _ in range(ROUNDS):
        scene = fresh(ready)
        start = time.process_time()
        count = len(ruleset.offers(scene, scene.tokens[0]))
        times.append(time.process_time() - start)
    return {"offers_ms": round(min(times) * 1000, 2), "offers": count}


if __name__ == "__main__":
    for game, found in crowds().items():
        print(f"crowd: {game} {found}", flush=True)
