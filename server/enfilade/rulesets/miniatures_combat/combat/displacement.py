"""Displacement: where lunges, pushes and sweeps move models, and how others make room."""

from __future__ import annotations

import math

from enfilade.geometry.board.units import Cell
from enfilade.rules.battle.displace import Cause, displace
from enfilade.rules.changes import set_condition
from enfilade.rules.procedures import Change, Steps
from enfilade.rulesets.miniatures_combat.battlefield import ENGAGED, Battlefield, battlefield
from enfilade.rulesets.miniatures_combat.profiles import INCH, Fighter
from enfilade.rulesets.miniatures_combat.straight_ways import (
    ForcedMoves,
    away_from,
    free_place,
    touches_on_way,
)
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

LUNGE_DISTANCE = 2 * INCH
"""How far a lunge moves a model (MNC-093)."""
LUNGE_REACH = LUNGE_DISTANCE + ENGAGED
"""How far away at most the target of a lunge may be (MNC-091, MNC-093)."""
MOST_ROOM = 6 * INCH
"""How far at most a model is moved back to make room."""


def lunge_place(scene: Scene, fighter: Fighter, target: Fighter) -> Cell | None:
    """Return where a lunge ends, or None if it is blocked: straight at the target, within its reach.

    The lunger goes no farther than it must, touches no enemy, and ends within 1" (MNC-091, MNC-093).
    """
    field = battlefield(scene)
    known, key = field.positions.lunges, (fighter.id, target.id, fighter.reach)
    if key not in known:
        known[key] = _lunge_place(field, fighter, target)
    return known[key]


def _lunge_place(field: Battlefield, fighter: Fighter, target: Fighter) -> Cell | None:
    apart = field.gap(fighter.id, target.id)
    if apart > LUNGE_REACH or not field.has_clear_line(fighter.id, target.id):
        return None
    (x, y), (to_x, to_y) = field.bases[fighter.id].at, field.bases[target.id].at
    distance = max(0, min(LUNGE_DISTANCE, apart - min(ENGAGED, max(1, fighter.reach))))
    # Places are whole 64ths of an inch, so that the lunger may need one more.
    for far in (distance, distance + 1):
        at = free_place(field, fighter, (to_x - x, to_y - y), far)
        if field.gap_at(fighter.token, at, target.id) <= ENGAGED:
            return at
    return None


def straight_back(scene: Scene, fighter: Fighter, target: Fighter, distance: int) -> Cell:
    """Return the place straight back from a model, taken or not (MNC-097, MNC-103)."""
    field = battlefield(scene)
    across, down = away_from(field, target.token, [field.bases[fighter.id].at])
    (x, y), length = field.bases[target.id].at, math.hypot(across, down)
    return field.place(
        target.token, (round(x + across * distance / length), round(y + down * distance / length))
    )


def move_to(scene: Scene, key: str, at: Cell, cause: Cause) -> Steps:
    """Move a model by a push or a sweep; return the scene.

    Without room at the place the model is prone and the others there are moved back (MNC-098, MNC-104). A
    model pushed against a wall, closed ground or the edge has no room there either. A sweep knocks it prone
    as well if it meets a model on the way.
    """
    field = battlefield(scene)
    end, by = ForcedMoves(scene).way(scene.token(key), at)
    is_prone = bool(field.overlaps(scene.token(key), end)) or (cause == "push" and by != "")
    if cause == "sweep" and key in field.fighters:
        is_prone = is_prone or touches_on_way(field, field.fighters[key], end)
    was = field.base(scene.token(key)).at
    scene, _ = yield from displace(scene, key, at, cause, ForcedMoves, crowd="make room", most=MOST_ROOM)
    moved = round(math.dist(was, battlefield(scene).base(scene.token(key)).at))
    yield Change(Explained(kind="moved back", facts={"token": key, "act": cause, "length": moved}))
    if is_prone:
        scene = yield set_condition(scene, key, "prone")
        yield Change(Explained(kind="knocked prone", facts={"token": key}))
    return scene
