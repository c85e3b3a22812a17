"""The growth of cost: one measure of the scene changes, the others stay as in the typical scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bench.geometry.movement_jobs import field_of
from bench.geometry.scenes import SIZES, BenchScene, Size, make
from bench.geometry.sight_jobs import cover_of, visibility_of
from bench.geometry.timing import here

JOBS: dict[str, Callable[[BenchScene], Callable[[], object]]] = {
    "movement_field": field_of,
    "visibility": visibility_of,
    "cover": cover_of,
}
"""The measured jobs, each prepared on any scene."""

TYPICAL = SIZES["typical"]
TOKENS = {count: Size(TYPICAL.side, count, TYPICAL.walls) for count in (10, 20, 40, 100, 200, 400)}
WALLS = {count: Size(TYPICAL.side, TYPICAL.tokens, count) for count in (0, 100, 300, 1000, 2000, 4000)}
BOARDS = {side: Size(side, TYPICAL.tokens, TYPICAL.walls) for side in (20, 40, 60, 100, 200, 300)}
MEASURES: Mapping[str, Mapping[int, Size]] = {"tokens": TOKENS, "walls": WALLS, "board": BOARDS}


def growth() -> Iterator[tuple[str, str, dict[str, float]]]:
    """Yield the milliseconds of each job at each value of each measure."""
    for name, ready in JOBS.items():
        for measure, sizes in MEASURES.items():
            yield name, measure, {str(n): _timed(ready, size) for n, size in sizes.items()}


def _timed(ready: Callable[[BenchScene], Callable[[], object]], size: Size) -> float:
    run = here(ready(make(size, seed="growth")))
    run(0)
    return round(run(0.15), 4)
