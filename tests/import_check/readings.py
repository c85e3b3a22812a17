"""Readings of their own of maps: the walls, doors, tokens and size that an imported board must have."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from shapely import LineString, MultiLineString, Polygon, box
from shapely.strtree import STRtree

from enfilade.geometry.board.base import CELL
from enfilade.importers import Imported
from tests.import_check.sources import Raw, dimensions, is_line, is_on_level, level_of

NEAR = 1.5
"""The greatest distance of a wall from its place, in 64ths of a cell: by rounding and at doors."""


def scene_faults(source: Raw, imported: Imported) -> list[str]:
    """Return what an imported Foundry scene lacks by its source."""
    origin, scene = imported.origin, imported.scene
    assert origin is not None
    place, grid = dimensions(source), scene.grid
    flat = 1 if grid.kind in ("square", "gridless") else math.sqrt(3) / 2
    across, down = (1.0, flat) if grid.kind.endswith("_r") else (flat, 1.0)

    def spot(x: float, y: float) -> tuple[float, float]:
        """Return a pixel in 64ths of the board."""
        scale = CELL / origin.size  # type: ignore[union-attr]
        return (x - origin.left) * scale * across, (y - origin.top) * scale * down  # type: ignore[union-attr]

    left, top = spot(place["sceneX"], place["sceneY"])
    right, bottom = spot(place["sceneX"] + place["sceneWidth"], place["sceneY"] + place["sceneHeight"])
    area = box(left, top, right, bottom)
    faults = _size_faults(area, imported)
    level = level_of(source)
    here = [w for w in source["walls"] if is_line(w) and is_on_level(w, level)]
    wanted = [LineString([spot(*w["c"][:2]), spot(*w["c"][2:])]) for w in here]
    on_map = [line for line in wanted if line.length >= 2 and line.intersects(area)]
    faults += _lost(on_map, [wall.line for wall in scene.walls], area)
    doors = sum(
        1
        for w in here
        if w.get("door") and LineString([spot(*w["c"][:2]), spot(*w["c"][2:])]).intersects(area)
    )
    found = sum(wall.door != "none" for wall in scene.walls)
    if found < doors:
        faults.append(f"{doors - found} doors are lost")
    if len(scene.tokens) != len(source["tokens"]):
        faults.append(f"{len(source['tokens'])} tokens became {len(scene.tokens)}")
    return faults


def _size_faults(area: Polygon, imported: Imported) -> list[str]:
    """Return a fault if the board does not hold the map, or is larger than it by two cells or more."""
    grid = imported.scene.grid
    left, top, right, bottom = (value / CELL for value in area.bounds)
    wide, high = grid.columns + 0.5, grid.rows + 0.5
    if grid.kind.endswith("_r"):
        high = grid.rows * 0.75 + 0.25 + 0.5
    elif grid.kind.endswith("_q"):
        wide = grid.columns * 0.75 + 0.25 + 0.5
    is_held = left >= -1.1 and top >= -1.1 and right <= wide + 0.1 and bottom <= high + 0.1
    is_tight = wide - right < 2.6 and high - bottom < 2.6
    return [] if is_held and is_tight else [f"a map at {left:g}, {top:g}, {right:g}, {bottom:g} on {grid}"]


def _lost(wanted: list[LineString], found: list[Any], area: Polygon) -> list[str]:
    """Return a fault for walls of which a part on the map is not on the board."""
    lines = [LineString([line[:2], line[2:]]) for line in found]
    tree = STRtree(lines)
    lost = 0
    for line in wanted:
        near = [lines[index] for index in tree.query(line.buffer(NEAR))]
        here = line.intersection(area)
        if (
            here.length >= 2
            and here.difference(MultiLineString(near).buffer(NEAR) if near else Polygon()).length > 1
        ):
            lost += 1
    return [f"{lost} walls are lost"] if lost else []


def universal_vtt_faults(raw: Raw, imported: Imported) -> list[str]:
    """Return what an imported Universal VTT map lacks: walls apart from its doors, doors, and its size."""
    resolution = raw["resolution"]
    size, origin = resolution["map_size"], resolution.get("map_origin") or {"x": 0, "y": 0}

    def spot(point: Raw) -> tuple[float, float]:
        return (point["x"] - origin["x"]) * CELL, (point["y"] - origin["y"]) * CELL

    area = box(0, 0, size["x"] * CELL, size["y"] * CELL)
    grid = imported.scene.grid
    faults = (
        [] if (grid.columns, grid.rows) == (_up(size["x"]), _up(size["y"])) else [f"{size} became {grid}"]
    )
    doors = [LineString(map(spot, portal["bounds"])) for portal in raw.get("portals") or []]
    wanted = []
    for key in ("line_of_sight", "objects_line_of_sight"):
        for polyline in raw.get(key) or []:
            wanted += [LineString([spot(a), spot(b)]) for a, b in pairwise(polyline)]
    cut = MultiLineString(doors).buffer(CELL / 4) if doors else Polygon()
    faults += _lost(
        [line for line in wanted if line.length >= 2],
        [w.line for w in imported.scene.walls],
        area.difference(cut),
    )
    on_map = sum(door.intersects(area) and door.length >= 2 for door in doors)
    found = sum(wall.door != "none" for wall in imported.scene.walls)
    return faults if found >= on_map else [*faults, f"{on_map - found} doors are lost"]


def _up(cells: float) -> int:
    return round(cells) if abs(cells - round(cells)) < 1 / 128 else math.ceil(cells)
