"""`python -m tests.property.games 10000 [torn]`: play N random games of every ruleset, or of those named.

`--from 500` starts with game 500. Stop at the first failure.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from enfilade.rules.conformance import ConformanceError, check_random_game
from enfilade.rules.registry import load_rulesets
from enfilade.rules.ruleset import Ruleset
from enfilade.rulesets import BUILT_IN


def play(ruleset: Ruleset, games: int, first: int) -> None:
    start = time.process_time()
    ends = [check_random_game(ruleset, seed) for seed in range(first, first + games)]
    acts, drawn = sum(end.acts for end in ends), sum(not end.is_decided for end in ends)
    seconds = time.process_time() - start
    print(
        f"games: PASS {ruleset.key}: {games} games of {acts / games:.0f} acts, none broken, {drawn} drawn; "
        f"{games / seconds:.0f} games and {acts / seconds:.0f} acts a second of one core"
    )


def main(arguments: Sequence[str]) -> int:
    rulesets = load_rulesets(BUILT_IN)
    parser = argparse.ArgumentParser()
    parser.add_argument("games", type=int)
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--from", dest="first", type=int, default=0)
    asked = parser.parse_args(arguments)
    try:
        for key in asked.rulesets or rulesets:
            play(rulesets[key], asked.games, asked.first)
    except ConformanceError as broken:
        print(f"games: FAIL {broken}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
