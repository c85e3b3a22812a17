"""Hands: which weapons a creature holds, and what changing them costs (SRD-052, SRD-055, SRD-121)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from enfilade.errors import CannotPay, IllegalAct
from enfilade.i18n import localize
from enfilade.rules.procedures import Steps, set_condition
from enfilade.rules.sheets import Attack
from enfilade.rulesets.fifth_edition.profiles import SEPARATOR, Creature, read_creature
from enfilade.rulesets.fifth_edition.weapons import hands_for
from enfilade.scene.model import Scene, Token


class Grip(NamedTuple):
    """The weapons of a creature after it has taken one: the names, and how many it drew or put away."""

    held: tuple[str, ...]
    changes: int


def free_hands(one: Creature) -> int:
    """Return the hands without a weapon and without a grappled creature (SRD-073)."""
    known = [one.attacks[name] for name in one.listed("wielding") if name in one.attacks]
    return one.profile.hands - sum(map(hands_for, known)) - len(one.listed("grappling"))


def grip(one: Creature, weapon: Attack) -> Grip:
    """Return how a creature takes a weapon: what does not fit beside it is put away, the oldest first."""
    held, needed = list(one.listed("wielding")), hands_for(weapon)
    if not needed or weapon.name in held:
        return Grip(tuple(held), 0)
    changes, free = int(one.token.has("wielding")), free_hands(one)
    while held and free < needed:
        free += hands_for(one.attacks[held.pop(0)])
        changes += 1
    return Grip((*held, weapon.name), changes)


def require_hands(one: Creature, weapon: Attack, *, is_thrown: bool) -> None:
    """Raise unless a creature can hold a weapon now (SRD-055, SRD-073, SRD-114, SRD-120).

    One is drawn or put away with the attack, one more by the interaction of the turn (SRD-052). A thrown
    weapon is drawn as a part of the attack.
    """
    spare = int("amm" in weapon.properties and "two" not in weapon.properties)
    if hands_for(weapon) + spare + len(one.listed("grappling")) > one.profile.hands and hands_for(weapon):
        raise IllegalAct(
            localize("fifth_edition.refuse_hands", name=one.name, weapon=weapon.name), "SRD-073", "missing"
        )
    most = 1 + int(not one.token.has("interacted")) + int(is_thrown)
    if grip(one, weapon).changes > most:
        raise CannotPay(localize("fifth_edition.refuse_draw", name=one.name, weapon=weapon.name), "SRD-055")


def take_up(scene: Scene, token: Token, weapon: Attack, *, is_thrown: bool) -> Steps:
    """Take a weapon in hand for an attack; one that is thrown leaves it (SRD-120). Returns the scene."""
    one = read_creature(token)
    taken = grip(one, weapon)
    held = tuple(name for name in taken.held if name != weapon.name or not is_thrown)
    if held != one.listed("wielding") or not token.has("wielding"):
        if hands_for(weapon):
            scene = yield set_condition(scene, token.id, "wielding", SEPARATOR.join(held))
        if taken.changes > 1 + int(is_thrown):
            scene = yield set_condition(scene, token.id, "interacted")
    return scene


def in_both_hands(one: Creature, weapon: Attack) -> Attack:
    """Return a versatile weapon with its larger die, if the other hand is free (SRD-121)."""
    others = [name for name in grip(one, weapon).held if name != weapon.name and name in one.attacks]
    used = sum([hands_for(one.attacks[name]) for name in others]) + len(one.listed("grappling"))
    if not weapon.two_handed or not weapon.damage or used + 2 > one.profile.hands:
        return weapon
    first, *more = weapon.damage
    return replace(weapon, damage=(replace(first, sides=weapon.two_handed), *more))
