"""The hex board in the four layouts that virtual tabletops store by columns and rows; axial inside.

Board units are those of the real board, squeezed so that every hex is 64 wide and 64 high and rows (or
columns) of hexes are 48 apart. Centers, corners and midpoints of edges are then integers. Squeezing keeps
straight lines straight and sides the same, so lines, walls and shadows stay exact. Lengths in different
directions do not compare; count steps instead.

Hex coordinates after Amit Patel, "Hexagonal Grids" (redblobgames.com/grids/hexagons).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

from enfilade.geometry.board.arcs import scaled_compass_vector
from enfilade.geometry.board.base import CELL, HALF, Cell, Point, Scanline, check_size, neighbors_on

Layout = Literal["odd_r", "even_r", "odd_q", "even_q"]
"""The rows (r: pointy hexes) or columns (q: flat hexes) that are shifted half a hex right (or down)."""

Axial = tuple[int, int]
"""(q, r): q grows along a row and r down a column, in every layout."""

STEP = 48
"""The distance between rows of pointy hexes, or columns of flat ones."""

POINTY_FACINGS = (30, 90, 150, 210, 270, 330)
FLAT_FACINGS = (0, 60, 120, 180, 240, 300)

AXIAL_STEPS: tuple[Axial, ...] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The six axial steps clockwise. The first is at 30 degrees on pointy hexes, at 60 on flat ones."""

_LANES_SHIFTED_ROW = (2, 7, 6, 5, 3, 1)
_LANES_PLAIN_ROW = (1, 7, 5, 4, 3, 0)
_LANES_SHIFTED_COLUMN = (1, 7, 6, 5, 4, 3)
_LANES_PLAIN_COLUMN = (1, 2, 7, 5, 3, 0)
_POINTY_TWELFTHS = ((0, -1), (2, -3), (2, -1), (1, 0), (2, 1), (2, 3))
_FLAT_TWELFTHS = ((0, -1), (1, -2), (3, -2), (1, 0), (3, 2), (1, 2))
_SQUEEZE: float = 0.75**0.5
_ORIENTATIONS: dict[Layout, tuple[bool, int]] = {
    "odd_r": (True, 1),
    "even_r": (True, -1),
    "odd_q": (False, 1),
    "even_q": (False, -1),
}
"""For each layout whether its hexes are pointy, and the sign of its shift: 1 if odd lines are shifted."""


@dataclass(frozen=True, slots=True)
class HexBoard:
    """A board of hexes, stored as `columns` by `rows`.

    `is_pointy` is True for pointy hexes in straight rows, False for flat ones in straight columns.

    Raises ValueError for an unknown layout, or a size that no board can have.
    """

    columns: int
    rows: int
    layout: Layout
    is_pointy: bool = field(init=False, repr=False, compare=False)
    _parity: int = field(init=False, repr=False, compare=False)
    _rounding: int = field(init=False, repr=False, compare=False)
    """1 if the even lines are shifted half a hex: then half the number of a line is rounded up."""

    def __post_init__(self) -> None:
        check_size(self.columns, self.rows)
        if self.layout not in _ORIENTATIONS:
            names = ", ".join(get_args(Layout))
            raise ValueError(f"Unknown layout of a hex board: {self.layout!r}. The layouts are {names}.")
        # Kept, because each question about a cell asks for them.
        is_pointy, sign = _ORIENTATIONS[self.layout]
        object.__setattr__(self, "is_pointy", is_pointy)
        object.__setattr__(self, "_parity", int(sign > 0))
        object.__setattr__(self, "_rounding", int(sign < 0))

    def __hash__(self) -> int:
        return self.columns << 16 ^ self.rows

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    @property
    def facings(self) -> tuple[int, ...]:
        """The six compass angles from a hex to its neighbors."""
        return POINTY_FACINGS if self.is_pointy else FLAT_FACINGS

    def is_shifted(self, cell: Cell) -> bool:
        """Return whether the cell's row (or column) is one of those shifted half a hex."""
        return cell[1 if self.is_pointy else 0] & 1 == self._parity

    def neighbors(self, cell: Cell) -> Iterator[Cell]:
        """Yield the up to six cells that share an edge with this one."""
        return neighbors_on(self, cell)

    def lanes(self, cell: Cell) -> tuple[int, ...]:
        """Return the six lanes that are steps from this cell."""
        if self.is_pointy:
            return _LANES_SHIFTED_ROW if self.is_shifted(cell) else _LANES_PLAIN_ROW
        return _LANES_SHIFTED_COLUMN if self.is_shifted(cell) else _LANES_PLAIN_COLUMN

    def adjacent_lanes(self, cell: Cell, corners: bool = True) -> tuple[int, ...]:  # noqa: ARG002 - never corners only
        """Return the six lanes: adjacent hexes always share an edge."""
        return self.lanes(cell)

    def axial(self, cell: Cell) -> Axial:
        """Return a cell's axial coordinates; those of (0, 0) are (0, 0)."""
        column, row = cell
        if self.is_pointy:
            return column - (row + self._rounding >> 1), row
        return column, row - (column + self._rounding >> 1)

    def offset(self, axial: Axial) -> Cell:
        """Return the cell (column, row) at axial coordinates; it may be off the board."""
        q, r = axial
        return (q + (r + self._rounding >> 1), r) if self.is_pointy else (q, r + (q + self._rounding >> 1))

    def shift(self, cell: Cell, offset: Cell) -> Cell:
        """Return the cell at an axial offset."""
        q, r = self.axial(cell)
        return self.offset((q + offset[0], r + offset[1]))

    def toward(self, cell: Cell, facing: int) -> Cell:
        """Return the cell one step along one of the board's facings. It may be off the board."""
        first = 30 if self.is_pointy else 60
        return self.shift(cell, AXIAL_STEPS[(facing - first) % 360 // 60])

    def ahead(self, cell: Cell, facing: int) -> Cell | None:
        """Return the cell straight ahead of one of the board's facings, or None if it is off the board."""
        there = self.toward(cell, facing)
        return there if there in self else None

    def distance(self, a: Cell, b: Cell) -> int:
        """Return the steps from one cell to another over open board."""
        (aq, ar), (bq, br) = self.axial(a), self.axial(b)
        return axial_distance((bq - aq, br - ar))

    def center(self, cell: Cell) -> Point:
        """Return the center of a cell, in board units."""
        column, row = cell
        if self.is_pointy:
            shifted = HALF if row & 1 == self._parity else 0
            return (column * CELL + HALF + shifted, row * STEP + HALF)
        shifted = HALF if column & 1 == self._parity else 0
        return (column * STEP + HALF, row * CELL + HALF + shifted)

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """Return the six corners of a cell, clockwise, in board units."""
        x, y = self.center(cell)
        around = ((0, -32), (32, -16), (32, 16), (0, 32), (-32, 16), (-32, -16))
        if self.is_pointy:
            return tuple((x + dx, y + dy) for dx, dy in around)
        return tuple((x - dy, y + dx) for dx, dy in around)

    def direction(self, angle: int) -> Point:
        """Return a vector along a compass angle of the real board; exact for multiples of 30 degrees."""
        if angle % 30 == 0:
            x, y = (_POINTY_TWELFTHS if self.is_pointy else _FLAT_TWELFTHS)[angle // 30 % 6]
            return (x, y) if angle % 360 < 180 else (-x, -y)
        across, down = (1.0, _SQUEEZE) if self.is_pointy else (_SQUEEZE, 1.0)
        return scaled_compass_vector(angle, across, down)

    def scanlines(self) -> Iterator[Scanline]:
        """Yield the rows; on flat hexes the even and the odd columns of each row separately."""
        for row in range(self.rows):
            if self.is_pointy:
                x, y = self.center((0, row))
                yield Scanline(row, 0, 1, self.columns, x, y, CELL)
            else:
                for first in (0, 1)[: self.columns]:
                    x, y = self.center((first, row))
                    yield Scanline(row, first, 2, (self.columns - first + 1) // 2, x, y, 2 * STEP)


def axial_of(cell: Cell, layout: Layout) -> Axial:
    """Return a cell's axial coordinates in a layout."""
    column, row = cell
    is_pointy, sign = _ORIENTATIONS[layout]
    if is_pointy:
        return column - (row - (row & 1) * sign) // 2, row
    return column, row - (column - (column & 1) * sign) // 2


def cell_of(axial: Axial, layout: Layout) -> Cell:
    """Return the cell (column, row) at axial coordinates in a layout."""
    q, r = axial
    is_pointy, sign = _ORIENTATIONS[layout]
    if is_pointy:
        return q + (r - (r & 1) * sign) // 2, r
    return q, r + (q - (q & 1) * sign) // 2


def axial_distance(offset: Axial) -> int:
    """Return the length of an axial offset in steps."""
    q, r = offset
    return max(abs(q), abs(r), abs(q + r))
