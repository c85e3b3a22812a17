"""Tables of the Hexons of a board, filled as they are asked for."""

from __future__ import annotations

from functools import lru_cache

from enfilade.geometry.board.bitboard import Bits
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.hexon import Hexon, HexonLattice
from enfilade.geometry.board.units import Cell


class HexonTables:
    """The Hexons found so far, which depend on the size of the board alone.

    Attributes:
        by_hex: the Hexon of each Hex, by row and column.
        centers: the Hex in the center of each Hexon, if it is on the board.
        hexes: the Hexes of each Hexon.
        bits: the same as bits.
        every: all Hexons of the board; empty before they are asked for.
    """

    def __init__(self, board: HexBoard) -> None:
        self.by_hex: list[Hexon | None] = [None] * (board.columns * board.rows)
        self.centers: dict[Hexon, Cell] = {}
        self.hexes: dict[Hexon, tuple[Cell, ...]] = {}
        self.bits: dict[Hexon, Bits] = {}
        self.every: frozenset[Hexon] = frozenset()


SHARED_CELLS = 2_500
"""The largest board whose battlefields share their tables; larger ones would take too much memory."""


def hexon_tables(board: HexBoard, lattice: HexonLattice) -> HexonTables:
    """Return the tables of a board, the same for all small boards of a size."""
    is_small = board.columns * board.rows <= SHARED_CELLS
    return _shared_hexon_tables(board, lattice) if is_small else HexonTables(board)


@lru_cache(maxsize=32)
def _shared_hexon_tables(board: HexBoard, _lattice: HexonLattice) -> HexonTables:
    return HexonTables(board)
