"""Spending movement points: steps, turns, and what enemies beside a miniature make of their cost."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from enfilade.geometry.board.arcs import full_mask
from enfilade.geometry.board.base import lane_to
from enfilade.geometry.board.padded_grid import build_table, grid_of
from enfilade.geometry.board.shapes import Wall as GeometryWall
from enfilade.geometry.board.units import Cell
from enfilade.geometry.movement.barriers import barred_steps
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.terrain_cost import TerrainCost
from enfilade.rules.cache import FEW, MAPS, identity_cache, map_weight
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import Battle, Board, battle_of, boards_of, cells_beside
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.model import Scene, Terrain, Token, Wall

STEP = 1
"""Movement points of a step, or of turning in place, with no enemy beside (CDG-035, CDG-036)."""

EARTH_REACH = 3
"""How near an enemy's Staff of Earth slows."""

_ANY_COST = 50_000
"""More than any way over a board costs that somebody would walk."""


def doublings(battle: Battle, one: Fighter, at: Cell) -> int:
    """How often all movement costs of a miniature at a cell are doubled (CDG-040 to CDG-042)."""
    beside = sum(stands_in_the_way(battle, other) for other in battle.enemies_beside(one, at))
    return _at_most(battle, beside) + _earth_doublings(battle, one, at)


def stands_in_the_way(battle: Battle, enemy: Fighter) -> bool:
    """Whether a miniature doubles what enemies beside it pay: a downed one by a house rule (CDG-041)."""
    return not enemy.is_downed or battle.is_on(house_rules.DOWNED_DOUBLE)


def _at_most(battle: Battle, enemies: int) -> int:
    return min(1, enemies) if battle.setting(house_rules.DOUBLING) == "once" else enemies


def _earth_doublings(battle: Battle, one: Fighter, at: Cell) -> int:
    """How many enemies with a Staff of Earth are near; it doubles as adjacent enemies do."""
    near = [other.token.at for other in battle.with_earth if not battle.are_allies(one, other)]
    return sum(there is not None and battle.board.distance(at, there) <= EARTH_REACH for there in near)


@identity_cache(FEW, boards_of)
def movement_field(battle: Battle, token_id: str, budget: int) -> Field:
    """What every cell costs that a miniature can walk to within a budget (CDG-035, CDG-044, CDG-045)."""
    at = battle.fighter(token_id).token.at
    assert at is not None
    return Field(ground_of(battle, token_id), at, max(0, budget))


@identity_cache(FEW, boards_of)
def ground_of(battle: Battle, token_id: str) -> MovementGraph:
    """The board as a miniature walks over it.

    What a step costs depends on the terrain it enters and on the enemies beside the cell it leaves. A
    halfling's field leads through the cells of others, where it may not end.
    """
    one = battle.fighter(token_id)
    return _laid(battle, one, [other for other in battle.on_board if other.id != one.id])


@identity_cache(FEW, boards_of)
def common_ground(battle: Battle, side: str) -> MovementGraph:
    """The board as all of a side walk over it whom nobody lets through: where they start they need not enter.

    Halflings are none of them. Raises StopIteration where there is nobody.
    """
    anybody = next(one for one in battle.on_board if one.token.side == side and one.race != "halfling")
    return _laid(battle, anybody, battle.on_board)


def _laid(battle: Battle, one: Fighter, around: Sequence[Fighter]) -> MovementGraph:
    board, others = battle.board, [other.token.at for other in around if other.token.at]
    enter, leave = _open_ground(battle.scene.terrain, board)[:], build_table(board, 1)
    places = grid_of(board)
    for cell, times in _all_doublings(battle, one):
        leave[places.index(cell)] = 1 << times
    if one.race != "halfling":
        for cell in others:
            enter[places.index(cell)] = 0
    own = one.token.at
    if own is not None and own in board and one not in around:  # it may leave closed terrain
        enter[places.index(own)] |= 1
    return MovementGraph(board, TerrainCost(enter, leave, wall_table(battle), no_end=others))


def _all_doublings(battle: Battle, one: Fighter) -> Iterator[tuple[Cell, int]]:
    """Every cell where costs are doubled, and how often."""
    near: dict[Cell, int] = dict.fromkeys(full_mask(battle.board), 0) if battle.with_earth else {}
    for enemy in battle.on_board:
        if enemy.token.at and not battle.are_allies(one, enemy) and stands_in_the_way(battle, enemy):
            for cell in cells_beside(battle.board, enemy.token.at):
                near[cell] = near.get(cell, 0) + 1
    is_once = battle.setting(house_rules.DOUBLING) == "once"
    for cell, enemies in near.items():
        by_earth = _earth_doublings(battle, one, cell) if battle.with_earth else 0
        yield cell, (min(1, enemies) if is_once else enemies) + by_earth


@identity_cache(MAPS, map_weight)
def _open_ground(terrain: tuple[Terrain, ...], board: Board) -> array[int]:
    """What entering each cell costs with nobody there."""
    costs = terrain_costs(terrain)
    return build_table(board, STEP, [([cell], STEP * cost) for cell, cost in costs.items()])


@identity_cache(MAPS, map_weight)
def terrain_costs(terrain: tuple[Terrain, ...]) -> dict[Cell, int]:
    """What entering a cell multiplies a step's cost by, where it is not 1; 0 is closed."""
    costs: dict[Cell, int] = {}
    for patch in terrain:
        for cell in patch.cells:
            costs[cell] = patch.cost * costs.get(cell, 1)
    return costs


def wall_table(battle: Battle) -> bytes:
    """The steps that walls and closed doors bar, as the geometry's movement takes them (CDG-045)."""
    return _wall_table(battle.scene.walls, battle.board)


@identity_cache(MAPS, map_weight)
def _wall_table(walls: tuple[Wall, ...], board: Board) -> bytes:
    return barred_steps(board, tuple(map(geometry_wall, walls)))


def geometry_wall(wall: Wall) -> GeometryWall:
    """A scene's wall as the geometry sees it."""
    return GeometryWall(
        line=wall.line,
        stops_movement=wall.move != "none",
        sight=wall.sight,
        one_way=wall.one_way,
        is_open=wall.is_open,
    )


def is_walled(battle: Battle, start: Cell, end: Cell) -> bool:
    """Whether a wall or a closed door bars the step between two neighbouring cells (CDG-045)."""
    place = grid_of(battle.board).index(start)
    return bool(wall_table(battle)[place] >> lane_to(start, end) & 1)


def is_free(battle: Battle, cell: Cell) -> bool:
    """Whether somebody could be put into a cell: it is on the board, empty, and not closed ground."""
    return (
        cell in battle.board and not battle.at(cell) and terrain_costs(battle.scene.terrain).get(cell, 1) > 0
    )


def can_step(battle: Battle, start: Cell, end: Cell) -> bool:
    """Whether somebody in a cell could be moved into the next: it is free, and no wall is between."""
    return is_free(battle, end) and not is_walled(battle, start, end)


def reach(scene: Scene, token: Token) -> Reach | None:
    """Every cell a miniature may move to now with its cost; None where it cannot walk."""
    battle = battle_of(scene)
    mover = battle.fighter(token.id)
    if mover.is_downed or mover.is_out or (token.at is None and not battle.is_in_play):
        return None
    budget = battle.points_left(mover)
    costs = _entries(battle, mover) if token.at is None else movement_field(battle, mover.id, budget).costs
    cells = [
        (*cell, cost)
        for cell, cost in sorted(costs.items())
        if cost <= budget and (cell == token.at or not battle.at(cell))
    ]
    return Reach(budget, tuple(cells))


def _entries(battle: Battle, mover: Fighter) -> dict[Cell, int]:
    """Where a miniature may come in, as if from one step outside: its entry points, else the board's edge."""
    marked = [patch for patch in battle.scene.terrain if _is_entry(battle, mover, patch)]
    costs = terrain_costs(battle.scene.terrain)
    cells = [cell for patch in marked for cell in patch.cells] if marked else _edge(battle.board)
    return {cell: STEP * costs.get(cell, 1) for cell in cells if costs.get(cell, 1) and not battle.at(cell)}


def _is_entry(battle: Battle, mover: Fighter, patch: Terrain) -> bool:
    first, _, whose = patch.name.strip().casefold().partition(" ")
    side = battle.scene.side(mover.token.side)
    return first == "entry" and whose.strip() in ("", side.name.casefold(), side.id.casefold())


def _edge(board: Board) -> list[Cell]:
    columns, rows = board.columns, board.rows
    return [
        (x, y) for y in range(rows) for x in range(columns) if x in (0, columns - 1) or y in (0, rows - 1)
    ]


def judge(scene: Scene, token: Token, at: Cell, facing: int | None) -> Ruling:
    """The ruling of a move to a cell with a facing: a free turn comes with a step (CDG-033 to CDG-045)."""
    return _judged(battle_of(scene), token.id, at, facing)


@identity_cache(FEW, boards_of)
def _judged(battle: Battle, token: str, at: Cell, facing: int | None) -> Ruling:
    mover = battle.fighter(token)
    budget = battle.points_left(mover)
    reasons = _reasons(battle, mover, at)
    if mover.token.at is None:
        return _entry_ruling(battle, mover, at, reasons)
    if at == mover.token.at:
        is_turn = facing is not None and battle.snapped(facing) != mover.facing
        cost = STEP << doublings(battle, mover, at) if is_turn else 0
        return _ruling(cost, budget, (at,), reasons)
    in_the_way = _in_the_way(battle, at)
    ways = movement_field(battle, mover.id, budget)
    if not in_the_way and ways.cost(at) is None:
        ways = movement_field(battle, mover.id, _ANY_COST)
    spent = ways.cost(at)
    if in_the_way or spent is None:
        return Ruling(False, None, budget, (*reasons, *(in_the_way or _no_way(battle, at))))
    return _ruling(spent, budget, tuple(ways.path(at)), reasons)


def _entry_ruling(battle: Battle, mover: Fighter, at: Cell, reasons: list[str]) -> Ruling:
    """Coming onto the board: set up freely before the first round, by an entry point after (ruling 19)."""
    budget, in_the_way = battle.points_left(mover), _in_the_way(battle, at)
    if in_the_way or not battle.is_in_play:
        reasons = [*reasons, *in_the_way]
        return Ruling(not reasons, 0, budget, tuple(reasons), (at,))
    cost = _entries(battle, mover).get(at)
    if cost is None:
        entry = f"{mover.name} comes in by an entry point, or by the edge where none is marked."
        return Ruling(False, None, budget, (*reasons, entry))
    return _ruling(cost, budget, (at,), reasons)


def _ruling(cost: int, budget: int, path: tuple[Cell, ...], reasons: list[str]) -> Ruling:
    if cost > budget:
        reasons = [*reasons, f"It costs {cost} movement points, and {budget} are left (CDG-033)."]
    return Ruling(not reasons, cost, budget, tuple(reasons), path)


def _reasons(battle: Battle, mover: Fighter, at: Cell) -> list[str]:
    reasons = []
    if mover.is_out:
        reasons.append(f"{mover.name} is out of action (CDG-068).")
    elif mover.is_downed:
        reasons.append(f"{mover.name} is downed and can only crawl (CDG-070).")
    elif battle.is_in_play and mover.token.has("acted"):
        reasons.append(f"{mover.name} was downed and has used its one act (CDG-071).")
    if not battle.is_active(mover):
        reasons.append(f"It is not the activation of {mover.name} (CDG-027).")
    if at not in battle.board:
        reasons.append("That is off the board.")
    return reasons


def _in_the_way(battle: Battle, at: Cell) -> list[str]:
    return [f"{other.name} stands there (CDG-044)." for other in battle.at(at)[:1]]


def _no_way(battle: Battle, at: Cell) -> list[str]:
    if at not in battle.board:
        return []
    return ["Walls or other miniatures leave no way there (CDG-044, CDG-045)."]
