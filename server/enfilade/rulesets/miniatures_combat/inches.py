"""Inches: what a cell of a map measures, and the bases of models at their places, in 64ths of an inch.

On a board without a grid a token's place is its center. On a squared board a token fills its cells. Each base
is round; its diameter is the token's size in cells. The scene's units say how large a cell is: an inch on
most maps. Corners and centers of other cells are rounded to the nearest 64th of an inch.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from enfilade.geometry.board.base import CELL, Cell, Point, Segment
from enfilade.geometry.movement.round_bases import GridlessBoard, RoundBase
from enfilade.rules.battle.memo import per_map
from enfilade.rules.ruleset import Area
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Grid

UNITS_OF_INCH: dict[tuple[str, ...], Fraction] = {
    ("in", "inch", "inches", '"', "\u2033"): Fraction(1),
    ("cm", "centimeter", "centimeters", "centimetre", "centimetres"): Fraction(254, 100),
    ("mm", "millimeter", "millimeters", "millimetre", "millimetres"): Fraction(254, 10),
    ("ft", "foot", "feet", "'", "\u2032"): Fraction(5),
    ("yd", "yds", "yard", "yards"): Fraction(5, 3),
    ("m", "meter", "meters", "metre", "metres"): Fraction(3, 2),
}
"""How many of a map's units an inch is, by their names.

Centimeters and millimeters are those of a table. Feet, yards and meters are those of a world in which an inch
stands for 5 feet (house value).
"""
SMALLEST_CELL = Fraction(1, 32)
"""The least inches of a cell."""
ROUNDED = 2
"""How far apart rounding can put bases in contact if cells are no inches, in 64ths of an inch."""

Size = tuple[int, int]
Trace = tuple[int, ...]


def inches_of_cell(grid: Grid) -> Fraction:
    """Return the inches of one cell; 1 on a map in other units than those known."""
    units, distance = grid.units.lower().strip(" ."), Fraction(grid.distance).limit_denominator(1_000)
    for names, of_inch in UNITS_OF_INCH.items():
        if units in names:
            return max(SMALLEST_CELL, distance / of_inch)
    return Fraction(1)


class Scale(NamedTuple):
    """A map's scale: a cell is `up / down` inches.

    `slack` is the greatest distance that rounding can put between bases in contact, in 64ths of an inch.
    """

    up: int
    down: int
    slack: int
    columns: int
    rows: int
    has_cells: bool

    @property
    def board(self) -> GridlessBoard:
        """The board in 64ths of an inch."""
        return GridlessBoard(self.to_inches(self.columns * CELL), self.to_inches(self.rows * CELL))

    def to_inches(self, value: int) -> int:
        """Return a length in 64ths of a cell in 64ths of an inch, rounded to the nearest."""
        return value if self.up == self.down else _round(value * self.up, self.down)

    def line(self, line: Segment) -> Segment:
        """Return a line in 64ths of a cell in 64ths of an inch."""
        x1, y1, x2, y2 = (self.to_inches(value) for value in line)
        return x1, y1, x2, y2

    def box(self, cell: Cell) -> Segment:
        """Return the left, upper, right and lower edge of a cell."""
        x, y = cell[0] * CELL, cell[1] * CELL
        return self.line((x, y, x + CELL, y + CELL))

    def center(self, size: Size, at: Cell) -> Point:
        """Return the center of the base of a token with a size in cells at a place."""
        (x, y), (width, height) = at, size
        if self.has_cells:
            x, y = (2 * x + width) * CELL // 2, (2 * y + height) * CELL // 2
        return (x, y) if self.up == self.down else (self.to_inches(x), self.to_inches(y))

    def base(self, size: Size, at: Cell) -> RoundBase:
        """Return the base of a token with a size in cells at a place."""
        checkpoint()
        return RoundBase(self.center(size, at), self.radius(size))

    def radius(self, size: Size) -> int:
        """Return the radius of the base of a token with a size in cells."""
        return self.radius_across(min(size))

    def radius_across(self, cells: int) -> int:
        """Return the radius of a base that is so many cells across."""
        return cells * CELL * self.up // (2 * self.down)

    def middle(self, number: int) -> int:
        """Return the middle of a column or row in 64ths of an inch."""
        return self.to_inches(number * CELL + CELL // 2)

    def place(self, size: Size, center: Point) -> Cell:
        """Return the place of a token whose base has this center, the nearest one on a squared board."""
        x, y = self.on_map(center)
        if not self.has_cells:
            return x, y
        width, height = size
        column, row = ((2 * x - width * CELL) // CELL + 1) // 2, ((2 * y - height * CELL) // CELL + 1) // 2
        return max(0, min(self.columns - width, column)), max(0, min(self.rows - height, row))

    def on_map(self, point: Point) -> Point:
        """Return a point in 64ths of a cell, as clients draw it."""
        if self.up == self.down:
            return point
        x, y = point
        return _round(x * self.down, self.up), _round(y * self.down, self.up)

    def area(self, layer: str, label: str, rings: Sequence[Trace], lines: Sequence[Trace]) -> Area:
        """Return an area with outlines in 64ths of an inch as one in 64ths of a cell."""
        if self.up != self.down:
            rings, lines = (
                [tuple(_round(value * self.down, self.up) for value in line) for line in some]
                for some in (rings, lines)
            )
        return Area(layer, label, rings=tuple(rings), lines=tuple(lines))


@per_map
def scale_of(grid: Grid) -> Scale:
    """Return the scale of a map; cached."""
    inches, has_cells = inches_of_cell(grid), grid.kind != "gridless"
    is_exact = inches == 1 or (has_cells and inches * CELL % 2 == 0)
    slack = 0 if is_exact else ROUNDED
    return Scale(inches.numerator, inches.denominator, slack, grid.columns, grid.rows, has_cells)


@per_map
def cell_centers(scale: Scale) -> tuple[list[int], list[int]]:
    """Return the middles of all columns and of all rows, in 64ths of an inch."""
    return list(map(scale.middle, range(scale.columns))), list(map(scale.middle, range(scale.rows)))


def _round(value: int, divisor: int) -> int:
    """Return a quotient rounded to the nearest integer, halves up."""
    return (2 * value + divisor) // (2 * divisor)
