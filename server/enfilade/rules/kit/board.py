"""A scene's board, terrain and walls as shapes of the geometry, and the lines of sight past them.

For squares and hexes; lines are for squares. Each map has one `Hiding` and one `Blockers`, and each line is
worked out once for its ends on them: scenes that differ in wounds and turns share their lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from enfilade.geometry.board import base
from enfilade.geometry.board.base import Cell, Point
from enfilade.geometry.board.hex import HexBoard, Layout
from enfilade.geometry.board.shapes import Body, box_body, hex_body
from enfilade.geometry.board.square import Diagonals, SquareBoard, box
from enfilade.geometry.movement.barriers import barred_steps
from enfilade.geometry.sight.blockers import CLOSED, Blockers, TouchRule
from enfilade.geometry.sight.line_of_sight import Obstruction, SightLine, best_sight_line
from enfilade.i18n import localize
from enfilade.rules.battle.memo import MANY, MAPS, identity_cache, map_weight
from enfilade.rules.ruleset import Blocker
from enfilade.scene.model import Grid, Scene, Terrain, Token, Wall

Board = SquareBoard | HexBoard

LAYOUTS: dict[str, Layout] = {
    "hex_odd_r": "odd_r",
    "hex_even_r": "even_r",
    "hex_odd_q": "odd_q",
    "hex_even_q": "even_q",
}
"""The layout of each kind of hex grid."""


def board_of(scene: Scene, diagonals: Diagonals = Diagonals.EQUIDISTANT) -> Board:
    """Return the board of a scene; `diagonals` says how squares count diagonal steps."""
    return board_on(scene.grid, diagonals)


def board_on(grid: Grid, diagonals: Diagonals = Diagonals.EQUIDISTANT) -> Board:
    """Return the board of a grid."""
    return _board(grid.kind, grid.columns, grid.rows, diagonals)


@lru_cache(maxsize=64)
def _board(kind: str, columns: int, rows: int, diagonals: Diagonals) -> Board:
    if kind in LAYOUTS:
        return HexBoard(columns, rows, LAYOUTS[kind])
    return SquareBoard(columns, rows, diagonals)


def distance(scene: Scene, a: Cell, b: Cell) -> int:
    """Return the distance of two cells in cells; a diagonal step counts as one."""
    return board_of(scene).distance(a, b)


def cells_of(token: Token, at: Cell | None = None) -> tuple[Cell, ...]:
    """Return the cells that a token fills by its size, at its cell or at another; none off the board."""
    place = token.at if at is None else at
    if place is None:
        return ()
    (x, y), (columns, rows) = place, token.size
    return tuple((x + dx, y + dy) for dx in range(columns) for dy in range(rows))


def gap(scene: Scene, one: Token, other: Token) -> int:
    """Return the distance of two tokens on the board in cells, from the nearest cells of their bodies."""
    board = board_of(scene)
    return min(board.distance(a, b) for a in cells_of(one) for b in cells_of(other))


def distance_text(scene: Scene, cells: int) -> str:
    """Return a distance as players say it: "1 square", "3 hexes"."""
    if scene.grid.kind in LAYOUTS:
        return localize("kit.hexes", count=cells)
    return localize("kit.squares", count=cells)


@identity_cache(MAPS, map_weight)
def terrain_costs(terrain: tuple[Terrain, ...]) -> dict[Cell, int]:
    """Return the cost factor of entering each cell where it is not 1; 0 is closed."""
    costs: dict[Cell, int] = {}
    for patch in costly(terrain):
        for cell in patch.cells:
            costs[cell] = patch.cost * costs.get(cell, 1)
    return costs


@identity_cache(MAPS, map_weight)
def costly(terrain: tuple[Terrain, ...]) -> tuple[Terrain, ...]:
    """Return the terrain that changes what a step costs; floors that are only painted do not."""
    return tuple([patch for patch in terrain if patch.cost != 1])


def cell_body(board: Board, cell: Cell) -> Body:
    """Return the body that fills a cell, for lines of sight."""
    return hex_body(board, [cell]) if isinstance(board, HexBoard) else box_body(box(cell))


@identity_cache(MAPS, map_weight)
def opaque_walls(walls: tuple[Wall, ...]) -> list[Wall]:
    """Return the walls and closed doors that block sight, in order."""
    return [wall for wall in walls if wall.sight != "none" and (wall.door == "none" or not wall.is_open)]


def _weight(walls: tuple[Wall, ...], _touch_rule: TouchRule) -> int:
    return map_weight(walls)


@identity_cache(MAPS, _weight)
def wall_blockers(walls: tuple[Wall, ...], touch_rule: TouchRule) -> Blockers:
    """Return the `opaque_walls` as blockers without bodies, with the tables that `with_bodies` hands on."""
    return Blockers(opaque_walls(walls), touch_rule=touch_rule).with_tables()


@identity_cache(MAPS, map_weight)
def barred_table(walls: tuple[Wall, ...], board: base.Board) -> bytes:
    """Return the steps that walls and closed doors block, as a table of the board's movement graphs."""
    return barred_steps(board, walls)


def stopped_by(wall: Wall | None) -> Blocker:
    """Return the wall or closed door that stops a line, or a corner between two, with its name for people."""
    if wall is None:
        return Blocker("corner", "", localize("kit.blocker_corner"))
    if wall.door == "door":
        return Blocker("door", wall.id, localize("kit.blocker_door"))
    return Blocker("wall", wall.id, localize("kit.blocker_wall"))


@dataclass(frozen=True, eq=False, slots=True)
class Hiding:
    """The bodies that stop lines beside walls, and for each the blocker to name."""

    bodies: Sequence[Body]
    blockers: Sequence[Blocker]


@identity_cache(MAPS, map_weight)
def hiding_terrain(terrain: tuple[Terrain, ...]) -> Hiding:
    """Return the squares of terrain that blocks sight."""
    found = [(patch, cell) for patch in terrain if patch.blocks_sight for cell in patch.cells]
    return Hiding(
        [box_body(box(cell)) for _, cell in found],
        [Blocker("terrain", patch.id, patch.name) for patch, _ in found],
    )


def _blockers_weight(walls: tuple[Wall, ...], hiding: Hiding) -> int:
    return map_weight(walls) + len(hiding.bodies) // 2_000


@identity_cache(MAPS, _blockers_weight)
def blockers_of(walls: tuple[Wall, ...], hiding: Hiding) -> Blockers:
    """Return walls and what else hides as the geometry takes them; what only touches a wall is stopped."""
    return wall_blockers(walls, CLOSED).with_bodies((), hiding.bodies)


def _line_weight(blockers: Blockers, *_ends: object) -> int:
    return 1 + (len(blockers.walls) + len(blockers.bodies)) // 2_000


@identity_cache(MANY, _line_weight)
def best_line(blockers: Blockers, eyes: tuple[Point, ...], points: tuple[Point, ...]) -> SightLine:
    """Return the best line between two places with some ends each, and what stops it."""
    return best_sight_line(eyes, points, blockers)


def blocker_of(stop: Obstruction, walls: tuple[Wall, ...], hiding: Hiding) -> Blocker:
    """Return what stops a line past a map's walls and what else hides, with its name for people."""
    if stop.body is not None:
        return hiding.blockers[stop.body]
    return stopped_by(None if stop.wall is None else opaque_walls(walls)[stop.wall])
