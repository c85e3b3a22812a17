"""A set of a board's cells as one integer per row: bit x of row y is the cell (x, y)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from enfilade.geometry.board.base import Board, Cell
from enfilade.runtime.time_budget import checkpoint

Run = tuple[int, int, int]
"""(row, first column, last column): adjacent cells of one row, the short form of a mask on the wire."""
_REST = 15
"""Between two checkpoints are so many rows, and one more."""


@dataclass(frozen=True, slots=True)
class Mask:
    """A set of cells: supports `in`, iteration by row, `&`, `|`, `-` and `len`."""

    rows: tuple[int, ...]

    @classmethod
    def of(cls, cells: Iterable[Cell], row_count: int) -> Mask:
        """Build the mask of `cells` on a board with `rows` rows.

        Raises ValueError for a cell above, below or to the left of the board.
        """
        rows = [0] * row_count
        for column, row in cells:
            checkpoint()
            if not 0 <= row < row_count or column < 0:
                raise ValueError(f"The cell {(column, row)} is not on a board of {row_count} rows.")
            rows[row] |= 1 << column
        return cls(tuple(rows))

    @classmethod
    def union(cls, masks: Sequence[Mask]) -> Mask:
        """Return the cells of any of some masks of one board; there is at least one."""
        return cls(tuple([reduce(or_, row) for row in zip(*[mask.rows for mask in masks], strict=True)]))

    def __contains__(self, cell: Cell) -> bool:
        column, row = cell
        return 0 <= row < len(self.rows) and column >= 0 and bool(self.rows[row] >> column & 1)

    def __iter__(self) -> Iterator[Cell]:
        for row, first, last in self.runs():
            for column in range(first, last + 1):
                yield (column, row)

    def __len__(self) -> int:
        return sum([bits.bit_count() for bits in self.rows])

    def __bool__(self) -> bool:
        return any(self.rows)

    def __and__(self, other: Mask) -> Mask:
        return Mask(tuple([a & b for a, b in zip(self.rows, other.rows, strict=True)]))

    def __or__(self, other: Mask) -> Mask:
        return Mask(tuple([a | b for a, b in zip(self.rows, other.rows, strict=True)]))

    def __sub__(self, other: Mask) -> Mask:
        return Mask(tuple([a & ~b for a, b in zip(self.rows, other.rows, strict=True)]))

    def runs(self) -> list[Run]:
        """Return the mask as runs, top row first, left to right."""
        found = []
        for row, bits in enumerate(self.rows):
            if not row & _REST:
                checkpoint()
            while bits:
                first = bits & -bits
                past = bits + first  # the lowest run carries over to the bit behind it
                found.append((row, first.bit_length() - 1, (past & -past).bit_length() - 2))
                bits &= past
        return found


def full_mask(board: Board) -> Mask:
    """Return every cell of a board."""
    return Mask(((1 << board.columns) - 1,) * board.rows)


def runs_of_cells(cells: Iterable[Cell]) -> tuple[Run, ...]:
    """Return a few cells as runs, in the order of `Mask.runs`."""
    checkpoint()
    found: list[Run] = []
    for row, column in sorted([(row, column) for column, row in cells]):
        if found and found[-1][0] == row and found[-1][2] == column - 1:
            found[-1] = (row, found[-1][1], column)
        else:
            found.append((row, column, column))
    return tuple(found)
