"""Shapes of Foundry's regions as areas, made by shapely apart from the importer."""

from __future__ import annotations

import math
from typing import Any

from shapely import LineString, Point, Polygon, affinity, box

Raw = dict[str, Any]
ROUND = 32
"""Corners of a quarter of a circle."""


def area_of(shape: Raw) -> Any:
    """Return the area of a shape; an empty one for a kind that is not compared."""
    draw = KINDS.get(shape["type"])
    return draw(shape) if draw else Polygon()


def _at(shape: Raw) -> tuple[float, float]:
    return shape["x"], shape["y"]


def _turned(shape: Raw, area: Any, pivot: Any) -> Any:
    return affinity.rotate(area, shape.get("rotation") or 0, pivot)


def _polygon(shape: Raw) -> Any:
    numbers = shape["points"]
    return Polygon(list(zip(numbers[::2], numbers[1::2], strict=False))).buffer(0)


def _rectangle(shape: Raw) -> Any:
    across, down = shape.get("anchorX"), shape.get("anchorY")
    left, top = shape["x"] - (across or 0) * shape["width"], shape["y"] - (down or 0) * shape["height"]
    area = box(left, top, left + shape["width"], top + shape["height"])
    return _turned(shape, area, "center" if across is None and down is None else _at(shape))


def _circle(shape: Raw) -> Any:
    return Point(_at(shape)).buffer(shape["radius"], quad_segs=ROUND)


def _ellipse(shape: Raw) -> Any:
    circle = Point(_at(shape)).buffer(1, quad_segs=ROUND)
    return _turned(shape, affinity.scale(circle, shape["radiusX"], shape["radiusY"]), "center")


def _line(shape: Raw) -> Any:
    end = shape["x"] + shape["length"], shape["y"]
    beam = LineString([_at(shape), end]).buffer(shape["width"] / 2, cap_style="flat")
    return _turned(shape, beam, _at(shape))


def _ring(shape: Raw) -> Any:
    inner, outer = max(0, shape["radius"] - shape["innerWidth"]), shape["radius"] + shape["outerWidth"]
    return Point(_at(shape)).buffer(outer, quad_segs=ROUND) - Point(_at(shape)).buffer(inner, quad_segs=ROUND)


def _cone(shape: Raw) -> Any:
    half, radius = math.radians(shape["angle"]) / 2, shape["radius"]
    if shape.get("curvature") == "flat":
        ends = [(radius, way * radius * math.tan(half)) for way in (-1, 1)]
    else:
        turns = [half * step / 64 for step in range(-64, 65)]
        ends = [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]
    return _turned(shape, affinity.translate(Polygon([(0, 0), *ends]), *_at(shape)), _at(shape))


def _emanation(shape: Raw) -> Any:
    base = area_of(shape["base"])
    grown = base.buffer(shape["radius"], quad_segs=ROUND)
    return grown - base if shape["base"].get("hole") else grown


KINDS = {
    "polygon": _polygon,
    "rectangle": _rectangle,
    "circle": _circle,
    "ellipse": _ellipse,
    "line": _line,
    "ring": _ring,
    "cone": _cone,
    "emanation": _emanation,
}
