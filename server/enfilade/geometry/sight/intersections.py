"""The first intersection of a line of sight with one blocker, as an exact fraction of the line."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from enfilade.geometry.board.base import Corners, Point
from enfilade.geometry.board.predicates import crosses, misses, side_of, touches
from enfilade.geometry.board.shapes import Body, WallShape, is_faced
from enfilade.geometry.sight.blockers import CLOSED, Blockers, Heights, TouchRule
from enfilade.geometry.sight.shadows import margins

Span = tuple[Fraction, Fraction]
"""The part of a line from one fraction of its length to another."""


class Intersection(NamedTuple):
    """The stop of a line, and the number of the wall or body; neither if two bodies stop it together."""

    fraction: Fraction
    wall: int | None = None
    body: int | None = None


START, END = Fraction(0), Fraction(1)


def wall_intersections(a: Point, b: Point, heights: Heights, blockers: Blockers) -> Iterator[Intersection]:
    """Yield the walls that stop the line; of the limited ones, the second it meets."""
    limited = []
    for number, wall in blockers.walls_between(a, b):
        if _is_beside(a, b, wall):
            continue
        hit = meets_wall(a, b, heights, wall, blockers.touch_rule)
        if hit is not None and wall.sight == "limited":
            limited.append(Intersection(hit, wall=number))
        elif hit is not None:
            yield Intersection(hit, wall=number)
    yield from sorted(limited)[1:2]


def body_intersections(a: Point, b: Point, heights: Heights, blockers: Blockers) -> Iterator[Intersection]:
    """Yield the bodies that stop the line, and the joints where two of them do so together."""
    near = [
        (i, body)
        for i, body in blockers.bodies_between(a, b)
        if not all(misses(a, b, part, 0) for part in body.parts)
    ]
    around_ends = {i for i, body in near if body.contains(a) or body.contains(b)}
    for number, body in near:
        if number in around_ends:
            continue
        hit = meets_body(a, b, heights, body, blockers.touch_rule)
        if hit is not None:
            yield Intersection(hit, body=number)
    for wall, bodies, is_seam in blockers.joints:
        if around_ends.isdisjoint(bodies):
            hit = runs_along(a, b, heights, wall) if is_seam else meets_wall(a, b, heights, wall, CLOSED)
            if hit is not None:
                yield Intersection(hit)


def _is_beside(a: Point, b: Point, wall: WallShape) -> bool:
    """Return whether a wall lies wholly on one side of the line through two points: most walls do."""
    x1, y1, x2, y2 = wall.line
    dx, dy = b[0] - a[0], b[1] - a[1]
    one, other = dx * (y1 - a[1]) - dy * (x1 - a[0]), dx * (y2 - a[1]) - dy * (x2 - a[0])
    return one > 0 < other or one < 0 > other


def meets_wall(a: Point, b: Point, heights: Heights, wall: WallShape, rule: TouchRule) -> Fraction | None:
    """Return the fraction at which the line from a to b meets a wall that stops it, or None."""
    ends = (wall.line[:2], wall.line[2:])
    meets = touches(a, b, *ends) if rule.wall == "blocks" else crosses(a, b, *ends)
    if not meets or not is_faced(wall, a, b):
        return None
    first, second = side_of(*ends, a), side_of(*ends, b)
    if first != second:  # they meet in one point, which is on the line
        at = Fraction(first, first - second)
        return _within_heights((at, at), heights, wall, 0)
    low, high = _fraction_at(a, b, ends[0]), _fraction_at(a, b, ends[1])
    if a == b:  # straight up or down
        low, high = START, END
    return _within_heights((max(START, min(low, high)), min(END, max(low, high))), heights, wall, 0)


def runs_along(a: Point, b: Point, heights: Heights, wall: WallShape) -> Fraction | None:
    """Return the fraction at which the line from a to b begins to run along a seam, or None.

    A line that only crosses the seam does not run along it.
    """
    ends = (wall.line[:2], wall.line[2:])
    if a == b or side_of(a, b, ends[0]) or side_of(a, b, ends[1]):
        return None
    low, high = sorted(_fraction_at(a, b, end) for end in ends)
    return _within_heights((max(START, low), min(END, high)), heights, wall, 1)


def meets_body(a: Point, b: Point, heights: Heights, body: Body, rule: TouchRule) -> Fraction | None:
    """Return the fraction at which the line from a to b enters a body, or touches a closed one, or None."""
    slack = 0 if rule.body == "blocks" else 1
    fractions = []
    for part in body.parts:
        span = _span_inside(a, b, part, slack)
        found = span and _within_heights(span, heights, body, slack)
        if found is not None:
            fractions.append(found)
    return min(fractions, default=None)


def _fraction_at(a: Point, b: Point, p: Point) -> Fraction:
    """Return the fraction from a to b at which a point of their line lies; 0 if a and b are the same."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    return Fraction((p[0] - a[0]) * dx + (p[1] - a[1]) * dy, length) if length else START


def _span_inside(a: Point, b: Point, corners: Corners, slack: int) -> Span | None:
    """Return the part of the line inside a convex shape, whose corners go clockwise (Cyrus and Beck)."""
    span: Span | None = (START, END)
    for i in range(len(corners)):
        at_a, at_b = side_of(corners[i - 1], corners[i], a), side_of(corners[i - 1], corners[i], b)
        span = _narrow(span, at_a, at_b, slack) if span else None
    return span


def _within_heights(span: Span, heights: Heights, blocker: WallShape | Body, slack: int) -> Fraction | None:
    """Return the first fraction in a span at which the line is at a blocker's height, or None."""
    inside: Span | None = span
    for at_eye, at_point in margins(blocker, heights):
        inside = _narrow(inside, at_eye, at_point, slack) if inside else None
    return inside[0] if inside and (inside[0] < inside[1] or not slack) else None


def _narrow(span: Span, at_a: int, at_b: int, slack: int) -> Span | None:
    """Return the part of a span where a value from at_a to at_b is at least 0, or above 0 with slack."""
    low, high = span
    if at_a < slack and at_b < slack:
        return None
    if at_a < 0:
        low = max(low, Fraction(at_a, at_a - at_b))
    elif at_b < 0:
        high = min(high, Fraction(at_a, at_a - at_b))
    return (low, high) if low < high or (low == high and not slack) else None
