"""The hex board in all four layouts a virtual tabletop stores by columns and rows; axial inside.

The units are the real board's, squeezed so that every hex is 64 wide and 64 high and rows (or columns)
of hexes are 48 apart: then centres, corners and the middles of edges are whole numbers. Squeezing keeps
straight lines straight and sides sides, so lines, walls and shadows stay exact. Lengths across different
directions do not compare; count steps instead.

Hex coordinates after Amit Patel, "Hexagonal Grids" (redblobgames.com/grids/hexagons).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from enfilade.geometry.board.arcs import compass_vector
from enfilade.geometry.board.base import Scanline, neighbours_on
from enfilade.geometry.board.units import CELL, HALF, Cell, Point

Layout = Literal["odd_r", "even_r", "odd_q", "even_q"]
"""Which rows (r: pointy hexes) or columns (q: flat hexes) are shifted half a hex right (or down)."""

Axial = tuple[int, int]
"""(q, r): q grows along a row, r down a column, whatever the layout."""

STEP = 48
"""From one row of pointy hexes, or column of flat ones, to the next."""

POINTY_FACINGS = (30, 90, 150, 210, 270, 330)
FLAT_FACINGS = (0, 60, 120, 180, 240, 300)

AXIAL_STEPS: tuple[Axial, ...] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The six axial steps clockwise; on pointy hexes the first is at 30 degrees, on flat ones at 60."""

_LANES_SHIFTED_ROW = (2, 7, 6, 5, 3, 1)
_LANES_PLAIN_ROW = (1, 7, 5, 4, 3, 0)
_LANES_SHIFTED_COLUMN = (1, 7, 6, 5, 4, 3)
_LANES_PLAIN_COLUMN = (1, 2, 7, 5, 3, 0)
_POINTY_TWELFTHS = ((0, -1), (2, -3), (2, -1), (1, 0), (2, 1), (2, 3))
_FLAT_TWELFTHS = ((0, -1), (1, -2), (3, -2), (1, 0), (3, 2), (1, 2))


@dataclass(frozen=True, slots=True)
class HexBoard:
    """A board of hexes, stored as `columns` by `rows`."""

    columns: int
    rows: int
    layout: Layout

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    @property
    def is_pointy(self) -> bool:
        """Whether the hexes stand on a point, in straight rows; else they lie flat, in straight columns."""
        return self.layout in ("odd_r", "even_r")

    @property
    def facings(self) -> tuple[int, ...]:
        """The six compass angles from a hex to its neighbours."""
        return POINTY_FACINGS if self.is_pointy else FLAT_FACINGS

    def is_shifted(self, cell: Cell) -> bool:
        """Whether the cell's row (or column) is one of those moved half a hex."""
        parity = 1 if self.layout in ("odd_r", "odd_q") else 0
        return cell[1 if self.is_pointy else 0] % 2 == parity

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The up to six cells that share an edge with this one."""
        return neighbours_on(self, cell)

    def lanes(self, cell: Cell) -> tuple[int, ...]:
        """The six lanes that are steps from this cell."""
        if self.is_pointy:
            return _LANES_SHIFTED_ROW if self.is_shifted(cell) else _LANES_PLAIN_ROW
        return _LANES_SHIFTED_COLUMN if self.is_shifted(cell) else _LANES_PLAIN_COLUMN

    def touching(self, cell: Cell, corners: bool = True) -> tuple[int, ...]:  # noqa: ARG002 - never corners only
        """The six lanes: hexes that touch always share an edge."""
        return self.lanes(cell)

    def axial(self, cell: Cell) -> Axial:
        """A cell's axial coordinates; those of (0, 0) are (0, 0)."""
        column, row = cell
        along, across = (column, row) if self.is_pointy else (row, column)
        slipped = along - (across - (across & 1) * self._sign) // 2
        return (slipped, row) if self.is_pointy else (column, slipped)

    def offset(self, axial: Axial) -> Cell:
        """The cell (column, row) at axial coordinates; it may lie off the board."""
        q, r = axial
        along, across = (q, r) if self.is_pointy else (r, q)
        slipped = along + (across - (across & 1) * self._sign) // 2
        return (slipped, r) if self.is_pointy else (q, slipped)

    @property
    def _sign(self) -> int:
        return 1 if self.layout in ("odd_r", "odd_q") else -1

    def shift(self, cell: Cell, offset: Cell) -> Cell:
        """The cell at an axial offset."""
        q, r = self.axial(cell)
        return self.offset((q + offset[0], r + offset[1]))

    def ahead(self, cell: Cell, facing: int) -> Cell | None:
        """The cell straight ahead of one of the board's facings, or None off the board."""
        first = 30 if self.is_pointy else 60
        there = self.shift(cell, AXIAL_STEPS[(facing - first) % 360 // 60])
        return there if there in self else None

    def distance(self, a: Cell, b: Cell) -> int:
        """The steps from one cell to another over open board."""
        (aq, ar), (bq, br) = self.axial(a), self.axial(b)
        return axial_distance((bq - aq, br - ar))

    def centre(self, cell: Cell) -> Point:
        """The middle of a cell, in the board's units."""
        shifted = HALF if self.is_shifted(cell) else 0
        if self.is_pointy:
            return (cell[0] * CELL + HALF + shifted, cell[1] * STEP + HALF)
        return (cell[0] * STEP + HALF, cell[1] * CELL + HALF + shifted)

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """The six corners of a cell, clockwise, in the board's units."""
        x, y = self.centre(cell)
        around = ((0, -32), (32, -16), (32, 16), (0, 32), (-32, 16), (-32, -16))
        if self.is_pointy:
            return tuple((x + dx, y + dy) for dx, dy in around)
        return tuple((x - dy, y + dx) for dx, dy in around)

    def direction(self, angle: int) -> Point:
        """A vector along a compass angle of the real board; exact for multiples of 30 degrees."""
        table = _POINTY_TWELFTHS if self.is_pointy else _FLAT_TWELFTHS
        if angle % 30 == 0:
            x, y = table[angle // 30 % 6]
            return (x, y) if angle % 360 < 180 else (-x, -y)
        x, y = compass_vector(angle)
        return (x, round(y * 0.75**0.5)) if self.is_pointy else (round(x * 0.75**0.5), y)

    def scanlines(self) -> Iterator[Scanline]:
        """The rows; on flat hexes the even and the odd columns of each row apart."""
        for row in range(self.rows):
            if self.is_pointy:
                x, y = self.centre((0, row))
                yield Scanline(row, 0, 1, self.columns, x, y, CELL)
            else:
                for first in (0, 1)[: self.columns]:
                    x, y = self.centre((first, row))
                    yield Scanline(row, first, 2, (self.columns - first + 1) // 2, x, y, 2 * STEP)


def axial_distance(offset: Axial) -> int:
    """The steps that an axial offset is long."""
    q, r = offset
    return max(abs(q), abs(r), abs(q + r))
