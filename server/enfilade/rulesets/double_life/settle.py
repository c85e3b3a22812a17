"""The consequences of a change by hand: death, a return to the fight, and its end (DBL-036)."""

from __future__ import annotations

from enfilade.rules.changes import set_condition
from enfilade.rules.kit.settling import last_team, return_to_battle
from enfilade.rules.procedures import Change, Steps
from enfilade.rulesets.double_life.combat.damage import die
from enfilade.rulesets.double_life.profiles import read_character
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene


def settle(scene: Scene, before: Scene) -> Steps:
    """Make the state whole after a GM's change; return the scene."""
    scene = yield from return_to_battle(scene, before, lambda token: read_character(token).health > 0)
    for token in scene.tokens:
        if not token.has("out") and read_character(token).health <= 0:
            scene = yield from die(scene, token.id)
    side = last_team(scene, before)
    if side is None:
        return scene
    yield Change(Explained(kind="won", facts={"side": side}))
    return (yield set_condition(scene, TABLE, "won", side))
