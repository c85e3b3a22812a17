"""Where a line of sight first meets one blocker, exactly, as a fraction of its way from eye to point."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from enfilade.geometry.board.bodies import Body
from enfilade.geometry.board.predicates import crosses, misses, side_of, touches
from enfilade.geometry.board.units import Corners, Point
from enfilade.geometry.board.walls import Wall
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.shadows import Heights, margins
from enfilade.geometry.sight.touching import CLOSED, Touching

Span = tuple[Fraction, Fraction]
"""From which fraction of a line's way to which."""


class Stop(NamedTuple):
    """Something that stops a line, and where: a wall, a body, or neither where two bodies meet."""

    way: Fraction
    wall: int | None = None
    body: int | None = None


START, END = Fraction(0), Fraction(1)


def walls_met(a: Point, b: Point, heights: Heights, blockers: Blockers) -> Iterator[Stop]:
    """The walls that stop the line; of the limited ones, the second it meets."""
    limited = []
    for number, wall in blockers.walls_before(a):
        if _is_beside(a, b, wall):
            continue
        way = meets_wall(a, b, heights, wall, blockers.touching)
        if way is not None and wall.sight == "limited":
            limited.append(Stop(way, wall=number))
        elif way is not None:
            yield Stop(way, wall=number)
    yield from sorted(limited)[1:2]


def bodies_met(a: Point, b: Point, heights: Heights, blockers: Blockers) -> Iterator[Stop]:
    """The bodies that stop the line, and the places where two of them together do."""
    near = [(i, body) for i, body in enumerate(blockers.all_bodies) if _comes_near(a, b, body)]
    holding = {i for i, body in near if body.holds(a) or body.holds(b)}
    for number, body in near:
        way = None if number in holding else meets_body(a, b, heights, body, blockers.touching)
        if way is not None:
            yield Stop(way, body=number)
    for wall, bodies, is_seam in blockers.joints:
        if holding.isdisjoint(bodies):
            way = runs_along(a, b, heights, wall) if is_seam else meets_wall(a, b, heights, wall, CLOSED)
            if way is not None:
                yield Stop(way)


def _is_beside(a: Point, b: Point, wall: Wall) -> bool:
    """Whether a wall lies wholly on one side of the line through two points: most do."""
    x1, y1, x2, y2 = wall.line
    dx, dy = b[0] - a[0], b[1] - a[1]
    one, other = dx * (y1 - a[1]) - dy * (x1 - a[0]), dx * (y2 - a[1]) - dy * (x2 - a[0])
    return one > 0 < other or one < 0 > other


def _comes_near(a: Point, b: Point, body: Body) -> bool:
    return not all(misses(a, b, part, 0) for part in body.parts)


def meets_wall(a: Point, b: Point, heights: Heights, wall: Wall, touching: Touching) -> Fraction | None:
    """Where the line from a to b meets a wall that stops lines from that side, or None."""
    ends = (wall.line[:2], wall.line[2:])
    meets = touches(a, b, *ends) if touching.wall == "blocks" else crosses(a, b, *ends)
    if not meets or not wall.faces(a, b):
        return None
    low, high = _along(a, b, ends[0]), _along(a, b, ends[1])
    first, second = side_of(*ends, a), side_of(*ends, b)
    if first != second:
        low = high = Fraction(first, first - second)
    if a == b:  # straight up or down
        low, high = START, END
    return _within_heights((max(START, min(low, high)), min(END, max(low, high))), heights, wall, 0)


def runs_along(a: Point, b: Point, heights: Heights, seam: Wall) -> Fraction | None:
    """Where the line from a to b begins to run along a seam, or None; crossing one is nothing."""
    ends = (seam.line[:2], seam.line[2:])
    if a == b or side_of(a, b, ends[0]) or side_of(a, b, ends[1]):
        return None
    low, high = sorted(_along(a, b, end) for end in ends)
    return _within_heights((max(START, low), min(END, high)), heights, seam, 1)


def meets_body(a: Point, b: Point, heights: Heights, body: Body, touching: Touching) -> Fraction | None:
    """Where the line from a to b enters a body (or touches it, if that is the rule), or None."""
    slack = 0 if touching.body == "blocks" else 1
    met = []
    for part in body.parts:
        span = _span_inside(a, b, part, slack)
        found = span and _within_heights(span, heights, body, slack)
        if found is not None:
            met.append(found)
    return min(met, default=None)


def _along(a: Point, b: Point, p: Point) -> Fraction:
    """How far along the way from a to b a point of its line lies; 0 where there is no way."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    return Fraction((p[0] - a[0]) * dx + (p[1] - a[1]) * dy, length) if length else START


def _span_inside(a: Point, b: Point, corners: Corners, slack: int) -> Span | None:
    """The part of the way inside a convex shape, whose corners go clockwise (Cyrus and Beck)."""
    span: Span | None = (START, END)
    for i in range(len(corners)):
        at_a, at_b = side_of(corners[i - 1], corners[i], a), side_of(corners[i - 1], corners[i], b)
        span = _narrow(span, at_a, at_b, slack) if span else None
    return span


def _within_heights(span: Span, heights: Heights, blocker: Wall | Body, slack: int) -> Fraction | None:
    """Where on a part of its way a line is between a blocker's bottom and its top, or None."""
    inside: Span | None = span
    for at_eye, at_point in margins(blocker, heights):
        inside = _narrow(inside, at_eye, at_point, slack) if inside else None
    return inside[0] if inside and (inside[0] < inside[1] or not slack) else None


def _narrow(span: Span, at_a: int, at_b: int, slack: int) -> Span | None:
    """The part of a span where what is at_a at the start and at_b at the end is not (or over) nothing."""
    low, high = span
    if at_a < slack and at_b < slack:
        return None
    if at_a < 0:
        low = max(low, Fraction(at_a, at_a - at_b))
    elif at_b < 0:
        high = min(high, Fraction(at_a, at_a - at_b))
    return (low, high) if low < high or (low == high and not slack) else None
