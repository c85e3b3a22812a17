"""Levels of Foundry 14: which one is the board, and what is on it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers.foundry_shapes import LevelData, SceneData
from enfilade.importers.imported import clean_text
from enfilade.importers.pieces import Remarks

NAMED = 20
"""The number of levels that a sentence names."""


def with_level(scene: SceneData, wanted: str, remarks: Remarks) -> SceneData:
    """Return a scene with the level that is the board: the wanted one, the viewed one, or the initial one.

    A scene without levels, or with one that is not named, has everything on its board. Raises BadFile if it
    has no such level.
    """
    names = level_names(scene)
    if wanted:
        return replace(scene, level=_find(scene.levels, names, wanted))
    if scene.level is not None or len(scene.levels) < 2:
        return scene
    initial = next((i for i, level in enumerate(scene.levels) if level.id == scene.initial_level), 0)
    others = ", ".join([name for i, name in enumerate(names) if i != initial][:NAMED])
    remarks.note(localize("import.foundry_level", name=names[initial], others=others))
    return replace(scene, level=scene.levels[initial].id)


def level_names(scene: SceneData) -> list[str]:
    """Return the names of a scene's levels; one without a name has its number."""
    return [
        clean_text(level.name or "") or localize("import.foundry_unnamed_level", number=number)
        for number, level in enumerate(scene.levels, 1)
    ]


def level_name(scene: SceneData) -> str:
    """Return the name of the level that is the board; empty if everything is on it."""
    found = zip(scene.levels, level_names(scene), strict=True)
    return next((name for level, name in found if scene.level is not None and level.id == scene.level), "")


def is_on_level(levels: Iterable[str], level: str | None) -> bool:
    """Return whether a thing on these levels (none: all) is on the viewed level (None: any)."""
    return level is None or not levels or level in levels


def _find(levels: list[LevelData], names: list[str], wanted: str) -> str | None:
    for level, name in zip(levels, names, strict=True):
        if level.id == wanted or name.casefold() == wanted.casefold():
            return level.id
    some = ", ".join(names[:NAMED]) or localize("import.foundry_no_levels")
    raise BadFile(localize("import.no_such_level", name=clean_text(wanted), names=some))
