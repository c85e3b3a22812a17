"""Paths: the cheapest chains of legs of a Move Action (KOV-033, KOV-034)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from enfilade.geometry.board.base import Cell
from enfilade.rules.house_rules import is_on, setting
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import FEET, Battlefield, battlefield
from enfilade.rulesets.knights_of_valour.legs import DIAGONAL_BITS, Edge, Node, leg_table
from enfilade.rulesets.knights_of_valour.profiles import Creature, height
from enfilade.rulesets.knights_of_valour.sub_actions import Leg, MoveRules, SubAction
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene

Path = tuple[Leg, ...]

THREE_SQUARES = 3 * FEET
"""The feet of each diagonal step onto difficult terrain by a house rule, if diagonals take turns (C-10)."""
UNLIMITED = 20_000
"""More feet than the longest path over a board that a player would walk."""
NODE_BITS = 24
"""The bits of a queue's entry that hold the node: a board has at most 2 ** 22 cells."""
NODE_MASK = (1 << NODE_BITS) - 1
LEAST_RANK = FEET << DIAGONAL_BITS
"""The least that a leg adds to the rank of a path: it ends with a step."""


def move_rules(scene: Scene, creature: Creature) -> MoveRules:
    """Return the numbers of a creature and its rules that decide its legs."""
    counts_excess = setting(scene, house_rules.DESCENT) == house_rules.DESCENT.options[1]
    battle = battlefield(scene)
    is_fixed = setting(scene, house_rules.DIFFICULT_DIAGONALS) == house_rules.DIFFICULT_DIAGONALS.options[1]
    difficult = THREE_SQUARES if is_fixed and battle.board.diagonals.alternate else 0
    return MoveRules(height(scene, creature), battle.five, counts_excess, difficult)


class Threats:
    """The enemies that may attack a creature when it leaves a square in their reach (KOV-036)."""

    def __init__(self, at: Mapping[Cell, frozenset[str]], kept: Mapping[Cell, frozenset[str]]) -> None:
        """`at` has the enemies that reach each square, `kept` those that are not left by a step there."""
        self._at = at
        self._kept = kept

    def provoked(self, start: Cell, end: Cell) -> frozenset[str]:
        """Return the enemies that reach a square and are left by a step to the next."""
        here = self._at.get(start)
        return here - self._kept.get(end, _NOBODY) if here else _NOBODY

    def __bool__(self) -> bool:
        """Return whether there is an enemy that may attack."""
        return bool(self._at)


_NOBODY = frozenset[str]()


class Mover:
    """A creature on the move: the squares where it can end, and those that it cannot pass."""

    def __init__(self, scene: Scene, creature: Creature) -> None:
        self.battle: Battlefield = battlefield(scene)
        self.creature = creature
        rules = move_rules(scene, creature)
        self.table = leg_table(scene.terrain, self.battle.barred, self.battle.board, rules)
        self.others = {
            one.token.at: one
            for one in self.battle.units
            if one.id != creature.id and one.token.at is not None and one.token.at in self.battle.board
        }
        passes_allies = is_on(scene, house_rules.PASS_ALLIES)
        self.blocked = {
            self.table.node(cell) >> 1
            for cell, other in self.others.items()
            if not (passes_allies and self.battle.are_allies(other, creature))
        }

    def can_end_or_stay(self, cell: Cell) -> bool:
        """Return whether the creature can be on a square after a move: a free one, or its own."""
        return cell == self.creature.token.at or self.can_end(cell)

    def can_end(self, cell: Cell) -> bool:
        """Return whether the creature can end a move on a square: it is free ground."""
        return cell not in self.others and self.battle.landscape.is_standable(cell)


class Search:
    """The cheapest paths of a creature from a square within a budget, in feet.

    Of two paths at one cost, the one with fewer diagonal squares is taken: it looks straighter. With
    `threats` no leg provokes an enemy.
    """

    def __init__(
        self,
        mover: Mover,
        start: Cell | Node,
        budget: int,
        threats: Threats | None = None,
        goal: Cell | None = None,
    ) -> None:
        """`start` is a node where the path goes on from another search.

        The search ends at the `goal`: if diagonals take turns, with both of its nodes.
        """
        self.mover = mover
        self._threats = threats
        self._goal = goal
        first = start if isinstance(start, int) else mover.table.node(start)
        self._ranks: dict[Node, int] = {first: 0}
        self._last: dict[Node, tuple[Node, Edge]] = {}
        self.nodes: dict[Cell, Node] = {}
        self.goals: list[Node] = []
        self._first = first
        self._run(first, (budget + 1) << DIAGONAL_BITS)

    def _run(self, first: Node, limit: int) -> None:
        """Settle all nodes below a rank."""
        table, ranks, blocked, queue = self.mover.table, self._ranks, self.mover.blocked, [first]
        last, threats = self._last, self._threats or None
        while queue:
            checkpoint()
            entry = heappop(queue)
            rank, node = entry >> NODE_BITS, entry & NODE_MASK
            if rank > ranks[node]:
                continue
            cell = table.cell(node)
            self.nodes.setdefault(cell, node)
            if cell == self._goal:
                self.goals.append(node)
                if len(self.goals) > table.alternates:
                    return
                limit = 0  # its other node could save less than a step: if it does, it is in the queue
                continue
            for edge in table.edges(node) if rank + LEAST_RANK < limit else ():
                there, added, _ = edge
                reached = rank + added
                if reached >= ranks.get(there, limit) or there >> 1 in blocked:
                    continue
                if threats is not None and threats.provoked(cell, table.cell(there)):
                    continue
                ranks[there], last[there] = reached, (node, edge)
                heappush(queue, (reached << NODE_BITS) + there)

    def costs(self) -> dict[Cell, int]:
        """Return the cost of each square where the creature can end."""
        can_end, ranks = self.mover.can_end, self._ranks
        return {cell: ranks[node] >> DIAGONAL_BITS for cell, node in self.nodes.items() if can_end(cell)}

    def cost(self, cell: Cell) -> int | None:
        """Return the cost of a square; None beyond the budget."""
        node = self.nodes.get(cell)
        return None if node is None else self._ranks[node] >> DIAGONAL_BITS

    def direct(self, cell: Cell) -> Path:
        """Return the one leg from the start to a square, if no path is cheaper; empty otherwise."""
        table, cost = self.mover.table, self.cost(cell)
        edges = [one for one in table.edges(self._first) if table.cell(one.node) == cell]
        return tuple([table.leg(self._first, one) for one in edges if one.rank >> DIAGONAL_BITS == cost])

    def rank(self, node: Node) -> int:
        """Return the rank of a node within the budget: its feet, then its diagonal squares."""
        return self._ranks[node]

    def path(self, cell: Cell) -> Path:
        """Return the cheapest path to a square within the budget."""
        return self.path_to(self.nodes[cell])

    def path_to(self, node: Node) -> Path:
        """Return the cheapest path to a node within the budget."""
        legs = []
        while node in self._last:
            node, edge = self._last[node]
            legs.append(self.mover.table.leg(node, edge))
        return tuple(reversed(legs))

    def provoked(self, threats: Threats) -> dict[Cell, frozenset[str]]:
        """Return the squares whose cheapest path provokes enemies, with those."""
        if not threats:
            return {}
        found: dict[Node, frozenset[str]] = {}
        cell = self.mover.table.cell
        for node in sorted(self._last, key=self._ranks.__getitem__):  # a path's nodes come in this order
            before, _ = self._last[node]
            ids = found.get(before, _NOBODY) | threats.provoked(cell(before), cell(node))
            if ids:
                found[node] = ids
        return {cell: found[node] for cell, node in self.nodes.items() if node in found}


class Partial(NamedTuple):
    """A path up to a waypoint, with its rank. If diagonals take turns, there may be two to one square."""

    rank: int
    node: Node
    legs: Path = ()


def route(mover: Mover, path: Sequence[Cell], start: Cell | Node, budget: int) -> Path | None:
    """Return the legs of the cheapest path through waypoints, within a budget if possible; None without one.

    Squares that follow each other are a drawn path: it is walked as drawn, or not at all. To a waypoint
    farther away the cheapest path is taken. An intermediate waypoint may be a square where the creature
    cannot end, if it may pass.
    """
    ways, place = [Partial(0, start if isinstance(start, int) else mover.table.node(start))], 0
    while place < len(path):
        cell = mover.table.cell(ways[0].node)
        if len(path) > 1 and max(abs(cell[0] - path[place][0]), abs(cell[1] - path[place][1])) <= 1:
            count, ways = _drawn(mover, ways, path[place:])
        else:
            count, ways = 1, _searched(mover, ways, path[place], budget)
        if not ways:
            return None
        place += count
    return min(ways).legs


def _drawn(mover: Mover, ways: Sequence[Partial], path: Sequence[Cell]) -> tuple[int, list[Partial]]:
    """Return how many squares of a drawn path the next leg of each way takes, and the ways after it.

    A leg over a gap or an obstacle takes the squares that it crosses.
    """
    table, count, found = mover.table, 1, []
    for way in ways:
        cell = table.cell(way.node)
        if cell == path[0]:
            found.append(way)
        for edge in table.edges(way.node):
            crossed = straight(cell, table.cell(edge.node))
            if crossed == list(path[: len(crossed)]) and edge.node >> 1 not in mover.blocked:
                count = len(crossed)
                found.append(Partial(way.rank + edge.rank, edge.node, (*way.legs, table.leg(way.node, edge))))
    return count, found


def straight(start: Cell, end: Cell) -> list[Cell]:
    """Return the squares from one to another in one of eight directions, without the first."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = max(abs(across), abs(down))
    return [
        (start[0] + across // length * step, start[1] + down // length * step)
        for step in range(1, length + 1)
    ]


def _searched(mover: Mover, ways: Sequence[Partial], cell: Cell, budget: int) -> list[Partial]:
    """Return the cheapest ways on to a waypoint, within a budget if one is."""
    for limit in (budget, UNLIMITED):
        found: dict[Node, Partial] = {}
        for way in ways:
            search = Search(mover, way.node, limit - (way.rank >> DIAGONAL_BITS), goal=cell)
            for node in search.goals:
                on = Partial(way.rank + search.rank(node), node, (*way.legs, *search.path_to(node)))
                found[node] = min(found.get(node, on), on)
        if found:
            return list(found.values())
    return []


def diagonals_of(leg: Leg) -> int:
    """Return how many diagonal squares a leg counts: over an obstacle, one less than its length."""
    across, down = abs(leg.end[0] - leg.start[0]), abs(leg.end[1] - leg.start[1])
    count = min(across, down)
    return count if count < 2 or leg.parts[0].how == "leap" else count - 1


def sub_actions(path: Path) -> list[SubAction]:
    """Return the sub-actions of a path, neighbors of one kind as one (KOV-033)."""
    found: list[SubAction] = []
    for part in (part for leg in path for part in leg.parts):
        if found and found[-1].how == part.how == "walk":
            found[-1] = SubAction("walk", found[-1].cost + part.cost)
        else:
            found.append(part)
    return found
