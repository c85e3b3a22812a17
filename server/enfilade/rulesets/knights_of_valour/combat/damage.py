"""Damage points, defeat and victory (KOV-056, KOV-062, C-14, C-16)."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.kit.health import remove
from enfilade.rules.kit.settling import win
from enfilade.rules.procedures import Change, Outcome, Steps, set_track
from enfilade.rulesets.knights_of_valour.battlefield import is_defeated
from enfilade.rulesets.knights_of_valour.combat.attack_rolls import Strike
from enfilade.rulesets.knights_of_valour.profiles import Creature, read_creature
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene


def outcome_of(scene: Scene, strike: Strike, target: Creature) -> Outcome:
    """Return the outcome of an attack: hit or miss, its damage, and whether the target is defeated."""
    is_lethal = strike.is_hit and is_defeated(scene, target.points - strike.damage)
    leaves = localize("knights_of_valour.outcome_defeated") if is_lethal else ""
    return Outcome("hit" if strike.is_hit else "miss", min(strike.damage, target.points), leaves)


def apply_damage(scene: Scene, target_id: str, damage: int) -> Steps:
    """Take damage points from a creature; at 0 it is defeated and leaves the board. Returns the scene."""
    if damage <= 0:
        return scene
    target = read_creature(scene.token(target_id))
    left = target.points - damage
    facts = {"token": target_id, "damage": damage, "left": max(0, left)}
    yield Change(Explained(kind="wound", facts=facts))
    scene = yield set_track(scene, target_id, "points", max(0, left))
    return (yield from defeat(scene, target_id)) if is_defeated(scene, left) else scene


def defeat(scene: Scene, token_id: str) -> Steps:
    """Remove a defeated creature; end the battle if one team is left. Returns the scene."""
    yield Change(Explained(kind="defeated", facts={"token": token_id}))
    scene = yield from remove(scene, token_id)
    left = [token for token in scene.tokens if not token.has("out")]
    had_teams = any(not scene.are_allies(a, b) for a in scene.tokens for b in scene.tokens)
    if had_teams and left and all(scene.are_allies(left[0], token) for token in left):
        scene = yield from win(scene, left[0].side)
    return scene
