"""The square board: four neighbours or eight, diagonals counted by any of the usual rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from enfilade.geometry.board.arcs import arc, compass_vector
from enfilade.geometry.board.base import Scanline, neighbours_on
from enfilade.geometry.board.diagonals import Diagonals
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.units import CELL, HALF, Box, Cell, Point

NORTH, EAST, SOUTH, WEST = 0, 90, 180, 270
FACINGS = (NORTH, EAST, SOUTH, WEST)
AHEAD: dict[int, Cell] = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
"""The step from a cell to the one straight ahead of a facing."""

STRAIGHT_LANES = (1, 7, 5, 3)
ALL_LANES = (1, 2, 7, 6, 5, 4, 3, 0)


@dataclass(frozen=True, slots=True)
class SquareBoard:
    """A board of `columns` by `rows` squares; without legal diagonals a square has four neighbours."""

    columns: int
    rows: int
    diagonals: Diagonals = Diagonals.ILLEGAL

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells one step away, clockwise from north."""
        return neighbours_on(self, cell)

    def lanes(self, cell: Cell) -> tuple[int, ...]:  # noqa: ARG002 - on hexes it depends on the cell
        """The lanes that are steps: all eight where diagonals are legal."""
        return ALL_LANES if self.diagonals.are_legal else STRAIGHT_LANES

    def touching(self, cell: Cell, corners: bool = True) -> tuple[int, ...]:  # noqa: ARG002 - as above
        """The lanes to the squares that share an edge, or, with `corners`, a corner."""
        return ALL_LANES if corners else STRAIGHT_LANES

    def shift(self, cell: Cell, offset: Cell) -> Cell:
        """The cell so many columns and rows away."""
        return (cell[0] + offset[0], cell[1] + offset[1])

    def centre(self, cell: Cell) -> Point:
        """The middle of a cell, in 64ths."""
        return centre(cell)

    def distance(self, a: Cell, b: Cell) -> int:
        """How far apart by the board's diagonals, in their points; Manhattan where there are none."""
        return self.diagonals.distance(b[0] - a[0], b[1] - a[1])

    def direction(self, angle: int) -> Point:
        """A vector along a compass angle; exact for multiples of 45 degrees."""
        return compass_vector(angle)

    def scanlines(self) -> Iterator[Scanline]:
        """The rows."""
        for row in range(self.rows):
            yield Scanline(row, 0, 1, self.columns, HALF, row * CELL + HALF, CELL)

    def ahead(self, cell: Cell, facing: int) -> Cell | None:
        """The cell straight ahead, or None off the board."""
        there = self.shift(cell, AHEAD[facing])
        return there if there in self else None

    def front_arc(self, cell: Cell, facing: int) -> Mask:
        """The front 90 degree arc: rows of 3, 5, 7, ... cells ahead, without the cell itself."""
        return arc(self, centre(cell), facing, 90)


def is_in_front_arc(at: Cell, facing: int, other: Cell) -> bool:
    """Whether a cell lies in the front 90 degree arc of a cell with a facing."""
    (dx, dy), x, y = AHEAD[facing], other[0] - at[0], other[1] - at[1]
    forward, sideways = x * dx + y * dy, x * dy - y * dx
    return forward >= 1 and abs(sideways) <= forward


def steps_between(a: Cell, b: Cell) -> int:
    """Range as orthogonal steps on the shortest way: adjacent 1, nearest diagonal 2."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def is_adjacent(a: Cell, b: Cell) -> bool:
    """Whether two cells share an edge."""
    return steps_between(a, b) == 1


def centre(cell: Cell) -> Point:
    """The middle of a cell, in 64ths."""
    return (cell[0] * CELL + HALF, cell[1] * CELL + HALF)


def box(cell: Cell, width: int = 1, height: int = 1) -> Box:
    """What a footprint of so many cells fills, its top left cell given."""
    x, y = cell[0] * CELL, cell[1] * CELL
    return (x, y, x + width * CELL, y + height * CELL)
