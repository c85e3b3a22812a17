"""Movement: the roll of an unengaged group, the 2" steps of an engaged one, and other actions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from enfilade.errors import CannotPay, IllegalAct
from enfilade.geometry.board.units import Cell, Point
from enfilade.geometry.movement.obstacles import CLOSE
from enfilade.i18n import localize
from enfilade.rules.changes import move_token, set_condition, set_track
from enfilade.rules.dice import D6
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act, Call, Change, Outcome, Require, Roll, Step, Steps, body_of
from enfilade.rules.ruleset import Reach, Ruling
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.groups import spot_group
from enfilade.rulesets.miniatures_combat.profiles import INCH, Fighter, read_fighter
from enfilade.rulesets.miniatures_combat.turn import (
    find_fighter,
    group,
    is_engaged_group,
    is_group_active,
    read_notes,
    require_active,
    require_dice,
    spend_dice,
    undefended,
)
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Token, Value

STEP = 2 * INCH
"""How far one die moves a model of an engaged group (MNC-108)."""
LOWEST, HIGHEST = 3, 6
"""The least and the greatest result of a movement die (MNC-109, MNC-113)."""
ATHLETIC = 1
"""What athletic models add to each movement die (MNC-113)."""
SAMPLE = 32
"""The distance between the places on a path at which archers look: half an inch."""

MOST_SEARCHED = 6 * INCH
"""How far from its place a captive looks for room if another base stands there."""

ACTIONS = ("stand", "mount", "dismount", "use", "climb")
"""The actions that cost one die (house values: the tables of the text are pictures, MNC-107, MNC-111)."""


# The roll of an unengaged group


class MovementDice(Value, frozen=True):
    """The action dice that each member of the group spends on the movement roll (MNC-109)."""

    dice: Annotated[int, Meta(ge=0, le=5, title=localize("miniatures_combat.field_dice"))] = 1


def die_modifier(scene: Scene, fighter: Fighter) -> int:
    """Return what a model adds to each of its movement dice (MNC-113)."""
    total = ATHLETIC * fighter.profile.athletic
    total += int(setting(scene, house_rules.SHORT_MODIFIER)) * fighter.profile.short
    total += int(setting(scene, house_rules.WOUND_MODIFIER)) * fighter.wounds
    total += int(setting(scene, house_rules.LOAD_MODIFIER)) * is_loaded(scene, fighter)
    is_rough = battlefield(scene).is_on_difficult_ground(fighter)
    return total + int(setting(scene, house_rules.DIFFICULT_MODIFIER)) * is_rough


def is_loaded(scene: Scene, fighter: Fighter) -> bool:
    """Return whether a model carries a captive that is not smaller than its carriers (MNC-114)."""
    return any(
        fighter.id in token.conditions.get("carried", "").split()
        and not (read_fighter(token).profile.short and not fighter.profile.short)
        for token in scene.tokens
    )


def moved_by_die(face: int, modifier: int) -> int:
    """Return the inches that a movement die gives (MNC-109, MNC-113)."""
    return max(LOWEST, min(HIGHEST, face + modifier))


def slowest(scene: Scene, members: Sequence[Fighter], dice: int) -> tuple[Fighter, int, int]:
    """Return the slowest member with the number of its dice and its modifier (MNC-109)."""

    def speed(one: Fighter) -> tuple[int, str]:
        modifier = die_modifier(scene, one)
        mean = sum(moved_by_die(face, modifier) for face in range(1, 7))
        return mean * (dice + one.token.track("movement dice")), one.id

    found = min(members, key=speed)
    return found, dice + found.token.track("movement dice"), die_modifier(scene, found)


def roll_movement(scene: Scene, act: Act) -> Steps:
    """Roll the movement of an unengaged group: the dice of its slowest member count for all (MNC-109)."""
    fighter, dice = find_fighter(scene, act.token), body_of(act, MovementDice).dice
    yield Require(require_movement_roll, (scene, fighter, dice))
    members = group(scene) or [fighter]
    one, number, modifier = slowest(scene, members, dice)
    facts = {"token": fighter.id, "slowest": one.id, "dice": number, "modifier": modifier}
    yield Change(Explained(kind="movement dice", facts=facts))
    inches = yield Call(roll_inches, (number, modifier))
    for member in members:
        scene = yield from spend_dice(scene, member, dice)
        scene = yield set_track(scene, member.id, "movement dice", 0)
        scene = yield set_track(scene, member.id, "allowance", inches * INCH)
    yield set_condition(scene, TABLE, "rolled")
    yield Change(Explained(kind="movement roll", facts={"token": fighter.id, "inches": inches}))
    return Outcome("rolled", damage=inches)


def roll_inches(number: int, modifier: int) -> Steps:
    """Roll movement dice; return the inches."""
    faces = yield Roll(localize("miniatures_combat.roll_movement"), D6, number)
    return sum(moved_by_die(face, modifier) for face in faces)


def require_movement_roll(scene: Scene, fighter: Fighter, dice: int) -> None:
    """Raise IllegalAct if the group may not roll for movement now."""
    require_active(scene, fighter.token)
    if is_engaged_group(scene) or "rolled" in scene.conditions or "movement over" in scene.conditions:
        raise IllegalAct(localize("miniatures_combat.refuse_roll"), "MNC-109")
    for member in group(scene):
        require_dice(member, dice)


# Reach and judgment


def budget(scene: Scene, fighter: Fighter) -> int:
    """Return how far a model may move now, in 64ths of an inch (MNC-106)."""
    token = fighter.token
    if not token.has("active"):
        return 0
    if not is_engaged_group(scene):
        return 0 if "movement over" in scene.conditions else token.track("allowance")
    return STEP * (token.track("dice") + token.track("movement dice"))


def why_not(scene: Scene, fighter: Fighter) -> str:
    """Return why a model may not move at all now; empty if it may."""
    try:
        require_active(scene, fighter.token)
    except IllegalAct as refused:
        return f"{refused.sentence} ({refused.rule})"
    if fighter.token.has("prone"):
        return localize("miniatures_combat.refuse_prone", name=fighter.name)
    if is_engaged_group(scene) and not may_step(scene, fighter):
        return localize("miniatures_combat.refuse_step", name=fighter.name)
    if not is_engaged_group(scene) and "rolled" not in scene.conditions:
        return localize("miniatures_combat.refuse_no_roll")
    return ""


def may_step(scene: Scene, fighter: Fighter) -> bool:
    """Return whether a model of an engaged group may move: it defended against all attackers (MNC-107)."""
    if fighter.token.has("must defend") and undefended(scene, fighter):
        return False
    if setting(scene, house_rules.MOVE_AFTER) == "not hit":
        return not fighter.token.has("hit")
    return "failed" not in read_notes(fighter.token, "defended").values()


def judge(scene: Scene, token: Token, path: Sequence[Cell], facing: int | None) -> Ruling:
    """Return the ruling on a move along waypoints; one waypoint means the shortest path."""
    del facing  # models have no facing
    fighter = read_fighter(token)
    most = budget(scene, fighter)
    stopped = why_not(scene, fighter)
    if stopped or not path:
        return Ruling(False, None, most, (stopped or localize("miniatures_combat.refuse_no_path"),))
    cost, reasons = travel_cost(scene, fighter, path, most), end_problems(scene, fighter, path[-1])
    if cost is None:
        far = localize("miniatures_combat.refuse_far", name=token.name, inches=_inches(most))
        reasons = [far, *reasons]
    return Ruling(not reasons, cost, most, tuple(reasons), (token.at, *path) if token.at else ())


def end_problems(scene: Scene, fighter: Fighter, at: Cell) -> list[str]:
    """Return why a model may not end a move at a place, if not for the distance."""
    token, field = fighter.token, battlefield(scene)
    reasons = []
    if not field.is_on_board(token, at):
        reasons.append(localize("miniatures_combat.refuse_off_board"))
    if field.overlaps(token, at):
        reasons.append(localize("miniatures_combat.refuse_overlap"))
    if token.has("fled") and not field.is_engaged(fighter) and field.engages_at(fighter, at):
        reasons.append(localize("miniatures_combat.refuse_fled", name=token.name))
    return reasons


def travel_cost(scene: Scene, fighter: Fighter, path: Sequence[Cell], most: int) -> int | None:
    """Return the length of a move in 64ths of an inch, rounded up; None if it is not clear or too long."""
    field = battlefield(scene)
    if len(path) > 1:
        length = field.path_length(fighter, path, most)
    else:
        length = field.field(fighter, most).cost(field.center_at(fighter.token, path[-1]))
    return None if length is None or length > most + CLOSE else math.ceil(length - CLOSE)


def _inches(distance: int) -> str:
    return f"{distance / INCH:g}"


def reach(scene: Scene, token: Token) -> Reach | None:
    """Return places that a model can move to: cells, or without a grid places an inch apart.

    Without a grid the model can also stop between them; `judge` rules on every place.
    """
    fighter = read_fighter(token)
    if fighter.id not in battlefield(scene).fighters:
        return None
    most = 0 if why_not(scene, fighter) else budget(scene, fighter)
    if not most:
        return Reach(0, ())
    field = battlefield(scene)
    paths, places = field.field(fighter, most), []
    for at in _candidates(scene, fighter, most):
        cost = paths.cost(field.center_at(token, at))
        if cost is not None and not end_problems(scene, fighter, at):
            places.append((*at, math.ceil(cost - CLOSE)))
    return Reach(most, tuple(sorted(places)))


def _candidates(scene: Scene, fighter: Fighter, most: int) -> list[Cell]:
    field = battlefield(scene)
    grid, token, center = scene.grid, fighter.token, field.bases[fighter.id].at
    if grid.kind != "gridless":
        cells = [(x, y) for x in range(grid.columns) for y in range(grid.rows)]
        return [at for at in cells if math.dist(center, field.center_at(token, at)) <= most + CLOSE]
    inches = range(-(most // INCH), most // INCH + 1)
    around = [(center[0] + x * INCH, center[1] + y * INCH) for x in inches for y in inches]
    contacts = [field.contact_place(fighter, enemy) for enemy in field.enemies(fighter)]
    return [at for at in dict.fromkeys((*around, *contacts)) if math.dist(center, at) <= most + CLOSE]


# The act


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


def pay_dice(scene: Scene, fighter: Fighter, dice: int) -> Steps:
    """Pay dice for movement actions, free movement dice first; return the scene."""
    free = min(dice, fighter.token.track("movement dice"))
    if free:
        left = fighter.token.track("movement dice") - free
        scene = yield set_track(scene, fighter.id, "movement dice", left)
    return (yield from spend_dice(scene, fighter, dice - free))


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


# Other actions


def take_action(scene: Scene, act: Act) -> Steps:
    """Spend one die on an action: stand up, mount, dismount, use a thing, climb (MNC-107, MNC-111)."""
    fighter = find_fighter(scene, act.token)
    if act.weapon not in ACTIONS:
        raise IllegalAct(localize("miniatures_combat.refuse_action", action=act.weapon[:40]), "MNC-111")
    yield Require(require_action, (scene, fighter, act.weapon))
    scene = yield from pay_dice(scene, fighter, 1)
    if act.weapon == "stand":
        scene = yield set_condition(scene, fighter.id, "prone", None)
    if act.weapon == "mount":
        scene = yield set_condition(scene, fighter.id, "dismounted", None)
    if act.weapon == "dismount":
        # The free dice of the horse are gone with it (MNC-112).
        scene = yield set_condition(scene, fighter.id, "dismounted")
        scene = yield set_track(scene, fighter.id, "movement dice", 0)
    yield Change(Explained(kind="action", facts={"token": fighter.id, "act": act.weapon}))
    return Outcome("done")


def require_action(scene: Scene, fighter: Fighter, action: str) -> None:
    """Raise IllegalAct if a model may not take an action now."""
    require_active(scene, fighter.token)
    is_senseless = {
        "stand": not fighter.token.has("prone"),
        "mount": not fighter.profile.mounted or fighter.is_mounted,
        "dismount": not fighter.is_mounted,
    }
    if is_senseless.get(action, False):
        raise IllegalAct(localize("miniatures_combat.refuse_action_now", name=fighter.name), "MNC-111")
    if is_engaged_group(scene) and not may_step(scene, fighter):
        raise IllegalAct(localize("miniatures_combat.refuse_step", name=fighter.name), "MNC-107")
    if not fighter.token.track("dice") + fighter.token.track("movement dice"):
        raise CannotPay(localize("miniatures_combat.refuse_dice", name=fighter.name, left=0), "MNC-111")


# Captives


class Carriers(Value, frozen=True):
    """The models that help to carry a captive (MNC-114)."""

    helpers: Annotated[
        tuple[Annotated[str, Meta(max_length=64)], ...],
        Meta(title=localize("miniatures_combat.field_helpers"), max_length=8),
    ] = ()


def carry(scene: Scene, act: Act) -> Steps:
    """Take up a captive with as many carriers as its level; it moves with the first of them (MNC-114)."""
    fighter, prisoner = find_fighter(scene, act.token), read_fighter(scene.token(act.target))
    carriers = tuple(dict.fromkeys((fighter.id, *body_of(act, Carriers).helpers)))
    helpers = [find_fighter(scene, key) for key in carriers]
    if prisoner.token.at is None:
        raise IllegalAct(localize("miniatures_combat.refuse_captive", name=prisoner.name), "MNC-114")
    yield Require(require_carry, (scene, helpers, prisoner))
    yield set_condition(scene, prisoner.id, "carried", " ".join(carriers))
    yield Change(Explained(kind="carry", facts={"token": fighter.id, "target": prisoner.id}))
    return Outcome("carried")


def require_carry(scene: Scene, carriers: Sequence[Fighter], prisoner: Fighter) -> None:
    """Raise IllegalAct if these models cannot carry a captive (MNC-114)."""
    for carrier in carriers:
        require_active(scene, carrier.token)
    is_helpless = prisoner.token.has("captured") or prisoner.token.has("incapacitated")
    if not is_helpless:
        raise IllegalAct(localize("miniatures_combat.refuse_captive", name=prisoner.name), "MNC-114")
    field = battlefield(scene)
    apart = [field.distance(carrier.token, prisoner.token) for carrier in carriers]
    if max(apart) > INCH:
        raise IllegalAct(localize("miniatures_combat.refuse_carry_far", name=prisoner.name), "MNC-114")
    if len(carriers) < prisoner.level:
        sentence = localize("miniatures_combat.refuse_carriers", name=prisoner.name, count=prisoner.level)
        raise IllegalAct(sentence, "MNC-114")


def carry_along(scene: Scene, carrier: Fighter, start: Cell | None) -> Steps:
    """Move the captive of a group of carriers with the first of them; return the scene."""
    end = scene.token(carrier.id).at
    for token in scene.tokens:
        carriers = token.conditions.get("carried", "").split()
        if carriers[:1] != [carrier.id] or None in (start, end, token.at):
            continue
        assert start is not None
        assert end is not None
        assert token.at is not None
        at = (token.at[0] + end[0] - start[0], token.at[1] + end[1] - start[1])
        field = battlefield(scene)
        wanted = replace(token, at=at) if field.is_on_board(token, at) else token
        free = field.nearest_free_place(wanted, (end[0] - start[0], end[1] - start[1]), MOST_SEARCHED)
        if free is not None:
            scene = yield move_token(token, free, token.facing)
    return scene
