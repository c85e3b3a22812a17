"""The acts of the stranger's fifth-edition package, as they are and with `Each`."""

from __future__ import annotations

from operator import add
from typing import Any

import srd5
from msgspec.structs import replace
from srd5 import (
    DC,
    board_of,
    fights,
    in_sphere,
    mod,
    profile,
    require_attack,
    require_spell,
    roll_attack,
    roll_save,
    set_condition,
    set_track,
    state,
    terms_of,
    weapon_of,
    wound,
)

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.rules.dice import D6
from enfilade.rules.procedures import Act, Call, Change, Each, Outcome, Require, Rest, Roll, Steps
from enfilade.rules.ruleset import ActKind
from enfilade.scene.events import Explained
from enfilade.scene.model import Grid, Scene, Side, Token

DICE = {"fireball": 4}
PLAIN_ATTACK = srd5.attack


# --- fireball with Each ------------------------------------------------------------------------------------
def fireball(scene: Scene, act: Act) -> Steps:
    caster = scene.token(act.token)
    center = scene.token(act.target).at if act.target else act.at
    if caster.at is None or center is None or center not in board_of(scene):
        raise OutOfReach("A fireball needs a point on the board.", "SRD-023")
    yield Require(require_spell, (scene, caster, center))
    struck = tuple(one.id for one in in_sphere(scene, center))
    yield Change(Explained(kind="fireball", facts={"token": caster.id, "target": act.target, "dc": DC}))
    scene = yield set_condition(scene, caster.id, "acted")
    yield set_track(scene, caster.id, "slots", max(0, caster.track("slots") - 1))
    return (yield Rest(explode, (struck, act.target, DICE["fireball"])))


def explode(scene: Scene, struck: tuple[str, ...], target: str, dice: int) -> Steps:
    damage = yield Roll("damage", D6, dice, read=sum)
    scene, mine = yield Each(struck, burn, (damage, target), start=0, add=add)
    return Outcome("hit", mine, state(scene.token(target)) if target else "")


def burn(scene: Scene, one: str, damage: int, target: str) -> Steps:
    saved = yield Call(roll_save, (mod(profile(scene.token(one)).dexterity), DC))
    dealt = damage // 2 if saved else damage
    yield Change(Explained(kind="burned", facts={"token": one, "damage": dealt}))
    yield from wound(scene, one, dealt)
    return dealt if one == target else 0


# --- as it is, with other dice ------------------------------------------------------------------------------
def plain_fireball(scene: Scene, act: Act) -> Steps:
    caster = scene.token(act.token)
    center = scene.token(act.target).at if act.target else act.at
    if caster.at is None or center is None or center not in board_of(scene):
        raise OutOfReach("A fireball needs a point on the board.", "SRD-023")
    yield Require(require_spell, (scene, caster, center))
    struck = in_sphere(scene, center)
    yield Change(Explained(kind="fireball", facts={"token": caster.id, "target": act.target, "dc": DC}))
    scene = yield set_condition(scene, caster.id, "acted")
    scene = yield set_track(scene, caster.id, "slots", max(0, caster.track("slots") - 1))
    damage = sum((yield Roll("damage", D6, DICE["fireball"])))
    mine = 0
    for one in struck:
        bonus = mod(profile(one).dexterity)
        saved = yield Call(roll_save, (bonus, DC))
        dealt = damage // 2 if saved else damage
        yield Change(Explained(kind="burned", facts={"token": one.id, "damage": dealt}))
        scene = yield from wound(scene, one.id, dealt)
        mine = dealt if one.id == act.target else mine
    leaves_ = state(scene.token(act.target)) if act.target else ""
    return Outcome("hit", mine, leaves_)


# --- three attacks at one target ----------------------------------------------------------------------------
def checked(scene: Scene, act: Act) -> Steps:
    a, b = scene.token(act.token), scene.token(act.target)
    if a.at is None or b.at is None:
        raise OutOfReach("Only creatures on the board can fight.", "SRD-010")
    weapon = weapon_of(a, act.weapon)
    yield Require(require_attack, (scene, a, b, weapon))
    if weapon is None:
        raise IllegalAct("Choose a weapon.", "SRD-010")
    return weapon


def plain_multiattack(scene: Scene, act: Act) -> Steps:
    weapon = yield from checked(scene, act)
    scene = yield set_condition(scene, act.token, "acted")
    total = 0
    for _ in range(3):
        a, b = scene.token(act.token), scene.token(act.target)
        if not fights(b):
            break
        terms = terms_of(scene, a, b, weapon)
        result, damage = yield Call(roll_attack, (terms.needed, terms.mode, terms.crits, weapon))
        yield Change(Explained(kind="result", facts={"result": result, "damage": damage}))
        if damage:
            scene = yield from wound(scene, b.id, damage, result == "critical")
        total += damage
    return Outcome("hit" if total else "miss", total, state(scene.token(act.target)))


def multiattack(scene: Scene, act: Act) -> Steps:
    weapon = yield from checked(scene, act)
    yield set_condition(scene, act.token, "acted")
    scene, total = yield Each((act.target,) * 3, strike, (act.token, weapon), start=0, add=add)
    return Outcome("hit" if total else "miss", total, state(scene.token(act.target)))


def strike(scene: Scene, target: str, attacker: str, weapon: Any) -> Steps:
    a, b = scene.token(attacker), scene.token(target)
    if not fights(b):
        return 0
    terms = terms_of(scene, a, b, weapon)
    return (yield Rest(blow, (target, terms.needed, terms.mode, terms.crits, weapon)))


def blow(scene: Scene, target: str, needed: int, mode: int, crits: bool, weapon: Any) -> Steps:
    result, damage = yield Call(roll_attack, (needed, mode, crits, weapon))
    yield Change(Explained(kind="result", facts={"result": result, "damage": damage}))
    if damage:
        yield from wound(scene, target, damage, result == "critical")
    return damage


def attack(scene: Scene, act: Act) -> Steps:
    weapon = yield from checked(scene, act)
    a, b = scene.token(act.token), scene.token(act.target)
    terms = terms_of(scene, a, b, weapon)
    yield Change(Explained(kind="attack", facts=srd5.explain(scene, a, b, weapon, terms)))
    scene = yield from srd5.spend_attack(scene, a)
    scene = yield from srd5.clear(scene, a.id, "helped")
    return (yield Rest(hurt, (b.id, terms.needed, terms.mode, terms.crits, weapon)))


def hurt(scene: Scene, target: str, needed: int, mode: int, crits: bool, weapon: Any) -> Steps:
    result, damage = yield Call(roll_attack, (needed, mode, crits, weapon))
    yield Change(Explained(kind="result", facts={"result": result, "damage": damage}))
    if damage:
        scene = yield from wound(scene, target, damage, result == "critical")
    return Outcome(result, damage, state(scene.token(target)))


# --- scenes --------------------------------------------------------------------------------------------------
def install(with_each: bool) -> Any:
    """Give the stranger's acts their procedures; return his ruleset."""
    srd5.ACTS["fireball"] = ActKind("Fireball", fireball if with_each else plain_fireball)
    srd5.ACTS["attack"] = ActKind("Attack", attack if with_each else PLAIN_ATTACK)
    srd5.ACTS["multiattack"] = ActKind("Multiattack", multiattack if with_each else plain_multiattack)
    return srd5.SRD5


def profile_of(key: str) -> dict[str, Any]:
    return next(unit.profile for unit in srd5.SRD5.catalog if unit.key == key)


def one(key: str, kind: str, side: str, at: tuple[int, int], **changes: Any) -> Token:
    found = {**profile_of(kind), **changes}
    token = Token(id=key, name=key, side=side, at=at, profile=found)
    return srd5.prepare_token(token)


def battle(tokens: list[Token], active: str) -> Scene:
    return Scene(
        ruleset="srd5",
        grid=Grid("square", 24, 16, 5, "ft"),
        sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
        tokens=tuple(tokens),
        tracks={"round": 1},
        conditions={"turn": active},
    )


def blast_scene(targets: int, hp: int = 10) -> Scene:
    """A wizard far from a block of goblins; the first is the center of the fireball."""
    block = [(14, 8), (15, 8), (14, 9), (15, 9), (13, 8), (13, 9), (14, 7), (15, 7)]
    goblins = [
        one(f"g{i}", "goblin", "red", at, hit_points=hp + i % 5) for i, at in enumerate(block[:targets])
    ]
    return battle([one("wizard", "wizard", "blue", (2, 8)), *goblins], "wizard")


def duel() -> Scene:
    ogre = one("ogre", "ogre", "red", (6, 5), hit_points=60)
    ogre = replace(ogre, conditions={**ogre.conditions, "prone": ""})
    sword = {"name": "Greatsword", "to_hit": 5, "dice": 2, "die": 6, "bonus": 3}
    return battle([one("hero", "fighter", "blue", (5, 5), weapons=[sword]), ogre], "hero")


def crowd(active: str) -> Scene:
    """20 tokens: four heroes and a wizard against 13 goblins (eight of them in a block) and two wizards."""
    block = [(12 + x, 6 + y) for x in range(4) for y in range(2)]
    goblins = [one(f"g{i}", "goblin", "red", at) for i, at in enumerate(block)]
    goblins += [
        one(f"g{8 + i}", "goblin", "red", at)
        for i, at in enumerate([(18, 3), (19, 9), (20, 12), (11, 2), (17, 13)])
    ]
    heroes = [one(f"h{i}", "fighter", "blue", at) for i, at in enumerate([(8, 6), (8, 8), (7, 10), (9, 4)])]
    wizards = [
        one("wizard", "wizard", "blue", (4, 7)),
        one("w1", "wizard", "red", (20, 6)),
        one("w2", "wizard", "red", (19, 11)),
    ]
    return battle([*heroes, *goblins, *wizards], active)
