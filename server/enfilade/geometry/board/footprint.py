"""Footprints: the cells a miniature stands on, and the ring of cells round it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from enfilade.geometry.board.base import LANES, Board
from enfilade.geometry.board.hex import Axial
from enfilade.geometry.board.hexon import HEXON_OFFSETS, Hexon, HexonLattice
from enfilade.geometry.board.units import Cell


@dataclass(frozen=True, slots=True)
class Footprint:
    """Which cells a miniature fills, as offsets from the cell it stands at.

    `shares` is for the very small, who stand on a case with others and reach no farther than it
    (the gnome of Double Life, DBL-053).
    """

    offsets: tuple[Cell, ...]
    shares: bool = False

    def cells(self, board: Board, at: Cell) -> list[Cell]:
        """The cells filled when standing at a cell; some may lie off the board."""
        return [board.shift(at, offset) for offset in self.offsets]

    def fits(self, board: Board, at: Cell) -> bool:
        """Whether all of it would stand on the board."""
        return all(cell in board for cell in self.cells(board, at))


ONE_CELL = Footprint(((0, 0),))
SHARED_CELL = Footprint(((0, 0),), shares=True)
ONE_HEXON = Footprint(HEXON_OFFSETS)


def place_offsets(board: Board, footprint: Footprint) -> list[tuple[int, ...]]:
    """For each parity of (row, column), what a footprint fills as offsets between `places.Places`."""
    stride = board.columns + 2
    return [
        tuple((y - row) * stride + x - column for x, y in footprint.cells(board, (column, row)))
        for row in (0, 1)
        for column in (0, 1)
    ]


def block(columns: int, rows: int) -> Footprint:
    """A block of squares, standing at its top left one: a troll is `block(2, 2)` (DBL-055)."""
    return Footprint(tuple((x, y) for y in range(rows) for x in range(columns)))


def hexons(lattice: HexonLattice, offsets: Iterable[Hexon]) -> Footprint:
    """Several hexons, given as offsets in hexons, standing at the centre hex of the first."""
    level = HexonLattice(lattice.chirality)
    hexes: list[Axial] = [hex_ for offset in offsets for hex_ in level.hexes(offset)]
    return Footprint(tuple(hexes))


def ring(board: Board, cells: Iterable[Cell], corners: bool = True) -> set[Cell]:
    """The cells on the board that touch any of some cells: 12 round a 2x2, 8 round one square.

    With `corners` squares touch at corners too; without, and on hexes always, along edges only.
    """
    filled = set(cells)
    around = {
        (cell[0] + LANES[lane][0], cell[1] + LANES[lane][1])
        for cell in filled
        for lane in board.touching(cell, corners)
    }
    return {cell for cell in around - filled if cell in board}


def reach(board: Board, at: Cell, footprint: Footprint, corners: bool = True) -> set[Cell]:
    """The cells a miniature can strike at hand: its ring, or its own case where it shares one."""
    cells = footprint.cells(board, at)
    return set(cells) if footprint.shares else ring(board, cells, corners)
