"""Movement fields: what every cell in reach costs, and the way there.

Dijkstra's search over cells. The cost of a step may depend on the cell it leaves (enemies beside it) and
on the cell it enters (terrain), and a step between two cells is barred where the line between their
centres touches a wall: walls are closed, as they are for sight.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from enfilade.geometry.lines import touches
from enfilade.geometry.square import SquareBoard, centre
from enfilade.geometry.units import CELL, Cell, Segment


@dataclass(frozen=True, slots=True)
class Field:
    """What each cell in reach costs from the start, and the cell before it on the cheapest way."""

    start: Cell
    costs: dict[Cell, int]
    came_from: dict[Cell, Cell]

    def path(self, cell: Cell) -> list[Cell]:
        """The cells of the cheapest way, the start first; raises KeyError out of reach."""
        if cell == self.start:
            return [cell]
        return [*self.path(self.came_from[cell]), cell]


Steps = frozenset[tuple[Cell, Cell]]


def walled_steps(board: SquareBoard, walls: Iterable[Segment]) -> Steps:
    """The steps between neighbouring cells that a wall bars, each in both directions."""
    barred = set()
    for wall in walls:
        for cell in _cells_beside(board, wall):
            for other in board.neighbours(cell):
                if touches(centre(cell), centre(other), wall[:2], wall[2:]):
                    barred |= {(cell, other), (other, cell)}
    return frozenset(barred)


def _cells_beside(board: SquareBoard, wall: Segment) -> Iterable[Cell]:
    (left, right), (top, bottom) = sorted(wall[0::2]), sorted(wall[1::2])
    columns = range(max(0, left // CELL - 1), min(board.columns, right // CELL + 2))
    rows = range(max(0, top // CELL - 1), min(board.rows, bottom // CELL + 2))
    return ((x, y) for y in rows for x in columns)


def field(
    board: SquareBoard,
    start: Cell,
    budget: int,
    step_cost: Callable[[Cell, Cell], int | None],
    barred: Steps = frozenset(),
) -> Field:
    """The movement field from a cell within a budget.

    Args:
        board: where.
        start: the cell moved from; it costs 0.
        budget: the most that may be spent, in the same points as the steps.
        step_cost: what a step from one cell to a neighbour costs, or None where it may not be taken.
        barred: steps that walls forbid (`walled_steps`).
    """
    costs, came_from = {start: 0}, {}
    queue = [(0, start)]
    while queue:
        spent, cell = heapq.heappop(queue)
        if spent > costs[cell]:
            continue
        for other, cost in _steps_from(board, cell, step_cost, barred):
            total = spent + cost
            if total <= budget and total < costs.get(other, total + 1):
                costs[other], came_from[other] = total, cell
                heapq.heappush(queue, (total, other))
    return Field(start, costs, came_from)


def _steps_from(
    board: SquareBoard,
    cell: Cell,
    step_cost: Callable[[Cell, Cell], int | None],
    barred: Steps,
) -> Sequence[tuple[Cell, int]]:
    steps = []
    for other in board.neighbours(cell):
        cost = step_cost(cell, other)
        if cost is not None and (cell, other) not in barred:
            steps.append((other, cost))
    return steps
