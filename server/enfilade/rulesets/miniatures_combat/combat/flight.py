"""Minions flee: the break radius, the counter-options, and the flight itself (MNC-050 to MNC-061)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.battle.displace import displace
from enfilade.rules.dice import D6
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Answer, Call, Change, Choose, Roll, Steps, set_condition, yes_or_no
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import ENGAGED, battlefield
from enfilade.rulesets.miniatures_combat.combat.damage import remove
from enfilade.rulesets.miniatures_combat.displacement import ForcedMoves, away_from, free_place
from enfilade.rulesets.miniatures_combat.profiles import INCH, Fighter
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene

BREAK_RADIUS, RAISED_RADIUS = 4 * INCH, 8 * INCH
"""The break radius, and the one to which the owner may raise it (MNC-051, MNC-055)."""
FLIGHT, LONG_FLIGHT = 8 * INCH, 12 * INCH
"""How far troops flee, and how far by the third option (MNC-052, MNC-059)."""
AVERAGE = 2
"""The level of the characters that may flee with minions (MNC-054)."""
STEADY = 4
"""The least roll with which a level 2 character need not flee (MNC-058)."""
NOT_RAISED = 2
"""The greatest roll that does not widen the break radius (MNC-057)."""
DIVERSIONS = {"left": -45, "right": 45, "far left": -90, "far right": 90}
"""The ways aside from straight back, in degrees (house values)."""


class Flight(NamedTuple):
    """A flight: who breaks first, the radius, the distance, and whether level 2 characters must flee."""

    first: Fighter
    radius: int = BREAK_RADIUS
    distance: int = FLIGHT
    must_average_flee: bool = False


def minions_flee(scene: Scene, side: str) -> Steps:
    """Let minions flee as a side chooses that rolled the result; return the scene (MNC-045, MNC-050)."""
    field = battlefield(scene)
    minions = [one for one in field.fighters.values() if one.profile.minion]
    enemies = [one for one in minions if not scene.side(side).is_ally(scene.side(one.side))]
    best = max(enemies or minions, key=lambda one: (len(within(scene, one, BREAK_RADIUS)), one.id))
    answers = tuple(Answer(one.id, one.name) for one in minions)
    key = yield Choose(side, localize("miniatures_combat.ask_break"), answers, best.id)
    flight = yield from _ask_radius(scene, side, Flight(field.fighters[key]))
    fleeing = yield from _ask_average(scene, flight)
    facts = {
        "token": key,
        "inches": flight.radius // INCH,
        "distance": flight.distance // INCH,
        "fleeing": [one.id for one in fleeing],
    }
    yield Change(Explained(kind="flee", facts=facts))
    for one in sorted(fleeing, key=lambda one: -_nearest_enemy(scene, one)):
        scene = yield from _flee(scene, one.id, flight.distance)
    is_opposing = not scene.side(side).is_ally(scene.side(flight.first.side))
    if is_opposing and setting(scene, house_rules.FLEEING_MINIONS) == "their side loses":
        scene = yield set_condition(scene, TABLE, "won", side)
    return scene


def within(scene: Scene, first: Fighter, radius: int) -> list[Fighter]:
    """Return the models of the side within a break radius of a minion, with it (MNC-051)."""
    field = battlefield(scene)
    return [
        one
        for one in field.fighters.values()
        if one.side == first.side and (one.id == first.id or field.gap(first.id, one.id) <= radius)
    ]


def _ask_radius(scene: Scene, side: str, flight: Flight) -> Steps:
    """Ask the owner to raise the radius, then the opponent for an option (MNC-055 to MNC-059)."""
    first = flight.first
    question = localize("miniatures_combat.ask_radius")
    if (yield yes_or_no(first.side, question, default=False)) == "no":
        return flight
    flight = flight._replace(radius=RAISED_RADIUS)
    opponent = side if side != first.side else _opponent(scene, first.side)
    answers = (
        Answer("none", localize("miniatures_combat.answer_no_option")),
        Answer("wider", localize("miniatures_combat.answer_wider")),
        Answer("average", localize("miniatures_combat.answer_average")),
        Answer("farther", localize("miniatures_combat.answer_farther")),
    )
    option = yield Choose(opponent, localize("miniatures_combat.ask_option"), answers, "wider")
    if option == "wider":
        more = yield Call(roll_radius)
        return flight._replace(radius=RAISED_RADIUS + more * INCH)
    if option == "average":
        return flight._replace(must_average_flee=True)
    return flight._replace(distance=LONG_FLIGHT) if option == "farther" else flight


def _opponent(scene: Scene, side: str) -> str:
    return next((one.id for one in scene.sides if not one.is_ally(scene.side(side))), side)


def roll_radius() -> Steps:
    """Roll for a wider break radius; return the inches that it adds (MNC-057)."""
    (face,) = yield Roll(localize("miniatures_combat.roll_radius"), D6)
    return face if face > NOT_RAISED else 0


def _ask_average(scene: Scene, flight: Flight) -> Steps:
    """Return all models that flee: minions, and level 2 characters as the owner or the option says."""
    found = within(scene, flight.first, flight.radius)
    fleeing = [one for one in found if one.profile.minion]
    average = [one for one in found if not one.profile.minion and one.level == AVERAGE]
    side = flight.first.side
    for one in average:
        if not flight.must_average_flee:
            question = localize("miniatures_combat.ask_average", name=one.name)
            flees = (yield yes_or_no(side, question, default=False, token=one.id)) == "yes"
        else:
            flees = not (yield from _ask_steady(side, one))
        if flees:
            fleeing.append(one)
    return fleeing


def _ask_steady(side: str, fighter: Fighter) -> Steps:
    """Return whether a character that must flee stands, by a roll if its owner wants it (MNC-058)."""
    question = localize("miniatures_combat.ask_steady", name=fighter.name)
    if (yield yes_or_no(side, question, default=True, token=fighter.id)) == "no":
        return False
    return (yield Call(roll_steady))


def roll_steady() -> Steps:
    """Roll whether a character need not flee (MNC-058)."""
    (face,) = yield Roll(localize("miniatures_combat.roll_steady"), D6)
    return face >= STEADY


def _nearest_enemy(scene: Scene, fighter: Fighter) -> float:
    """Return the distance of the nearest enemy; infinity if there is none."""
    field = battlefield(scene)
    return min((field.gap(fighter.id, one.id) for one in field.enemies(fighter)), default=math.inf)


def _flee(scene: Scene, key: str, distance: int) -> Steps:
    """Move one model in flight; return the scene (MNC-052, MNC-053, MNC-060, MNC-061)."""
    fighter = battlefield(scene).fighters[key]
    if setting(scene, house_rules.FLEEING_MINIONS) == "removed":
        return (yield from remove(scene, fighter))
    places = flight_places(scene, fighter, distance)
    at = places["straight"]
    covered = [way for way in places if way != "straight" and _is_covered(scene, fighter, places[way])]
    if covered:
        answers = tuple(Answer(way, _way_name(way)) for way in ("straight", *covered))
        question = localize("miniatures_combat.ask_way", name=fighter.name)
        at = places[(yield Choose(fighter.side, question, answers, "straight", key))]
    scene, _ = yield from displace(scene, key, at, "flight", ForcedMoves)
    return (yield set_condition(scene, key, "fled"))


def flight_places(scene: Scene, fighter: Fighter, distance: int) -> dict[str, Cell]:
    """Return where a model flees to: straight away from its nearest enemies, or to a side of it (C-45).

    Enemies at the same distance count by the middle between them. The flight stops 1" from an enemy, and at
    the edge of the board (MNC-052, C-33).
    """
    field = battlefield(scene)
    gaps = {one.id: field.gap(fighter.id, one.id) for one in field.enemies(fighter)}
    nearest = [field.bases[key].at for key, apart in gaps.items() if apart == min(gaps.values())]
    x, y = away_from(field, fighter.token, nearest or [field.bases[fighter.id].at])
    friends = [one.id for one in field.friends(fighter)]
    places = {}
    most = int(setting(scene, house_rules.FLIGHT_TURN))
    aside = {way: degrees for way, degrees in DIVERSIONS.items() if abs(degrees) <= most}
    for way, degrees in {"straight": 0, **aside}.items():
        turn = math.radians(degrees)
        direction = (
            x * math.cos(turn) - y * math.sin(turn),
            x * math.sin(turn) + y * math.cos(turn),
        )
        places[way] = free_place(field, fighter, direction, distance, keeps=ENGAGED, may_pass=friends)
    return places


def _is_covered(scene: Scene, fighter: Fighter, at: Cell) -> bool:
    return battlefield(scene).is_covered_at(fighter.token, at)


def _way_name(way: str) -> str:
    names = {
        "straight": localize("miniatures_combat.way_straight"),
        "left": localize("miniatures_combat.way_left"),
        "right": localize("miniatures_combat.way_right"),
        "far left": localize("miniatures_combat.way_far_left"),
        "far right": localize("miniatures_combat.way_far_right"),
    }
    return names[way]


def may_engage_again(scene: Scene, members: Sequence[Fighter]) -> list[str]:
    """Return the fled models that are free again after an activation of members that still fight (MNC-060).

    One of the members fled, and it is not engaged.
    """
    field = battlefield(scene)
    fled = [one for one in members if one.token.has("fled")]
    if not any(not field.is_engaged(one) for one in fled):
        return []
    sides = {one.side for one in fled}
    return [one.id for one in field.fighters.values() if one.side in sides and one.token.has("fled")]
