"""Movement without cells: the reach of a round base among walls and other bases.

A base keeps its whole disc clear, so its center moves among obstacles grown by its radius. There is no grid,
and no polygons replace the circles: the cost of a path is correct to a millionth of a 64th of an inch, and
the outline of a reach to one 64th. The kernel has the search (`python_gridless`) and the outlines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from enfilade.geometry.board.base import Point
from enfilade.geometry.board.shapes import WallShape
from enfilade.geometry.kernel import gridless, outlines
from enfilade.geometry.kernel.python_gridless import Arrival, Tangent
from enfilade.geometry.kernel.python_obstacles import CLOSE as CLOSE
from enfilade.geometry.kernel.python_obstacles import Obstacle
from enfilade.geometry.movement.round_bases import Base, GridlessBoard, RoundBase

distance_to, is_clear = gridless.distance_to, gridless.is_clear
"""The kernel's questions about an obstacle, for what else is moved without cells."""


def near(
    board: GridlessBoard, base: RoundBase, budget: int, walls: Iterable[WallShape], others: Iterable[Base]
) -> list[Obstacle]:
    """Return the obstacles that a base can meet within a budget, including the edge of the board.

    An obstacle that the base overlaps at its start is shrunk until it only touches, so that it may leave.
    """
    x, y, width, height = *base.at, board.width, board.height
    far = budget + base.radius
    left, right, top, bottom = x - far, x + far, y - far, y + far
    edges = ((0, 0, width, 0), (width, 0, width, height), (width, height, 0, height), (0, height, 0, 0))
    grown = [(edge, base.radius) for edge in edges]
    for wall in walls:
        x1, y1, x2, y2 = line = wall.line
        # Most walls and bases are far away, so the cheap tests come first.
        if (x1 > right and x2 > right) or (x1 < left and x2 < left):
            continue
        if (y1 > bottom and y2 > bottom) or (y1 < top and y2 < top):
            continue
        if wall.stops_movement and not wall.is_open:
            grown.append((line, base.radius))
    close = [other for other in others if _may_be_within(other, x, y, far)]
    grown += [(edge, base.radius + other.radius) for other in close for edge in other.edges]
    found = ((line, radius, distance_to(x, y, *line)) for line, radius in grown)
    return sorted({Obstacle(*line, min(r, apart)) for line, r, apart in found if apart < budget + r})


def _may_be_within(base: Base, x: int, y: int, far: int) -> bool:
    """Return whether a base may be within a distance of a point, by a cheap test."""
    size = far + (base.radius if isinstance(base, RoundBase) else 2 * base.half)
    return abs(base.at[0] - x) <= size and abs(base.at[1] - y) <= size


class Leg(NamedTuple):
    """A part of a path in 64ths of an inch: a straight line, or an arc around `center` (None if straight).

    `is_clockwise` is the direction of the arc on the screen.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    length: float
    center: tuple[float, float] | None = None
    is_clockwise: bool = False


class Outline(NamedTuple):
    """A region of a gridless board: closed rings, and the lines of its border that no obstacle makes.

    Each is x, y, x, y, ... in 64ths of an inch. Rings may overlap and all go clockwise on the board: a point
    is in the region if one of them goes around it (the fill rule "nonzero").
    """

    rings: tuple[tuple[int, ...], ...]
    lines: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class GridlessField:
    """The reach of a round base within a budget, in 64ths of an inch.

    Attributes:
        board: the board, which the whole base stays on.
        base: the mover at its start. It may leave an obstacle that it overlaps, but not enter it.
        budget: the greatest length of a path.
        walls: the walls; open doors, and walls that stop only sight, are ignored.
        others: the bases it must not overlap; leave out those of friends that it may pass.

    Raises ValueError if the budget is below 0.
    """

    board: GridlessBoard
    base: RoundBase
    budget: int
    walls: Iterable[WallShape] = ()
    others: Iterable[Base] = ()
    _obstacles: list[Obstacle] = field(init=False)
    _search: gridless.Search = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.budget, int) or self.budget < 0:
            raise ValueError(f"A budget is an integer from 0 up, not {self.budget!r}.")
        self._obstacles = near(self.board, self.base, self.budget, self.walls, self.others)
        self._search = gridless.Search(self._obstacles, self.base.at, self.budget)

    def cost(self, point: Point) -> float | None:
        """Return the length of the shortest path of the base's center to a point; None if out of reach."""
        return self.costs([point])[0]

    def costs(self, points: Sequence[Point]) -> list[float | None]:
        """Return the length of the shortest path to each of some points; None if out of reach."""
        costs = self._search.costs(points)
        return [cost if at in self.board else None for at, cost in zip(points, costs, strict=True)]

    def legs(self, point: Point) -> list[Leg]:
        """Return the lines and arcs of the shortest path to a point. Raises KeyError if out of reach."""
        last = self._search.arrive(point) if point in self.board else None
        if last is None:
            raise KeyError(point)
        legs: list[Leg] = []
        while last.tangent is not None:
            line, before = last.tangent, self._search.arrivals[last.before]
            legs.append(Leg(line.start, line.end, line.length))
            if before.tangent is not None:
                legs.append(self._arc(before, before.tangent, line))
            last = before
        return [leg for leg in reversed(legs) if leg.length > CLOSE]

    def _arc(self, arrival: Arrival, came: Tangent, leaves: Tangent) -> Leg:
        x, y, radius = self._search.discs[arrival.disc]
        length = radius * gridless.turned(arrival, radius, leaves.leaves)
        return Leg(came.end, leaves.start, length, (x, y), arrival.turn > 0)

    def outline(self) -> Outline:
        """Return the region of the places that the base's center can reach."""
        return outline([self])


def circles(board: GridlessBoard, bases: Iterable[RoundBase]) -> Outline:
    """Return the region that round bases cover together, cut at the edge of the board."""
    return outline([GridlessField(board, RoundBase(base.at, 0), base.radius) for base in bases])


def outline(fields: Sequence[GridlessField]) -> Outline:
    """Return the region that the centers of some bases can reach together."""
    rings, lines = outlines.outline([reach._search for reach in fields])
    return Outline(tuple(rings), tuple(lines))
