"""Doorways cut into walls that run on behind a door, so that an open door is a gap."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import gcd

from msgspec.structs import replace

from enfilade.errors import BadFile
from enfilade.geometry.board.units import Point, Segment
from enfilade.importers import limits
from enfilade.importers.walls import Drawn
from enfilade.time_budget import checkpoint

Rail = tuple[int, int, int]
"""The endless line a segment lies on: its direction in lowest terms and its distance from the corner."""

Span = tuple[Point, Point]
"""A stretch of a rail, its lesser end first."""


def cut(walls: Iterable[Drawn], doors: Iterable[Drawn]) -> list[Drawn]:
    """The walls without the stretches where a door lies on them; the others as they were, in order."""
    doorways = _doorways(door.wall.line for door in doors)
    pieces: list[Drawn] = []
    for wall in walls:
        checkpoint()
        pieces.extend(_around(wall, doorways.get(_rail(wall.wall.line), [])))
        if len(pieces) > limits.WALLS:
            raise BadFile(f"the map has more than {limits.WALLS:,} walls")
    return pieces


def _rail(line: Segment) -> Rail:
    x1, y1, x2, y2 = line
    dx, dy = x2 - x1, y2 - y1
    scale = gcd(dx, dy) or 1
    if (dx, dy) < (0, 0):
        scale = -scale
    dx, dy = dx // scale, dy // scale
    return dx, dy, x1 * dy - y1 * dx


def _span(line: Segment) -> Span:
    a, b = line[:2], line[2:]
    return (a, b) if a <= b else (b, a)


def _doorways(doors: Iterable[Segment]) -> dict[Rail, list[Span]]:
    """The doors of each rail in order, those that overlap made one."""
    rails: defaultdict[Rail, list[Span]] = defaultdict(list)
    for door in sorted(doors, key=_span):
        spans, (start, end) = rails[_rail(door)], _span(door)
        if spans and start <= spans[-1][1]:
            start, end = spans[-1][0], max(end, spans.pop()[1])
        spans.append((start, end))
    return rails


def _around(wall: Drawn, doorways: list[Span]) -> Iterator[Drawn]:
    start, end = _span(wall.wall.line)
    in_the_way = [span for span in _from(doorways, start, end) if span[0] < end and span[1] > start]
    if not in_the_way:
        yield wall
        return
    for gap_start, gap_end in in_the_way:
        if start < gap_start:
            yield _piece(wall, start, gap_start)
        start = max(start, gap_end)
    if start < end:
        yield _piece(wall, start, end)


def _from(doorways: list[Span], start: Point, end: Point) -> list[Span]:
    """The doorways that may touch a stretch: they are in order and apart, so the search is short."""
    first = max(0, bisect_right(doorways, (start, start)) - 1)
    last = bisect_right(doorways, (end, end))
    return doorways[first:last]


def _piece(wall: Drawn, a: Point, b: Point) -> Drawn:
    return replace(wall, wall=replace(wall.wall, line=(*a, *b)))
