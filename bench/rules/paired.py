"""`python -m bench.rules.paired <checkout> [words]`: the rules of another version and of this one in turn.

The milliseconds of one machine are not those of another, and change with what else runs on it. The ratio of
two processes that take turns changes less. Each job is timed in both, one after the other, for some rounds; a
time is the least processor time of a few calls, for which nothing of the scene is cached. With words only the
jobs that have one of them in their names run. The other checkout needs a kernel of its own
(`setup.py build_ext --inplace`).
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import replace

ROOT = Path(__file__).parents[2]
ROUNDS, CALLS, CONTINUATIONS = 7, 5, 4
MOVED = {
    "enfilade.importers.demo": "enfilade.demo",
    "enfilade.geometry.board.base": "enfilade.geometry.board.units",
    "enfilade.geometry.movement.costs": "enfilade.geometry.movement.terrain_cost",
}
"""Where an older version has what a module here has, or a part of it."""

Job = Callable[[], float]


def main() -> None:
    """Serve as one of the two processes, or compare."""
    if len(sys.argv) == 1:
        _serve()
    else:
        _compare(Path(sys.argv[1]).resolve(), sys.argv[2:])


def _compare(other: Path, words: list[str]) -> None:
    sides = [_worker(other), _worker(ROOT)]
    theirs, ours = (_answer(side, "names").split(",") for side in sides)
    print(f"{'job':<40}{'other ms':>10}{'this ms':>10}{'ratio':>8}")
    for name in ours:
        if name in theirs and (not words or any(word in name for word in words)):
            rounds = [[float(_answer(side, name)) for side in sides] for _ in range(ROUNDS)]
            before, after = (min(times) for times in zip(*rounds, strict=True))
            ratio = statistics.median(mine / their for their, mine in rounds)
            print(f"{name:<40}{before:>10.2f}{after:>10.2f}{ratio:>8.2f}", flush=True)
    for side in sides:
        side.kill()


def _worker(root: Path) -> subprocess.Popen[str]:
    path = os.pathsep.join((str(root / "server"), str(ROOT)))
    return subprocess.Popen(
        [sys.executable, "-m", "bench.rules.paired"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        text=True,
    )


def _answer(side: subprocess.Popen[str], word: str) -> str:
    assert side.stdin is not None
    assert side.stdout is not None
    print(word, file=side.stdin, flush=True)
    return side.stdout.readline().strip()


def _serve() -> None:
    for name, old in MOVED.items():
        if importlib.util.find_spec(old) is None:
            continue
        older = importlib.import_module(old)
        if importlib.util.find_spec(name) is None:
            sys.modules[name] = older
        else:
            here = vars(importlib.import_module(name))
            here.update({key: value for key, value in vars(older).items() if key not in here})
    jobs = _jobs()
    for line in sys.stdin:
        word = line.strip()
        print(",".join(jobs) if word == "names" else jobs[word](), flush=True)


def _jobs() -> dict[str, Job]:
    # The modules of an older version are found by now.
    from bench.rules import decisions, focus, overlays, previews
    from enfilade.cluster.serve import tune_garbage_collector
    from enfilade.rulesets import BUILT_IN
    from enfilade.tactics.advice import decision_map
    from enfilade.tactics.focus_fire import focus_fire
    from enfilade.tactics.overlays import overlay

    tune_garbage_collector()
    jobs: dict[str, Job] = {}
    numbers = count()

    def add(
        name: str,
        make: Callable[[], Any],
        ask: Callable[[Any], object],
        fresh: Callable[[Any], Any] = overlays.fresh,
    ) -> None:
        made = cache(make)  # no scene before its job
        jobs[name] = lambda: _least(lambda: fresh(made()), ask)

    for ruleset in BUILT_IN:
        for size, field in overlays.FIELDS.items():
            for name, layers in (("overlay", None), ("targets", ["targets"])):
                add(
                    f"{name} {size} {ruleset.key}",
                    partial(overlays.field_battle, ruleset, field),
                    lambda scene, game=ruleset, layers=layers: overlay(game, scene, "t0", 0, layers),
                )
        add(
            f"decisions {ruleset.key}",
            decisions.hexes if ruleset.key == "torn" else partial(decisions.squares, ruleset),
            lambda scene, game=ruleset: decision_map(game, scene, "hero", 0, most=decisions.CELLS),
        )
        order = [f"attacker-{i}" for i in range(focus.ATTACKERS)]
        add(
            f"focus {ruleset.key}",
            partial(focus.battle, ruleset),
            lambda scene, game=ruleset, order=order: focus_fire(game, scene, "target", order, 0),
        )
        jobs[f"forecast {ruleset.key}"] = _forecast(ruleset)
    for name, has_walls in (("walls", True), ("open", False)):
        add(
            f"previews {name}",
            partial(previews.typical_battle, has_walls),
            lambda scene: overlay(previews.RULESET, scene, "archer", 0, ["targets"]),
            lambda scene: replace(scene, name=f"battle {next(numbers)}"),
        )
    return jobs


def _least(scene: Callable[[], Any], ask: Callable[[Any], object]) -> float:
    times = []
    for _ in range(CALLS):
        fresh = scene()
        start = time.process_time()
        ask(fresh)
        times.append(time.process_time() - start)
    return min(times) * 1000


def _forecast(ruleset: Any) -> Job:
    import msgspec

    from enfilade.importers.demo import demo_battle
    from enfilade.play.setup import prepare_scene
    from enfilade.tactics.forecast import Job, play_batch

    @cache
    def job() -> bytes:
        return msgspec.json.encode(Job(ruleset.key, prepare_scene(ruleset, demo_battle(ruleset).scene), 1))

    def played() -> float:
        job()
        start = time.process_time()
        play_batch(job(), 0, CONTINUATIONS)
        return (time.process_time() - start) / CONTINUATIONS * 1000

    return played


if __name__ == "__main__":
    main()
