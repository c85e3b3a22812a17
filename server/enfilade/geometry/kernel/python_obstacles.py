"""Discs and obstacles of gridless movement: where a line or a circle meets a segment grown by a radius.

Touching is allowed, to within `CLOSE`. All lengths are 64ths of an inch, angles radians from the right,
clockwise on the board.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, Protocol

CLOSE = 1e-6
"""The greatest difference of lengths that count as equal, in 64ths of an inch."""
TURN = 2 * math.pi
KEPT = 4096
"""How many facts about two obstacles are kept from one answer to the next."""

Place = tuple[float, float]


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


class Disc(NamedTuple):
    """A round end of an obstacle, or a point if the radius is 0."""

    x: float
    y: float
    radius: float


Box = tuple[float, float, float, float, float, tuple[float, float, float, float]]
"""The right, left, lower and upper bound of an obstacle, its radius without `CLOSE`, and its segment."""


def discs_of(obstacles: Iterable[Obstacle], start: Place) -> list[Disc]:
    """Return the start as a disc of radius 0, and the round ends of obstacles, each once."""
    ends = {Disc(x, y, o.radius) for o in obstacles for x, y in ((o.x1, o.y1), (o.x2, o.y2))}
    return [Disc(*start, 0.0), *sorted(ends)]


def distance_to(x: float, y: float, x1: float, y1: float, x2: float, y2: float) -> float:
    """Return the distance from a point to a segment."""
    dx, dy, px, py = x2 - x1, y2 - y1, x - x1, y - y1
    along = px * dx + py * dy
    if along <= 0:
        return math.hypot(px, py)
    length = dx * dx + dy * dy
    if along >= length:
        return math.hypot(x - x2, y - y2)
    along /= length
    return math.hypot(px - along * dx, py - along * dy)


def boxed(obstacle: Obstacle) -> Box:
    """Return an obstacle with the bounds of what it is in the way of."""
    x1, y1, x2, y2, radius = obstacle
    r = radius - CLOSE
    left, right = (x1, x2) if x1 < x2 else (x2, x1)
    top, bottom = (y1, y2) if y1 < y2 else (y2, y1)
    return right + r, left - r, bottom + r, top - r, r, (x1, y1, x2, y2)


def is_clear(obstacles: Iterable[Obstacle], x1: float, y1: float, x2: float, y2: float) -> bool:
    """Return whether a straight line stays outside all obstacles."""
    left, right = (x1, x2) if x1 < x2 else (x2, x1)
    top, bottom = (y1, y2) if y1 < y2 else (y2, y1)
    for ax, ay, bx, by, radius in obstacles:
        r = radius - CLOSE
        low, high = left - r, right + r
        if (ax < low and bx < low) or (ax > high and bx > high):
            continue
        low, high = top - r, bottom + r
        if (ay < low and by < low) or (ay > high and by > high):
            continue
        if is_nearer(r, x1, y1, x2, y2, ax, ay, bx, by):
            return False
    return True


def is_nearer(
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


def blocked_arcs(disc: Disc, obstacles: Iterable[Obstacle]) -> list[tuple[float, float]]:
    """Return the parts of a circle inside obstacles, as (first angle, length of the arc as an angle)."""
    x, y, radius = disc
    arcs: list[tuple[float, float]] = []
    for obstacle in obstacles:
        x1, y1, x2, y2, size = obstacle
        near = radius + size
        left, right, top, bottom = x - near, x + near, y - near, y + near
        if (x1 < left and x2 < left) or (x1 > right and x2 > right):
            continue
        if (y1 < top and y2 < top) or (y1 > bottom and y2 > bottom):
            continue
        if distance_to(x, y, x1, y1, x2, y2) < near - CLOSE:
            arcs += _arcs_inside(disc, obstacle)
    return arcs


@lru_cache(maxsize=KEPT)
def _arcs_inside(disc: Disc, obstacle: Obstacle) -> tuple[tuple[float, float], ...]:
    """Return the parts of a circle inside an obstacle.

    A circle enters or leaves an obstacle only where it meets the outline. Between two such points it is
    wholly inside or outside, so a test of the midpoint is enough.
    """
    arcs = []
    angles = sorted({angle % TURN for angle in meetings(disc, obstacle)}) or [0.0]
    for first, last in zip(angles, [*angles[1:], angles[0] + TURN], strict=True):
        middle = (first + last) / 2
        x, y = disc.x + disc.radius * math.cos(middle), disc.y + disc.radius * math.sin(middle)
        if distance_to(x, y, *obstacle[:4]) < obstacle.radius - CLOSE:
            arcs.append((first, last - first))
    return tuple(arcs)


def meetings(disc: Circle, obstacle: Obstacle) -> Iterator[float]:
    """Yield the angles at which a circle meets an obstacle's outline, or an extension of its sides."""
    x1, y1, x2, y2, radius = obstacle
    for x, y in ((x1, y1), (x2, y2)):
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
