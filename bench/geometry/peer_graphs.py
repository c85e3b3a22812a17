"""The movement peers: the same steps at the same cost, as a tcod graph and as a scipy matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph
import tcod.path

from bench.geometry.scenes import BenchScene
from enfilade.geometry.board.base import LANES, Cell
from enfilade.geometry.kernel.python_fields import NO_STEP
from enfilade.geometry.movement.graph import MovementGraph

Job = Callable[[], object]
UNREACHED = 1 << 30


def steps_of(scene: BenchScene) -> np.ndarray[Any, Any]:
    """Return the cost of each step as [row, column, lane]; 0 if it is not allowed."""
    graph = MovementGraph(scene.board, scene.terrain)
    shape = (scene.size.side + 2, scene.size.side + 2, 8)
    costs = np.frombuffer(graph.costs, np.uint16)[: np.prod(shape)].reshape(shape)
    inside = costs[1:-1, 1:-1].astype(np.int32)
    inside[inside == NO_STEP] = 0
    return inside


def tcod_solver(scene: BenchScene) -> Callable[[Cell], np.ndarray[Any, Any]]:
    """Return a solver by tcod with a prepared graph."""
    side, steps = scene.size.side, steps_of(scene)
    graph = tcod.path.CustomGraph((side, side))
    for lane, (dx, dy) in enumerate(LANES):
        costs = np.zeros((side, side), np.int32)  # by the entered cell
        to_y, to_x = slice(max(0, dy), side + min(0, dy)), slice(max(0, dx), side + min(0, dx))
        by_y, by_x = slice(max(0, -dy), side + min(0, -dy)), slice(max(0, -dx), side + min(0, -dx))
        costs[to_y, to_x] = steps[by_y, by_x, lane]
        graph.add_edge((dy, dx), 1, cost=costs)

    def solve(start: Cell) -> np.ndarray[Any, Any]:
        finder = tcod.path.Pathfinder(graph)
        finder.add_root((start[1], start[0]))
        finder.resolve()
        return finder.distance

    return solve


def scipy_solver(scene: BenchScene) -> Callable[[Cell], np.ndarray[Any, Any]]:
    """Return a solver by scipy with a prepared sparse matrix."""
    side, steps = scene.size.side, steps_of(scene)
    rows, columns, lanes = np.nonzero(steps)
    dx, dy = np.array(LANES).T
    there = (rows + dy[lanes]) * side + columns + dx[lanes]
    costs = steps[rows, columns, lanes].astype(float)
    matrix = scipy.sparse.csr_matrix((costs, (rows * side + columns, there)), shape=(side**2, side**2))
    return lambda start: scipy.sparse.csgraph.dijkstra(matrix, indices=start[1] * side + start[0])
