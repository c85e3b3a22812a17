"""Searches over places: the cheapest paths within a budget, and the steps to the nearest of some goals."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from typing import Generic, TypeVar

from enfilade.runtime.time_budget import checkpoint

N = TypeVar("N", bound=Hashable)

TIE_BITS = 16
"""The bits of a rank below its cost, which decide between paths of equal cost."""


def rank(cost: int, tie: int = 0) -> int:
    """Return the rank of a step: its cost, and a number of which less is better among paths of equal cost."""
    return (cost << TIE_BITS) + tie


Steps = Callable[[N], Iterable[tuple[N, int]]]
"""Returns the nodes one step away from a node, each with the rank of the step."""


class Search(Generic[N]):
    """The cheapest paths from a start within a budget. `costs` has the nodes in reach, the nearest first."""

    def __init__(self, start: N, budget: int, steps: Steps[N], goal: N | None = None) -> None:
        """The search ends at the `goal`, if there is one."""
        self.costs: dict[N, int] = {}
        self._before: dict[N, N] = {}
        self._run(start, rank(budget + 1), steps, goal)

    def _run(self, start: N, limit: int, steps: Steps[N], goal: N | None) -> None:
        best, before, costs, queue = {start: 0}, self._before, self.costs, [(0, start)]
        while queue:
            checkpoint()
            known, node = heappop(queue)
            if node in costs:
                continue
            costs[node] = known >> TIE_BITS
            if node == goal:
                return
            for there, added in steps(node):
                total = known + added
                if total < best.get(there, limit):
                    best[there], before[there] = total, node
                    heappush(queue, (total, there))

    def path(self, node: N) -> list[N]:
        """Return the nodes of the cheapest path to a node in reach, the start first."""
        nodes = [node]
        while nodes[-1] in self._before:
            nodes.append(self._before[nodes[-1]])
        return nodes[::-1]


def steps_to(goals: Iterable[N], start: N, steps: Steps[N], most: int) -> dict[N, int]:
    """Return the steps from nodes to the nearest goal, from the goals on until the start is reached.

    The search ends after `most` nodes.
    """
    reached: dict[N, int] = {}
    frontier, count = list(goals), 0
    while frontier and start not in reached and len(reached) < most:
        checkpoint()
        following: list[N] = []
        for node in frontier:
            if node not in reached:
                reached[node] = count
                following += [there for there, _ in steps(node)]
        frontier, count = following, count + 1
    return reached
