"""Where a Move or Run leads: in Hexes for infantry, in Hexons for the large and the huge, past whom."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.geometry.board.hexon import Hexon, hexon_neighbors
from enfilade.geometry.board.units import Cell
from enfilade.rules.house_rules import is_on, setting
from enfilade.rulesets.torn import house_rules
from enfilade.rulesets.torn.battlefield import MARKER, VOLUME, battlefield, enemies, on_battlefield
from enfilade.rulesets.torn.profiles import Miniature, Tile
from enfilade.rulesets.torn.turn import must_be_able
from enfilade.scene.model import Scene, Token


class Way(NamedTuple):
    """How a miniature gets to a Hex: with which tile, what it costs of its distance, and over what."""

    tile: Tile
    cost: int
    path: tuple[Cell, ...]


Ways = dict[Cell, Way]


class Crowd(NamedTuple):
    """The Hexes that other miniatures fill, as one that moves looks at them."""

    enemies: frozenset[Cell]
    infantry: frozenset[Cell]
    allied_large: frozenset[Cell]
    large: frozenset[Cell]
    everybody: frozenset[Cell]


def crowd(scene: Scene, mini: Miniature) -> Crowd:
    """Who is in a miniature's way."""
    field = battlefield(scene)
    hexes: dict[str, set[Cell]] = {kind: set() for kind in Crowd._fields}
    for other in on_battlefield(scene):
        if other.id == mini.id:
            continue
        is_ally, is_infantry = scene.are_allies(mini.token, other.token), other.profile.size == "infantry"
        filled = field.filled(other)
        hexes["everybody"] |= filled
        hexes["infantry" if is_infantry else "large"] |= filled
        if not is_ally:
            hexes["enemies"] |= filled
        elif not is_infantry:
            hexes["allied_large"] |= filled
    return Crowd(*(frozenset(hexes[kind]) for kind in Crowd._fields))


def ways(scene: Scene, mini: Miniature) -> Ways:
    """Every Hex a miniature may move to now, by the first of its movement actions that gets it there."""
    found: Ways = {}
    for tile in sorted(usable(scene, mini), key=lambda tile: tile.kind):
        for cell, way in ways_with(scene, mini, tile).items():
            found.setdefault(cell, way)
    return found


def usable(scene: Scene, mini: Miniature) -> Iterator[Tile]:
    """The movement actions it may do now."""
    for tile in mini.profile.tiles:
        if tile.is_movement and not refusal_of(scene, mini, tile):
            yield tile


def refusal_of(scene: Scene, mini: Miniature, tile: Tile | None) -> str:
    """Why an action may not be done now, as a sentence with its rule; empty where it may."""
    try:
        must_be_able(scene, mini, tile)
    except IllegalAct as refused:
        return f"{refused.sentence} ({refused.rule})"
    return ""


def figure(scene: Scene, mini: Miniature, tile: Tile) -> int:
    """How far a Move or Run goes: less when slowed, but at least one."""
    if not mini.token.has("slowed"):
        return tile.range
    return max(1, tile.range - int(setting(scene, house_rules.SLOWED_BY)))


def ways_with(scene: Scene, mini: Miniature, tile: Tile) -> Ways:
    """Every Hex that one movement action of a miniature leads to, whoever's turn it is."""
    go = _on_foot if mini.profile.size == "infantry" else _in_hexons
    found = go(scene, mini, tile)
    if mini.token.has("panic"):
        now = _nearest_enemy(scene, mini, mini.token)
        return {at: way for at, way in found.items() if _flees(scene, mini, at, now)}
    return found


def _nearest_enemy(scene: Scene, mini: Miniature, token: Token) -> int:
    field = battlefield(scene)
    own = field.filled(mini, token.at)
    distances = (
        field.board.distance(p, q) for other in enemies(scene, mini) for p in own for q in field.filled(other)
    )
    return min(distances, default=0)


def _flees(scene: Scene, mini: Miniature, at: Cell, now: int) -> bool:
    return _nearest_enemy(scene, mini, replace(mini.token, at=at)) > now


def _on_foot(scene: Scene, mini: Miniature, tile: Tile) -> Ways:
    """Infantry passes allies, but neither enemies nor Volume Landscape; it ends on a free Hex."""
    field, around = battlefield(scene), crowd(scene, mini)
    closed = around.enemies | field.cells(VOLUME)
    taken = around.everybody | field.cells(MARKER)

    def steps(cell: Cell) -> Iterator[tuple[Cell, int]]:
        for there in field.board.neighbors(cell):
            if there not in closed:
                yield there, int(tile.unit == "hex" or field.hexon(there) != field.hexon(cell))

    assert mini.token.at is not None
    reached = _reached(mini.token.at, steps, figure(scene, mini, tile))
    return {
        cell: Way(tile, cost, path)
        for cell, (cost, path) in reached.items()
        if cell != mini.token.at and cell not in taken
    }


def _in_hexons(scene: Scene, mini: Miniature, tile: Tile) -> Ways:
    """The large and the huge go from Hexon to Hexon; they may end where they may not pass: on infantry."""
    field, around = battlefield(scene), crowd(scene, mini)
    assert mini.token.at is not None
    start, figure_of_tile = field.hexon(mini.token.at), figure(scene, mini, tile)

    def hexes(hexon: Hexon) -> frozenset[Cell]:
        return field.filled(mini, field.centre(hexon))

    def steps(hexon: Hexon) -> Iterator[tuple[Hexon, int]]:
        if hexon != start and not may_pass(field.cells(VOLUME), around, mini, hexes(hexon)):
            return
        for there in hexon_neighbors(hexon):
            covered = field.hexons_at(mini, there)
            is_on = all(field.is_on_board(one) for one in covered)
            if is_on and may_end_or_pass(scene, field.cells(VOLUME), around, mini, hexes(there)):
                yield there, 1

    found: Ways = {}
    for hexon, (cost, path) in _reached(start, steps, figure_of_tile).items():
        if hexon != start and _may_end(scene, around, hexes(hexon)):
            centres = tuple(field.centre(one) for one in path)
            found |= {cell: Way(tile, cost, centres) for cell in field.hexes(hexon)}
    return found


def may_pass(volume: frozenset[Cell], around: Crowd, mini: Miniature, hexes: frozenset[Cell]) -> bool:
    """Over allied infantry only; a huge miniature through Volume Landscape too."""
    is_barred = hexes & around.enemies or hexes & around.allied_large
    return not is_barred and (mini.profile.size == "huge" or not hexes & volume)


def may_end_or_pass(
    scene: Scene, volume: frozenset[Cell], around: Crowd, mini: Miniature, hexes: frozenset[Cell]
) -> bool:
    """Whether a Hexon can be entered at all."""
    if mini.profile.size == "large" and hexes & volume:
        return False
    return may_pass(volume, around, mini, hexes) or _may_end(scene, around, hexes)


def _may_end(scene: Scene, around: Crowd, hexes: frozenset[Cell]) -> bool:
    """Not on anybody large or huge; on infantry where ejection is played and it has somewhere to go."""
    if hexes & around.large:
        return False
    pushed = hexes & around.infantry
    return not pushed or (is_on(scene, house_rules.EJECTION) and _have_room(scene, around, hexes, pushed))


def _have_room(scene: Scene, around: Crowd, hexes: frozenset[Cell], pushed: frozenset[Cell]) -> bool:
    field = battlefield(scene)
    taken = around.everybody | hexes | field.cells(VOLUME) | field.cells(MARKER)
    return field.board.columns * field.board.rows - len(taken) >= len(pushed)


Node = Cell | Hexon


def _reached(
    start: Node, steps: Callable[[Node], Iterator[tuple[Node, int]]], budget: int
) -> dict[Node, tuple[int, tuple[Node, ...]]]:
    """What each node costs, and the way there, where steps cost 0 or 1."""
    costs, before, queue = {start: 0}, {start: start}, deque([start])
    while queue:
        node = queue.popleft()
        for there, cost in steps(node):
            total = costs[node] + cost
            if total <= budget and total < costs.get(there, budget + 1):
                costs[there], before[there] = total, node
                (queue.append if cost else queue.appendleft)(there)
    return {node: (cost, _path(before, node)) for node, cost in costs.items()}


def _path(before: dict[Node, Node], node: Node) -> tuple[Node, ...]:
    path = [node]
    while before[path[-1]] != path[-1]:
        path.append(before[path[-1]])
    return tuple(reversed(path))
