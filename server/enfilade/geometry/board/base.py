"""A board of cells: its units and shapes, its steps, and the properties that squares and hexes share.

One cell is 64 units wide, so corners and centers of cells are integers and every verdict is exact: no
rounding, the same on every machine. On a gridless board one inch is one cell.

A cell is (column, row). Its neighbors are always among the eight cells around it, even on a hex board
stored by columns and rows. A step is therefore one of eight `LANES`, and the barred steps of a cell fit
into one byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

CELL = 64
HALF = CELL // 2

Cell = tuple[int, int]
"""(column, row), both counted from 0 at the top left."""

Point = tuple[int, int]
"""(x, y) in 64ths of a cell."""

Segment = tuple[int, int, int, int]
"""(x1, y1, x2, y2) in 64ths of a cell: a wall, or a line of sight."""

Box = tuple[int, int, int, int]
"""(left, top, right, bottom) in 64ths of a cell: the space of a token or an obstacle."""

Corners = tuple[Point, ...]
"""The corners of a convex shape, clockwise."""

LANES: tuple[Cell, ...] = ((-1, -1), (0, -1), (1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0))
"""The eight steps in (columns, rows), in the order of every table of steps. Bit i of a byte is lane i."""

MAX_SIDE, MAX_CELLS = 1 << 14, 1 << 22
"""The largest board: the kernel's tables have 32-bit indexes."""


class Scanline(NamedTuple):
    """Cells of one row with evenly spaced centers on one horizontal line.

    The k-th of its `length` cells is column `first + stride * k` of `row`. Its center is (x + pitch * k, y).
    A square board has one scanline per row. Flat hexes have two, for the even and the odd columns.
    """

    row: int
    first: int
    stride: int
    length: int
    x: int
    y: int
    pitch: int


class Board(Protocol):
    """A board of cells. Points are in board units, in which every center is an integer."""

    @property
    def columns(self) -> int:
        """The width in cells."""

    @property
    def rows(self) -> int:
        """The height in cells."""

    def __contains__(self, cell: Cell, /) -> bool:
        """Return whether the cell is on the board."""

    def __hash__(self) -> int: ...

    def neighbors(self, cell: Cell) -> Iterator[Cell]:
        """Yield the cells one step away, clockwise from north."""

    def lanes(self, cell: Cell) -> tuple[int, ...]:
        """Return the `LANES` that lead to a neighbor, on or off the board, clockwise from north.

        They depend only on the parity of the cell's column and row.
        """

    def adjacent_lanes(self, cell: Cell, corners: bool = True) -> tuple[int, ...]:
        """Return the `LANES` to cells that share an edge or, with `corners`, a corner."""

    def shift(self, cell: Cell, offset: Cell) -> Cell:
        """Return the cell at an offset, on or off the board. Hex offsets are axial."""

    def center(self, cell: Cell) -> Point:
        """Return the center of a cell, in board units."""

    def distance(self, a: Cell, b: Cell) -> int:
        """Return the distance between two cells as the board counts it: steps, or points of diagonals."""

    def direction(self, angle: int) -> Point:
        """Return a vector in board units along a compass angle in degrees."""

    def scanlines(self) -> Iterator[Scanline]:
        """Yield all cells, row by row."""


def check_size(columns: int, rows: int) -> None:
    """Raise ValueError if the columns or rows exceed the limits of a board."""
    for side in (columns, rows):
        if not isinstance(side, int) or not 1 <= side <= MAX_SIDE:
            raise ValueError(f"A board is 1 to {MAX_SIDE:,} cells wide and high, not {columns} by {rows}.")
    if columns * rows > MAX_CELLS:
        raise ValueError(f"A board has at most {MAX_CELLS:,} cells, not {columns} by {rows}.")


def neighbors_on(board: Board, cell: Cell) -> Iterator[Cell]:
    """Yield the cells of a board that the lanes of a cell lead to."""
    for lane in board.lanes(cell):
        there = (cell[0] + LANES[lane][0], cell[1] + LANES[lane][1])
        if there in board:
            yield there


def lane_to(a: Cell, b: Cell) -> int:
    """Return the lane from a cell to one of the eight cells around it."""
    return LANES.index((b[0] - a[0], b[1] - a[1]))
