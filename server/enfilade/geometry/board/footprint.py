"""Footprints: the cells a miniature stands on, and the ring of cells around it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from enfilade.geometry.board.base import LANES, Board, Cell
from enfilade.geometry.board.hex import Axial
from enfilade.geometry.board.hexon import HEXON_OFFSETS, Hexon, HexonLattice


@dataclass(frozen=True, slots=True)
class Footprint:
    """The cells that a miniature fills, as offsets from the cell it stands at.

    `shares` is for tiny miniatures, which share a cell and reach no farther than it (the gnome of Double
    Life, DBL-053). Raises ValueError if there are no cells, or if one is given twice.
    """

    offsets: tuple[Cell, ...]
    shares: bool = False

    def __post_init__(self) -> None:
        if not self.offsets or len(set(self.offsets)) != len(self.offsets):
            raise ValueError("A footprint needs one or more different cells.")

    def cells(self, board: Board, at: Cell) -> list[Cell]:
        """Return the cells filled by a miniature at a cell; some may be off the board."""
        return [board.shift(at, offset) for offset in self.offsets]

    def fits(self, board: Board, at: Cell) -> bool:
        """Return whether the whole footprint is on the board."""
        return all(cell in board for cell in self.cells(board, at))


ONE_CELL = Footprint(((0, 0),))
SHARED_CELL = Footprint(((0, 0),), shares=True)
ONE_HEXON = Footprint(HEXON_OFFSETS)


def index_offsets(board: Board, footprint: Footprint) -> list[tuple[int, ...]]:
    """Return, for each parity of (row, column), the footprint as index offsets in a `PaddedGrid`."""
    stride = board.columns + 2
    return [
        tuple((y - row) * stride + x - column for x, y in footprint.cells(board, (column, row)))
        for row in (0, 1)
        for column in (0, 1)
    ]


def block(columns: int, rows: int) -> Footprint:
    """Build a block of squares that stands at its top left square: a troll is `block(2, 2)` (DBL-055).

    Raises ValueError if it is empty.
    """
    return Footprint(tuple((x, y) for y in range(rows) for x in range(columns)))


def hexons(lattice: HexonLattice, offsets: Iterable[Hexon]) -> Footprint:
    """Build a footprint of hexons, given as offsets in hexons; it stands at the first one's center hex."""
    level = HexonLattice(lattice.chirality)
    hexes: list[Axial] = [hex_ for offset in offsets for hex_ in level.hexes(offset)]
    return Footprint(tuple(hexes))


def ring(board: Board, cells: Iterable[Cell], corners: bool = True) -> set[Cell]:
    """Return the cells on the board adjacent to any of some cells: 12 around a 2x2 block, 8 around a square.

    With `corners` squares are adjacent at corners too. Hexes are adjacent along edges only.
    """
    filled = set(cells)
    around = {
        (cell[0] + LANES[lane][0], cell[1] + LANES[lane][1])
        for cell in filled
        for lane in board.adjacent_lanes(cell, corners)
    }
    return {cell for cell in around - filled if cell in board}


def reach(board: Board, at: Cell, footprint: Footprint, corners: bool = True) -> set[Cell]:
    """Return the cells a miniature can attack in melee: its ring, or its own cell if it shares one."""
    cells = footprint.cells(board, at)
    return set(cells) if footprint.shares else ring(board, cells, corners)
