"""Effects of hits and misses beside damage: masteries and riders (SRD-123 to SRD-131, SRD-186)."""

from __future__ import annotations

from typing import cast

from enfilade.rules.battle.displace import drive, straight_away
from enfilade.rules.house_rules import is_on
from enfilade.rules.procedures import Change, Steps, set_condition
from enfilade.rules.sheets import Attack, Rider
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import contacts, forced_map, is_beside, is_within
from enfilade.rulesets.fifth_edition.checks import save
from enfilade.rulesets.fifth_edition.damage import afflict, dismounted, shake_off
from enfilade.rulesets.fifth_edition.holds import carry, keep_in_reach
from enfilade.rulesets.fifth_edition.profiles import (
    RANKS,
    SEPARATOR,
    STATES,
    Ability,
    Creature,
    read_creature,
)
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token

PUSHED = 10
"""The feet of a push by a weapon (SRD-127)."""


def mastery_of(scene: Scene, one: Creature, weapon: Attack) -> str:
    """Return the mastery that a creature uses with a weapon; empty without the feature (SRD-123)."""
    return weapon.mastery if one.profile.has_mastery and is_on(scene, house_rules.MASTERY) else ""


def modifier_with(one: Creature, weapon: Attack) -> int:
    """Return the modifier of the ability that an attack is made with; Strength's if it names none."""
    return one.modifier(cast("Ability", weapon.ability or "str"))


def grazes(scene: Scene, one: Creature, weapon: Attack) -> int:
    """Return the damage of a miss (SRD-125)."""
    is_graze = mastery_of(scene, one, weapon) == "graze" and weapon.damage
    return max(0, modifier_with(one, weapon)) if is_graze else 0


def after_hit(scene: Scene, attacker: str, target: str, weapon: Attack, dealt: int) -> Steps:
    """Do what follows a hit on a creature that lives (SRD-127 to SRD-131, SRD-186); return the scene."""
    one, token = read_creature(scene.token(attacker)), scene.token(target)
    if token.has("out"):
        return scene
    match mastery_of(scene, one, weapon):
        case "push" if read_creature(token).rank <= RANKS.index("large"):
            scene = yield from push(scene, one.token, target, PUSHED)
        case "sap":
            scene = yield set_condition(scene, target, "sapped", attacker)
        case "slow" if dealt:
            scene = yield set_condition(scene, target, "slowed", attacker)
        case "vex" if dealt:
            scene = yield set_condition(scene, target, "vexed", attacker)
        case "topple":
            difficulty = 8 + modifier_with(one, weapon) + one.profile.proficiency
            scene = yield from _ride(scene, one, target, Rider("prone", "con", difficulty))
    for rider in weapon.riders:
        scene = yield from _ride(scene, one, target, rider)
    return scene


def _ride(scene: Scene, one: Creature, target: str, rider: Rider) -> Steps:
    """Give a creature the condition of a hit, unless it is too large or saves (SRD-130, SRD-186)."""
    other = read_creature(scene.token(target))
    if other.token.has("out") or (rider.size and other.rank > RANKS.index(rider.size)):
        return scene
    if rider.difficulty and rider.save:
        scene, is_saved = yield from save(scene, target, rider.save, rider.difficulty)
        if is_saved:
            return scene
    if rider.condition == "grappled":
        return (yield from grip(scene, one.id, target))
    if scene.token(target).has(rider.condition) or rider.condition not in STATES:
        return scene
    yield Change(Explained(kind="rider", facts={"token": target, "state": rider.condition}))
    return (yield from afflict(scene, target, rider.condition, "" if rider.condition == "prone" else one.id))


def grip(scene: Scene, attacker: str, target: str) -> Steps:
    """Grapple a creature; both know the other (SRD-073, SRD-148). Returns the scene."""
    scene = yield from afflict(scene, target, "grappled", attacker)
    held = read_creature(scene.token(attacker)).listed("grappling")
    is_new = scene.token(target).conditions.get("grappled") == attacker and target not in held
    return (
        (yield set_condition(scene, attacker, "grappling", SEPARATOR.join((*held, target))))
        if is_new
        else scene
    )


def cleft(scene: Scene, attacker: Token, target: Token, weapon: Attack) -> list[Token]:
    """Return the enemies that a cleaving blow may strike next (SRD-124)."""
    one = read_creature(attacker)
    if mastery_of(scene, one, weapon) != "cleave" or attacker.has("cleaved"):
        return []
    return [
        enemy
        for enemy in contacts(scene).enemies(attacker)
        if enemy.id != target.id
        and is_beside(scene, target, enemy)
        and is_within(scene, attacker, enemy, weapon.reach)
    ]


def push(scene: Scene, source: Token, key: str, feet: float) -> Steps:
    """Push a creature straight away from another, as far as there is room (SRD-037, SRD-038)."""
    spaces, token = contacts(scene).screens.spaces, scene.token(key)
    if not (spaces.is_placed(source) and spaces.is_placed(token)):
        return scene
    places = straight_away(spaces, spaces.center(source), token, spaces.length(feet))
    scene = yield from drive(scene, key, places, "push", forced_map)
    if scene.token(key).at == token.at:
        return scene
    scene = yield from keep_in_reach(scene, key)
    if token.has("riding"):
        return (yield from dismounted(scene, key))
    scene = yield from carry(scene, key)
    return (yield from shake_off(scene, key))
