"""Tables of a board: one entry per cell, row by row, with a border one cell wide on all sides.

The border gives every lane from a cell an index in the table, so the inner loops need no bounds checks.
Entries on the border are closed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from enfilade.geometry.board.base import LANES, Board, Cell
from enfilade.geometry.board.mask import Mask, Run
from enfilade.geometry.kernel import fields

MAX_ENTRY = 0xFFFF


@dataclass(frozen=True, slots=True)
class PaddedGrid:
    """The index of each cell of a board of `columns` by `rows` in a table."""

    columns: int
    rows: int
    stride: int = field(init=False, compare=False)
    """The offset from an index to the one below it."""
    size: int = field(init=False, compare=False)
    """The length of a table, with one spare entry, so that a loop may read four at a time."""
    lanes: tuple[int, ...] = field(init=False, compare=False)
    """The offset from an index to the next along each of the `LANES`."""

    def __post_init__(self) -> None:
        stride = self.columns + 2
        computed = {
            "stride": stride,
            "size": stride * (self.rows + 2) + 1,
            "lanes": tuple(dy * stride + dx for dx, dy in LANES),
        }
        for name, value in computed.items():
            object.__setattr__(self, name, value)

    def index(self, cell: Cell) -> int:
        """Return the index of a cell."""
        return (cell[1] + 1) * self.stride + cell[0] + 1

    def cell(self, index: int) -> Cell:
        """Return the cell at an index."""
        row, column = divmod(index, self.stride)
        return (column - 1, row - 1)

    def on_board(self) -> Iterator[int]:
        """Yield the indexes of the cells, row by row, without the border."""
        for row in range(1, self.rows + 1):
            yield from range(row * self.stride + 1, row * self.stride + 1 + self.columns)


def grid_of(board: Board) -> PaddedGrid:
    """Return the padded grid of a board."""
    return _grid(board.columns, board.rows)


_grid = lru_cache(maxsize=64)(PaddedGrid)


def build_table(board: Board, default: int, layers: Iterable[tuple[Iterable[Cell], int]] = ()) -> array[int]:
    """Build a table with a default for every cell and the cells of each layer set to its value.

    The border is 0, and cells off the board are ignored. Raises ValueError for a value that is not an
    integer from 0 to 65,535.
    """
    grid = grid_of(board)
    layers = list(layers)
    for value in (default, *(value for _, value in layers)):
        if not isinstance(value, int) or not 0 <= value <= MAX_ENTRY:
            raise ValueError(f"An entry of a table is an integer from 0 to {MAX_ENTRY:,}, not {value!r}.")
    border, row = array("H", bytes(2 * grid.stride)), array("H", [0, *[default] * grid.columns, 0])
    table = border + row * grid.rows + border + array("H", [0])
    for cells, value in layers:
        for cell in cells:
            if cell in board:
                table[grid.index(cell)] = value
    return table


def mask_in_range(grid: PaddedGrid, table: array[int], low: int, high: int) -> Mask:
    """Return the cells whose entry is from `low` to `high`."""
    return Mask(tuple(fields.range_bits(grid.columns, grid.rows, table, low, high)))


def runs_in_range(grid: PaddedGrid, table: array[int], low: int, high: int) -> list[Run]:
    """Return the cells whose entry is from `low` to `high` as runs, like `mask_in_range(...).runs()`."""
    return fields.range_runs(grid.columns, grid.rows, table, low, high)


def entries_in_range(grid: PaddedGrid, table: array[int], low: int, high: int) -> list[tuple[int, int, int]]:
    """Return (column, row, entry) of the cells whose entry is from `low` to `high`, row by row."""
    return fields.range_entries(grid.columns, grid.rows, table, low, high)


def runs_of(mask: Mask) -> tuple[Run, ...]:
    """Return `mask.runs()`, from the kernel: most of the time of an overlay of ragged areas."""
    return tuple(fields.mask_runs(mask))
