"""Foundry scenes as versions 12, 13 and 14 write them: board, walls, doors, hard ground and tokens.

An exported file and the reading that the module sends of a live scene are the same data; only the latter
has `dimensions`, the `level` looked at and the outlines of regions. Pictures stay where they are: their paths
are neither fetched nor kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from enfilade.errors import BadFile
from enfilade.importers import limits
from enfilade.importers.canvas import Canvas, canvas_of, is_guessed
from enfilade.importers.foundry_regions import terrain_of
from enfilade.importers.foundry_shapes import SceneData, WallData
from enfilade.importers.foundry_tokens import OWN_ID, sides_of, tokens_of
from enfilade.importers.imported import Imported, cleaned, how_many
from enfilade.importers.untrusted import shaped
from enfilade.importers.walls import Drawn, line, sifted
from enfilade.scene.model import DoorKind, DoorState, Grid, Scene, Sense, Wall

MOVES: dict[int, Literal["none", "normal"]] = {0: "none", 20: "normal"}
SENSES: dict[int, Sense] = {0: "none", 10: "limited", 20: "normal", 30: "proximity", 40: "distance"}
ONE_WAY: dict[int, Literal["both", "left", "right"]] = {0: "both", 1: "left", 2: "right"}
DOORS: dict[int, DoorKind] = {0: "none", 1: "door", 2: "secret"}
SQUARE = 1
DIAGONALS = ("1, 1, 1", "the square root of 2", "1 1/2", "2", "1, 2, 1", "2, 1, 2", "closed")
"""How Foundry's rulers may count diagonal steps, by its own numbers."""

STATES: dict[int, DoorState] = {0: "closed", 1: "open", 2: "locked"}


def read_foundry(raw: dict[str, Any], title: str, ruleset: str) -> Imported:
    """The scene in Foundry's scene data; raises BadFile."""
    if not isinstance(raw["grid"], dict):
        raise BadFile(
            "scenes from before Foundry 12 cannot be read; export it again from a newer one", "grid"
        )
    data = shaped(raw, SceneData)
    canvas = canvas_of(data)
    grid = _grid(data, canvas)
    standing, height_notes = _standing(data)
    walls, wall_notes = sifted(_drawn(standing, canvas), grid)
    terrain, region_notes = terrain_of(data, canvas)
    tokens, token_notes = tokens_of(data, canvas)
    scene = Scene(
        ruleset=ruleset,
        grid=grid,
        name=cleaned(data.name) or title,
        walls=walls,
        terrain=terrain,
        sides=sides_of(data.tokens),
        tokens=tokens,
    )
    notes = (*_notes_on(data), *height_notes, *wall_notes, *region_notes, *token_notes)
    return Imported(kind="foundry", scene=scene, notes=notes, origin=canvas.origin)


def _grid(data: SceneData, canvas: Canvas) -> Grid:
    units = cleaned(data.grid.units, limits.UNITS_LETTERS) or "squares"
    return Grid(canvas.kind, canvas.columns, canvas.rows, data.grid.distance, units)


def _standing(data: SceneData) -> tuple[list[tuple[int, WallData]], list[str]]:
    """The walls, each with its place in the file, that stand on the ground of the level looked at."""
    here = [(i, wall) for i, wall in enumerate(data.walls) if is_here(wall.levels, data.level)]
    standing = [(i, wall) for i, wall in here if _is_on_ground(wall, data.grid.distance)]
    above = len(here) - len(standing)
    notes = [f"{how_many(above, 'wall')} wholly above or below the ground left out."] if above else []
    return standing, notes


def is_here(levels: Iterable[str], level: str | None) -> bool:
    """Whether something on these levels (none: on all) is on the one looked at (None: none in particular)."""
    return level is None or not levels or level in levels


def _is_on_ground(wall: WallData, cell: float) -> bool:
    """Whether a wall meets the lowest cell above the ground, by what the wall-height module says of it."""
    heights = (wall.flags or {}).get("wall-height")
    if not isinstance(heights, dict):
        return True
    bottom, top = heights.get("bottom"), heights.get("top")
    is_above = isinstance(bottom, (int, float)) and bottom >= cell
    is_below = isinstance(top, (int, float)) and top <= 0
    return not (is_above or is_below)


def _drawn(walls: Iterable[tuple[int, WallData]], canvas: Canvas) -> Iterator[Drawn]:
    for index, wall in walls:
        x1, y1, x2, y2 = wall.c
        at, moved = line(canvas.wall_spot(x1, y1), canvas.wall_spot(x2, y2), f"walls[{index}].c")
        yield Drawn(_wall(wall, at), moved)


def _wall(wall: WallData, at: tuple[int, int, int, int]) -> Wall:
    return Wall(
        id=wall.id if wall.id and OWN_ID.fullmatch(wall.id) else "",
        line=at,
        move=MOVES[wall.move],
        sight=SENSES[wall.sight],
        one_way=ONE_WAY[wall.dir],
        door=DOORS[wall.door],
        state=STATES[wall.ds] if wall.door else "closed",
    )


def _notes_on(data: SceneData) -> Iterator[str]:
    yield "Foundry keeps pictures outside a scene's file; choose the map's picture yourself."
    if is_guessed(data):
        yield "The margin round the map was worked out from its padding; check the walls against the picture."
    if _is_pushed(data):
        yield "In Foundry the picture is shifted against the grid; here it begins where the grid does."
    if len(data.levels) > 1 and data.level is None:
        yield f"{how_many(len(data.levels), 'level')} of the scene lie in one on this board."
    if data.diagonals and data.grid.type == SQUARE:
        counted = DIAGONALS[data.diagonals]
        yield f"Foundry's rulers count diagonals as {counted}; the table counts as its rules say."
    near = sum(wall.sight >= 30 for wall in data.walls)
    if near:
        yield f"{how_many(near, 'proximity or distance wall')}: how far that reaches was left out."
    left = [how_many(len(things), one) for one, things in _left_out(data) if things]
    if left:
        yield f"Left out: {', '.join(left)}."


def _is_pushed(data: SceneData) -> bool:
    offsets = (data.background.offset_x, data.background.offset_y) if data.background else (0, 0)
    return any((*offsets, data.shift_x, data.shift_y))


def _left_out(data: SceneData) -> list[tuple[str, list[Any]]]:
    return [
        ("light", data.lights),
        ("sound", data.sounds),
        ("region", [region for region in data.regions if not region.polygons]),
        ("tile", data.tiles),
        ("drawing", data.drawings),
        ("note", data.notes),
        ("template", data.templates),
    ]
