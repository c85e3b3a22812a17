"""Moments to come, for advice: creatures whose turn begins, and the effect of an attack on its target."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from enfilade.rules.outlook import Outlook, TargetEffect, refreshed, with_token
from enfilade.rules.procedures import Act, Call
from enfilade.rulesets.knights_of_valour.battlefield import is_defeated
from enfilade.rulesets.knights_of_valour.combat.attack import build_attack, read_attack
from enfilade.rulesets.knights_of_valour.combat.attack_rolls import Strike, roll_attack
from enfilade.rulesets.knights_of_valour.movement import may_move
from enfilade.rulesets.knights_of_valour.profiles import read_creature
from enfilade.rulesets.knights_of_valour.turn import ROUND_CONDITIONS, ROUND_TRACKS
from enfilade.scene.model import Scene, Token


def ready(scene: Scene, tokens: Sequence[str]) -> Scene:
    """Return the scene in which creatures act as before the first round: with all actions (KOV-031)."""
    fresh = scene
    for token_id in tokens:
        cleared = (*ROUND_CONDITIONS, *ROUND_TRACKS)
        fresh = with_token(fresh, refreshed(scene.token(token_id), {}, cleared))
    return replace(fresh, tracks={**scene.tracks, "round": 0})


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
    if damage <= 0:
        return target
    left = read_creature(target).points - damage
    if is_defeated(scene, left):
        return None
    return replace(target, tracks={**target.tracks, "points": max(0, left)})


OUTLOOK = Outlook(
    may_move=may_move, ready=ready, on_target=on_target, damage_tracks=("points",), routine=("end",)
)
