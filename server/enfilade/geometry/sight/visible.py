"""Lines of sight between points, and which cells a point sees, exactly.

The usual touching rule: a wall is closed, so a line that only touches it or its end is blocked, and walls
that meet are watertight. A body (what a token fills) is open, so a line may graze its edge or its corner;
where two boxes meet at a corner only, a line through that corner is blocked (ruling C-15 of
Coup-de-Grace). `Touching` names the other ways to play it. Sight is symmetric but for one-way walls and
walls with a threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from enfilade.geometry.board.base import Board
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Point, Segment
from enfilade.geometry.kernel import sight
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.intersections import Stop, bodies_met, walls_met
from enfilade.geometry.sight.raster import lattices, lit
from enfilade.geometry.sight.shadows import Heights
from enfilade.time_budget import checkpoint

__all__ = ["LEVEL", "Blocked", "Blockers", "Witness", "blocked", "visible", "witness"]

LEVEL: Heights = (0, 0)
"""Eye and target on the ground."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """What stops a line first, by its place among the blockers: a wall, a box, a body.

    None of the three is named where two bodies stop the line together, at a corner or along an edge.
    `at` is where, rounded to a 64th: for drawing, not for rules.
    """

    wall: int | None = None
    box: int | None = None
    body: int | None = None
    at: Point | None = field(default=None, compare=False)


def blocked(a: Point, b: Point, blockers: Blockers, heights: Heights = LEVEL) -> Blocked | None:
    """What stops the line from a to b first, or None where it is clear.

    Bodies that hold a or b stop nothing: nobody hides himself.
    """
    first = _first(a, b, blockers, heights)
    return _named(a, b, first, len(blockers.boxes)) if first else None


def _first(a: Point, b: Point, blockers: Blockers, heights: Heights) -> Stop | None:
    checkpoint()
    stops = [*walls_met(a, b, heights, blockers), *bodies_met(a, b, heights, blockers)]
    return min(stops, key=lambda stop: stop.way, default=None)


def _named(a: Point, b: Point, stop: Stop, boxes: int) -> Blocked:
    at = (round(a[0] + stop.way * (b[0] - a[0])), round(a[1] + stop.way * (b[1] - a[1])))
    if stop.wall is not None or stop.body is None:
        return Blocked(wall=stop.wall, at=at)
    return Blocked(box=stop.body, at=at) if stop.body < boxes else Blocked(body=stop.body - boxes, at=at)


class Witness(NamedTuple):
    """The line that shows whether some points see some others: a clear one, or the one that gets farthest.

    `stop` is what stops it first, None where it is clear.
    """

    line: Segment
    stop: Blocked | None


def witness(
    eyes: Sequence[Point], points: Sequence[Point], blockers: Blockers, heights: Heights = LEVEL
) -> Witness:
    """The first clear line from any of some eyes to any of some points, or the one that is stopped last.

    Worked out in Python whichever kernel is there, for one pair at a time; it is clear exactly where the
    kernel says so. Raises ValueError where there are no eyes or no points.
    """
    best: tuple[Stop, Point, Point] | None = None
    for a, b in product(eyes, points):
        stop = _first(a, b, blockers, heights)
        if stop is None:
            return Witness((*a, *b), None)
        if best is None or stop.way > best[0].way:
            best = (stop, a, b)
    if best is None:
        raise ValueError("A line needs an eye and a point.")
    stop, a, b = best
    return Witness((*a, *b), _named(a, b, stop, len(blockers.boxes)))


def visible(board: Board, eye: Point, blockers: Blockers, heights: Heights = LEVEL) -> Mask:
    """The cells whose centre a point sees; a body never hides its own cells from outside it.

    A body that holds the eye hides nothing: nobody hides himself.
    """
    checkpoint()
    return lit(board, [sight.darkness(lattice, eye, heights, blockers) for lattice in lattices(board)])
