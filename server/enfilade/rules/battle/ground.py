"""The ground and the stand: walls and terrain as bodies stand and step on them, alone and among others.

Wounds and choices change nothing here, so that most scenes of a battle share their stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from enfilade.geometry.board.base import LANES, Board, Cell, lane_to
from enfilade.geometry.board.footprint import Footprint, ring
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.rules.battle.memo import (
    MAPS,
    Memo,
    Shelf,
    Table,
    board_weight,
    identity_cache,
    map_weight,
    per_owner,
)
from enfilade.rules.battle.search import Search, rank, steps_to
from enfilade.rules.kit.board import barred_table
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Terrain, Wall

RankedCell = tuple[Cell, int]
"""A cell with the rank of a step into it: its cost, straight steps before diagonal ones."""


@identity_cache(MAPS, map_weight)
def entry_costs(terrain: tuple[Terrain, ...]) -> dict[Cell, int]:
    """Return the cost to enter each cell with terrain: its costliest patch counts, 0 is closed."""
    costs: dict[Cell, int] = {}
    for patch in terrain:
        for cell in patch.cells:
            known = costs.get(cell, 1)
            costs[cell] = 0 if 0 in (known, patch.cost) else max(known, patch.cost)
    return costs


_NEAR = frozenset((*LANES, (0, 0)))
"""The offsets from a cell to itself and to those one step away."""


class Ground:
    """The walls and the terrain of a map."""

    def __init__(self, terrain: tuple[Terrain, ...], barred: bytes, board: Board) -> None:
        """`barred` has the steps that walls bar, as `barred_table` returns them."""
        self.board, self._alive = board, terrain  # no other terrain gets its identity
        self._costs, self.barred_table, self._grid = entry_costs(terrain), barred, grid_of(board)

    def cost(self, cell: Cell) -> int:
        """Return the cost of entering a cell; 0 if it is closed."""
        return self._costs.get(cell, 1)

    def barred(self, cell: Cell) -> int:
        """Return the lanes from a cell that walls bar, as bits; none off the board."""
        return self.barred_table[self._grid.index(cell)] if cell in self.board else 0

    def is_open(self, start: Cell, end: Cell) -> bool:
        """Return whether no wall is between two cells that are the same or adjacent."""
        if start == end:
            return True
        if start not in self.board or end not in self.board:
            return False
        return not self.barred_table[self._grid.index(start)] >> lane_to(start, end) & 1


class Footing:
    """The ground under one footprint. `places`, `steps`, `around` and `reach` are tables by cell.

    places: the cost of a cell, that of the costliest part of the body there; 0 if the body does not fit.
    steps: the cells one step away where the body fits, if no wall bars any part of it.
    around: the cells of the board around the body.
    reach: the cells that the body touches: those around it, its own, and only these if it shares its cell.
    """

    def __init__(self, ground: Ground, footprint: Footprint) -> None:
        self.ground, self.footprint = ground, footprint
        board = ground.board
        self._is_one = footprint.offsets == ((0, 0),)
        self.places = Table(self._place, board.__contains__)
        self.steps = Table(self._steps, board.__contains__)
        self.around = Table(self._around, board.__contains__)
        self.reach = Table(self._reach, board.__contains__)

    def cells(self, at: Cell) -> list[Cell]:
        """Return the cells that the body fills at a cell; some may be off the board."""
        return [at] if self._is_one else self.footprint.cells(self.ground.board, at)

    def _place(self, at: Cell) -> int:
        ground = self.ground
        if self._is_one:
            return ground.cost(at) if at in ground.board else 0
        cells = self.cells(at)
        if not all(cell in ground.board and self._is_joined(at, cell, cells) for cell in cells):
            return 0
        costs = [ground.cost(cell) for cell in cells]
        return max(costs) if all(costs) else 0

    def _is_joined(self, at: Cell, cell: Cell, cells: list[Cell]) -> bool:
        """Return whether no wall cuts a cell off its body, seen from the first or from those beside it."""
        ground = self.ground
        if (cell[0] - at[0], cell[1] - at[1]) in _NEAR:
            return ground.is_open(at, cell)
        beside = [one for one in cells if (cell[0] - one[0], cell[1] - one[1]) in _NEAR and one != cell]
        return all(ground.is_open(one, cell) for one in beside if one in ground.board)

    def _steps(self, cell: Cell) -> tuple[RankedCell, ...]:
        barred, found = 0, []
        for own in self.cells(cell):
            barred |= self.ground.barred(own)
        for lane in _in_order(self.ground.board.adjacent_lanes(cell)):
            dx, dy = LANES[lane]
            there = (cell[0] + dx, cell[1] + dy)
            cost = 0 if barred >> lane & 1 else self.places[there]
            if cost:
                found.append((there, rank(cost, int(dx != 0 and dy != 0))))
        return tuple(found)

    def _around(self, at: Cell) -> frozenset[Cell]:
        return frozenset(ring(self.ground.board, self.cells(at)))

    def _reach(self, at: Cell) -> frozenset[Cell]:
        ground = self.ground
        own = {cell for cell in self.cells(at) if cell in ground.board}
        if self.footprint.shares:
            return frozenset(own)
        found = set(own)
        for cell in own:
            barred = ground.barred(cell)
            for lane in ground.board.adjacent_lanes(cell):
                if not barred >> lane & 1:
                    found.add((cell[0] + LANES[lane][0], cell[1] + LANES[lane][1]))
        return frozenset(found & (self.around[at] | own))


@lru_cache(maxsize=8)
def _in_order(lanes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(lanes))


_grounds, _footings = Shelf(16), Shelf(32)


def footing_of(ground: Ground, footprint: Footprint) -> Footing:
    """Return a ground as bodies with a footprint stand on it."""
    key = (ground, footprint)
    found: Footing | None = _footings.recent.get(key)
    if found is None:
        found = _footings.add(key, lambda: Footing(ground, footprint), board_weight(ground.board))
    return found


def ground_of(terrain: tuple[Terrain, ...], walls: tuple[Wall, ...], board: Board) -> Ground:
    """Return the ground of a map; all scenes on the map share it.

    So do scenes whose walls bar the same steps: before a door is opened and after it is closed again, and in
    the views of seats, to which a secret door is a wall.
    """
    barred = barred_table(walls, board)
    key = (id(terrain), barred, board)
    found: Ground | None = _grounds.recent.get(key)
    if found is None:
        found = _grounds.add(key, lambda: Ground(terrain, barred, board), board_weight(board))
    return found


MOST_SEARCHED = 3_000
"""The cells that the search for the way to an enemy looks at; enemies beyond are approached straight."""


class Body(NamedTuple):
    """The values of a unit that steps depend on; `allegiance` is equal for allies."""

    id: str
    footprint: Footprint
    allegiance: tuple[str, str]


Room = Callable[[Body, Sequence[Body]], bool]
"""Returns whether a body may be on a cell with others."""


class Walker:
    """A unit among the others: the cells where it can stand, its steps and its paths."""

    def __init__(self, ground: Ground, footprint: Footprint, taken: Iterable[Cell]) -> None:
        """`taken` has the cells that no part of the unit can be on."""
        self.memo: Memo = {}
        self._footing = footing_of(ground, footprint)
        back = [(-x, -y) for x, y in self._footing.cells((0, 0))]
        self._blocked = {(x + dx, y + dy) for x, y in taken for dx, dy in back}

    def can_stand(self, at: Cell) -> bool:
        """Return whether the unit fits on a cell: open ground, no wall through it, no one in the way."""
        return at not in self._blocked and self._footing.places[at] > 0

    def can_step(self, start: Cell, end: Cell) -> bool:
        """Return whether the unit can step from a cell to an adjacent one."""
        return any(there == end for there, _ in self.steps_from(start))

    def steps_from(self, cell: Cell) -> list[RankedCell]:
        """Return the cells one step away, each with the rank of the step."""
        blocked = self._blocked
        return [step for step in self._footing.steps[cell] if step[0] not in blocked]

    @per_owner
    def search(self, start: Cell, budget: int) -> Search[Cell]:
        """Return the paths from a cell within a budget."""
        return Search(start, budget, self.steps_from)

    @per_owner
    def distances(self, start: Cell, budget: int, goals: frozenset[Cell]) -> dict[Cell, int]:
        """Return the steps from each cell of a search to the nearest cell that reaches one of the goals.

        A cell without a way, or with one far beyond that of the start, has no entry.
        """
        near = {(x + dx, y + dy) for x, y in goals for dx in range(-2, 2) for dy in range(-2, 2)}
        reach = self._footing.reach
        places = [at for at in sorted(near) if self.can_stand(at) and not reach[at].isdisjoint(goals)]
        reached = steps_to(places, start, self.steps_from, MOST_SEARCHED)
        return {cell: reached[cell] for cell in self.search(start, budget).costs if cell in reached}


class Stand:
    """The bodies on a ground."""

    def __init__(self, ground: Ground, placed: Sequence[tuple[Body, Cell]], room: Room) -> None:
        self._ground, self._room = ground, room
        self.memo: Memo = {}
        self._at: dict[Cell, list[Body]] = {}
        for one, at in placed:
            checkpoint()
            for cell in footing_of(ground, one.footprint).cells(at):
                self._at.setdefault(cell, []).append(one)

    @per_owner
    def walker(self, one: Body) -> Walker:
        """Return a unit among the others; it need not be on the board itself."""
        taken = []
        for cell, there in self._at.items():
            checkpoint()
            if not self._room(one, [other for other in there if other.id != one.id]):
                taken.append(cell)
        return Walker(self._ground, one.footprint, taken)
