"""Foundry's canvas: the position of the board on it, and the cell under a pixel.

Foundry counts pixels from the corner of a canvas with a margin (padding) around the map. The grid's `size` is
the width of a square, or of a hex between flat sides; here that is one cell. On hexes every other row (or
column) begins half a hex outside the canvas, and our board begins with it.

An exported scene does not say where its map is on the canvas; Foundry's rule does. The margin is a share of
the map's size rounded up to whole cells; across the rows of hexes, to whole rows. An odd number of rows of
margin shifts the map by half a hex along the rows, so that its first row looks the same. Scenes with hexes
from before Foundry 10 count the margin in the old size of a hex, from point to point. The picture's offset
moves the map the other way. The results are floating-point numbers, as Foundry computes them: an exact
quotient may round up otherwise.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, sqrt

import msgspec

from enfilade.errors import BadFile
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.importers.foundry_shapes import Dimensions, SceneData
from enfilade.importers.imported import Origin, PictureArea
from enfilade.importers.pictures import board_in_cells
from enfilade.importers.pieces import Remarks
from enfilade.importers.walls import Spot, exact, nearest_unit, side_in_cells
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
"""Distance between rows of pointy hexes, or columns of flat hexes, in hex widths."""
SAME_PIXELS = 1.0
"""The greatest difference between two corners of a map that is not worth a remark."""
POINT = 1 / sqrt(3)
"""Distance from the upper tip of a pointy hex to its center, in hex widths."""
_SQUEEZE = Fraction(ROW_STEP)
"""Factor for lengths along the points: a hex is longer from point to point, and still one cell."""
_SLACK = 0.05
"""Greatest distance of the map's edge from a hex's edge, in cells: Foundry rounds to whole pixels."""
_ASIDE = 0.0437
"""A token counts as this far left and up of its middle, in cells.

More than Foundry rounds to whole pixels, so that a middle between two hexes is always in the same one.
"""
_HAIR = 1e-6


class Canvas(msgspec.Struct, frozen=True):
    """A board on Foundry's canvas: `left` and `top` are its corner and `size` is a cell, in pixels.

    `place` is the map, over which Foundry stretches its picture.
    """

    kind: GridKind
    size: Fraction
    left: Fraction
    top: Fraction
    columns: int
    rows: int
    place: Dimensions

    @property
    def picture_area(self) -> PictureArea:
        """Return the part of the map's picture that lies under the board."""
        across, down = board_in_cells(self.kind, self.columns, self.rows)
        wide, high, size = self.place.scene_width, self.place.scene_height, float(self.size)
        left, top = float(self.left) - self.place.scene_x, float(self.top) - self.place.scene_y
        return left / wide, top / high, across * size / wide, down * size / high

    @property
    def origin(self) -> Origin:
        """Return the board's corner and the width of a cell, for a client that draws on that canvas."""
        return Origin(float(self.left), float(self.top), float(self.size))

    def middle(self, cell: Cell) -> tuple[float, float]:
        """Return the center of a cell, in cells from the board's corner as `spot` counts them."""
        column, row = cell
        if self.kind.endswith("_r"):
            return column + 0.5 + self._offset(row), row * ROW_STEP + POINT
        if self.kind.endswith("_q"):
            return column * ROW_STEP + POINT, row + 0.5 + self._offset(column)
        return column + 0.5, row + 0.5

    def spot(self, x: float | Fraction, y: float | Fraction) -> Spot:
        """Return a pixel as a point in cells from the board's corner."""
        return (_to_exact(x) - self.left) / self.size, (_to_exact(y) - self.top) / self.size

    def wall_spot(self, x: float | Fraction, y: float | Fraction) -> Spot:
        """Return a pixel as the end of a wall; on hexes in units of the hex's own width and height."""
        across, down = self.spot(x, y)
        if self.kind.endswith("_r"):
            return across, down * _SQUEEZE
        return (across * _SQUEEZE if self.kind.endswith("_q") else across), down

    def middle_hex(self, spot: Spot, width: float, height: float) -> Cell:
        """Return the hex in the middle of a token with this top left corner; it may be off the board.

        The size is in Foundry's spaces: each further row of pointy hexes, or column of flat ones, adds three
        quarters of a hex. Of two hexes at the same distance the left or upper one is the middle.
        """
        x, y = float(spot[0]) - _ASIDE, float(spot[1]) - _ASIDE
        if self.kind.endswith("_r"):
            return self._nearest(x + width / 2, y + POINT * _spaces(height))
        row, column = self._nearest(y + height / 2, x + POINT * _spaces(width))
        return column, row

    def _nearest(self, along: float, across: float) -> Cell:
        """Return (index in its row, row) of the nearest hex; for flat hexes read column for row."""
        guess = round((across - POINT) / ROW_STEP)
        found = []
        for row in (guess - 1, guess, guess + 1):
            push = self._offset(row)
            place = round(along - 0.5 - push)
            off = (place + 0.5 + push - along) ** 2 + (row * ROW_STEP + POINT - across) ** 2
            found.append((off, place, row))
        return min(found)[1:]

    def _offset(self, row: int) -> float:
        """Return how far a row of pointy hexes, or a column of flat hexes, is shifted."""
        return 0.5 if (row % 2 == 1) == ("odd" in self.kind) else 0.0

    def holds(self, cell: Cell, size: Cell = (1, 1)) -> bool:
        """Return whether a footprint with this top left cell is entirely on the board."""
        inside = cell[0] >= 0 and cell[1] >= 0
        return inside and cell[0] + size[0] <= self.columns and cell[1] + size[1] <= self.rows


def _to_exact(pixels: float | Fraction) -> Fraction:
    return pixels if isinstance(pixels, Fraction) else exact(pixels)


def _spaces(count: float) -> float:
    """Return the height of rows of pointy hexes, or the width of columns of flat ones, in hexes."""
    return 0.75 * floor(count) + 0.5 * (count % 1) + 0.25


def find_canvas(scene: SceneData, remarks: Remarks) -> Canvas:
    """Return the canvas of a scene. Raises BadFile if it is out of range."""
    kind, size = KINDS[scene.grid.type], exact(hex_width(scene))
    place = map_dimensions(scene, remarks)
    x, y = exact(place.scene_x), exact(place.scene_y)
    right, bottom = x + exact(place.scene_width), y + exact(place.scene_height)
    if kind.endswith("_r"):
        left, top, columns, rows = _hexes(size, (x, right), (y, bottom))
    elif kind.endswith("_q"):
        top, left, rows, columns = _hexes(size, (y, bottom), (x, right))
    else:
        left, top = x // size * size, y // size * size
        columns, rows = (right - left) / size, (bottom - top) / size
    across, down = side_in_cells(columns, "width"), side_in_cells(rows, "height")
    return Canvas(kind, size, left, top, across, down, place)


def _hexes(
    size: Fraction, along: tuple[Fraction, Fraction], across: tuple[Fraction, Fraction]
) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Return a hex board's corner (along rows, across rows), the hexes in a row, and the rows."""
    step = float(size) * ROW_STEP
    first = floor(float(across[0]) / step + _SLACK)
    phase = Fraction(0) if first % 2 else size / 2  # every other row of the canvas begins half a hex outside
    begin = floor((along[0] - size / 2 - phase) / size + Fraction(_SLACK)) * size + phase
    edge = Fraction(first * step)
    rows = (float(across[1] - edge) - float(size) * POINT / 2) / step
    return begin, edge, (along[1] - begin) / size, Fraction(max(1, ceil(rows - _HAIR)))


def nearest_corner(spot: Spot, size: Cell, width: float, height: float) -> tuple[Cell, bool]:
    """Return the top left cell of a footprint with its center kept, and whether it was on the grid."""
    spare = (Fraction(size[0]) - exact(width)) / 2, (Fraction(size[1]) - exact(height)) / 2
    x, y = spot[0] - spare[0], spot[1] - spare[1]
    return (_nearest_whole(x), _nearest_whole(y)), not (x % 1 or y % 1)


def _nearest_whole(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def to_units(spot: Spot) -> Cell:
    """Return a point in 64ths of a cell, as a gridless board has it."""
    return nearest_unit(spot[0]), nearest_unit(spot[1])


def map_dimensions(scene: SceneData, remarks: Remarks) -> Dimensions:
    """Return the map on the canvas: as a live scene has it, else by Foundry's rule. Raises BadFile.

    A live scene is compared with the rule, and a difference noted. A scene without a size is as large as its
    walls and tokens.
    """
    if not (scene.width and scene.height):
        return scene.dimensions or _around_things(scene, remarks)
    x, y = _margin(scene)
    x -= scene.background.offset_x + scene.shift_x
    y -= scene.background.offset_y + scene.shift_y
    given = scene.dimensions
    if given is None:
        return Dimensions(x, y, scene.width, scene.height)
    if max(abs(given.scene_x - x), abs(given.scene_y - y)) > SAME_PIXELS:
        here = {"x": given.scene_x, "y": given.scene_y}
        remarks.note(localize("import.foundry_dimensions", **here, rule_x=x, rule_y=y))
    return given


def hex_width(scene: SceneData) -> float:
    """Return the width of a cell in pixels; of a hex, between its flat sides."""
    return scene.grid.size * ROW_STEP if scene.is_legacy_hex else scene.grid.size


def _margin(scene: SceneData) -> tuple[float, float]:
    """Return the width of the margin left of the map and above it, in pixels."""
    along, down = scene.padding * scene.width, scene.padding * scene.height
    if scene.grid.type <= 1 or scene.is_legacy_hex or not scene.padding:
        size = scene.grid.size
        return _cells(along, size) * size, _cells(down, size) * size
    size, step = scene.grid.size, scene.grid.size * ROW_STEP
    if scene.grid.type <= 3:  # rows
        rows = _cells(down, step)
        return (_cells(along, size) + rows % 2 / 2) * size, rows * step
    columns = _cells(along, step)
    return columns * step, (_cells(down, size) + columns % 2 / 2) * size


def _cells(pixels: float, size: float) -> int:
    return ceil(pixels * (1 / size))


def _around_things(scene: SceneData, remarks: Remarks) -> Dimensions:
    """Return the whole cells around all walls and tokens."""
    size = scene.grid.size
    points = [(x, y) for wall in scene.walls for x, y in (wall.c[:2], wall.c[2:])]
    for token in scene.tokens:
        points += [(token.x, token.y), (token.x + token.width * size, token.y + token.height * size)]
    if not points:
        raise BadFile(localize("import.foundry_no_size"), "width")
    remarks.note(localize("import.foundry_size_of_things"))
    left, top = (min(values) // size * size for values in zip(*points, strict=True))
    right, bottom = (-(-max(values) // size) * size for values in zip(*points, strict=True))
    return Dimensions(left, top, max(size, right - left), max(size, bottom - top))
