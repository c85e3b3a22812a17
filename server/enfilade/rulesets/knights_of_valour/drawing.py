"""Taking another weapon in hand: an act that is free, or by a house rule a part of a Move Action (C-29).

The text lists what a creature carries (KOV-013) and what a Move Action is made of (KOV-033), and says nothing
on changing weapons. The new weapon goes into the main hand. What else was held stays while there are hands;
a shield is on its bearer's back while both hands hold weapons.
"""

from __future__ import annotations

from enfilade.errors import CannotPay, IllegalAct
from enfilade.i18n import localize
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act, Change, Outcome, Require, Steps
from enfilade.rulesets.knights_of_valour import house_rules
from enfilade.rulesets.knights_of_valour.battlefield import FEET
from enfilade.rulesets.knights_of_valour.equipment import Weapon
from enfilade.rulesets.knights_of_valour.movement import begin_move_action, begun_movement
from enfilade.rulesets.knights_of_valour.profiles import MAIN_HAND, OTHER_HAND, Creature, read_creature
from enfilade.rulesets.knights_of_valour.turn import is_in_play, moves_left, require_turn
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

COST = FEET
"""The feet of Movement for a weapon, by the house rule: as for a vault (KOV-039)."""


def is_paid(scene: Scene) -> bool:
    """Return whether taking a weapon in hand costs Movement now."""
    return is_in_play(scene) and setting(scene, house_rules.DRAWING) == house_rules.DRAWING.options[1]


def draw(scene: Scene, act: Act) -> Steps:
    """Take a weapon in the main hand; put away what then has no hand."""
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
    if is_paid(scene):
        scene = yield from _pay(scene, creature)
    scene = yield set_condition(scene, creature.id, MAIN_HAND, weapon.name)
    yield set_condition(scene, creature.id, OTHER_HAND, kept.name if kept else None)
    return Outcome("done")


def _require_draw(scene: Scene, creature: Creature) -> None:
    require_turn(scene, creature.token)
    if is_paid(scene) and begun_movement(scene, creature) < COST and not moves_left(creature):
        raise CannotPay(localize("knights_of_valour.move_used", name=creature.name), "KOV-031")


def _pay(scene: Scene, creature: Creature) -> Steps:
    """Spend feet of the Move Action that has begun, or of another one; return the scene."""
    left = begun_movement(scene, creature)
    if left < COST:
        scene, left = yield from begin_move_action(scene, creature)
    return (yield set_track(scene, creature.id, "movement", max(0, left - COST)))


def _other_hand(creature: Creature, weapon: Weapon) -> Weapon | None:
    """Return what stays in the other hand: a one-handed weapon, if no shield is there."""
    if weapon.is_two_handed or creature.profile.shield:
        return None
    return next((one for one in reversed(creature.held) if not one.is_two_handed), None)
