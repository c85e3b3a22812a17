"""The movement graph: a board, its terrain and a mover combined into one table of step costs.

A graph is built once. Each movement field on it is one search by Dijkstra's algorithm with Dial's buckets
(R. Dial, "Algorithm 360: shortest-path forest with topological ordering", CACM 1969).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache

from enfilade.geometry.board.base import LANES, Board, Cell
from enfilade.geometry.board.padded_grid import PaddedGrid, grid_of
from enfilade.geometry.kernel import fields
from enfilade.geometry.kernel.python_fields import MAX_COST, NO_END, NO_STEP, STOP, StepCostTables
from enfilade.geometry.movement.costs import (
    CellJump,
    Mover,
    StepCosts,
    TerrainCost,
    default_step_costs,
    direction_table,
    points_table,
    under_footprint,
)
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint

_ONES = array("H", [1] * 8)

Node = tuple[int, int]
"""An index in a table, and a state of the mover."""


def check_budget(budget: int) -> None:
    """Raise ValueError if a budget is not an integer from 0 up."""
    if not isinstance(budget, int) or budget < 0:
        raise ValueError(f"A budget is an integer number of points from 0 up, not {budget!r}.")


@lru_cache(maxsize=64)
def _of_board(board: Board) -> tuple[PaddedGrid, bytes, StepCosts, array[int]]:
    """Return the values that all graphs of a board share: grid, directions, own step costs and points."""
    step_costs = default_step_costs(board)
    return grid_of(board), direction_table(board), step_costs, points_table(step_costs.points)


class MovementGraph:
    """The cost of every step of one mover on one board.

    Raises ValueError if the terrain was built for another board, if a toll or a climb is not an integer from
    0 up, or if a jump is not one from 1 up between states of the mover on the board.
    """

    def __init__(self, board: Board, terrain: TerrainCost, mover: Mover = Mover()) -> None:  # noqa: B008 - a frozen value
        self.board, self.mover = board, mover
        self.grid, self.directions, self.step_costs, self.points = _of_board(board)
        if mover.step_costs:
            self.step_costs, self.points = mover.step_costs, points_table(mover.step_costs.points)
        self.states = self.step_costs.states
        self._check(terrain)
        self._set_terrain(under_footprint(board, terrain, mover.footprint))
        checkpoint()  # on the largest board each of these steps takes milliseconds
        self.costs = self._weigh()
        self.extras: array[int] | None = None
        self._add_extras(None)

    def with_changes(self, terrain: TerrainCost, cells: Iterable[Cell]) -> MovementGraph:
        """Return the graph after its terrain has changed in a few cells: faster than a new graph.

        Walls must be the same. A big body needs a new graph all the same, and so do the first jumps.
        """
        if len(self.mover.footprint.offsets) > 1 or bool(terrain.jumps) != bool(self.terrain.jumps):
            return MovementGraph(self.board, terrain, self.mover)
        near = {(x + dx, y + dy) for x, y in cells for dx, dy in (*LANES, (0, 0))}
        near = {cell for cell in near if cell in self.board}
        checkpoint()
        indexes = sorted(self.grid.index(cell) for cell in near)
        checkpoint()
        self._check(terrain)
        other = copy(self)
        other._set_terrain(terrain)
        other.costs = other._weigh(self.costs, indexes)
        other.extras = self.extras[:] if self.extras else None
        has_tolls = any(each.enter_toll or each.leave_toll for each in (terrain, self.terrain))
        other._add_extras(near, has_tolls or terrain.heights is not self.terrain.heights)
        other.__dict__.pop("prepared", None)
        if "prepared" in self.__dict__ and self.is_plain:
            other.prepared = fields.prepare(other.costs, self.grid.stride, self.prepared, indexes)
        return other

    @property
    def is_plain(self) -> bool:
        """True if the cost of a step is one number: the mover has one state, and no jump starts anywhere."""
        return self.states == 1 and not self.terrain.jumps

    def is_open(self, cell: Cell) -> bool:
        """Return whether the mover can stand at a cell: it is open, and a big body fits."""
        return cell in self.board and self.terrain.enter[self.grid.index(cell)] > 0

    def _check(self, terrain: TerrainCost) -> None:
        if any(len(table) != self.grid.size for table in (terrain.enter, terrain.leave, terrain.barred)):
            raise ValueError("The terrain was built for another board.")
        known = self.terrain.jumps if "terrain" in self.__dict__ else ()
        for jump in () if terrain.jumps is known else terrain.jumps:
            self._check_jump(jump)
        for tolls in (terrain.enter_toll, terrain.leave_toll):
            if tolls and not all(isinstance(toll, int) and 0 <= toll <= MAX_COST for toll in tolls.values()):
                raise ValueError(f"A toll is an integer number of points from 0 to {MAX_COST:,}.")

    def _check_jump(self, jump: CellJump) -> None:
        states = range(self.states)
        if jump.start not in self.board or jump.end not in self.board:
            raise ValueError("A jump starts and ends on the board.")
        if jump.state not in states or jump.next_state not in states:
            raise ValueError("A jump leads from one state of the mover to another.")
        if not isinstance(jump.points, int) or jump.points < 1:
            raise ValueError(f"A jump costs an integer number of points from 1 up, not {jump.points!r}.")

    def _set_terrain(self, terrain: TerrainCost) -> None:
        self.terrain = terrain
        flags = bytearray(self.grid.size)
        for cells, flag in ((terrain.stops, STOP), (terrain.no_end, NO_END)):
            for cell in cells:
                if cell in self.board:
                    flags[self.grid.index(cell)] |= flag
        self.flags = bytes(flags)

    def _weigh(self, known: array[int] | None = None, changed: Sequence[int] = ()) -> array[int]:
        """Return the cost of each step, or with several states the weight that multiplies its points."""
        weights = fields.weights(
            self.board.columns,
            self.board.rows,
            self.directions,
            self.points if self.is_plain else _ONES,
            self.terrain.enter,
            self.terrain.leave,
            self.terrain.barred,
            self.mover.open_corners,
            known,
            changed,
        )
        for ((x, y), lane), factor in self.terrain.steps.items():
            entry = 8 * self.grid.index((x, y)) + lane
            if weights[entry] != NO_STEP:
                there = self.grid.index((x + LANES[lane][0], y + LANES[lane][1]))
                weights[entry] = weights[entry] // self.terrain.enter[there] * factor
        return weights

    def _add_extras(self, cells: Iterable[Cell] | None, with_none: bool = False) -> None:
        """Add tolls and climbs to the steps from some cells, or from all cells that have any.

        `with_none` tells that steps without either may have had one before.
        """
        has_one_state, terrain = self.is_plain, self.terrain
        has_none = not (terrain.enter_toll or terrain.leave_toll or self.mover.climb)
        if cells is None and has_one_state and has_none:
            self.extras = None
            return
        extras = self.extras or array("H", bytes(0 if has_one_state else 2 * len(self.costs)))
        for entry, extra in self._extras(cells, with_none):
            if extra is None or extra > MAX_COST or (has_one_state and self.costs[entry] + extra > MAX_COST):
                self.costs[entry] = NO_STEP
            elif has_one_state and self.costs[entry] != NO_STEP:
                self.costs[entry] += extra
            elif not has_one_state:
                extras[entry] = extra
        self.extras = extras if any(extras) else None

    def _extras(self, cells: Iterable[Cell] | None, with_none: bool) -> Iterator[tuple[int, int | None]]:
        """Yield the entries of steps with a toll or a climb and its points, None if the step is too high.

        Steps without either are among them only `with_none`.
        """
        terrain, climb = self.terrain, self.mover.climb
        if cells is None:
            special = {*terrain.enter_toll, *terrain.leave_toll, *(terrain.heights if climb else ())}
            cells = {(x + dx, y + dy) for x, y in special for dx, dy in (*LANES, (0, 0))}
        elif not (terrain.enter_toll or terrain.leave_toll or climb):
            return
        climbs: dict[int, int | None] = {0: self._climb(0)} if climb else {}
        for cell in cells:
            checkpoint()
            if cell in self.board:
                yield from self._extras_from(cell, climbs, with_none)

    def _extras_from(
        self, cell: Cell, climbs: dict[int, int | None], with_none: bool
    ) -> Iterator[tuple[int, int | None]]:
        """Yield the `_extras` of one cell; `climbs` has the points of the climbs that were asked for."""
        heights, enter_toll = self.terrain.heights, self.terrain.enter_toll
        (x, y), height, first = cell, heights.get(cell, 0), 8 * self.grid.index(cell)
        leaving, climb = self.terrain.leave_toll.get(cell, 0), self.mover.climb
        is_free = climbs.get(0) == 0
        for lane in self.board.lanes(cell):
            dx, dy = LANES[lane]
            there = (x + dx, y + dy)
            toll = leaving + enter_toll.get(there, 0)
            points: int | None = toll
            if climb:
                rise = heights.get(there, 0) - height
                if not rise and is_free and not toll and not with_none:
                    continue  # most steps are level
                if rise not in climbs:
                    climbs[rise] = self._climb(rise)
                climbed = climbs[rise]
                points = None if climbed is None else toll + climbed
            if points or points is None or with_none:
                yield first + lane, points

    def _climb(self, rise: int) -> int | None:
        assert self.mover.climb is not None
        points = self.mover.climb(rise)
        if points is not None and (not isinstance(points, int) or points < 0):
            raise ValueError(f"A climb costs an integer number of points from 0 up, not {points!r}.")
        return points

    @lazy
    def prepared(self) -> fields.PreparedGraph:
        """The steps, prepared for searches."""
        step_costs, stride = self.step_costs, self.grid.stride
        if self.is_plain:
            return fields.prepare(self.costs, stride)
        next_states = bytes(state for row in step_costs.next_states for state in row)
        turns = points_table(step_costs.turns)
        tables = StepCostTables(step_costs.states, self.directions, self.points, next_states, turns)
        jumps = [
            (self._node(jump.start, jump.state), self._node(jump.end, jump.next_state), jump.points)
            for jump in self.terrain.jumps
            if self.is_open(jump.end)
        ]
        return fields.prepare_states(self.costs, stride, self.extras, self.terrain.leave, tables, jumps)

    def _node(self, cell: Cell, state: int) -> int:
        return self.grid.index(cell) * self.states + state

    def search(self, start: Cell, state: int, budget: int) -> array[int]:
        """Return the least cost of every node within a budget, as entry index * states + state."""
        return fields.dijkstra(self.prepared, self.flags, self._node(start, state), min(budget, MAX_COST))

    def arrivals(self, node: Node, start: int) -> Iterator[tuple[Node, int | None, int]]:
        """Yield each (previous node, lane or None for a turn or jump, cost) that leads to a node."""
        index, state = node
        for lane, offset in enumerate(self.grid.lanes):
            before = index - offset
            if self.costs[8 * before + lane] != NO_STEP and (
                before == start or not self.flags[before] & STOP
            ):
                yield from self._steps_from(before, lane, state)
        for jump in self.terrain.jumps:
            before = self.grid.index(jump.start)
            if self._node(jump.end, jump.next_state) == index * self.states + state and (
                before == start or not self.flags[before] & STOP
            ):
                yield (before, jump.state), None, jump.points
        for other in range(self.states):
            turn = self.step_costs.turns[other][state]
            if turn is not None and other != state:
                yield (index, other), None, turn * self.terrain.leave[index]

    def _steps_from(self, before: int, lane: int, state: int) -> Iterator[tuple[Node, int, int]]:
        entry, step_costs = 8 * before + lane, self.step_costs
        if self.is_plain:
            yield (before, 0), lane, self.costs[entry]
            return
        column, row = self.grid.cell(before)
        direction = self.directions[8 * (2 * (row & 1) + (column & 1)) + lane]
        for other in range(step_costs.states):
            points = step_costs.points[other][direction]
            if points is not None and step_costs.next_states[other][direction] == state:
                extra = self.extras[entry] if self.extras else 0
                yield (before, other), lane, points * self.costs[entry] + extra
