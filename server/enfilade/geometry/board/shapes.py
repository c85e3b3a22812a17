"""Walls and bodies: the shapes that stop steps and lines of sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Literal, Protocol, get_args

from enfilade.geometry.board.base import CELL, HALF, Box, Cell, Corners, Point, Segment
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.predicates import are_integers, shared_edges, side_of

Sense = Literal["none", "limited", "normal", "proximity", "distance"]
OneWay = Literal["both", "left", "right"]
SENSES, SIDES = frozenset(get_args(Sense)), frozenset(get_args(OneWay))

Block = tuple[int, int, int, int]
"""(first row, last row, first column, last column) of some cells."""


class WallShape(Protocol):
    """The attributes of a wall that the geometry reads: those of `Wall`, or of a program's own walls.

    A program that has checked its walls gives them as they are; `Wall` checks each.
    """

    @property
    def line(self) -> Segment:
        """The two ends of the wall."""

    @property
    def stops_movement(self) -> bool:
        """True if it bars steps."""

    @property
    def sight(self) -> Sense:
        """Foundry's sense."""

    @property
    def one_way(self) -> OneWay:
        """The side from which it stops."""

    @property
    def bottom(self) -> int | None:
        """The lower height; None is unlimited."""

    @property
    def top(self) -> int | None:
        """The upper height; None is unlimited."""

    @property
    def is_open(self) -> bool:
        """True for an open door."""

    @property
    def threshold(self) -> int:
        """The distance for `sight`."""


@dataclass(frozen=True, slots=True)
class Wall:
    """A straight wall in board units. Leave open doors out, or set `is_open`.

    Raises ValueError if a coordinate is not an integer, or if a word is unknown.

    Attributes:
        line: the two ends of the wall.
        stops_movement: whether it bars steps.
        sight: Foundry's sense. A limited wall stops a line only if it is the second one on that line. A
            proximity wall is transparent to an eye nearer than `threshold`, a distance wall to one farther
            away.
        one_way: the side from which it stops, seen from the first end to the second.
        bottom: the lower height in 64ths of a cell; None is unlimited.
        top: the upper height in 64ths of a cell; None is unlimited.
        is_open: an open door, which stops nothing.
        threshold: the distance for `sight`, in board units.
    """

    line: Segment
    stops_movement: bool = True
    sight: Sense = "normal"
    one_way: OneWay = "both"
    bottom: int | None = None
    top: int | None = None
    is_open: bool = False
    threshold: int = 0

    def __post_init__(self) -> None:
        if len(self.line) != 4 or not are_integers(self.line):
            raise ValueError(f"A wall needs four integer coordinates, not {self.line}.")
        if self.sight not in SENSES:
            raise ValueError(f"Unknown sight of a wall: {self.sight!r}.")
        if self.one_way not in SIDES:
            raise ValueError(f"A wall stops 'both' sides, 'left' or 'right', not {self.one_way!r}.")
        _check_heights(self.bottom, self.top)


def is_faced(wall: WallShape, start: Point, end: Point) -> bool:
    """Return whether a move from start to end comes from a side that a wall stops.

    A move along a one-way wall crosses to neither side, so it is free.
    """
    if wall.one_way == "both":
        return True
    x1, y1, x2, y2 = wall.line
    across = (x2 - x1) * (end[1] - start[1]) - (y2 - y1) * (end[0] - start[0])
    return across > 0 if wall.one_way == "left" else across < 0


def _check_heights(bottom: int | None, top: int | None) -> None:
    for height in (bottom, top):
        if height is not None and not isinstance(height, int):
            raise ValueError(f"A height is an integer in 64ths of a cell, not {height!r}.")


@dataclass(frozen=True, slots=True)
class Body:
    """The space that a token or an obstacle fills: convex parts of 3 or more corners each, clockwise.

    A body hides neither itself nor anything inside it. Build one with `box_body` or `hex_body`. Raises
    ValueError if there are no parts, or if a part is not convex or not clockwise.

    Attributes:
        parts: the corners of each part.
        cells: the cells whose center the body contains.
        seams: the edges that two of its parts share.
        bottom: the lower height in 64ths of a cell; None is unlimited.
        top: the upper height in 64ths of a cell; None is unlimited.
    """

    parts: tuple[Corners, ...]
    cells: tuple[Block, ...]
    seams: tuple[Segment, ...] = ()
    bottom: int | None = None
    top: int | None = None

    def __post_init__(self) -> None:
        _check_parts(self.parts)
        _check_heights(self.bottom, self.top)

    @property
    def bounds(self) -> Box:
        """The bounding box."""
        across, down = zip(*(corner for part in self.parts for corner in part), strict=True)
        return (min(across), min(down), max(across), max(down))

    @property
    def center(self) -> Point:
        """The center of the bounding box; for a hexon, the center of its middle hex."""
        left, top, right, bottom = self.bounds
        return ((left + right) // 2, (top + bottom) // 2)

    def contains(self, point: Point) -> bool:
        """Return whether a point lies inside one of the parts, or on the edge between two."""
        touched = 0
        for part in self.parts:
            least = min(side_of(part[i - 1], part[i], point) for i in range(len(part)))
            if least > 0:
                return True
            touched += least == 0
        return touched > 1


@lru_cache(maxsize=8_192)  # tokens stand on the same cells again and again
def _check_parts(parts: tuple[Corners, ...]) -> None:
    if not parts:
        raise ValueError("A body needs at least one part.")
    for part in parts:
        if len(part) < 3 or not are_integers(chain.from_iterable(part)):
            raise ValueError(f"A part of a body needs three or more integer corners, not {part}.")
        if any(side_of(part[i - 2], part[i - 1], corner) < 0 for i, corner in enumerate(part)):
            raise ValueError(f"A part of a body is convex, its corners clockwise, not {part}.")


def corners_of(box: Box) -> Corners:
    """Return a box's corners, clockwise from the top left."""
    left, top, right, bottom = box
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def box_body(box: Box, bottom: int | None = None, top: int | None = None) -> Body:
    """Build the body that fills a box on a square board."""
    left, upper, right, lower = box
    first_row, last_row = (upper + HALF) // CELL, (lower + HALF - 1) // CELL - 1
    first_column, last_column = (left + HALF) // CELL, (right + HALF - 1) // CELL - 1
    return Body((corners_of(box),), ((first_row, last_row, first_column, last_column),), (), bottom, top)


def hex_body(
    board: HexBoard, cells: Sequence[Cell], bottom: int | None = None, top: int | None = None
) -> Body:
    """Build the body that fills some hexes: one hex, a hexon, or any other group."""
    parts = tuple(board.corners(cell) for cell in cells)
    blocks = tuple((row, row, column, column) for column, row in cells)
    seams = tuple(line for line, _, _ in shared_edges(parts))
    return Body(parts, blocks, seams, bottom, top)
