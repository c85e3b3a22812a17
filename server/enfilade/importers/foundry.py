"""Foundry scenes of versions 12, 13 and 14: board, walls, doors, difficult terrain and tokens.

An exported file and the module's reading of a live scene have the same form; only the reading has
`dimensions`, the viewed `level` and the outlines of regions. The importer neither fetches nor keeps the paths
of pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.canvas import Canvas, find_canvas, is_padding_guessed
from enfilade.importers.foundry_regions import read_terrain
from enfilade.importers.foundry_shapes import SceneData, WallData
from enfilade.importers.foundry_tokens import OWN_ID, read_sides, read_tokens
from enfilade.importers.imported import Imported, clean_text
from enfilade.importers.untrusted import convert
from enfilade.importers.walls import DrawnWall, filter_walls, line
from enfilade.scene.model import DoorKind, DoorState, Grid, Scene, Sense, Wall

MOVES: dict[int, Literal["none", "normal"]] = {0: "none", 20: "normal"}
SENSES: dict[int, Sense] = {0: "none", 10: "limited", 20: "normal", 30: "proximity", 40: "distance"}
ONE_WAY: dict[int, Literal["both", "left", "right"]] = {0: "both", 1: "left", 2: "right"}
DOORS: dict[int, DoorKind] = {0: "none", 1: "door", 2: "secret"}
SQUARE = 1
DIAGONALS = ("1, 1, 1", "the square root of 2", "1 1/2", "2", "1, 2, 1", "2, 1, 2", "closed")
"""Foundry's rules for diagonal steps, by its own numbers."""

STATES: dict[int, DoorState] = {0: "closed", 1: "open", 2: "locked"}


def read_foundry(raw: dict[str, Any], title: str, ruleset: str) -> Imported:
    """Return the scene in Foundry's scene data. Raises BadFile."""
    if not isinstance(raw["grid"], dict):
        raise BadFile(localize("import.foundry_too_old"), "grid")
    data = convert(raw, SceneData)
    canvas = find_canvas(data)
    grid = _grid(data, canvas)
    on_ground, height_notes = _walls_on_ground(data)
    walls, wall_notes = filter_walls(_draw_walls(on_ground, canvas), grid)
    terrain = read_terrain(data, canvas)
    placed, token_notes = read_tokens(data, canvas)
    scene = Scene(
        ruleset=ruleset,
        grid=grid,
        name=clean_text(data.name) or title,
        walls=walls,
        terrain=terrain,
        sides=read_sides(data.tokens),
        tokens=tuple(one.token for one in placed),
    )
    notes = (*_notes_on(data), *height_notes, *wall_notes, *token_notes)
    return Imported(
        kind="foundry",
        scene=scene,
        notes=notes,
        origin=canvas.origin,
        paths={one.token.id: one.path for one in placed if one.path},
        hit_points={one.token.id: one.hit_points for one in placed if one.hit_points is not None},
        linked=tuple(map(frozenset, data.linked)),
    )


def _grid(data: SceneData, canvas: Canvas) -> Grid:
    units = clean_text(data.grid.units, limits.UNITS_LETTERS) or "squares"
    return Grid(canvas.kind, canvas.columns, canvas.rows, data.grid.distance, units)


def _walls_on_ground(data: SceneData) -> tuple[list[tuple[int, WallData]], list[str]]:
    """Return the walls on the ground of the viewed level, each with its index in the file, and notes."""
    here = [(i, wall) for i, wall in enumerate(data.walls) if is_on_level(wall.levels, data.level)]
    on_ground = [(i, wall) for i, wall in here if _is_on_ground(wall, data.grid.distance)]
    above = len(here) - len(on_ground)
    notes = [localize("import.foundry_walls_off_ground", count=above)] if above else []
    return on_ground, notes


def is_on_level(levels: Iterable[str], level: str | None) -> bool:
    """Return whether a thing on these levels (none: all) is on the viewed level (None: any)."""
    return level is None or not levels or level in levels


def _is_on_ground(wall: WallData, cell: float) -> bool:
    """Return whether a wall meets the ground's cell, by the flags of the wall-height module."""
    heights = (wall.flags or {}).get("wall-height")
    if not isinstance(heights, dict):
        return True
    bottom, top = heights.get("bottom"), heights.get("top")
    is_above = isinstance(bottom, (int, float)) and bottom >= cell
    is_below = isinstance(top, (int, float)) and top <= 0
    return not (is_above or is_below)


def _draw_walls(walls: Iterable[tuple[int, WallData]], canvas: Canvas) -> Iterator[DrawnWall]:
    for index, wall in walls:
        x1, y1, x2, y2 = wall.c
        at, moved = line(canvas.wall_spot(x1, y1), canvas.wall_spot(x2, y2), f"walls[{index}].c")
        yield DrawnWall(_wall(wall, at), moved)


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
    yield localize("import.foundry_picture")
    if is_padding_guessed(data):
        yield localize("import.foundry_padding_guessed")
    if _is_shifted(data):
        yield localize("import.foundry_picture_shifted")
    if len(data.levels) > 1 and data.level is None:
        yield localize("import.foundry_levels", count=len(data.levels))
    if data.diagonals and data.grid.type == SQUARE:
        yield localize("import.foundry_diagonals", rule=DIAGONALS[data.diagonals])
    near = sum(wall.sight >= 30 for wall in data.walls)
    if near:
        yield localize("import.foundry_proximity", count=near)
    left = [localize(key, count=len(things)) for key, things in _left_out(data) if things]
    if left:
        yield localize("import.foundry_left_out", things=", ".join(left))


def _is_shifted(data: SceneData) -> bool:
    offsets = (data.background.offset_x, data.background.offset_y) if data.background else (0, 0)
    return any((*offsets, data.shift_x, data.shift_y))


def _left_out(data: SceneData) -> list[tuple[str, list[Any]]]:
    return [
        ("import.foundry_count_light", data.lights),
        ("import.foundry_count_sound", data.sounds),
        ("import.foundry_count_region", [region for region in data.regions if not region.polygons]),
        ("import.foundry_count_tile", data.tiles),
        ("import.foundry_count_drawing", data.drawings),
        ("import.foundry_count_note", data.notes),
        ("import.foundry_count_template", data.templates),
    ]
