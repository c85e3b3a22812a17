"""Fireball and multiattack: CPU milliseconds, runs and requests, against the plain loop."""

from __future__ import annotations

import statistics
import sys
import time

from bench.each.stranger import DICE, blast_scene, duel, install
from enfilade.cluster.serve import tune_garbage_collector
from enfilade.rules import odds as module
from enfilade.rules.odds import Allowance, odds
from enfilade.rules.procedures import Act


def fresh() -> None:
    module._cache.clear()
    module._free.clear()


def measured(procedure, scene, act, rounds=7, unlimited=False):
    times, found = [], None
    for _ in range(rounds):
        fresh()
        module.STATS.clear()
        budget = 10**9 if unlimited else module.BUDGET
        start = time.process_time()
        found = odds(scene, procedure, (act,), budget=budget, allowance=Allowance(2 * budget))
        times.append(time.process_time() - start)
    return statistics.median(times) * 1000, found, dict(module.STATS)


def main() -> None:
    tune_garbage_collector()
    from bench.each import stranger

    install(True)
    unlimited = "all" in sys.argv
    for dice in (4, 8):
        DICE["fireball"] = dice
        for targets in (1, 2, 4, 8):
            scene = blast_scene(targets, 24 if dice == 8 else 10)
            act = Act(kind="fireball", token="wizard", target="g0")
            new = measured(stranger.fireball, scene, act)
            old = measured(stranger.plain_fireball, scene, act, 1)
            same = new[1].chances == old[1].chances if old[1].is_exact else "sampled"
            print(
                f"{dice}d6 x {targets}: {new[0]:.1f} ms exact={new[1].is_exact} {new[2]} | today {old[0]:.0f} ms exact={old[1].is_exact} equal={same}"
            )
    act = Act(kind="multiattack", token="hero", target="ogre", weapon="Greatsword")
    new = measured(stranger.multiattack, duel(), act)
    print(f"multi: {new[0]:.1f} ms {new[2]} outcomes {len(new[1].chances)} exact={new[1].is_exact}")
    if unlimited:
        old = measured(stranger.plain_multiattack, duel(), act, 1, True)
        print(
            f"  today {old[0]:.0f} ms outcomes {len(old[1].chances)} equal={old[1].chances == new[1].chances}"
        )


if __name__ == "__main__":
    main()
