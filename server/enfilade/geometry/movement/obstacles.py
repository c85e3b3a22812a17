"""The obstacles of a round base: lines and points grown by a radius, and the test whether a path clears them.

Only this module and `gridless`, which calls it, use floating point: circles and lines have no common measure.
Touching is allowed, to within `CLOSE`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.movement.round_bases import Base, GridlessBoard, RoundBase

CLOSE = 1e-6
"""The greatest difference of lengths that count as equal, in 64ths of an inch."""

TURN = 2 * math.pi


class Circle(Protocol):
    """A circle."""

    @property
    def x(self) -> float:
        """Of its center."""

    @property
    def y(self) -> float:
        """Of its center."""

    @property
    def radius(self) -> float:
        """In 64ths of an inch."""


class Obstacle(NamedTuple):
    """A segment (or, with equal ends, a point) grown by a radius."""

    x1: float
    y1: float
    x2: float
    y2: float
    radius: float

    @property
    def ends(self) -> tuple[tuple[float, float], ...]:
        """The ends of the segment."""
        return ((self.x1, self.y1), (self.x2, self.y2))


def near(
    board: GridlessBoard, base: RoundBase, budget: int, walls: Iterable[Wall], others: Iterable[Base]
) -> list[Obstacle]:
    """Return the obstacles that a base can meet within a budget, including the edge of the board."""
    x, y, width, height = *base.at, board.width, board.height
    lines = [(0, 0, width, 0), (width, 0, width, height), (width, height, 0, height), (0, height, 0, 0)]
    lines += [wall.line for wall in walls if wall.stops_movement and not wall.is_open]
    grown = [(line, base.radius) for line in lines]
    grown += [(edge, base.radius + other.radius) for other in others for edge in other.edges]
    found = set()
    for line, radius in grown:
        distance = distance_to(x, y, *line)
        if distance < budget + radius:
            found.add(Obstacle(*line, min(radius, distance)))
    return sorted(found)


def distance_to(x: float, y: float, x1: float, y1: float, x2: float, y2: float) -> float:
    """Return the distance from a point to a segment."""
    dx, dy = x2 - x1, y2 - y1
    length = dx * dx + dy * dy
    along = ((x - x1) * dx + (y - y1) * dy) / length if length else 0.0
    along = min(1.0, max(0.0, along))
    return math.hypot(x - x1 - along * dx, y - y1 - along * dy)


def is_clear(obstacles: Iterable[Obstacle], x1: float, y1: float, x2: float, y2: float) -> bool:
    """Return whether a straight line stays outside all obstacles."""
    left, right, top, bottom = min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)
    for ax, ay, bx, by, radius in obstacles:
        r = radius - CLOSE
        if (ax < left - r and bx < left - r) or (ax > right + r and bx > right + r):
            continue
        if (ay < top - r and by < top - r) or (ay > bottom + r and by > bottom + r):
            continue
        if _is_nearer(r, x1, y1, x2, y2, ax, ay, bx, by):
            return False
    return True


def _is_nearer(
    r: float, x1: float, y1: float, x2: float, y2: float, ax: float, ay: float, bx: float, by: float
) -> bool:
    """Return whether two segments come nearer than r, or cross."""
    dx, dy, ex, ey = x2 - x1, y2 - y1, bx - ax, by - ay
    s1, s2 = dx * (ay - y1) - dy * (ax - x1), dx * (by - y1) - dy * (bx - x1)
    s3, s4 = ex * (y1 - ay) - ey * (x1 - ax), ex * (y2 - ay) - ey * (x2 - ax)
    if s1 * s2 < 0 and s3 * s4 < 0:
        return True
    return r > 0 and (
        distance_to(x1, y1, ax, ay, bx, by) < r
        or distance_to(x2, y2, ax, ay, bx, by) < r
        or distance_to(ax, ay, x1, y1, x2, y2) < r
        or distance_to(bx, by, x1, y1, x2, y2) < r
    )


def blocked_arcs(disc: Circle, obstacles: Iterable[Obstacle]) -> list[tuple[float, float]]:
    """Return the parts of a circle inside other obstacles, as (first angle, length of the arc as an angle).

    A circle enters or leaves an obstacle only where it meets the outline. Between two such points it is
    wholly inside or outside, so a test of the midpoint is enough.
    """
    arcs = []
    for obstacle in obstacles:
        if distance_to(disc.x, disc.y, *obstacle[:4]) >= disc.radius + obstacle.radius - CLOSE:
            continue
        meetings = sorted({angle % TURN for angle in _meetings(disc, obstacle)}) or [0.0]
        for first, last in zip(meetings, [*meetings[1:], meetings[0] + TURN], strict=True):
            middle = (first + last) / 2
            x, y = disc.x + disc.radius * math.cos(middle), disc.y + disc.radius * math.sin(middle)
            if distance_to(x, y, *obstacle[:4]) < obstacle.radius - CLOSE:
                arcs.append((first, last - first))
    return arcs


def arc_is_clear(blocked: Iterable[tuple[float, float]], first: float, angle: float) -> bool:
    """Return whether the arc that begins at an angle, clockwise on the board, overlaps no blocked arc."""
    for start, length in blocked:
        offset = (start - first) % TURN
        if offset < angle - 1e-7 or offset + length > TURN + 1e-7:
            return False
    return True


def _meetings(disc: Circle, obstacle: Obstacle) -> Iterator[float]:
    """Yield the angles at which a circle meets an obstacle's outline, or an extension of its sides."""
    x1, y1, x2, y2, radius = obstacle
    for x, y in obstacle.ends:
        yield from _meet_circle(disc, x - disc.x, y - disc.y, radius)
    length = math.hypot(x2 - x1, y2 - y1)
    if length:
        across = math.atan2(x1 - x2, y2 - y1) % TURN  # perpendicular to the segment
        offset = (x1 - disc.x) * math.cos(across) + (y1 - disc.y) * math.sin(across)
        for side in (offset - radius, offset + radius):
            yield from _around(across, side, disc.radius)


def _meet_circle(disc: Circle, dx: float, dy: float, radius: float) -> Iterator[float]:
    distance = math.hypot(dx, dy)
    if distance:
        along = (disc.radius**2 + distance**2 - radius**2) / (2 * distance)
        yield from _around(math.atan2(dy, dx), along, disc.radius)


def _around(angle: float, along: float, radius: float) -> Iterator[float]:
    """Yield the two angles at which a circle is so far along a direction; the same one twice for a tangent.

    An extra meeting does no harm and a missed one would, so a circle that nearly touches counts as touching.
    """
    if radius and abs(along) <= radius + CLOSE:
        half = math.acos(max(-1.0, min(1.0, along / radius)))
        yield angle - half
        yield angle + half
