"""The gridless board: miniatures on round or square bases, measured in inches from edge to edge.

One inch is 64 units, as one cell is elsewhere. Distances are rounded up to the next 64th, so "within 8
inches" is exactly `gap(...) <= 8 * 64`, with no rounding in either player's favor.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from enfilade.geometry.board.arcs import compass_vector
from enfilade.geometry.board.base import Point, Segment
from enfilade.geometry.board.predicates import are_integers


@dataclass(frozen=True, slots=True)
class RoundBase:
    """A disc with its center and radius in 64ths of an inch. Raises ValueError for a radius below 0."""

    at: Point
    radius: int

    def __post_init__(self) -> None:
        _check_base(self.at, self.radius)

    @property
    def edges(self) -> tuple[Segment, ...]:
        """The lines that the base rounds: its center alone."""
        return ((*self.at, *self.at),)

    def contains(self, point: Point) -> bool:
        """Return whether a point lies on the base or on its edge."""
        return math.dist(self.at, point) <= self.radius


@dataclass(frozen=True, slots=True)
class SquareBase:
    """A square with its center, half its side in 64ths of an inch, and a facing in compass degrees.

    The corners of a rotated square are rounded to the nearest 64th. Raises ValueError for a size below 0.
    """

    at: Point
    half: int
    facing: int = 0
    radius = 0

    def __post_init__(self) -> None:
        _check_base(self.at, self.half)

    @property
    def corners(self) -> tuple[Point, ...]:
        """The four corners, clockwise."""
        (ux, uy), (x, y) = compass_vector(self.facing), self.at
        size = math.hypot(ux, uy)
        fx, fy = self.half * ux / size, self.half * uy / size
        around = ((fx + fy, fy - fx), (fx - fy, fy + fx), (-fx - fy, fx - fy), (fy - fx, -fx - fy))
        return tuple((x + round(dx), y + round(dy)) for dx, dy in around)

    @property
    def edges(self) -> tuple[Segment, ...]:
        """The four sides."""
        ring = (*self.corners, self.corners[0])
        return tuple((*a, *b) for a, b in pairwise(ring))

    def contains(self, point: Point) -> bool:
        """Return whether a point lies on the base or on its edge."""
        x, y = point
        return all((x2 - x1) * (y - y1) >= (y2 - y1) * (x - x1) for x1, y1, x2, y2 in self.edges)


def _check_base(at: Point, size: int) -> None:
    if not are_integers(at):
        raise ValueError(f"A base stands at integer coordinates, not {at}.")
    if not isinstance(size, int) or size < 0:
        raise ValueError(f"The size of a base is an integer from 0 up, not {size!r}.")


Base = RoundBase | SquareBase


@dataclass(frozen=True, slots=True)
class GridlessBoard:
    """A board of `width` by `height` 64ths of an inch. Raises ValueError if either is not above 0."""

    width: int
    height: int

    def __post_init__(self) -> None:
        for side in (self.width, self.height):
            if not isinstance(side, int) or side <= 0:
                raise ValueError(f"The side of a gridless board is an integer above 0, not {side!r}.")

    def __contains__(self, point: Point) -> bool:
        return 0 <= point[0] <= self.width and 0 <= point[1] <= self.height

    def direction(self, angle: int) -> Point:
        """Return a vector along a compass angle; exact for multiples of 45 degrees."""
        return compass_vector(angle)


def gap(a: Base, b: Base) -> int:
    """Return the distance from edge to edge in 64ths of an inch, rounded up; 0 if bases touch or overlap."""
    if isinstance(a, RoundBase) and isinstance(b, RoundBase):
        across, down = a.at[0] - b.at[0], a.at[1] - b.at[1]
        return max(0, _root_up(across * across + down * down) - a.radius - b.radius)
    if a.contains(b.at) or b.contains(a.at):
        return 0
    nearest = min(_gap_of_edges(one, other) for one in a.edges for other in b.edges)
    return max(0, nearest - a.radius - b.radius)


def _gap_of_edges(a: Segment, b: Segment) -> int:
    if _cross(a, b):
        return 0
    ends = [(a[:2], b), (a[2:], b), (b[:2], a), (b[2:], a)]
    return min(_gap_to_line(point, line) for point, line in ends)


def _cross(a: Segment, b: Segment) -> bool:
    def side(line: Segment, x: int, y: int) -> int:
        return (line[2] - line[0]) * (y - line[1]) - (line[3] - line[1]) * (x - line[0])

    return side(a, *b[:2]) * side(a, *b[2:]) < 0 and side(b, *a[:2]) * side(b, *a[2:]) < 0


def _gap_to_line(point: Point, line: Segment) -> int:
    """Return the distance from a point to a segment, rounded up."""
    x1, y1, x2, y2 = line
    dx, dy, px, py = x2 - x1, y2 - y1, point[0] - x1, point[1] - y1
    length, along = dx * dx + dy * dy, dx * px + dy * py
    if along <= 0:
        return _root_up(px * px + py * py)
    if along >= length:
        return _root_up((point[0] - x2) ** 2 + (point[1] - y2) ** 2)
    turn = dx * py - dy * px
    return _root_up(-(-turn * turn // length))


def _root_up(square: int) -> int:
    root = math.isqrt(square)
    return root if root * root == square else root + 1
