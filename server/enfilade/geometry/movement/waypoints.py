"""Paths through waypoints: what a drawn path costs, and the cells that it leads through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from enfilade.geometry.board.base import LANES
from enfilade.geometry.board.units import Cell
from enfilade.geometry.kernel.python_fields import MAX_COST
from enfilade.geometry.movement.field import Field
from enfilade.geometry.movement.graph import MovementGraph


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
    for state in range(graph.step_costs.states):
        for node, lane, cost in graph.arrivals((graph.grid.index(to), state), before[0]):
            if node == before and lane is not None:
                yield Route(way.cost + cost, state, (*way.path, to))
