"""Miniatures' pools of d6: as they are, and with faces read as they are counted."""

import time
from functools import lru_cache

from bench.each.compare import fresh
from bench.each.torn_sweep import battle
from enfilade.rules import odds as module
from enfilade.rules.dice import D6
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Call, Roll
from enfilade.rulesets.miniatures_combat.combat.strikes import count_successes
from enfilade.tactics.expected_damage import result_of


@lru_cache(maxsize=16)
def at_least(needed):
    return lambda faces: sum(face >= needed for face in faces)


def read_successes(dice, needed, label):
    if not dice:
        return 0
    return (yield Roll(label, D6, dice, at_least(needed)))


scene = battle(1, 1)
for dice in (4, 8, 12):
    for procedure in (count_successes, read_successes):
        fresh()
        module._roll_distribution.cache_clear()
        module._read_distribution.cache_clear()
        start = time.process_time()
        found = [odds(scene, result_of, (Call(procedure, (dice, needed, "x")),)) for needed in (3, 4, 5, 6)]
        print(
            dice,
            procedure.__name__,
            round((time.process_time() - start) * 1000, 1),
            "ms",
            [f.cost.requests for f in found][:1],
            sum(map(float, found[0].chances.values())),
        )
