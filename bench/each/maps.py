"""Decision maps and the overlay of the stranger's battle, 20 tokens on 24 x 16: CPU milliseconds."""

from __future__ import annotations

import statistics
import sys
import time

from bench.each.compare import fresh
from bench.each.stranger import crowd, install
from enfilade.cluster.serve import tune_garbage_collector
from enfilade.rules import odds as module
from enfilade.rules.odds import Allowance
from enfilade.tactics import expected_damage
from enfilade.tactics.advice import decision_map
from enfilade.tactics.overlays import *  # noqa
from enfilade.tactics.previews import preview


def timed(run, rounds):
    times = []
    for _ in range(rounds):
        fresh()
        expected_damage._known.clear()
        module.STATS.clear()
        start = time.process_time()
        found = run()
        times.append(time.process_time() - start)
    return statistics.median(times) * 1000, found


def overlay(ruleset, scene, token):
    allowance = Allowance()
    found = [
        preview(ruleset, scene, offer, allowance)
        for offer in ruleset.offers(scene, scene.token(token))
        if offer.is_legal and offer.act.target
    ]
    return len(found), sum(one.exact for one in found), sum(one.act.kind == "fireball" for one in found)


def main() -> None:
    tune_garbage_collector()
    with_each, rounds = "plain" not in sys.argv, 1 if "plain" in sys.argv else 3
    ruleset = install(with_each)
    ms, found = timed(lambda: overlay(ruleset, crowd("wizard"), "wizard"), rounds)
    print(f"overlay of the wizard {ms:.0f} ms, (acts, exact, fireballs) {found} {dict(module.STATS)}")
    for who in ("h0", "g0", "wizard"):
        for most in (5,) if "plain" in sys.argv else (20, None):
            ms, found = timed(lambda: decision_map(ruleset, crowd(who), who, 0, most=most), rounds)
            print(f"map of {who}, {len(found.cells)} cells: {ms:.0f} ms {dict(module.STATS)}", flush=True)


if __name__ == "__main__":
    main()
