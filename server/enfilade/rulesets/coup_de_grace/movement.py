"""Moves: the cells in reach, the ruling on a move, and the move itself (CDG-033 to CDG-045)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from enfilade.errors import CannotPay, Cause, IllegalAct, OutOfTurn
from enfilade.geometry.board.units import Cell
from enfilade.geometry.movement.field import MAX_COST, Field
from enfilade.geometry.movement.waypoints import route
from enfilade.i18n import localize
from enfilade.rules.battle.causes import barred, occupied, off_board, ruling
from enfilade.rules.battle.displace import displace
from enfilade.rules.battle.laws import has_winner
from enfilade.rules.battle.memo import large, recent_by_size
from enfilade.rules.changes import set_track
from enfilade.rules.kit.board import Board, terrain_costs
from enfilade.rules.procedures import Act, Change, Outcome, Step, Steps
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rulesets.coup_de_grace.battlefield import Battlefield, battlefield
from enfilade.rulesets.coup_de_grace.laws import LAWS
from enfilade.rulesets.coup_de_grace.movement_costs import (
    STEP,
    doublings,
    movement_field,
    movement_graph,
)
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Terrain, Token

BARRED_BY: Mapping[Cause, str] = {"wall": "CDG-045", "closed": "CDG-035", "ground": "CDG-035"}
"""The rules of what bars a way, other than miniatures (CDG-044)."""


def reach(scene: Scene, token: Token) -> Reach | None:
    """Return the cells that a miniature may move to now with their costs.

    None if it cannot walk, or the battle is over (CDG-078).
    """
    battle = battlefield(scene)
    mover = battle.fighter(token.id)
    if not _can_walk(battle, mover):
        return None
    budget = battle.points_left(mover)
    if token.at is None:
        entries = [(*cell, cost) for cell, cost in _entries(battle, mover).items() if cost <= budget]
    elif not budget:  # no step is free
        entries = [(*token.at, 0)]
    else:
        field = movement_field(battle, mover.id, budget)
        # All others cannot enter an occupied cell in the first place.
        occupied = battle.occupied - {token.at} if mover.can_pass_miniatures else frozenset()
        return _reach_within(field, battle.board, budget, occupied)
    return Reach(budget, tuple(sorted(entries)))


@recent_by_size
def _reach_within(field: Field, _board: Board, budget: int, occupied: frozenset[Cell]) -> Reach:
    """Return the cells of a field that are not occupied, for all scenes in which no miniature has moved."""
    entries = field.entries
    if occupied:
        entries = [entry for entry in entries if entry[:2] not in occupied]
    return Reach(budget, tuple(sorted(entries)))


def _can_walk(battle: Battlefield, mover: Fighter) -> bool:
    has_start = mover.token.at is not None or battle.is_in_play  # none comes on before the first round
    return has_start and not (mover.is_downed or mover.is_out or has_winner(battle.scene))


def may_move(scene: Scene, token: Token) -> bool:
    """Return whether a miniature may move now, without its reach, which takes longer to work out."""
    battle = battlefield(scene)
    mover = battle.fighter(token.id)
    return _can_walk(battle, mover) and battle.points_left(mover) > 0


def _entries(battle: Battlefield, mover: Fighter) -> dict[Cell, int]:
    """Return the cells where a miniature may enter: its entry points, or the board's edge if it has none."""
    marked = [patch for patch in battle.scene.terrain if _is_entry(battle, mover, patch)]
    costs = terrain_costs(battle.scene.terrain)
    cells = [cell for patch in marked for cell in patch.cells] if marked else _edge(battle.board)
    return {cell: STEP * costs.get(cell, 1) for cell in cells if costs.get(cell) != 0 and not battle.at(cell)}


def _is_entry(battle: Battlefield, mover: Fighter, patch: Terrain) -> bool:
    first, _, whose = patch.name.strip().casefold().partition(" ")
    side = battle.scene.side(mover.token.side)
    return first == "entry" and whose.strip() in ("", side.name.casefold(), side.id.casefold())


def _edge(board: Board) -> list[Cell]:
    columns, rows = board.columns, board.rows
    return [
        (x, y) for y in range(rows) for x in range(columns) if x in (0, columns - 1) or y in (0, rows - 1)
    ]


@LAWS.judging
def judge(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
    """Return the ruling on a move to the last cell of a path with a facing (CDG-033 to CDG-045).

    A step includes a free turn. A path provokes nothing, so that the cheapest is taken where none is drawn.
    """
    return _cached_ruling(battlefield(scene), token.id, tuple(path), facing)


@large
def _cached_ruling(battle: Battlefield, token: str, path: tuple[Cell, ...], facing: int | None) -> Ruling:
    mover, (*via, at) = battle.fighter(token), path
    budget = battle.points_left(mover)
    reasons = _reasons(battle, mover, at)
    if mover.token.at is None:
        return _entry_ruling(battle, mover, at, reasons)
    if at == mover.token.at and not via:
        is_turn = facing is not None and battle.nearest_facing(facing) != mover.facing
        cost = STEP << doublings(battle, mover, at) if is_turn else 0
        return _ruling(cost, budget, (at,), reasons)
    if at != mover.token.at and (occupied := _occupant(battle, at)):
        return ruling((*reasons, *occupied), None, budget)
    if via:
        drawn = route(movement_graph(battle, mover.id), mover.token.at, path)
        if drawn is not None:
            return _ruling(drawn.cost, budget, drawn.path, reasons)
    else:
        field = movement_field(battle, mover.id, budget)
        if field.cost(at) is None:
            field = movement_field(battle, mover.id, MAX_COST)
        spent = field.cost(at)
        if spent is not None:
            return _ruling(spent, budget, tuple(field.path(at)), reasons)
    return ruling((*reasons, *_barred(battle, mover, path)), None, budget)


def _entry_ruling(battle: Battlefield, mover: Fighter, at: Cell, reasons: list[IllegalAct]) -> Ruling:
    """Return the ruling on entering the board (ruling 19).

    Setup before the first round is free; later a miniature enters at an entry point.
    """
    budget, occupied = battle.points_left(mover), _occupant(battle, at)
    if occupied or not battle.is_in_play:
        reasons = [*reasons, *occupied]
        return ruling(reasons, 0, budget, (at,))
    cost = _entries(battle, mover).get(at)
    if cost is None:
        entry = IllegalAct(localize("coup_de_grace.move_entry", name=mover.name), "CDG-024", "edge")
        return ruling((*reasons, entry), None, budget)
    return _ruling(cost, budget, (at,), reasons)


def _ruling(cost: int, budget: int, path: tuple[Cell, ...], reasons: list[IllegalAct]) -> Ruling:
    if cost > budget:
        sentence = localize("coup_de_grace.move_cost", cost=cost, budget=budget)
        reasons = [*reasons, CannotPay(sentence, "CDG-033")]
    return ruling(reasons, cost, budget, path)


def _reasons(battle: Battlefield, mover: Fighter, at: Cell) -> list[IllegalAct]:
    reasons = []
    if mover.is_out:
        reasons.append(IllegalAct(localize("coup_de_grace.move_out", name=mover.name), "CDG-068", "ban"))
    if not battle.is_active(mover):
        reasons.append(OutOfTurn(localize("coup_de_grace.move_not_active", name=mover.name), "CDG-027"))
    if at not in battle.board:
        reasons.append(off_board("CDG-034"))
    return reasons


def _occupant(battle: Battlefield, at: Cell) -> list[IllegalAct]:
    return [occupied(other.name, "CDG-044") for other in battle.at(at)[:1]]


def _barred(battle: Battlefield, mover: Fighter, path: Sequence[Cell]) -> list[IllegalAct]:
    """Return the refusal of a way through waypoints that does not lead there; none for one off the board."""
    start, at = mover.token.at, path[-1]
    if at not in battle.board or start is None:
        return []

    def leads_there(less: Scene) -> bool:
        return route(movement_graph(battlefield(less), mover.id), start, path) is not None

    otherwise = IllegalAct(localize("battle.no_way", name=mover.name), "CDG-034", "ground")
    return [barred(battle.scene, mover.token, leads_there, "CDG-044", otherwise, BARRED_BY)]


def move(scene: Scene, act: Act) -> Steps:
    """Move a miniature and spend the cost. A move against the rules is explained, not prevented."""
    battle = battlefield(scene)
    mover = battle.fighter(act.token)
    at = act.at or mover.token.at
    if at is None:
        return Outcome("nowhere")
    facing = mover.token.facing if act.facing is None else battle.nearest_facing(act.facing)
    ruling = judge(scene, mover.token, act.waypoints or (at,), act.facing)
    yield Change(Explained(kind="move", facts={"token": mover.id, "ruling": _ruling_facts(ruling)}))
    scene = yield Step(mover.id, at, None if mover.is_downed else facing)
    if battle.is_in_play and ruling.cost:
        left = max(0, battle.points_left(mover) - ruling.cost)
        scene = yield set_track(scene, mover.id, "mp", left)
    if len(ruling.path) > 1:
        yield from _drag_along(scene, battle, mover, ruling.path[:-1])
    return Outcome("moved")


def _ruling_facts(ruling: Ruling) -> dict[str, object]:
    return {
        "allowed": ruling.allowed,
        "cost": ruling.cost,
        "budget": ruling.budget,
        "reasons": list(ruling.reasons),
    }


def _drag_along(scene: Scene, before: Battlefield, mover: Fighter, vacated: Sequence[Cell]) -> Steps:
    """Drag the miniatures in the mover's entangling weapon over the cells that it left, into the last one.

    They stand where they stood before the move: beside the mover, else they stay there.
    """
    start = mover.token.at
    for other in before.beside(start) if start is not None else ():
        if other.token.conditions.get("entangled") != mover.id:
            continue
        *via, end = vacated
        scene, _ = yield from displace(scene, other.id, end, "drag", battlefield, via=via)
        if scene.token(other.id).at != other.token.at:
            yield Change(Explained(kind="dragged", facts={"token": mover.id, "target": other.id}))
