"""The consequences of a change by hand: the turn passes on if the active group is gone (MNC-006)."""

from __future__ import annotations

from enfilade.rules.procedures import Steps
from enfilade.rulesets.miniatures_combat.endings import next_turn
from enfilade.rulesets.miniatures_combat.turn import active_side, group, is_group_active
from enfilade.scene.model import Scene


def settle(scene: Scene, before: Scene) -> Steps:
    """Make the state whole after a GM's change; return the scene. Scenarios say how battles are won."""
    if is_group_active(before) and is_group_active(scene) and not group(scene):
        scene = yield from next_turn(scene, active_side(scene))
    return scene
