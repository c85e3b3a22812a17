"""`make bench`: runs every race, prints each result, and writes bench/results.json and docs/performance.md.

ARGS="--only movement_field,cover" runs the jobs whose names start with one of these, and writes nothing; with
"--write" it replaces their results alone. "--only overlay,area_act --write" takes about a minute.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from typing import Any

from bench.geometry import movement_races, one_move, report, sight_races
from bench.geometry.growth import growth
from bench.geometry.timing import Race
from bench.rules import previews
from bench.rules.area_acts import area_acts
from bench.rules.crowds import crowds
from bench.rules.decisions import decisions
from bench.rules.focus import focus
from bench.rules.forecasts import forecasts
from bench.rules.games import games
from bench.rules.overlays import overlays
from bench.rules.replay import replays
from bench.rules.slices import slices

RACES = (movement_races.races, sight_races.races, one_move.races, previews.races)
"""All races, by subject."""

JOBS: dict[str, Callable[[], dict[str, Any]]] = {
    "overlay": overlays,
    "area_act": area_acts,
    "crowd": crowds,
    "decision_map": decisions,
    "focus_fire": focus,
    "forecast": forecasts,
    "replay": replays,
    "slices": slices,
    "random_games": games,
}
"""What is measured without a peer."""


def main() -> None:
    """Run the races, print the results and write them."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--only", default="", help="the starts of the job names, with commas between")
    parser.add_argument("--write", action="store_true", help="with --only: replace the results of these jobs")
    asked = parser.parse_args()
    only = tuple(asked.only.split(","))
    results: dict[str, dict[str, Any]] = {}
    for race in _chosen(only):
        result = race.run()
        results.setdefault(race.job, {})[race.scale] = result
        print(f"{race.job} {race.scale}: {json.dumps(result)}", flush=True)
    for job, measure in JOBS.items():
        if job.startswith(only):
            results[job] = measure()
            print(f"{job}: {json.dumps(results[job])}", flush=True)
    if not asked.only:
        grown: dict[str, dict[str, dict[str, float]]] = {}
        for name, size, times in growth():
            grown.setdefault(name, {})[size] = times
            print(f"growth of {name} with {size}: {json.dumps(times)}", flush=True)
        report.write(results, grown)
    elif asked.write:
        report.update(results)


def _chosen(only: tuple[str, ...]) -> Iterator[Race]:
    for races in RACES:
        yield from (race for race in races() if race.job.startswith(only))


main()
