"""Move and Run: the reach of a miniature, the ruling on a move, and the action itself.

The movement chapter is known in part only; docs/rulesets/torn.md has what it says.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.causes import bar, barred, occupied, off_board, ruling
from enfilade.rules.battle.displace import displace
from enfilade.rules.outlook import with_token
from enfilade.rules.procedures import Act, Change, Choose, Outcome, Step, Steps
from enfilade.rules.ruleset import Provocation, Reach, Ruling
from enfilade.rulesets.torn.battlefield import VOLUME, battlefield, cell_answers, parse_cell
from enfilade.rulesets.torn.combat.reactions import free_attackers, free_attacks, free_tiles
from enfilade.rulesets.torn.laws import LAWS
from enfilade.rulesets.torn.positions import ForcedMoves, is_free, miniatures, stands_on_board
from enfilade.rulesets.torn.profiles import Miniature, Tile, read_miniature
from enfilade.rulesets.torn.routes import (
    drawn_route,
    move_allowance,
    move_costs,
    reachable_with,
    route_to,
    usable_tiles,
)
from enfilade.rulesets.torn.turn import action_refusal, is_in_play, spend_action
from enfilade.rulesets.torn.ways import Route
from enfilade.scene.events import Explained, MapSet
from enfilade.scene.model import Scene, Token


def reach(scene: Scene, token: Token) -> Reach | None:
    """Return the Hexes a miniature may move to now with their costs; None off the board."""
    miniature = read_miniature(token)
    if not stands_on_board(scene, token):
        return None
    cells = tuple(sorted([(x, y, cost) for (x, y), cost in move_costs(scene, miniature).items()]))
    budget, attackers = _budget(scene, miniature), free_attackers(scene, miniature)
    if not attackers:
        return Reach(budget, cells)
    # Free Attacks come before the move, wherever it leads (TRN-066): no path is safe.
    provocations = tuple(Provocation(enemy.id, free_tiles(scene, enemy)[0].name) for enemy in attackers)
    every = tuple(range(len(attackers)))
    provokes = tuple((x, y, every) for x, y, _ in cells if (x, y) != token.at)
    return Reach(budget, cells, provocations, provokes)


def may_move(scene: Scene, token: Token) -> bool:
    """Return whether a miniature may move now, without its reach, which takes longer to work out."""
    return stands_on_board(scene, token) and _budget(scene, read_miniature(token)) > 0


def _budget(scene: Scene, miniature: Miniature) -> int:
    tiles = usable_tiles(scene, miniature)
    return max((move_allowance(scene, miniature, tile) for tile in tiles), default=0)


@LAWS.judging
def judge(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
    """Return the ruling on a move through waypoints, by the shortest way between them.

    An allowed move names the enemies with a Free Attack (TRN-066), which strike before its first step.
    """
    del facing
    at = path[-1]
    miniature = read_miniature(token)
    budget = _budget(scene, miniature)
    if token.at is None:
        return _entry_ruling(scene, miniature, at, budget)
    if at == token.at and len(path) == 1:
        removed = IllegalAct(localize("torn.move_removed", name=miniature.name), "TRN-033", "ban")
        return ruling((removed,) if token.has("out") else (), 0, budget)
    route = _route(scene, miniature, path)
    if route is None:
        return ruling((_refusal(scene, miniature, path),), None, budget)
    attackers = free_attackers(scene, miniature)
    warnings = tuple(localize("torn.move_free_attack", name=enemy.name) for enemy in attackers)
    return Ruling(True, route.cost, budget, warnings, route.path)


def _entry_ruling(scene: Scene, miniature: Miniature, at: Cell, budget: int) -> Ruling:
    """Return the ruling on a miniature that comes on: to a free place, before the first round.

    Where reserves come on later is in a missing chapter: the GM puts them there.
    """
    refused = _entry_refusal(scene, miniature, at)
    return ruling((refused,) if refused else (), 0, budget)


def _entry_refusal(scene: Scene, miniature: Miniature, at: Cell) -> IllegalAct | None:
    name = miniature.name
    if miniature.token.has("out"):
        return IllegalAct(localize("torn.move_removed", name=name), "TRN-033", "ban")
    if is_in_play(scene):
        return IllegalAct(localize("torn.move_entry", name=name), "TRN-033", "edge")
    if at not in battlefield(scene).board:
        return off_board("TRN-033")
    crowd = ForcedMoves(scene).crowd(miniature.token, at)
    if crowd:
        return occupied(scene.token(crowd[0]).name, "TRN-066")
    return bar("closed", name, "TRN-066") if ForcedMoves(scene).is_closed(at) else None


def _route(scene: Scene, miniature: Miniature, path: Sequence[Cell]) -> Route | None:
    """Return the route of a miniature to a Hex or through waypoints; None without one, or off the board."""
    if not stands_on_board(scene, miniature.token):
        return None
    first, *others = path
    return drawn_route(scene, miniature, path) if others else route_to(scene, miniature, first)


def _refusal(scene: Scene, miniature: Miniature, path: Sequence[Cell]) -> IllegalAct:
    """Return the refusal of a move without a route, by what is in its way."""
    at, name, panics = path[-1], miniature.name, miniature.token.has("panic")
    refused = action_refusal(scene, miniature, None) if not panics else None
    if refused:
        return refused
    field = battlefield(scene)
    if at not in field.board or not stands_on_board(scene, miniature.token):
        return off_board("TRN-033")
    for other in miniatures(scene):
        if at in field.body(other) and other.id != miniature.id:
            return occupied(other.name, "TRN-066")
    if not usable_tiles(scene, miniature):
        return IllegalAct(localize("torn.move_no_tile", name=name), "TRN-066", "missing")
    if panics:
        calm = _calmed(scene, miniature)
        if _route(calm, read_miniature(calm.token(miniature.id)), path) is not None:
            return IllegalAct(localize("torn.move_panic", name=name), "TRN-097", "marker")
    far = IllegalAct(localize("torn.move_too_far", name=name), "TRN-066", "distance")
    return barred(
        scene, miniature.token, lambda less: _route(less, miniature, path) is not None, "TRN-066", far
    )


def _calmed(scene: Scene, miniature: Miniature) -> Scene:
    """Return the scene in which a miniature does not panic."""
    calm = {name: note for name, note in miniature.token.conditions.items() if name != "panic"}
    return with_token(scene, replace(miniature.token, conditions=calm))


def move(scene: Scene, act: Act) -> Steps:
    """Do the action Move or Run: Free Attacks first, then the move of a survivor (TRN-066, TRN-076)."""
    miniature = read_miniature(scene.token(act.token))
    at = act.at or miniature.token.at
    if at is None or at not in battlefield(scene).board:
        raise IllegalAct(localize("torn.refuse_move_off_board", name=miniature.name), "TRN-033", "edge")
    path = act.waypoints or (at,)
    route = _route(scene, miniature, path)
    yield _explain(miniature, route, judge(scene, miniature.token, path, None))
    if route is not None:
        scene = yield from spend_action(scene, miniature, route.tile)
        scene = yield from free_attacks(scene, miniature.id)
        if scene.token(miniature.id).at is None:
            return Outcome("removed")
        became = read_miniature(scene.token(miniature.id))
        if (became.profile, became.token.at) != (miniature.profile, miniature.token.at):
            return (yield from _go_on_as(scene, miniature, became, route.tile, at))
        if miniature.profile.size != "infantry":
            scene = yield from _clear_path(scene, miniature, route, at)
    lost = miniature.wounds - read_miniature(scene.token(miniature.id)).wounds
    yield Step(miniature.id, at, None)
    return Outcome("moved", leaves=localize("torn.outcome_loses", wounds=lost) if lost > 0 else "")


def _go_on_as(scene: Scene, before: Miniature, miniature: Miniature, used: Tile, at: Cell) -> Steps:
    """Go on with a move as what a miniature has become, or from where it was moved to, if that gets there.

    (TRN-076, TRN-102)
    """
    is_changed = miniature.profile != before.profile
    tiles = [tile for tile in miniature.profile.tiles if tile.is_movement] if is_changed else [used]
    routes = [found for tile in tiles if (found := reachable_with(scene, miniature, tile).get(at))]
    if routes:
        if miniature.profile.size != "infantry":
            scene = yield from _clear_path(scene, miniature, routes[0], at)
        yield Step(miniature.id, at, None)
    return Outcome("moved", leaves=localize("torn.outcome_transformed") if is_changed else "")


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
    scene, _ = yield from displace(scene, miniature.id, to, "eject", ForcedMoves, facing=None)
    return scene
