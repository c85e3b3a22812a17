"""Damage of each creature, who falls, how many fall, and bounds under small budgets."""

import statistics
import time

from bench.each import stranger
from bench.each.compare import fresh
from bench.each.stranger import DICE, blast_scene, duel, install
from enfilade.cluster.serve import tune_garbage_collector
from enfilade.rules.each import UNKNOWN, EachWalk, aftermath, merged
from enfilade.rules.odds import Allowance, _default_answer, _Walk
from enfilade.rules.procedures import Act
from enfilade.rules.worlds import Memory


def walk_of(scene, limit=10**12):
    walk = _Walk(scene, 10**9, Allowance(10**9))
    found = EachWalk(scene, Memory(), walk._answers, _default_answer, walk._spend)
    found.limit = limit
    return found


def hp(token):
    return token.track("hp")


def main():
    tune_garbage_collector()
    install(True)
    DICE["fireball"] = 8
    for targets in (1, 2, 4, 8):
        scene = blast_scene(targets, 24)
        act = Act(kind="fireball", token="wizard", target="g0")
        times, more = [], []
        for _ in range(5):
            fresh()
            start = time.process_time()
            walk = walk_of(scene)
            leaves = walk.act(stranger.fireball, (act,))
            results = merged(leaves)
            times.append(time.process_time() - start)
            start = time.process_time()
            after = aftermath(walk.worlds, leaves)
            goblins = [one for one in after.touched if one != "wizard"]
            suffered = {one: hp(scene.token(one)) - after.mean(one, hp) for one in goblins}
            falls = {one: after.chance(one, lambda token: token.has("out")) for one in goblins}
            number = after.number(lambda token: token.has("out"))
            more.append(time.process_time() - start)
        assert sum(number.values()) == 1 and sum(n * p for n, p in number.items()) == sum(falls.values())
        print(
            f"8d6 x {targets}: odds {statistics.median(times) * 1000:.1f} ms, all aggregates {statistics.median(more) * 1000:.1f} ms more; "
            f"total {float(sum(suffered.values())):.2f}, all fall {float(number.get(targets, 0)):.5f}, worlds {len(walk.worlds.known)}"
        )
    print(
        "bounds of the 8d6 fireball at 8, chance that the target falls; and of the multiattack, chance of 'out'"
    )
    for name, scene, proc, act in (
        (
            "fireball",
            blast_scene(8, 24),
            stranger.fireball,
            Act(kind="fireball", token="wizard", target="g0"),
        ),
        (
            "multiattack",
            duel(),
            stranger.multiattack,
            Act(kind="multiattack", token="hero", target="ogre", weapon="Greatsword"),
        ),
        (
            "plain fireball",
            blast_scene(8, 24),
            stranger.plain_fireball,
            Act(kind="fireball", token="wizard", target="g0"),
        ),
        (
            "plain multiattack",
            duel(),
            stranger.plain_multiattack,
            Act(kind="multiattack", token="hero", target="ogre", weapon="Greatsword"),
        ),
    ):
        for limit in (500, 1000, 2000, 4000, 20000):
            walk = walk_of(scene, limit)
            start = time.process_time()
            results, total = merged(walk.act(proc, (act,)))
            ms = (time.process_time() - start) * 1000
            unknown = sum(w for r, w in results if r is UNKNOWN) / total
            out = sum(w for r, w in results if r is not UNKNOWN and r.leaves) / total
            print(
                f"{name} limit {limit}: {walk.requests} requests, {ms:.0f} ms, at least {out:.4f}, at most {out + unknown:.4f}"
            )


if __name__ == "__main__":
    main()
