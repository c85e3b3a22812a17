"""Moves as they happen: walking, which is paid for, and being pushed or pulled, which is not (CDG-046)."""

from __future__ import annotations

from enfilade.geometry.board.units import Cell
from enfilade.rules.changes import move_token, set_track
from enfilade.rules.procedures import Act, Change, Outcome, Steps
from enfilade.rules.ruleset import Ruling
from enfilade.rulesets.coup_de_grace.battlefield import Battle, battle_of
from enfilade.rulesets.coup_de_grace.movement import can_step, judge
from enfilade.rulesets.coup_de_grace.profiles import Fighter
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene


def move(scene: Scene, act: Act) -> Steps:
    """Stands a miniature elsewhere and spends what it costs; what may not be is said, not prevented."""
    battle = battle_of(scene)
    mover = battle.fighter(act.token)
    at = act.at or mover.token.at
    if at is None:
        return Outcome("nowhere")
    facing = mover.token.facing if act.facing is None else battle.snapped(act.facing)
    ruling = judge(scene, mover.token, at, act.facing)
    yield Change(Explained(kind="move", facts={"token": mover.id, "ruling": _told(ruling)}))
    scene = yield move_token(mover.token, at, None if mover.is_downed else facing)
    if battle.is_in_play and ruling.cost:
        left = max(0, battle.points_left(mover) - ruling.cost)
        scene = yield set_track(scene, mover.id, "mp", left)
    if len(ruling.path) > 1:
        yield from _drag_along(scene, mover, ruling.path[-2])
    return Outcome("moved")


def _told(ruling: Ruling) -> dict[str, object]:
    return {
        "allowed": ruling.allowed,
        "cost": ruling.cost,
        "budget": ruling.budget,
        "reasons": list(ruling.reasons),
    }


def _drag_along(scene: Scene, mover: Fighter, vacated: Cell) -> Steps:
    """Whoever hangs in the mover's entangling weapon is dragged into the cell it left last."""
    for other in battle_of(scene).on_board:
        if other.token.conditions.get("entangled") == mover.id and not battle_of(scene).at(vacated):
            scene = yield move_token(other.token, vacated, other.token.facing)
            yield Change(Explained(kind="dragged", facts={"token": mover.id, "target": other.id}))


def pushed_to(battle: Battle, pusher: Cell, pushed: Cell) -> Cell | None:
    """The cell directly away from whoever pushes, or None where the victim cannot be moved there.

    Directly away is where the distance grows most; of two such cells the first clockwise from north.
    """
    there = max(_around(battle, pushed), key=lambda cell: battle.square_distance(pusher, cell))
    return there if can_step(battle, pushed, there) else None


def pulled_to(battle: Battle, puller: Cell, pulled: Cell) -> Cell | None:
    """The cell directly toward whoever pulls, or None where the victim cannot be moved there."""
    there = min(_around(battle, pulled), key=lambda cell: battle.square_distance(puller, cell))
    return there if can_step(battle, pulled, there) else None


def _around(battle: Battle, cell: Cell) -> list[Cell]:
    # Pushes go straight: also where corners count as adjacent, a miniature is not pushed diagonally.
    return [battle.stepped(cell, facing) for facing in battle.facings]


def shoved(scene: Scene, token_id: str, there: Cell, kind: str) -> Steps:
    """Moves somebody without asking for movement points, and says how: "push" or "pull" (CDG-046)."""
    token = scene.token(token_id)
    yield move_token(token, there, token.facing)
    return (yield Change(Explained(kind=kind, facts={"target": token_id})))
