"""Exact predicates on points, segments and edges: side, touching, crossing, overlap.

All numbers are integers, so every result is exact. Products grow with the square of the board size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import gcd

from enfilade.geometry.board.base import Corners, Point, Segment
from enfilade.runtime.time_budget import checkpoint

_Edge = tuple[Point, Point, int]
_LineKey = tuple[int, int, int]


def are_integers(numbers: Iterable[int]) -> bool:
    """Return whether all numbers are integers. A sum is the fastest test: one float makes it a float."""
    try:
        return isinstance(sum(numbers), int)
    except TypeError:
        return False


def side_of(a: Point, b: Point, p: Point) -> int:
    """Return twice the signed area of a, b, p: positive if p is to the right of a-b, 0 if on its line."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def touches(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two closed segments have a point in common."""
    s1, s2 = side_of(a, b, c), side_of(a, b, d)
    if s1 > 0 < s2 or s1 < 0 > s2:
        return False
    s3, s4 = side_of(c, d, a), side_of(c, d, b)
    return not (s3 > 0 < s4 or s3 < 0 > s4) and _boxes_meet(a, b, c, d)


def _boxes_meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether the bounding boxes of two segments meet."""
    return max(min(a[0], b[0]), min(c[0], d[0])) <= min(max(a[0], b[0]), max(c[0], d[0])) and max(
        min(a[1], b[1]), min(c[1], d[1])
    ) <= min(max(a[1], b[1]), max(c[1], d[1]))


def crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two segments cross at a point inside both."""
    s1, s2 = side_of(a, b, c), side_of(a, b, d)
    s3, s4 = side_of(c, d, a), side_of(c, d, b)
    return (s1 > 0 > s2 or s1 < 0 < s2) and (s3 > 0 > s4 or s3 < 0 < s4)


def overlaps(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two segments run along each other for more than a point."""
    if a == b or side_of(a, b, c) or side_of(a, b, d):
        return False
    return max(min(a, b), min(c, d)) < min(max(a, b), max(c, d))


def misses(a: Point, b: Point, corners: Corners, slack: int) -> bool:
    """Return whether a segment stays outside a convex shape, its corners clockwise.

    It does if both of its ends are outside one edge, or if all corners are on one side of it. With a slack
    of 1 a segment that only touches the shape misses it; with 0 it does not.
    """
    sides = [side_of(a, b, corner) for corner in corners]
    if max(sides) < slack or min(sides) > -slack:
        return True
    edges = zip(corners, corners[1:] + corners[:1], strict=True)
    return any(side_of(p, q, a) < slack and side_of(p, q, b) < slack for p, q in edges)


def shared_edges(shapes: Sequence[Corners]) -> Iterator[tuple[Segment, int, int]]:
    """Yield each stretch along which the edges of two shapes touch, with the numbers of the two shapes."""
    lines: dict[_LineKey, tuple[list[_Edge], list[_Edge]]] = {}
    for number, corners in enumerate(shapes):
        checkpoint()
        for i in range(len(corners)):
            start, end = corners[i - 1], corners[i]
            low, high = min(start, end), max(start, end)
            lines.setdefault(_line_through(low, high), ([], []))[start < end].append((low, high, number))
    for ones, others in lines.values():
        for a, b, i in ones:
            checkpoint()
            for c, d, j in others:
                low, high = max(a, c), min(b, d)
                if low < high:
                    yield low + high, i, j


def _line_through(low: Point, high: Point) -> _LineKey:
    """Return three numbers that are the same for any two points of one line, the lesser point first."""
    dx, dy = high[0] - low[0], high[1] - low[1]
    divisor = gcd(dx, dy)
    dx, dy = dx // divisor, dy // divisor
    return (dx, dy, dx * low[1] - dy * low[0])
