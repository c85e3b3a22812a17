"""Lines of sight between points, and which cells a point sees, exactly.

The usual touching rule: a wall is closed, so a line that only touches it or its end is blocked, and walls
that meet are watertight. A body (what a token fills) is open, so a line may graze its edge or its corner;
where two boxes meet at a corner only, a line through that corner is blocked (ruling C-15 of
Coup-de-Grace). `Touching` names the other ways to play it. Sight is symmetric but for one-way walls and
walls with a threshold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from enfilade.geometry.blockers import Blockers
from enfilade.geometry.board import Board
from enfilade.geometry.crossing import meets_body, meets_wall, runs_along
from enfilade.geometry.kernel import sight
from enfilade.geometry.mask import Mask
from enfilade.geometry.raster import lattices, lit
from enfilade.geometry.shadows import Heights
from enfilade.geometry.touching import CLOSED
from enfilade.geometry.units import Point

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
    stops = list(_stops(a, b, blockers, heights))
    if not stops:
        return None
    way, first = min(stops, key=lambda stop: stop[0])
    x, y = a[0] + way * (b[0] - a[0]), a[1] + way * (b[1] - a[1])
    return Blocked(first.wall, first.box, first.body, (round(x), round(y)))


def _stops(a: Point, b: Point, blockers: Blockers, heights: Heights) -> Iterator[tuple[Fraction, Blocked]]:
    yield from _walls_met(a, b, blockers, heights)
    holding = {i for i, body in enumerate(blockers.all_bodies) if body.holds(a) or body.holds(b)}
    for number, body in enumerate(blockers.all_bodies):
        way = None if number in holding else meets_body(a, b, heights, body, blockers.touching)
        if way is not None:
            yield way, _name(number, blockers)
    for wall, bodies, is_seam in blockers.joints:
        if holding.isdisjoint(bodies):
            way = runs_along(a, b, heights, wall) if is_seam else meets_wall(a, b, heights, wall, CLOSED)
            if way is not None:
                yield way, Blocked()


def _walls_met(
    a: Point, b: Point, blockers: Blockers, heights: Heights
) -> Iterator[tuple[Fraction, Blocked]]:
    """The walls that stop the line; of the limited ones, the second it meets."""
    limited = []
    for number, wall in blockers.walls_before(a):
        way = meets_wall(a, b, heights, wall, blockers.touching)
        if way is None:
            continue
        if wall.sight == "limited":
            limited.append((way, number))
        else:
            yield way, Blocked(wall=number)
    if len(limited) > 1:
        way, number = sorted(limited)[1]
        yield way, Blocked(wall=number)


def _name(number: int, blockers: Blockers) -> Blocked:
    boxes = len(blockers.boxes)
    return Blocked(box=number) if number < boxes else Blocked(body=number - boxes)


def visible(board: Board, eye: Point, blockers: Blockers, heights: Heights = LEVEL) -> Mask:
    """The cells whose centre a point sees; a body never hides its own cells from outside it.

    A body that holds the eye hides nothing: nobody hides himself.
    """
    return lit(board, [sight.darkness(lattice, eye, heights, blockers) for lattice in lattices(board)])
