"""What every board of cells has in common, so that one engine serves squares and hexes.

A cell is (column, row). Its neighbours always lie among the eight cells around it, also on a hex board
stored by columns and rows, so a step is one of eight `LANES` and the steps barred in a cell are one byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from enfilade.geometry.board.units import Cell, Point

LANES: tuple[Cell, ...] = ((-1, -1), (0, -1), (1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0))
"""The eight steps in (columns, rows), in the order of every table of steps; bit i of a byte is lane i."""


class Scanline(NamedTuple):
    """Cells of one row whose centres are evenly spaced on one horizontal line.

    The k-th of its `length` cells is column `first + stride * k` of `row`; its centre is (x + pitch * k, y).
    A square board has one scanline a row; hexes in columns have two, for the even and the odd columns.
    """

    row: int
    first: int
    stride: int
    length: int
    x: int
    y: int
    pitch: int


class Board(Protocol):
    """A board of cells. Points are in the board's own units, in which every centre is a whole number."""

    @property
    def columns(self) -> int:
        """How many cells wide."""

    @property
    def rows(self) -> int:
        """How many cells high."""

    def __contains__(self, cell: Cell, /) -> bool:
        """Whether the cell is on the board."""

    def __hash__(self) -> int: ...

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells one step away, clockwise from north."""

    def lanes(self, cell: Cell) -> tuple[int, ...]:
        """The `LANES` that lead to a neighbour, also off the board, clockwise from north.

        They depend on whether the cell's column and row are odd, and on nothing else.
        """

    def touching(self, cell: Cell, corners: bool = True) -> tuple[int, ...]:
        """The `LANES` to the cells that touch this one along an edge, or, with `corners`, at all."""

    def shift(self, cell: Cell, offset: Cell) -> Cell:
        """The cell at an offset, which may lie off the board; hex offsets are axial."""

    def centre(self, cell: Cell) -> Point:
        """The middle of a cell, in the board's units."""

    def distance(self, a: Cell, b: Cell) -> int:
        """How far two cells are apart by the board's own count (steps, or points of its diagonals)."""

    def direction(self, angle: int) -> Point:
        """A vector in the board's units that points along a compass angle in degrees."""

    def scanlines(self) -> Iterator[Scanline]:
        """All cells, row by row."""


def neighbours_on(board: Board, cell: Cell) -> Iterator[Cell]:
    """The cells of a board that a cell's lanes lead to."""
    for lane in board.lanes(cell):
        there = (cell[0] + LANES[lane][0], cell[1] + LANES[lane][1])
        if there in board:
            yield there
