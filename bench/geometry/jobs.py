"""What our engine is timed at, by name. The same functions run with C here, and without it in `worker`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from bench.geometry.movement_jobs import MOVEMENT_JOBS
from bench.geometry.sight_jobs import SIGHT_JOBS

JOBS: dict[str, Callable[[str], Callable[[], object]]] = {**MOVEMENT_JOBS, **SIGHT_JOBS}
"""Each makes ready on a named scene and returns what is to be timed."""


@cache
def job(name: str, scale: str) -> Callable[[], object]:
    """A job made ready; only once, so that two rounds go on with the next source."""
    return JOBS[name](scale)
