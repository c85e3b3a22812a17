"""Groups: which models one activation may take together, and what each of them gets (MNC-007 to MNC-013)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Annotated

from msgspec import Meta

from enfilade.errors import IllegalAct, OutOfTurn
from enfilade.geometry.board.base import Cell
from enfilade.geometry.movement.round_bases import RoundBase
from enfilade.i18n import localize
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import (
    Act,
    Change,
    Outcome,
    Require,
    Step,
    Steps,
    body_of,
    set_condition,
    set_track,
)
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import Battlefield, battlefield
from enfilade.rulesets.miniatures_combat.profiles import (
    INCH,
    SHIELD_DICE,
    Fighter,
    free_movement_dice,
)
from enfilade.rulesets.miniatures_combat.sight import sees_target
from enfilade.rulesets.miniatures_combat.turn import (
    begin_first_round,
    find_fighter,
    is_group_active,
    require_turn,
)
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Value

GROUP_DISTANCE = 8 * INCH
"""The greatest distance between models of one group (MNC-007)."""
JOIN_DISTANCE = 2 * INCH
"""How far an unengaged model may be shifted to join the group (MNC-008)."""

Shift = tuple[str, int, int]


class Group(Value, frozen=True):
    """The group of an activation beside the token: members, and shifts of those that join (MNC-008)."""

    members: Annotated[
        tuple[Annotated[str, Meta(max_length=64)], ...],
        Meta(title=localize("miniatures_combat.field_members"), max_length=64),
    ] = ()
    shifts: Annotated[
        tuple[Shift, ...], Meta(title=localize("miniatures_combat.field_shifts"), max_length=64)
    ] = ()


def nearby_group(scene: Scene, fighter: Fighter, is_of_its_players: bool = False) -> tuple[str, ...]:
    """Return the model and all its friends, nearest first, that can be in one group with it.

    With `is_of_its_players` models of other players are left out, as a player activates own models only.
    """
    field = battlefield(scene)
    own = [one for one in field.friends(fighter) if not is_of_its_players or _share_players(one, fighter)]
    nearest = sorted(own, key=lambda one: (field.gap(fighter.id, one.id), one.id))
    found, bases = [fighter.id], field.bases
    # Those found are one group, so that a friend joins by its own distances to them.
    joins = all if _is_pairwise(scene) else any
    for friend in nearest:
        checkpoint()
        if joins(_are_close(bases[friend.id], bases[key]) for key in found):
            found.append(friend.id)
    return tuple(found)


def may_join(scene: Scene, fighter: Fighter, members: Sequence[str]) -> list[Fighter]:
    """Return the friends that can be in one group with a model and the members it has so far (MNC-007)."""
    field = battlefield(scene)
    return [
        one
        for one in field.friends(fighter)
        if one.id not in members
        and is_coherent(scene, {key: field.bases[key].at for key in (*members, one.id)})
    ]


def _share_players(a: Fighter, b: Fighter) -> bool:
    owners, others = a.token.owners, b.token.owners
    return owners == others or not set(owners).isdisjoint(others)


def is_coherent(scene: Scene, centers: dict[str, tuple[int, int]]) -> bool:
    """Return whether models with these centers can be one group: all within 8" of one another (MNC-007).

    By a house rule a chain of models is enough.
    """
    bases = battlefield(scene).bases
    moved = {key: RoundBase(at, bases[key].radius) for key, at in centers.items()}
    close = set()
    for a, b in combinations(centers, 2):
        checkpoint()
        if _are_close(moved[a], moved[b]):
            close.add((a, b))
    if _is_pairwise(scene):
        return len(close) == math.comb(len(centers), 2)
    return _is_connected(list(centers), close)


def _is_pairwise(scene: Scene) -> bool:
    return setting(scene, house_rules.COHERENCY) == "pairwise"


def _are_close(a: RoundBase, b: RoundBase) -> bool:
    """Return whether two bases are within the distance of models of one group (MNC-007)."""
    return math.dist(a.at, b.at) - a.radius - b.radius <= GROUP_DISTANCE


def _is_connected(keys: Sequence[str], links: Collection[tuple[str, str]]) -> bool:
    found = set(keys[:1])
    for _ in keys:
        checkpoint()
        found |= {b for a, b in links if a in found} | {a for a, b in links if b in found}
    return len(found) == len(keys)


def activate(scene: Scene, act: Act) -> Steps:
    """Activate a group: it is now exposed, and each model gets its dice (MNC-001, MNC-006 to MNC-013)."""
    fighter, body = find_fighter(scene, act.token), body_of(act, Group)
    members = tuple(dict.fromkeys((fighter.id, *body.members)))
    for key in (*members, *(shift[0] for shift in body.shifts)):
        scene.token(key)
    yield Require(require_group, (scene, fighter, members, body.shifts))
    scene = yield from begin_first_round(scene)
    shifted = []
    for key, x, y in body.shifts:
        token = scene.token(key)
        if token.at is not None and battlefield(scene).is_on_board(token, (x, y)):
            scene = yield Step(key, (x, y), token.facing)
            shifted.append(key)
    field = battlefield(scene)
    fighters = [field.fighters[key] for key in members if key in field.fighters]
    is_engaged = any(field.is_engaged(one) for one in fighters)
    state = "engaged" if is_engaged else "unengaged"
    scene = yield set_condition(scene, TABLE, "activated", state)
    scene = yield set_track(scene, TABLE, "group", len(fighters))
    pools = []
    for one in fighters:
        scene, pool = yield from _prepare(scene, one, field.is_engaged(one) or bool(field.attackers(one)))
        pools.append(pool)
    if not is_engaged:
        for one in fighters:
            scene = yield from spot_group(scene, one.id, [field.bases[one.id].at])
    facts = {"token": fighter.id, "state": state, "pools": pools, "shifted": shifted}
    yield Change(Explained(kind="activated", facts=facts))
    return Outcome("activated")


def _prepare(scene: Scene, fighter: Fighter, must_defend: bool) -> Steps:
    """Give a member its dice; return the scene and the pool for the log (MNC-002, MNC-014 to MNC-016)."""
    stumble = fighter.token.track("stumble")
    dice = {
        "dice": max(0, fighter.level - stumble),
        "defense dice": SHIELD_DICE[fighter.profile.shield],
        "movement dice": free_movement_dice(scene, fighter),
    }
    scene = yield set_condition(scene, fighter.id, "active")
    if must_defend:
        scene = yield set_condition(scene, fighter.id, "must defend")
    for track, number in dice.items():
        scene = yield set_track(scene, fighter.id, track, number)
    if stumble:
        scene = yield set_track(scene, fighter.id, "stumble", None)
    if fighter.token.has("named"):
        scene = yield set_condition(scene, fighter.id, "named", None)
    return scene, {"token": fighter.id, **dice}


def require_group(scene: Scene, fighter: Fighter, members: Sequence[str], shifts: Sequence[Shift]) -> None:
    """Raise IllegalAct if the models cannot be activated as one group (MNC-006 to MNC-008, MNC-038)."""
    require_turn(scene, fighter.token)
    if is_group_active(scene):
        raise OutOfTurn(localize("miniatures_combat.refuse_one_group"), "MNC-006")
    field = battlefield(scene)
    for key in members:
        one = field.fighters.get(key)
        if one is None or one.side != fighter.side:
            raise IllegalAct(
                localize("miniatures_combat.refuse_member", name=scene.token(key).name), "MNC-006", "request"
            )
    for shift in shifts:
        _require_shift(field, members, shift)
    places = {key: (x, y) for key, x, y in shifts}
    centers = {
        key: field.center_at(scene.token(key), places[key]) if key in places else field.bases[key].at
        for key in members
    }
    if not is_coherent(scene, centers):
        raise IllegalAct(localize("miniatures_combat.refuse_coherency"), "MNC-007", "distance")
    named = [one for one in field.fighters.values() if one.side == fighter.side and one.token.has("named")]
    if named and not any(one.id in members for one in named):
        sentence = localize("miniatures_combat.refuse_named", name=named[0].name)
        raise IllegalAct(sentence, "MNC-049", "request")


def _require_shift(field: Battlefield, members: Iterable[str], shift: Shift) -> None:
    """Raise IllegalAct if a model may not be shifted so to join the group (MNC-008)."""
    key, at = shift[0], (shift[1], shift[2])
    name = field.scene.token(key).name
    if key not in members:
        raise IllegalAct(localize("miniatures_combat.refuse_shift_of", name=name), "MNC-008", "request")
    fighter = field.fighters[key]
    is_free = field.is_on_board(fighter.token, at) and not field.overlaps(fighter.token, at)
    if field.is_engaged(fighter) or not is_free or field.engages_at(fighter, at):
        raise IllegalAct(localize("miniatures_combat.refuse_shift_engaged", name=name), "MNC-008", "ban")
    cost = field.field(fighter, JOIN_DISTANCE).cost(field.center_at(fighter.token, at))
    if cost is None:
        raise IllegalAct(localize("miniatures_combat.refuse_shift_far", name=name), "MNC-008", "distance")


# Archers who see the group


def spot_group(scene: Scene, member: str, points: Sequence[Cell]) -> Steps:
    """Note each archer that sees a member from range at one of the centers on its way; return the scene.

    (MNC-076)
    """
    field = battlefield(scene)
    fighter = field.fighters.get(member)
    if fighter is None:
        return scene
    for archer in field.enemies(fighter):
        if not archer.profile.missiles or scene.token(archer.id).has("in sight"):
            continue
        if any(sees_target(field, archer, fighter, point) for point in points):
            scene = yield set_condition(scene, archer.id, "in sight")
    return scene
