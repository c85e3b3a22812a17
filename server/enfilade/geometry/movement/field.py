"""Movement fields: the cost of every cell in reach, and the cheapest paths to it or through waypoints."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from enfilade.geometry.board.base import LANES, Cell
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.padded_grid import entries_in_range, mask_in_range
from enfilade.geometry.kernel.python_fields import MAX_COST as MAX_COST
from enfilade.geometry.kernel.python_fields import NO_STEP, STOP
from enfilade.geometry.movement.graph import MovementGraph, Node, check_budget
from enfilade.runtime.lazy import lazy


class Step(NamedTuple):
    """One step, or turn on the spot, of a path: the cell and state it leads to, and its points."""

    cell: Cell
    state: int
    cost: int


class Field:
    """The cost of each cell in reach of a start, and the cheapest path to it.

    Attributes:
        graph: the graph searched.
        start: the first cell, which costs 0.
        budget: the points that may be spent; a field never counts beyond `MAX_COST`.

    With `may_start_closed` a mover may leave a cell that is closed to others: its own on a graph that is
    shared by all movers of a side.

    Raises ValueError if the start is off the board or closed, the budget is not an integer from 0 up, or the
    mover has no such state.
    """

    def __init__(
        self,
        graph: MovementGraph,
        start: Cell,
        budget: int = MAX_COST,
        state: int = 0,
        may_start_closed: bool = False,
    ) -> None:
        if start not in graph.board:
            raise ValueError(f"The start {start} is not on the board.")
        if not may_start_closed and not graph.is_open(start):
            raise ValueError(f"A move cannot start at {start}: the mover cannot stand there.")
        check_budget(budget)
        if state not in range(graph.states):
            raise ValueError(f"The mover has no state {state!r}.")
        self.graph, self.start, self.budget = graph, start, budget
        self._first: Node = (graph.grid.index(start), state)
        self._totals = graph.search(start, state, budget)
        self._states = graph.states
        self._is_plain = graph.is_plain

    def cost(self, cell: Cell) -> int | None:
        """Return the points of the cheapest path to a cell, in any state; None if it is out of reach."""
        if cell not in self.graph.board:
            return None
        node = self._states * self.graph.grid.index(cell)
        cost = min(self._totals[node : node + self._states])
        return None if cost == NO_STEP else cost

    def costs_by_state(self, cell: Cell) -> dict[int, int]:
        """Return the points of the cheapest path to a cell in each state in which the mover can get there."""
        if cell not in self.graph.board:
            return {}
        node = self._states * self.graph.grid.index(cell)
        return {
            state: cost
            for state, cost in enumerate(self._totals[node : node + self._states])
            if cost != NO_STEP
        }

    @property
    def entries(self) -> list[tuple[int, int, int]]:
        """Return (column, row, cost) of every cell in reach, row by row."""
        totals = self._totals
        if self._states > 1:
            totals = array("H", map(min, *(totals[state :: self._states] for state in range(self._states))))
        return entries_in_range(self.graph.grid, totals, 0, MAX_COST)

    @lazy
    def costs(self) -> dict[Cell, int]:
        """Every cell in reach with its cost, including cells that a move may pass but not end on."""
        return {(column, row): cost for column, row, cost in self.entries}

    @lazy
    def reach(self) -> Mask:
        """The cells in reach."""
        return self.within(MAX_COST)

    def within(self, cost: int) -> Mask:
        """Return the cells in reach that cost so much or less, also those where a move may not end."""
        grid, found = self.graph.grid, Mask((0,) * self.graph.board.rows)
        for state in range(self._states):
            found |= mask_in_range(grid, self._totals[state :: self._states], 0, cost)
        return found

    @lazy
    def ends(self) -> Mask:
        """The cells in reach where the move may end; always includes the start."""
        reach = self.reach
        cells = [cell for cell in self.graph.terrain.no_end if cell in reach and cell != self.start]
        return reach - Mask.of(cells, self.graph.board.rows)

    def depends_on(self, cells: Iterable[Cell]) -> bool:
        """Return whether a change of terrain in some cells could change this field.

        A search reads the cells it reaches, those adjacent to them and those that jumps lead to. When a
        token moves, ask for the cells it left and entered and, if enemies change the cost of adjacent cells,
        for the ring around them.
        """
        board, offsets = self.graph.board, self.graph.mover.footprint.offsets
        positions = {board.shift(cell, (-dx, -dy)) for cell in cells for dx, dy in offsets}
        for x, y in positions:
            beside = [(x + LANES[lane][0], y + LANES[lane][1]) for lane in board.adjacent_lanes((x, y))]
            if any(self.cost(cell) is not None for cell in ((x, y), *beside)):
                return True
        jumps = self.graph.terrain.jumps
        return any(jump.end in positions and self.cost(jump.start) is not None for jump in jumps)

    def path(self, cell: Cell, state: int | None = None) -> list[Cell]:
        """Return the cells of the cheapest path, the start first, to an end in a state if given.

        Raises KeyError if out of reach.
        """
        nodes = self._path_back(cell, state)
        nodes.reverse()
        indexes = [before[0] for before, node in pairwise(nodes) if before[0] != node[0]]
        return [*map(self.graph.grid.cell, indexes), self.graph.grid.cell(nodes[-1][0])]

    @lazy
    def back(self) -> Back | None:
        """The last steps of the cheapest paths; None on graphs where a path is found only as a whole."""
        return Back(self) if self._is_plain else None

    def steps(self, cell: Cell) -> list[Step]:
        """Return the steps and turns of the cheapest path. Raises KeyError if out of reach."""
        nodes = self._path_back(cell)
        nodes.reverse()
        return [
            Step(self.graph.grid.cell(node[0]), node[1], self._total(node) - self._total(before))
            for before, node in pairwise(nodes)
        ]

    def _total(self, node: Node) -> int:
        return self._totals[self._states * node[0] + node[1]]

    def _path_back(self, cell: Cell, state: int | None = None) -> list[Node]:
        """Return the nodes from a cell back to the start, as straight as the costs allow.

        Free turns make cycles of nodes with equal cost, so no node is visited twice.
        """
        costs = self.costs_by_state(cell)
        if not costs or (state is not None and state not in costs):
            raise KeyError(cell)
        index = self.graph.grid.index(cell)
        path = [(index, min(costs, key=costs.__getitem__) if state is None else state)]
        tried, lanes = {path[0]}, [-1]
        while path[-1] != self._first:
            found = self._before(path[-1], lanes[-1], tried)
            if found is None:
                path.pop()
                lanes.pop()
                continue
            node, lane = found
            tried.add(node)
            path.append(node)
            lanes.append(lanes[-1] if lane is None else lane)
        return path

    def _before(self, node: Node, ahead: int, tried: set[Node]) -> tuple[Node, int | None] | None:
        """Return the best previous node on a cheapest path: along the same lane if possible."""
        if self._is_plain:
            return self._plain_before(node[0], ahead, tried)
        total, best = self._total(node), None
        for before, lane, cost in self.graph.arrivals(node, self._first[0]):
            if before not in tried and self._total(before) + cost == total:
                best = (before, lane) if best is None or lane == ahead else best
        return best

    def bend_before(self, index: int, ahead: int) -> Bend:
        """Return where a path comes from that leaves a cell in a lane. Raises KeyError if nowhere."""
        graph, totals, first = self.graph, self._totals, self._first[0]
        costs, flags, lanes, total = graph.costs, graph.flags, graph.grid.lanes, totals[index]
        for lane in _LANES_FROM[ahead]:  # as `_plain_before`, for hundreds of ways that share beginnings
            before = index - lanes[lane]
            cost = costs[8 * before + lane]
            is_cheapest = cost != NO_STEP and totals[before] + cost == total
            if is_cheapest and (before == first or not flags[before] & STOP):
                return before, lane
        raise KeyError(graph.grid.cell(index))

    def _plain_before(
        self, index: int, ahead: int, tried: Collection[Node]
    ) -> tuple[Node, int | None] | None:
        """Do the same as `_before` on a graph whose `arrivals` are steps of one state: most graphs."""
        graph, totals = self.graph, self._totals
        costs, flags, first, total = graph.costs, graph.flags, self._first[0], totals[index]
        lanes = graph.grid.lanes
        for lane in _LANES_FROM[ahead]:
            before = index - lanes[lane]
            cost = costs[8 * before + lane]
            if cost == NO_STEP or totals[before] + cost != total or (before, 0) in tried:
                continue
            if before == first or not flags[before] & STOP:
                return (before, 0), lane
        return None


class Back:
    """The cheapest paths of a field on a graph of plain steps, back from their ends; they share beginnings.

    A bend is a cell, as its index on the padded grid, and the lane in which the path leaves it (-1: its end).
    """

    def __init__(self, field: Field) -> None:
        self._field, self._grid, self._start = field, field.graph.grid, field.graph.grid.index(field.start)
        self._known: dict[Bend, Bend | None] = {}

    def end(self, cell: Cell) -> Bend:
        """Return the bend at the end of the path to a cell in reach."""
        return self._grid.index(cell), -1

    def cell(self, bend: Bend) -> Cell:
        """Return the cell of a bend."""
        return self._grid.cell(bend[0])

    def before(self, bend: Bend) -> Bend | None:
        """Return the bend one step earlier; None at the start."""
        known = self._known
        if bend not in known:
            known[bend] = None if bend[0] == self._start else self._field.bend_before(*bend)
        return known[bend]


Bend = tuple[int, int]

_LANES_FROM = {lane: (lane, *range(8)) if lane >= 0 else tuple(range(8)) for lane in range(-1, 8)}
"""The order in which a way back tries the lanes: the one straight ahead first; -1 is none."""


class Route(NamedTuple):
    """A path: its points, the state of the mover at its end, and its cells, the start first."""

    cost: int
    state: int
    path: tuple[Cell, ...]


def route(graph: MovementGraph, start: Cell, waypoints: Sequence[Cell], state: int = 0) -> Route | None:
    """Return the cheapest path through waypoints in their order; None if there is none.

    Of several waypoints, those beside each other are a drawn path: the mover steps from one to the next, or
    not at all. To one farther away, and to a single one, it takes the cheapest path. The mover may leave a
    start that is closed. Costs that depend on the mover's state, as diagonals that take turns, are those of
    the whole path.
    """
    ways = {state: Route(0, state, (start,))}
    for waypoint in waypoints:
        on: dict[int, Route] = {}
        for way in ways.values():
            for longer in _onward(graph, way, waypoint, is_drawn=len(waypoints) > 1):
                on[longer.state] = min(on.get(longer.state, longer), longer)
        ways = on
    return min(ways.values(), default=None)


def _onward(graph: MovementGraph, way: Route, to: Cell, *, is_drawn: bool) -> Iterator[Route]:
    """Yield a path with the ways to the next waypoint, one for each state in which the mover gets there."""
    here = way.path[-1]
    if to not in graph.board or here not in graph.board:
        return
    if to == here:
        yield way
    elif is_drawn and (to[0] - here[0], to[1] - here[1]) in [LANES[lane] for lane in graph.board.lanes(here)]:
        yield from _steps(graph, way, to)
    else:
        field = Field(graph, here, MAX_COST - way.cost, way.state, may_start_closed=True)
        for state, cost in field.costs_by_state(to).items():
            yield Route(way.cost + cost, state, (*way.path, *field.path(to, state)[1:]))


def _steps(graph: MovementGraph, way: Route, to: Cell) -> Iterator[Route]:
    """Yield a path with the steps onto an adjacent cell."""
    before = (graph.grid.index(way.path[-1]), way.state)
    for state in range(graph.states):
        for node, lane, cost in graph.arrivals((graph.grid.index(to), state), before[0]):
            if node == before and lane is not None:
                yield Route(way.cost + cost, state, (*way.path, to))
