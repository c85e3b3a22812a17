"""Shapes of Foundry's regions as outlines in pixels: only a live scene has the outlines themselves.

A shape that is a hole takes away from the shapes before it. Circles and ellipses become polygons.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, radians, sin
from typing import Annotated, NamedTuple

from msgspec import Meta

from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.foundry_shapes import FoundryObject, Pixel, RegionData
from enfilade.importers.imported import clean_text
from enfilade.importers.pieces import Remarks, read_piece

CORNERS = 128
"""The number of corners of a circle as a polygon, which strays from it by 1/3000 of its radius at most."""

Size = Annotated[float, Meta(ge=0, le=10_000_000)]


class ShapeData(FoundryObject, frozen=True):
    """A shape of a region; which fields it has depends on its type.

    A rectangle has its top left corner at (x, y) and is turned around its center. In 14 it has an anchor: the
    share of its width and height at which (x, y) lies, around which it is turned.
    """

    type: str
    hole: bool = False
    x: Pixel = 0
    y: Pixel = 0
    width: Size = 0
    height: Size = 0
    radius: Size = 0
    radius_x: Size = 0
    radius_y: Size = 0
    rotation: float = 0
    anchor_x: float | None = None
    anchor_y: float | None = None
    points: Annotated[list[Pixel], Meta(max_length=limits.OUTLINE_NUMBERS)] = []


class Outline(NamedTuple):
    """A closed line as [x, y, x, y, ...] in pixels, and whether it is a hole."""

    points: list[float]
    is_hole: bool


def outlines_of(region: RegionData, remarks: Remarks) -> list[Outline]:
    """Return the outlines of a region's shapes, in their order; a shape of another kind is left out."""
    found = []
    for number, raw in enumerate(region.shapes):
        place = localize("import.foundry_shape_of", number=number + 1, name=clean_text(region.name or ""))
        shape = read_piece(raw, ShapeData, place, remarks)
        if shape is None:
            continue
        points = _points(shape)
        if len(points) < 6:
            remarks.leave_out(place, localize("import.foundry_shape_kind", kind=clean_text(shape.type, 40)))
        else:
            found.append(Outline(points, shape.hole))
    return found


def _points(shape: ShapeData) -> list[float]:
    """Return the outline of a shape; empty if it has no area or is of an unknown kind."""
    if shape.type == "polygon":
        return list(shape.points)
    if shape.type == "rectangle" and shape.width and shape.height:
        return list(_turned(shape, *_rectangle(shape)))
    rx, ry = (shape.radius, shape.radius) if shape.type == "circle" else (shape.radius_x, shape.radius_y)
    if shape.type not in ("circle", "ellipse") or not (rx and ry):
        return []
    turns = [2 * pi * i / CORNERS for i in range(CORNERS)]
    return list(_turned(shape, [(rx * cos(turn), ry * sin(turn)) for turn in turns], (shape.x, shape.y)))


def _rectangle(shape: ShapeData) -> tuple[list[tuple[float, float]], tuple[float, float]]:
    """Return a rectangle's corners from the point that it is turned around, and that point."""
    width, height = shape.width, shape.height
    if shape.anchor_x is None and shape.anchor_y is None:
        left, top, pivot = -width / 2, -height / 2, (shape.x + width / 2, shape.y + height / 2)
    else:
        left, top = -(shape.anchor_x or 0) * width, -(shape.anchor_y or 0) * height
        pivot = shape.x, shape.y
    return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)], pivot


def _turned(
    shape: ShapeData, corners: list[tuple[float, float]], pivot: tuple[float, float]
) -> Iterator[float]:
    turn = radians(shape.rotation % 360)
    across, down = cos(turn), sin(turn)
    for x, y in corners:
        yield pivot[0] + x * across - y * down
        yield pivot[1] + x * down + y * across
