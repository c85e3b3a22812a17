"""`python -m tests.property.policy 100 [torn]`: N games of every ruleset, one side advised, one random.

A line PASS or FAIL for each; it fails if the advised side wins fewer than 90 of 100. A draw is no win.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from enfilade.rulesets import GAMES
from tests.property.policy.games import result_of

LEAST = 90
NEWS_EVERY = 10
"""The games after which a line says how far it is."""


def main() -> int:
    count = int(sys.argv[1])
    is_failed = False
    for key in sys.argv[2:] or [ruleset.key for ruleset in GAMES]:
        results = _results(key, count)
        won, drawn = results.count("won"), results.count("drawn")
        verdict = "PASS" if won * 100 >= LEAST * count else "FAIL"
        is_failed |= verdict == "FAIL"
        print(
            f"policy: {verdict} {key}: the advised side wins {won} of {count} games, {drawn} are drawn",
            flush=True,
        )
    return int(is_failed)


def _results(key: str, count: int) -> list[str]:
    """Return the results of so many games, and tell on the way how many are won."""
    results: list[str] = []
    with ProcessPoolExecutor(2) as executor:
        for result in executor.map(partial(result_of, key), range(count)):
            results.append(result)
            if len(results) % NEWS_EVERY == 0:
                print(f"{key}: {len(results)} of {count}, {results.count('won')} won", file=sys.stderr)
    return results


if __name__ == "__main__":
    sys.exit(main())
