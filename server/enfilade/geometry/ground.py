"""The ground: a board, its going and a mover brought together into one table of steps.

Laying a ground is done once; from then on every movement field over it is one search by Dijkstra, with
Dial's buckets (R. Dial, "Algorithm 360: shortest-path forest with topological ordering", CACM 1969).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cached_property

from enfilade.geometry.board import LANES, Board
from enfilade.geometry.gait import directions_of, plain, table_of
from enfilade.geometry.going import Going, Mover, under_footprint
from enfilade.geometry.kernel import fields
from enfilade.geometry.kernel.python_fields import MOST, NO_END, NO_STEP, STOP, GaitTables
from enfilade.geometry.places import places_of
from enfilade.geometry.units import Cell

Node = tuple[int, int]
"""A place in a table, and a state of the gait."""


class Ground:
    """What every step of one mover costs on one board."""

    def __init__(self, board: Board, going: Going, mover: Mover = Mover()) -> None:  # noqa: B008 - a frozen value
        self.board, self.mover = board, mover
        self.going = under_footprint(board, going, mover.footprint)
        self.places = places_of(board)
        self.gait = mover.gait or plain(board)
        self.directions = directions_of(board)
        self.flags = self._flags()
        self.points = table_of(self.gait.points)
        self.costs, self.extras = self._tables()

    def _flags(self) -> bytes:
        flags = bytearray(self.places.size)
        for cells, flag in ((self.going.stops, STOP), (self.going.no_end, NO_END)):
            for cell in cells:
                if cell in self.board:
                    flags[self.places.of(cell)] |= flag
        return bytes(flags)

    def _tables(self) -> tuple[array[int], array[int] | None]:
        """The cost of each step and None; with several states its weight, and the points added to it."""
        points = self.points if self.gait.states == 1 else array("H", [1] * 8)
        costs = fields.weights(
            self.board.columns,
            self.board.rows,
            self.directions,
            points,
            self.going.enter,
            self.going.leave,
            self.going.barred,
            self.mover.open_corners,
        )
        extras = array("H", bytes(2 * len(costs)))
        for entry, extra in self._added():
            if extra is None or (self.gait.states == 1 and costs[entry] + extra > MOST):
                costs[entry] = NO_STEP
            elif costs[entry] != NO_STEP:
                extras[entry] = extra
                costs[entry] += extra if self.gait.states == 1 else 0
        return costs, extras if self.gait.states > 1 and any(extras) else None

    def _added(self) -> Iterator[tuple[int, int | None]]:
        """The entries of steps that tolls or heights add points to; None where the step is too high."""
        going, climb = self.going, self.mover.climb
        special = {*going.enter_toll, *going.leave_toll, *(going.heights if climb else ())}
        near = {(x + dx, y + dy) for x, y in special for dx, dy in (*LANES, (0, 0))}
        for cell in near:
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
