"""The square board with four or eight neighbors, and the seven rules for the cost of a diagonal step.

The rules bear the names that Foundry gives them. Costs are integers: a rule defines the points of one
cell, so a budget of six cells under `EXACT` is 6 * 70 points.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from enfilade.geometry.board.arcs import arc, compass_vector
from enfilade.geometry.board.base import (
    CELL,
    HALF,
    MAX_CELLS,
    Box,
    Cell,
    Point,
    Scanline,
    check_size,
    neighbors_on,
)
from enfilade.geometry.board.mask import Mask
from enfilade.runtime.time_budget import checkpoint

NORTH, EAST, SOUTH, WEST = 0, 90, 180, 270
FACINGS = (NORTH, EAST, SOUTH, WEST)
AHEAD: dict[int, Cell] = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}
"""The step from a cell to the one straight ahead of a facing."""

STRAIGHT_LANES = (1, 7, 5, 3)
ALL_LANES = (1, 2, 7, 6, 5, 4, 3, 0)


class DiagonalCosts(NamedTuple):
    """The points of a straight step, of odd (first, third, ...) diagonal steps and of even ones.

    None forbids the diagonal step.
    """

    straight: int
    odd: int | None
    even: int | None


class Diagonals(Enum):
    """The rule by which a square board counts diagonal steps."""

    EQUIDISTANT = DiagonalCosts(1, 1, 1)
    """A diagonal costs the same as a straight step: 5-5-5."""
    EXACT = DiagonalCosts(70, 99, 99)
    """The square root of two, as 99/70: off by one cell in 20,000."""
    APPROXIMATE = DiagonalCosts(2, 3, 3)
    """One and a half."""
    RECTILINEAR = DiagonalCosts(1, 2, 2)
    """Two, as long as the path around the corner."""
    ALTERNATING_1 = DiagonalCosts(1, 1, 2)
    """5-10-5: the first diagonal costs one."""
    ALTERNATING_2 = DiagonalCosts(1, 2, 1)
    """10-5-10: the first diagonal costs two."""
    ILLEGAL = DiagonalCosts(1, None, None)
    """No diagonal steps: four neighbors."""

    @property
    def are_legal(self) -> bool:
        """True if diagonal steps are allowed."""
        return self.value.odd is not None

    @property
    def alternate(self) -> bool:
        """True if the cost of a diagonal depends on the number of diagonals before it."""
        return self.value.odd != self.value.even

    def distance(self, across: int, down: int) -> int:
        """Return the points of the shortest path across columns and rows of open board."""
        diagonal, longest = sorted((abs(across), abs(down)))
        straight, odd, even = self._value_  # `value` is a property, at twice the time
        if odd is None or even is None:
            return straight * (diagonal + longest)
        return straight * (longest - diagonal) + odd * ((diagonal + 1) // 2) + even * (diagonal // 2)


_EQUIDISTANT = Diagonals.EQUIDISTANT


@dataclass(frozen=True, slots=True)
class SquareBoard:
    """A board of `columns` by `rows` squares. Without legal diagonals a square has four neighbors.

    Raises ValueError if the size is not one that a board can have.
    """

    columns: int
    rows: int
    diagonals: Diagonals = Diagonals.ILLEGAL

    def __post_init__(self) -> None:
        check_size(self.columns, self.rows)
        if not isinstance(self.diagonals, Diagonals):
            raise ValueError(f"Unknown rule for diagonals: {self.diagonals!r}.")

    def __hash__(self) -> int:
        # Boards are parts of many keys of caches, and the hash of an Enum's member takes a microsecond.
        return self.columns << 16 ^ self.rows

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.columns and 0 <= cell[1] < self.rows

    def neighbors(self, cell: Cell) -> Iterator[Cell]:
        """Yield the cells one step away, clockwise from north."""
        return neighbors_on(self, cell)

    def lanes(self, cell: Cell) -> tuple[int, ...]:  # noqa: ARG002 - on hexes it depends on the cell
        """Return the lanes that are steps: all eight if diagonals are legal."""
        return ALL_LANES if self.diagonals.are_legal else STRAIGHT_LANES

    def adjacent_lanes(self, cell: Cell, corners: bool = True) -> tuple[int, ...]:  # noqa: ARG002 - as above
        """Return the lanes to the squares that share an edge or, with `corners`, a corner."""
        return ALL_LANES if corners else STRAIGHT_LANES

    def shift(self, cell: Cell, offset: Cell) -> Cell:
        """Return the cell at an offset in columns and rows."""
        return (cell[0] + offset[0], cell[1] + offset[1])

    def center(self, cell: Cell) -> Point:
        """Return the center of a cell, in 64ths."""
        return center(cell)

    def distance(self, a: Cell, b: Cell) -> int:
        """Return the distance in points of the board's diagonals; Manhattan if diagonals are illegal."""
        if self.diagonals is _EQUIDISTANT:  # most boards, and asked for each pair of tokens
            return max(abs(b[0] - a[0]), abs(b[1] - a[1]))
        return self.diagonals.distance(b[0] - a[0], b[1] - a[1])

    def direction(self, angle: int) -> Point:
        """Return a vector along a compass angle; exact for multiples of 45 degrees."""
        return compass_vector(angle)

    def scanlines(self) -> Iterator[Scanline]:
        """Yield the rows."""
        for row in range(self.rows):
            yield Scanline(row, 0, 1, self.columns, HALF, row * CELL + HALF, CELL)

    def arc(self, cell: Cell, facing: int, width: int) -> Mask:
        """Return the cells in an arc from a cell's center, as `arcs.arc` does, by moving one cached arc."""
        x, y = cell
        if 4 * self.columns * self.rows > MAX_CELLS or cell not in self:
            return arc(self, center(cell), facing, width)
        spread = _spread_arc(self.columns, self.rows, facing, width)
        first, shift = self.rows - 1 - y, self.columns - 1 - x
        data = (spread.bits >> spread.stride * first + shift & spread.mask).to_bytes(spread.size, "little")
        if self.columns <= _WORD and sys.byteorder == "little":
            return Mask(tuple(array("Q", data)[:: spread.stride // _WORD]))
        checkpoint()
        step = spread.stride // 8
        return Mask(
            tuple([int.from_bytes(data[i : i + step], "little") for i in range(0, spread.size, step)])
        )

    def ahead(self, cell: Cell, facing: int) -> Cell | None:
        """Return the cell straight ahead, or None if it is off the board."""
        there = self.shift(cell, AHEAD[facing])
        return there if there in self else None

    def front_arc(self, cell: Cell, facing: int) -> Mask:
        """Return the front 90-degree arc: rows of 3, 5, 7, ... cells ahead, without the cell itself."""
        return arc(self, center(cell), facing, 90)


_WORD = 64
"""The bits of an entry of an array."""


class _SpreadArc(NamedTuple):
    """The rows of an arc from the middle of a board of twice the size, to be moved to any cell at once.

    They are one large integer with `stride` bits for each row. `mask` has the cells of a board at its lower
    end, of `size` bytes.
    """

    bits: int
    stride: int
    mask: int
    size: int


@lru_cache(maxsize=32)
def _spread_arc(columns: int, rows: int, facing: int, width: int) -> _SpreadArc:
    board = SquareBoard(2 * columns - 1, 2 * rows - 1)
    lines = arc(board, center((columns - 1, rows - 1)), facing, width).rows
    checkpoint()
    stride = (board.columns + _WORD - 1) // _WORD * _WORD
    bits = int.from_bytes(b"".join([line.to_bytes(stride // 8, "little") for line in lines]), "little")
    mask = int.from_bytes(((1 << columns) - 1).to_bytes(stride // 8, "little") * rows, "little")
    return _SpreadArc(bits, stride, mask, stride // 8 * rows)


def is_in_front_arc(at: Cell, facing: int, other: Cell) -> bool:
    """Return whether a cell lies in the front 90-degree arc of another cell with a facing."""
    (dx, dy), x, y = AHEAD[facing], other[0] - at[0], other[1] - at[1]
    forward, sideways = x * dx + y * dy, x * dy - y * dx
    return forward >= 1 and abs(sideways) <= forward


def steps_between(a: Cell, b: Cell) -> int:
    """Return the orthogonal steps on the shortest path: 1 if adjacent, 2 for the nearest diagonal."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def is_adjacent(a: Cell, b: Cell) -> bool:
    """Return whether two cells share an edge."""
    return steps_between(a, b) == 1


def center(cell: Cell) -> Point:
    """Return the center of a cell, in 64ths."""
    return (cell[0] * CELL + HALF, cell[1] * CELL + HALF)


def box(cell: Cell, width: int = 1, height: int = 1) -> Box:
    """Return the box of a footprint, from its top left cell and its size in cells."""
    x, y = cell[0] * CELL, cell[1] * CELL
    return (x, y, x + width * CELL, y + height * CELL)
