"""Spells and effects: who may create them, what they do, and the saves against them (SRD-161 to SRD-180)."""

from __future__ import annotations

from functools import partial
from operator import add
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from enfilade.errors import CannotPay, IllegalAct, OutOfReach
from enfilade.i18n import localize
from enfilade.rules.battle.displace import displace
from enfilade.rules.battle.lasting import Lasting, cease, lasting
from enfilade.rules.battle.memo import per_scene
from enfilade.rules.changes import set_condition, set_track
from enfilade.rules.house_rules import setting
from enfilade.rules.procedures import Act, Change, Each, Outcome, Require, Rest, Steps, body_of
from enfilade.rules.resolve import raise_refusal
from enfilade.rules.sheets import Damage
from enfilade.rules.typed_damage import Part, total
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.areas import Aimed, caught_in, cover_from
from enfilade.rulesets.fifth_edition.battlefield import (
    COVER,
    can_see,
    contacts,
    defenses,
    far_map,
    is_covered,
    is_within,
)
from enfilade.rulesets.fifth_edition.checks import save
from enfilade.rulesets.fifth_edition.combat import leaves, reveal
from enfilade.rulesets.fifth_edition.damage import (
    afflict,
    dismounted,
    hurt,
    makes_death_saves,
    mend,
    roll_parts,
)
from enfilade.rulesets.fifth_edition.holds import stop_concentrating
from enfilade.rulesets.fifth_edition.profiles import SEPARATOR, Creature, Effect, creature_in, read_creature
from enfilade.rulesets.fifth_edition.terms import enemy_refusal
from enfilade.rulesets.fifth_edition.turn import has_readied, require_action, require_turn, spend
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token, Value

Caught = tuple[tuple[str, int], ...]
"""Those in an effect, with what cover from its origin adds to their Dexterity saves."""


OLDER_SPELLS = ("Cure Wounds", "Healing Word")
"""The spells that heal with one die, and with one for each slot above, by the older edition (SRD-180)."""


class Cast(Value, frozen=True):
    """The slot that a spell takes; 0 is one of its own level (SRD-180)."""

    slot: Annotated[int, Meta(ge=0, le=9, title="Slot")] = 0


def effect_named(creature: Creature, name: str) -> Effect:
    """Return an effect by its name. Raises IllegalAct."""
    found = next((one for one in creature.profile.effects if one.name == name), None)
    if found is None:
        raise IllegalAct(
            localize("fifth_edition.refuse_weapon", name=creature.name, weapon=name), "SRD-180", "missing"
        )
    return found


def aimed_by(scene: Scene, act: Act) -> Aimed:
    """Return an effect as an act aims it: at a creature, or at a square. Raises IllegalAct, OutOfReach."""
    caster = scene.token(act.token)
    target = scene.token(act.target) if act.target else None
    placed, known = contacts(scene).screens.spaces.is_placed, [caster, *([target] if target else [])]
    if not all(map(placed, known)) or ((target is None or act.weapon in _far(caster)) and act.at is None):
        raise OutOfReach(localize("fifth_edition.refuse_off_board"), "SRD-178", "edge")
    one = effect_named(read_creature(caster), act.weapon)
    return Aimed(caster, one, target if act.weapon not in _far(caster) else None, act.at, act.facing)


def _far(caster: Token) -> list[str]:
    """Return the names of the effects that move their caster."""
    return [one.name for one in read_creature(caster).profile.effects if one.shape == "teleport"]


def effect(scene: Scene, act: Act) -> Steps:
    """Create an effect at a creature, or at a square (SRD-066, SRD-067, SRD-163, SRD-166 to SRD-180)."""
    aimed = aimed_by(scene, act)
    caster, one, target, *_ = aimed
    part, slot = "bonus" if one.is_bonus else "act", body_of(act, Cast).slot
    is_held = has_readied(caster) and caster.conditions["readied"] == one.name
    if is_held:
        yield Require(_require_held, (caster, one))
    else:
        yield Require(require_action, (scene, caster, part))
        yield Require(require_left, (scene, caster, one, slot))
    yield Require(_require_aim, (scene, aimed))
    keys = caught_in(scene, aimed)
    if one.healing:
        keys = [key for key in keys if scene.are_allies(caster, scene.token(key))]
    names = {"token": caster.id, "target": target.id if target else "", "weapon": one.name}
    yield Change(Explained(kind="effect", facts={**names, "caught": keys}))
    covers = [0 if one.ignores_cover else COVER.get(cover_from(scene, aimed, key), 0) for key in keys]
    caught = tuple(zip(keys, covers, strict=True))
    scene = yield from _release(scene, caster) if is_held else _spend_all(scene, caster, one, part)
    if one.is_verbal:
        scene = yield from reveal(scene, caster.id)
    if one.concentrates:
        scene = yield from stop_concentrating(scene, caster.id)
        scene = yield set_condition(scene, caster.id, "concentrating", one.name)
    if one.shape == "teleport":
        assert act.at is not None
        scene, _ = yield from displace(scene, caster.id, act.at, "shift", far_map, crowd="near", most=4)
        yield from dismounted(scene, caster.id, can_fall=not caster.has("riding"))
        return Outcome("moved")
    one = replace(one, difficulty=read_creature(caster).difficulty(one))  # known before the targets save
    more = max(0, slot - one.level) if slot else 0
    if one.healing:
        is_older = one.name in OLDER_SPELLS and setting(scene, house_rules.SPELLS) == "5.1"
        parts = [replace(part, dice=1) if is_older else part for part in (*one.healing, *one.higher)]
        counts = len(one.healing) * [1] + len(one.higher) * [more]
        return (yield Rest(mend, (tuple(keys), tuple(map(_times, parts, counts)))))
    parts = [*one.damage, *[_times(part, more) for part in one.higher if more]]
    return (yield Rest(_burst, (caught, caster.id, target.id if target else "", one, tuple(parts))))


def _times(part: Damage, count: int) -> Damage:
    return replace(part, dice=part.dice * count, bonus=part.bonus * count)


def require_left(scene: Scene, caster: Token, one: Effect, slot: int) -> None:
    """Raise CannotPay without a use or a slot: of slots only one is spent in a turn (SRD-066, SRD-067)."""
    rule = ""
    if one.name in read_creature(caster).listed("spent"):
        rule = "SRD-181"
    elif one.uses and caster.track("used") >= one.uses:
        rule = "SRD-066"
    elif one.level and caster.has("cast") and _is_second(scene, caster, one):
        rule = "SRD-067"
    if rule:
        raise CannotPay(localize("fifth_edition.refuse_used", name=caster.name, effect=one.name), rule)
    if slot and slot < one.level:
        raise IllegalAct(localize("fifth_edition.refuse_slot", level=one.level), "SRD-180", "missing")


def _is_second(scene: Scene, caster: Token, one: Effect) -> bool:
    """Return whether a caster's spell before forbids another one in this turn (SRD-067)."""
    is_strict = setting(scene, house_rules.SLOTS) == "one a turn"
    return is_strict or one.is_bonus or caster.conditions["cast"] == "bonus"


def _require_aim(scene: Scene, aimed: Aimed) -> None:
    """Raise unless an effect's target is in range, with a clear path, and seen if it must be (SRD-178)."""
    caster, one, target, *_ = aimed
    if target is None:
        _require_place(scene, aimed)
        return
    most = one.range or one.size
    if one.healing:
        _require_patient(scene, caster, target)
    elif not scene.are_allies(caster, target) or one.damage:
        raise_refusal(enemy_refusal(scene, caster, target, "SRD-180"))
    if not is_within(scene, caster, target, most):
        sentence = localize("fifth_edition.refuse_effect", name=target.name, most=f"{most:g}")
        raise OutOfReach(sentence, "SRD-178", "distance")
    if target.id != caster.id and is_covered(scene, caster, target):
        raise OutOfReach(localize("fifth_edition.refuse_covered", name=target.name), "SRD-178", "sight")
    if one.needs_sight and not can_see(scene, caster, target):
        raise OutOfReach(localize("fifth_edition.refuse_unseen", name=target.name), "SRD-178", "sight")


def _require_place(scene: Scene, aimed: Aimed) -> None:
    """Raise unless the square at which an effect is aimed is in range, and seen if it must be (SRD-039)."""
    caster, one, _, at, _ = aimed
    spaces, most = contacts(scene).screens.spaces, one.range or one.size
    assert at is not None
    if at not in spaces.board or at not in spaces.within(caster, spaces.length(most)):
        raise OutOfReach(localize("fifth_edition.refuse_place", most=f"{most:g}"), "SRD-178", "distance")
    if one.shape in ("single", "teleport") and at not in contacts(scene).screens.seen(caster):
        raise OutOfReach(localize("fifth_edition.refuse_unseen_place"), "SRD-039", "sight")


def _require_patient(scene: Scene, caster: Token, target: Token) -> None:
    """Raise IllegalAct unless a spell may heal a creature: one of the own side that is not out (SRD-138)."""
    if not scene.are_allies(caster, target):
        raise IllegalAct(localize("fifth_edition.refuse_friend", name=target.name), "SRD-180", "target")
    if "out" in read_creature(target).states:
        raise IllegalAct(localize("fifth_edition.refuse_out", name=target.name), "SRD-139", "target")


def _spend_all(scene: Scene, caster: Token, one: Effect, part: str) -> Steps:
    scene = yield from spend(scene, caster, part)
    return (yield from _spend_use(scene, caster, one))


def hold_spell(scene: Scene, caster: Token, one: Effect) -> Steps:
    """Spend a readied spell at once, and hold it by Concentration (SRD-069); return the scene."""
    scene = yield from _spend_use(scene, caster, one)
    scene = yield from stop_concentrating(scene, caster.id)
    return (yield set_condition(scene, caster.id, "concentrating", one.name))


def _require_held(caster: Token, one: Effect) -> None:
    if caster.conditions.get("concentrating") != one.name:
        sentence = localize("fifth_edition.refuse_held", name=caster.name, effect=one.name)
        raise IllegalAct(sentence, "SRD-069", "ban")


def _release(scene: Scene, caster: Token) -> Steps:
    """Let go of a readied spell, as a reaction (SRD-068, SRD-069); return the scene."""
    for condition, note in (("readied", None), ("reacted", "")):
        scene = yield set_condition(scene, caster.id, condition, note)
    return (yield from stop_concentrating(scene, caster.id))


def _spend_use(scene: Scene, caster: Token, one: Effect) -> Steps:
    """Spend a use, a slot or the charge of an effect (SRD-066, SRD-067, SRD-181); return the scene."""
    if one.level:
        note = "bonus" if one.is_bonus else caster.conditions.get("cast", "")
        scene = yield set_condition(scene, caster.id, "cast", note)
    if one.recharge:
        spent = (*read_creature(caster).listed("spent"), one.name)
        scene = yield set_condition(scene, caster.id, "spent", SEPARATOR.join(spent))
    if one.uses:
        scene = yield set_track(scene, caster.id, "used", scene.token(caster.id).track("used") + 1)
    return scene


def _burst(
    scene: Scene, caught: Caught, caster: str, target: str, one: Effect, parts: tuple[Damage, ...]
) -> Steps:
    """Roll the damage once for all (SRD-135); return the outcome for the target, or for all of them."""
    rolled = yield from roll_parts(parts)
    items = tuple([(key, covered, rolled, target in ("", key)) for key, covered in caught])
    counted = tuple([item if item[3] else _fatal(scene, item, one) for item in items])
    scene, dealt = yield Each(items, _suffer, (caster, one), 0, add, counted)
    is_hit = target in dict(caught) if target else bool(caught)
    return Outcome("hit" if is_hit else "miss", dealt, leaves(scene, target) if target else "")


_Item = tuple[str, int, tuple[Part, ...], bool]
"""A creature in an effect, what cover adds to its save, the damage, and whether the outcome counts it."""


def _fatal(scene: Scene, item: _Item, one: Effect) -> _Item:
    """Return an item without the damage of one type that is beyond what surely kills."""
    key, covered, rolled, counts = item
    if len(rolled) != 1:
        return item
    most = _fatal_amount(scene, key, one, rolled[0].type)
    if most is None:
        return item
    return key, covered, (rolled[0]._replace(amount=min(rolled[0].amount, most)),), counts


@per_scene
def _fatal_amount(scene: Scene, key: str, one: Effect, kind: str) -> int | None:
    """Return an amount of damage from which on all kill, saved against or not; None if none does.

    The save of Undead Fortitude depends on all of the damage.
    """
    creature = creature_in(scene, scene.token(key))
    if creature.profile.has_undead_fortitude:
        return None
    needed, against = creature.token.track("temp") + creature.hit_points, defenses(scene, creature)
    if creature.hit_points <= 0 or makes_death_saves(scene, creature):
        needed += creature.maximum
    for amount in (needed, 2 * needed, 4 * needed):  # half of it after a save, and half by resistance
        if total(share_of((Part(amount, kind),), one.half, one.half), against) >= needed:
            return amount
    return None


def _suffer(scene: Scene, item: _Item, caster: str, one: Effect) -> Steps:
    """Save against an effect and take what is left; return the damage if it counts for the outcome."""
    key, covered, rolled, counts = item
    creature = read_creature(scene.token(key))
    scene, saved = yield from save(scene, key, one.save, one.difficulty, covered if one.save == "dex" else 0)
    dealt = total(share_of(rolled, one.half, saved), defenses(scene, creature))
    facts = {"token": key, "result": "saved" if saved else "failed", "damage": dealt}
    yield Change(Explained(kind="save", facts=facts))
    scene = yield from hurt(scene, key, dealt, False, tuple(part.type for part in rolled))
    if one.condition and not saved and not scene.token(key).has("out"):
        yield from afflict(scene, key, one.condition, lasts(scene, caster, one))
    return dealt if counts else 0


def share_of(rolled: tuple[Part, ...], half: bool, is_saved: bool) -> tuple[Part, ...]:
    """Return what a save leaves of damage: half of it before resistance, or none (SRD-135)."""
    if not is_saved:
        return rolled
    return tuple([Part(part.amount // 2, part.type) for part in rolled]) if half else ()


def lasts(scene: Scene, caster: str, one: Effect) -> Lasting:
    """Return the source and the end of what an effect leaves (SRD-054, SRD-160, SRD-179)."""
    moment: str = one.until
    if moment == "end" and scene.conditions.get("turn") == caster:
        moment = "next"  # not the turn in which it begins
    found = Lasting(caster, moment, caster if moment else "", one.concentrates, effect=one.name)
    return found._replace(save=one.save, difficulty=one.difficulty) if one.repeats else found


def save_again(scene: Scene, key: str) -> Steps:
    """Save again against what lasts until then, at the end of a turn (SRD-054, SRD-161); return the scene."""
    notes = scene.token(key).conditions.values()
    due = dict.fromkeys(one for note in notes for one in lasting(note) if one.difficulty)
    for one in due:
        scene, saved = yield from save(scene, key, one.save, one.difficulty)  # type: ignore[arg-type]
        if saved:
            facts = {"token": key, "weapon": one.effect}
            yield Change(Explained(kind="recovers", facts=facts))
            scene = yield from cease(scene, partial(_is_of, key, one))
    return scene


def _is_of(key: str, wanted: Lasting, token: Token, one: Lasting) -> bool:
    return token.id == key and one == wanted


def unfocus(scene: Scene, act: Act) -> Steps:
    """Stop concentrating at will (SRD-165)."""
    token = scene.token(act.token)
    yield Require(_require_focus, (scene, token))
    yield Change(Explained(kind="unfocus", facts={"token": token.id}))
    yield from stop_concentrating(scene, token.id)
    return Outcome("ended")


def _require_focus(scene: Scene, token: Token) -> None:
    require_turn(scene, token)
    if not token.has("concentrating"):
        raise IllegalAct(localize("fifth_edition.refuse_unfocused", name=token.name), "SRD-165", "ban")
