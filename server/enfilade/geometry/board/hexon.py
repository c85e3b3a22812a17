"""Hexons: a hex and its six neighbours as one big cell, and the lattice they tile the board with.

Seven hexes fill the plane with their centres on one of two lattices, mirror images of each other. Hexons
have coordinates of their own, axial again, so that a line or a distance of hexons is counted like one of
hexes. A rim hex touches exactly two hexons beside its own; a centre hex touches none.

Torn, TRN-007, TRN-008 and TRN-045.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from enfilade.geometry.board.hex import AXIAL_STEPS, Axial, HexBoard, axial_distance
from enfilade.geometry.board.units import Cell

Chirality = Literal["left", "right"]
"""Which way the lattice is twisted against the hexes: the steps (2, 1) and (-1, 3), or (3, -1) and (1, 2)."""

Hexon = tuple[int, int]
"""(i, j): axial coordinates counted in hexons."""

_BASES: dict[Chirality, tuple[Axial, Axial]] = {"left": ((2, 1), (-1, 3)), "right": ((3, -1), (1, 2))}

HEXON_OFFSETS: tuple[Axial, ...] = ((0, 0), *AXIAL_STEPS)
"""The seven hexes of a hexon as axial offsets from its centre hex."""


@dataclass(frozen=True, slots=True)
class HexonLattice:
    """How hexons lie over hexes; `origin` is the centre hex of hexon (0, 0), in axial coordinates."""

    chirality: Chirality = "left"
    origin: Axial = (0, 0)

    def centre_hex(self, hexon: Hexon) -> Axial:
        """The hex in the middle of a hexon."""
        (aq, ar), (bq, br) = _BASES[self.chirality]
        i, j = hexon
        return (self.origin[0] + i * aq + j * bq, self.origin[1] + i * ar + j * br)

    def hexes(self, hexon: Hexon) -> tuple[Axial, ...]:
        """The seven hexes of a hexon, its centre first."""
        q, r = self.centre_hex(hexon)
        return tuple((q + dq, r + dr) for dq, dr in HEXON_OFFSETS)

    def hexon_of(self, axial: Axial) -> Hexon:
        """The hexon that a hex belongs to."""
        (aq, ar), (bq, br) = _BASES[self.chirality]
        for dq, dr in HEXON_OFFSETS:
            q, r = axial[0] + dq - self.origin[0], axial[1] + dr - self.origin[1]
            (i, rest), (j, other) = divmod(q * br - r * bq, 7), divmod(r * aq - q * ar, 7)
            if rest == other == 0:
                return (i, j)
        raise AssertionError("hexons tile the plane, so one of the seven is a centre")

    def touching(self, axial: Axial) -> set[Hexon]:
        """The hexons, other than its own, that a hex shares an edge with: two on the rim, else none."""
        around = {self.hexon_of((axial[0] + dq, axial[1] + dr)) for dq, dr in AXIAL_STEPS}
        return around - {self.hexon_of(axial)}


def hexon_neighbours(hexon: Hexon) -> list[Hexon]:
    """The six hexons that share edges with one, clockwise."""
    return [(hexon[0] + di, hexon[1] + dj) for di, dj in AXIAL_STEPS]


def hexon_distance(a: Hexon, b: Hexon) -> int:
    """The hexons from one to another: a neighbour is 1 away (TRN-008)."""
    return axial_distance((b[0] - a[0], b[1] - a[1]))


def hexon_line(start: Hexon, step: Axial, count: int) -> list[Hexon]:
    """The straight run of `count` hexons beyond one, in one of the `AXIAL_STEPS` (TRN-045)."""
    return [(start[0] + step[0] * k, start[1] + step[1] * k) for k in range(1, count + 1)]


def are_in_line(a: Hexon, b: Hexon) -> bool:
    """Whether two hexons lie on one hexon line."""
    i, j = b[0] - a[0], b[1] - a[1]
    return i == 0 or j == 0 or i + j == 0


class HexonBoard:
    """The hexons that lie whole on a board of hexes, as a board of their own.

    `board` is a hex board with one cell for each hexon (and some for hexons that are not there: see
    `is_whole`), so that everything made for hexes serves for hexons too.
    """

    def __init__(self, hexes: HexBoard, lattice: HexonLattice) -> None:
        self.hexes, self.lattice = hexes, lattice
        self.hexons = frozenset(self._whole_hexons())
        plane = HexBoard(0, 0, "odd_r")
        places = [plane.offset(hexon) for hexon in self.hexons] or [(0, 0)]
        left, top = min(x for x, _ in places), min(y for _, y in places) // 2 * 2
        self._corner = (left, top)
        columns = max(x for x, _ in places) - left + 1
        self.board = HexBoard(columns, max(y for _, y in places) - top + 1, "odd_r")

    def _whole_hexons(self) -> Iterator[Hexon]:
        cells = ((x, y) for y in range(self.hexes.rows) for x in range(self.hexes.columns))
        for hexon in {self.lattice.hexon_of(self.hexes.axial(cell)) for cell in cells}:
            if all(self.hexes.offset(axial) in self.hexes for axial in self.lattice.hexes(hexon)):
                yield hexon

    def cell_of(self, hexon: Hexon) -> Cell:
        """Where a hexon is on `board`."""
        column, row = HexBoard(0, 0, "odd_r").offset(hexon)
        return (column - self._corner[0], row - self._corner[1])

    def hexon_at(self, cell: Cell) -> Hexon:
        """The hexon at a cell of `board`; it may not be whole."""
        return HexBoard(0, 0, "odd_r").axial((cell[0] + self._corner[0], cell[1] + self._corner[1]))

    def is_whole(self, cell: Cell) -> bool:
        """Whether the cell of `board` is a hexon that lies whole on the board of hexes."""
        return self.hexon_at(cell) in self.hexons

    def hexes_of(self, cell: Cell) -> list[Cell]:
        """The seven hexes of the hexon at a cell of `board`, as cells of the board of hexes."""
        return [self.hexes.offset(axial) for axial in self.lattice.hexes(self.hexon_at(cell))]
