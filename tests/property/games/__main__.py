"""`python -m tests.property.games 10000 [torn]`: play N random games of every ruleset, or of the one named.

Stop at the first failure.
"""

from __future__ import annotations

import sys
import time

from enfilade.rules.conformance import ConformanceError, check_random_game
from enfilade.rules.registry import load_rulesets
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN


def play(ruleset: Ruleset, games: int) -> None:
    start = time.process_time()
    ends = [check_random_game(ruleset, seed) for seed in range(games)]
    acts, drawn = sum(end.acts for end in ends), sum(not end.is_decided for end in ends)
    seconds = time.process_time() - start
    print(
        f"games: PASS {ruleset.key}: {games} games of {acts / games:.0f} acts, none broken, {drawn} drawn; "
        f"{games / seconds:.0f} games and {acts / seconds:.0f} acts a second of one core"
    )


def main() -> int:
    games, rulesets = int(sys.argv[1]), load_rulesets(BUILT_IN)
    keys = sys.argv[2:] or list(rulesets)
    try:
        for key in keys:
            play(rulesets[key], games)
    except ConformanceError as broken:
        print(f"games: FAIL {broken}")
        return 1
    return 0


sys.exit(main())
