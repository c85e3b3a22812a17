"""Lines of sight, what blocks them, and range (CDG-011, CDG-017, CDG-051)."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import build_table, grid_of, mask_in_range
from enfilade.geometry.board.shapes import Body, box_body, hex_body
from enfilade.geometry.board.square import SquareBoard, box
from enfilade.geometry.movement.costs import TerrainCost
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.sight.blockers import Blockers, Touch, TouchRule
from enfilade.geometry.sight.line_of_sight import Obstruction, first_obstruction, first_obstructions, visible
from enfilade.i18n import localize
from enfilade.rules.battle.memo import large, per_cell, per_map, per_owner, recent_by_size
from enfilade.rules.kit.board import Board, opaque_walls, terrain_costs, wall_blockers
from enfilade.rules.ruleset import Blocker, Sight
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import Battlefield, battlefield
from enfilade.rulesets.coup_de_grace.movement_costs import is_walled
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Terrain, Token, Wall

_NAMES = {
    "door": localize("coup_de_grace.blocker_door"),
    "wall": localize("coup_de_grace.blocker_wall"),
}

NO_RANGE = 0xFFFF
"""The entry of a table for no range; it is larger than any board."""

LONGEST_RANGE = 0xFFFE
"""The longest range that a table can hold."""


def range_between(battle: Battlefield, a: Cell, b: Cell) -> int | None:
    """Return the range between two cells; None if it is counted along paths and there is no path."""
    if battle.setting(house_rules.RANGE) == "path":
        steps = ranges_from(battle, a)[grid_of(battle.board).index(b)] if b in battle.board else NO_RANGE
        return None if steps == NO_RANGE else steps
    return battle.board.distance(a, b)


@large
def ranges_from(battle: Battlefield, start: Cell) -> array[int]:
    """Return the range from a cell to each cell, as a table of the board; `NO_RANGE` for none.

    Miniatures do not block range.
    """
    is_path = battle.setting(house_rules.RANGE) == "path"
    return _ranges_along_paths(battle, start) if is_path else straight_ranges(battle.board, start)


def cells_in_range(battle: Battlefield, start: Cell, minimum: int, maximum: int) -> Mask:
    """Return the cells whose range from a cell is from `minimum` to `maximum`."""
    longest = min(maximum, LONGEST_RANGE)
    return mask_in_range(grid_of(battle.board), ranges_from(battle, start), minimum, longest)


def longest_range(table: array[int]) -> int:
    """Return the longest range of a table from `ranges_from`."""
    return max(set(table) - {NO_RANGE})


def straight_ranges(board: Board, start: Cell) -> array[int]:
    """Return the straight range from a cell to each cell, as a table of the board."""
    table, places = build_table(board, NO_RANGE), grid_of(board)
    for row in range(board.rows):
        checkpoint()
        first = places.index((0, row))
        if isinstance(board, SquareBoard):
            right = _ranges_across(board, abs(row - start[1]))
            left = right[start[0] : 0 : -1]
            table[first : first + board.columns] = left + right[: board.columns - start[0]]
            continue
        ranges = [board.distance(start, (column, row)) for column in range(board.columns)]
        table[first : first + board.columns] = array("H", ranges)
    return table


@lru_cache(maxsize=1_024)
def _ranges_across(board: SquareBoard, down: int) -> array[int]:
    """Return the range to the cells so many rows away, by the number of columns between."""
    return array("H", [board.distance((0, 0), (across, down)) for across in range(board.columns)])


def _ranges_along_paths(battle: Battlefield, start: Cell) -> array[int]:
    board = battle.board
    costs = terrain_costs(battle.scene.terrain).items()
    closed = [cell for cell, cost in costs if not cost and cell != start]
    going = TerrainCost(build_table(board, 1, [(closed, 0)]), build_table(board, 1), battle.barred_steps)
    table, places = build_table(board, NO_RANGE), grid_of(board)
    known = Field(MovementGraph(board, going), start).costs
    for cell, steps in known.items():
        table[places.index(cell)] = steps
    for cell in closed if start in board else ():  # what stands in closed terrain is reached from its edge
        beside = [near for near in board.neighbors(cell) if near in known] if cell in board else []
        ways = [known[near] + 1 for near in beside if not is_walled(battle, near, cell)]
        if ways:
            table[places.index(cell)] = min(ways)
    return table


def range_text(battle: Battlefield, steps: int) -> str:
    """Return a range as text: "1 square", "3 hexes"."""
    if isinstance(battle.board, HexBoard):
        return localize("coup_de_grace.range_hexes", count=steps)
    return localize("coup_de_grace.range_squares", count=steps)


class Obstacles:
    """All things on a battlefield that may block a line of sight, prepared for many lines."""

    def __init__(self, battle: Battlefield) -> None:
        self._scene = battle.scene
        self.hiders = _hiders(battle)
        checkpoint()  # each of these steps takes a millisecond with hundreds of miniatures
        cells = tuple([one.token.at for one in self.hiders if one.token.at])
        touching = _touching(battle.is_on(house_rules.CORNERS), isinstance(battle.board, HexBoard))
        self._hiding = _hiding(battle.scene.terrain, battle.board)
        self.blockers = _blockers(battle.scene.walls, self._hiding, battle.board, touching, cells)

    @lazy
    def walls(self) -> list[Wall]:
        """The walls and closed doors that block sight, in the order of the blockers."""
        return opaque_walls(self._scene.walls)

    @property
    def hiding(self) -> list[Terrain]:
        """The terrain of each body after those of the miniatures."""
        return self._hiding.patches


@cache
def _touching(is_closed: bool, is_hex: bool) -> TouchRule:
    """Return whether a line passes where two filled cells meet: squares at a corner, hexes along a side."""
    meeting: Touch = "blocks" if is_closed else "passes"
    return TouchRule(corner=meeting, edge=meeting if is_hex else "passes")


@large
def obstacles(battle: Battlefield) -> Obstacles:
    """Return the obstacles of a battlefield; cached."""
    return Obstacles(battle)


@dataclass(frozen=True, eq=False)
class _Hiding:
    """The terrain of a map that blocks sight, once for each of its cells, and the bodies of those cells."""

    patches: list[Terrain]
    bodies: list[Body]


@per_map
def _hiding(terrain: tuple[Terrain, ...], board: Board) -> _Hiding:
    hiding = _Hiding([], [])
    for patch in terrain:
        for cell in patch.cells if patch.blocks_sight else ():
            checkpoint()
            hiding.patches.append(patch)
            hiding.bodies.append(_body(board, cell))
    return hiding


@recent_by_size
def _blockers(
    walls: tuple[Wall, ...], hiding: _Hiding, board: Board, touching: TouchRule, cells: tuple[Cell, ...]
) -> Blockers:
    """Return what blocks sight if miniatures stand in some cells; most acts move none of them."""
    bodies = []
    for cell in cells:
        checkpoint()
        bodies.append(_body(board, cell))
    # The tables of the walls are built once for a map.
    return wall_blockers(walls, touching).with_bodies((), bodies + hiding.bodies)


def _hiders(battle: Battlefield) -> list[Fighter]:
    downed_hide = battle.is_on(house_rules.DOWNED_HIDE)
    return [one for one in battle.on_board if downed_hide or not one.is_downed]


def _body(board: Board, cell: Cell) -> Body:
    return _hex_body(board, cell) if isinstance(board, HexBoard) else _square_body(cell)


@lru_cache(maxsize=4_096)  # tokens stand on the same squares again and again
def _square_body(cell: Cell) -> Body:
    return box_body(box(cell))


@per_cell
def _hex_body(board: HexBoard, cell: Cell) -> Body:
    return hex_body(board, [cell])


def blocked_by(battle: Battlefield, viewer: Fighter, target: Fighter) -> str:
    """Return the obstacle between two miniatures as text; empty if the line is clear (CDG-051)."""
    if viewer.token.at is None or target.token.at is None:
        return localize("coup_de_grace.blocker_absent")
    stop = _stop(battle, viewer.token.at, target.token.at)
    return _text(battle, target, stop) if stop else ""


@per_owner
def stops_from(battle: Battlefield, start: Cell) -> dict[Cell, Obstruction | None]:
    """Return what stops the lines from a cell to each miniature: at once, as overlays ask for all."""
    return _stops(obstacles(battle).blockers, battle.board, start, battle.occupied)


@large
def _stops(
    blockers: Blockers, board: Board, start: Cell, ends: frozenset[Cell]
) -> dict[Cell, Obstruction | None]:
    cells = [cell for cell in ends if cell in board]
    checkpoint()
    stops = first_obstructions(board.center(start), list(map(board.center, cells)), blockers)
    return dict(zip(cells, stops, strict=True))


def _stop(battle: Battlefield, start: Cell, end: Cell) -> Obstruction | None:
    """Return what stops the line from center to center."""
    stops = stops_from(battle, start)
    if end in stops:
        return stops[end]
    center = battle.board.center
    return first_obstruction(center(start), center(end), obstacles(battle).blockers)


def _text(battle: Battlefield, target: Fighter, stop: Obstruction) -> str:
    every = obstacles(battle)
    if stop.wall is not None:
        name = _NAMES[_kind_of(every.walls[stop.wall])]
        return localize("coup_de_grace.blocker_between", blocker=name, target=target.name)
    if stop.body is None:
        is_hex = isinstance(battle.board, HexBoard)
        return localize("coup_de_grace.blocker_side" if is_hex else "coup_de_grace.blocker_corner")
    if stop.body < len(every.hiders):
        return every.hiders[stop.body].name
    return localize("coup_de_grace.blocker_terrain", target=target.name)


def _kind_of(wall: Wall) -> Literal["door", "wall"]:
    return "door" if wall.door == "door" else "wall"


def _blocker(battle: Battlefield, stop: Obstruction) -> Blocker:
    every = obstacles(battle)
    if stop.wall is not None:
        wall = every.walls[stop.wall]
        return Blocker(_kind_of(wall), wall.id, _NAMES[_kind_of(wall)])
    if stop.body is None:
        return Blocker("corner")
    if stop.body < len(every.hiders):
        hider = every.hiders[stop.body]
        return Blocker("token", hider.id, hider.name)
    patch = every.hiding[stop.body - len(every.hiders)]
    return Blocker("terrain", patch.id, patch.name)


def sight(scene: Scene, viewer: Token, target: Token) -> Sight:
    """Return the line of sight between the centers of two miniatures, and its obstacle (CDG-051)."""
    battle = battlefield(scene)
    one, other = battle.fighter(viewer.id), battle.fighter(target.id)
    start, end = viewer.at, target.at
    if start is None or end is None or one.id == other.id:
        return Sight()
    if start not in battle.board or end not in battle.board:
        return Sight()
    stop = _stop(battle, start, end)
    steps = range_between(battle, start, end)
    return Sight(
        is_seen=stop is None,
        why=localize("coup_de_grace.blocked", obstacle=_text(battle, other, stop)) if stop else "",
        distance="" if steps is None else range_text(battle, steps),
        line=(*battle.board.center(start), *battle.board.center(end)),
        at=stop.at if stop else None,
        blocker=_blocker(battle, stop) if stop else None,
    )


def seen_from(battle: Battlefield, cell: Cell) -> Mask:
    """Return the cells that are seen from the center of a cell."""
    return _seen_past(obstacles(battle).blockers, battle.board, cell)


@recent_by_size
def _seen_past(blockers: Blockers, board: Board, cell: Cell) -> Mask:
    """Return the same past some blockers, for all scenes in which no miniature has moved."""
    return visible(board, board.center(cell), blockers)
