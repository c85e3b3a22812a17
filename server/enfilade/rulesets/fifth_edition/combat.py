"""Attacks, damage, dying, saves and effects (SRD-055, SRD-083, SRD-132 to SRD-142, SRD-161 to SRD-180)."""

from __future__ import annotations

from operator import add

from enfilade.errors import CannotPay, IllegalAct, OutOfReach
from enfilade.i18n import localize
from enfilade.rules.changes import remove_token, set_condition, set_track
from enfilade.rules.d20 import attack_roll, passes
from enfilade.rules.dice import numbered
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import Act, Call, Change, Each, Outcome, Require, Rest, Roll, Steps
from enfilade.rules.sheets import Attack, Damage
from enfilade.rules.typed_damage import Defenses, Part, relevant, settled
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import (
    COVER,
    caught_in,
    contacts,
    cover,
    cover_from,
    is_within,
)
from enfilade.rulesets.fifth_edition.profiles import Ability, Creature, Effect, read_creature
from enfilade.rulesets.fifth_edition.terms import require_enemy, require_target, terms
from enfilade.rulesets.fifth_edition.turn import require_action, spend_action, spend_attack
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token

SUCCESSES = ("hit", "critical")


def pair(scene: Scene, act: Act) -> tuple[Token, Token]:
    """Return the actor and the target of an act. Raises OutOfReach if one is off the board."""
    attacker, target = scene.token(act.token), scene.token(act.target)
    placed = contacts(scene).screens.spaces.is_placed
    if attacker.id == target.id or not (placed(attacker) and placed(target)):
        raise OutOfReach(localize("fifth_edition.refuse_off_board"), "SRD-092", "edge")
    return attacker, target


def attack_named(creature: Creature, name: str) -> Attack:
    """Return an attack by its name. Raises IllegalAct."""
    if name not in creature.attacks:
        raise IllegalAct(
            localize("fifth_edition.refuse_weapon", name=creature.name, weapon=name), "SRD-055", "missing"
        )
    return creature.attacks[name]


def attack(scene: Scene, act: Act) -> Steps:
    """Attack once; a Multiattack has several in one action (SRD-055 to SRD-057)."""
    attacker, target = pair(scene, act)
    weapon = attack_named(read_creature(attacker), act.weapon)
    yield Require(require_action, (scene, attacker, "attack"))
    yield Require(require_target, (scene, attacker, target, weapon))
    scene = yield from spend_attack(scene, attacker)
    yield from _explain(scene, attacker, target, weapon, "attack")
    return (yield Rest(strike, (attacker.id, target.id, weapon)))


def _explain(scene: Scene, attacker: Token, target: Token, weapon: Attack, kind: str) -> Steps:
    found = terms(scene, attacker, target, weapon)
    facts = {
        "token": attacker.id,
        "target": target.id,
        "weapon": weapon.name,
        "needed": max(2, min(20, found.needed)),
        "reasons": list(found.modifiers),
        "advantages": list(found.edge.advantage),
        "disadvantages": list(found.edge.disadvantage),
    }
    yield Change(Explained(kind=kind, facts=facts))


def reveal(scene: Scene, token: str) -> Steps:
    """End what an attack ends: hiding is over (SRD-064); return the scene."""
    if scene.token(token).conditions.get("invisible") == "hiding":
        scene = yield set_condition(scene, token, "invisible", None)
    return scene


def opportunity(scene: Scene, attacker: str, target: str) -> Steps:
    """Make an opportunity attack with the melee attack of the longest reach (SRD-079); return the scene."""
    one, other = read_creature(scene.token(attacker)), scene.token(target)
    usable = [weapon for weapon in one.attacks.values() if weapon.kind != "ranged"]
    near = [weapon for weapon in usable if is_within(scene, one.token, other, weapon.reach)]
    weapon = max(near, key=lambda weapon: (sum(_mean(part) for part in weapon.damage), weapon.name))
    scene = yield set_condition(scene, attacker, "reacted")
    yield from _explain(scene, one.token, other, weapon, "opportunity")
    scene, _ = yield from struck(scene, attacker, target, weapon)
    return scene


def _mean(part: Damage) -> float:
    return part.dice * (part.sides + 1) / 2 + part.bonus


def strike(scene: Scene, attacker: str, target: str, weapon: Attack) -> Steps:
    """Roll an attack and what it does; return its outcome."""
    _, outcome = yield from struck(scene, attacker, target, weapon)
    return outcome


def struck(scene: Scene, attacker: str, target: str, weapon: Attack) -> Steps:
    """Roll an attack and what it does; return the scene and the outcome."""
    one, other = scene.token(attacker), scene.token(target)
    found = terms(scene, one, other, weapon)
    scene = yield from reveal(scene, attacker)  # the roll itself is still one from hiding
    least = read_creature(one).profile.critical
    arguments = (localize("fifth_edition.roll_attack"), found.needed, found.edge.mode, least)
    result = yield Call(attack_roll, arguments)
    if other.has("helped") and other.conditions["helped"] != attacker:
        scene = yield set_condition(scene, target, "helped", None)
    if result == "hit" and found.is_critical:
        result = "critical"
    if result == "miss":
        yield Change(Explained(kind="miss", facts={"token": attacker, "target": target, "result": "miss"}))
        return scene, Outcome("miss")
    against = relevant(read_creature(other).defenses, [part.type for part in weapon.damage])
    dealt = yield Call(roll_damage, (weapon.damage, against, result == "critical"))
    facts = {"token": attacker, "target": target, "result": result, "damage": dealt}
    yield Change(Explained(kind="hit", facts=facts))
    types = tuple(part.type for part in weapon.damage)
    scene = yield from hurt(scene, target, dealt, result == "critical", types)
    return scene, Outcome(result, dealt, leaves(scene, target))


def leaves(scene: Scene, target: str) -> str:
    """Return what an attack leaves a target as, for its outcome."""
    token = scene.token(target)
    return "out" if token.has("out") else "dying" if token.has("dying") else ""


def roll_damage(parts: tuple[Damage, ...], against: Defenses, is_critical: bool) -> Steps:
    """Roll each part of damage and settle it; return the sum (SRD-132 to SRD-134)."""
    dealt = 0
    for part in parts:
        rolled = 0
        if part.dice and part.sides:
            dice = part.dice * (2 if is_critical else 1)
            label = localize("fifth_edition.roll_damage", type=part.type)
            rolled = yield Roll(label, numbered(part.sides), dice, read=sum)
        dealt += settled(Part(rolled + part.bonus, part.type), against)
    return dealt


# Damage


def hurt(scene: Scene, target: str, damage: int, is_critical: bool, types: tuple[str, ...]) -> Steps:
    """Take damage (SRD-139, SRD-142, SRD-164, SRD-185); return the scene."""
    if damage <= 0:
        return scene
    token = scene.token(target)
    creature = read_creature(token)
    left = creature.hit_points
    if left <= 0:
        return (yield from _hurt_at_zero(scene, creature, damage, is_critical))
    if damage < left:
        scene = yield set_track(scene, target, "hp", left - damage)
        return (yield from keep_concentration(scene, target, damage))
    if creature.profile.has_undead_fortitude and not is_critical and "radiant" not in types:
        label, bonus = localize("fifth_edition.roll_fortitude"), creature.save("con")
        if (yield Call(passes, (label, bonus, 5 + damage, 0))):
            yield Change(Explained(kind="fortitude", facts={"token": target}))
            return (yield set_track(scene, target, "hp", 1))
    scene = yield set_track(scene, target, "hp", 0)
    is_saved = creature.profile.is_character or not is_on(scene, house_rules.MONSTERS_DIE)
    if not is_saved or damage - left >= creature.profile.hit_points:
        return (yield from die(scene, target))
    yield Change(Explained(kind="falls", facts={"token": target}))
    for state in ("unconscious", "prone", "dying"):
        scene = yield set_condition(scene, target, state)
    return (yield from stop_concentrating(scene, target))


def _hurt_at_zero(scene: Scene, creature: Creature, damage: int, is_critical: bool) -> Steps:
    """Add failures to one that is dying, or start its dying again (SRD-142); return the scene."""
    if damage >= creature.profile.hit_points:
        return (yield from die(scene, creature.id))
    if creature.token.has("stable"):
        scene = yield set_condition(scene, creature.id, "stable", None)
        scene = yield set_condition(scene, creature.id, "dying")
    return (yield from fail_death(scene, creature.id, 2 if is_critical else 1))


def fail_death(scene: Scene, target: str, count: int) -> Steps:
    """Count failed death saves; the third is death (SRD-140). Returns the scene."""
    failures = scene.token(target).track("failures") + count
    scene = yield set_track(scene, target, "failures", min(3, failures))
    return (yield from die(scene, target)) if failures >= 3 else scene


def die(scene: Scene, target: str) -> Steps:
    """Die: the creature is out of the battle (SRD-139); return the scene."""
    yield Change(Explained(kind="dies", facts={"token": target}))
    scene = yield from stop_concentrating(scene, target)
    yield remove_token(scene.token(target))
    return (yield set_condition(scene, target, "out"))


def death_save(scene: Scene, target: str) -> Steps:
    """Roll a death save at the start of a turn (SRD-140); return the scene."""
    face = yield Roll(localize("fifth_edition.roll_death"), numbered(20), read=sum)
    yield Change(Explained(kind="death_save", facts={"token": target, "total": face}))
    if face == 20:
        return (yield from wake(scene, target, 1))
    if face < 10:
        return (yield from fail_death(scene, target, 2 if face == 1 else 1))
    successes = scene.token(target).track("successes") + 1
    scene = yield set_track(scene, target, "successes", min(3, successes))
    return (yield from stabilize(scene, target)) if successes >= 3 else scene


def stabilize(scene: Scene, target: str) -> Steps:
    """Make a dying creature stable (SRD-141); return the scene."""
    yield Change(Explained(kind="stable", facts={"token": target}))
    scene = yield set_condition(scene, target, "dying", None)
    scene = yield from _clear_saves(scene, target)
    return (yield set_condition(scene, target, "stable"))


def wake(scene: Scene, target: str, points: int) -> Steps:
    """Give a creature at 0 hit points some: it wakes, and is still Prone (SRD-142); return the scene."""
    scene = yield set_track(scene, target, "hp", points)
    for state in ("unconscious", "dying", "stable"):
        if scene.token(target).has(state):
            scene = yield set_condition(scene, target, state, None)
    return (yield from _clear_saves(scene, target))


def _clear_saves(scene: Scene, target: str) -> Steps:
    for track in ("successes", "failures"):
        if scene.token(target).track(track):
            scene = yield set_track(scene, target, track, 0)
    return scene


def keep_concentration(scene: Scene, target: str, damage: int) -> Steps:
    """Save to keep Concentration after damage (SRD-164); return the scene."""
    if not scene.token(target).has("concentrating"):
        return scene
    cap = int(setting(scene, house_rules.CONCENTRATION_CAP))
    difficulty = max(10, damage // 2)
    label = localize("fifth_edition.roll_concentration")
    bonus = read_creature(scene.token(target)).save("con")
    kept = yield Call(passes, (label, bonus, min(cap, difficulty) if cap else difficulty, 0))
    return scene if kept else (yield from stop_concentrating(scene, target))


def stop_concentrating(scene: Scene, target: str) -> Steps:
    """End what a creature concentrates on (SRD-163, SRD-165); return the scene."""
    if scene.token(target).has("concentrating"):
        scene = yield set_condition(scene, target, "concentrating", None)
    return scene


# Saves and effects


def save_edge(target: Token, ability: Ability, difficulty: int) -> tuple[int, int]:
    """Return the mode of a save and its difficulty; one that fails by itself cannot be reached (SRD-151)."""
    states = read_creature(target).states
    if ability in ("str", "dex") and states & {"paralyzed", "petrified", "stunned", "unconscious"}:
        return 0, IMPOSSIBLE
    dodges = ability == "dex" and "dodging" in states and read_creature(target).can_act
    held = ability == "dex" and "restrained" in states
    return int(dodges and read_creature(target).speed > 0) - int(held), difficulty


IMPOSSIBLE = 1_000
"""A difficulty that no save reaches."""


def effect_named(creature: Creature, name: str) -> Effect:
    """Return an effect by its name. Raises IllegalAct."""
    found = next((one for one in creature.profile.effects if one.name == name), None)
    if found is None:
        raise IllegalAct(
            localize("fifth_edition.refuse_weapon", name=creature.name, weapon=name), "SRD-180", "missing"
        )
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
    if one.uses:
        used = scene.token(caster.id).track("used") + 1
        scene = yield set_track(scene, caster.id, "used", used)
    return (yield Rest(_burst, (caught, caster.id, target.id, one)))


def _require_effect(scene: Scene, caster: Token, target: Token, one: Effect) -> None:
    require_enemy(scene, caster, target, "SRD-180")
    if one.uses and caster.track("used") >= one.uses:
        raise CannotPay(localize("fifth_edition.refuse_used", name=caster.name, effect=one.name), "SRD-066")
    most = one.range or one.size
    if not is_within(scene, caster, target, most):
        sentence = localize("fifth_edition.refuse_effect", name=target.name, most=f"{most:g}")
        raise OutOfReach(sentence, "SRD-178", "distance")
    if cover(scene, caster, target) == "total":
        raise OutOfReach(localize("fifth_edition.refuse_covered", name=target.name), "SRD-178", "sight")


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
    bonus = creature.save(one.save)
    if one.save == "dex":
        bonus += covered
    mode, difficulty = save_edge(token, one.save, one.difficulty)
    label = localize("fifth_edition.roll_save", name=token.name)
    saved = yield Call(passes, (label, bonus, difficulty, mode))
    share = 2 if saved and one.half else 1
    parts = [] if saved and not one.half else rolled
    dealt = sum(settled(Part(part.amount // share, part.type), creature.defenses) for part in parts)
    facts = {"token": key, "result": "saved" if saved else "failed", "damage": dealt}
    yield Change(Explained(kind="save", facts=facts))
    scene = yield from hurt(scene, key, dealt, False, tuple(part.type for part in rolled))
    if one.condition and not saved and not scene.token(key).has("out"):
        yield set_condition(scene, key, one.condition, caster)
    return dealt if key == target else 0
