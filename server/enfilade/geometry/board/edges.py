"""Where the edges of shapes lie against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import gcd

from enfilade.geometry.board.units import Corners, Point, Segment

_Edge = tuple[Point, Point, int]
_Line = tuple[int, int, int]


def shared_edges(shapes: Sequence[Corners]) -> Iterator[tuple[Segment, int, int]]:
    """Each stretch along which an edge of one shape lies against an edge of another, and which two."""
    lines: dict[_Line, tuple[list[_Edge], list[_Edge]]] = {}
    for number, corners in enumerate(shapes):
        for i in range(len(corners)):
            start, end = corners[i - 1], corners[i]
            low, high = min(start, end), max(start, end)
            lines.setdefault(_line_through(low, high), ([], []))[start < end].append((low, high, number))
    for ones, others in lines.values():
        for (a, b, i), (c, d, j) in product(ones, others):
            low, high = max(a, c), min(b, d)
            if low < high:
                yield low + high, i, j


def _line_through(low: Point, high: Point) -> _Line:
    """The same three numbers for any two points of one line, the lesser first."""
    dx, dy = high[0] - low[0], high[1] - low[1]
    unit = gcd(dx, dy)
    dx, dy = dx // unit, dy // unit
    return (dx, dy, dx * low[1] - dy * low[0])
