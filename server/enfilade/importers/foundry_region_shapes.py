"""Outlines of the shapes that regions are made of, in pixels: ten kinds in Foundry 14, four before.

A shape is one or several closed lines: a point belongs to it if it lies inside an odd number of them. Round
lines become polygons. A shape that is a hole takes away from the shapes before it. Only a live scene has the
outlines themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from math import atan2, ceil, cos, pi, radians, sin, sqrt, tan
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.foundry_shapes import FoundryObject, GridData, Pixel, RegionData
from enfilade.importers.imported import clean_text
from enfilade.importers.pieces import Remarks, read_piece

CORNERS = 128
"""The number of corners of a circle as a polygon, which strays from it by 1/3000 of its radius at most."""
FLAT_LIMIT, DOME_LIMIT = 90, 180
"""The widest cones that Foundry allows to end in a straight line, and in a half circle."""
ROUND_TOKENS = (0, 1)
"""Foundry's numbers for tokens of the shape of an ellipse (CONST.TOKEN_SHAPES)."""
LONG = 2 / sqrt(3)
"""A hex from point to point, in hex widths; each further row of hexes adds three quarters of that."""
_NEAR = 1e-9

Size = Annotated[float, Meta(ge=0, le=10_000_000)]
Index = Annotated[int, Meta(ge=-100_000, le=100_000)]
Spot = tuple[float, float]


class GridOffset(FoundryObject, frozen=True):
    """A space of the canvas: row `i`, column `j`."""

    i: Index
    j: Index


class ShapeData(FoundryObject, frozen=True):
    """A shape of a region; which fields it has depends on its type.

    A rectangle has its top left corner at (x, y) and is turned around its center. In 14 it has an anchor: the
    share of its width and height at which (x, y) lies, around which it is turned. A token's size is in grid
    spaces. An emanation is its `base`, wider by `radius` on all sides; without the base itself if that is a
    hole. A `grid_based` shape is measured in spaces in Foundry.
    """

    type: str
    hole: bool = False
    x: Pixel = 0
    y: Pixel = 0
    width: Size = 0
    height: Size = 0
    length: Size = 0
    radius: Size = 0
    radius_x: Size = 0
    radius_y: Size = 0
    inner_width: Size = 0
    outer_width: Size = 0
    rotation: float = 0
    angle: Annotated[float, Meta(ge=0, le=360)] = 60
    curvature: Literal["round", "flat", "semicircle"] = "round"
    anchor_x: float | None = None
    anchor_y: float | None = None
    points: Annotated[list[Pixel], Meta(max_length=limits.OUTLINE_NUMBERS)] = []
    offsets: Annotated[list[GridOffset], Meta(max_length=limits.TERRAIN_CELLS)] = []
    shape: int = 4
    base: dict[str, Any] | None = None
    grid_based: bool = False


def lines_of_shape(shape: ShapeData, base: ShapeData | None, grid: GridData) -> list[list[float]]:
    """Return the closed lines of a shape as [x, y, x, y, ...]; none if it has no area or is of another kind.

    `base` is that of an emanation.
    """
    if shape.type == "polygon":
        return [list(shape.points)] if len(shape.points) >= 6 else []
    if shape.type == "grid":
        lines = _spaces(shape, grid)
    elif shape.type == "ring":
        lines = _ring(shape)
    elif shape.type == "emanation":
        lines = _emanation(shape, base, grid)
    else:
        lines = [_ROUNDED[shape.type](shape, grid)] if shape.type in _ROUNDED else []
    return [list(chain.from_iterable(corners)) for corners in lines if corners]


def _rectangle(shape: ShapeData, _grid: GridData) -> list[Spot]:
    width, height = shape.width, shape.height
    if not (width and height):
        return []
    if shape.anchor_x is None and shape.anchor_y is None:
        left, top, pivot = -width / 2, -height / 2, (shape.x + width / 2, shape.y + height / 2)
    else:
        left, top = -(shape.anchor_x or 0) * width, -(shape.anchor_y or 0) * height
        pivot = shape.x, shape.y
    corners = [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    return _placed(corners, pivot, shape.rotation)


def _line(shape: ShapeData, _grid: GridData) -> list[Spot]:
    """Return a line's corners: the line starts at (x, y), with half its width on each side."""
    half = shape.width / 2
    corners = [(0.0, -half), (shape.length, -half), (shape.length, half), (0.0, half)]
    return _placed(corners, (shape.x, shape.y), shape.rotation) if half and shape.length else []


def _circle(shape: ShapeData, _grid: GridData) -> list[Spot]:
    return _placed(_arc(shape.radius), (shape.x, shape.y)) if shape.radius else []


def _ellipse(shape: ShapeData, _grid: GridData) -> list[Spot]:
    if not (shape.radius_x and shape.radius_y):
        return []
    corners = [(shape.radius_x * x, shape.radius_y * y) for x, y in _arc(1)]
    return _placed(corners, (shape.x, shape.y), shape.rotation)


def _cone(shape: ShapeData, _grid: GridData) -> list[Spot]:
    """Return a cone's corners: from (x, y) by `radius` along its middle.

    Its end is part of a circle around its tip, a straight line across, or a half circle.
    """
    half, radius = radians(shape.angle) / 2, shape.radius
    if not (half and radius):
        return []
    if shape.angle == 360:
        return _circle(shape, _grid)
    if shape.curvature == "flat" and shape.angle <= FLAT_LIMIT:
        end = [(radius, -radius * tan(half)), (radius, radius * tan(half))]
    elif shape.curvature == "semicircle" and shape.angle <= DOME_LIMIT:
        dome = radius if shape.angle == DOME_LIMIT else radius * tan(half) / (1 + tan(half))
        end = [(radius - dome + x, y) for x, y in _arc(dome, -pi / 2, pi / 2)]
    else:
        end = _arc(radius, -half, half)
    return _placed([(0.0, 0.0), *end], (shape.x, shape.y), shape.rotation)


def _ring(shape: ShapeData) -> list[list[Spot]]:
    outer, inner = shape.radius + shape.outer_width, max(0.0, shape.radius - shape.inner_width)
    circles = [_arc(radius) for radius in (outer, inner) if radius]
    return [_placed(circle, (shape.x, shape.y)) for circle in circles] if outer > inner else []


def _token(shape: ShapeData, grid: GridData) -> list[Spot]:
    """Return the outline of a token: a rectangle, an ellipse, or on hexes the ellipse around its middle."""
    if not (shape.width and shape.height):
        return []
    width, height = shape.width * grid.size, shape.height * grid.size
    if grid.type in (2, 3):
        height = (0.75 * shape.height + 0.25) * LONG * grid.size
    elif grid.type > 1:
        width = (0.75 * shape.width + 0.25) * LONG * grid.size
    middle = shape.x + width / 2, shape.y + height / 2
    if grid.type > 1 or shape.shape in ROUND_TOKENS:
        return _placed([(width / 2 * x, height / 2 * y) for x, y in _arc(1)], middle)
    half_x, half_y = width / 2, height / 2
    return _placed([(-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)], middle)


_ROUNDED: dict[str, Callable[[ShapeData, GridData], list[Spot]]] = {
    "rectangle": _rectangle,
    "circle": _circle,
    "ellipse": _ellipse,
    "line": _line,
    "token": _token,
    "cone": _cone,
}
"""The kinds with one line, clockwise."""
_WITH_DENTS = "cone"
"""The kind of them that an emanation cannot surround: a wide cone has a dent at its tip."""


def _spaces(shape: ShapeData, grid: GridData) -> list[list[Spot]]:
    """Return the squares of a shape that names them; none on other grids, which count them otherwise."""
    if grid.type != 1:
        return []
    d = grid.size
    corners = {(one.j * d, one.i * d) for one in shape.offsets}
    return [[(x, y), (x + d, y), (x + d, y + d), (x, y + d)] for x, y in sorted(corners)]


def _emanation(shape: ShapeData, base: ShapeData | None, grid: GridData) -> list[list[Spot]]:
    """Return the outline of all that is within `radius` of a base without dents."""
    if base is None or base.type not in _ROUNDED or base.type == _WITH_DENTS:
        return []
    inner = _ROUNDED[base.type](base, grid)
    if not inner or not shape.radius:
        return [] if base.hole else [inner]
    outer: list[Spot] = []
    before = [inner[-1], *inner[:-1]]
    after = [*inner[1:], inner[0]]
    for (x0, y0), (x, y), (x1, y1) in zip(before, inner, after, strict=True):
        first = atan2(y - y0, x - x0) - pi / 2
        turn = (atan2(y1 - y, x1 - x) - pi / 2 - first) % (2 * pi)
        outer += _placed(_arc(shape.radius, first, first + turn), (x, y))
    return [outer, inner] if base.hole else [outer]


def _arc(radius: float, first: float = 0, last: float = 2 * pi) -> list[Spot]:
    """Return the corners of a part of a circle around (0, 0), in radians; of a whole one, each once."""
    is_whole = last - first > 2 * pi - _NEAR
    steps = max(1, ceil(CORNERS * (last - first) / (2 * pi) - _NEAR))
    turns = [first + (last - first) * i / steps for i in range(steps if is_whole else steps + 1)]
    return [(radius * cos(turn), radius * sin(turn)) for turn in turns]


def _placed(corners: list[Spot], pivot: Spot, degrees: float = 0) -> list[Spot]:
    """Return corners turned around (0, 0), which then lies at the pivot."""
    turn = radians(degrees % 360)
    across, down = cos(turn), sin(turn)
    return [(pivot[0] + x * across - y * down, pivot[1] + x * down + y * across) for x, y in corners]


class Outline(NamedTuple):
    """Closed lines as [x, y, x, y, ...] in pixels, and whether the area between them is a hole.

    A point lies in the area if it is inside an odd number of the lines.
    """

    lines: list[list[float]]
    is_hole: bool = False


def outlines_of(region: RegionData, grid: GridData, remarks: Remarks) -> list[Outline]:
    """Return the outlines of a region's shapes, in their order; a shape of another kind is left out."""
    found = []
    for number, raw in enumerate(region.shapes):
        place = localize("import.foundry_shape_of", number=number + 1, name=clean_text(region.name or ""))
        shape = read_piece(raw, ShapeData, place, remarks)
        if shape is None:
            continue
        base = read_piece(shape.base, ShapeData, place, remarks) if shape.base is not None else None
        outline = Outline(lines_of_shape(shape, base, grid), shape.hole)
        if not outline.lines:
            remarks.leave_out(place, localize("import.foundry_shape_kind", kind=clean_text(shape.type, 40)))
            continue
        if shape.grid_based:
            remarks.note(localize("import.foundry_shape_in_spaces", place=place))
        found.append(outline)
    return found
