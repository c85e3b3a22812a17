"""Lines of sight between points, and which cells a point sees, exactly.

The usual touching rule: a wall is closed, so a line that only touches it or its end is blocked, and walls
that meet are watertight. A body (what a token fills) is open, so a line may graze its edge or its corner;
where two boxes meet at a corner only, a line through that corner is blocked (ruling C-15 of
Coup-de-Grace). `Touching` names the other ways to play it. Sight is symmetric but for one-way walls and
walls with a threshold.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enfilade.geometry.blockers import Blockers
from enfilade.geometry.board import Board
from enfilade.geometry.crossing import Stop, bodies_met, walls_met
from enfilade.geometry.kernel import sight
from enfilade.geometry.mask import Mask
from enfilade.geometry.raster import lattices, lit
from enfilade.geometry.shadows import Heights
from enfilade.geometry.units import Point
from enfilade.pace import breathe

__all__ = ["LEVEL", "Blocked", "Blockers", "blocked", "visible"]

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
    breathe()
    stops = [*walls_met(a, b, heights, blockers), *bodies_met(a, b, heights, blockers)]
    if not stops:
        return None
    first = min(stops, key=lambda stop: stop.way)
    x, y = a[0] + first.way * (b[0] - a[0]), a[1] + first.way * (b[1] - a[1])
    return _named(first, len(blockers.boxes), (round(x), round(y)))


def _named(stop: Stop, boxes: int, at: Point) -> Blocked:
    if stop.wall is not None or stop.body is None:
        return Blocked(wall=stop.wall, at=at)
    return Blocked(box=stop.body, at=at) if stop.body < boxes else Blocked(body=stop.body - boxes, at=at)


def visible(board: Board, eye: Point, blockers: Blockers, heights: Heights = LEVEL) -> Mask:
    """The cells whose centre a point sees; a body never hides its own cells from outside it.

    A body that holds the eye hides nothing: nobody hides himself.
    """
    breathe()
    return lit(board, [sight.darkness(lattice, eye, heights, blockers) for lattice in lattices(board)])
