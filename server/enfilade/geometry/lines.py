"""Exact predicates on points and segments: the side of a line, touching, crossing, entering.

Everything is a whole number, so every answer is exact; the products grow as the square of the board.
"""

from __future__ import annotations

from enfilade.geometry.units import Box, Point


def side_of(a: Point, b: Point, p: Point) -> int:
    """Twice the signed area of a, b, p: positive to the right of the way from a to b, 0 on its line."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _spans_overlap(a: Point, b: Point, c: Point, d: Point) -> bool:
    return all(max(min(a[i], b[i]), min(c[i], d[i])) <= min(max(a[i], b[i]), max(c[i], d[i])) for i in (0, 1))


def touches(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two closed segments have a point in common."""
    if not _spans_overlap(a, b, c, d):
        return False
    s1, s2, s3, s4 = side_of(a, b, c), side_of(a, b, d), side_of(c, d, a), side_of(c, d, b)
    return not (s1 > 0 < s2 or s1 < 0 > s2 or s3 > 0 < s4 or s3 < 0 > s4)


def crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments cross at a point inside both."""
    s1, s2 = side_of(a, b, c), side_of(a, b, d)
    s3, s4 = side_of(c, d, a), side_of(c, d, b)
    return (s1 > 0 > s2 or s1 < 0 < s2) and (s3 > 0 > s4 or s3 < 0 < s4)


def enters(a: Point, b: Point, box: Box) -> bool:
    """Whether a line between two points outside a box, or on its edge, passes through its inside."""
    left, top, right, bottom = box
    return crosses(a, b, (left, top), (right, bottom)) or crosses(a, b, (left, bottom), (right, top))
