"""Foundry's rule for the place of a map on its canvas, which an exported scene does not have.

A canvas has a margin (padding) around the map, a share of the map's size rounded up to whole cells; across
the rows of hexes, to whole rows. An odd number of rows of margin shifts the map by half a hex along the rows,
so that its first row looks the same. Scenes with hexes from before Foundry 10 count the margin in the old
size of a hex, from point to point. The picture's offset moves the map the other way.

The results are floating-point numbers, as Foundry computes them: an exact quotient may round up otherwise.
"""

from __future__ import annotations

from math import ceil, sqrt

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers.foundry_shapes import Dimensions, SceneData
from enfilade.importers.pieces import Remarks

ROW_STEP = sqrt(3) / 2
"""Distance between rows of pointy hexes, or columns of flat hexes, in hex widths."""
SAME_PIXELS = 1.0
"""The greatest difference between two corners of a map that is not worth a remark."""


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
