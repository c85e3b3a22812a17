"""The cover that every cell of a board would have against one attacker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from enfilade.geometry.board.base import Board
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import HALF, Cell, Point
from enfilade.geometry.kernel import sight
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.cover import INSET, LEVEL, hex_corners
from enfilade.geometry.sight.raster import lattices, lit
from enfilade.geometry.sight.shadows import Heights
from enfilade.time_budget import checkpoint


class Tally:
    """A count for every cell, kept as binary digits: bit x of `digits[k][y]` is worth 2 ** k at (x, y)."""

    def __init__(self, rows: int) -> None:
        self.rows, self.digits = rows, [[0] * rows]

    def add(self, mask: Mask) -> None:
        """Count the cells of a mask once more."""
        carry = list(mask.rows)
        for digit in self.digits:
            for row, bits in enumerate(carry):
                digit[row], carry[row] = digit[row] ^ bits, digit[row] & bits
        if any(carry):
            self.digits.append(carry)

    def at(self, cell: Cell) -> int:
        """The count of a cell."""
        column, row = cell
        return sum((digit[row] >> column & 1) << k for k, digit in enumerate(self.digits))

    def at_most(self, limit: int, whole_row: int) -> Mask:
        """The cells, of those in `whole_row`, whose count is at most so much."""
        rows = []
        for row in range(self.rows):
            less, same = (0, whole_row) if limit >> len(self.digits) == 0 else (whole_row, 0)
            for k in reversed(range(len(self.digits))):
                bits = self.digits[k][row]
                if limit >> k & 1:
                    less, same = less | same & ~bits, same & bits
                else:
                    same &= ~bits
            rows.append(less | same)
        return Mask(tuple(rows))


@dataclass(frozen=True, slots=True)
class CoverMap:
    """For every cell of a board the lines to it from an attacker, and how many of them are clear."""

    columns: int
    lines: int
    past_walls: Tally
    past_all: Tally

    def fraction(self, cell: Cell) -> Fraction:
        """The part of the lines to a cell that is blocked."""
        return Fraction(self.lines - self.past_all.at(cell), self.lines)

    def by_walls(self, cell: Cell) -> Fraction:
        """The part of the lines to a cell that walls block."""
        return Fraction(self.lines - self.past_walls.at(cell), self.lines)

    def by_bodies(self, cell: Cell) -> Fraction:
        """The part of the lines to a cell that bodies block and no wall does."""
        return self.fraction(cell) - self.by_walls(cell)

    def with_at_least(self, blocked: int) -> Mask:
        """The cells to which at least so many lines are blocked."""
        if blocked > self.lines:
            return Mask((0,) * self.past_all.rows)
        return self.past_all.at_most(self.lines - blocked, (1 << self.columns) - 1)


def cover_map(
    board: Board, attacker: Sequence[Point], blockers: Blockers, heights: Heights = LEVEL
) -> CoverMap:
    """The cover that something one cell in size would have in every cell, against an attacker's points.

    Bodies that hold the attacker's point, or the centre of the cell looked at, block nothing.
    """
    bare = blockers.with_bodies(())
    past_walls, past_all = Tally(board.rows), Tally(board.rows)
    offsets = _corner_offsets(board)
    for eye in attacker:
        for dx, dy in offsets:
            checkpoint()
            shifted = [lattice.shifted(dx, dy) for lattice in lattices(board)]
            past_walls.add(lit(board, [sight.darkness(each, eye, heights, bare) for each in shifted]))
            past_all.add(lit(board, [sight.darkness(each, eye, heights, blockers) for each in shifted]))
    return CoverMap(board.columns, len(attacker) * len(offsets), past_walls, past_all)


def _corner_offsets(board: Board) -> list[Point]:
    """From a cell's centre to its corners, drawn in."""
    if isinstance(board, HexBoard):
        x, y = board.centre((0, 0))
        return [(cx - x, cy - y) for cx, cy in hex_corners(board, (0, 0))]
    corner = HALF - INSET
    return [(-corner, -corner), (corner, -corner), (corner, corner), (-corner, corner)]
