"""Damage, dying, states, falls and mounts (SRD-022, SRD-031, SRD-132 to SRD-143, SRD-187, SRD-189)."""

from __future__ import annotations

from enfilade.i18n import localize
from enfilade.rules.battle.displace import ForcedMap, displace
from enfilade.rules.battle.lasting import Lasting, bring
from enfilade.rules.d20 import Defenses, Part, total
from enfilade.rules.dice import numbered
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import (
    Change,
    Outcome,
    Roll,
    Steps,
    remove_token,
    set_condition,
    set_elevation,
    set_track,
    yes_or_no,
)
from enfilade.rules.sheets import Damage
from enfilade.rulesets.fifth_edition import house_rules
from enfilade.rulesets.fifth_edition.battlefield import contacts, is_in_water
from enfilade.rulesets.fifth_edition.checks import check, save
from enfilade.rulesets.fifth_edition.holds import keep_concentration, let_go, lose_hold
from enfilade.rulesets.fifth_edition.profiles import Creature, creature_in, read_creature
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

SEAT = 10
"""The difficulty to stay on a mount (SRD-189)."""
KNOCKED_OUT = "knocked out"
"""The note of one that is Unconscious with 1 hit point (SRD-143)."""
IN_LIQUID = 15
"""The difficulty to halve the damage of a fall into liquid (SRD-032)."""


def roll_damage(parts: tuple[Damage, ...], against: Defenses, is_critical: bool) -> Steps:
    """Roll each part of damage and settle it; return the sum (SRD-132 to SRD-134, SRD-136)."""
    return total((yield from roll_parts(parts, is_critical)), against)


def roll_parts(parts: tuple[Damage, ...], is_critical: bool = False) -> Steps:
    """Roll each part of damage, its dice twice for a critical hit; return the parts."""
    rolled = []
    for part in parts:
        amount = part.bonus
        if part.dice and part.sides:
            dice = part.dice * (2 if is_critical else 1)
            label = localize("fifth_edition.roll_damage", type=part.type)
            amount += yield Roll(label, numbered(part.sides), dice, read=sum)
        rolled.append(Part(amount, part.type))
    return tuple(rolled)


def hurt(
    scene: Scene,
    target: str,
    damage: int,
    is_critical: bool,
    types: tuple[str, ...],
    *,
    spares: bool = False,
) -> Steps:
    """Take the damage of one hit (SRD-137, SRD-139, SRD-142, SRD-164, SRD-185); return the scene.

    With `spares` a blow that would bring to 0 knocks out (SRD-143).
    """
    creature = creature_in(scene, scene.token(target))
    if damage <= 0:
        return scene
    scene, rest = yield from _soak(scene, creature, damage, types)
    left = creature.hit_points
    if not rest or rest < left:
        if rest:
            scene = yield set_track(scene, target, "hp", left - rest)
        return (yield from keep_concentration(scene, target, damage))
    if left <= 0:
        return (yield from _hurt_at_zero(scene, creature, rest, is_critical))
    if spares:
        return (yield from _knock_out(scene, target))
    if creature.profile.has_undead_fortitude and not is_critical and "radiant" not in types:
        scene, is_up = yield from save(scene, target, "con", 5 + rest)
        if is_up:
            yield Change(Explained(kind="fortitude", facts={"token": target}))
            return (yield set_track(scene, target, "hp", 1))
    return (yield from _fall_down(scene, creature, rest - left))


def _soak(scene: Scene, creature: Creature, damage: int, types: tuple[str, ...]) -> Steps:
    """Take damage from the temporary hit points first (SRD-137); return the scene and what is left."""
    token = creature.token
    if not token.has("burnt") and not set(types).isdisjoint(creature.profile.unhealing):
        scene = yield set_condition(scene, token.id, "burnt")
    shield = token.track("temp")
    rest = max(0, damage - shield)
    if shield:
        scene = yield set_track(scene, token.id, "temp", shield - damage + rest)
    return scene, rest


def _fall_down(scene: Scene, creature: Creature, beyond: int) -> Steps:
    """Die at 0 hit points, or fall Unconscious and begin to die (SRD-139); return the scene."""
    target = creature.id
    scene = yield set_track(scene, target, "hp", 0)
    if not makes_death_saves(scene, creature) or beyond >= creature.maximum:
        return (yield from die(scene, target))
    yield Change(Explained(kind="falls", facts={"token": target}))
    for state in ("prone", "dying"):
        scene = yield set_condition(scene, target, state)
    return (yield from afflict(scene, target, "unconscious"))


def makes_death_saves(scene: Scene, creature: Creature) -> bool:
    """Return whether a creature at 0 hit points begins to die; others are dead at once (SRD-139)."""
    return creature.profile.is_character or not is_on(scene, house_rules.MONSTERS_DIE)


def _knock_out(scene: Scene, target: str) -> Steps:
    """Leave a creature Unconscious with 1 hit point, or Stable at 0 (SRD-143); return the scene."""
    yield Change(Explained(kind="knocked_out", facts={"token": target}))
    if setting(scene, house_rules.KNOCK_OUT) == "one":
        scene = yield set_track(scene, target, "hp", 1)
        return (yield from afflict(scene, target, "unconscious", KNOCKED_OUT))
    scene = yield set_track(scene, target, "hp", 0)
    scene = yield set_condition(scene, target, "stable")
    return (yield from afflict(scene, target, "unconscious"))


def _hurt_at_zero(scene: Scene, creature: Creature, damage: int, is_critical: bool) -> Steps:
    """Add failures to one that is dying, or start its dying again (SRD-142); return the scene."""
    if damage >= creature.maximum:
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
    scene = yield from lose_hold(scene, target)
    is_held = scene.token(target).has("grappled")  # else odds would read all creatures for each death
    holders = [one.id for one in scene.tokens if is_held and target in read_creature(one).listed("grappling")]
    for holder in holders:
        scene = yield from let_go(scene, holder, target)
    scene = yield from dismounted(scene, target, can_fall=not scene.token(target).has("riding"))
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
    scene = yield set_track(scene, target, "successes", successes)
    return (yield from stabilize(scene, target)) if successes >= 3 else scene


def stabilize(scene: Scene, target: str) -> Steps:
    """Make a dying creature stable (SRD-141); return the scene."""
    yield Change(Explained(kind="stable", facts={"token": target}))
    scene = yield set_condition(scene, target, "dying", None)
    scene = yield from _clear_saves(scene, target)
    return (yield set_condition(scene, target, "stable"))


def heal(scene: Scene, target: str, points: int) -> Steps:
    """Gain hit points up to the maximum; who is out by damage wakes (SRD-138, SRD-142); return the scene."""
    creature = creature_in(scene, scene.token(target))
    if points <= 0 or creature.token.has("out"):
        return scene
    total = min(creature.maximum, creature.hit_points + points)
    yield Change(Explained(kind="heals", facts={"token": target, "total": total - creature.hit_points}))
    is_knocked_out = creature.token.conditions.get("unconscious") == KNOCKED_OUT
    if creature.hit_points <= 0 or is_knocked_out:
        return (yield from wake(scene, target, total))
    return (yield set_track(scene, target, "hp", total))


def mend(scene: Scene, keys: tuple[str, ...], parts: tuple[Damage, ...]) -> Steps:
    """Roll once what all of some creatures gain (SRD-138); return the outcome."""
    points = sum(part.bonus for part in parts)
    for part in parts:
        if part.dice and part.sides:
            label = localize("fifth_edition.roll_healing")
            points += yield Roll(label, numbered(part.sides), part.dice, read=sum)
    for key in keys:
        scene = yield from heal(scene, key, points)
    return Outcome("healed" if keys else "miss")


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


# What states bring with them


def afflict(scene: Scene, target: str, condition: str, lasts: Lasting | str = "") -> Steps:
    """Give a creature a condition, if it is not immune, with what follows from it; return the scene.

    One of stone is immune to poison (SRD-152); who is Unconscious lies on the ground, also later (SRD-157).
    """
    creature = read_creature(scene.token(target))
    is_stone = condition == "poisoned" and "petrified" in creature.states
    if is_stone or condition in creature.profile.immunities:
        return scene
    new = Lasting(lasts) if isinstance(lasts, str) else lasts
    scene = yield from bring(scene, target, condition, new)
    if condition == "unconscious" and not scene.token(target).has("prone"):
        scene = yield set_condition(scene, target, "prone")
    creature = creature_in(scene, scene.token(target))
    if not creature.can_act:
        scene = yield from lose_hold(scene, target)
    if condition == "prone" or "prone" in creature.states:
        scene = yield from shake_off(scene, target)
    is_held_up = creature.profile.hovers or (creature.can_act and creature.speed > 0)
    if creature.is_aloft and (not is_held_up or ("prone" in creature.states and not creature.profile.hovers)):
        scene = yield from fall(scene, target, creature.token.elevation)
    return scene


def fall(scene: Scene, target: str, height: int) -> Steps:
    """Fall from a height of the map: 1d6 for every full 10 feet, and Prone (SRD-031); return the scene.

    A rider falls with its mount.
    """
    token = scene.token(target)
    spaces = contacts(scene).screens.spaces
    feet = height / spaces.grid.distance * spaces.cell
    yield Change(Explained(kind="drops", facts={"token": target, "feet": round(feet)}))
    scene = yield set_elevation(token, 0)
    if token.has("ridden"):
        scene = yield from fall(scene, token.conditions["ridden"], height)
    dice = min(20, int(feet // 10))
    if not dice:
        return scene
    rolled = yield Roll(localize("fifth_edition.roll_fall"), numbered(6), dice, read=sum)
    if is_in_water(scene, scene.token(target)):
        scene, is_soft = yield from _dive(scene, target)
        rolled = rolled // 2 if is_soft else rolled
    dealt = total([Part(rolled, "bludgeoning")], read_creature(token).defenses)
    yield Change(Explained(kind="lands", facts={"token": target, "damage": dealt}))
    if dealt and not scene.token(target).has("prone"):
        scene = yield set_condition(scene, target, "prone")
        scene = yield from shake_off(scene, target)
    return (yield from hurt(scene, target, dealt, False, ("bludgeoning",)))


def _dive(scene: Scene, target: str) -> Steps:
    """Ask for the reaction that halves the damage of a fall into liquid (SRD-032)."""
    token = scene.token(target)
    one = read_creature(token)
    if token.has("reacted") or not one.can_act:
        return scene, False
    if (
        yield yes_or_no(token.side, localize("fifth_edition.ask_dive", name=token.name), True, target)
    ) != "yes":
        return scene, False
    scene = yield set_condition(scene, target, "reacted")
    return (yield from check(scene, target, "dive", one.agility(), IN_LIQUID))


# Mounts


def shake_off(scene: Scene, one: str) -> Steps:
    """Save to stay on a mount that is moved by force, or if it or its rider falls (SRD-189)."""
    token = scene.token(one)
    rider = one if token.has("riding") else token.conditions.get("ridden")
    if not rider:
        return scene
    scene, is_seated = yield from save(scene, rider, "dex", SEAT)
    if is_seated:
        return scene
    scene = yield from dismounted(scene, rider)
    return scene if scene.token(rider).has("prone") else (yield set_condition(scene, rider, "prone"))


def dismounted(scene: Scene, one: str, *, can_fall: bool = True) -> Steps:
    """Part a rider and its mount: the rider lands beside it (SRD-187); return the scene.

    It falls from a mount in the air. A teleport ends on the ground, and the dead come to it (not `can_fall`).
    """
    token = scene.token(one)
    rider = one if token.has("riding") else token.conditions.get("ridden")
    mount = token.conditions.get("riding") or one
    if not rider:
        return scene
    scene = yield set_condition(scene, rider, "riding", None)
    for state in ("ridden", "led"):
        if scene.token(mount).has(state):
            scene = yield set_condition(scene, mount, state, None)
    at = scene.token(rider).at
    if at is None:
        return scene
    most = sum(scene.token(mount).size)
    scene, _ = yield from displace(scene, rider, at, "eject", _crowded_map, crowd="near", most=most)
    token = scene.token(rider)
    if not read_creature(scene.token(mount)).is_aloft or read_creature(token).is_aloft or not token.elevation:
        return scene
    return (yield from fall(scene, rider, token.elevation)) if can_fall else (yield set_elevation(token, 0))


def _crowded_map(scene: Scene) -> ForcedMap:
    """Return the map for one that needs a space of its own, also beside those who lie."""
    return ForcedMap(contacts(scene).screens.spaces)


def settle(scene: Scene, before: Scene) -> Steps:
    """Do what follows from a change by hand: exhaustion kills, a hold is lost (SRD-158, SRD-165)."""
    del before
    for token in scene.tokens:
        if token.has("out") or house_rules.is_assistant(scene):
            continue
        one = read_creature(token)
        if "out" in one.states:
            scene = yield from die(scene, token.id)
        elif not one.can_act:
            scene = yield from lose_hold(scene, token.id)
    return scene


def burn(scene: Scene, target: str) -> Steps:
    """Take 1d4 fire damage at the start of the turn (SRD-159); return the scene."""
    fire = Damage(1, 4, 0, "fire")
    dealt = yield from roll_damage((fire,), read_creature(scene.token(target)).defenses, False)
    yield Change(Explained(kind="burns", facts={"token": target, "damage": dealt}))
    return (yield from hurt(scene, target, dealt, False, ("fire",)))
