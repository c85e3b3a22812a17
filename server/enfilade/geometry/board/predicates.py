"""Exact predicates on points and segments: the side of a line, touching, crossing, running along.

Everything is a whole number, so every answer is exact; the products grow as the square of the board.
"""

from __future__ import annotations

from enfilade.geometry.board.units import Corners, Point


def side_of(a: Point, b: Point, p: Point) -> int:
    """Twice the signed area of a, b, p: positive to the right of the way from a to b, 0 on its line."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def touches(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two closed segments have a point in common."""
    s1, s2 = side_of(a, b, c), side_of(a, b, d)
    if s1 > 0 < s2 or s1 < 0 > s2:
        return False
    s3, s4 = side_of(c, d, a), side_of(c, d, b)
    return not (s3 > 0 < s4 or s3 < 0 > s4) and _spans_overlap(a, b, c, d)


def _spans_overlap(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the boxes round two segments meet."""
    return max(min(a[0], b[0]), min(c[0], d[0])) <= min(max(a[0], b[0]), max(c[0], d[0])) and max(
        min(a[1], b[1]), min(c[1], d[1])
    ) <= min(max(a[1], b[1]), max(c[1], d[1]))


def crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments cross at a point inside both."""
    s1, s2 = side_of(a, b, c), side_of(a, b, d)
    s3, s4 = side_of(c, d, a), side_of(c, d, b)
    return (s1 > 0 > s2 or s1 < 0 < s2) and (s3 > 0 > s4 or s3 < 0 < s4)


def overlaps(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments lie along each other for more than a point."""
    if a == b or side_of(a, b, c) or side_of(a, b, d):
        return False
    return max(min(a, b), min(c, d)) < min(max(a, b), max(c, d))


def misses(a: Point, b: Point, corners: Corners, slack: int) -> bool:
    """Whether a segment stays out of a convex shape, its corners clockwise.

    It does where an edge has both of its ends outside, or where it has all corners on one side. With a
    slack of 1 touching the shape is still missing it, with 0 it is not.
    """
    sides = [side_of(a, b, corner) for corner in corners]
    if max(sides) < slack or min(sides) > -slack:
        return True
    edges = zip(corners, corners[1:] + corners[:1], strict=True)
    return any(side_of(p, q, a) < slack and side_of(p, q, b) < slack for p, q in edges)
