"""Shapes of Foundry's regions as outlines in pixels: only a live scene has the outlines themselves.

A shape that is a hole takes away from the shapes before it.
"""

from __future__ import annotations

from typing import NamedTuple

from enfilade.i18n import localize
from enfilade.importers.foundry_region_shapes import ShapeData, lines_of_shape
from enfilade.importers.foundry_shapes import GridData, RegionData
from enfilade.importers.imported import clean_text
from enfilade.importers.pieces import Remarks, read_piece


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
