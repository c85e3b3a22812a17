"""Hexons: tables of those of a board, and sets of them as bits, with their centers, steps and sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from enfilade.geometry.board.bitboard import NO_CELLS, Bits, Stamp, bitboard
from enfilade.geometry.board.hex import AXIAL_STEPS, Axial, HexBoard
from enfilade.geometry.board.hexon import HEXON_OFFSETS, Hexon, HexonLattice, hexons_around
from enfilade.rules.battle.memo import Shelf, per_map
from enfilade.runtime.time_budget import checkpoint

_MANY = 8_192
"""How many Hexes a board knows the Hexons of: all of most boards."""


class HexonTables:
    """The Hexons found so far, which depend on the size of the board alone.

    Attributes:
        by_hex: the Hexon of each Hex.
        centers: the Hex in the center of each Hexon.
        every: all Hexons of the board; empty before they are asked for.
    """

    def __init__(self) -> None:
        self.by_hex = Shelf(_MANY)
        self.centers = Shelf()
        self.every: frozenset[Hexon] = frozenset()


@per_map
def hexon_tables(board: HexBoard, lattice: HexonLattice) -> HexonTables:
    """Return the tables of a board, which all battlefields on it share."""
    del board, lattice
    return HexonTables()


_PERIOD = 14
"""After so many columns and rows Hexes lie in their Hexons as before: seven in each, and rows take turns."""


class HexonBits:
    """The Hexons of a board as bits; a Hexon is the bit of its center, if that is on the board."""

    def __init__(self, board: HexBoard, lattice: HexonLattice) -> None:
        self.board, self.lattice, self.bits = board, lattice, bitboard(board)
        self._around_zero = HexonLattice(lattice.chirality)
        self._places = self._by_place()
        self.centers = self._places[0, 0]
        self._stamps = Shelf()

    def _by_place(self) -> dict[Axial, Bits]:
        """Return the Hexes of the board by where they lie in their Hexon: their offset from its center."""
        board, lattice = self.board, self.lattice
        lines: list[dict[Axial, int]] = []
        for row in range(min(_PERIOD, board.rows)):
            checkpoint()
            line = dict.fromkeys(HEXON_OFFSETS, NO_CELLS)
            for column in range(_PERIOD):
                q, r = board.axial((column, row))
                center_q, center_r = lattice.center_hex(lattice.hexon_of((q, r)))
                line[q - center_q, r - center_r] |= 1 << column
            lines.append(line)
        again = sum([1 << first for first in range(0, board.columns, _PERIOD)])
        whole = (1 << board.columns) - 1
        found = {}
        for place in HEXON_OFFSETS:
            rows = [lines[row % _PERIOD][place] * again & whole for row in range(board.rows)]
            found[place] = self.bits.of_rows(rows)
        return found

    def step(self, hexon: Hexon) -> Axial:
        """Return the step of Hexes that leads as far as so many Hexons."""
        return self._around_zero.center_hex(hexon)

    def shifted(self, centers: Bits, hexon: Hexon) -> Bits:
        """Return the Hexons that are so many Hexons away from some."""
        return self.bits.shifted(centers, self.step(hexon)) & self.centers

    def beside(self, centers: Bits) -> Bits:
        """Return the neighbors of all Hexons of a set."""
        checkpoint()
        found = NO_CELLS
        for step in AXIAL_STEPS:
            found |= self.shifted(centers, step)
        return found

    def under(self, base: Sequence[Hexon], hexes: Bits) -> Bits:
        """Return where the first Hexon of a base is if any of some Hexes is under it."""
        touching, found = (hexes | self.bits.beside(hexes)) & self.centers, NO_CELLS
        for i, j in base:
            found |= self.shifted(touching, (-i, -j))
        return found

    def on_board(self, base: Sequence[Hexon]) -> Bits:
        """Return where the first Hexon of a base is if all their centers are on the board."""
        found = self.centers
        for i, j in base:
            found &= self.shifted(self.centers, (-i, -j))
        return found

    def sides(self, hexes: Bits) -> dict[Axial, Bits]:
        """Return for each step between Hexons the Hexes that touch one of some Hexes in the Hexon there."""
        found = dict.fromkeys(AXIAL_STEPS, NO_CELLS)
        for dq, dr in AXIAL_STEPS:
            touching = self.bits.shifted(hexes, (-dq, -dr))
            for q, r in HEXON_OFFSETS:
                side = self._around_zero.hexon_of((q + dq, r + dr))
                if side != (0, 0):
                    found[side] |= touching & self._places[q, r]
        return found

    def around(self, hexons: tuple[Hexon, ...], steps: int, unit: str) -> Stamp:
        """Return the stamp of the Hexes in range of a body, counted from the center of its first Hexon.

        A body of one Hexon is that of all its Hexes. Its own Hexes are left out.
        """
        key = (hexons, steps, unit)
        known: Stamp | None = self._stamps.recent.get(key)
        return known or self._stamps.add(key, lambda: Stamp(self.bits, self._in_range(*key)))

    def around_hex(self, steps: int) -> Stamp:
        """Return the stamp of the Hexes at most so many Hexes from one, without that one."""
        known: Stamp | None = self._stamps.recent.get(steps)
        return known or self._stamps.add(steps, lambda: self._around_own_hex(steps))

    def _around_own_hex(self, steps: int) -> Stamp:
        return Stamp(self.bits, [axial for axial in hexons_around(steps) if axial != (0, 0)])

    def _in_range(self, hexons: tuple[Hexon, ...], steps: int, unit: str) -> set[Axial]:
        own = self._hexes(hexons)
        if unit == "hexon":
            near = {(i + di, j + dj) for i, j in hexons for di, dj in hexons_around(steps)}
            return self._hexes(near) - own
        return {(q + dq, r + dr) for q, r in own for dq, dr in hexons_around(steps)} - own

    def _hexes(self, hexons: Iterable[Hexon]) -> set[Axial]:
        return {axial for hexon in hexons for axial in self._around_zero.hexes(hexon)}


@lru_cache(maxsize=16)
def hexon_bits(board: HexBoard, lattice: HexonLattice) -> HexonBits:
    """Return the Hexons of a board as bits."""
    return HexonBits(board, lattice)
