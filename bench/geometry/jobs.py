"""The timed jobs of our engine by name. They run with C here, and without it in `worker`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from bench.geometry.movement_jobs import MOVEMENT_JOBS
from bench.geometry.sight_jobs import SIGHT_JOBS

JOBS: dict[str, Callable[[str], Callable[[], object]]] = {**MOVEMENT_JOBS, **SIGHT_JOBS}
"""Each prepares a named scene and returns the function to time."""


@cache
def job(name: str, scale: str) -> Callable[[], object]:
    """Return a prepared job, built once, so that each round continues with the next source."""
    return JOBS[name](scale)
