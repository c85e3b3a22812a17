"""The consequences of a change by hand: falls and returns, the turn, and victory (CDG-067 to CDG-078)."""

from __future__ import annotations

from enfilade.rules.changes import set_condition, turn_token
from enfilade.rules.kit.settling import pass_turn_on, return_to_battle, was_healed
from enfilade.rules.procedures import Steps
from enfilade.rulesets.coup_de_grace.battlefield import battlefield
from enfilade.rulesets.coup_de_grace.combat.damage import apply_damage, check_victory, toward_an_enemy
from enfilade.scene.model import Scene


def settle(scene: Scene, before: Scene) -> Steps:
    """Make the state whole after a GM's change; return the scene."""
    scene = yield from return_to_battle(scene, before, lambda token: token.track("hp") >= 0)
    for token in scene.tokens:
        one = battlefield(scene).fighter(token.id)
        if not one.is_out and one.hit_points <= 0:
            scene = yield from apply_damage(scene, token.id, 0)
        elif one.hit_points > 0 and was_healed(before, token, "downed"):
            scene = yield set_condition(scene, token.id, "downed", None)
            scene = yield turn_token(scene.token(token.id), toward_an_enemy(battlefield(scene), one))
    scene = yield from pass_turn_on(scene, before, "priority")
    return (yield from check_victory(scene)) if _has_lost_some(scene, before) else scene


def _has_lost_some(scene: Scene, before: Scene) -> bool:
    """Return whether a change in play has taken a miniature out of the battle."""
    return scene.track("round") > 0 and len(_in_battle(scene)) < len(_in_battle(before))


def _in_battle(scene: Scene) -> list[str]:
    return [token.id for token in scene.tokens if not token.has("out")]
