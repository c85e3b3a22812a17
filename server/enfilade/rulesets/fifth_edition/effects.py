"""Saves, and areas of effect with a save (SRD-135, SRD-151, SRD-161 to SRD-180)."""

from __future__ import annotations

from operator import add

from enfilade.errors import CannotPay, IllegalAct, OutOfReach
from enfilade.i18n import localize
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.dice import numbered
from enfilade.rules.procedures import Act, Change, Each, Outcome, Require, Rest, Roll, Steps
from enfilade.rules.typed_damage import Part, total
from enfilade.rulesets.fifth_edition.battlefield import (
    COVER,
    caught_in,
    cover,
    cover_from,
    defenses,
    is_within,
)
from enfilade.rulesets.fifth_edition.checks import save
from enfilade.rulesets.fifth_edition.combat import leaves, pair
from enfilade.rulesets.fifth_edition.damage import afflict, hurt
from enfilade.rulesets.fifth_edition.profiles import SEPARATOR, Creature, Effect, read_creature
from enfilade.rulesets.fifth_edition.terms import require_enemy
from enfilade.rulesets.fifth_edition.turn import require_action, spend_action
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token


def effect_named(creature: Creature, name: str) -> Effect:
    """Return an effect by its name. Raises IllegalAct."""
    found = next((one for one in creature.profile.effects if one.name == name), None)
    if found is None:
        raise IllegalAct(localize("fifth_edition.refuse_weapon", name=creature.name, weapon=name), "SRD-180")
    return found


def effect(scene: Scene, act: Act) -> Steps:
    """Create an area of effect at a creature (SRD-166 to SRD-180)."""
    caster, target = pair(scene, act)
    one = effect_named(read_creature(caster), act.weapon)
    yield Require(require_action, (scene, caster, "act"))
    yield Require(_require_effect, (scene, caster, target, one))
    keys = caught_in(scene, caster, target, one)
    covers = [COVER.get(cover_from(scene, caster, target, one, key), 0) for key in keys]
    caught = tuple(zip(keys, covers, strict=True))
    facts = {"token": caster.id, "target": target.id, "weapon": one.name, "caught": keys}
    yield Change(Explained(kind="effect", facts=facts))
    scene = yield from spend_action(scene, caster)
    if one.recharge:
        spent = (*read_creature(caster).listed("spent"), one.name)
        scene = yield set_condition(scene, caster.id, "spent", SEPARATOR.join(spent))
    if one.uses:
        used = scene.token(caster.id).track("used") + 1
        scene = yield set_track(scene, caster.id, "used", used)
    return (yield Rest(_burst, (caught, caster.id, target.id, one)))


def _require_effect(scene: Scene, caster: Token, target: Token, one: Effect) -> None:
    require_enemy(scene, caster, target, "SRD-180")
    if one.name in read_creature(caster).listed("spent"):
        raise CannotPay(localize("fifth_edition.refuse_used", name=caster.name, effect=one.name), "SRD-181")
    if one.uses and caster.track("used") >= one.uses:
        raise CannotPay(localize("fifth_edition.refuse_used", name=caster.name, effect=one.name), "SRD-066")
    most = one.range or one.size
    if not is_within(scene, caster, target, most):
        sentence = localize("fifth_edition.refuse_effect", name=target.name, most=f"{most:g}")
        raise OutOfReach(sentence, "SRD-178")
    if cover(scene, caster, target) == "total":
        raise OutOfReach(localize("fifth_edition.refuse_covered", name=target.name), "SRD-178")


def _burst(scene: Scene, caught: tuple[tuple[str, int], ...], caster: str, target: str, one: Effect) -> Steps:
    """Roll the damage once for all (SRD-135); return the outcome for the target."""
    rolled = []
    for part in one.damage:
        total = 0
        if part.dice and part.sides:
            label = localize("fifth_edition.roll_damage", type=part.type)
            total = yield Roll(label, numbered(part.sides), part.dice, read=sum)
        rolled.append(Part(total + part.bonus, part.type))
    scene, dealt = yield Each(caught, _suffer, (tuple(rolled), caster, target, one), 0, add)
    return Outcome("hit" if target in dict(caught) else "miss", dealt, leaves(scene, target))


def _suffer(
    scene: Scene, item: tuple[str, int], rolled: tuple[Part, ...], caster: str, target: str, one: Effect
) -> Steps:
    """Save against an effect and take what is left; return the damage if this is the act's target.

    An item is a creature and what cover from the origin adds to its Dexterity save.
    """
    key, covered = item
    token = scene.token(key)
    creature = read_creature(token)
    bonus = covered if one.save == "dex" else 0
    scene, saved = yield from save(scene, key, one.save, one.difficulty, bonus)
    share = 2 if saved and one.half else 1
    parts = [] if saved and not one.half else rolled
    dealt = total([Part(part.amount // share, part.type) for part in parts], defenses(scene, creature))
    facts = {"token": key, "result": "saved" if saved else "failed", "damage": dealt}
    yield Change(Explained(kind="save", facts=facts))
    scene = yield from hurt(scene, key, dealt, False, tuple(part.type for part in rolled))
    if one.condition and not saved and not scene.token(key).has("out"):
        yield from afflict(scene, key, one.condition, caster)
    return dealt if key == target else 0
