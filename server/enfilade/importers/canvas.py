"""Foundry's canvas: where the board lies on it, and which cell is under a pixel.

Foundry counts pixels from the corner of a canvas that has a margin (its padding) round the map. Its grid's
`size` is the width of a square, and of a hex from flat side to flat side; that is one cell here. On hexes
every other row (or column) begins half a hex outside the canvas, and our board begins with it.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, sqrt

import msgspec

from enfilade.errors import BadFile
from enfilade.geometry.board.units import Cell
from enfilade.importers.foundry_shapes import Dimensions, SceneData
from enfilade.importers.imported import Origin
from enfilade.importers.walls import Spot, exactly, nearest_unit, side_in_cells
from enfilade.scene.model import GridKind

KINDS: dict[int, GridKind] = {
    0: "gridless",
    1: "square",
    2: "hex_odd_r",
    3: "hex_even_r",
    4: "hex_odd_q",
    5: "hex_even_q",
}
ROW_STEP = sqrt(3) / 2
"""From one row of pointy hexes to the next, in hex widths; the same for columns of flat ones."""
POINT = 1 / sqrt(3)
"""From a pointy hex's upper tip to its centre, in hex widths."""
_SQUEEZE = Fraction(ROW_STEP)
"""A hex from point to point is longer than from side to side, and still one cell."""
_SLACK = 0.05
"""How far from a hex's edge a map may begin, in cells: Foundry rounds to whole pixels."""
_HAIR = 1e-6


class Canvas(msgspec.Struct, frozen=True):
    """A board on Foundry's canvas: `left` and `top` are its corner and `size` is a cell, in pixels."""

    kind: GridKind
    size: Fraction
    left: Fraction
    top: Fraction
    columns: int
    rows: int

    @property
    def origin(self) -> Origin:
        """The board's corner and the width of a cell, for whoever draws on that canvas."""
        return Origin(float(self.left), float(self.top), float(self.size))

    def middle(self, cell: Cell) -> tuple[float, float]:
        """A cell's middle, in cells from the board's corner as a `spot` counts them."""
        column, row = cell
        if self.kind.endswith("_r"):
            return column + 0.5 + self._push(row), row * ROW_STEP + POINT
        if self.kind.endswith("_q"):
            return column * ROW_STEP + POINT, row + 0.5 + self._push(column)
        return column + 0.5, row + 0.5

    def spot(self, x: float | Fraction, y: float | Fraction) -> Spot:
        """A pixel as a point in cells from the board's corner."""
        return (_exact(x) - self.left) / self.size, (_exact(y) - self.top) / self.size

    def wall_spot(self, x: float | Fraction, y: float | Fraction) -> Spot:
        """A pixel as a wall's point: on hexes in the hex's own width and height, as every length is there."""
        across, down = self.spot(x, y)
        if self.kind.endswith("_r"):
            return across, down * _SQUEEZE
        return (across * _SQUEEZE if self.kind.endswith("_q") else across), down

    def first_hex(self, spot: Spot) -> Cell:
        """The hex in the box whose top left corner is given; it may be off the board."""
        x, y = float(spot[0]), float(spot[1])
        if self.kind.endswith("_r"):
            return self._nearest(x + 0.5, y + POINT)
        row, column = self._nearest(y + 0.5, x + POINT)
        return column, row

    def _nearest(self, along: float, across: float) -> Cell:
        """(place in its row, row) of the nearest hex; for flat hexes read column for row."""
        guess = round((across - POINT) / ROW_STEP)
        found = []
        for row in (guess - 1, guess, guess + 1):
            push = self._push(row)
            place = round(along - 0.5 - push)
            off = (place + 0.5 + push - along) ** 2 + (row * ROW_STEP + POINT - across) ** 2
            found.append((off, place, row))
        return min(found)[1:]

    def _push(self, row: int) -> float:
        """How far a row of hexes (or a column of flat ones) stands out."""
        return 0.5 if (row % 2 == 1) == ("odd" in self.kind) else 0.0

    def holds(self, cell: Cell, size: Cell = (1, 1)) -> bool:
        """Whether a footprint with that top left cell is on the board as a whole."""
        inside = cell[0] >= 0 and cell[1] >= 0
        return inside and cell[0] + size[0] <= self.columns and cell[1] + size[1] <= self.rows


def _exact(pixels: float | Fraction) -> Fraction:
    return pixels if isinstance(pixels, Fraction) else exactly(pixels)


def canvas_of(scene: SceneData) -> Canvas:
    """Where a scene's board lies; raises BadFile where that cannot be known or the board is absurd."""
    kind, size = KINDS[scene.grid.type], exactly(scene.grid.size)
    place = scene.dimensions or _worked_out(scene, size)
    x, y = exactly(place.scene_x), exactly(place.scene_y)
    right, bottom = x + exactly(place.scene_width), y + exactly(place.scene_height)
    if kind.endswith("_r"):
        left, top, columns, rows = _hexes(size, (x, right), (y, bottom))
    elif kind.endswith("_q"):
        top, left, rows, columns = _hexes(size, (y, bottom), (x, right))
    else:
        left, top = x // size * size, y // size * size
        columns, rows = (right - left) / size, (bottom - top) / size
    across, down = side_in_cells(columns, "width"), side_in_cells(rows, "height")
    return Canvas(kind, size, left, top, across, down)


def _hexes(
    size: Fraction, along: tuple[Fraction, Fraction], across: tuple[Fraction, Fraction]
) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """The corner of a board of hexes (along its rows, across them), hexes in a row, and rows."""
    step = float(size) * ROW_STEP
    first = floor(float(across[0]) / step + _SLACK)
    phase = Fraction(0) if first % 2 else size / 2  # every other row of the canvas begins half a hex outside
    begin = floor((along[0] - size / 2 - phase) / size + Fraction(_SLACK)) * size + phase
    edge = Fraction(first * step)
    rows = (float(across[1] - edge) - float(size) * POINT / 2) / step
    return begin, edge, (along[1] - begin) / size, Fraction(max(1, ceil(rows - _HAIR)))


def is_guessed(scene: SceneData) -> bool:
    """Whether the margin round the map has to be worked out."""
    return scene.dimensions is None and scene.padding > 0


def _worked_out(scene: SceneData, size: Fraction) -> Dimensions:
    if is_guessed(scene) and scene.grid.type > 1:
        raise BadFile(_SET_PADDING, "padding")
    x, y = (
        ceil(exactly(scene.padding) * exactly(side) / size) * size for side in (scene.width, scene.height)
    )
    return Dimensions(float(x), float(y), scene.width, scene.height)


_SET_PADDING = (
    "a scene of hexes with padding does not say where the map lies on the canvas; "
    "set its padding to 0 in Foundry and export it again"
)


def nearest_corner(spot: Spot, size: Cell, width: float, height: float) -> tuple[Cell, bool]:
    """The cell for a footprint's top left, its own middle kept, and whether it stood on the grid before."""
    spare = (Fraction(size[0]) - exactly(width)) / 2, (Fraction(size[1]) - exactly(height)) / 2
    x, y = spot[0] - spare[0], spot[1] - spare[1]
    return (_nearest_whole(x), _nearest_whole(y)), not (x % 1 or y % 1)


def _nearest_whole(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def in_units(spot: Spot) -> Cell:
    """A point in 64ths of a cell, as a gridless board has it."""
    return nearest_unit(spot[0]), nearest_unit(spot[1])
