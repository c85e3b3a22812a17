"""Routes, and the search for those of infantry from Hex to Hex, which goes only as far as it is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.hexon import Hexon
from enfilade.geometry.board.units import Cell
from enfilade.rulesets.torn.battlefield import hexes_beside
from enfilade.rulesets.torn.profiles import Tile
from enfilade.runtime.time_budget import checkpoint

Node = Cell | Hexon


class Route(NamedTuple):
    """A route to a Hex: the tile of the move, its cost, and where it ends.

    `trace` returns the Hexes on the way to an end. It is asked for one route of many, so that paths are not
    built for all.
    """

    tile: Tile
    cost: int
    end: Node
    trace: Callable[[Node], tuple[Cell, ...]]

    @property
    def path(self) -> tuple[Cell, ...]:
        """Return the Hexes on the route, the start first."""
        return self.trace(self.end)


Routes = Mapping[Cell, Route]


def path_to(before: Mapping[Node, Node], node: Node) -> tuple[Node, ...]:
    """Return the nodes on the way to a node, the start first; `before` has the one before each."""
    path = [node]
    while before[path[-1]] != path[-1]:
        path.append(before[path[-1]])
    return tuple(reversed(path))


class HexSearch:
    """The shortest paths from a Hex over its neighbors; each step costs 1. All movement tiles share them."""

    def __init__(
        self, board: HexBoard, start: Cell, barred: frozenset[Cell], occupied: frozenset[Cell]
    ) -> None:
        """No path enters the Hexes in `barred`, and none ends in those in `occupied`."""
        self._board, self._barred, self._no_ends = board, barred, occupied | {start}
        self._costs, self._before, self._queue, self._done = {start: 0}, {start: start}, [start], 0

    def _extend(self, budget: int) -> None:
        """Find all paths that cost at most so much."""
        costs, before, queue = self._costs, self._before, self._queue
        while self._done < len(queue):
            cell = queue[self._done]
            cost = costs[cell] + 1
            if cost > budget:
                return
            checkpoint()
            for neighbor in hexes_beside(self._board, cell):
                if neighbor not in costs and neighbor not in self._barred:
                    costs[neighbor], before[neighbor] = cost, cell
                    queue.append(neighbor)
            self._done += 1

    def costs(self, budget: int) -> dict[Cell, int]:
        """Return the cost of each Hex where a path within a budget may end, the nearest first."""
        self._extend(budget)
        costs, no_ends = self._costs, self._no_ends
        return {at: cost for at, cost in costs.items() if cost <= budget and at not in no_ends}

    def cost(self, at: Cell, budget: int) -> int | None:
        """Return the cost of the path to a Hex; None if none within the budget may end there."""
        self._extend(budget)
        cost = None if at in self._no_ends else self._costs.get(at)
        return cost if cost is not None and cost <= budget else None

    def trace(self, end: Node) -> tuple[Cell, ...]:
        """Return the Hexes on the way to an end, the start first."""
        return path_to(self._before, end)


class HexRoutes(Mapping[Cell, Route]):
    """The routes of one movement tile, from a search; each is made when it is asked for."""

    def __init__(self, search: HexSearch, tile: Tile, budget: int) -> None:
        self._search, self._tile, self._budget = search, tile, budget

    def get(self, at: Cell, default: Any = None) -> Any:
        """Return the route to a Hex, or the default."""
        cost = self._search.cost(at, self._budget)
        return default if cost is None else Route(self._tile, cost, at, self._search.trace)

    def __getitem__(self, at: Cell) -> Route:
        route: Route | None = self.get(at)
        if route is None:
            raise KeyError(at)
        return route

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._search.costs(self._budget))

    def __len__(self) -> int:
        return len(self._search.costs(self._budget))
