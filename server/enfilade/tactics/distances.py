"""Distances to the nearest enemy, around walls and closed terrain, for a policy that goes there.

A way is counted as on an empty board, so that it is the same for all tokens and stays cached: what a move
really costs, its ruleset says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from heapq import nsmallest

from enfilade.geometry.board.base import Cell, Point
from enfilade.geometry.board.hex import HexBoard, Layout
from enfilade.geometry.board.padded_grid import build_table
from enfilade.geometry.board.square import SquareBoard
from enfilade.geometry.movement.costs import TerrainCost
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph
from enfilade.rules.battle.memo import MANY, MAPS, identity_cache
from enfilade.rules.kit.board import barred_table
from enfilade.scene.model import Grid, Scene, Terrain, Token

NO_WAY = 10_000.0
"""What a place without a way to an enemy is behind all others."""

_LAYOUTS: dict[str, Layout] = {
    "hex_odd_r": "odd_r",
    "hex_even_r": "even_r",
    "hex_odd_q": "odd_q",
    "hex_even_q": "even_q",
}

_Costs = dict[Cell, int]


def enemies(scene: Scene, token: Token) -> Sequence[Token]:
    """Return the enemies of a token on the board; cached."""
    found = _enemies(scene)
    if token.side not in found:
        there = scene.on_board()
        sides = {one.side: one for one in there}
        allied = {side for side, one in sides.items() if scene.are_allies(one, token)}
        found[token.side] = [one for one in there if one.side not in allied]
    return found[token.side]


@identity_cache(MANY)
def _enemies(scene: Scene) -> dict[str, Sequence[Token]]:
    """Return the enemies of each side that was asked for."""
    del scene
    return {}


def nearest(scene: Scene, token: Token, cells: Iterable[Cell], count: int) -> list[Cell]:
    """Return so many of the cells that are nearest to an enemy of a token, the nearest first."""
    by_enemy = _enemy_costs(scene, token)
    return nsmallest(count, dict.fromkeys(cells), key=lambda cell: (_least(scene, by_enemy, cell), cell))


def gap(scene: Scene, token: Token, at: Cell) -> float:
    """Return the way from a cell to the nearest enemy of a token, in steps; infinite without enemies."""
    return _least(scene, _enemy_costs(scene, token), at)


def _enemy_costs(scene: Scene, token: Token) -> Sequence[tuple[Cell, _Costs]]:
    places = [one.at for one in enemies(scene, token) if one.at]
    if scene.grid.kind == "gridless":
        return [(at, {}) for at in places]
    board = _board(scene.grid)
    graph = _graph(scene.terrain, board, barred_table(scene.walls, board))
    return [(at, _costs(graph, at)) for at in places if at in board]


def _least(scene: Scene, by_enemy: Sequence[tuple[Cell, _Costs]], at: Cell) -> float:
    if scene.grid.kind == "gridless":
        return min([math.dist(at, enemy) for enemy, _ in by_enemy], default=math.inf)
    found = [costs[at] for _, costs in by_enemy if at in costs]
    if found:
        return float(min(found))
    return NO_WAY + min((math.dist(at, enemy) for enemy, _ in by_enemy), default=math.inf)


def _board(grid: Grid) -> SquareBoard | HexBoard:
    layout = _LAYOUTS.get(grid.kind)
    return HexBoard(grid.columns, grid.rows, layout) if layout else SquareBoard(grid.columns, grid.rows)


@identity_cache(MAPS)
def _graph(terrain: tuple[Terrain, ...], board: SquareBoard | HexBoard, barred: bytes) -> MovementGraph:
    """Return the board with its walls and terrain, without tokens."""
    costs = [([cell], area.cost) for area in terrain for cell in area.cells if cell in board]
    return MovementGraph(board, TerrainCost(build_table(board, 1, costs), build_table(board, 1), barred))


@identity_cache(MANY)
def _costs(graph: MovementGraph, at: Cell) -> _Costs:
    """Return the cost of the way between an enemy's cell and each other."""
    return Field(graph, at, may_start_closed=True).costs


def direction(scene: Scene, start: Cell, end: Cell) -> int:
    """Return the compass degrees from one cell to another: 0 is up the board, clockwise."""
    (x, y), (to_x, to_y) = _center(scene.grid, start), _center(scene.grid, end)
    return round(math.degrees(math.atan2(to_x - x, y - to_y))) % 360


def _center(grid: Grid, at: Cell) -> Point:
    return at if grid.kind == "gridless" else _board(grid).center(at)
