"""Move and Run: the Hexes in reach, the ruling on a move, and the action itself.

Infantry moves in Hexes, large and huge miniatures in Hexons. The movement chapter is known in part only;
docs/rulesets/torn.md has what it says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.geometry.board.bitboard import Bits
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.hexon import Hexon, hexon_neighbors
from enfilade.geometry.board.units import Cell
from enfilade.i18n import localize
from enfilade.rules.cache import FEW, MANY, identity_cache
from enfilade.rules.changes import move_token
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import Act, Change, Choose, Outcome, Step, Steps
from enfilade.rules.ruleset import Provocation, Reach, Ruling
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import (
    MARKER,
    VOLUME,
    Occupancy,
    battlefield,
    bodies,
    cell_answers,
    enemies,
    hexes_beside,
    is_free,
    miniatures,
    occupancy,
    parse_cell,
    scene_weight,
)
from enfilade.rulesets.torn.combat.reactions import free_attackers, free_attacks
from enfilade.rulesets.torn.profiles import Miniature, Tile, read_miniature
from enfilade.rulesets.torn.turn import action_refusal, spend_action
from enfilade.scene.events import Explained, MapSet
from enfilade.scene.model import Scene, Token
from enfilade.time_budget import checkpoint

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


Routes = dict[Cell, Route]


def route_to(scene: Scene, miniature: Miniature, at: Cell) -> Route | None:
    """Return the route to a Hex a miniature may move to now, with the first tile that gets there."""
    for tile in _in_order(usable_tiles(scene, miniature)):
        route = reachable_with(scene, miniature, tile).get(at)
        if route is not None:
            return route
    return None


def reachable_hexes(scene: Scene, miniature: Miniature) -> Routes:
    """Return a route to each Hex a miniature may move to now, with the first tile that gets there."""
    found: Routes = {}
    for tile in _in_order(usable_tiles(scene, miniature)):
        for cell, route in reachable_with(scene, miniature, tile).items():
            found.setdefault(cell, route)
    return found


def _in_order(tiles: Iterable[Tile]) -> list[Tile]:
    """Return tiles in the order in which a Hex in reach of several is reached: Moves before Runs."""
    return sorted(tiles, key=lambda tile: tile.kind)


@identity_cache(MANY)
def usable_tiles(scene: Scene, miniature: Miniature) -> Sequence[Tile]:
    """Return the movement tiles that a miniature may use now."""
    return [
        tile
        for tile in miniature.profile.tiles
        if tile.is_movement and not action_refusal(scene, miniature, tile)
    ]


def move_allowance(scene: Scene, miniature: Miniature, tile: Tile) -> int:
    """Return the distance of a Move or Run: less if slowed, but at least one."""
    if not miniature.token.has("slowed"):
        return tile.range
    return max(1, tile.range - int(setting(scene, house_rules.SLOWED_BY)))


def reachable_with(scene: Scene, miniature: Miniature, tile: Tile) -> Routes:
    """Return a route to each Hex in reach of one movement tile, as if it were the miniature's turn."""
    if scene.token(miniature.id) is miniature.token:
        return _routes(scene, miniature.id, tile)
    return _find_routes(scene, miniature, tile)


@identity_cache(FEW, scene_weight)
def _routes(scene: Scene, token: str, tile: Tile) -> Routes:
    # A move and the ruling on it follow the same routes.
    return _find_routes(scene, read_miniature(scene.token(token)), tile)


def _find_routes(scene: Scene, miniature: Miniature, tile: Tile) -> Routes:
    find_routes = _routes_in_hexes if miniature.profile.size == "infantry" else _routes_in_hexons
    found = find_routes(scene, miniature, tile)
    if not miniature.token.has("panic"):
        return found
    start = _nearest_enemy(scene, miniature, miniature.token.at)
    return {at: route for at, route in found.items() if _nearest_enemy(scene, miniature, at) > start}


def _reach_costs(scene: Scene, miniature: Miniature) -> dict[Cell, int]:
    """Return the cost of each Hex a miniature may move to now: that of its route."""
    costs: dict[Cell, int] = {}
    tiles = _in_order(usable_tiles(scene, miniature))
    if len(tiles) > 1 and all(_is_plain(miniature, tile) for tile in tiles):
        # All count the same steps, so that the longest has the routes of the others.
        tiles = [max(tiles, key=lambda tile: tile.range)]
    for tile in tiles:
        costs = reach_costs(scene, miniature, tile) | costs
    return costs


def reach_costs(scene: Scene, miniature: Miniature, tile: Tile) -> dict[Cell, int]:
    """Return the cost of each Hex in reach of one movement tile: that of its route."""
    layers = _layers(scene, miniature, tile)
    if layers is None:
        return {cell: route.cost for cell, route in reachable_with(scene, miniature, tile).items()}
    bits = battlefield(scene).bits
    return {cell: cost for cost, layer in enumerate(layers, 1) for cell in bits.cells(layer)}


def reach_bits(scene: Scene, miniature: Miniature, tile: Tile) -> Bits:
    """Return the Hexes in reach of one movement tile."""
    layers = _layers(scene, miniature, tile)
    if layers is None:
        return battlefield(scene).bits.of(reachable_with(scene, miniature, tile))
    found = 0
    for layer in layers:
        found |= layer
    return found


def _is_plain(miniature: Miniature, tile: Tile) -> bool:
    """Return whether a move counts the steps of infantry from Hex to Hex, wherever they lead."""
    is_infantry, has_panic = miniature.profile.size == "infantry", miniature.token.has("panic")
    return is_infantry and tile.unit == "hex" and not has_panic


def _layers(scene: Scene, miniature: Miniature, tile: Tile) -> Iterator[Bits] | None:
    """Return the free Hexes that infantry reaches for 1, 2, 3, ... Hexes; None if only routes tell them."""
    at = miniature.token.at
    assert at is not None
    if not _is_plain(miniature, tile):
        return None
    bits, closed = battlefield(scene).bits, battlefield(scene).volume_bits
    occupied = bits.of(battlefield(scene).terrain_cells(MARKER))
    for other, body in bodies(scene):
        if other.id != miniature.id:
            occupied |= body
            closed |= 0 if scene.are_allies(miniature.token, other.token) else body
    steps = move_allowance(scene, miniature, tile)
    return (layer & ~occupied for layer in bits.layers(bits.of_cell(at), closed, steps))


def _nearest_enemy(scene: Scene, miniature: Miniature, at: Cell | None) -> int:
    field = battlefield(scene)
    body = field.body(miniature, at)
    distances = (
        field.board.distance(p, q)
        for enemy in enemies(scene, miniature)
        for p in body
        for q in field.body(enemy)
    )
    return min(distances, default=0)


def _routes_in_hexes(scene: Scene, miniature: Miniature, tile: Tile) -> Routes:
    """Return routes for infantry: past allies, not past enemies or Volume Landscape, to a free Hex."""
    field, others = battlefield(scene), occupancy(scene, miniature)
    barred = others.enemies | field.terrain_cells(VOLUME)
    occupied = others.occupied | field.terrain_cells(MARKER)

    board, start = field.board, miniature.token.at
    assert start is not None

    def steps(cell: Cell) -> list[tuple[Cell, int]]:
        beside = [neighbor for neighbor in hexes_beside(board, cell) if neighbor not in barred]
        hexon = field.hexon_at(cell)
        return [(neighbor, int(field.hexon_at(neighbor) != hexon)) for neighbor in beside]

    budget = move_allowance(scene, miniature, tile)
    if tile.unit == "hex":
        costs, before = _routes_by_hex(board, start, barred, budget)
    else:
        costs, before = _shortest_routes(start, steps, budget)
    trace = partial(_path, before)
    return {
        cell: Route(tile, cost, cell, trace)
        for cell, cost in costs.items()
        if cell != start and cell not in occupied
    }


def _routes_by_hex(
    board: HexBoard, start: Cell, barred: frozenset[Cell], budget: int
) -> tuple[dict[Cell, int], dict[Cell, Cell]]:
    """Return the same as `_shortest_routes` for steps to the neighbors of a Hex, of which each costs 1."""
    costs, before, queue = {start: 0}, {start: start}, [start]
    for cell in queue:
        checkpoint()
        cost = costs[cell] + 1
        if cost > budget:
            break
        for neighbor in hexes_beside(board, cell):
            if neighbor not in costs and neighbor not in barred:
                costs[neighbor], before[neighbor] = cost, cell
                queue.append(neighbor)
    return costs, before


def _routes_in_hexons(scene: Scene, miniature: Miniature, tile: Tile) -> Routes:
    """Return routes from Hexon to Hexon. A large miniature may end on infantry that it cannot pass."""
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

    found: Routes = {}
    costs, before = _shortest_routes(start, steps, move_allowance(scene, miniature, tile))

    def trace(end: Hexon) -> tuple[Cell, ...]:
        return tuple([field.center(hexon) for hexon in _path(before, end)])

    for hexon, cost in costs.items():
        if hexon != start and can_end(scene, others, body(hexon)):
            route = Route(tile, cost, hexon, trace)
            found |= dict.fromkeys(field.hexes_in(hexon), route)
    return found


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


def _path(before: dict[Node, Node], node: Node) -> tuple[Node, ...]:
    path = [node]
    while before[path[-1]] != path[-1]:
        path.append(before[path[-1]])
    return tuple(reversed(path))


# The move at the table


def reach(scene: Scene, token: Token) -> Reach | None:
    """Return the Hexes a miniature may move to now with their costs; None off the board."""
    miniature = read_miniature(token)
    if token.at is None or token.at not in battlefield(scene).board:
        return None
    cells = tuple(sorted([(x, y, cost) for (x, y), cost in _reach_costs(scene, miniature).items()]))
    budget, attackers = _budget(scene, miniature), free_attackers(scene, miniature)
    if not attackers:
        return Reach(budget, cells)
    # Free Attacks come before the move, wherever it leads (TRN-066): no path is safe.
    provocations = tuple(Provocation(enemy.id, enemy.melee_tiles[0].name) for enemy in attackers)
    every = tuple(range(len(attackers)))
    provokes = tuple((x, y, every) for x, y, _ in cells if (x, y) != token.at)
    return Reach(budget, cells, provocations, provokes)


def _budget(scene: Scene, miniature: Miniature) -> int:
    tiles = usable_tiles(scene, miniature)
    return max((move_allowance(scene, miniature, tile) for tile in tiles), default=0)


def judge(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
    """Return the ruling on a move to the last cell of a path.

    An allowed move names the enemies with a Free Attack (TRN-066), which strike before its first step.
    """
    del facing
    at = path[-1]
    miniature = read_miniature(token)
    budget = _budget(scene, miniature)
    if token.at is None or at == token.at:
        is_out = token.has("out")
        reasons = (localize("torn.move_removed", name=miniature.name),) if is_out else ()
        return Ruling(not is_out, 0, budget, reasons)
    route = route_to(scene, miniature, at) if token.at in battlefield(scene).board else None
    if route is None:
        return Ruling(False, None, budget, (_refusal(scene, miniature, at),))
    attackers = free_attackers(scene, miniature)
    warnings = tuple(localize("torn.move_free_attack", name=enemy.name) for enemy in attackers)
    return Ruling(True, route.cost, budget, warnings, route.path)


def _refusal(scene: Scene, miniature: Miniature, at: Cell) -> str:
    name, panics = miniature.name, miniature.token.has("panic")
    refused = action_refusal(scene, miniature, None) if not panics else None
    if refused:
        return f"{refused.sentence} ({refused.rule})"
    field = battlefield(scene)
    if at not in field.board:
        return localize("torn.move_off_board")
    for other in miniatures(scene):
        if at in field.body(other) and other.id != miniature.id:
            return localize("torn.move_occupied", name=other.name)
    return localize("torn.move_panic", name=name) if panics else localize("torn.move_too_far", name=name)


def move(scene: Scene, act: Act) -> Steps:
    """Do the action Move or Run: Free Attacks first, then the move of a survivor (TRN-066, TRN-076)."""
    miniature = read_miniature(scene.token(act.token))
    start, at = miniature.token.at, act.at or miniature.token.at
    board = battlefield(scene).board
    if at is None or at not in board:
        raise IllegalAct(localize("torn.refuse_move_off_board", name=miniature.name), "TRN-033")
    route = route_to(scene, miniature, at) if start and start in board else None
    yield _explain(miniature, route, judge(scene, miniature.token, (at,), None))
    if route is not None:
        scene = yield from spend_action(scene, miniature, route.tile)
        scene = yield from free_attacks(scene, miniature.id)
        if scene.token(miniature.id).at is None:
            return Outcome("removed")
        if miniature.profile.size != "infantry":
            scene = yield from _clear_path(scene, miniature, route, at)
    lost = miniature.wounds - read_miniature(scene.token(miniature.id)).wounds
    yield Step(miniature.id, at, None)
    return Outcome("moved", leaves=localize("torn.outcome_loses", wounds=lost) if lost > 0 else "")


def _explain(miniature: Miniature, route: Route | None, ruling: Ruling) -> Change:
    facts = {
        "token": miniature.id,
        "act": route.tile.name if route else "",
        "allowed": ruling.allowed,
        "cost": ruling.cost,
        "budget": ruling.budget,
        "unit": route.tile.unit if route else "hex",
        "reasons": list(ruling.reasons),
    }
    return Change(Explained(kind="move", facts=facts))


def _clear_path(scene: Scene, miniature: Miniature, route: Route, at: Cell) -> Steps:
    """Destroy the Volume Landscape on a huge miniature's path; move infantry out from under a base."""
    field = battlefield(scene)
    if miniature.profile.size == "huge":
        passed = frozenset(cell for center in route.path[1:] for cell in field.body(miniature, center))
        crushed = passed & field.terrain_cells(VOLUME)
        if crushed:
            yield Change(Explained(kind="destroyed", facts={"token": miniature.id, "hexes": len(crushed)}))
            patches = [
                replace(patch, cells=tuple(cell for cell in patch.cells if cell not in crushed))
                for patch in scene.terrain
            ]
            terrain = tuple(patch for patch in patches if patch.cells)
            walls = scene.walls
            event = MapSet(walls=walls, terrain=terrain, was_walls=walls, was_terrain=scene.terrain)
            scene = yield Change(event)
    under = field.body(miniature, at)
    for other in miniatures(scene):
        if other.id != miniature.id and other.profile.size == "infantry" and other.token.at in under:
            scene = yield from _eject(scene, other, under)
    return scene


def _eject(scene: Scene, miniature: Miniature, under: frozenset[Cell]) -> Steps:
    """Move infantry to the nearest free Hex; its owner chooses among several (house rule)."""
    assert miniature.token.at is not None
    board, start = battlefield(scene).board, miniature.token.at
    cells = ((x, y) for y in range(board.rows) for x in range(board.columns))
    free = [cell for cell in cells if cell not in under and is_free(scene, cell)]
    least = min(board.distance(start, cell) for cell in free)
    nearest = [cell for cell in free if board.distance(start, cell) == least]
    to = nearest[0]
    if len(nearest) > 1:
        answers = cell_answers(nearest)
        question = localize("torn.ask_eject", name=miniature.name)
        answer = yield Choose(miniature.token.side, question, answers, answers[0].key, miniature.id)
        to = parse_cell(answer)
    yield Change(Explained(kind="ejected", facts={"token": miniature.id}))
    return (yield move_token(miniature.token, to, None))
