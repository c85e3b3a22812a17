"""Movement costs: the graph of a map and of a creature on it, for reach and threat (KOV-033 to KOV-044).

A graph tells what a creature pays to each square, at the speed of the geometry. `paths.Search` finds the same
costs together with the sub-actions of each path, which only moves and rulings need.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from enfilade.geometry.board.base import LANES, Cell, lane_to
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import MAX_ENTRY, build_table, grid_of, mask_in_range
from enfilade.geometry.board.square import SquareBoard
from enfilade.geometry.movement.costs import CellJump, Mover, TerrainCost
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.threat import reached_by_any
from enfilade.rules.battle.memo import large
from enfilade.rules.house_rules import is_on
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import FEET, Landscape, battlefield, landscape_of
from enfilade.rulesets.knights_of_valour.legs import LegFinder
from enfilade.rulesets.knights_of_valour.paths import Mover as Walker
from enfilade.rulesets.knights_of_valour.paths import Search, move_rules, straight
from enfilade.rulesets.knights_of_valour.profiles import Creature
from enfilade.rulesets.knights_of_valour.sub_actions import DIFFICULT, MoveRules, climb_cost, descent_cost
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Terrain

FARTHEST = MAX_ENTRY
"""The feet within which a graph tells whether a path leads to a square."""
MOST_SPECIAL = 10_000
"""The squares with a height, a gap or an obstacle up to which a graph lists their steps one by one."""


def reach_costs(scene: Scene, creature: Creature, feet: int) -> dict[Cell, int]:
    """Return the cost in feet of each square where a creature can end a move within some feet."""
    field = _field(scene, creature, feet)
    if field is None:
        return _search_costs(scene, creature, feet)
    costs = field.costs
    return {cell: costs[cell] for cell in _ends(scene, creature, field)}


def leads_to(scene: Scene, creature: Creature, at: Cell) -> bool | None:
    """Return whether a path of any length leads a creature to a square; None if only a search tells."""
    field = _field(scene, creature, FARTHEST)
    return None if field is None else at in field.reach


def squares_to(scene: Scene, creature: Creature, at: Cell) -> list[Cell]:
    """Return the squares of a cheapest path to a square that a path leads to, without the first.

    Those that a leap or a vault crosses are among them. Empty if only a search tells.
    """
    field = None if battlefield(scene).board.diagonals.alternate else _field(scene, creature, FARTHEST)
    if field is None or at not in field.reach:
        return []
    ends = field.path(at)
    return [cell for start, end in pairwise(ends) for cell in straight(start, end)]


def ends_of_any(scene: Scene, moves: Iterable[tuple[Creature, int]]) -> Mask:
    """Return the free squares where any of some creatures can end a move, each within its own feet.

    Its own square may be among them or not.
    """
    battle, found = battlefield(scene), Mask((0,) * scene.grid.rows)
    at_once: dict[MovementGraph, list[tuple[Cell, int]]] = {}
    for creature, feet in moves:
        checkpoint()
        at, graph = creature.token.at, _graph(scene, creature)
        assert at is not None
        if graph is None:
            found |= Mask.of(_search_costs(scene, creature, feet), scene.grid.rows)
            continue
        at_once.setdefault(graph, []).append((at, feet))
    for graph, movers in at_once.items():
        found |= (reached_by_any(graph, movers) - battle.occupied_cells) & _standable(
            scene.terrain, battle.board
        )
    return found


def _search_costs(scene: Scene, creature: Creature, feet: int) -> dict[Cell, int]:
    assert creature.token.at is not None
    return Search(Walker(scene, creature), creature.token.at, feet).costs()


def _ends(scene: Scene, creature: Creature, field: Field) -> Mask:
    ground = _standable(scene.terrain, battlefield(scene).board)
    return (field.reach & ground) - battlefield(scene).occupied_by_others(creature)


def _field(scene: Scene, creature: Creature, feet: int) -> Field | None:
    """Return the costs of all squares within some feet; None if only a search of paths tells them."""
    graph, at = _graph(scene, creature), creature.token.at
    return None if graph is None or at is None else Field(graph, at, feet, may_start_closed=True)


def _graph(scene: Scene, creature: Creature) -> MovementGraph | None:
    """Return the graph that a creature moves on; None if only a search of paths tells its costs."""
    at, battle = creature.token.at, battlefield(scene)
    assert at is not None
    starts_in_gap = at in battle.landscape.gaps or at in battle.landscape.obstacles
    # The kernel doubles the cost of every step onto difficult terrain.
    if starts_in_gap or move_rules(scene, creature).difficult_diagonal:
        return None
    passes_allies = is_on(scene, house_rules.PASS_ALLIES)
    blocked_by = (creature.token.side, "") if passes_allies else ("", creature.id)
    return _movement_graph(scene, _rules_on(battle.landscape, scene, creature), *blocked_by)


def _rules_on(landscape: Landscape, scene: Scene, creature: Creature) -> MoveRules:
    """Return the numbers that decide a creature's legs; on level ground those of all creatures are equal."""
    rules = move_rules(scene, creature)
    is_level = not (landscape.heights or landscape.gaps or landscape.obstacles)
    return rules._replace(height=0, counts_excess=False) if is_level else rules


@large
def _movement_graph(scene: Scene, rules: MoveRules, side: str, token_id: str) -> MovementGraph | None:
    """Return the board as the creatures of a side walk over it, or as one creature that passes no other."""
    battle = battlefield(scene)
    graph = _map_graph(scene.terrain, battle.barred, battle.board, rules)
    if graph is None:
        return None
    others = [one for one in battle.units if one.token.at is not None and one.token.at in battle.board]
    if side:
        friends = [one for one in battle.units if one.token.side == side][:1]
        blocking = [one for one in others if not any(battle.are_allies(one, friend) for friend in friends)]
    else:
        blocking = [one for one in others if one.id != token_id]
    blocked = [one.token.at for one in blocking if one.token.at is not None]
    enter = graph.terrain.enter[:]
    for cell in blocked:
        enter[graph.grid.index(cell)] = 0
    return graph.with_changes(replace(graph.terrain, enter=enter), blocked)


@large
def _map_graph(
    terrain: tuple[Terrain, ...], barred: bytes, board: SquareBoard, rules: MoveRules
) -> MovementGraph | None:
    """Return a map without creatures as a movement graph; None if it has too many special squares."""
    ground = landscape_of(terrain)
    if sum(map(len, (ground.heights, ground.gaps, ground.obstacles))) > MOST_SPECIAL:
        return None
    costs = TerrainCost(
        _entry_table(ground, board),
        build_table(board, 1),
        _without_cliffs(ground, barred, board),
        heights=ground.heights,
        jumps=tuple(_jumps(LegFinder(terrain, barred, board, rules))),
    )

    def climb(rise: int) -> int:
        # One of the two costs nothing, or less.
        return max(climb_cost(rise), descent_cost(rules.height, -rise, rules.counts_excess))

    return MovementGraph(board, costs, Mover(climb=climb if ground.heights else None))


def _entry_table(ground: Landscape, board: SquareBoard) -> array[int]:
    """Return the feet of a straight step onto each square; 0 if no creature stands there."""
    return build_table(
        board,
        FEET,
        [
            (ground.difficult, DIFFICULT * FEET),
            (ground.closed, 0),
            (ground.gaps, 0),
            (ground.obstacles, 0),
        ],
    )


def _without_cliffs(ground: Landscape, barred: bytes, board: SquareBoard) -> bytes:
    """Return the barred steps with those up a cliff: it is too smooth to climb."""
    if not ground.cliffs:
        return barred
    table, grid = bytearray(barred), grid_of(board)
    for cell in ground.cliffs:
        checkpoint()
        for step in LANES:
            below = board.shift(cell, step)
            if below in board and cell in board and ground.height(below) < ground.height(cell):
                table[grid.index(below)] |= 1 << lane_to(below, cell)
    return bytes(table)


def _jumps(finder: LegFinder) -> Iterator[CellJump]:
    """Yield the legs over a gap or an obstacle, from each square beside one."""
    ground, board = finder.ground, finder.board
    crossed = ground.gaps | ground.obstacles.keys()
    beside = {board.shift(cell, step) for cell in crossed for step in LANES}
    states = 2 if board.diagonals.alternate else 1
    for start in beside - crossed:
        if start in board:
            checkpoint()
            for state in range(states):
                for leg, diagonals in finder.crossings(start, state):
                    yield CellJump(start, state, leg.end, diagonals % states, leg.cost)


@large
def _standable(terrain: tuple[Terrain, ...], board: SquareBoard) -> Mask:
    """Return the squares where a creature can stand."""
    return mask_in_range(grid_of(board), _entry_table(landscape_of(terrain), board), FEET, MAX_ENTRY)
