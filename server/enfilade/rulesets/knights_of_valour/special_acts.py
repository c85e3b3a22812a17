"""The Combat Actions known by name only: Shove, Grapple, Throw and the others (KOV-063, C-19)."""

from __future__ import annotations

from enfilade.errors import IllegalAct, OutOfReach
from enfilade.i18n import localize
from enfilade.rules.battle.causes import walled_off
from enfilade.rules.dice import D20
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act, Call, Change, Outcome, Require, Roll, Steps
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import battlefield
from enfilade.rulesets.knights_of_valour.profiles import Creature, read_creature
from enfilade.rulesets.knights_of_valour.turn import require_combat_action, spend_combat_action
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

AT_ENEMY = ("shove", "grapple")
"""The actions at an enemy within reach; the others need no target."""


def special_action(scene: Scene, act: Act) -> Steps:
    """Use the Combat Action for an action without rules; the Judge says what it does (C-19)."""
    creature = read_creature(scene.token(act.token))
    yield Require(require_combat_action, (scene, creature))
    yield Change(Explained(kind="special", facts={"token": creature.id, "act": act.kind}))
    yield from spend_combat_action(scene, creature)
    return Outcome("done")


def wrestle(scene: Scene, act: Act) -> Steps:
    """Shove or grapple an enemy: log only, or an opposed D20 + Strength by a house rule (C-19)."""
    creature, target = read_creature(scene.token(act.token)), read_creature(scene.token(act.target))
    if creature.id == target.id or target.token.has("out"):
        raise IllegalAct(localize("knights_of_valour.refuse_itself", name=creature.name), "KOV-063", "target")
    yield Require(_require_wrestling, (scene, creature, target))
    facts = {"token": creature.id, "target": target.id, "act": act.kind}
    yield Change(Explained(kind="special", facts=facts))
    yield from spend_combat_action(scene, creature)
    if setting(scene, house_rules.SHOVE_AND_GRAPPLE) == "log only":
        return Outcome("done")
    wins = yield Call(opposed_roll, (creature.profile.strength, target.profile.strength))
    yield Change(Explained(kind="opposed", facts={**facts, "wins": wins}))
    return Outcome("effect" if wins else "no effect")


def _require_wrestling(scene: Scene, creature: Creature, target: Creature) -> None:
    require_combat_action(scene, creature)
    require_beside(scene, creature, target)


def require_beside(scene: Scene, creature: Creature, target: Creature) -> None:
    """Raise OutOfReach for a target beyond a creature's melee reach."""
    if not is_beside(scene, creature, target):
        if battlefield(scene).why_not(creature, target) == "wall":
            raise walled_off(creature.name, target.name, "KOV-051")
        raise OutOfReach(
            localize("knights_of_valour.refuse_wrestle", name=target.name), "KOV-051", "distance"
        )


def is_beside(scene: Scene, creature: Creature, target: Creature) -> bool:
    """Return whether a target is within a creature's melee reach; without a map each is."""
    battle = battlefield(scene)
    if not battle.has_map:
        return True
    return battle.is_in_reach(creature, target)


def opposed_roll(strength: int, opposed: int) -> Steps:
    """Roll a D20 for both; return whether the first reaches the other's total."""
    (own,) = yield Roll(localize("knights_of_valour.roll_own"), D20)
    (other,) = yield Roll(localize("knights_of_valour.roll_opposed"), D20)
    return own + strength >= other + opposed
