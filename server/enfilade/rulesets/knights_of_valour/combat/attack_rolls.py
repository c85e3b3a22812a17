"""The dice of an attack: the D20 and the damage dice (KOV-049, KOV-053 to KOV-062)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from enfilade.i18n import localize
from enfilade.rules.dice import D20, numbered
from enfilade.rules.procedures import Change, Roll, Steps
from enfilade.scene.events import Explained

DEFENSE_BASE = 10
"""What each Defense Value starts from (KOV-054)."""


MOST_SPECS = 512
"""The attacks whose exact numbers are remembered."""


class AttackSpec(NamedTuple):
    """The numbers of an attack: what its odds depend on."""

    modifier: int
    defense: int
    has_disadvantage: bool
    dice: int
    sides: int
    damage_modifier: int
    minimum_damage: int
    has_natural_rolls: bool


class Strike(NamedTuple):
    """The result of an attack: whether it hits, and its damage."""

    is_hit: bool
    damage: int


def is_hit(spec: AttackSpec, natural: int) -> bool:
    """Return whether a natural D20 hits: the roll equals or exceeds the Defense Value (KOV-055, C-15)."""
    if spec.has_natural_rolls and natural in (1, 20):
        return natural == 20
    return natural + spec.modifier >= spec.defense


def roll_attack(spec: AttackSpec) -> Steps:
    """Roll an attack and, on a hit, its damage. Returns a Strike."""
    faces = yield Roll(localize("knights_of_valour.roll_attack"), D20, 2 if spec.has_disadvantage else 1)
    natural = min(faces)
    facts = {
        "natural": natural,
        "total": natural + spec.modifier,
        "defense": spec.defense,
        "is_hit": is_hit(spec, natural),
    }
    yield Change(Explained(kind="attack roll", facts=facts))
    if not facts["is_hit"]:
        return Strike(False, 0)
    dice = yield Roll(localize("knights_of_valour.roll_damage"), numbered(spec.sides), spec.dice)
    damage = max(spec.minimum_damage, sum(dice) + spec.damage_modifier)
    facts = {"dice": sum(dice), "modifier": spec.damage_modifier, "damage": damage}
    yield Change(Explained(kind="damage", facts=facts))
    return Strike(True, damage)


def hit_chance(spec: AttackSpec) -> Fraction:
    """Return the exact chance that an attack hits."""
    naturals = range(1, len(D20.faces) + 1)
    if not spec.has_disadvantage:
        return Fraction(sum(is_hit(spec, natural) for natural in naturals), len(naturals))
    lower = [min(a, b) for a in naturals for b in naturals]
    return Fraction(sum(is_hit(spec, natural) for natural in lower), len(lower))


@lru_cache(maxsize=MOST_SPECS)
def harm_chance(spec: AttackSpec) -> Fraction:
    """Return the exact chance that an attack does at least one point of damage."""
    return sum((chance for damage, chance in _damage_chances(spec) if damage > 0), Fraction(0))


@lru_cache(maxsize=MOST_SPECS)
def expected_damage(spec: AttackSpec) -> Fraction:
    """Return the expected damage of an attack."""
    return sum((damage * chance for damage, chance in _damage_chances(spec)), Fraction(0))


def _damage_chances(spec: AttackSpec) -> list[tuple[int, Fraction]]:
    """Return each damage of a hit with the chance of hit and damage together."""
    sums = {0: Fraction(1)}
    for _ in range(spec.dice):
        added: dict[int, Fraction] = {}
        for total, chance in sums.items():
            for face in range(1, spec.sides + 1):
                added[total + face] = added.get(total + face, Fraction(0)) + chance / spec.sides
        sums = added
    hit = hit_chance(spec)
    return [(max(spec.minimum_damage, s + spec.damage_modifier), hit * chance) for s, chance in sums.items()]
