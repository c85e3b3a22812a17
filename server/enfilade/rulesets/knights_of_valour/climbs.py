"""Long climbs: a climb or a descent longer than a Move Action goes on in the next one (KOV-042, KOV-044).

Until it arrives, a climber keeps the square that it came from and hangs there above or below its ground. It
climbs on, or back to its square; from there it may go elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from enfilade.geometry.board.units import Cell
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.procedures import Steps
from enfilade.rulesets.knights_of_valour.battlefield import HANGING
from enfilade.rulesets.knights_of_valour.legs import (
    DIFFICULT,
    Leg,
    LegTable,
    MoveRules,
    SubAction,
    climb_cost,
    descent_cost,
)
from enfilade.scene.model import Scene, Token

CLIMBING, PAID = "climbing", "climb paid"
"""The condition with the square that a climb leads to, and the track of the feet of Movement spent on it."""


class Climb(NamedTuple):
    """A climb that goes on: the square it leads to, the feet of Movement spent, and the height reached."""

    goal: Cell
    paid: int
    height: int


def climb_of(token: Token) -> Climb | None:
    """Return the climb on which a creature hangs; None if it stands."""
    note = token.conditions.get(CLIMBING, "")
    x, comma, y = note.partition(",")
    if not comma or token.at is None:
        return None
    return Climb((int(x), int(y)), token.track(PAID), token.track(HANGING))


def broken_off(path: Sequence[Leg], feet: int, whole: int) -> tuple[tuple[Leg, ...], Climb, Leg] | None:
    """Return the legs of a path that some feet pay for, and the climb that they begin, with its leg.

    None if the first leg that is too long has no climb or descent of more than a `whole` Move Action.
    """
    done: list[Leg] = []
    for leg in path:
        if leg.cost <= feet:
            done.append(leg)
            feet -= leg.cost
            continue
        height = height_after(leg, feet)
        is_long = any(part.how in ("climb", "descend") and part.cost > whole for part in leg.parts)
        return (tuple(done), Climb(leg.end, feet, height), leg) if is_long and height else None
    return None


def height_after(leg: Leg, paid: int) -> int:
    """Return the feet above the ground of a leg's start (below: negative) after some feet of Movement."""
    height = 0
    for part in leg.parts:
        spent = min(part.cost, paid)
        paid -= spent
        if part.how in ("climb", "descend"):
            height += spent // DIFFICULT * (1 if part.how == "climb" else -1)
    return height


def leg_to(table: LegTable, start: Cell, goal: Cell) -> Leg | None:
    """Return the cheapest leg between two squares; None if the map has changed and there is none."""
    node = table.node(start)
    legs = [table.leg(node, edge) for edge in table.edges(node) if table.cell(edge.node) == goal]
    return min(legs, key=lambda leg: leg.cost, default=None)


def rest_of(leg: Leg, paid: int) -> Leg:
    """Return what is left of a leg after some feet of Movement."""
    parts = []
    for part in leg.parts:
        spent = min(part.cost, paid)
        paid -= spent
        if part.cost > spent:
            parts.append(SubAction(part.how, part.cost - spent))
    return leg._replace(parts=tuple(parts))


def way_back(climb: Climb, at: Cell, rules: MoveRules) -> Leg:
    """Return the leg from a climb back to the ground of its square."""
    if climb.height < 0:
        return Leg(at, at, (SubAction("climb", climb_cost(-climb.height)),))
    down = descent_cost(rules.height, climb.height, rules.counts_excess)
    return Leg(at, at, (SubAction("descend", down),))


def note_climb(scene: Scene, token_id: str, climb: Climb | None) -> Steps:
    """Note where a creature hangs, or that it stands; return the scene."""
    token = scene.token(token_id)
    if climb is None and not token.has(CLIMBING):
        return scene
    goal = None if climb is None else f"{climb.goal[0]},{climb.goal[1]}"
    scene = yield set_condition(scene, token_id, CLIMBING, goal)
    scene = yield set_track(scene, token_id, PAID, None if climb is None else climb.paid)
    return (yield set_track(scene, token_id, HANGING, None if climb is None else climb.height))
