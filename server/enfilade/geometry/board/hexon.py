"""Hexons: a hex and its six neighbors as one big cell, and the lattice that tiles the board with them.

Seven hexes fill the plane with their centers on one of two lattices, mirror images of each other. Hexons
have axial coordinates of their own, so a line or a distance of hexons is counted like one of hexes. A rim
hex is adjacent to exactly two hexons beside its own; a center hex is adjacent to none.

Torn, TRN-007, TRN-008 and TRN-045.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.hex import AXIAL_STEPS, Axial, HexBoard, axial_distance, axial_of, cell_of

Chirality = Literal["left", "right"]
"""The twist of the lattice against the hexes: the steps (2, 1) and (-1, 3), or (3, -1) and (1, 2)."""

Hexon = tuple[int, int]
"""(i, j): axial coordinates counted in hexons."""

_BASES: dict[Chirality, tuple[Axial, Axial]] = {"left": ((2, 1), (-1, 3)), "right": ((3, -1), (1, 2))}

HEXON_OFFSETS: tuple[Axial, ...] = ((0, 0), *AXIAL_STEPS)
"""The seven hexes of a hexon as axial offsets from its center hex."""


_TO_CENTER = {
    chirality: {(dr * bq - dq * br) % 7: (dq, dr) for dq, dr in HEXON_OFFSETS}
    for chirality, (_, (bq, br)) in _BASES.items()
}
"""The way from a hex to the center of its hexon: hexons tile the plane, so the remainder by 7 tells it."""


@dataclass(frozen=True, slots=True)
class HexonLattice:
    """The position of hexons over hexes; `origin` is the center hex of hexon (0, 0), in axial coordinates.

    Raises ValueError for an unknown chirality.
    """

    chirality: Chirality = "left"
    origin: Axial = (0, 0)

    def __post_init__(self) -> None:
        if self.chirality not in _BASES:
            raise ValueError(f"A lattice of hexons twists 'left' or 'right', not {self.chirality!r}.")

    def center_hex(self, hexon: Hexon) -> Axial:
        """Return the hex in the middle of a hexon."""
        (aq, ar), (bq, br) = _BASES[self.chirality]
        i, j = hexon
        return (self.origin[0] + i * aq + j * bq, self.origin[1] + i * ar + j * br)

    def hexes(self, hexon: Hexon) -> tuple[Axial, ...]:
        """Return the seven hexes of a hexon, its center first."""
        q, r = self.center_hex(hexon)
        return tuple((q + dq, r + dr) for dq, dr in HEXON_OFFSETS)

    def hexon_of(self, axial: Axial) -> Hexon:
        """Return the hexon that a hex belongs to."""
        (aq, ar), (bq, br) = _BASES[self.chirality]
        q, r = axial[0] - self.origin[0], axial[1] - self.origin[1]
        dq, dr = _TO_CENTER[self.chirality][(q * br - r * bq) % 7]
        q, r = q + dq, r + dr
        return ((q * br - r * bq) // 7, (r * aq - q * ar) // 7)

    def adjacent_hexons(self, axial: Axial) -> set[Hexon]:
        """Return the other hexons that a hex shares an edge with: two on the rim, none in the center."""
        around = {self.hexon_of((axial[0] + dq, axial[1] + dr)) for dq, dr in AXIAL_STEPS}
        return around - {self.hexon_of(axial)}


def hexon_neighbors(hexon: Hexon) -> list[Hexon]:
    """Return the six hexons that share edges with one, clockwise."""
    return [(hexon[0] + di, hexon[1] + dj) for di, dj in AXIAL_STEPS]


def hexon_distance(a: Hexon, b: Hexon) -> int:
    """Return the distance in hexons: a neighbor is 1 away (TRN-008)."""
    return axial_distance((b[0] - a[0], b[1] - a[1]))


@lru_cache(maxsize=64)
def hexons_around(steps: int) -> tuple[Hexon, ...]:
    """Return the offsets of all hexons within a number of steps, the hexon itself included."""
    return tuple(
        (i, j)
        for i in range(-steps, steps + 1)
        for j in range(max(-steps, -i - steps), min(steps, steps - i) + 1)
    )


def hexon_line(start: Hexon, step: Axial, count: int) -> list[Hexon]:
    """Return the straight line of `count` hexons beyond one, along one of the `AXIAL_STEPS` (TRN-045)."""
    return [(start[0] + step[0] * k, start[1] + step[1] * k) for k in range(1, count + 1)]


def are_in_line(a: Hexon, b: Hexon) -> bool:
    """Return whether two hexons lie on one hexon line."""
    i, j = b[0] - a[0], b[1] - a[1]
    return i == 0 or j == 0 or i + j == 0


class HexonBoard:
    """The hexons that lie wholly on a board of hexes, as a board of their own.

    `board` is a hex board with one cell for each hexon, so every function for hexes works for hexons. Some
    of its cells may stand for hexons that are not there: see `is_whole`.
    """

    def __init__(self, hexes: HexBoard, lattice: HexonLattice) -> None:
        self.hexes, self.lattice = hexes, lattice
        self.hexons = frozenset(self._whole_hexons())
        cells = [cell_of(hexon, "odd_r") for hexon in self.hexons] or [(0, 0)]
        left, top = min(x for x, _ in cells), min(y for _, y in cells) // 2 * 2
        self._corner = (left, top)
        columns = max(x for x, _ in cells) - left + 1
        self.board = HexBoard(columns, max(y for _, y in cells) - top + 1, "odd_r")

    def _whole_hexons(self) -> Iterator[Hexon]:
        cells = ((x, y) for y in range(self.hexes.rows) for x in range(self.hexes.columns))
        for hexon in {self.lattice.hexon_of(self.hexes.axial(cell)) for cell in cells}:
            if all(self.hexes.offset(axial) in self.hexes for axial in self.lattice.hexes(hexon)):
                yield hexon

    def cell_of(self, hexon: Hexon) -> Cell:
        """Return the cell of a hexon on `board`."""
        column, row = cell_of(hexon, "odd_r")
        return (column - self._corner[0], row - self._corner[1])

    def hexon_at(self, cell: Cell) -> Hexon:
        """Return the hexon at a cell of `board`; it may not be whole."""
        return axial_of((cell[0] + self._corner[0], cell[1] + self._corner[1]), "odd_r")

    def is_whole(self, cell: Cell) -> bool:
        """Return whether the cell of `board` is a hexon that lies wholly on the board of hexes."""
        return self.hexon_at(cell) in self.hexons

    def hexes_of(self, cell: Cell) -> list[Cell]:
        """Return the seven hexes of the hexon at a cell of `board`, as cells of the board of hexes."""
        return [self.hexes.offset(axial) for axial in self.lattice.hexes(self.hexon_at(cell))]
