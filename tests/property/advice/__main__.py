"""`python -m tests.property.advice 300 [torn]`: compare decision maps of N random positions of every ruleset.

Stop at the first difference.
"""

from __future__ import annotations

import random
import sys

from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import GAMES
from tests.property.advice.positions import check, positions


def main() -> int:
    count, rulesets = int(sys.argv[1]), load_rulesets(GAMES)
    for key in sys.argv[2:] or list(rulesets):
        chance = random.Random(count)
        try:
            found = positions(rulesets[key], count)
            attacks = sum(check(rulesets[key], scene, token, chance) for scene, token in found)
        except AssertionError as broken:
            print(f"advice: FAIL {key}: {broken}")
            return 1
        print(f"advice: PASS {key}: {count} positions, {attacks} attacks equal to the odds", flush=True)
    return 0


sys.exit(main())
