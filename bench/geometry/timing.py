"""Races: every runner in turn, round after round, so that a slow minute of the machine affects all alike.

Only CPU time counts, of all threads, so other load on the machine does not.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Runner = Callable[[float], float]
"""Runs for about so many seconds and returns the median milliseconds of one call."""

ROUNDS = 5
SECONDS = 0.12


def here(function: Callable[[], object]) -> Runner:
    """Return a runner in this process. The function must use another source on each call."""

    def run(seconds: float) -> float:
        times: list[float] = []
        until = time.perf_counter() + seconds
        while len(times) < 3 or time.perf_counter() < until:
            start = time.process_time()
            function()
            times.append(time.process_time() - start)
        return statistics.median(times) * 1000

    return run


@dataclass(frozen=True)
class Race:
    """One job on one scene. The first runner is ours; the ratio is that of `rival` to it."""

    job: str
    scale: str
    runners: Mapping[str, Runner]
    rival: str = ""

    def run(self, rounds: int = ROUNDS, seconds: float = SECONDS) -> dict[str, float]:
        """Return the median of each runner's rounds in milliseconds, and the ratio."""
        times: dict[str, list[float]] = {name: [] for name in self.runners}
        for runner in self.runners.values():
            runner(0)
        for _ in range(rounds):
            for name, runner in self.runners.items():
                times[name].append(runner(seconds))
        medians = {name: statistics.median(values) for name, values in times.items()}
        result = {f"{name}_ms": round(ms, 4) for name, ms in medians.items()}
        if self.rival in medians:
            result["ratio"] = round(medians[self.rival] / medians[next(iter(medians))], 1)
        return result
