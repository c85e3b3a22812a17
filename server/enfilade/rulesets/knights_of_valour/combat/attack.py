"""Melee and ranged attacks: who may attack whom, and with which numbers (KOV-006, KOV-049 to KOV-062)."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.geometry.board.arcs import compass_vector
from enfilade.i18n import localize
from enfilade.rules.battle.causes import walled_off
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import Act, Call, Change, Outcome, Require, Settled, Steps
from enfilade.rules.resolve import check_refusal
from enfilade.rules.values import Modifier, total
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import Battlefield, battlefield
from enfilade.rulesets.knights_of_valour.combat.attack_rolls import DEFENSE_BASE, AttackSpec, roll_attack
from enfilade.rulesets.knights_of_valour.combat.damage import apply_damage, outcome_of
from enfilade.rulesets.knights_of_valour.equipment import Weapon
from enfilade.rulesets.knights_of_valour.profiles import (
    SIZES,
    Creature,
    Size,
    read_creature,
    with_damage_dice,
)
from enfilade.rulesets.knights_of_valour.sight import ranges_of, sight_line
from enfilade.rulesets.knights_of_valour.turn import (
    combat_action_refusal,
    require_combat_action,
    spend_combat_action,
)
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

PENALTY = 5
"""What Disadvantage costs by the house rule "-5" (C-3)."""


SHIELD_RULES = ("KOV-047", "KOV-048")
"""The rules of the Defense Modifiers of shields."""


class Attack(NamedTuple):
    """An attack with every modifier and its source (KOV-064)."""

    attacker: Creature
    weapon: Weapon
    target: Creature
    modifiers: tuple[Modifier, ...]
    defenses: tuple[Modifier, ...]
    damage: tuple[Modifier, ...]
    disadvantage: str
    spec: AttackSpec


def size_modifier(attacker: Size, defender: Size) -> int:
    """Return the modifier of the attack roll by relative size (KOV-021, KOV-022)."""
    return SIZES[defender] - SIZES[attacker]


def build_attack(scene: Scene, attacker: Creature, weapon: Weapon, target: Creature) -> Attack:
    """Return an attack with its numbers, legal or not."""
    weapon = with_damage_dice(scene, weapon)
    modifiers = tuple(_attack_modifiers(scene, attacker, weapon, target))
    defenses = tuple(_defenses(scene, attacker, weapon, target))
    strength = Modifier(localize("knights_of_valour.modifier_strength"), attacker.profile.strength, "KOV-056")
    damage = (strength, *attacker.buff_modifiers("damage", weapon.name))
    disadvantage = disadvantage_reason(scene, attacker, weapon, target)
    has_two_dice = setting(scene, house_rules.DISADVANTAGE) == "lower of two dice"
    if disadvantage and not has_two_dice:
        modifiers = (*modifiers, Modifier(disadvantage, -PENALTY, "KOV-017"))
    spec = AttackSpec(
        modifier=total(modifiers),
        defense=total(defenses),
        has_disadvantage=bool(disadvantage) and has_two_dice,
        dice=weapon.dice,
        sides=weapon.sides,
        damage_modifier=total(damage),
        minimum_damage=int(setting(scene, house_rules.MINIMUM_DAMAGE)),
        has_natural_rolls=setting(scene, house_rules.NATURAL_ROLLS) != "no effect",
    )
    return Attack(attacker, weapon, target, modifiers, defenses, damage, disadvantage, spec)


def _attack_modifiers(scene: Scene, attacker: Creature, weapon: Weapon, target: Creature) -> list[Modifier]:
    """Return the modifiers of the attack roll (KOV-011, KOV-053, KOV-059, C-2)."""
    level, own = attacker.proficiency(weapon.name), attacker.profile
    size = Modifier(
        localize("knights_of_valour.modifier_size", attacker=own.size, defender=target.profile.size),
        size_modifier(own.size, target.profile.size),
        "KOV-021",
        counts=weapon.kind == "melee" or is_on(scene, house_rules.RANGED_SIZE),
    )
    proficiency = Modifier(
        localize("knights_of_valour.modifier_proficiency", weapon=weapon.name),
        level,
        "KOV-011",
        counts=weapon.kind == "melee" or is_on(scene, house_rules.RANGED_PROFICIENCY),
    )
    if weapon.kind == "melee":
        stat = Modifier(localize("knights_of_valour.modifier_strength"), own.strength, "KOV-053")
        return [proficiency, stat, size, *attacker.buff_modifiers("attack", weapon.name)]
    stat = Modifier(localize("knights_of_valour.modifier_agility"), own.agility, "KOV-059")
    from_table = Modifier(
        localize("knights_of_valour.modifier_weapon", weapon=weapon.name), weapon.attack_modifier, "KOV-059"
    )
    return [proficiency, from_table, stat, size, *attacker.buff_modifiers("attack", weapon.name)]


def _defenses(scene: Scene, attacker: Creature, weapon: Weapon, target: Creature) -> list[Modifier]:
    """Return the parts of the target's Defense Value (KOV-054, KOV-060)."""
    base = Modifier(localize("knights_of_valour.modifier_base"), DEFENSE_BASE, "KOV-054")
    agility = Modifier(localize("knights_of_valour.modifier_agility"), target.profile.agility, "KOV-054")
    parts = [base, *_defending_proficiency(scene, target)] if weapon.kind == "melee" else [base]
    return [*parts, *_protection(scene, attacker, target), agility, *target.buff_modifiers("defense")]


def _defending_proficiency(scene: Scene, target: Creature) -> list[Modifier]:
    """Return the level of the target's melee weapon: the better one, or the main hand's (KOV-052, C-24)."""
    held = list(target.held)
    if setting(scene, house_rules.DEFENDING_WEAPON) == "main hand":
        held = held[:1]
    melee = [weapon for weapon in held if weapon.kind == "melee"]
    if not melee:
        return []
    best = max(melee, key=lambda weapon: target.proficiency(weapon.name))
    reason = localize("knights_of_valour.modifier_proficiency", weapon=best.name)
    return [Modifier(reason, target.proficiency(best.name), "KOV-012")]


def _protection(scene: Scene, attacker: Creature, target: Creature) -> list[Modifier]:
    """Return the Defense Modifiers of armor and shield: all, or by a house rule the better one (C-25).

    A shield does not count against an attacker behind its bearer, if creatures have a facing (C-23).
    """
    found = list(target.defense_modifiers)
    if is_behind(scene, attacker, target):
        found = [replace(one, counts=one.rule not in SHIELD_RULES) for one in found]
    counting = [modifier for modifier in found if modifier.counts]
    if setting(scene, house_rules.ARMOR_AND_SHIELD) == "add" or not counting:
        return found
    best = max(counting, key=lambda modifier: modifier.value)
    return [replace(one, counts=one is best) for one in found]


def is_behind(scene: Scene, attacker: Creature, target: Creature) -> bool:
    """Return whether an attacker is in the rear half of a target that has a facing (C-23)."""
    facing, start, end = target.token.facing, attacker.token.at, target.token.at
    if setting(scene, house_rules.FACING) == "none" or facing is None or start is None or end is None:
        return False
    ahead = compass_vector(facing)
    return ahead[0] * (start[0] - end[0]) + ahead[1] * (start[1] - end[1]) < 0


def disadvantage_reason(scene: Scene, attacker: Creature, weapon: Weapon, target: Creature) -> str:
    """Return why an attack is at Disadvantage; empty if it is not. Reasons do not add up (C-3)."""
    if weapon.kind == "melee":
        return ""
    ranges = ranges_of(scene, attacker, weapon)
    if ranges.close == 0:
        return localize("knights_of_valour.disadvantage_no_close")
    battle = battlefield(scene)
    start, end = attacker.token.at, target.token.at
    if start is not None and end is not None and battle.has_map:
        is_far = ranges.band(battle.feet_between(attacker, target)) != "close"
        if is_far and setting(scene, house_rules.BEYOND_CLOSE) == "disadvantage":
            return localize("knights_of_valour.disadvantage_beyond_close")
    is_pressed = setting(scene, house_rules.SHOT_BESIDE_ENEMY) == "disadvantage"
    if is_pressed and battle.engaged(attacker):
        return localize("knights_of_valour.disadvantage_beside_enemy")
    return ""


# Who may attack whom


def read_attack(scene: Scene, act: Act) -> tuple[Creature, Weapon, Creature]:
    """Return the attacker, the weapon and the target of an act.

    Raises NotFound for an unknown token, IllegalAct for a weapon that is not in hand or no target.
    """
    attacker, target = read_creature(scene.token(act.token)), read_creature(scene.token(act.target))
    weapon = attacker.weapon(act.weapon)
    if weapon is None or weapon.kind != act.kind:
        sentence = localize("knights_of_valour.refuse_weapon", name=attacker.name, weapon=act.weapon)
        raise IllegalAct(sentence, "KOV-050" if act.kind == "melee" else "KOV-057", "missing")
    if attacker.id == target.id:
        raise IllegalAct(localize("knights_of_valour.refuse_itself", name=attacker.name), "KOV-049", "target")
    for creature in (attacker, target):
        if creature.token.has("out"):
            raise IllegalAct(localize("knights_of_valour.refuse_out", name=creature.name), "KOV-024", "ban")
    return attacker, weapon, target


@per_scene
def _use_refusal(scene: Scene, attacker: Creature, weapon: Weapon) -> IllegalAct | None:
    """Return the error that refuses attacks with a weapon at all targets, or None."""
    return combat_action_refusal(scene, attacker) or check_refusal(_require_usable, scene, attacker, weapon)


def attack_refusal(scene: Scene, act: Act) -> IllegalAct | None:
    """Return the error that refuses an attack, or None."""
    try:
        attacker, weapon, target = read_attack(scene, act)
    except IllegalAct as wrong:
        return wrong.with_traceback(None)
    refused = _use_refusal(scene, attacker, weapon)
    if refused is not None or not battlefield(scene).has_map:
        return refused
    return _beyond_reach(scene, attacker, weapon, target)


def require_attack(scene: Scene, attacker: Creature, weapon: Weapon, target: Creature) -> None:
    """Raise IllegalAct or OutOfReach if a creature may not attack a target with a weapon now."""
    require_combat_action(scene, attacker)
    require_target(scene, attacker, weapon, target)


def require_target(scene: Scene, attacker: Creature, weapon: Weapon, target: Creature) -> None:
    """Raise IllegalAct if the attacker is not proficient, OutOfReach if it cannot reach the target."""
    _require_usable(scene, attacker, weapon)
    refused = _beyond_reach(scene, attacker, weapon, target) if battlefield(scene).has_map else None
    if refused is not None:
        raise refused


def _require_usable(scene: Scene, attacker: Creature, weapon: Weapon) -> None:
    if not attacker.is_proficient(weapon):
        sentence = localize("knights_of_valour.refuse_proficiency", name=attacker.name, weapon=weapon.name)
        raise IllegalAct(sentence, "KOV-050" if weapon.kind == "melee" else "KOV-057", "missing")
    if weapon.kind == "ranged" and ranges_of(scene, attacker, weapon).maximum == 0:
        sentence = localize("knights_of_valour.refuse_no_range", name=attacker.name, weapon=weapon.name)
        raise OutOfReach(sentence, "KOV-018", "missing")


def is_in_range(scene: Scene, attacker: Creature, weapon: Weapon, target: Creature) -> bool:
    """Return whether a target is within the reach or the range of a weapon, or nothing can be measured.

    So it is without a map, or off the board: `require_target` refuses a target there.
    """
    battle = battlefield(scene)
    if not battle.has_map or attacker.token.at is None or target.token.at is None:
        return True
    if weapon.kind == "melee":
        return battle.is_in_reach(attacker, target)
    return ranges_of(scene, attacker, weapon).band(battle.feet_between(attacker, target)) != "beyond"


def _beyond_reach(scene: Scene, attacker: Creature, weapon: Weapon, target: Creature) -> OutOfReach | None:
    battle = battlefield(scene)
    if weapon.kind == "melee" and battle.is_in_reach(attacker, target):
        return None
    for creature in (attacker, target):
        if creature.token.at is None or creature.token.at not in battle.board:
            return OutOfReach(
                localize("knights_of_valour.refuse_off_board", name=creature.name), "KOV-051", "edge"
            )
    if weapon.kind == "melee":
        return _beyond_melee(battle, attacker, target)
    distance, ranges = battle.feet_between(attacker, target), ranges_of(scene, attacker, weapon)
    if ranges.band(distance) == "beyond":
        feet = {"distance": distance, "maximum": ranges.maximum}
        return OutOfReach(
            localize("knights_of_valour.refuse_range", name=target.name, **feet), "KOV-066", "distance"
        )
    line = sight_line(scene, attacker, target)
    if line is not None and line.blocker is not None:
        sentence = localize("knights_of_valour.refuse_sight", name=target.name, blocker=line.blocker.name)
        return OutOfReach(sentence, "KOV-058", "sight")
    return None


def _beyond_melee(battle: Battlefield, attacker: Creature, target: Creature) -> OutOfReach | None:
    hindrance = battle.why_not(attacker, target)
    if not hindrance:
        return None
    if hindrance == "wall":
        return walled_off(attacker.name, target.name, "KOV-051")
    key = "knights_of_valour.refuse_height" if hindrance == "height" else "knights_of_valour.refuse_reach"
    distance = battle.feet_between(attacker, target)
    sentence = localize(key, name=target.name, distance=distance, reach=battle.five)
    return OutOfReach(sentence, "KOV-051", hindrance)


# The act


def attack(scene: Scene, act: Act) -> Steps:
    """Attack with a weapon in hand: the Combat Actions Melee Attack and Ranged Attack."""
    attacker, weapon, target = read_attack(scene, act)
    yield Require(require_attack, (scene, attacker, weapon, target))
    built = build_attack(scene, attacker, weapon, target)
    yield declare(built)
    scene = yield from spend_combat_action(scene, attacker)
    strike = yield Call(roll_attack, (built.spec,))
    outcome: Outcome = outcome_of(scene, strike, target)
    yield Settled(outcome)
    yield from apply_damage(scene, target.id, strike.damage)
    return outcome


def declare(built: Attack, kind: str = "declared") -> Change:
    """Return the explanation of an attack before its dice: every modifier with its source (KOV-064)."""
    facts = {
        "token": built.attacker.id,
        "target": built.target.id,
        "weapon": built.weapon.name,
        "act": built.weapon.kind,
        "dice": built.weapon.damage_text,
        "needed": built.spec.defense - built.spec.modifier,
        "disadvantage": built.disadvantage if built.spec.has_disadvantage else "",
        "modifiers": msgspec.to_builtins(built.modifiers),
        "defenses": msgspec.to_builtins(built.defenses),
        "damage_modifiers": msgspec.to_builtins(built.damage),
    }
    return Change(Explained(kind=kind, facts=facts))
