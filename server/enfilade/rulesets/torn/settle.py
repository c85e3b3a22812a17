"""The consequences of a change by hand: removals, transformations, turn and victory (TRN-033, TRN-102)."""

from __future__ import annotations

from enfilade.rules.changes import set_condition
from enfilade.rules.kit.health import remove
from enfilade.rules.kit.settling import last_team, pass_turn_on, return_to_battle
from enfilade.rules.procedures import Steps
from enfilade.rulesets.torn.combat.damage import transform_by_itself
from enfilade.rulesets.torn.profiles import read_miniature
from enfilade.scene.events import TABLE
from enfilade.scene.model import Scene


def settle(scene: Scene, before: Scene) -> Steps:
    """Make the state whole after a GM's change; return the scene. No squad is tested for an edited leader."""
    scene = yield from return_to_battle(scene, before, lambda token: read_miniature(token).wounds > 0)
    for token in scene.tokens:
        miniature = read_miniature(token)
        if miniature.wounds <= 0 and not token.has("out"):
            changes = transform_by_itself if miniature.profile.becomes else remove
            scene = yield from changes(scene, token.id)
    scene = yield from pass_turn_on(scene, before, "first")
    side = last_team(scene, before)
    return scene if side is None else (yield set_condition(scene, TABLE, "won", side))
