"""Foundry scenes as Foundry itself would hold and show them, worked out apart from the importer.

Old scenes get the form of today, and the map its place on the canvas by Foundry's rule for padding; shapely
makes the outlines of regions.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from shapely import MultiPolygon, Polygon, unary_union

from tests.import_check.shapes import area_of

Raw = dict[str, Any]
WALLS_BEFORE_9 = {1: 20, 2: 10}


def documents(data: bytes) -> list[Raw]:
    """Return the objects of a file: itself, those of a list or an adventure, or one of each line."""
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    try:
        found: Any = json.loads(text)
    except ValueError:
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
    if isinstance(found, dict) and isinstance(found.get("scenes"), list):
        found = found["scenes"]
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, dict)]


def is_scene(raw: Raw) -> bool:
    """Return whether an object is a Foundry scene."""
    return "grid" in raw and "walls" in raw and ("width" in raw or "padding" in raw)


def as_source(raw: Raw) -> Raw:
    """Return a scene as Foundry would hold it today: in the form since 10, without what it cannot hold."""
    source = dict(raw)
    if not isinstance(raw["grid"], dict):
        source["grid"] = {
            "size": raw["grid"],
            "type": raw.get("gridType", 1),
            "distance": raw.get("gridDistance", 1),
            "units": raw.get("gridUnits", ""),
        }
        source["background"] = {"offsetX": source.pop("shiftX", 0), "offsetY": source.pop("shiftY", 0)}
        source["flags"] = {**(raw.get("flags") or {}), "core": {"legacyHex": True}}
    source["grid"] = {
        "type": 1,
        "distance": 1,
        "units": "",
        **{k: v for k, v in source["grid"].items() if v is not None},
    }
    source["padding"] = 0.25 if raw.get("padding") is None else raw["padding"]
    source["walls"] = [_wall(wall) for wall in raw.get("walls") or [] if is_line(wall)]
    for key in ("tokens", "tiles", "regions"):
        source[key] = [thing for thing in raw.get(key) or [] if isinstance(thing, dict)]
    return source


def is_line(wall: Any) -> bool:
    """Return whether a wall has four numbers as its ends."""
    ends = wall.get("c") if isinstance(wall, dict) else None
    return isinstance(ends, list) and len(ends) == 4 and all(isinstance(one, (int, float)) for one in ends)


def _wall(wall: Raw) -> Raw:
    sight = wall.get("sight", wall.get("sense", 20))
    move = wall.get("move", 20)
    return {**wall, "move": WALLS_BEFORE_9.get(move, move), "sight": WALLS_BEFORE_9.get(sight, sight)}


def dimensions(source: Raw) -> dict[str, float]:
    """Return the map's place on the canvas."""
    grid, padding = source["grid"], source["padding"]
    size, kind = grid["size"], grid["type"]
    width, height = source["width"], source["height"]
    is_old = bool(((source.get("flags") or {}).get("core") or {}).get("legacyHex"))
    if kind < 2 or is_old:
        x = math.ceil((padding * width) * (1 / size)) * size
        y = math.ceil((padding * height) * (1 / size)) * size
    else:
        long = 2 * size / math.sqrt(3) * 0.75
        across, down = (size, long) if kind < 4 else (long, size)
        columns = math.ceil((padding * width) * (1 / across))
        rows = math.ceil((padding * height) * (1 / down))
        x = columns * across + (size / 2 if kind < 4 and rows % 2 else 0)
        y = rows * down + (size / 2 if kind >= 4 and columns % 2 else 0)
    background = source.get("background") or {}
    x -= (background.get("offsetX") or 0) + (source.get("shiftX") or 0)
    y -= (background.get("offsetY") or 0) + (source.get("shiftY") or 0)
    return {"sceneX": x, "sceneY": y, "sceneWidth": width, "sceneHeight": height}


def level_of(source: Raw) -> str | None:
    """Return the level that Foundry shows first; None without levels."""
    levels = [level.get("_id") for level in source.get("levels") or []]
    initial = source.get("initialLevel")
    return initial if initial in levels else levels[0] if len(levels) > 1 else None


def is_on_level(wall: Raw, level: str | None) -> bool:
    """Return whether a wall is on a level, which is None if everything is on the board."""
    return level is None or not wall.get("levels") or level in wall["levels"]


def outlines(source: Raw) -> dict[str, list[list[float]]]:
    """Return the outlines of each region, holes among them, by its ID."""
    found = {}
    for region in source.get("regions") or []:
        area: Any = Polygon()
        for shape in region.get("shapes") or []:
            area = (
                area.difference(area_of(shape)) if shape.get("hole") else unary_union([area, area_of(shape)])
            )
        parts = area.geoms if isinstance(area, MultiPolygon) else [area] if area.area else []
        rings = [ring for part in parts for ring in (part.exterior, *part.interiors)]
        found[region["_id"]] = [[v for point in ring.coords[:-1] for v in point[:2]] for ring in rings]
    return found


def map_files(folder: Path) -> list[Path]:
    """Return the files of a folder that may be maps."""
    endings = {".json", ".db", ".dd2vtt", ".uvtt", ".df2vtt"}
    return sorted(file for file in folder.rglob("*") if file.suffix.lower() in endings and file.is_file())
