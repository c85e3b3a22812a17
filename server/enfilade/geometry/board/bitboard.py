"""Sets of a board's cells as one large integer each: fast unions, and fast steps from all cells at once.

A cell is the bit of its index in a table with a border, whose rows are padded to whole bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from enfilade.geometry.board.base import LANES, Board
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import Cell
from enfilade.runtime.time_budget import checkpoint

Bits = int
"""A set of cells. `|`, `&` and `& ~` are the union, the intersection and the difference."""


_REST = 255
"""After so many cells other answers may run."""


class BitBoard:
    """The bits of a board's cells, and steps between neighbors. Build one with `bitboard`."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._bytes = (board.columns + 2 + 7) // 8
        self.all = self.of_mask(Mask(((1 << board.columns) - 1,) * board.rows))
        self._steps = list(self._shifts())

    def _shifts(self) -> Iterator[tuple[int, Bits]]:
        """Yield each offset between neighbors, with the cells that have it."""
        board, parities = self.board, {}
        for row in (0, 1):
            line = tuple(sum(1 << x for x in range(board.columns) if x & 1 == column) for column in (0, 1))
            for column in (0, 1):
                checkpoint()
                rows = [line[column] if y & 1 == row else 0 for y in range(board.rows)]
                parities[column, row] = self.of_mask(Mask(tuple(rows)))
        for lane, (dx, dy) in enumerate(LANES):
            checkpoint()
            cells = 0
            for cell, bits in parities.items():
                cells |= bits if lane in board.lanes(cell) else 0
            if cells:
                yield 8 * self._bytes * dy + dx, cells

    def of(self, cells: Iterable[Cell]) -> Bits:
        """Return some cells as bits; those off the board are left out."""
        columns, rows, width = self.board.columns, self.board.rows, self._bytes
        # In bytes: to set a bit of the large integer would copy it for each cell.
        data = bytearray(width * (rows + 2))
        for number, (x, y) in enumerate(cells):
            if number & _REST == _REST:
                checkpoint()
            if 0 <= x < columns and 0 <= y < rows:
                data[width * (y + 1) + (x + 1 >> 3)] |= 1 << (x + 1 & 7)
        return int.from_bytes(data, "little")

    def of_cell(self, cell: Cell) -> Bits:
        """Return one cell of the board as a bit."""
        return 1 << (8 * self._bytes * (cell[1] + 1) + cell[0] + 1)

    def of_mask(self, mask: Mask) -> Bits:
        """Return the cells of a mask as bits."""
        checkpoint()
        rows = [(bits << 1).to_bytes(self._bytes, "little") for bits in mask.rows]
        return int.from_bytes(bytes(self._bytes) + b"".join(rows), "little")

    def mask(self, bits: Bits) -> Mask:
        """Return the mask of some bits."""
        checkpoint()
        width, whole = self._bytes, (1 << self.board.columns) - 1
        data = bits.to_bytes(width * (self.board.rows + 2), "little")
        starts = range(width, width * (self.board.rows + 1), width)
        return Mask(tuple([int.from_bytes(data[i : i + width], "little") >> 1 & whole for i in starts]))

    def cells(self, bits: Bits) -> Iterator[Cell]:
        """Yield the cells of some bits, row by row."""
        width = self._bytes
        data = bits.to_bytes(width * (self.board.rows + 2), "little")
        for y in range(self.board.rows):
            row = int.from_bytes(data[width * (y + 1) : width * (y + 2)], "little")
            if row:
                checkpoint()
            while row:
                first = row & -row
                yield first.bit_length() - 2, y
                row ^= first

    def beside(self, bits: Bits) -> Bits:
        """Return the neighbors of all cells of a set; some of them may be in the set."""
        checkpoint()
        found = 0
        for offset, cells in self._steps:
            moved = bits & cells
            found |= moved << offset if offset > 0 else moved >> -offset
        return found & self.all

    def within(self, bits: Bits, steps: int) -> Bits:
        """Return the cells at most so many steps from a set, over open board, with the set itself."""
        found = rim = bits
        for _ in range(steps):
            rim = self.beside(rim) & ~found
            if not rim:
                break
            found |= rim
        return found

    def layers(self, start: Bits, closed: Bits, steps: int) -> Iterator[Bits]:
        """Yield the cells that are 1, 2, 3, ... steps from a set on ways that enter no closed cell."""
        past = rim = start
        for _ in range(steps):
            rim = self.beside(rim) & ~(past | closed)
            if not rim:
                return
            past |= rim
            yield rim


@lru_cache(maxsize=16)
def bitboard(board: Board) -> BitBoard:
    """Return the bits of a board."""
    return BitBoard(board)
