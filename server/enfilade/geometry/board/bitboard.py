"""Sets of a board's cells as one large integer each: fast unions, and fast steps from all cells at once.

A cell is the bit of its index in a table with a border, whose rows are padded to whole bytes.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from enfilade.geometry.board.base import LANES, Board, Cell
from enfilade.geometry.board.mask import Mask
from enfilade.runtime.time_budget import checkpoint

Bits = int
"""A set of cells. `|`, `&` and `& ~` are the union, the intersection and the difference."""

NO_CELLS: Bits = 0
"""The empty set of cells."""


WORD = 8
"""The bytes of a machine word: rows that fill one are copied at once."""

_REST = 255
"""Number of cells after which other requests get their turn."""

_MOST_OFFSETS = 64
"""How many offsets a board knows its ways of."""


class BitBoard:
    """The bits of a board's cells, and steps between neighbors. Build one with `bitboard`."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._bytes = (board.columns + 2 + 7) // 8
        self.width = 8 * self._bytes
        self.all = self.of_mask(Mask(((1 << board.columns) - 1,) * board.rows))
        self._each_row = sum([1 << self.width * (row + 1) for row in range(board.rows)])
        self._parities = dict(self._by_parity())
        self._steps = list(self._shifts())
        self._ways: dict[Cell, list[tuple[int, Bits]]] = {}

    def _by_parity(self) -> Iterator[tuple[Cell, Bits]]:
        """Yield the cells whose columns and rows are even or odd."""
        for column in (0, 1):
            line = sum(1 << x for x in range(self.board.columns) if x & 1 == column)
            for row in (0, 1):
                checkpoint()
                rows = [line if y & 1 == row else 0 for y in range(self.board.rows)]
                yield (column, row), self.of_mask(Mask(tuple(rows)))

    def _shifts(self) -> Iterator[tuple[int, Bits]]:
        """Yield each offset between neighbors, with the cells that have it."""
        for lane, (dx, dy) in enumerate(LANES):
            checkpoint()
            cells = 0
            for cell, bits in self._parities.items():
                cells |= bits if lane in self.board.lanes(cell) else 0
            if cells:
                yield self.width * dy + dx, cells

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
        return 1 << (self.width * (cell[1] + 1) + cell[0] + 1)

    def of_mask(self, mask: Mask) -> Bits:
        """Return the cells of a mask as bits."""
        return self.of_rows(mask.rows)

    def of_rows(self, rows: Iterable[int]) -> Bits:
        """Return cells as bits, from an integer for each row of the board."""
        checkpoint()
        if self._bytes == WORD and sys.byteorder == "little":
            return int.from_bytes(array("Q", rows).tobytes(), "little") << self.width + 1
        data = [(bits << 1).to_bytes(self._bytes, "little") for bits in rows]
        return int.from_bytes(bytes(self._bytes) + b"".join(data), "little")

    def mask(self, bits: Bits) -> Mask:
        """Return the mask of some bits."""
        checkpoint()
        width, whole = self._bytes, (1 << self.board.columns) - 1
        data = bits.to_bytes(width * (self.board.rows + 2), "little")
        starts = range(width, width * (self.board.rows + 1), width)
        return Mask(tuple([int.from_bytes(data[i : i + width], "little") >> 1 & whole for i in starts]))

    def cells(self, bits: Bits) -> Iterator[Cell]:
        """Yield the cells of some bits, row by row."""
        if not bits:
            return
        size, first = self._bytes, (bits & -bits).bit_length() // self.width
        data = (bits >> self.width * first).to_bytes(size * (self.board.rows + 2 - first), "little")
        for y in range(first - 1, bits.bit_length() // self.width):
            row = int.from_bytes(data[size * (y + 1 - first) : size * (y + 2 - first)], "little")
            if row:
                checkpoint()
            while row:
                lowest = row & -row
                yield lowest.bit_length() - 2, y
                row ^= lowest

    def beside(self, bits: Bits) -> Bits:
        """Return the neighbors of all cells of a set; some of them may be in the set."""
        checkpoint()
        found = 0
        for offset, cells in self._steps:
            moved = bits & cells
            found |= moved << offset if offset > 0 else moved >> -offset
        return found & self.all

    def columns(self, first: int, last: int) -> Bits:
        """Return the cells of the board in some columns; those off the board are left out."""
        first, last = max(first, 0), min(last, self.board.columns - 1)
        return ((2 << last) - (1 << first) << 1) * self._each_row if first <= last else 0

    def shifted(self, bits: Bits, offset: Cell) -> Bits:
        """Return the cells of the board that `Board.shift` leads to from those of a set."""
        found = 0
        for distance, cells in self._ways.get(offset) or self._find_ways(offset):
            moved = bits & cells
            found |= moved << distance if distance > 0 else moved >> -distance
        return found & self.all

    def _find_ways(self, offset: Cell) -> list[tuple[int, Bits]]:
        """Return how far an offset is, with the cells for which it is so far and leads to a column."""
        found: dict[Cell, Bits] = {}
        for cell, bits in self._parities.items():
            x, y = self.board.shift(cell, offset)
            step = (x - cell[0], y - cell[1])
            found[step] = found.get(step, 0) | bits
        if len(self._ways) >= _MOST_OFFSETS:
            self._ways.clear()
        ways = self._ways[offset] = [
            (self.width * dy + dx, bits & self.columns(-dx, self.board.columns - 1 - dx))
            for (dx, dy), bits in found.items()
        ]
        return ways

    def within(self, bits: Bits, steps: int) -> Bits:
        """Return the cells within `steps` steps of a set over open board, the set included."""
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


def spread(step: Callable[[Bits], Bits], starts: Mapping[int, Bits], closed: Bits, stops: Bits = 0) -> Bits:
    """Return the cells within reach of several starts, each start with its own number of steps.

    `step` returns the neighbors of a set. No way enters a closed cell, or leaves one in `stops` that is not a
    start. A start may be among the cells, even if no other reaches it.
    """
    found = rim = 0
    for left in range(max(starts, default=0), 0, -1):
        rim = step(rim & ~stops | starts.get(left, 0)) & ~(found | closed)
        found |= rim
    return found


class Stamp:
    """The cells at some offsets from any cell, as bits: put down at once, not cell by cell."""

    def __init__(self, bits: BitBoard, offsets: Collection[Cell]) -> None:
        """Offsets are those of `Board.shift`."""
        self._bits, self._offsets = bits, tuple(offsets)
        self._patterns: dict[Cell, tuple[int, int, Bits]] = {}

    def at(self, cell: Cell) -> Bits:
        """Return the cells around a cell on the board or off; those off the board are left out."""
        bits, (x, y) = self._bits, cell
        across, corner, pattern = self._patterns.get((x & 1, y & 1)) or self._find_pattern((x & 1, y & 1))
        if 2 * across >= bits.width:  # wider than a row
            return bits.of([bits.board.shift(cell, offset) for offset in self._offsets])
        distance = bits.width * (y + 1) + x + 1 - corner
        pattern = pattern << distance if distance > 0 else pattern >> -distance
        return pattern & bits.columns(x - across, x + across) & bits.all

    def _find_pattern(self, cell: Cell) -> tuple[int, int, Bits]:
        """Return how far the offsets lead across, the bit that the cell is of, and the pattern."""
        checkpoint()
        places = [self._bits.board.shift(cell, offset) for offset in self._offsets] or [cell]
        steps = [(x - cell[0], y - cell[1]) for x, y in places] if self._offsets else []
        across = max([abs(dx) for dx, _ in steps], default=0)
        corner = across + self._bits.width * max([-dy for _, dy in steps] + [0])
        pattern = 0
        for dx, dy in steps:
            pattern |= 1 << corner + self._bits.width * dy + dx
        found = self._patterns[cell] = (across, corner, pattern)
        return found


@lru_cache(maxsize=16)
def bitboard(board: Board) -> BitBoard:
    """Return the bits of a board."""
    return BitBoard(board)
