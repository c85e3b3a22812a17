"""The square board whose cells touch along edges: four neighbours, four facings, Manhattan range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from enfilade.geometry.mask import Mask
from enfilade.geometry.units import CELL, HALF, Box, Cell, Point

NORTH, EAST, SOUTH, WEST = 0, 90, 180, 270
FACINGS = (NORTH, EAST, SOUTH, WEST)
AHEAD: dict[int, Cell] = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
"""The step from a cell to the one straight ahead of a facing."""


@dataclass(frozen=True, slots=True)
class SquareBoard:
    """A board of `columns` by `rows` squares."""

    columns: int
    rows: int

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells that share an edge with this one, clockwise from north."""
        for facing in FACINGS:
            ahead = self.ahead(cell, facing)
            if ahead is not None:
                yield ahead

    def ahead(self, cell: Cell, facing: int) -> Cell | None:
        """The cell straight ahead, or None off the board."""
        step = AHEAD[facing]
        there = (cell[0] + step[0], cell[1] + step[1])
        return there if there in self else None

    def front_arc(self, cell: Cell, facing: int) -> Mask:
        """The front 90 degree arc: rows of 3, 5, 7, ... cells ahead, without the cell itself."""
        dx, dy = AHEAD[facing]
        cells = [
            (x, y)
            for y in range(self.rows)
            for x in range(self.columns)
            if _is_ahead(x - cell[0], y - cell[1], dx, dy)
        ]
        return Mask.of(cells, self.rows)


def _is_ahead(x: int, y: int, dx: int, dy: int) -> bool:
    forward, sideways = x * dx + y * dy, x * dy - y * dx
    return forward >= 1 and abs(sideways) <= forward


def is_in_front_arc(at: Cell, facing: int, other: Cell) -> bool:
    """Whether a cell lies in the front 90 degree arc of a cell with a facing."""
    return _is_ahead(other[0] - at[0], other[1] - at[1], *AHEAD[facing])


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
