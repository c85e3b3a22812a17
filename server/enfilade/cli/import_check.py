"""The command `enfilade import --check`: list what the importer reads of files, leaves out and refuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from enfilade.cli.output import read_bytes
from enfilade.errors import EnfiladeError
from enfilade.i18n import localize
from enfilade.importers import Imported, SceneFile, SeveralScenes, read_map


class CheckedMap(msgspec.Struct, frozen=True):
    """A map of a file, as the importer reads it; with an `error` it is refused.

    `board` is its size and kind, such as "11 x 6 square". `notes` are the importer's remarks.
    """

    file: str
    scene: str = ""
    kind: str = ""
    board: str = ""
    walls: int = 0
    doors: int = 0
    tokens: int = 0
    terrain: int = 0
    picture: bool = False
    notes: tuple[str, ...] = ()
    error: str = ""


def check_file(file: Path, ruleset: str, scene: str = "", level: str = "") -> Iterator[CheckedMap]:
    """Yield the maps of a file: one, or each of its scenes if it has several and none is named."""
    try:
        data = read_bytes(file)
        found = read_map(data, file.name, ruleset=ruleset, scene=scene, level=level)
    except SeveralScenes as several:
        for entry in several.scenes:
            yield from check_file(file, ruleset, entry.name, level)
    except EnfiladeError as problem:
        yield CheckedMap(str(file), scene, error=problem.sentence)
    else:
        yield _checked(str(file), scene, found)


def _checked(file: str, scene: str, found: Imported | SceneFile) -> CheckedMap:
    if not isinstance(found, Imported):
        return CheckedMap(file, scene, kind=found.kind)
    walls, grid = found.scene.walls, found.scene.grid
    doors = sum(wall.door != "none" for wall in walls)
    return CheckedMap(
        file=file,
        scene=scene,
        kind=found.kind,
        board=f"{grid.columns} x {grid.rows} {grid.kind}",
        walls=len(walls) - doors,
        doors=doors,
        tokens=len(found.scene.tokens),
        terrain=len(found.scene.terrain),
        picture=found.image is not None,
        notes=found.notes,
    )


def check_as_data(maps: list[CheckedMap]) -> dict[str, Any]:
    """Return checked maps as plain data, with the number of those that are refused."""
    return {"refused": sum(bool(one.error) for one in maps), "maps": msgspec.to_builtins(maps)}


def check_as_text(maps: list[CheckedMap]) -> str:
    """Return checked maps as a table, each with its remarks or its error below it."""
    heads = [localize(text) for text in _COLUMNS.values()]
    rows = [heads, *([_name(one), *(str(getattr(one, key)) for key in list(_COLUMNS)[1:])] for one in maps)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    lines: list[str] = []
    for row, one in zip(rows, [None, *maps], strict=True):
        lines.append("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        if one is not None:
            error = [localize("cli.check_refused", why=one.error)] if one.error else []
            lines += [f"    {sentence}" for sentence in (*error, *one.notes)]
    refused = sum(bool(one.error) for one in maps)
    return "\n".join([*lines, localize("cli.check_sum", count=len(maps), refused=refused)])


_COLUMNS = {
    "file": "cli.check_file",
    "board": "cli.check_board",
    "walls": "cli.check_walls",
    "doors": "cli.check_doors",
    "tokens": "cli.check_tokens",
    "terrain": "cli.check_terrain",
}


def _name(one: CheckedMap) -> str:
    return f"{one.file}: {one.scene}" if one.scene else one.file
