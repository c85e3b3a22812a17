"""Import maps and actors: Universal VTT files, Foundry scenes and pictures become a Scene, an actor a sheet.

`read_map` recognizes a file's format; `read_picture` takes a picture and a grid over it; `read_live_scene`
takes what a bridge reads in Foundry. The importer fetches nothing, runs nothing, and uses nothing in a file
as a path.
"""

from __future__ import annotations

from typing import Any

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers.actors import is_actor, read_actor
from enfilade.importers.foundry import read_foundry
from enfilade.importers.imported import Imported, Objects, SceneFile, title_from, without_cells
from enfilade.importers.pictures import GridFit, media_type_of, picture_size, read_picture, token_picture
from enfilade.importers.pieces import Remarks
from enfilade.importers.several import SceneEntry, SeveralScenes, choose_scene, scenes_in
from enfilade.importers.universal_vtt import read_universal_vtt
from enfilade.importers.untrusted import encoding_name, read_json
from enfilade.rules.sheets import Sheet

__all__ = [
    "GridFit",
    "Imported",
    "Objects",
    "SceneEntry",
    "SceneFile",
    "SeveralScenes",
    "media_type_of",
    "picture_size",
    "read_actor_file",
    "read_live_scene",
    "read_map",
    "read_picture",
    "token_picture",
    "without_cells",
]


def read_map(
    data: bytes, name: str, *, ruleset: str, objects: Objects = "sight", scene: str = "", level: str = ""
) -> Imported | SceneFile:
    """Read the map in a file's bytes; an Enfilade scene file comes back undecoded.

    `name` is the file's name, the title of a map without one. `ruleset` is the key of the scene's rules.
    `objects` says what object outlines on a Universal VTT map block. `scene` names one of several scenes, and
    `level` one of a scene's levels, by its name or ID.

    Raises SeveralScenes if a file has several and none is named, and BadFile, which names the place, if the
    file is broken or of another kind.
    """
    remarks = Remarks()
    raw = read_json(data, mend=remarks.ignore)
    if scenes := scenes_in(raw):
        raw = choose_scene(scenes, scene)
        remarks.note(localize("import.one_of_scenes", count=len(scenes)))
    if not isinstance(raw, dict):
        raise BadFile(localize("import.not_object"))
    if _is_scene_file(raw):
        return SceneFile(read_json(data) if remarks.sentences() else raw)  # our own files have no such values
    if encoding := encoding_name(data):
        remarks.note(localize("import.encoding", encoding=encoding))
    if "resolution" in raw or "line_of_sight" in raw:
        return read_universal_vtt(raw, title_from(name), ruleset, objects, remarks)
    if "grid" in raw:
        return read_foundry(raw, title_from(name), ruleset, remarks, level)
    raise BadFile(localize("import.unknown_kind"))


def read_actor_file(data: bytes) -> Sheet | None:
    """Return the sheet of an exported actor; None for a file of another kind.

    Raises BadFile if the file is broken, or the actor is of an unknown system.
    """
    raw = read_json(data)
    return read_actor(raw) if is_actor(raw) else None


def read_live_scene(raw: dict[str, Any], *, ruleset: str) -> Imported:
    """Read a Foundry scene as the module sends it. Raises BadFile if a key is missing."""
    for key in ("grid", "dimensions"):
        if key not in raw:
            raise BadFile(localize("import.key_missing", key=key))
    return read_foundry(raw, "", ruleset, Remarks())


def _is_scene_file(raw: dict[str, Any]) -> bool:
    return "ruleset" in raw and "version" in raw
