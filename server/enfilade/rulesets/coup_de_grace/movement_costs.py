"""Movement points: costs of steps and turns, the movement graph, and forced moves (CDG-033 to CDG-046)."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from enfilade.geometry.board.arcs import full_mask
from enfilade.geometry.board.base import lane_to
from enfilade.geometry.board.padded_grid import build_table, grid_of
from enfilade.geometry.board.units import Cell
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.terrain_cost import TerrainCost
from enfilade.rules.battle.causes import bar, occupied
from enfilade.rules.battle.displace import KEEP, Cause, displace
from enfilade.rules.battle.memo import large, per_map, recent_by_size
from enfilade.rules.kit.board import Board, costly, terrain_costs
from enfilade.rules.procedures import Change, Steps
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.battlefield import (
    Battlefield,
    battlefield,
    cells_beside,
)
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Terrain

STEP = 1
"""The movement points of a step, or of a turn in place, without an adjacent enemy (CDG-035, CDG-036)."""

EARTH_REACH = 3
"""The range in cells in which an enemy's Staff of Earth slows."""


def doublings(battle: Battlefield, one: Fighter, at: Cell) -> int:
    """Return how often all movement costs of a miniature at a cell are doubled (CDG-040 to CDG-042)."""
    beside = battle.beside(at)
    if beside:
        enemies = [other for other in beside if not battle.are_allies(one, other)]
        times = _capped(battle, sum([doubles_costs(battle, enemy) for enemy in enemies]))
    else:
        times = 0
    return times + _earth_doublings(battle, one, at) if battle.with_earth else times


def doubles_costs(battle: Battlefield, enemy: Fighter) -> bool:
    """Return whether an enemy doubles the costs of adjacent miniatures (CDG-041).

    A house rule decides about downed enemies. A hidden one doubles nothing: the points that are left would
    tell where it is.
    """
    return not enemy.token.hidden and (not enemy.is_downed or battle.is_on(house_rules.DOWNED_DOUBLE))


def _capped(battle: Battlefield, enemies: int) -> int:
    return min(1, enemies) if _is_once(battle) else enemies


def _is_once(battle: Battlefield) -> bool:
    return battle.setting(house_rules.DOUBLING) == "once"


def _earth_doublings(battle: Battlefield, one: Fighter, at: Cell) -> int:
    """Return the number of near enemies with a Staff of Earth. Each doubles like an adjacent enemy."""
    return _within_earth(battle.board, _hostile_earths(battle, one), at)


def _hostile_earths(battle: Battlefield, one: Fighter) -> list[Cell]:
    seen = [other for other in battle.with_earth if not other.token.hidden]
    near = [other.token.at for other in seen if not battle.are_allies(one, other)]
    return [there for there in near if there is not None]


def _within_earth(board: Board, earths: Sequence[Cell], at: Cell) -> int:
    return sum(board.distance(at, there) <= EARTH_REACH for there in earths)


def movement_field(battle: Battlefield, token_id: str, budget: int) -> Field:
    """Return the cost of each cell in a miniature's reach within a budget (CDG-035, CDG-044, CDG-045)."""
    one = battle.fighter(token_id)
    assert one.token.at is not None
    is_alone = one.is_out or one.can_pass_miniatures
    graph = movement_graph(battle, token_id) if is_alone else shared_movement_graph(battle, one.token.side)
    return _field(graph, one.token.at, budget, not is_alone)


@recent_by_size
def _field(graph: MovementGraph, start: Cell, budget: int, may_start_closed: bool) -> Field:
    """Return the field of a mover on a graph, for all scenes in which no miniature has moved."""
    return Field(graph, start, budget, may_start_closed=may_start_closed)


@large
def movement_graph(battle: Battlefield, token_id: str) -> MovementGraph:
    """Return the board as a miniature walks over it.

    The cost of a step depends on the terrain that it enters and on the enemies beside the cell that it
    leaves. A miniature that passes others must still end in an empty cell.
    """
    one = battle.fighter(token_id)
    return _graph(battle, one, [other for other in battle.on_board if other.id != one.id])


@large
def shared_movement_graph(battle: Battlefield, side: str) -> MovementGraph:
    """Return the board as all miniatures of a side walk over it, except those that pass others.

    All occupied cells are closed, because a walker need not enter its own start. Raises StopIteration if the
    side has no such miniature.
    """
    walker = next(one for one in battle.on_board if one.token.side == side and not one.can_pass_miniatures)
    return _graph(battle, walker, battle.on_board)


def _graph(battle: Battlefield, one: Fighter, around: Sequence[Fighter]) -> MovementGraph:
    """Return the graph of a miniature among others; cached by what it depends on, not by the scene."""
    own = None if one in around else one.token.at
    others = tuple([other.token.at for other in around if other.token.at])
    enemies = [other for other in battle.on_board if not battle.are_allies(one, other)]
    doubling = tuple([other.token.at for other in enemies if other.token.at and doubles_costs(battle, other)])
    earths = tuple(_hostile_earths(battle, one))
    taken = Occupancy(others, own, one.can_pass_miniatures, doubling, earths, _is_once(battle))
    return _build_graph(costly(battle.scene.terrain), battle.board, battle.barred_steps, taken)


class Occupancy(NamedTuple):
    """The miniatures on a board as a mover finds them: whose cells are closed, and which double its costs.

    Attributes:
        others: the cells of all others.
        own: the mover's cell; None on a graph that all movers of a side share.
        can_pass: whether the mover passes others.
        doubling: the cells of enemies that double the costs beside them.
        earths: the cells of enemies with a Staff of Earth.
        is_once: whether adjacent enemies double the costs once at most.
    """

    others: tuple[Cell, ...]
    own: Cell | None
    can_pass: bool
    doubling: tuple[Cell, ...]
    earths: tuple[Cell, ...]
    is_once: bool


@recent_by_size
def _build_graph(
    terrain: tuple[Terrain, ...], board: Board, barred: bytes, taken: Occupancy
) -> MovementGraph:
    enter, leave = _entry_table(terrain, board)[:], _leave_table(board)[:]
    checkpoint()
    places = grid_of(board)
    for cell, times in _all_doublings(board, taken):
        leave[places.index(cell)] = 1 << times
    checkpoint()
    if not taken.can_pass:
        for cell in taken.others:
            enter[places.index(cell)] = 0
    if taken.own is not None and taken.own in board:  # a miniature may leave closed terrain
        enter[places.index(taken.own)] |= 1
    return MovementGraph(board, TerrainCost(enter, leave, barred, no_end=taken.others))


def _all_doublings(board: Board, taken: Occupancy) -> Iterator[tuple[Cell, int]]:
    """Yield each cell where costs are doubled, and how often."""
    near: dict[Cell, int] = dict.fromkeys(full_mask(board), 0) if taken.earths else {}
    for place in taken.doubling:
        for cell in cells_beside(board, place):
            near[cell] = near.get(cell, 0) + 1
    for cell, enemies in near.items():
        by_earth = _within_earth(board, taken.earths, cell) if taken.earths else 0
        yield cell, (min(1, enemies) if taken.is_once else enemies) + by_earth


@per_map
def _entry_table(terrain: tuple[Terrain, ...], board: Board) -> array[int]:
    """Return the cost of entering each cell of an empty board."""
    costs = terrain_costs(terrain)
    return build_table(board, STEP, [([cell], STEP * cost) for cell, cost in costs.items()])


@per_map
def _leave_table(board: Board) -> array[int]:
    """Return the factor on the steps that leave each cell, without enemies."""
    return build_table(board, 1)


def is_walled(battle: Battlefield, start: Cell, end: Cell) -> bool:
    """Return whether a wall or closed door blocks the step between two neighboring cells (CDG-045)."""
    return bool(battle.barred_steps[grid_of(battle.board).index(start)] >> lane_to(start, end) & 1)


def is_free(battle: Battlefield, cell: Cell) -> bool:
    """Return whether a miniature could be put into a cell: it is on the board, empty and not closed."""
    return cell in battle.board and not battle.at(cell) and terrain_costs(battle.scene.terrain).get(cell) != 0


def can_step(battle: Battlefield, start: Cell, end: Cell) -> bool:
    """Return whether a miniature could be moved into the next cell: it is free, and no wall is between."""
    return is_free(battle, end) and not is_walled(battle, start, end)


def require_step(battle: Battlefield, one: Fighter, start: Cell, end: Cell, rule: str) -> None:
    """Raise IllegalAct if a miniature has no way into a neighboring cell, by what bars it."""
    others = battle.at(end)
    if others:
        raise occupied(others[0].name, rule)
    if not is_free(battle, end):
        raise bar("closed", one.name, rule)
    if is_walled(battle, start, end):
        raise bar("wall", one.name, rule)


def push_destination(battle: Battlefield, pusher: Cell, pushed: Cell) -> Cell | None:
    """Return the cell directly away from the pusher; None if the victim cannot be moved there.

    Directly away is the cell with the largest distance; of two such cells the first clockwise from north.
    """
    there = max(_around(battle, pushed), key=lambda cell: battle.square_distance(pusher, cell))
    return there if can_step(battle, pushed, there) else None


def pull_destination(battle: Battlefield, puller: Cell, pulled: Cell) -> Cell | None:
    """Return the cell directly toward the puller; None if the victim cannot be moved there."""
    there = min(_around(battle, pulled), key=lambda cell: battle.square_distance(puller, cell))
    return there if can_step(battle, pulled, there) else None


def _around(battle: Battlefield, cell: Cell) -> list[Cell]:
    # A push is never diagonal, even if corners count as adjacent.
    return [battle.cell_toward(cell, facing) for facing in battle.facings]


def force_move(scene: Scene, token_id: str, there: Cell, cause: Cause, facing: int | None = KEEP) -> Steps:
    """Move a miniature without movement points, and log it by its cause if it moved; return the scene.

    A forced move costs nothing and takes no turn; walls, closed terrain and others stop it (CDG-046).
    """
    was = scene.token(token_id).at
    scene, _ = yield from displace(scene, token_id, there, cause, battlefield, facing=facing)
    if scene.token(token_id).at == was:
        return scene
    return (yield Change(Explained(kind=cause, facts={"target": token_id})))
