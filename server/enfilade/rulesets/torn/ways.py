"""Ways: routes, and the steps of a miniature from Hex to Hex or from Hexon to Hexon, and where it may end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.hexon import Hexon, hexon_neighbors
from enfilade.rules.house_rules import is_on
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import MARKER, VOLUME, battlefield, hexes_beside
from enfilade.rulesets.torn.positions import Occupancy, occupancy
from enfilade.rulesets.torn.profiles import Miniature, Tile
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene

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


class Ways(NamedTuple):
    """The steps of a miniature.

    Attributes:
        start: the Hex or Hexon where it is.
        node: the Hex or Hexon of a Hex.
        steps: the nodes one step away from a node, each with its cost.
        are_beside: whether two nodes are adjacent, with or without a way between them.
        may_end: whether a move may end at a node.
        center: the place of a miniature at a node.
        hexes: the Hexes of a node.
    """

    start: Node
    node: Callable[[Cell], Node]
    steps: Callable[[Node], Iterable[tuple[Node, int]]]
    are_beside: Callable[[Node, Node], bool]
    may_end: Callable[[Node], bool]
    center: Callable[[Node], Cell]
    hexes: Callable[[Node], Iterable[Cell]]


def ways_in_hexes(scene: Scene, miniature: Miniature, tile: Tile) -> Ways:
    """Return the ways of infantry: past allies, not past enemies or Volume Landscape, to a free Hex.

    A tile that counts Hexons pays for the steps from one to another.
    """
    field, others = battlefield(scene), occupancy(scene, miniature)
    barred = others.enemies | field.terrain_cells(VOLUME)
    occupied = others.occupied | field.terrain_cells(MARKER)
    assert miniature.token.at is not None

    def steps(cell: Cell) -> list[tuple[Cell, int]]:
        beside = [neighbor for neighbor in hexes_beside(field.board, cell) if neighbor not in barred]
        if tile.unit == "hex":
            return [(neighbor, 1) for neighbor in beside]
        hexon = field.hexon_at(cell)
        return [(neighbor, int(field.hexon_at(neighbor) != hexon)) for neighbor in beside]

    return Ways(
        miniature.token.at,
        lambda cell: cell,
        steps,
        lambda one, other: other in hexes_beside(field.board, one),
        lambda cell: cell not in occupied,
        lambda cell: cell,
        lambda cell: (cell,),
    )


def ways_in_hexons(scene: Scene, miniature: Miniature) -> Ways:
    """Return the ways of a large or huge miniature. It may end on infantry that it cannot pass."""
    field, others = battlefield(scene), occupancy(scene, miniature)
    volume = field.terrain_cells(VOLUME)
    assert miniature.token.at is not None
    start = field.hexon_at(miniature.token.at)

    def body(hexon: Hexon) -> frozenset[Cell]:
        return field.body(miniature, field.center(hexon))

    @cache
    def can_enter(hexon: Hexon) -> bool:
        is_on_board = all(field.is_on_board(part) for part in field.base(miniature, hexon))
        return is_on_board and _can_enter(scene, volume, others, miniature, body(hexon))

    def steps(hexon: Hexon) -> Iterator[tuple[Hexon, int]]:
        if hexon == start or can_pass(volume, others, miniature, body(hexon)):
            yield from ((neighbor, 1) for neighbor in hexon_neighbors(hexon) if can_enter(neighbor))

    return Ways(
        start,
        field.hexon_at,
        steps,
        lambda one, other: other in hexon_neighbors(one),
        lambda hexon: can_end(scene, others, body(hexon)),
        field.center,
        field.hexes_in,
    )


def _can_enter(
    scene: Scene, volume: frozenset[Cell], others: Occupancy, miniature: Miniature, hexes: frozenset[Cell]
) -> bool:
    if miniature.profile.size == "large" and hexes & volume:
        return False
    return can_pass(volume, others, miniature, hexes) or can_end(scene, others, hexes)


def can_pass(
    volume: frozenset[Cell], others: Occupancy, miniature: Miniature, hexes: frozenset[Cell]
) -> bool:
    """Return whether a large miniature may pass: over allied infantry, and if huge through volumes."""
    is_barred = hexes & others.enemies or hexes & others.allied_large
    return not is_barred and (miniature.profile.size == "huge" or not hexes & volume)


def can_end(scene: Scene, others: Occupancy, hexes: frozenset[Cell]) -> bool:
    """Return whether a large miniature may end here: on infantry only if that has room to step out."""
    if hexes & others.large:
        return False
    pushed = hexes & others.infantry
    if not pushed:
        return True
    field = battlefield(scene)
    # The infantry steps out before the mover leaves its own Hexes.
    occupied = (
        others.occupied | others.own | hexes | field.terrain_cells(VOLUME) | field.terrain_cells(MARKER)
    )
    has_room = field.board.columns * field.board.rows - len(occupied) >= len(pushed)
    return is_on(scene, house_rules.EJECTION) and has_room
