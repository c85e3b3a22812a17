"""Forecasts of the demo battles: milliseconds of one core for a continuation, and 1,000 on two cores."""

from __future__ import annotations

import time

import msgspec

from enfilade.importers.demo import demo_battle
from enfilade.play.setup import prepare_scene
from enfilade.rulesets import BUILT_IN
from enfilade.tactics.forecast import Job, play_batch
from enfilade.tactics.forecast_runner import local_processes, run_job

COUNT, CORES, EACH = 1_000, 2, 30


def forecasts() -> dict[str, float]:
    """Return the seconds of a whole forecast of the first demo battle, and CPU milliseconds for each game."""
    jobs = {
        ruleset.key: msgspec.json.encode(
            Job(ruleset.key, prepare_scene(ruleset, demo_battle(ruleset).scene), 1)
        )
        for ruleset in BUILT_IN
        if not ruleset.only_moves  # which has no end to forecast
    }
    found = {f"{key}_ms": _milliseconds(job) for key, job in jobs.items()}
    start = time.perf_counter()
    with local_processes(CORES) as (executor, at_once):
        list(run_job(jobs[BUILT_IN[0].key], COUNT, executor, at_once))
    return {**found, "demo_battle_1000_seconds": round(time.perf_counter() - start, 1)}


def _milliseconds(job: bytes) -> float:
    play_batch(job, 0, 2)
    start = time.process_time()
    play_batch(job, 2, EACH)
    return round((time.process_time() - start) / EACH * 1000, 1)


if __name__ == "__main__":
    print(forecasts())
