"""Move and Run: in Hexes for infantry, in Hexons for the large and the huge, and who may be passed.

The movement chapter is known in part only: what it says is in docs/rulesets/torn.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.geometry.hexon import Hexon, hexon_neighbours
from enfilade.geometry.units import Cell
from enfilade.rules.changes import put
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import Act, Answer, Change, Choose, Outcome, Steps
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rulesets.torn import rulings
from enfilade.rulesets.torn.battlefield import MARKER, VOLUME, battlefield, enemies, is_free, on_battlefield
from enfilade.rulesets.torn.profiles import Miniature, Tile, miniature
from enfilade.rulesets.torn.reactions import free_attackers, free_attacks
from enfilade.rulesets.torn.turn import must_be_able, spend
from enfilade.scene.events import Explained, MapSet
from enfilade.scene.model import Scene, Terrain, Token


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
        for cell, way in _ways_with(scene, mini, tile).items():
            found.setdefault(cell, way)
    return found


def usable(scene: Scene, mini: Miniature) -> Iterator[Tile]:
    """The movement actions it may do now."""
    for tile in mini.profile.tiles:
        if tile.is_movement and not _refusal(scene, mini, tile):
            yield tile


def _refusal(scene: Scene, mini: Miniature, tile: Tile | None) -> str:
    try:
        must_be_able(scene, mini, tile)
    except IllegalAct as refused:
        return f"{refused.sentence} ({refused.rule})"
    return ""


def figure(scene: Scene, mini: Miniature, tile: Tile) -> int:
    """How far a Move or Run goes: less when slowed, but at least one."""
    if not mini.token.has("slowed"):
        return tile.range
    return max(1, tile.range - int(setting(scene, rulings.SLOWED_BY)))


def _ways_with(scene: Scene, mini: Miniature, tile: Tile) -> Ways:
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
        for there in field.board.neighbours(cell):
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
        for there in hexon_neighbours(hexon):
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
    return not pushed or (is_on(scene, rulings.EJECTION) and _have_room(scene, around, hexes, pushed))


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


def reach(scene: Scene, token: Token) -> Reach | None:
    """Every Hex a miniature may move to now with its cost; None where it stands nowhere."""
    mini = miniature(token)
    if token.at is None or token.at not in battlefield(scene).board:
        return None
    cells = tuple(sorted((x, y, way.cost) for (x, y), way in ways(scene, mini).items()))
    return Reach(_budget(scene, mini), cells)


def _budget(scene: Scene, mini: Miniature) -> int:
    return max((figure(scene, mini, tile) for tile in usable(scene, mini)), default=0)


def judge(scene: Scene, token: Token, at: Cell, facing: int | None) -> Ruling:
    """The ruling of a move; an allowed one names who may make a Free Attack because of it (TRN-066)."""
    del facing
    mini = miniature(token)
    budget = _budget(scene, mini)
    if token.at is None or at == token.at:
        return Ruling(not token.has("out"), 0, budget, _if_out(mini))
    way = ways(scene, mini).get(at) if token.at in battlefield(scene).board else None
    if way is None:
        return Ruling(False, None, budget, (_why_not(scene, mini, at),))
    warned = tuple(f"Free Attack by {other.name} (TRN-066)." for other in free_attackers(scene, mini))
    return Ruling(True, way.cost, budget, warned, way.path)


def _if_out(mini: Miniature) -> tuple[str, ...]:
    return (f"{mini.name} has been removed (TRN-033).",) if mini.token.has("out") else ()


def _why_not(scene: Scene, mini: Miniature, at: Cell) -> str:
    refused = _refusal(scene, mini, None) if not mini.token.has("panic") else ""
    if refused:
        return refused
    if at not in battlefield(scene).board:
        return "That is off the board."
    there = [o.name for o in on_battlefield(scene) if at in battlefield(scene).filled(o) and o.id != mini.id]
    if there:
        return f"{there[0]} stands there."
    if mini.token.has("panic"):
        return f"{mini.name} panics and can only move away from the nearest enemy (TRN-097)."
    return f"No Move or Run left gets {mini.name} there."


def move(scene: Scene, act: Act) -> Steps:
    """The action Move or Run: Free Attacks come first, then whoever still stands goes (TRN-066, TRN-076)."""
    mini = miniature(scene.token(act.token))
    at = act.at or mini.token.at
    if at is None or at not in battlefield(scene).board:
        raise IllegalAct(f"{mini.name} can only stand on the board.", "TRN-033")
    start = mini.token.at
    way = ways(scene, mini).get(at) if start and start in battlefield(scene).board else None
    ruling = judge(scene, mini.token, at, None)
    yield _told(mini, way, ruling)
    if way is not None:
        scene = yield from spend(scene, mini, way.tile)
        scene = yield from free_attacks(scene, mini.id)
    token = scene.token(mini.id)
    if way is not None and token.at is None:
        return Outcome("removed")
    if way is not None and mini.profile.size != "infantry":
        scene = yield from _clears_its_way(scene, mini, way, at)
    yield put(scene.token(mini.id), at, None)
    return Outcome("moved")


def _told(mini: Miniature, way: Way | None, ruling: Ruling) -> Change:
    facts = {
        "token": mini.id,
        "act": way.tile.name if way else "",
        "allowed": ruling.allowed,
        "cost": ruling.cost,
        "budget": ruling.budget,
        "unit": way.tile.unit if way else "hex",
        "reasons": list(ruling.reasons),
    }
    return Change(Explained(kind="move", facts=facts))


def _clears_its_way(scene: Scene, mini: Miniature, way: Way, at: Cell) -> Steps:
    """A huge miniature destroys the Volume Landscape it goes through; infantry steps out from under it."""
    field = battlefield(scene)
    if mini.profile.size == "huge":
        trodden = frozenset(cell for centre in way.path[1:] for cell in field.filled(mini, centre))
        scene = yield from _destroys(scene, mini, trodden & field.cells(VOLUME))
    under = field.filled(mini, at)
    for other in on_battlefield(scene):
        if other.id != mini.id and other.profile.size == "infantry" and other.token.at in under:
            scene = yield from _ejected(scene, other, under)
    return scene


def _destroys(scene: Scene, mini: Miniature, hexes: frozenset[Cell]) -> Steps:
    if not hexes:
        return scene
    left = tuple(_without(patch, hexes) for patch in scene.terrain)
    terrain = tuple(patch for patch in left if patch.cells)
    yield Change(Explained(kind="destroyed", facts={"token": mini.id, "hexes": len(hexes)}))
    event = MapSet(walls=scene.walls, terrain=terrain, was_walls=scene.walls, was_terrain=scene.terrain)
    return (yield Change(event))


def _without(patch: Terrain, hexes: frozenset[Cell]) -> Terrain:
    if not hexes.intersection(patch.cells):
        return patch
    return replace(patch, cells=tuple(cell for cell in patch.cells if cell not in hexes))


def _ejected(scene: Scene, mini: Miniature, under: frozenset[Cell]) -> Steps:
    """Infantry steps to the nearest free Hex; of several, its owner chooses (house rule)."""
    assert mini.token.at is not None
    board, here = battlefield(scene).board, mini.token.at
    cells = ((x, y) for y in range(board.rows) for x in range(board.columns))
    free = [cell for cell in cells if cell not in under and is_free(scene, cell)]
    least = min(board.distance(here, cell) for cell in free)
    nearest = [cell for cell in free if board.distance(here, cell) == least]
    to = nearest[0]
    if len(nearest) > 1:
        answers = tuple(Answer(f"{x},{y}", f"Column {x + 1}, row {y + 1}") for x, y in nearest)
        question = f"Where does {mini.name} step out?"
        answer = yield Choose(mini.token.side, question, answers, answers[0].key)
        to = next(cell for cell in nearest if f"{cell[0]},{cell[1]}" == answer)
    yield Change(Explained(kind="ejected", facts={"token": mini.id}))
    return (yield put(mini.token, to, None))
