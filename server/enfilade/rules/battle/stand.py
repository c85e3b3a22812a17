"""A stand: the bodies on a ground, with the steps and paths that they leave to each other.

Wounds and choices change nothing here, so that most scenes of a battle share their stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.footprint import Footprint
from enfilade.rules.battle.ground import Ground, RankedCell, footing_of
from enfilade.rules.battle.memo import Memo, per_owner
from enfilade.rules.battle.search import Search, steps_to
from enfilade.runtime.time_budget import checkpoint

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
