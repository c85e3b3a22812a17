"""Files with several scenes: Foundry's adventures, compendiums and lists, whole or a scene a line.

Without a name such a file tells which scenes it has; with one that scene is read.
"""

from __future__ import annotations

from math import ceil
from typing import Any

import msgspec

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers.imported import clean_text
from enfilade.importers.pieces import number_in

MAX_SCENES = 1_000
NAMED = 20
"""The number of scenes that a refusal names."""


class SceneEntry(msgspec.Struct, frozen=True):
    """A scene of a file: its name, which no other of the file has, and about how many cells it has."""

    name: str
    columns: int = 0
    rows: int = 0


class SeveralScenes(BadFile):
    """A file has several scenes, and none was chosen; `scenes` lists them."""

    def __init__(self, scenes: tuple[SceneEntry, ...]) -> None:
        names = ", ".join(f"{scene.name} ({scene.columns} x {scene.rows})" for scene in scenes[:NAMED])
        super().__init__(localize("import.several_scenes", count=len(scenes), names=names))
        self.scenes = scenes


def is_map(raw: Any) -> bool:
    """Return whether plain data looks like a map: a Universal VTT map or a Foundry scene."""
    is_scene = isinstance(raw, dict) and "grid" in raw and ("width" in raw or "walls" in raw)
    return is_scene or (isinstance(raw, dict) and ("resolution" in raw or "line_of_sight" in raw))


def scenes_in(raw: Any) -> list[dict[str, Any]]:
    """Return the maps in a list of documents or in an adventure; empty if it has none."""
    documents = raw.get("scenes") if isinstance(raw, dict) and not is_map(raw) else raw
    if not isinstance(documents, list):
        return []
    return [document for document in documents if is_map(document)][:MAX_SCENES]


def list_scenes(scenes: list[dict[str, Any]]) -> tuple[SceneEntry, ...]:
    """Return the entries of scenes; a second scene of a name gets a number."""
    entries: list[SceneEntry] = []
    taken: set[str] = set()
    for number, scene in enumerate(scenes, 1):
        name = _text(scene.get("name")) or localize("import.unnamed_scene", number=number)
        unique = name if name not in taken else f"{name} ({number})"
        taken.add(unique)
        entries.append(SceneEntry(unique, *_size(scene)))
    return tuple(entries)


def choose_scene(scenes: list[dict[str, Any]], wanted: str) -> dict[str, Any]:
    """Return the scene with a name, in which upper and lower case count alike; an only scene needs none.

    Raises SeveralScenes, or BadFile if none has the name.
    """
    if not wanted and len(scenes) == 1:
        return scenes[0]
    entries = list_scenes(scenes)
    if not wanted:
        raise SeveralScenes(entries)
    for alike in (str, str.casefold):
        for entry, scene in zip(entries, scenes, strict=True):
            if alike(entry.name) == alike(wanted):
                return scene
    names = ", ".join(entry.name for entry in entries[:NAMED])
    raise BadFile(localize("import.no_such_scene", name=clean_text(wanted), count=len(scenes), names=names))


def _text(value: Any) -> str:
    return clean_text(value) if isinstance(value, str) else ""


def _size(scene: dict[str, Any]) -> tuple[int, int]:
    """Return about how many cells a scene has across and down; 0 if it does not tell."""
    grid, resolution = scene.get("grid"), scene.get("resolution")
    cell = _number(grid.get("size")) if isinstance(grid, dict) else _number(grid)
    sides: list[Any] = [scene.get("width"), scene.get("height")]
    if isinstance(resolution, dict) and isinstance(resolution.get("map_size"), dict):
        cell, sides = 1.0, [resolution["map_size"].get(way) for way in ("x", "y")]
    columns, rows = (ceil(_number(side) / cell) if cell >= 1 else 0 for side in sides)
    return columns, rows


def _number(value: Any) -> float:
    number = number_in(value) if isinstance(value, str) else value
    return float(number) if isinstance(number, (int, float)) and 0 < number < 10_000_000 else 0.0
