"""`python -m tests.property.policy 100 [torn]`: N games of every ruleset, one side advised, one random.

Fail if the advised side wins fewer than 90 of 100.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from enfilade.rulesets import BUILT_IN
from tests.property.policy.games import result_of

LEAST = 90


def main() -> int:
    count = int(sys.argv[1])
    is_failed = False
    for key in sys.argv[2:] or [ruleset.key for ruleset in BUILT_IN]:
        with ProcessPoolExecutor(2) as executor:
            results = list(executor.map(partial(result_of, key), range(count)))
        won, drawn = results.count("won"), results.count("drawn")
        is_failed |= won * 100 < LEAST * count
        print(f"policy: {key}: the advised side wins {won} of {count} games, {drawn} are drawn", flush=True)
    return int(is_failed)


if __name__ == "__main__":
    sys.exit(main())
