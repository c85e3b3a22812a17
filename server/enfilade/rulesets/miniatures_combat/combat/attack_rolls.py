"""The dice of a fight: an attack with its combat advantages, and what helps a defense against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.rules.dice import D6
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.procedures import Call, Change, Outcome, Roll, Settled, Steps, set_condition, set_track
from enfilade.rules.values import Modifier, total
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.damage import absorb, apply_harm
from enfilade.rulesets.miniatures_combat.profiles import Fighter
from enfilade.rulesets.miniatures_combat.turn import note, read_notes
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene, Token

IMPOSSIBLE = 7
"""A number that no die shows."""
LUCKY_STRIKE = "lucky strike"
"""The kind of the strikes that the story brings: more dice in the current attack (MNC-039)."""


class Strike(NamedTuple):
    """An attack in melee: who, whom, the dice without advantages, and how."""

    attacker: Fighter
    target: Fighter
    dice: int
    kind: str = "attack"


def success_number(scene: Scene, attacker: Fighter, kind: str = "attack") -> int:
    """Return the least face that is a life-threatening success in melee (MNC-087, MNC-095)."""
    number = int(setting(scene, house_rules.MELEE_SUCCESS))
    if kind == "lunge":
        number -= int(setting(scene, house_rules.LUNGE_MODIFIER))
    if is_on(scene, house_rules.WOUNDED_ATTACKS):
        number += attacker.wounds
    return number


def advantages(scene: Scene, strike: Strike) -> tuple[Modifier, ...]:
    """Return the bonus dice of combat advantages, each once a target in an activation.

    A heavy two-handed weapon needs two action dice on the target, and so has none in a free attack
    (MNC-017, MNC-018, MNC-020, MNC-023, MNC-086).
    """
    attacker, target = strike.attacker, strike.target
    spent = _dice_spent(attacker.token, target)
    found = []
    if not spent:
        if target.token.has("prone"):
            found.append(Modifier(localize("miniatures_combat.modifier_prone"), 1, "MNC-017"))
        if target.wounds:
            found.append(Modifier(localize("miniatures_combat.modifier_wounded"), target.wounds, "MNC-018"))
        if battlefield(scene).is_higher_than_all(attacker):
            found.append(Modifier(localize("miniatures_combat.modifier_higher"), 1, "MNC-020"))
    if attacker.profile.two_handed and spent < 2 <= spent + strike.dice:
        found.append(Modifier(localize("miniatures_combat.modifier_two_handed"), 1, "MNC-023"))
    return tuple(found)


def _dice_spent(attacker: Token, target: Fighter) -> int:
    """Return the action dice that a model has used on a target in this activation (MNC-023)."""
    return int(read_notes(attacker, "attacked").get(target.id, 0))


def roll_strike(scene: Scene, strike: Strike, settles: bool = False, name: str = "") -> Steps:
    """Roll an attack and apply its hits; return the scene, the outcome and the story points gained.

    With `settles` the outcome is announced before the hits are recorded. `name` replaces its result.
    """
    attacker, target = strike.attacker, strike.target
    bonus = () if strike.kind == LUCKY_STRIKE else advantages(scene, strike)
    dice = strike.dice + total(bonus)
    needed = success_number(scene, attacker, strike.kind)
    facts = {
        "token": attacker.id,
        "target": target.id,
        "act": strike.kind,
        "needed": needed,
        "dice": dice,
        "modifiers": msgspec.to_builtins(bonus),
    }
    yield Change(Explained(kind="strike", facts=facts))
    if strike.kind in ("attack", "lunge"):
        spent = _dice_spent(scene.token(attacker.id), target) + strike.dice
        scene = yield from note(scene, attacker.id, "attacked", target.id, str(spent))
    hits = yield Call(count_successes, (dice, needed, localize("miniatures_combat.roll_attack")))
    yield Change(Explained(kind="strike roll", facts={"needed": needed, "hits": hits}))
    harm = yield from absorb(scene, attacker.side, target.id, hits)
    outcome: Outcome = harm.outcome
    if name:
        outcome = replace(outcome, result=name)
    if settles:
        yield Settled(outcome)
    scene, gain = yield from apply_harm(scene, harm, attacker.id)
    return scene, outcome, gain


def count_successes(dice: int, needed: int, label: str) -> Steps:
    """Roll dice; return how many reach a number."""
    if needed >= IMPOSSIBLE or not dice:
        return 0
    faces = yield Roll(label, D6, dice)
    return sum(face >= needed for face in faces)


# Bonus dice of a defense


def situational_dice(scene: Scene, fighter: Fighter) -> dict[str, int]:
    """Return the bonus defense dice of the place that are not used in this activation (MNC-020, MNC-021)."""
    field, token = battlefield(scene), fighter.token
    return {
        "height used": int(not token.has("height used") and field.is_higher_than_all(fighter)),
        "cover used": int(not token.has("cover used") and field.has_cover(fighter)),
    }


def bonus_dice(scene: Scene, fighter: Fighter) -> int:
    """Return the bonus defense dice that a model has left (MNC-004, MNC-014, MNC-015, MNC-020, MNC-021)."""
    return fighter.token.track("defense dice") + sum(situational_dice(scene, fighter).values())


def spend_bonus(scene: Scene, fighter: Fighter, dice: int, is_fall_back: bool) -> Steps:
    """Use up bonus defense dice, those of the place first; return the scene."""
    of_place = fall_back_dice(scene, fighter)[0] if is_fall_back else situational_dice(scene, fighter)
    for condition, number in of_place.items():
        if dice and number:
            scene = yield set_condition(scene, fighter.id, condition)
            dice -= 1
    if dice:
        left = scene.token(fighter.id).track("defense dice") - dice
        scene = yield set_track(scene, fighter.id, "defense dice", max(0, left))
    return scene


def fall_back_dice(scene: Scene, fighter: Fighter) -> tuple[dict[str, int], int]:
    """Return the bonus dice that help a fall back: of the place, and of a buckler (MNC-070, C-29, C-43).

    The text bars only the dice of a shield; by default no bonus dice count.
    """
    has_buckler = is_on(scene, house_rules.BUCKLER_FALL_BACK) and fighter.profile.shield == "buckler"
    of_place = setting(scene, house_rules.FALL_BACK_BONUS) == "height and cover"
    found = situational_dice(scene, fighter) if of_place else {}
    return found, fighter.token.track("defense dice") if has_buckler else 0


def fall_back_bonus(scene: Scene, fighter: Fighter) -> int:
    """Return how many bonus dice help a fall back."""
    of_place, buckler = fall_back_dice(scene, fighter)
    return sum(of_place.values()) + buckler


def success_chance(needed: int, dice: int) -> tuple[int, int]:
    """Return the chance that one of some dice reaches a number, as a fraction (MNC-068)."""
    misses = max(0, min(6, needed - 1))
    return 6**dice - misses**dice if dice else 0, 6**dice


def best_split(enemies: Sequence[str], needed: int, pool: int, bonus: int) -> dict[str, int]:
    """Return the split with the best chance to hold all: bonus dice, general dice for enemies without one.

    Equal shares are best, because each further die on one enemy gains less.
    """
    if not enemies or needed >= IMPOSSIBLE:
        return {}
    dice = min(pool, max(bonus, len(enemies)))
    if needed <= 1:
        dice = min(dice, len(enemies))
    share, rest = divmod(dice, len(enemies))
    return {key: share + (place < rest) for place, key in enumerate(enemies)}
