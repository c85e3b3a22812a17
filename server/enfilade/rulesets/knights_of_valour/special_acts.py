"""Acts beside attacks and moves: to draw, Shove, Grapple, Throw and more (KOV-063, C-19, C-29)."""

from __future__ import annotations

from enfilade.errors import CannotPay, IllegalAct, OutOfReach
from enfilade.i18n import localize
from enfilade.rules.battle.causes import walled_off
from enfilade.rules.dice import D20
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import (
    Act,
    Call,
    Change,
    Outcome,
    Require,
    Roll,
    Steps,
    set_condition,
    set_track,
)
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import FEET, Battlefield, battlefield
from enfilade.rulesets.knights_of_valour.equipment import Weapon
from enfilade.rulesets.knights_of_valour.move_plan import begun_movement
from enfilade.rulesets.knights_of_valour.movement import begin_move_action
from enfilade.rulesets.knights_of_valour.profiles import MAIN_HAND, OTHER_HAND, Creature, read_creature
from enfilade.rulesets.knights_of_valour.turn import (
    combat_action_refusal,
    is_in_play,
    moves_left,
    require_combat_action,
    require_turn,
    spend_combat_action,
)
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
    creature, target = _read_wrestling(scene, act)
    yield Require(_require_wrestling, (scene, creature, target))
    facts = {"token": creature.id, "target": target.id, "act": act.kind}
    yield Change(Explained(kind="special", facts=facts))
    yield from spend_combat_action(scene, creature)
    if setting(scene, house_rules.SHOVE_AND_GRAPPLE) == "log only":
        return Outcome("done")
    wins = yield Call(opposed_roll, (creature.profile.strength, target.profile.strength))
    yield Change(Explained(kind="opposed", facts={**facts, "wins": wins}))
    return Outcome("effect" if wins else "no effect")


def _read_wrestling(scene: Scene, act: Act) -> tuple[Creature, Creature]:
    """Return who wrestles with whom. Raises IllegalAct for oneself, or one who is defeated."""
    creature, target = read_creature(scene.token(act.token)), read_creature(scene.token(act.target))
    if creature.id == target.id or target.token.has("out"):
        raise IllegalAct(localize("knights_of_valour.refuse_itself", name=creature.name), "KOV-063", "target")
    return creature, target


def _require_wrestling(scene: Scene, creature: Creature, target: Creature) -> None:
    require_combat_action(scene, creature)
    require_beside(scene, creature, target)


def require_beside(scene: Scene, creature: Creature, target: Creature) -> None:
    """Raise OutOfReach for a target beyond a creature's melee reach; without a map none is."""
    refused = _not_beside(battlefield(scene), creature, target)
    if refused is not None:
        raise refused


def _not_beside(battle: Battlefield, creature: Creature, target: Creature) -> OutOfReach | None:
    hindrance = battle.has_map and battle.why_not(creature, target)
    if hindrance == "wall":
        return walled_off(creature.name, target.name, "KOV-051")
    if hindrance:
        sentence = localize("knights_of_valour.refuse_wrestle", name=target.name)
        return OutOfReach(sentence, "KOV-051", "distance")
    return None


def is_beside(battle: Battlefield, creature: Creature, target: Creature) -> bool:
    """Return whether a target is within a creature's melee reach; without a map each is."""
    return not battle.has_map or battle.is_in_reach(creature, target)


def wrestle_refusal(scene: Scene, act: Act) -> IllegalAct | None:
    """Return the error that refuses to shove or grapple a creature, or None."""
    try:
        creature, target = _read_wrestling(scene, act)
    except IllegalAct as wrong:
        return wrong.with_traceback(None)
    return combat_action_refusal(scene, creature) or _not_beside(battlefield(scene), creature, target)


def opposed_roll(strength: int, opposed: int) -> Steps:
    """Roll a D20 for both; return whether the first reaches the other's total."""
    (own,) = yield Roll(localize("knights_of_valour.roll_own"), D20)
    (other,) = yield Roll(localize("knights_of_valour.roll_opposed"), D20)
    return own + strength >= other + opposed


DRAW_COST = FEET
"""The feet of Movement for a weapon, by the house rule: as for a vault (KOV-039)."""


def is_draw_paid(scene: Scene) -> bool:
    """Return whether taking a weapon in hand costs Movement now."""
    return is_in_play(scene) and setting(scene, house_rules.DRAWING) == house_rules.DRAWING.options[1]


def draw(scene: Scene, act: Act) -> Steps:
    """Take a weapon in the main hand; put away what then has no hand.

    The text lists what a creature carries (KOV-013) and what a Move Action is made of (KOV-033), and says
    nothing on changing weapons. What else was held stays while there are hands; a shield is on its bearer's
    back while both hands hold weapons.
    """
    creature = read_creature(scene.token(act.token))
    weapon = next((one for one in creature.stowed if one.name == act.weapon), None)
    if weapon is None:
        sentence = localize("knights_of_valour.refuse_draw", name=creature.name, weapon=act.weapon)
        raise IllegalAct(sentence, "KOV-013", "missing")
    yield Require(_require_draw, (scene, creature))
    kept, away = _other_hand(creature, weapon), [one.name for one in creature.held]
    if kept is not None:
        away.remove(kept.name)
    facts = {"token": creature.id, "weapon": weapon.name, "away": away}
    yield Change(Explained(kind="draw", facts=facts))
    if is_draw_paid(scene):
        scene = yield from _pay(scene, creature)
    scene = yield set_condition(scene, creature.id, MAIN_HAND, weapon.name)
    yield set_condition(scene, creature.id, OTHER_HAND, kept.name if kept else None)
    return Outcome("done")


def _require_draw(scene: Scene, creature: Creature) -> None:
    require_turn(scene, creature.token)
    if is_draw_paid(scene) and begun_movement(scene, creature) < DRAW_COST and not moves_left(creature):
        raise CannotPay(localize("knights_of_valour.move_used", name=creature.name), "KOV-031")


def _pay(scene: Scene, creature: Creature) -> Steps:
    """Spend feet of the Move Action that has begun, or of another one; return the scene."""
    left = begun_movement(scene, creature)
    if left < DRAW_COST:
        scene, left = yield from begin_move_action(scene, creature)
    return (yield set_track(scene, creature.id, "movement", max(0, left - DRAW_COST)))


def _other_hand(creature: Creature, weapon: Weapon) -> Weapon | None:
    """Return what stays in the other hand: a one-handed weapon, if no shield is there."""
    if weapon.is_two_handed or creature.profile.shield:
        return None
    return next((one for one in reversed(creature.held) if not one.is_two_handed), None)
