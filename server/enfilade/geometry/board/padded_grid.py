"""Tables of a board: one entry a cell, row by row, with a border one cell wide all round.

Thanks to the border every lane from a cell leads to a place in the table, so the inner loops never ask
whether a cell is on the board. What lies on the border is closed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from enfilade.geometry.board.base import LANES, Board
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Cell
from enfilade.geometry.kernel import fields


@dataclass(frozen=True, slots=True)
class Places:
    """Where each cell of a board of `columns` by `rows` is in a table."""

    columns: int
    rows: int
    stride: int = field(init=False, compare=False)
    """From a place to the one below it."""
    size: int = field(init=False, compare=False)
    """How many places a table has; one to spare, so that a loop may read four at a time."""
    lanes: tuple[int, ...] = field(init=False, compare=False)
    """From a place to the next along each of the `LANES`."""

    def __post_init__(self) -> None:
        stride = self.columns + 2
        worked_out = {
            "stride": stride,
            "size": stride * (self.rows + 2) + 1,
            "lanes": tuple(dy * stride + dx for dx, dy in LANES),
        }
        for name, value in worked_out.items():
            object.__setattr__(self, name, value)

    def of(self, cell: Cell) -> int:
        """The place of a cell."""
        return (cell[1] + 1) * self.stride + cell[0] + 1

    def cell(self, place: int) -> Cell:
        """The cell at a place."""
        row, column = divmod(place, self.stride)
        return (column - 1, row - 1)

    def on_board(self) -> Iterator[int]:
        """The places of the cells, row by row, without the border."""
        for row in range(1, self.rows + 1):
            yield from range(row * self.stride + 1, row * self.stride + 1 + self.columns)


def places_of(board: Board) -> Places:
    """The places of a board's cells."""
    return _places(board.columns, board.rows)


_places = lru_cache(maxsize=64)(Places)


def paint(board: Board, default: int, layers: Iterable[tuple[Iterable[Cell], int]] = ()) -> array[int]:
    """A table with a default for every cell and each layer's cells painted over it; the border is 0."""
    places = places_of(board)
    border, row = array("H", bytes(2 * places.stride)), array("H", [0, *[default] * places.columns, 0])
    table = border + row * places.rows + border + array("H", [0])
    for cells, value in layers:
        for cell in cells:
            if cell in board:
                table[places.of(cell)] = value
    return table


def mask_of(places: Places, table: array[int], least: int, most: int) -> Mask:
    """The cells whose entry is from `least` to `most`."""
    return Mask(tuple(fields.bits(places.columns, places.rows, table, least, most)))
