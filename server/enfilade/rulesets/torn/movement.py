"""Move and Run at the table: what may be reached, the ruling of a move, and the action itself.

The movement chapter is known in part only: what it says is in docs/rulesets/torn.md.
"""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.errors import IllegalAct
from enfilade.geometry.board.units import Cell
from enfilade.rules.changes import move_token
from enfilade.rules.procedures import Act, Answer, Change, Choose, Outcome, Steps
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rulesets.torn.battlefield import VOLUME, battlefield, is_free, on_battlefield
from enfilade.rulesets.torn.profiles import Miniature, miniature
from enfilade.rulesets.torn.reactions import free_attackers, free_attacks
from enfilade.rulesets.torn.turn import spend
from enfilade.rulesets.torn.ways import Way, figure, refusal_of, usable, ways
from enfilade.scene.events import Explained, MapSet
from enfilade.scene.model import Scene, Terrain, Token


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
    refused = refusal_of(scene, mini, None) if not mini.token.has("panic") else ""
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
    yield move_token(scene.token(mini.id), at, None)
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
        answer = yield Choose(mini.token.side, question, answers, answers[0].key, mini.token.id)
        to = next(cell for cell in nearest if f"{cell[0]},{cell[1]}" == answer)
    yield Change(Explained(kind="ejected", facts={"token": mini.id}))
    return (yield move_token(mini.token, to, None))
