"""Spending movement points: steps, turns, and what enemies beside a miniature make of their cost."""

from __future__ import annotations

from functools import lru_cache

from enfilade.geometry.movement import Field, Steps, field, walled_steps
from enfilade.geometry.square import SquareBoard, is_adjacent
from enfilade.geometry.units import Cell
from enfilade.rules import procedures as pr
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rulesets.coup_de_grace import rulings
from enfilade.rulesets.coup_de_grace.profiles import Fighter, fighter, snapped
from enfilade.rulesets.coup_de_grace.states import put, set_track
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Terrain, Token, Wall

STEP = 1
"""Movement points of a step, or of turning in place, with no enemy beside (CDG-035, CDG-036)."""


_ANY_COST = 1 << 30


def board(scene: Scene) -> SquareBoard:
    """The scene's board of squares."""
    return SquareBoard(scene.grid.columns, scene.grid.rows)


def is_in_play(scene: Scene) -> bool:
    """Whether rounds are being played; before the first round anything may move and act freely."""
    return scene.track("round") > 0


def points_left(scene: Scene, mover: Fighter) -> int:
    """Movement points this miniature may still spend now (CDG-020, CDG-033)."""
    if not is_in_play(scene):
        return mover.allowance
    return mover.token.track("mp") if scene.conditions.get("active") == mover.token.id else 0


def multiplier(scene: Scene, token: Token, at: Cell) -> int:
    """What all movement costs of a miniature at a cell are multiplied by (CDG-040 to CDG-042)."""
    enemies = sum(1 for other in _doublers(scene, token) if other.at and is_adjacent(at, other.at))
    if setting(scene, rulings.DOUBLING) == "once":
        enemies = min(enemies, 1)
    return 1 << enemies


def _doublers(scene: Scene, token: Token) -> list[Token]:
    downed_count = is_on(scene, rulings.DOWNED_DOUBLE)
    return [
        other
        for other in scene.on_board()
        if not scene.are_allies(token, other) and (downed_count or not other.has("downed"))
    ]


def movement_field(scene: Scene, token: Token, budget: int) -> Field:
    """What every square costs that a miniature can walk to within a budget (CDG-035, CDG-044, CDG-045)."""
    occupied = {other.at for other in scene.on_board() if other.id != token.id}
    enter = _terrain_costs(scene.terrain)
    near = _enemies_near(scene, token)

    def step_cost(start: Cell, end: Cell) -> int | None:
        cost = enter.get(end, 1)
        return None if end in occupied or not cost else (STEP * cost) << near.get(start, 0)

    assert token.at is not None
    return field(board(scene), token.at, budget, step_cost, _barred(board(scene), scene.walls))


def _enemies_near(scene: Scene, token: Token) -> dict[Cell, int]:
    near: dict[Cell, int] = {}
    for other in _doublers(scene, token):
        if other.at:
            for cell in board(scene).neighbours(other.at):
                near[cell] = near.get(cell, 0) + 1
    if setting(scene, rulings.DOUBLING) == "once":
        return dict.fromkeys(near, 1)
    return near


def _terrain_costs(terrain: tuple[Terrain, ...]) -> dict[Cell, int]:
    costs: dict[Cell, int] = {}
    for patch in terrain:
        for cell in patch.cells:
            costs[cell] = min(costs.get(cell, 1), 0) if patch.cost == 0 else costs.get(cell, 1) * patch.cost
    return costs


@lru_cache(maxsize=64)
def _barred(squares: SquareBoard, walls: tuple[Wall, ...]) -> Steps:
    # A one-way wall lets movement through only from its open side; here, from neither.
    return walled_steps(squares, [w.line for w in walls if w.move != "none" and not w.is_open])


def reach(scene: Scene, token: Token) -> Reach | None:
    """Every square a miniature may move to now with its cost; None where it stands nowhere."""
    mover = fighter(token)
    if token.at is None or mover.is_downed or mover.is_out:
        return None
    budget = points_left(scene, mover)
    costs = movement_field(scene, token, budget).costs
    return Reach(budget, tuple(sorted((x, y, cost) for (x, y), cost in costs.items())))


def judge(scene: Scene, token: Token, at: Cell, facing: int | None) -> Ruling:
    """The ruling of a move to a square with a facing: a free turn comes with a step (CDG-033 to CDG-045)."""
    mover, facing = fighter(token), snapped(facing)
    budget = points_left(scene, mover)
    reasons = tuple(_reasons(scene, mover, at))
    if token.at is None:
        return Ruling(not reasons, 0, budget, reasons)
    if at == token.at:
        cost = 0 if facing == token.facing else STEP * multiplier(scene, token, at)
        return _ruling(cost, budget, (at,), reasons)
    ways = movement_field(scene, token, budget)
    if at not in ways.costs:
        ways = movement_field(scene, token, _ANY_COST)
    if at not in ways.costs:
        return Ruling(False, None, budget, (*reasons, *_no_way(scene, token, at)))
    return _ruling(ways.costs[at], budget, tuple(ways.path(at)), reasons)


def _ruling(cost: int, budget: int, path: tuple[Cell, ...], reasons: tuple[str, ...]) -> Ruling:
    if cost > budget:
        reasons = (*reasons, f"It costs {cost} movement points, and {budget} are left (CDG-033).")
    return Ruling(not reasons, cost, budget, reasons, path)


def _reasons(scene: Scene, mover: Fighter, at: Cell) -> list[str]:
    active = scene.conditions.get("active")
    reasons = []
    if mover.is_out:
        reasons.append(f"{mover.token.name} is out of action (CDG-068).")
    elif mover.is_downed:
        reasons.append(f"{mover.token.name} is downed and can only crawl (CDG-070).")
    if is_in_play(scene) and active != mover.token.id:
        reasons.append(f"It is not the activation of {mover.token.name} (CDG-027).")
    if at not in board(scene):
        reasons.append("That is off the board.")
    return reasons


def _no_way(scene: Scene, token: Token, at: Cell) -> list[str]:
    there = [other for other in scene.on_board() if other.at == at and other.id != token.id]
    if there:
        return [f"{there[0].name} stands there (CDG-044)."]
    if at not in board(scene):
        return []
    return ["Walls or other miniatures leave no way there (CDG-044, CDG-045)."]


def move(scene: Scene, act: pr.Act) -> pr.Steps:
    """Stands a miniature elsewhere and spends what it costs; what may not be is said, not prevented."""
    token = scene.token(act.token)
    at = act.at or token.at
    facing = token.facing if act.facing is None else snapped(act.facing)
    if at is None:
        return pr.Outcome("nowhere")
    ruling = judge(scene, token, at, facing)
    yield pr.Change(Explained(kind="move", facts={"token": token.id, "ruling": _told(ruling)}))
    scene = yield put(token, at, facing)
    if is_in_play(scene) and ruling.cost:
        left = max(0, points_left(scene, fighter(scene.token(token.id))) - ruling.cost)
        yield set_track(scene, token.id, "mp", left)
    return pr.Outcome("moved")


def _told(ruling: Ruling) -> dict[str, object]:
    return {
        "allowed": ruling.allowed,
        "cost": ruling.cost,
        "budget": ruling.budget,
        "reasons": list(ruling.reasons),
    }
