"""The consequences of a change by hand: defeat, a return to the battle, and victory (KOV-024, KOV-056)."""

from __future__ import annotations

from enfilade.rules.changes import set_condition
from enfilade.rules.kit.settling import last_team, return_to_battle
from enfilade.rules.procedures import Change, Steps
from enfilade.rulesets.knights_of_valour.battlefield import is_defeated
from enfilade.rulesets.knights_of_valour.combat.damage import defeat
from enfilade.rulesets.knights_of_valour.profiles import read_creature
from enfilade.scene.events import TABLE, Explained
from enfilade.scene.model import Scene, Token


def settle(scene: Scene, before: Scene) -> Steps:
    """Make the state whole after a GM's change; return the scene. The turn follows from the order."""

    def is_alive(token: Token) -> bool:
        return not is_defeated(scene, read_creature(token).points)

    scene = yield from return_to_battle(scene, before, is_alive)
    for token in scene.tokens:
        if not token.has("out") and not is_alive(token):
            scene = yield from defeat(scene, token.id)
    side = last_team(scene, before)
    if side is None:
        return scene
    yield Change(Explained(kind="won", facts={"side": side}))
    return (yield set_condition(scene, TABLE, "won", side))
