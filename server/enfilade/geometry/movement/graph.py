"""The ground: a board, its going and a mover brought together into one table of steps.

Laying a ground is done once; from then on every movement field over it is one search by Dijkstra, with
Dial's buckets (R. Dial, "Algorithm 360: shortest-path forest with topological ordering", CACM 1969).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property, lru_cache

from enfilade.geometry.board.base import LANES, Board
from enfilade.geometry.board.padded_grid import Places, places_of
from enfilade.geometry.board.units import Cell
from enfilade.geometry.kernel import fields
from enfilade.geometry.kernel.python_fields import MOST, NO_END, NO_STEP, STOP, GaitTables
from enfilade.geometry.movement.step_costs import Gait, directions_of, plain, table_of
from enfilade.geometry.movement.terrain_cost import Going, Mover, under_footprint

_ONES = array("H", [1] * 8)

Node = tuple[int, int]
"""A place in a table, and a state of the gait."""


@lru_cache(maxsize=64)
def _of_board(board: Board) -> tuple[Places, bytes, Gait, array[int]]:
    """What every ground of a board has: places, directions, the gait of those without one, its points."""
    gait = plain(board)
    return places_of(board), directions_of(board), gait, table_of(gait.points)


class Ground:
    """What every step of one mover costs on one board.

    Raises ValueError where the tables of the going were made for a board of another size.
    """

    def __init__(self, board: Board, going: Going, mover: Mover = Mover()) -> None:  # noqa: B008 - a frozen value
        self.board, self.mover = board, mover
        self.places, self.directions, self.gait, self.points = _of_board(board)
        if mover.gait:
            self.gait, self.points = mover.gait, table_of(mover.gait.points)
        self._check(going)
        self._go(under_footprint(board, going, mover.footprint))
        self.costs = self._weigh()
        self.extras: array[int] | None = None
        self._add(None)

    def changed(self, going: Going, cells: Iterable[Cell]) -> Ground:
        """The ground after its going has changed in a few cells, and nowhere else: quicker than anew.

        Walls must be the same. Under a big body everything is laid anew.
        """
        if len(self.mover.footprint.offsets) > 1:
            return Ground(self.board, going, self.mover)
        near = {(x + dx, y + dy) for x, y in cells for dx, dy in (*LANES, (0, 0))}
        near = {cell for cell in near if cell in self.board}
        places = sorted(self.places.of(cell) for cell in near)
        self._check(going)
        other = copy(self)
        other._go(going)
        other.costs = other._weigh(self.costs, places)
        other.extras = self.extras[:] if self.extras else None
        other._add(near)
        other.__dict__.pop("links", None)
        if "links" in self.__dict__ and self.gait.states == 1:
            other.links = fields.links(other.costs, self.places.stride, self.links, places)
        return other

    def _check(self, going: Going) -> None:
        if any(len(table) != self.places.size for table in (going.enter, going.leave, going.barred)):
            raise ValueError("The going was made for another board.")

    def _go(self, going: Going) -> None:
        self.going = going
        flags = bytearray(self.places.size)
        for cells, flag in ((going.stops, STOP), (going.no_end, NO_END)):
            for cell in cells:
                if cell in self.board:
                    flags[self.places.of(cell)] |= flag
        self.flags = bytes(flags)

    def _weigh(self, known: array[int] | None = None, changed: Sequence[int] = ()) -> array[int]:
        """The cost of each step by its direction and its two cells; with several states its weight."""
        return fields.weights(
            self.board.columns,
            self.board.rows,
            self.directions,
            self.points if self.gait.states == 1 else _ONES,
            self.going.enter,
            self.going.leave,
            self.going.barred,
            self.mover.open_corners,
            known,
            changed,
        )

    def _add(self, cells: Iterable[Cell] | None) -> None:
        """Add what tolls and heights add to the steps from some cells, or wherever there are any."""
        is_plain = self.gait.states == 1
        extras = self.extras or array("H", bytes(0 if is_plain else 2 * len(self.costs)))
        for entry, extra in self._added(cells):
            if extra is None or (is_plain and self.costs[entry] + extra > MOST):
                self.costs[entry] = NO_STEP
            elif is_plain and self.costs[entry] != NO_STEP:
                self.costs[entry] += extra
            elif not is_plain:
                extras[entry] = extra
        self.extras = extras if any(extras) else None

    def _added(self, cells: Iterable[Cell] | None) -> Iterator[tuple[int, int | None]]:
        """The entries of steps that tolls or heights add points to; None where the step is too high."""
        going, climb = self.going, self.mover.climb
        if cells is None:
            special = {*going.enter_toll, *going.leave_toll, *(going.heights if climb else ())}
            cells = {(x + dx, y + dy) for x, y in special for dx, dy in (*LANES, (0, 0))}
        elif not (going.enter_toll or going.leave_toll or climb):
            return
        for cell in cells:
            if cell not in self.board:
                continue
            for lane in self.board.lanes(cell):
                there = (cell[0] + LANES[lane][0], cell[1] + LANES[lane][1])
                rise = climb(going.heights.get(there, 0) - going.heights.get(cell, 0)) if climb else 0
                toll = going.leave_toll.get(cell, 0) + going.enter_toll.get(there, 0)
                yield 8 * self.places.of(cell) + lane, None if rise is None else rise + toll

    @cached_property
    def links(self) -> fields.Links:
        """The steps made ready to be searched."""
        gait, stride = self.gait, self.places.stride
        if gait.states == 1:
            return fields.links(self.costs, stride)
        following = bytes(state for row in gait.following for state in row)
        tables = GaitTables(gait.states, self.directions, self.points, following, table_of(gait.turns))
        return fields.state_links(self.costs, stride, self.extras, self.going.leave, tables)

    def search(self, start: Cell, state: int, budget: int) -> array[int]:
        """The least cost to every node within a budget, entry place * states + state."""
        node = self.places.of(start) * self.gait.states + state
        return fields.flood(self.links, self.flags, node, min(budget, MOST))

    def arrivals(self, node: Node, start: int) -> Iterator[tuple[Node, int | None, int]]:
        """Each (node before, lane or None for a turn, cost) that leads to a node."""
        place, state = node
        for lane, offset in enumerate(self.places.lanes):
            before = place - offset
            if self.costs[8 * before + lane] != NO_STEP and (
                before == start or not self.flags[before] & STOP
            ):
                yield from self._walks(before, lane, state)
        for other in range(self.gait.states):
            turn = self.gait.turns[other][state]
            if turn is not None and other != state:
                yield (place, other), None, turn * self.going.leave[place]

    def _walks(self, before: int, lane: int, state: int) -> Iterator[tuple[Node, int, int]]:
        entry, gait = 8 * before + lane, self.gait
        if gait.states == 1:
            yield (before, 0), lane, self.costs[entry]
            return
        column, row = self.places.cell(before)
        direction = self.directions[8 * (2 * (row & 1) + (column & 1)) + lane]
        for other in range(gait.states):
            points = gait.points[other][direction]
            if points is not None and gait.following[other][direction] == state:
                extra = self.extras[entry] if self.extras else 0
                yield (before, other), lane, points * self.costs[entry] + extra
