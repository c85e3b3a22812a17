"""The move of a model along its path, what it costs, and what it leads to (MNC-104 to MNC-110)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

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

ROUNDING = 1
"""What the rounding of places may add to a move, in 64ths of an inch."""
SAMPLE = 32
"""The distance between the places on a path at which archers look: half an inch."""


def move(scene: Scene, act: Act) -> Steps:
    """Move a model along its path; an illegal move on the tabletop is recorded as it is."""
    fighter, field = read_fighter(scene.token(act.token)), battlefield(scene)
    path = act.waypoints or ((fighter.token.at,) if fighter.token.at is not None else ())
    if not path or not field.is_on_board(fighter.token, path[-1]):
        raise IllegalAct(localize("miniatures_combat.refuse_off_board"), "MNC-106", "edge")
    ruling = judge(scene, fighter.token, path, act.facing)
    was_engaged, route = field.is_engaged(fighter), _route_with(scene, fighter, path, ruling.budget)
    is_direct = is_direct_route(scene, fighter, path, ruling.budget)
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
        scene = yield from mark_moved(scene, fighter)
        if not was_engaged:
            scene = yield from note_charge(scene, fighter, is_direct)
        if route is not None and not is_engaged_group(scene):
            scene = yield set_condition(scene, fighter.id, "moved", route.note)
        scene = yield from spot_group(scene, fighter.id, points)
    return Outcome("moved")


_NOTE = re.compile(r"(\d{1,6}),(\d{1,6}),(\d{1,6}\.\d\d),(\d{1,4})", re.ASCII)
"""The note of a route."""


class Route(NamedTuple):
    """The way of a model in its activation so far: where it began, its length, and how many moves it took."""

    start: Cell
    length: float
    moves: int

    @property
    def note(self) -> str:
        """Return the route as the note of a condition."""
        return f"{self.start[0]},{self.start[1]},{self.length:.2f},{self.moves}"


def _route_so_far(scene: Scene, fighter: Fighter) -> Route | None:
    """Return the route that a model has gone in its activation, or the start of one; None off the board.

    A note that a GM or a file has written otherwise is no route.
    """
    noted = _NOTE.fullmatch(fighter.token.conditions.get("moved", ""))
    if noted:
        x, y, length, moves = noted.groups()
        start = int(x), int(y)
        if battlefield(scene).is_on_board(fighter.token, start):
            return Route(start, float(length), int(moves))
    return None if fighter.token.at is None else Route(fighter.token.at, 0, 0)


def _route_with(scene: Scene, fighter: Fighter, path: Sequence[Cell], most: int) -> Route | None:
    """Return the route of a model in its activation with one more path; None if the path is no legal way."""
    field, before = battlefield(scene), _route_so_far(scene, fighter)
    if before is None or fighter.id not in field.fighters:
        return None
    if len(path) == 1:
        length = field.field(fighter, most).cost(field.center_at(fighter.token, path[0]))
    else:
        length = field.path_length(fighter, path, most)
    if length is None:
        return None
    return Route(before.start, before.length + length, before.moves + 1)


def is_direct_route(scene: Scene, fighter: Fighter, path: Sequence[Cell], most: int) -> bool:
    """Return whether a model's moves in this activation are the most direct route to a path's end (MNC-110).

    They are no longer than the shortest way from where it began, but for the rounding of each move.
    """
    route = _route_with(scene, fighter, path, most)
    if route is None:
        return True
    begun = replace(fighter.token, at=route.start)
    tokens = tuple(begun if token.id == begun.id else token for token in scene.tokens)
    field = battlefield(replace(scene, tokens=tokens))
    shortest = field.field(field.fighters[begun.id], math.ceil(route.length)).cost(
        field.center_at(begun, path[-1])
    )
    return shortest is None or route.length <= shortest + ROUNDING * route.moves


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


def mark_moved(scene: Scene, fighter: Fighter) -> Steps:
    """Note that a model moved, so that a shield gives one die less (MNC-015); return the scene."""
    token = scene.token(fighter.id)
    if token.has("moved"):
        return scene
    scene = yield set_condition(scene, fighter.id, "moved")
    left = token.track("defense dice")
    if fighter.profile.shield == "shield" and left:
        scene = yield set_track(scene, fighter.id, "defense dice", left - 1)
    return scene


def note_charge(scene: Scene, fighter: Fighter, is_direct: bool) -> Steps:
    """Note that an unengaged model has moved into a fight, if it has; return the scene.

    It owes defenses unless it came by the most direct route (MNC-073, MNC-110).
    """
    field = battlefield(scene)
    if not field.is_engaged(field.fighters[fighter.id]):
        return scene
    scene = yield set_condition(scene, fighter.id, "charged")
    needs_direct = setting(scene, house_rules.CHARGE_EXEMPTION) == "direct and no attack"
    if needs_direct and not is_direct:
        scene = yield set_condition(scene, fighter.id, "must defend")
    return scene
