"""The move of a model along its path, what it costs, and what it leads to (MNC-104 to MNC-110)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from enfilade.errors import IllegalAct
from enfilade.geometry.board.units import Cell, Point
from enfilade.i18n import localize
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act, Change, Outcome, Step, Steps
from enfilade.rules.ruleset import Ruling
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.actions import carry_along
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.groups import spot_group
from enfilade.rulesets.miniatures_combat.profiles import Fighter, read_fighter
from enfilade.rulesets.miniatures_combat.reach import STEP, judge
from enfilade.rulesets.miniatures_combat.turn import (
    is_engaged_group,
    is_group_active,
    pay_dice,
)
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

SAMPLE = 32
"""The distance between the places on a path at which archers look: half an inch."""


def move(scene: Scene, act: Act) -> Steps:
    """Move a model along its path; an illegal move on the tabletop is recorded as it is."""
    fighter, field = read_fighter(scene.token(act.token)), battlefield(scene)
    path = act.waypoints or ((fighter.token.at,) if fighter.token.at is not None else ())
    if not path or not field.is_on_board(fighter.token, path[-1]):
        raise IllegalAct(localize("miniatures_combat.refuse_off_board"), "MNC-106")
    ruling = judge(scene, fighter.token, path, act.facing)
    was_engaged, is_direct = field.is_engaged(fighter), is_direct_route(scene, fighter, path, ruling.budget)
    points = way_points(scene, fighter, path)
    facts = {
        "token": fighter.id,
        "cost": ruling.cost,
        "budget": ruling.budget,
        "allowed": ruling.allowed,
        "reasons": list(ruling.reasons),
    }
    yield Change(Explained(kind="move", facts=facts))
    if is_group_active(scene) and fighter.token.has("active"):
        scene = yield from _pay(scene, fighter, ruling)
    start = fighter.token.at
    for at in path:
        scene = yield Step(fighter.id, at, act.facing)
    scene = yield from carry_along(scene, fighter, start)
    if fighter.token.has("active") and fighter.id in battlefield(scene).fighters:
        scene = yield from mark_moved(scene, fighter, was_engaged, is_direct)
        scene = yield from spot_group(scene, fighter.id, points)
    return Outcome("moved")


def is_direct_route(scene: Scene, fighter: Fighter, path: Sequence[Cell], most: int) -> bool:
    """Return whether a path is the most direct route to its end: no longer than the shortest (MNC-110)."""
    if len(path) == 1 or fighter.id not in battlefield(scene).fighters:
        return True
    field = battlefield(scene)
    length = field.path_length(fighter, path, most)
    shortest = field.field(fighter, most).cost(field.center_at(fighter.token, path[-1]))
    return length is None or shortest is None or length <= shortest + 1


def way_points(scene: Scene, fighter: Fighter, path: Sequence[Cell]) -> list[Point]:
    """Return centers on the way of a move, half an inch apart, at which archers may see the model."""
    field = battlefield(scene)
    if fighter.id not in field.fighters:
        return []
    centers = [field.bases[fighter.id].at, *(field.center_at(fighter.token, at) for at in path)]
    points = [centers[0]]
    for (x, y), (to_x, to_y) in pairwise(centers):
        count = max(1, math.ceil(math.dist((x, y), (to_x, to_y)) / SAMPLE))
        points += [
            (x + round((to_x - x) * i / count), y + round((to_y - y) * i / count))
            for i in range(1, count + 1)
        ]
    return points


def _pay(scene: Scene, fighter: Fighter, ruling: Ruling) -> Steps:
    """Pay for a move: from the allowance, or 2" a die, free movement dice first (MNC-108, MNC-109)."""
    length = ruling.budget if ruling.cost is None else ruling.cost
    if not is_engaged_group(scene):
        left = fighter.token.track("allowance") - length
        return (yield set_track(scene, fighter.id, "allowance", max(0, left)))
    return (yield from pay_dice(scene, fighter, -(-length // STEP)))


def mark_moved(scene: Scene, fighter: Fighter, was_engaged: bool, is_direct: bool) -> Steps:
    """Note that a model moved: a shield gives one die less, and a charge may owe defenses; return the scene.

    (MNC-015, MNC-073, MNC-110)
    """
    token = scene.token(fighter.id)
    if not token.has("moved"):
        scene = yield set_condition(scene, fighter.id, "moved")
        left = token.track("defense dice")
        if fighter.profile.shield == "shield" and left:
            scene = yield set_track(scene, fighter.id, "defense dice", left - 1)
    field = battlefield(scene)
    if was_engaged or not field.is_engaged(field.fighters[fighter.id]):
        return scene
    scene = yield set_condition(scene, fighter.id, "charged")
    needs_direct = setting(scene, house_rules.CHARGE_EXEMPTION) == "direct and no attack"
    if needs_direct and not is_direct:
        scene = yield set_condition(scene, fighter.id, "must defend")
    return scene
