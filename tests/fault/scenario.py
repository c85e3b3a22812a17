"""Run a scenario's games on all processors, print progress, and sum up the result in a verdict."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

BATCH = 5
"""The most games in one task."""

_PROGRESS_SECONDS = 15.0

Figures = Counter[str]
Play = Callable[[range, str], Figures]
"""Plays the games with these seeds under a mutant ("" for the real program) and returns their figures."""

PROCESSES_VARIABLE = "TESTS_FAULT_PROCESSES"
"""The environment variable with the number of processes of a scenario, if not one for each processor."""

SLOW = "slow"
"""The failure that depends on the speed of the machine."""


@dataclass(frozen=True)
class Verdict:
    """The result of a scenario: the count of each failure, and of failures caught under each mutant."""

    scenario: str
    wrong: dict[str, int]
    caught: dict[str, int]
    figures: dict[str, object]

    @property
    def passes(self) -> bool:
        """Return whether nothing failed and every mutant was caught."""
        return not any(self.wrong.values()) and all(self.caught.values())

    def untimed(self) -> Verdict:
        """Return the verdict with slowness as a figure instead of a failure."""
        wrong = {name: count for name, count in self.wrong.items() if name != SLOW}
        timed = {name: count for name, count in self.wrong.items() if name == SLOW}
        return replace(self, wrong=wrong, figures={**self.figures, **timed})

    def __str__(self) -> str:
        parts = [f"{name}={value}" for name, value in {**self.figures, **self.wrong}.items()]
        mutants = [f"{name}={count}" for name, count in self.caught.items()]
        verdict = "PASS" if self.passes else "FAIL"
        return f"torture: {self.scenario} {verdict} {' '.join(parts)} caught: {' '.join(mutants)}"


def progress(text: str) -> None:
    """Print a line of progress."""
    print(f"  {text}", file=sys.stderr, flush=True)


class _ThisProcess(Executor):
    """An executor that does each task at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class Pool:
    """Worker processes that play games; a single one is this process.

    They are spawned, because a fork would share gevent's event loop.
    """

    def __init__(self) -> None:
        self.workers = int(os.environ.get(PROCESSES_VARIABLE, os.cpu_count() or 1))
        self._pool: Executor = _ThisProcess()
        if self.workers > 1:
            self._pool = ProcessPoolExecutor(self.workers, mp_context=get_context("spawn"))

    def __enter__(self) -> Pool:
        self._pool.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def run_parallel(
        self, play: Play, unit: str, wanted: int, mutant: str = "", stop: str = "", start: int = 0
    ) -> Figures:
        """Play games with seeds `start`, `start` + 1, ... until one figure reaches `wanted`; return the sums.

        With `stop`, it ends early once that figure is above zero: a mutant that is caught once is caught.
        """
        total: Figures = Counter({unit: 0})
        printed = time.monotonic()
        size = 1 if stop else max(1, min(BATCH, -(-wanted // self.workers)))
        tasks: list[Future[Figures]] = []
        while tasks or (total[unit] < wanted and not total[stop]):
            while total[unit] < wanted and not (stop and total[stop]) and len(tasks) < self.workers:
                tasks.append(self._pool.submit(play, range(start, start + size), mutant))
                start += size
            total.update(tasks.pop(0).result())
            if time.monotonic() - printed > _PROGRESS_SECONDS:
                printed = time.monotonic()
                progress(f"{total[unit]:,} of {wanted:,} {unit}")
        return total
