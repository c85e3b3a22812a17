"""Maps from elsewhere: Universal VTT files and Foundry scenes read into a Scene.

`read_map` recognises what it is given; `read_live_scene` takes what a bridge read in Foundry. Nothing in a
file is fetched, run or used as a path.
"""

from __future__ import annotations

from typing import Any

from enfilade.errors import BadFile
from enfilade.importers.foundry import read_foundry
from enfilade.importers.imported import Imported, Objects, SceneFile, title_of
from enfilade.importers.universal_vtt import read_universal_vtt
from enfilade.importers.untrusted import read_json

__all__ = ["Imported", "Objects", "SceneFile", "read_live_scene", "read_map"]


def read_map(data: bytes, name: str, *, ruleset: str, objects: Objects = "sight") -> Imported | SceneFile:
    """The map in a file's bytes; one of our own scene files comes back undecoded.

    `name` is the file's name, used as the title where the file has none. `ruleset` is the key of the
    rules the scene is for, and `objects` what the outlines of objects on a Universal VTT map stop.
    Raises BadFile, which names the place, where the file is broken or is none of the three.
    """
    raw = read_json(data)
    if not isinstance(raw, dict):
        raise BadFile("a map is a JSON object, and this holds something else")
    if _is_scene_file(raw):
        return SceneFile(raw)
    if "resolution" in raw or "line_of_sight" in raw:
        return read_universal_vtt(raw, title_of(name), ruleset, objects)
    if "grid" in raw:
        return read_foundry(raw, title_of(name), ruleset)
    raise BadFile(_UNKNOWN)


def read_live_scene(raw: dict[str, Any], *, ruleset: str) -> Imported:
    """A Foundry scene as the module reads it there; raises BadFile where it does not say all it should."""
    for key in ("grid", "dimensions"):
        if key not in raw:
            raise BadFile(f"the key '{key}' is missing")
    return read_foundry(raw, "", ruleset)


_UNKNOWN = (
    "this is neither a Universal VTT map (it has no 'resolution'), nor a Foundry scene (no 'grid'), "
    "nor a scene of ours (no 'ruleset')"
)


def _is_scene_file(raw: dict[str, Any]) -> bool:
    return "ruleset" in raw and "version" in raw
