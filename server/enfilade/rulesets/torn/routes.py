"""The routes of a miniature: the Hexes in reach of a movement tile, and the way to each.

Infantry moves in Hexes, large and huge miniatures in Hexons.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.bitboard import NO_CELLS, Bits
from enfilade.rules.battle.memo import large, recent
from enfilade.rules.house_rules import setting
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import MARKER, VOLUME, battlefield
from enfilade.rulesets.torn.positions import bodies, enemies, occupancy
from enfilade.rulesets.torn.profiles import Miniature, Tile
from enfilade.rulesets.torn.turn import may_act
from enfilade.rulesets.torn.ways import (
    HexRoutes,
    HexSearch,
    Node,
    Route,
    Routes,
    Ways,
    path_to,
    ways_in_hexes,
    ways_in_hexons,
)
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene


def route_to(scene: Scene, miniature: Miniature, at: Cell) -> Route | None:
    """Return the route to a Hex a miniature may move to now, with the first tile that gets there."""
    for tile in usable_tiles(scene, miniature):
        route = reachable_with(scene, miniature, tile).get(at)
        if route is not None:
            return route
    return None


def reachable_hexes(scene: Scene, miniature: Miniature) -> Routes:
    """Return a route to each Hex a miniature may move to now, with the first tile that gets there."""
    found: dict[Cell, Route] = {}
    for tile in usable_tiles(scene, miniature):
        for cell, route in reachable_with(scene, miniature, tile).items():
            found.setdefault(cell, route)
    return found


@recent
def usable_tiles(scene: Scene, miniature: Miniature) -> Sequence[Tile]:
    """Return the movement tiles that a miniature may use now, Moves before Runs.

    A Hex in reach of several is reached with the first of them.
    """
    tiles = [tile for tile in miniature.profile.tiles if tile.is_movement]
    usable = [tile for tile in tiles if may_act(scene, miniature, tile)]
    return sorted(usable, key=lambda tile: tile.kind)


def move_allowance(scene: Scene, miniature: Miniature, tile: Tile) -> int:
    """Return the distance of a Move or Run: less if slowed, but at least one."""
    if not miniature.token.has("slowed"):
        return tile.range
    return max(1, tile.range - int(setting(scene, house_rules.SLOWED_BY)))


@large
def reachable_with(scene: Scene, miniature: Miniature, tile: Tile) -> Routes:
    """Return a route to each Hex in reach of one movement tile, as if it were the miniature's turn.

    Cached, because a move and the ruling on it follow the same routes.
    """
    find_routes = _routes_in_hexes if miniature.profile.size == "infantry" else _routes_in_hexons
    found = find_routes(scene, miniature, tile)
    if not miniature.token.has("panic"):
        return found
    from_enemies = _distance_from_enemies(scene, miniature)
    start = from_enemies(miniature.token.at)
    return {at: route for at, route in found.items() if from_enemies(at) > start}


def move_costs(scene: Scene, miniature: Miniature) -> dict[Cell, int]:
    """Return the cost of each Hex a miniature may move to now: that of its route."""
    costs: dict[Cell, int] = {}
    tiles = usable_tiles(scene, miniature)
    if tiles and all(is_plain(miniature, tile) for tile in tiles):
        # All count the same steps, so that the longest has the routes of the others.
        tiles = [max(tiles, key=lambda tile: tile.range)]
    for tile in tiles:
        costs = reach_costs(scene, miniature, tile) | costs
    return costs


def reach_costs(scene: Scene, miniature: Miniature, tile: Tile) -> dict[Cell, int]:
    """Return the cost of each Hex in reach of one movement tile."""
    layers = _layers(scene, miniature, tile)
    if layers is None:
        return {cell: route.cost for cell, route in reachable_with(scene, miniature, tile).items()}
    bits = battlefield(scene).bits
    return {cell: cost for cost, layer in enumerate(layers, 1) for cell in bits.cells(layer)}


def is_plain(miniature: Miniature, tile: Tile) -> bool:
    """Return whether a move counts the steps of infantry from Hex to Hex, wherever they lead."""
    is_infantry, has_panic = miniature.profile.size == "infantry", miniature.token.has("panic")
    return is_infantry and tile.unit == "hex" and not has_panic


def longest_moves(scene: Scene, miniature: Miniature) -> Iterable[Tile]:
    """Return the movement tile with the longest way for each unit; a shorter one leads to fewer Hexes."""
    tiles = [tile for tile in miniature.profile.tiles if tile.is_movement]
    tiles.sort(key=lambda tile: move_allowance(scene, miniature, tile))
    return {tile.unit: tile for tile in tiles}.values()


def _layers(scene: Scene, miniature: Miniature, tile: Tile) -> Iterator[Bits] | None:
    """Return the free Hexes that infantry reaches for 1, 2, 3, ... Hexes; None if only routes tell them."""
    at = miniature.token.at
    assert at is not None
    if not is_plain(miniature, tile):
        return None
    bits, closed = battlefield(scene).bits, battlefield(scene).volume_bits
    occupied = bits.of(battlefield(scene).terrain_cells(MARKER))
    for other, body in bodies(scene):
        if other.id != miniature.id:
            occupied |= body
            closed |= NO_CELLS if scene.are_allies(miniature.token, other.token) else body
    steps = move_allowance(scene, miniature, tile)
    return (layer & ~occupied for layer in bits.layers(bits.of_cell(at), closed, steps))


def _distance_from_enemies(scene: Scene, miniature: Miniature) -> Callable[[Cell | None], float]:
    """Return a function for the Hexes from a miniature to its nearest enemy, if any, if it stood at a Hex."""
    field = battlefield(scene)
    others = [field.body(enemy) for enemy in enemies(scene, miniature)]

    def nearest(at: Cell | None) -> float:
        body = field.body(miniature, at)
        return min([field.distance(body, other) for other in others], default=inf)

    return nearest


def _routes_in_hexes(scene: Scene, miniature: Miniature, tile: Tile) -> Routes:
    """Return routes for infantry: past allies, not past enemies or Volume Landscape, to a free Hex."""
    start = miniature.token.at
    assert start is not None
    budget = move_allowance(scene, miniature, tile)
    if tile.unit == "hex":
        return HexRoutes(_hex_search(scene, miniature), tile, budget)
    return _routes_over(ways_in_hexes(scene, miniature, tile), tile, budget)


@large
def _hex_search(scene: Scene, miniature: Miniature) -> HexSearch:
    """Return the paths of infantry: past allies, not past enemies or Volume Landscape, to a free Hex.

    Cached, because all movement tiles that count Hexes lead over the same paths.
    """
    field, others = battlefield(scene), occupancy(scene, miniature)
    assert miniature.token.at is not None
    barred = others.enemies | field.terrain_cells(VOLUME)
    return HexSearch(field.board, miniature.token.at, barred, others.occupied | field.terrain_cells(MARKER))


def _routes_in_hexons(scene: Scene, miniature: Miniature, tile: Tile) -> Routes:
    """Return routes from Hexon to Hexon. A large miniature may end on infantry that it cannot pass."""
    return _routes_over(ways_in_hexons(scene, miniature), tile, move_allowance(scene, miniature, tile))


def _routes_over(ways: Ways, tile: Tile, budget: int) -> Routes:
    found: dict[Cell, Route] = {}
    costs, before = _shortest_routes(ways.start, ways.steps, budget)

    def trace(end: Node) -> tuple[Cell, ...]:
        return tuple([ways.center(node) for node in path_to(before, end)])

    for node, cost in costs.items():
        if node != ways.start and ways.may_end(node):
            route = Route(tile, cost, node, trace)
            found |= dict.fromkeys(ways.hexes(node), route)
    return found


def drawn_route(scene: Scene, miniature: Miniature, waypoints: Sequence[Cell]) -> Route | None:
    """Return the route through waypoints with the first tile that gets to their end; None if none does.

    Each Hex or Hexon beside the one before is the way; to one farther away the shortest way is taken.
    """
    for tile in usable_tiles(scene, miniature):
        is_infantry = miniature.profile.size == "infantry"
        ways = ways_in_hexes(scene, miniature, tile) if is_infantry else ways_in_hexons(scene, miniature)
        route = _drawn(ways, tile, move_allowance(scene, miniature, tile), waypoints)
        if route is not None and not (miniature.token.has("panic") and not _flees(scene, miniature, route)):
            return route
    return None


def _drawn(ways: Ways, tile: Tile, budget: int, waypoints: Sequence[Cell]) -> Route | None:
    nodes, spent = [ways.start], 0
    for waypoint in waypoints:
        to = ways.node(waypoint)
        if to == nodes[-1]:
            continue
        costs, before = {nodes[-1]: 0, **dict(ways.steps(nodes[-1]))}, {}
        if ways.are_beside(nodes[-1], to):
            before = dict.fromkeys(costs, nodes[-1])
        else:
            costs, before = _shortest_routes(nodes[-1], ways.steps, budget - spent)
        if to not in costs or spent + costs[to] > budget:
            return None
        spent += costs[to]
        nodes += path_to(before, to)[1:]
    if len(nodes) == 1 or not ways.may_end(nodes[-1]):
        return None
    path = tuple([ways.center(node) for node in nodes])
    return Route(tile, spent, nodes[-1], lambda _: path)


def _flees(scene: Scene, miniature: Miniature, route: Route) -> bool:
    """Return whether a route ends farther from all enemies than it starts."""
    from_enemies = _distance_from_enemies(scene, miniature)
    return from_enemies(route.path[-1]) > from_enemies(miniature.token.at)


def _shortest_routes(
    start: Node, steps: Callable[[Node], Iterable[tuple[Node, int]]], budget: int
) -> tuple[dict[Node, int], dict[Node, Node]]:
    """Return the cost of each node within the budget, and the node before it; steps cost 0 or 1."""
    costs, before, queue = {start: 0}, {start: start}, deque([start])
    while queue:
        checkpoint()
        node = queue.popleft()
        so_far = costs[node]
        for neighbor, cost in steps(node):
            total = so_far + cost
            if total <= budget and total < costs.get(neighbor, budget + 1):
                costs[neighbor], before[neighbor] = total, node
                (queue.append if cost else queue.appendleft)(neighbor)
    return costs, before
