"""Foundry scenes of versions 8 to 14: board, walls, doors, difficult terrain and tokens.

An exported file and the module's reading of a live scene have the same form; only the reading has
`dimensions`, the viewed `level` and the outlines of regions. The importer neither fetches nor keeps the paths
of pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec.structs import replace

from enfilade.geometry.board.base import CELL
from enfilade.geometry.board.predicates import touches
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.canvas import Canvas, find_canvas
from enfilade.importers.foundry_heights import (
    ground_of,
    is_looked_over,
    is_on_level,
    is_wall_on_ground,
    level_name,
    level_names,
    raised_ground,
    with_level,
)
from enfilade.importers.foundry_regions import read_terrain
from enfilade.importers.foundry_shapes import (
    OTHERS,
    SceneData,
    WallData,
    is_from_before_10,
    read_scene_data,
    since_10,
)
from enfilade.importers.foundry_tokens import OWN_ID, read_sides, read_tokens
from enfilade.importers.imported import Imported, clean_text
from enfilade.importers.pieces import Remarks
from enfilade.importers.walls import NOWHERE, DrawnWall, draw, filter_walls
from enfilade.rules.kit.board import board_of, cells_of
from enfilade.scene.model import DoorKind, DoorState, Grid, Scene, Sense, Token, Wall

MOVES: dict[int, Literal["none", "normal"]] = {0: "none", 20: "normal"}
SENSES: dict[int, Sense] = {0: "none", 10: "limited", 20: "normal", 30: "proximity", 40: "distance"}
ONE_WAY: dict[int, Literal["both", "left", "right"]] = {0: "both", 1: "left", 2: "right"}
DOORS: dict[int, DoorKind] = {0: "none", 1: "door", 2: "secret"}
SQUARE = 1
PROXIMITY = 30
"""The least of Foundry's numbers for a wall that changes with the distance."""
DIAGONALS = ("1, 1, 1", "the square root of 2", "1 1/2", "2", "1, 2, 1", "2, 1, 2", "closed")
"""Foundry's rules for diagonal steps, by its own numbers."""

STATES: dict[int, DoorState] = {0: "closed", 1: "open", 2: "locked"}


def read_foundry(
    raw: dict[str, Any], title: str, ruleset: str, remarks: Remarks, level: str = ""
) -> Imported:
    """Return the scene in Foundry's scene data, with one of its levels. Raises BadFile if it has no grid."""
    if is_from_before_10(raw):
        raw = since_10(raw)
        remarks.note(localize("import.foundry_before_10"))
    data = with_level(read_scene_data(raw, remarks), level, remarks)
    canvas = find_canvas(data, remarks)
    grid = _grid(data, canvas)
    on_ground, height_notes = _walls_on_ground(data)
    walls, wall_notes = filter_walls(_draw_walls(on_ground, canvas, data.grid.distance), grid)
    terrain = read_terrain(data, canvas, remarks)
    placed, token_notes = read_tokens(data, canvas, remarks)
    scene = Scene(
        ruleset=ruleset,
        grid=grid,
        name=clean_text(data.name) or title,
        walls=walls,
        terrain=terrain,
        sides=read_sides(data.tokens),
        tokens=tuple(one.token for one in placed),
    )
    token_notes += notes_on_walls(scene)
    notes = (*remarks.sentences(), *_notes_on(data), *height_notes, *wall_notes, *token_notes)
    return Imported(
        kind="foundry",
        scene=scene,
        notes=notes,
        origin=canvas.origin,
        paths={one.token.id: one.path for one in placed if one.path},
        hit_points={one.token.id: one.hit_points for one in placed if one.hit_points is not None},
        linked=tuple(map(frozenset, data.linked)),
        levels=tuple(level_names(data)) if len(data.levels) > 1 else (),
        level=level_name(data),
        picture_area=canvas.picture_area,
    )


def _grid(data: SceneData, canvas: Canvas) -> Grid:
    units = clean_text(data.grid.units, limits.UNITS_LETTERS) or "squares"
    return Grid(canvas.kind, canvas.columns, canvas.rows, data.grid.distance, units)


def _walls_on_ground(data: SceneData) -> tuple[list[WallData], list[str]]:
    """Return the walls on the ground of the viewed level, those that are looked over without sight; notes."""
    ground, cell = ground_of(data), data.grid.distance
    here = [wall for wall in data.walls if is_on_level(wall.levels, data.level)]
    on_ground = [wall for wall in here if is_wall_on_ground(wall, ground, cell)]
    low = [wall for wall in on_ground if wall.sight and is_looked_over(wall, ground, cell)]
    counts = (
        ("import.foundry_walls_off_ground", len(here) - len(on_ground)),
        ("import.foundry_walls_looked_over", len(low)),
    )
    notes = [localize(key, count=count) for key, count in counts if count]
    lowered = {id(wall): replace(wall, sight=0) for wall in low}
    return [lowered.get(id(wall), wall) for wall in on_ground], notes


def _draw_walls(walls: Iterable[WallData], canvas: Canvas, distance: float) -> Iterator[DrawnWall]:
    """Yield walls on the board; a cell is `distance` wide."""
    for wall in walls:
        x1, y1, x2, y2 = wall.c
        yield draw(_wall(wall, distance), canvas.wall_spot(x1, y1), canvas.wall_spot(x2, y2))


def _threshold(wall: WallData, distance: float) -> int:
    """Return the distance from which a wall changes for sight, in 64ths of a cell; 0 if it has none."""
    if wall.sight < PROXIMITY or wall.threshold is None:
        return 0
    return min(limits.CELLS_A_SIDE * CELL, round((wall.threshold.sight or 0) / distance * CELL))


def _wall(wall: WallData, distance: float) -> Wall:
    return Wall(
        id=wall.id if wall.id and OWN_ID.fullmatch(wall.id) else "",
        line=NOWHERE,
        move=MOVES[wall.move],
        sight=SENSES[wall.sight],
        one_way=ONE_WAY[wall.dir],
        door=DOORS[wall.door],
        state=STATES[wall.ds] if wall.door else "closed",
        threshold=_threshold(wall, distance),
    )


def _notes_on(data: SceneData) -> Iterator[str]:
    if data.dimensions is None:  # a file; the module, which knows them, sends no picture
        yield localize("import.foundry_picture")
        if data.padding > 0:
            yield localize("import.foundry_padding_guessed")
    if data.diagonals and data.grid.type == SQUARE:
        yield localize("import.foundry_diagonals", rule=DIAGONALS[data.diagonals])
    near = sum(wall.sight >= PROXIMITY and not _threshold(wall, data.grid.distance) for wall in data.walls)
    if near:
        yield localize("import.foundry_proximity", count=near)
    left = [localize(key, count=count) for key, count in _left_out(data) if count]
    if left:
        yield localize("import.foundry_left_out", things=", ".join(left))


def _left_out(data: SceneData) -> list[tuple[str, int]]:
    regions = sum(not (region.polygons or region.shapes) for region in data.regions)
    counts = data.others | {"tiles": data.others.get("tiles", 0) - len(raised_ground(data))}
    others = [(text, counts.get(key, 0)) for key, text in OTHERS.items()]
    return [*others[:2], ("import.foundry_count_region", regions), *others[2:]]


MOST_NAMED = 8
"""The tokens that a note names; it counts the others."""


def notes_on_walls(scene: Scene) -> Iterator[str]:
    """Yield a note that names the tokens on the board through whose middle a wall runs."""
    if scene.grid.kind == "gridless":
        return
    found = [token.name for token in scene.tokens if token.at is not None and is_on_wall(scene, token)]
    if found:
        named = ", ".join(found[:MOST_NAMED])
        yield localize("import.tokens_on_walls", count=len(found), names=named)


def is_on_wall(scene: Scene, token: Token) -> bool:
    """Return whether a wall runs through the middle of a cell of a token on a board with cells."""
    board = board_of(scene)
    centers = [board.center(cell) for cell in cells_of(token)]
    return any(
        touches(center, center, wall.line[:2], wall.line[2:])
        for center in centers
        for wall in scene.walls
        if wall.stops_movement or wall.sight != "none"
    )
