"""Paths: the sub-actions of a Move Action, and the cheapest chains of them (KOV-033 to KOV-044)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import Literal, NamedTuple

from enfilade.geometry.board.base import LANES
from enfilade.geometry.board.units import Cell
from enfilade.rules.house_rules import is_on, setting
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import FEET, Battlefield, battlefield
from enfilade.rulesets.knights_of_valour.profiles import Creature, height
from enfilade.scene.model import Scene
from enfilade.time_budget import checkpoint

How = Literal["walk", "vault", "leap", "climb", "descend"]

DIFFICULT = 2
"""What each foot costs in difficult terrain, on a climb and on a long descent (KOV-035)."""
LEAP_HEIGHTS = 2
"""How often its own height a creature can leap (KOV-041)."""


class SubAction(NamedTuple):
    """A part of a Move Action: how a creature moves, and the feet of Movement it costs."""

    how: How
    cost: int


class Leg(NamedTuple):
    """The sub-actions from one square to the next where a creature can stand."""

    start: Cell
    end: Cell
    parts: tuple[SubAction, ...]
    diagonals: int
    """The diagonal squares entered, for the count of 5 and 10 feet by turns."""

    @property
    def cost(self) -> int:
        """Return the feet of Movement of all its sub-actions (KOV-034)."""
        return sum(part.cost for part in self.parts)


Path = tuple[Leg, ...]


def vault_cost(own_height: int, obstacle: int, five: int = FEET) -> int | None:
    """Return the cost to vault an obstacle, in feet; None if it is too high (KOV-039, KOV-040)."""
    return five if obstacle <= own_height else None


def leap_cost(own_height: int, width: int) -> int | None:
    """Return the cost to leap a gap, in feet; None if it is too wide (KOV-041)."""
    return width if width <= LEAP_HEIGHTS * own_height else None


def climb_cost(rise: int) -> int:
    """Return the cost to climb so many feet (KOV-042)."""
    return DIFFICULT * rise


def descent_cost(own_height: int, drop: int, is_excess_only: bool = False) -> int:
    """Return the cost to descend so many feet; nothing up to the own height (KOV-043, KOV-044).

    A longer drop costs double for its whole distance, or by a house rule for what is beyond the own height
    (C-9).
    """
    if drop <= own_height:
        return 0
    return DIFFICULT * (drop - own_height if is_excess_only else drop)


class Mover:
    """A creature on the move: the legs that it can take from each square."""

    def __init__(self, scene: Scene, creature: Creature) -> None:
        self.battle: Battlefield = battlefield(scene)
        self.creature = creature
        self.height = height(scene, creature)
        self.passes_allies = is_on(scene, house_rules.PASS_ALLIES)
        self.counts_excess = setting(scene, house_rules.DESCENT) == house_rules.DESCENT.options[1]
        self.costs = self.battle.board.diagonals.value

    def can_end(self, cell: Cell) -> bool:
        """Return whether the creature can end a move on a square: it is free ground."""
        other = self.battle.at(cell)
        return self.battle.ground.is_standable(cell) and (other is None or other.id == self.creature.id)

    def legs(self, start: Cell, diagonals: int) -> Iterator[Leg]:
        """Yield the legs from a square, after so many diagonal squares."""
        for lane in self.battle.board.lanes(start):
            leg = self._leg(start, LANES[lane], diagonals)
            if leg is not None and self._can_pass(leg.end):
                yield leg

    def _can_pass(self, cell: Cell) -> bool:
        other = self.battle.at(cell)
        if other is None or other.id == self.creature.id:
            return True
        return self.passes_allies and self.battle.are_allies(other, self.creature)

    def _leg(self, start: Cell, step: Cell, diagonals: int) -> Leg | None:
        ground, end = self.battle.ground, _shift(start, step)
        if not self._is_open(start, end):
            return None
        if end in ground.gaps:
            return self._leap(start, step, diagonals)
        if end in ground.obstacles:
            return self._cross(start, step, diagonals)
        return self._walk(start, end, end, diagonals, ()) if ground.is_standable(end) else None

    def _is_open(self, start: Cell, end: Cell) -> bool:
        return end in self.battle.board and not self.battle.is_barred(start, end)

    def _leap(self, start: Cell, step: Cell, diagonals: int) -> Leg | None:
        """Return the leap over the squares of a gap in a straight line, with the step onto its far side."""
        ground, edge, end, width = self.battle.ground, start, _shift(start, step), 0
        while end in ground.gaps:
            width += self._step_cost(step, diagonals)
            diagonals += _is_diagonal(step)
            edge, end = end, _shift(end, step)
            if not self._is_open(edge, end):
                return None
        cost = leap_cost(self.height, width)
        if cost is None or not ground.is_standable(end) or ground.height(end) > ground.height(start):
            return None
        return self._walk(start, edge, end, diagonals, (SubAction("leap", cost),))

    def _cross(self, start: Cell, step: Cell, diagonals: int) -> Leg | None:
        """Return the vault over an obstacle of one square, or the climb over a higher one."""
        ground, middle = self.battle.ground, _shift(start, step)
        end, obstacle = _shift(middle, step), ground.obstacles[middle]
        if not self._is_open(middle, end) or not ground.is_standable(end):
            return None
        if ground.height(start) != ground.height(end):
            return None
        vault = vault_cost(self.height, obstacle, self.battle.five)
        if vault is not None:
            parts: tuple[SubAction, ...] = (SubAction("vault", vault),)
        else:
            down = descent_cost(self.height, obstacle, self.counts_excess)
            parts = (SubAction("climb", climb_cost(obstacle)), SubAction("descend", down))
        return self._walk(start, middle, end, diagonals, parts)

    def _walk(
        self, start: Cell, edge: Cell, end: Cell, diagonals: int, before: tuple[SubAction, ...]
    ) -> Leg | None:
        """Return a leg that ends with a step, a climb or a descent onto its last square."""
        ground = self.battle.ground
        step = (end[0] - edge[0], end[1] - edge[1]) if edge != end else (end[0] - start[0], end[1] - start[1])
        feet = self._step_cost(step, diagonals) * (DIFFICULT if end in ground.difficult else 1)
        walk, rise = SubAction("walk", feet), ground.height(end) - ground.height(start)
        parts = (*before, walk)
        if rise > 0:
            if end in ground.cliffs:
                return None
            parts = (*before, SubAction("climb", climb_cost(rise)), walk)
        elif rise < 0:
            parts = (*parts, SubAction("descend", descent_cost(self.height, -rise, self.counts_excess)))
        return Leg(start, end, parts, diagonals + _is_diagonal(step))

    def _step_cost(self, step: Cell, diagonals: int) -> int:
        if not _is_diagonal(step):
            return FEET * self.costs.straight
        times = self.costs.even if diagonals % 2 else self.costs.odd
        return FEET * (times or 1)


def _shift(cell: Cell, step: Cell) -> Cell:
    return (cell[0] + step[0], cell[1] + step[1])


def _is_diagonal(step: Cell) -> bool:
    return step[0] != 0 and step[1] != 0


Node = tuple[Cell, int]
"""A square, and whether the number of diagonal squares before it is odd."""

Rank = tuple[int, int]
"""The cost of a path in feet, and its diagonal squares."""


class Search:
    """The cheapest paths of a creature from a square within a budget, in feet.

    Of two paths at one cost, the one with fewer diagonal squares is taken: it looks straighter. `is_allowed`
    rules out legs, for example those that provoke.
    """

    def __init__(
        self, mover: Mover, start: Cell, budget: int, is_allowed: Callable[[Leg], bool] | None = None
    ) -> None:
        self.mover = mover
        first: Node = (start, 0)
        self._ranks: dict[Node, Rank] = {first: (0, 0)}
        self._last: dict[Node, tuple[Node, Leg]] = {}
        self.nodes: dict[Cell, Node] = {}
        alternates = mover.battle.board.diagonals.alternate
        queue: list[tuple[Rank, Node]] = [((0, 0), first)]
        while queue:
            checkpoint()
            rank, node = heappop(queue)
            if rank > self._ranks[node]:
                continue
            self.nodes.setdefault(node[0], node)
            for leg in mover.legs(*node):
                reached = (rank[0] + leg.cost, rank[1] + leg.diagonals - node[1])
                there = (leg.end, leg.diagonals % 2 if alternates else 0)
                known = self._ranks.get(there)
                if reached[0] > budget or (known is not None and reached >= known):
                    continue
                if is_allowed is None or is_allowed(leg):
                    self._ranks[there], self._last[there] = reached, (node, leg)
                    heappush(queue, (reached, there))

    def costs(self) -> dict[Cell, int]:
        """Return the cost of each square where the creature can end."""
        return {cell: self._ranks[node][0] for cell, node in self.nodes.items() if self.mover.can_end(cell)}

    def cost(self, cell: Cell) -> int | None:
        """Return the cost of a square; None beyond the budget."""
        node = self.nodes.get(cell)
        return None if node is None else self._ranks[node][0]

    def path(self, cell: Cell) -> Path:
        """Return the cheapest path to a square within the budget."""
        node, legs = self.nodes[cell], []
        while node in self._last:
            node, leg = self._last[node]
            legs.append(leg)
        return tuple(reversed(legs))


def sub_actions(path: Path) -> list[SubAction]:
    """Return the sub-actions of a path, neighbors of one kind as one (KOV-033)."""
    found: list[SubAction] = []
    for part in (part for leg in path for part in leg.parts):
        if found and found[-1].how == part.how == "walk":
            found[-1] = SubAction("walk", found[-1].cost + part.cost)
        else:
            found.append(part)
    return found
