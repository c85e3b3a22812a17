"""Doorways: cut walls that run along a door, so that an open door is a gap.

A wall runs along a door if its part beside the door is within a 64th of it on the board, at any angle. A wall
that bends behind a door is cut between the door's ends if both lie on it and it strays from the door by no
more than a quarter of the door's length. The pieces that remain end at the door's ends, so that a closed door
has no slit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import floor, hypot
from typing import NamedTuple

from msgspec.structs import replace

from enfilade.errors import BadFile
from enfilade.geometry.board.base import CELL, Point, Segment
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.walls import DrawnWall, Ends
from enfilade.runtime.time_budget import checkpoint

NEAR = 1.55
"""The greatest distance of a wall from the door that it runs along, in 64ths of a cell: one, after both are
rounded to whole 64ths, and a little more, because a door may be tilted against its wall.
"""
BEND = 1 / 4
"""The greatest distance between a bend and the door before it, in lengths of the door."""
MAX_BENDS = 32
"""The largest number of bends behind one door."""
PROBE = CELL // 4
"""The distance on both sides of a door within which a wall closes an open door, in 64ths of a cell."""
_SHORT = 0.5
_HAIR = 1e-9
_SQUARE = 8 * CELL

Square = tuple[int, int]
Sizes = tuple[float, float]


class Cut(NamedTuple):
    """A part of a wall to remove, as shares of its length, and the points where its remains end.

    A point is None if the cut reaches the wall's own end.
    """

    start: float
    end: float
    first: Point | None
    last: Point | None


def cut_doorways(walls: Sequence[DrawnWall], doors: Sequence[DrawnWall]) -> list[DrawnWall]:
    """Return the walls without the parts that run along a door, in their order. Raises BadFile."""
    squares = _in_squares(walls) if doors else {}
    cuts: defaultdict[int, list[Cut]] = defaultdict(list)
    for door in doors:
        checkpoint()
        near = sorted({index for square in _squares(door.ends) for index in squares.get(square, ())})
        for index, cut in _cuts(door, walls, near):
            cuts[index].append(cut)
    pieces: list[DrawnWall] = []
    for index, wall in enumerate(walls):
        checkpoint()
        pieces.extend(_remains(wall, cuts[index]) if index in cuts else [wall])
        if len(pieces) > limits.WALLS:
            raise BadFile(localize("import.too_many_walls", limit=limits.WALLS))
    return pieces


def count_closed(walls: Sequence[DrawnWall], doors: Sequence[DrawnWall]) -> int:
    """Return the number of doors that open nothing, because a wall crosses the way through them."""
    squares = _in_squares(walls) if doors else {}
    return sum(_is_closed(door.wall.line, walls, squares) for door in doors)


def _is_closed(door: Segment, walls: Sequence[DrawnWall], squares: dict[Square, list[int]]) -> bool:
    checkpoint()
    x1, y1, x2, y2 = door
    length = hypot(x2 - x1, y2 - y1)
    if not length:
        return False
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    across, down = PROBE * (y1 - y2) / length, PROBE * (x2 - x1) / length
    way = (x - across, y - down, x + across, y + down)
    near = {index for square in _squares(way) for index in squares.get(square, ())}
    return any(_is_crossed(way, walls[index].wall.line) for index in near)


def _is_crossed(a: Ends, b: Ends) -> bool:
    """Return whether two segments cross or touch."""
    return _sides(a, b) <= 0 and _sides(b, a) <= 0


def _sides(line: Ends, other: Ends) -> float:
    """Return a negative number if the ends of another segment lie on two sides of a line."""
    x1, y1, x2, y2 = line
    first, last = ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x, y in (other[:2], other[2:]))
    return first * last


def _in_squares(walls: Sequence[DrawnWall]) -> dict[Square, list[int]]:
    """Return the walls of each square of 8 cells that they run through, by their index."""
    squares: defaultdict[Square, list[int]] = defaultdict(list)
    for index, wall in enumerate(walls):
        checkpoint()
        for square in _squares(wall.ends):
            squares[square].append(index)
    return squares


def _squares(ends: Ends) -> Iterator[Square]:
    """Yield the squares that a segment, or anything near it, runs through: column by column."""
    (x1, y1), (x2, y2) = sorted((ends[:2], ends[2:]))
    slope = (y2 - y1) / (x2 - x1) if x2 > x1 else 0.0
    for column in range(floor((x1 - NEAR) / _SQUARE), floor((x2 + NEAR) / _SQUARE) + 1):
        left, right = max(x1, column * _SQUARE - NEAR), min(x2, (column + 1) * _SQUARE + NEAR)
        rows = (y1 + slope * (left - x1), y1 + slope * (right - x1)) if x2 > x1 else (y1, y2)
        for row in range(floor((min(rows) - NEAR) / _SQUARE), floor((max(rows) + NEAR) / _SQUARE) + 1):
            yield column, row


class _Door:
    """A door as an axis: points have a distance along it and a distance from it."""

    def __init__(self, door: DrawnWall) -> None:
        x1, y1, x2, y2 = door.ends
        self.length = hypot(x2 - x1, y2 - y1)
        self._corner = x1, y1
        self._way = ((x2 - x1) / self.length, (y2 - y1) / self.length) if self.length else (0.0, 0.0)
        self.points: tuple[Point, Point] = door.wall.line[:2], door.wall.line[2:]

    def place(self, x: float, y: float) -> Sizes:
        """Return how far a point is along the door, and how far beside it."""
        (left, top), (dx, dy) = self._corner, self._way
        return (x - left) * dx + (y - top) * dy, (x - left) * dy - (y - top) * dx


def _cuts(door: DrawnWall, walls: Sequence[DrawnWall], near: list[int]) -> Iterator[tuple[int, Cut]]:
    axis = _Door(door)
    if not axis.length:
        return
    for index in near:
        cut = _cut_along(axis, walls[index].ends)
        if cut is not None:
            yield index, cut
    first, last = (_walls_at(end, walls, near) for end in (door.ends[:2], door.ends[2:]))
    yield from _cuts_of_bends(axis, walls, first, last, axis.points)
    yield from _cuts_of_bends(axis, walls, last, first, axis.points[::-1])


def _walls_at(point: Sizes, walls: Sequence[DrawnWall], near: list[int]) -> dict[int, float]:
    """Return the walls that a point lies on, and where: the share of the wall's length."""
    return {index: at for index in near if (at := _share_at(walls[index].ends, point)) is not None}


def _cut_along(axis: _Door, wall: Ends) -> Cut | None:
    """Return the part of a wall that runs along a door, or None if it is too far off or goes another way."""
    (along, beside), (along_2, beside_2) = axis.place(*wall[:2]), axis.place(*wall[2:])
    if abs(along_2 - along) <= _SHORT:
        return None
    shares = [(side - along) / (along_2 - along) for side in (0, axis.length)]
    points = axis.points if shares[0] < shares[1] else axis.points[::-1]
    start, end = max(0.0, min(shares)), min(1.0, max(shares))
    if (end - start) * abs(along_2 - along) <= _SHORT:
        return None
    if any(abs(beside + share * (beside_2 - beside)) > NEAR for share in (start, end)):
        return None
    return Cut(start, end, points[0] if start > _HAIR else None, points[1] if end < 1 - _HAIR else None)


def _share_at(wall: Ends, point: Sizes) -> float | None:
    """Return where a point lies on a wall, as a share of its length, or None if it lies beside it."""
    x1, y1, x2, y2 = wall
    square = (x2 - x1) ** 2 + (y2 - y1) ** 2
    share = ((point[0] - x1) * (x2 - x1) + (point[1] - y1) * (y2 - y1)) / square if square else 0.0
    share = max(0.0, min(1.0, share))
    distance = hypot(x1 + share * (x2 - x1) - point[0], y1 + share * (y2 - y1) - point[1])
    return share if distance <= NEAR else None


def _cuts_of_bends(
    axis: _Door,
    walls: Sequence[DrawnWall],
    first: dict[int, float],
    last: dict[int, float],
    points: tuple[Point, Point],
) -> Iterator[tuple[int, Cut]]:
    """Yield the parts of bent walls that lead from one end of a door to the other, in the walls' order."""
    for begin, share in first.items():
        for index in range(begin, min(begin + MAX_BENDS, len(walls) - 1)):
            if not _is_bend(axis, walls[index].ends, walls[index + 1].ends):
                break
            if index + 1 in last:
                end = last[index + 1]
                yield begin, Cut(share, 1.0, points[0] if share > _HAIR else None, None)
                yield from ((i, Cut(0.0, 1.0, None, None)) for i in range(begin + 1, index + 1))
                yield index + 1, Cut(0.0, end, None, points[1] if end < 1 - _HAIR else None)
                break


def _is_bend(axis: _Door, wall: Ends, following: Ends) -> bool:
    """Return whether a wall goes on behind a door, with a bend that is near the door."""
    along, beside = axis.place(*wall[2:])
    is_near = abs(beside) <= BEND * axis.length and -NEAR <= along <= axis.length + NEAR
    return is_near and wall[2:] == following[:2]


def _remains(wall: DrawnWall, cuts: list[Cut]) -> Iterator[DrawnWall]:
    """Yield what the cuts leave of a wall; cuts that overlap or touch are one."""
    start: Point | None = wall.wall.line[:2]
    for cut in _merged(cuts):
        if start is not None and cut.first is not None:
            yield from _piece(wall, start, cut.first)
        start = cut.last
    if start is not None:
        yield from _piece(wall, start, wall.wall.line[2:])


def _merged(cuts: list[Cut]) -> list[Cut]:
    merged: list[Cut] = []
    for cut in sorted(cuts, key=lambda one: (one.start, one.end)):
        if merged and cut.start <= merged[-1].end + _HAIR:
            before = merged.pop()
            last = before.last if before.end > cut.end else cut.last
            cut = Cut(before.start, max(before.end, cut.end), before.first, last)
        merged.append(cut)
    return merged


def _piece(wall: DrawnWall, a: Point, b: Point) -> Iterator[DrawnWall]:
    if a != b:
        at = (*a, *b)
        yield replace(wall, wall=replace(wall.wall, line=at), ends=at)
