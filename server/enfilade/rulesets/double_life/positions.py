"""Positions: who stands on which case, and the steps and paths that this leaves to each character.

Wounds, poise and choices change nothing here, so that most scenes of a battle share their positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from enfilade.geometry.board.units import Cell
from enfilade.rules.cache import MANY, identity_cache
from enfilade.rulesets.double_life.landscape import CostedCase, Landscape
from enfilade.rulesets.double_life.profiles import Size
from enfilade.time_budget import checkpoint

MOST_GNOMES = 2
"""The gnomes that may share a case (C-24)."""

MOST_SEARCHED = 3_000
"""The cases that the search for the way to an enemy looks at; enemies beyond are approached straight."""

Allegiance = tuple[str, str]
"""The team of a side, or the side if it has none: allies have equal ones."""


class Mover(NamedTuple):
    """A character, as far as its own steps and those of others depend on it."""

    id: str
    size: Size
    allegiance: Allegiance

    def may_share_with(self, other: Mover) -> bool:
        """Return whether two characters may be on one case (DBL-053, C-24).

        Two gnomes may; a gnome may with an opponent of any other size.
        """
        gnomes = (self.size == "gnome") + (other.size == "gnome")
        return gnomes == 2 or (gnomes == 1 and self.allegiance != other.allegiance)


class Search:
    """The cheapest paths of a character from a case: no case costs more than the budget.

    Of two paths at one cost, the one with fewer diagonal steps is taken: it looks straighter.
    """

    def __init__(self, walker: Walker, start: Cell, budget: int) -> None:
        self.costs: dict[Cell, int] = {}
        self._before: dict[Cell, Cell] = {}
        self._run(walker, start, budget)

    def _run(self, walker: Walker, start: Cell, budget: int) -> None:
        first = (0, 0)
        best, queue = {start: first}, [(first, start)]
        while queue:
            checkpoint()
            known, cell = heappop(queue)
            if cell in self.costs:
                continue
            self.costs[cell] = known[0]
            for there, step in walker.steps_from(cell):
                if known[0] + step > budget:
                    continue
                is_slanted = there[0] != cell[0] and there[1] != cell[1]
                total = known[0] + step, known[1] + is_slanted
                if there not in best or total < best[there]:
                    best[there], self._before[there] = total, cell
                    heappush(queue, (total, there))

    def path(self, cell: Cell) -> list[Cell]:
        """Return the cells of the cheapest path to a case in reach, the start first."""
        cells = [cell]
        while cells[-1] in self._before:
            cells.append(self._before[cells[-1]])
        return cells[::-1]


class Walker:
    """A character among the others: the cases where it can stand, its steps and its paths."""

    def __init__(self, landscape: Landscape, size: Size, taken: Iterable[Cell]) -> None:
        """`taken` has the cases that no part of the character can be on."""
        self._landscape, self._size = landscape, size
        back = [(-x, -y) for x, y in landscape.cells(size, (0, 0))]
        self._blocked = {(x + dx, y + dy) for x, y in taken for dx, dy in back}
        self._searches: dict[tuple[Cell, int], Search] = {}
        self._distances: dict[tuple[Cell, int, frozenset[Cell]], dict[Cell, int]] = {}

    def can_stand(self, at: Cell) -> bool:
        """Return whether the character fits on a case: open ground, no wall through it, no one in the way."""
        return at not in self._blocked and self._landscape.fits(self._size, at)

    def steps_from(self, cell: Cell) -> list[CostedCase]:
        """Return the cases one step away, each with the cost of the costliest case entered."""
        return [step for step in self._landscape.steps(self._size, cell) if step[0] not in self._blocked]

    def search(self, start: Cell, budget: int) -> Search:
        """Return the paths from a case within a budget."""
        found = self._searches.get((start, budget))
        if found is None:
            found = self._searches[start, budget] = Search(self, start, budget)
        return found

    def distances(self, start: Cell, budget: int, goals: frozenset[Cell]) -> dict[Cell, int]:
        """Return the steps from each case of a search to the nearest case with one of the goals in reach.

        A case without a way, or with one far beyond that of the start, has no entry.
        """
        key = start, budget, goals
        found = self._distances.get(key)
        if found is None:
            reached = self._steps_to(start, goals)
            cells = self.search(start, budget).costs
            found = self._distances[key] = {cell: reached[cell] for cell in cells if cell in reached}
        return found

    def _steps_to(self, start: Cell, goals: frozenset[Cell]) -> dict[Cell, int]:
        """Search from the goals until the start is reached."""
        reached: dict[Cell, int] = {}
        frontier, steps = self._attacking_places(goals), 0
        while frontier and start not in reached and len(reached) < MOST_SEARCHED:
            checkpoint()
            following: list[Cell] = []
            for cell in frontier:
                if cell not in reached:
                    reached[cell] = steps
                    following += [there for there, _ in self.steps_from(cell)]
            frontier, steps = following, steps + 1
        return reached

    def _attacking_places(self, goals: frozenset[Cell]) -> list[Cell]:
        """Return the cases where the character could stand and attack one of the goals."""
        near = {(x + dx, y + dy) for x, y in goals for dx in range(-2, 2) for dy in range(-2, 2)}
        landscape, size = self._landscape, self._size
        return [
            cell
            for cell in sorted(near)
            if self.can_stand(cell) and not landscape.attackable(size, cell).isdisjoint(goals)
        ]


class Positions:
    """The characters on a landscape."""

    def __init__(self, landscape: Landscape, placed: Sequence[tuple[Mover, Cell]]) -> None:
        self._landscape = landscape
        self._standing_at: dict[Cell, list[Mover]] = {}
        for one, at in placed:
            checkpoint()
            for cell in landscape.cells(one.size, at):
                self._standing_at.setdefault(cell, []).append(one)
        self._walkers: dict[Mover, Walker] = {}

    def walker(self, one: Mover) -> Walker:
        """Return a character among the others; it need not be on the board itself."""
        found = self._walkers.get(one)
        if found is None:
            taken = [cell for cell, there in self._standing_at.items() if not _has_room(one, there)]
            found = self._walkers[one] = Walker(self._landscape, one.size, taken)
        return found


def _has_room(one: Mover, there: list[Mover]) -> bool:
    """Return whether a character can join those on a case: all may share it, and the gnomes are few."""
    checkpoint()
    others = [other for other in there if other.id != one.id]
    may_join = all(one.may_share_with(other) for other in others)
    return may_join and sum(other.size == "gnome" for other in (*others, one)) <= MOST_GNOMES


def _positions_weight(_landscape: Landscape, placed: Sequence[tuple[Mover, Cell]]) -> int:
    return 1 + len(placed) // 8


@identity_cache(MANY, _positions_weight)
def positions_of(landscape: Landscape, placed: tuple[tuple[Mover, Cell], ...]) -> Positions:
    """Return the positions of characters on a landscape; cached."""
    return Positions(landscape, placed)
