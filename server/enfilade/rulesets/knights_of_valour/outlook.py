"""Moments to come, for advice: creatures whose turn begins, and the effect of an attack on its target."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from enfilade.rules.outlook import Outlook, TargetEffect, refreshed, with_token
from enfilade.rules.procedures import Act, Call
from enfilade.rules.resolve import check_refusal
from enfilade.rulesets.knights_of_valour.battlefield import battlefield, is_defeated
from enfilade.rulesets.knights_of_valour.combat.attack import (
    build_attack,
    is_in_range,
    read_attack,
    require_target,
)
from enfilade.rulesets.knights_of_valour.combat.attack_rolls import Strike, roll_attack
from enfilade.rulesets.knights_of_valour.equipment import Weapon
from enfilade.rulesets.knights_of_valour.movement import may_move
from enfilade.rulesets.knights_of_valour.profiles import Creature, read_creature
from enfilade.rulesets.knights_of_valour.special_acts import AT_ENEMY, is_beside
from enfilade.rulesets.knights_of_valour.turn import ROUND_CONDITIONS, ROUND_TRACKS, combat_action_refusal
from enfilade.scene.model import Scene, Token


def ready(scene: Scene, tokens: Sequence[str]) -> Scene:
    """Return the scene in which creatures act as before the first round: with all actions (KOV-031)."""
    fresh = scene
    for token_id in tokens:
        cleared = (*ROUND_CONDITIONS, *ROUND_TRACKS)
        fresh = with_token(fresh, refreshed(scene.token(token_id), {}, cleared))
    return replace(fresh, tracks={**scene.tracks, "round": 0})


def attacks(scene: Scene, token: Token, target: Token) -> Sequence[Act]:
    """Return the legal acts of a creature at an enemy: with each weapon, then the other actions."""
    if scene.are_allies(token, target) or "out" in token.conditions or "out" in target.conditions:
        return ()
    creature = read_creature(token)
    if combat_action_refusal(scene, creature) is not None:
        return ()
    enemy = read_creature(target)
    is_near = is_beside(battlefield(scene), creature, enemy)
    acts = [
        Act(kind=weapon.kind, token=token.id, target=target.id, weapon=weapon.name)
        for weapon in creature.held
        if (is_near or weapon.kind == "ranged") and _may_attack(scene, creature, weapon, enemy)
    ]
    if is_near:
        acts += [Act(kind=kind, token=token.id, target=target.id) for kind in AT_ENEMY]
    return acts


def _may_attack(scene: Scene, creature: Creature, weapon: Weapon, enemy: Creature) -> bool:
    """Return whether a weapon may be used at an enemy. The range comes first: it refuses the most."""
    if not is_in_range(scene, creature, weapon, enemy):
        return False
    return check_refusal(require_target, scene, creature, weapon, enemy) is None


def on_target(scene: Scene, act: Act) -> TargetEffect | None:
    """Return the effect of a melee or ranged attack on its target (KOV-055, KOV-056)."""
    if act.kind not in ("melee", "ranged"):
        return None
    call = Call(roll_attack, (build_attack(scene, *read_attack(scene, act)).spec,), _damage)
    return TargetEffect(lambda _: call, _wounded)


def _damage(strike: Strike) -> int:
    return strike.damage


def _wounded(scene: Scene, target: Token, damage: int) -> Token | None:
    """Return a creature after damage, as `apply_damage` leaves it; None if it is defeated."""
    if not damage:
        return target
    left = read_creature(target).points - damage
    if is_defeated(scene, left):
        return None
    return replace(target, tracks={**target.tracks, "points": max(0, left)})


OUTLOOK = Outlook(
    attacks=attacks,
    may_move=may_move,
    ready=ready,
    on_target=on_target,
    damage_tracks=("points",),
    routine=("end",),
)
