"""Moments to come, for advice: a creature at the start of its turn, and what equal attacks share."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.rules.d20 import attack_roll
from enfilade.rules.outlook import Outlook, refreshed
from enfilade.rules.procedures import Act, Call, Outcome, Steps
from enfilade.rules.sheets import Damage
from enfilade.rules.typed_damage import Defenses, Part, relevant, total
from enfilade.rulesets.fifth_edition.battlefield import defenses
from enfilade.rulesets.fifth_edition.combat import guard_of
from enfilade.rulesets.fifth_edition.damage import roll_damage
from enfilade.rulesets.fifth_edition.hands import in_both_hands
from enfilade.rulesets.fifth_edition.masteries import grazes
from enfilade.rulesets.fifth_edition.profiles import OF_TURN, read_creature
from enfilade.rulesets.fifth_edition.terms import is_ranged, terms
from enfilade.scene.model import Scene


def ready(scene: Scene, tokens: Sequence[str]) -> Scene:
    """Return the scene in which the first of some creatures begins its turn (SRD-049)."""
    fresh = tuple(
        refreshed(token, {}, ("moved", "extra", "run", "attacks", *OF_TURN, "reacted"))
        if token.id in tokens
        else token
        for token in scene.tokens
    )
    number = max(1, scene.track("round"))
    return replace(
        scene,
        tokens=fresh,
        tracks={**scene.tracks, "round": number},
        conditions={**scene.conditions, **({"turn": tokens[0]} if tokens else {})},
    )


class AttackNumbers(NamedTuple):
    """The numbers that the chances and the damage of an attack depend on."""

    needed: int
    mode: int
    critical: int
    guard: int
    is_critical: bool
    parts: tuple[Damage, ...]
    against: Defenses
    graze: int


def numbers(scene: Scene, act: Act) -> AttackNumbers | None:
    """Return the numbers of an attack; None for another act, or for an attack that there is not."""
    if act.kind != "attack":
        return None
    attacker, target = scene.token(act.token), scene.token(act.target)
    one, other = read_creature(attacker), read_creature(target)
    weapon = one.attacks.get(act.weapon)
    if weapon is None or attacker.has("inspired"):
        return None
    held = weapon if is_ranged(scene, one, other, weapon) else in_both_hands(one, weapon)
    found = terms(scene, attacker, target, held)
    parts = (*held.damage, *(held.edge_damage if found.edge.mode > 0 else ()))
    against = relevant(defenses(scene, other), [part.type for part in parts])
    needed, guard = max(2, min(20, found.needed)), guard_of(scene, attacker, target, held)
    least, graze = one.profile.critical, grazes(scene, one, held)
    return AttackNumbers(needed, found.edge.mode, least, guard, found.is_critical, parts, against, graze)


def damage_key(scene: Scene, act: Act) -> Hashable | None:
    """Return what the chances and the expected damage of an attack depend on."""
    return numbers(scene, act)


def damage_call(scene: Scene, act: Act) -> Call | None:
    """Return the callee that rolls an attack and its damage alone."""
    found = numbers(scene, act)
    return Call(roll_numbers, tuple(found)) if found else None


def roll_numbers(
    needed: int,
    mode: int,
    critical: int,
    guard: int,
    is_critical: bool,
    parts: tuple[Damage, ...],
    against: Defenses,
    graze: int,
) -> Steps:
    """Roll an attack and its damage by their numbers; return the outcome without what it leaves."""
    label = localize("fifth_edition.roll_attack")
    result = yield Call(attack_roll, (label, needed, mode, critical, guard))
    if result in ("miss", "narrow"):
        return Outcome("miss", total([Part(graze, parts[0].type)], against) if graze and parts else 0)
    if is_critical:
        result = "critical"
    return Outcome(result, (yield Call(roll_damage, (parts, against, result == "critical"))))


OUTLOOK = Outlook(
    ready=ready,
    damage_key=damage_key,
    damage_call=damage_call,
    down=("out", "dying", "stable"),
    routine=("begin", "stand", "end"),
)
