"""A strike: the dice of an attack with its combat advantages, and the harm that it does."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from enfilade.i18n import localize
from enfilade.rules.dice import D6
from enfilade.rules.house_rules import is_on, setting
from enfilade.rules.modifiers import Modifier, total
from enfilade.rules.procedures import Call, Change, Outcome, Roll, Settled, Steps
from enfilade.rulesets.miniatures_combat import house_rules
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.damage import absorb, apply_harm
from enfilade.rulesets.miniatures_combat.profiles import Fighter
from enfilade.rulesets.miniatures_combat.turn import note, read_notes
from enfilade.scene.events import Explained
from enfilade.scene.model import Scene

IMPOSSIBLE = 7
"""A number that no die shows."""


class Strike(NamedTuple):
    """An attack in melee: who, whom, the dice from the pool, and how."""

    attacker: Fighter
    target: Fighter
    dice: int
    kind: str = "attack"
    extra: int = 0


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

    They need at least one die on the target; a heavy two-handed weapon needs two action dice
    (MNC-017, MNC-018, MNC-020, MNC-023, MNC-086).
    """
    attacker, target = strike.attacker, strike.target
    spent = int(read_notes(attacker.token, "attacked").get(target.id, 0))
    found = []
    if not strike.dice:
        return ()
    if not spent or strike.kind == "free attack":
        if target.token.has("prone"):
            found.append(Modifier(localize("miniatures_combat.modifier_prone"), 1, "MNC-017"))
        if target.wounds:
            found.append(Modifier(localize("miniatures_combat.modifier_wounded"), target.wounds, "MNC-018"))
        if battlefield(scene).is_higher_than_all(attacker):
            found.append(Modifier(localize("miniatures_combat.modifier_higher"), 1, "MNC-020"))
    is_heavy = attacker.profile.two_handed and strike.kind != "free attack"
    if is_heavy and spent < 2 <= spent + strike.dice:
        found.append(Modifier(localize("miniatures_combat.modifier_two_handed"), 1, "MNC-023"))
    return tuple(found)


def roll_strike(scene: Scene, strike: Strike, settles: bool = False, name: str = "") -> Steps:
    """Roll an attack and apply its hits; return the scene, the outcome and the story points gained.

    With `settles` the outcome is announced before the hits are recorded. `name` replaces its result.
    """
    attacker, target = strike.attacker, strike.target
    bonus = () if strike.extra else advantages(scene, strike)
    dice = strike.extra or strike.dice + total(bonus)
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
    if not strike.extra and strike.kind != "free attack":
        spent = int(read_notes(scene.token(attacker.id), "attacked").get(target.id, 0))
        scene = yield from note(scene, attacker.id, "attacked", target.id, str(spent + strike.dice))
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
