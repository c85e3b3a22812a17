"""Doorways: cut walls that continue behind a door, so that an open door is a gap."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import gcd

from msgspec.structs import replace

from enfilade.errors import BadFile
from enfilade.geometry.board.units import Point, Segment
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.walls import DrawnWall
from enfilade.runtime.time_budget import checkpoint

InfiniteLine = tuple[int, int, int]
"""The infinite line of a segment: its direction in lowest terms, and its offset from the corner."""

Span = tuple[Point, Point]
"""A part of an infinite line, its lesser end first."""


def cut_doorways(walls: Iterable[DrawnWall], doors: Iterable[DrawnWall]) -> list[DrawnWall]:
    """Return the walls without the parts that a door covers; other walls keep their order."""
    doorways = _doorways(door.wall.line for door in doors)
    pieces: list[DrawnWall] = []
    for wall in walls:
        checkpoint()
        pieces.extend(_without_doorways(wall, doorways.get(_line_through(wall.wall.line), [])))
        if len(pieces) > limits.WALLS:
            raise BadFile(localize("import.too_many_walls", limit=limits.WALLS))
    return pieces


def _line_through(line: Segment) -> InfiniteLine:
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


def _doorways(doors: Iterable[Segment]) -> dict[InfiniteLine, list[Span]]:
    """Return the doors on each infinite line in order; overlapping doors become one."""
    rails: defaultdict[InfiniteLine, list[Span]] = defaultdict(list)
    for door in sorted(doors, key=_span):
        spans, (start, end) = rails[_line_through(door)], _span(door)
        if spans and start <= spans[-1][1]:
            start, end = spans[-1][0], max(end, spans.pop()[1])
        spans.append((start, end))
    return rails


def _without_doorways(wall: DrawnWall, doorways: list[Span]) -> Iterator[DrawnWall]:
    start, end = _span(wall.wall.line)
    in_the_way = [span for span in _near(doorways, start, end) if span[0] < end and span[1] > start]
    if not in_the_way:
        yield wall
        return
    for gap_start, gap_end in in_the_way:
        if start < gap_start:
            yield _part_of(wall, start, gap_start)
        start = max(start, gap_end)
    if start < end:
        yield _part_of(wall, start, end)


def _near(doorways: list[Span], start: Point, end: Point) -> list[Span]:
    """Return the doorways that may touch a span: they are sorted and disjoint."""
    first = max(0, bisect_right(doorways, (start, start)) - 1)
    last = bisect_right(doorways, (end, end))
    return doorways[first:last]


def _part_of(wall: DrawnWall, a: Point, b: Point) -> DrawnWall:
    return replace(wall, wall=replace(wall.wall, line=(*a, *b)))
