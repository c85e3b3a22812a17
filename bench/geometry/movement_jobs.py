"""Our movement fields and threat maps, prepared for timing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import count

from bench.geometry.scenes import BenchScene, scene
from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.padded_grid import build_table
from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.board.square import FACINGS, Diagonals, SquareBoard, center
from enfilade.geometry.movement.barriers import attack_lanes
from enfilade.geometry.movement.costs import Mover, TerrainCost, facing_step_costs, open_terrain
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.geometry.movement.gridless import GridlessField, outline
from enfilade.geometry.movement.round_bases import GridlessBoard, RoundBase
from enfilade.geometry.movement.threat import Attacker, threat

Job = Callable[[], object]


def movement_field(scale: str) -> Job:
    """Prepare the field of one token over the whole board, with a prepared graph as the peers have."""
    return field_of(scene(scale))


def field_of(scene_: BenchScene) -> Job:
    """Prepare the same job on any scene."""
    graph, sources = MovementGraph(scene_.board, scene_.terrain), scene_.rounds()
    _ = graph.prepared
    return lambda: Field(graph, next(sources))


def movement_field_and_graph(scale: str) -> Job:
    """Prepare the same with a new graph for each field, as after an enemy has moved."""
    scene_ = scene(scale)
    sources = scene_.rounds()
    return lambda: Field(MovementGraph(scene_.board, scene_.terrain), next(sources))


def hex_field(scale: str) -> Job:
    """Prepare a field on the same number of hexes, closed cells and walls."""
    scene_ = scene(scale)
    board = HexBoard(scene_.size.side, scene_.size.side, "odd_r")
    graph, sources = MovementGraph(board, _going_on(board, scale)), scene_.rounds()
    _ = graph.prepared
    return lambda: Field(graph, next(sources))


def facing_field(scale: str) -> Job:
    """Prepare a field with four neighbors and facing: a turn by 90 degrees costs a point."""
    scene_ = scene(scale)
    board = SquareBoard(scene_.size.side, scene_.size.side)
    step_costs = facing_step_costs(
        FACINGS, lambda angle: 1 if angle == 0 else None, lambda angle: angle // 90
    )
    graph, sources = MovementGraph(board, scene_.terrain, Mover(step_costs=step_costs)), scene_.rounds()
    return lambda: Field(graph, next(sources))


def alternating_field(scale: str) -> Job:
    """Prepare a field with eight neighbors and diagonals 5-10-5."""
    scene_ = scene(scale)
    board = replace(scene_.board, diagonals=Diagonals.ALTERNATING_1)
    graph, sources = MovementGraph(board, scene_.terrain), scene_.rounds()
    return lambda: Field(graph, next(sources))


def _going_on(board: HexBoard, scale: str) -> TerrainCost:
    scene_ = scene(scale)
    barred = open_terrain(board, [Wall(line) for line in scene_.walls]).barred
    return TerrainCost(
        build_table(board, 1, [(scene_.hard, 2), (scene_.closed, 0)]), build_table(board, 1), barred
    )


def threat_map(scale: str) -> Job:
    """Prepare the threat of all enemies after moves of up to 12 points."""
    scene_ = scene(scale)
    graph = MovementGraph(scene_.board, replace(scene_.terrain, leave=build_table(scene_.board, 1)))
    free = attack_lanes(scene_.board, scene_.terrain.barred)
    attackers = [Attacker(token.at, 12) for token in scene_.enemies]
    return lambda: threat(graph, attackers, free)


def gridless_field(scale: str) -> Job:
    """Prepare the tangent graph of a one-inch base with a budget of six inches, on the same walls."""
    scene_ = scene(scale)
    side = scene_.size.side * 64
    board, sources = GridlessBoard(side, side), scene_.rounds()
    walls = [Wall(line) for line in scene_.walls]
    return lambda: GridlessField(board, RoundBase(center(next(sources)), 32), 6 * 64, walls)


def group_outline(scale: str) -> Job:
    """Prepare the outline of a group of eight one-inch bases with a move of six inches, among other bases.

    The group never stands where it stood before, as in a game; the walls and the other bases are known from
    earlier outlines.
    """
    found = _group_outlines(scale)
    return lambda: next(found)


@cache
def _group_outlines(scale: str) -> Iterator[object]:
    """Return an endless iterator of outlines, each of a group at a new place, after one for each source."""
    scene_ = scene(scale)
    side = scene_.size.side * 64
    board = GridlessBoard(side, side)
    walls = [Wall(line) for line in scene_.walls]
    others = [RoundBase(center(token.at), 32) for token in scene_.tokens[:30]]

    def find(at: Cell, aside: int) -> object:
        x, y = center(at)
        places = [(x + aside + 80 * (n % 4), y + 80 * (n // 4)) for n in range(8)]
        return outline([GridlessField(board, RoundBase(at, 32), 6 * 64, walls, others) for at in places])

    for source in scene_.sources:
        find(source, 0)
    return (find(source, aside) for aside in count(1) for source in scene_.sources)


MOVEMENT_JOBS = {
    "movement_field": movement_field,
    "movement_field_and_graph": movement_field_and_graph,
    "hex_field": hex_field,
    "facing_field": facing_field,
    "alternating_field": alternating_field,
    "threat_map": threat_map,
    "gridless_field": gridless_field,
    "group_outline": group_outline,
}
