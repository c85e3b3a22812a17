"""The die of an attack: what it must show, who may roll it again, and what it comes to (CDG-047, CDG-048)."""

from __future__ import annotations

from dataclasses import dataclass, field

from enfilade.rules.cache import MANY, identity_cache
from enfilade.rules.dice import D6
from enfilade.rules.modifiers import Modifier, total
from enfilade.rules.procedures import Roll, Steps, yes_or_no
from enfilade.rulesets.coup_de_grace import house_rules
from enfilade.rulesets.coup_de_grace.effects.base import Again
from enfilade.rulesets.coup_de_grace.modifiers import (
    attack_modifiers,
    damage_modifiers,
    defence_modifiers,
    effects_of,
    face_modifiers,
)
from enfilade.rulesets.coup_de_grace.strike import Strike, maps_struck

SIX_FACES = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Aim:
    """All that the die of an attack depends on, small enough to be compared.

    Attributes:
        side: who decides about re-rolls.
        needed: what the die must reach with what `lifts` adds to it.
        lifts: what is added to the result for each face of the first die.
        damages: the damage of a hit for each face.
        rerolls: (face, by what) that may be rolled again, each once.
        has_naturals: whether 1 always misses and 6 always hits.
        again: the weapon's say on whether to attack again.
    """

    side: str
    needed: int
    lifts: tuple[int, ...]
    damages: tuple[int, ...]
    rerolls: tuple[tuple[int, str], ...]
    has_naturals: bool
    again: Again

    def is_hit(self, face: int, is_first: bool) -> bool:
        """Whether an attack hits (CDG-047); nothing is added for the face of a die rolled again."""
        if self.has_naturals and face in (1, 6):
            return face == 6
        return face + (self.lifts[face - 1] if is_first else 0) >= self.needed


@dataclass(frozen=True, slots=True)
class Fallen:
    """What the die of an attack came to. Two that lead to the same are equal, whatever the face.

    So odds count them once, and a preview of attack upon attack stays quick.

    Attributes:
        is_hit: whether the attack hits.
        damage: the hit points it takes.
        goes_on: whether another attack follows.
        rerolled: by what it was rolled again.
        face: what the die shows in the end.
    """

    is_hit: bool
    damage: int
    goes_on: bool
    rerolled: tuple[str, ...]
    face: int = field(compare=False)


def attack_die(aim: Aim, number: int) -> Steps:
    """Rolls an attack's D6, and again where a re-roll is to be had and wanted; returns what has Fallen.

    `number` counts the attacks of one act.
    """
    (face,) = yield Roll("attack", D6)
    used: tuple[str, ...] = ()
    while by := next((by for wanted, by in aim.rerolls if wanted == face and by not in used), ""):
        question = f"Re-roll the attack die that shows {face} ({by})?"
        answer = yield yes_or_no(aim.side, question, default=not aim.is_hit(face, not used))
        if answer != "yes":
            break
        (face,) = yield Roll("attack, again", D6)
        used = (*used, by)
    is_hit = aim.is_hit(face, not used)
    damage = aim.damages[face - 1] if is_hit else 0
    return Fallen(is_hit, damage, aim.again(face, is_hit, number), used, face)


@identity_cache(MANY, maps_struck)
def to_hit(strike: Strike) -> Aim:
    """What the die of a strike depends on."""
    attacker, spent = strike.attacker, strike.attacker.noted("rerolled")
    names, effects = (attacker.race, strike.weapon), [effect for _, effect in effects_of(strike)]
    rerolls = [(effect.reroll, name) for name, effect in zip(names, effects, strict=True)]
    return Aim(
        side=attacker.token.side,
        needed=total(defences_of(strike)) - total(modifiers_of(strike)),
        lifts=tuple(total(face_modifiers(strike, face)) for face in SIX_FACES),
        damages=tuple(max(0, 1 + total(damage_modifiers(strike, face))) for face in SIX_FACES),
        rerolls=tuple((face, name) for face, name in rerolls if face and name not in spent),
        has_naturals=strike.battle.is_on(house_rules.NATURALS),
        again=effects[-1].again,
    )


@identity_cache(MANY, maps_struck)
def modifiers_of(strike: Strike) -> list[Modifier]:
    """The modifiers of a strike's die."""
    return attack_modifiers(strike)


@identity_cache(MANY, maps_struck)
def defences_of(strike: Strike) -> list[Modifier]:
    """What the target's defence value is made of."""
    return defence_modifiers(strike)
