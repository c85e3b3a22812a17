"""`python -m tests.property.policy 100 [torn]`: N games of every ruleset, one side advised, one random.

Fail if the advised side wins fewer than 90 of 100.
"""

from __future__ import annotations

import sys

from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from tests.property.policy.games import battle, play

LEAST = 90


def main() -> int:
    count, rulesets = int(sys.argv[1]), load_rulesets(BUILT_IN)
    is_failed = False
    for key in sys.argv[2:] or list(rulesets):
        ruleset, won, drawn = rulesets[key], 0, 0
        for number in range(count):
            advised = ("blue", "red")[number % 2]
            winners = play(ruleset, battle(ruleset, number // 2), advised, number)
            won, drawn = won + (advised in winners), drawn + (not winners)
        is_failed |= won * 100 < LEAST * count
        print(f"policy: {key}: the advised side wins {won} of {count} games, {drawn} are drawn", flush=True)
    return int(is_failed)


sys.exit(main())
