"""The board without cells: miniatures on round or square bases, measured in inches from edge to edge.

One inch is 64 units, as one cell is elsewhere. Distances are rounded up to the next 64th, so that "within
8 inches" is `gap(...) <= 8 * 64`, exactly, with no rounding in anybody's favour.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from enfilade.geometry.board.arcs import compass_vector
from enfilade.geometry.board.units import Point, Segment


@dataclass(frozen=True, slots=True)
class RoundBase:
    """A disc, by its centre and radius in 64ths of an inch."""

    at: Point
    radius: int

    @property
    def edges(self) -> tuple[Segment, ...]:
        """What the base is a rounded line of: its centre."""
        return ((*self.at, *self.at),)

    def contains(self, point: Point) -> bool:
        """Whether a point lies on the base, its edge included."""
        return math.dist(self.at, point) <= self.radius


@dataclass(frozen=True, slots=True)
class SquareBase:
    """A square, by its centre, half its side in 64ths of an inch, and a facing in compass degrees.

    Corners of a square that stands askew are rounded to the next 64th.
    """

    at: Point
    half: int
    facing: int = 0
    radius = 0

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
        """Whether a point lies on the base, its edge included."""
        x, y = point
        return all((x2 - x1) * (y - y1) >= (y2 - y1) * (x - x1) for x1, y1, x2, y2 in self.edges)


Base = RoundBase | SquareBase


@dataclass(frozen=True, slots=True)
class GridlessBoard:
    """A board of `width` by `height` 64ths of an inch."""

    width: int
    height: int

    def __contains__(self, point: Point) -> bool:
        return 0 <= point[0] <= self.width and 0 <= point[1] <= self.height

    def direction(self, angle: int) -> Point:
        """A vector along a compass angle; exact for multiples of 45 degrees."""
        return compass_vector(angle)


def gap(a: Base, b: Base) -> int:
    """From edge to edge in 64ths of an inch, rounded up; 0 where bases touch or overlap."""
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
    """The distance from a point to a segment, rounded up: the least g with g squared no less than it."""
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
