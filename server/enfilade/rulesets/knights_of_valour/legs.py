"""Legs: the sub-actions from each square to the next where a creature can stand (KOV-035 to KOV-044)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from enfilade.geometry.board.base import LANES, Cell
from enfilade.geometry.board.padded_grid import grid_of
from enfilade.geometry.board.square import SquareBoard
from enfilade.rules.battle.memo import large
from enfilade.rulesets.knights_of_valour.battlefield import FEET, landscape_of
from enfilade.rulesets.knights_of_valour.sub_actions import (
    DIFFICULT,
    Leg,
    MoveRules,
    SubAction,
    SubActions,
    climb_cost,
    descent_cost,
    leap_cost,
    vault_cost,
)
from enfilade.scene.model import Terrain

CountedLeg = tuple[Leg, int]
"""A leg, and the diagonal squares of a path up to its end."""

_LANE_OF = {step: lane for lane, step in enumerate(LANES)}


class LegFinder:
    """The legs of a creature on a map without other creatures."""

    def __init__(self, terrain: tuple[Terrain, ...], barred: bytes, board: SquareBoard, rules: MoveRules):
        self.ground = landscape_of(terrain)
        self.barred = barred
        self.board = board
        self.rules = rules
        self.grid = grid_of(board)
        costs = board.diagonals.value
        self._straight = FEET * costs.straight
        self._diagonal = [FEET * cost for cost in (costs.odd, costs.even) if cost]

    def legs(self, start: Cell, diagonals: int) -> Iterator[CountedLeg]:
        """Yield the legs from a square where a path has entered so many diagonal squares."""
        for lane in self.board.lanes(start):
            found = self._leg(start, LANES[lane], diagonals)
            if found is not None:
                yield found

    def crossings(self, start: Cell, diagonals: int) -> Iterator[CountedLeg]:
        """Yield the legs that cross a gap or an obstacle beside a square."""
        for lane in self.board.lanes(start):
            beside = self.board.shift(start, LANES[lane])
            if beside in self.ground.gaps or beside in self.ground.obstacles:
                found = self._leg(start, LANES[lane], diagonals)
                if found is not None:
                    yield found

    def _leg(self, start: Cell, step: Cell, diagonals: int) -> CountedLeg | None:
        ground, end = self.ground, self.board.shift(start, step)
        if not self._is_open(start, end, step):
            return None
        if end in ground.gaps:
            return self._leap(start, step, diagonals)
        if end in ground.obstacles:
            return self._cross(start, step, diagonals)
        return self._arrive(start, end, step, diagonals) if ground.is_standable(end) else None

    def _is_open(self, start: Cell, end: Cell, step: Cell) -> bool:
        if end not in self.board:
            return False
        return not self.barred[self.grid.index(start)] >> _LANE_OF[step] & 1

    def _leap(self, start: Cell, step: Cell, diagonals: int) -> CountedLeg | None:
        """Return the leap over the squares of a gap in a straight line, with the step onto its far side."""
        ground, end, width = self.ground, self.board.shift(start, step), 0
        while end in ground.gaps:
            width += self._step_cost(step, diagonals)
            diagonals += _is_diagonal(step)
            edge, end = end, self.board.shift(end, step)
            if not self._is_open(edge, end, step):
                return None
        cost = leap_cost(self.rules.height, width)
        if cost is None or not ground.is_standable(end) or ground.height(end) > ground.height(start):
            return None
        return self._arrive(start, end, step, diagonals, (SubAction("leap", cost),))

    def _cross(self, start: Cell, step: Cell, diagonals: int) -> CountedLeg | None:
        """Return the vault over a low obstacle of one square, or the climb over a higher or a wider one.

        What is low counts from the ground of the start; the ground behind does not matter (KOV-039, KOV-040).
        """
        ground, end, squares, top = self.ground, self.board.shift(start, step), 0, 0
        while end in ground.obstacles:
            squares, top = squares + 1, max(top, ground.obstacles[end])
            edge, end = end, self.board.shift(end, step)
            if not self._is_open(edge, end, step):
                return None
        if not ground.is_standable(end):
            return None
        rise = top - ground.height(start)
        vault = vault_cost(self.rules.height, rise, self.rules.five) if squares == 1 else None
        if vault is not None:
            return self._arrive(start, end, step, diagonals, (SubAction("vault", vault),))
        return self._climb_over(start, end, step, diagonals, top, squares)

    def _climb_over(
        self, start: Cell, end: Cell, step: Cell, diagonals: int, top: int, squares: int
    ) -> CountedLeg | None:
        """Return the climb to the top of an obstacle, and down behind it; ground behind may be higher."""
        drop = top - self.ground.height(end)
        if drop < 0 and end in self.ground.cliffs:
            return None
        up = SubAction("climb", climb_cost(max(0, top - self.ground.height(start))))
        if drop >= 0:
            down = SubAction("descend", descent_cost(self.rules.height, drop, self.rules.counts_excess))
        else:
            down = SubAction("climb", climb_cost(-drop))
        feet = 0
        for number in range(squares):
            feet += (
                self._step_onto(end, step, diagonals)
                if number == squares - 1
                else self._step_cost(step, diagonals)
            )
            diagonals += _is_diagonal(step)
        return Leg(start, end, (up, down, SubAction("walk", feet))), diagonals

    def _step_onto(self, end: Cell, step: Cell, diagonals: int) -> int:
        """Return the feet of a step onto a square after so many diagonal squares (KOV-035, C-10)."""
        feet = self._step_cost(step, diagonals)
        if end in self.ground.difficult:
            return (_is_diagonal(step) and self.rules.difficult_diagonal) or DIFFICULT * feet
        return feet

    def _arrive(
        self, start: Cell, end: Cell, step: Cell, diagonals: int, before: SubActions = ()
    ) -> CountedLeg | None:
        """Return a leg that ends with a step, a climb or a descent onto its last square."""
        ground = self.ground
        feet = self._step_onto(end, step, diagonals)
        walk, rise = SubAction("walk", feet), ground.height(end) - ground.height(start)
        parts = (*before, walk)
        if rise > 0:
            if end in ground.cliffs:
                return None
            parts = (*before, SubAction("climb", climb_cost(rise)), walk)
        elif rise < 0:
            down = descent_cost(self.rules.height, -rise, self.rules.counts_excess)
            parts = (*parts, SubAction("descend", down))
        return Leg(start, end, parts), diagonals + _is_diagonal(step)

    def _step_cost(self, step: Cell, diagonals: int) -> int:
        """Return the feet of a step after so many diagonal squares."""
        return self._diagonal[diagonals % 2] if _is_diagonal(step) else self._straight


def _is_diagonal(step: Cell) -> bool:
    return step[0] != 0 and step[1] != 0


Node = int
"""A square, and whether the number of diagonal squares before it is odd: twice the square's index, plus 1.

Nodes count up column by column.
"""

DIAGONAL_BITS = 16
"""The bits of a rank that count diagonal squares."""


class Edge(NamedTuple):
    """A leg as a search needs it: the node where it ends, what it adds to a path's rank, and its parts."""

    node: Node
    rank: int
    """The cost in feet, shifted by `DIAGONAL_BITS`, plus the diagonal squares."""
    parts: SubActions


class LegTable:
    """The edges from each node of a map, each computed when a search first gets there."""

    def __init__(self, finder: LegFinder) -> None:
        self.finder = finder
        self.rows = finder.board.rows
        self.alternates = finder.board.diagonals.alternate
        self._edges: dict[Node, tuple[Edge, ...]] = {}
        self._parts: dict[SubActions, SubActions] = {}

    def node(self, cell: Cell, is_odd: bool = False) -> Node:
        """Return the node of a square."""
        return 2 * (cell[0] * self.rows + cell[1]) + is_odd

    def cell(self, node: Node) -> Cell:
        """Return the square of a node."""
        return divmod(node >> 1, self.rows)

    def edges(self, node: Node) -> tuple[Edge, ...]:
        """Return the edges from a node."""
        found = self._edges.get(node)
        if found is None:
            legs = self.finder.legs(self.cell(node), node & 1)
            found = self._edges[node] = tuple(self._edge(leg, count, node & 1) for leg, count in legs)
        return found

    def _edge(self, leg: Leg, diagonals: int, before: int) -> Edge:
        there = self.node(leg.end, self.alternates and diagonals % 2 == 1)
        # Most legs of a map have one of a few chains of sub-actions: they share them.
        parts = self._parts.setdefault(leg.parts, leg.parts)
        return Edge(there, (leg.cost << DIAGONAL_BITS) + diagonals - before, parts)

    def leg_to(self, start: Cell, goal: Cell) -> Leg | None:
        """Return the cheapest leg between two squares; None if the map has changed and there is none."""
        node = self.node(start)
        legs = [self.leg(node, edge) for edge in self.edges(node) if self.cell(edge.node) == goal]
        return min(legs, key=lambda leg: leg.cost, default=None)

    def leg(self, start: Node, edge: Edge) -> Leg:
        """Return the leg of an edge."""
        return Leg(self.cell(start), self.cell(edge.node), edge.parts)


@large
def leg_table(terrain: tuple[Terrain, ...], barred: bytes, board: SquareBoard, rules: MoveRules) -> LegTable:
    """Return the legs of a creature on a map; cached, because they change only with doors and terrain."""
    return LegTable(LegFinder(terrain, barred, board, rules))
