"""The numbers on which the damage of an attack or an effect to its target depends: worked out once."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from enfilade.i18n import localize
from enfilade.rules.d20 import Defenses, Part, attack_roll, passes, relevant, total
from enfilade.rules.procedures import Act, Call, Outcome, Steps, body_of
from enfilade.rules.sheets import Damage
from enfilade.rulesets.fifth_edition.areas import catches, caught_in, cover_from
from enfilade.rulesets.fifth_edition.battlefield import COVER, defenses
from enfilade.rulesets.fifth_edition.checks import save_edge
from enfilade.rulesets.fifth_edition.combat import guard_of
from enfilade.rulesets.fifth_edition.damage import roll_damage, roll_parts
from enfilade.rulesets.fifth_edition.effects import Cast, aimed_by, share_of
from enfilade.rulesets.fifth_edition.hands import in_both_hands
from enfilade.rulesets.fifth_edition.masteries import grazes
from enfilade.rulesets.fifth_edition.profiles import creature_in, read_creature
from enfilade.rulesets.fifth_edition.terms import is_ranged, terms
from enfilade.scene.model import Scene


class AttackNumbers(NamedTuple):
    """The numbers of an attack."""

    needed: int
    mode: int
    critical: int
    guard: int
    is_critical: bool
    parts: tuple[Damage, ...]
    against: Defenses
    graze: int


class EffectNumbers(NamedTuple):
    """The numbers of an effect's save and damage; nothing for one whose squares miss the target."""

    bonus: int
    needed: int
    mode: int
    resists: bool
    half: bool
    parts: tuple[Damage, ...]
    against: Defenses


def damage_key(scene: Scene, act: Act) -> Hashable | None:
    """Return what the chances and the damage of an act depend on; None if only its procedure tells."""
    if act.kind == "attack":
        return attack_numbers(scene, act)
    return effect_numbers(scene, act) if act.kind == "effect" else None


def damage_call(scene: Scene, act: Act) -> Call | None:
    """Return the callee that rolls an act's damage to its target alone."""
    found = damage_key(scene, act)
    if found is None:
        return None
    return Call(roll_attack if act.kind == "attack" else roll_effect, tuple(found))  # type: ignore[arg-type]


def attack_numbers(scene: Scene, act: Act) -> AttackNumbers | None:
    """Return the numbers of an attack; None for one that there is not, or whose dice may be rolled again."""
    attacker, target = scene.token(act.token), scene.token(act.target)
    one, other = read_creature(attacker), read_creature(target)
    weapon = one.attacks.get(act.weapon)
    if weapon is None or attacker.has("inspired"):
        return None
    held = weapon if is_ranged(scene, one, other, weapon) else in_both_hands(one, weapon)
    found = terms(scene, attacker, target, held)
    parts = (*held.damage, *(held.edge_damage if found.edge.mode > 0 else ()))
    against = relevant(defenses(scene, other), [part.type for part in parts])
    guard = guard_of(scene, attacker, target, held)
    needed = max(2 - guard, found.needed)  # what is below changes no face
    least, graze = one.profile.critical, grazes(scene, one, held)
    return AttackNumbers(needed, found.edge.mode, least, guard, found.is_critical, parts, against, graze)


def roll_attack(
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
        return Outcome("miss", total([Part(graze, parts[0].type)], against) if graze else 0)
    if is_critical:
        result = "critical"
    return Outcome(result, (yield Call(roll_damage, (parts, against, result == "critical"))))


def effect_numbers(scene: Scene, act: Act) -> EffectNumbers | None:
    """Return the numbers of an effect at a creature; None if what it does to others may count for its target.

    The end of a Concentration may free it before it saves, and so may that of a hold on one that dodges.
    """
    if body_of(act, Cast).slot:
        return None
    aimed, target = aimed_by(scene, act), scene.token(act.target)
    one, other = aimed.effect, creature_in(scene, target)
    if not catches(scene, aimed, target):
        return EffectNumbers(0, 0, 0, False, False, (), Defenses())
    focused = {token.id for token in scene.tokens if token.has("concentrating") and token.id != target.id}
    if target.has("dodging") or (
        focused and not focused.isdisjoint((aimed.caster.id, *caught_in(scene, aimed)))
    ):
        return None
    covered = (
        0 if one.ignores_cover or one.save != "dex" else COVER.get(cover_from(scene, aimed, target.id), 0)
    )
    mode, needed = save_edge(scene, target, one.save, read_creature(aimed.caster).difficulty(one))
    resists = target.track("resisted") < other.profile.legendary_resistance
    against = relevant(defenses(scene, other), [part.type for part in one.damage])
    return EffectNumbers(other.save(one.save) + covered, needed, mode, resists, one.half, one.damage, against)


def roll_effect(
    bonus: int,
    needed: int,
    mode: int,
    resists: bool,
    half: bool,
    parts: tuple[Damage, ...],
    against: Defenses,
) -> Steps:
    """Roll a save and damage by their numbers; return the outcome without what it leaves."""
    if not parts:
        return Outcome("miss")
    rolled = yield Call(roll_parts, (parts,))
    saved = resists or (yield Call(passes, (localize("fifth_edition.act_effect"), bonus, needed, mode)))
    return Outcome("hit", total(share_of(rolled, half, saved), against))
