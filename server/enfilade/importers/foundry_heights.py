"""Levels and heights in Foundry scenes: the level that is the board, and what is on its ground.

The ground is the floor of the level that is the board (14), else 0. Walls have heights by the module Wall
Height, regions since 12 by their elevation, tiles by theirs. Rules know the heights of ground and no others:
a wall is there or not, and is looked over or not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers.foundry_region_shapes import Outline, ShapeData, lines_of_shape
from enfilade.importers.foundry_shapes import LevelData, RegionData, SceneData, TileData, WallData
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


FOREGROUND_CELLS = 4
"""Foundry's own height, in cells, from which a tile is above all tokens, if a scene has none of its own."""


class RaisedGround(NamedTuple):
    """Ground under a tile with a height, which is in the grid's distance units."""

    name: str
    outline: Outline
    height: int
    is_hidden: bool


def ground_of(scene: SceneData) -> float:
    """Return the height of the board's floor, in the grid's distance units."""
    here = (level for level in scene.levels if scene.level is not None and level.id == scene.level)
    level = next(here, None)
    return (level and level.elevation and level.elevation.bottom) or 0


def is_wall_on_ground(wall: WallData, ground: float, cell: float) -> bool:
    """Return whether a wall meets the cell above the ground, which is `cell` high."""
    bottom, top = _heights(wall)
    return not ((bottom is not None and bottom >= ground + cell) or (top is not None and top <= ground))


def is_looked_over(wall: WallData, ground: float, cell: float) -> bool:
    """Return whether a wall on the ground is no higher than a cell: eyes are above that."""
    top = _heights(wall)[1]
    return top is not None and top <= ground + cell


def _heights(wall: WallData) -> tuple[float | None, float | None]:
    """Return the lower and the upper end of a wall; None for an end that it does not have."""
    heights = (wall.flags or {}).get("wall-height")
    if not isinstance(heights, dict):
        return None, None
    bottom, top = heights.get("bottom"), heights.get("top")
    return (
        bottom if isinstance(bottom, (int, float)) else None,
        top if isinstance(top, (int, float)) else None,
    )


def is_region_on_ground(region: RegionData, ground: float) -> bool:
    """Return whether a region reaches the ground."""
    at = region.elevation
    if at is None:
        return True
    return (at.bottom is None or at.bottom <= ground) and (at.top is None or at.top >= ground)


def raised_ground(scene: SceneData) -> list[RaisedGround]:
    """Return the ground under tiles that stand out of the floor of the board and are no roof."""
    ground = ground_of(scene)
    tiles = [tile for tile in scene.tiles if _is_raised(tile, scene, ground)]
    found = []
    for number, tile in enumerate(tiles, 1):
        place = ShapeData(
            type="rectangle",
            x=tile.x,
            y=tile.y,
            width=tile.width,
            height=tile.height,
            rotation=tile.rotation,
            anchor_x=tile.anchor_x,
            anchor_y=tile.anchor_y,
        )
        name = clean_text(tile.name or "") or localize("import.foundry_unnamed_tile", number=number)
        outline = Outline(lines_of_shape(place, None, scene.grid))
        found.append(RaisedGround(name, outline, round(tile.elevation - ground), tile.hidden))
    return found


def _is_raised(tile: TileData, scene: SceneData, ground: float) -> bool:
    """Return whether a tile is ground: higher than the floor, and neither a roof nor above all tokens."""
    foreground = scene.foreground_elevation
    limit = ground + FOREGROUND_CELLS * scene.grid.distance if foreground is None else foreground
    is_roof = tile.overhead or bool(tile.occlusion and (tile.occlusion.mode or tile.occlusion.modes))
    is_here = is_on_level(tile.levels, scene.level)
    return is_here and not is_roof and ground < tile.elevation < limit and round(tile.elevation - ground) > 0
