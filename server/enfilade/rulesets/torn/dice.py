"""Dice and rolls: pools, the distribution of a roll, and the comparison of attack and defense dice.

The rulebook prints the faces of the dice as pictures, and no stored copy has them. The faces are house rules:
S is a success, C a critical success, - a blank. Names of miniatures do not appear here, so equal attacks
share their odds (TRN-003, TRN-013, TRN-017 to TRN-030).
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import factorial
from typing import NamedTuple

from enfilade.rules.dice import Die
from enfilade.rules.house_rules import setting
from enfilade.rulesets.torn import house_rules
from enfilade.scene.model import Scene

SUCCESS, CRITICAL, BLANK = "S", "C", "-"
SIDES = 6

Counts = tuple[int, int, int]
"""The (successes, criticals, blanks) of a roll."""


class Dice(NamedTuple):
    """The four dice of a table."""

    attack: Die
    defense: Die
    skill: Die
    agility: Die


class Pool(NamedTuple):
    """The dice on an Action Tile."""

    attack: int
    skill: int = 0
    agility: int = 0


class Shield(NamedTuple):
    """The dice in the shield icon of a card."""

    defense: int
    agility: int = 0


def table_dice(scene: Scene) -> Dice:
    """Return the dice with the faces that the house rules of a table set."""
    return _dice(*(str(setting(scene, house_rule)) for house_rule in house_rules.DICE))


@lru_cache(maxsize=64)
def _dice(attack: str, defense: str, skill: str, agility: str) -> Dice:
    return Dice(
        Die("Attack", tuple(attack)),
        Die("Defense", tuple(defense)),
        Die("Skill", tuple(skill)),
        Die("Agility", tuple(agility)),
    )


@lru_cache(maxsize=512)
def roll_distribution(die: Die, count: int) -> tuple[tuple[Counts, int], ...]:
    """Return each result of `count` dice with its weight. The weights sum to 6 to the power of `count`."""
    on_die = Counter(die.faces)
    return tuple(
        ((s, c, count - s - c), weight)
        for s in range(count + 1)
        for c in range(count - s + 1)
        if (weight := _weight((s, on_die[SUCCESS]), (c, on_die[CRITICAL]), (count - s - c, on_die[BLANK])))
    )


def _weight(*results: tuple[int, int]) -> int:
    weight = factorial(sum(count for count, _ in results))
    for count, copies in results:
        weight = weight // factorial(count) * copies**count
    return weight


class AttackSpec(NamedTuple):
    """One attack with all that its dice depend on, once the target is legal.

    Attributes:
        attacker_side, defender_side: the sides that decide.
        dice: the dice of the table.
        pool: the dice of the attack (TRN-003).
        shield: the dice of the defender, with modifiers.
        damage: wounds for each attack die that is left.
        defender_wounds: wounds the defender has left; more do not count.
        return_damage: wounds for a defense critical that strikes back; 0 if none does (TRN-024, TRN-037,
            TRN-073).
        attacker_wounds: wounds the attacker has left; more do not count.
        must_evade: True if the defender may only Evade (TRN-085).
        rerolled_faces: the attack faces that low visibility rerolls (TRN-043).
        is_on_ally: True if the defender is an ally, so that wounds are unwanted (TRN-061).
    """

    attacker_side: str
    defender_side: str
    dice: Dice
    pool: Pool
    shield: Shield
    damage: int
    defender_wounds: int
    return_damage: int = 0
    attacker_wounds: int = 0
    must_evade: bool = False
    rerolled_faces: str = ""
    is_on_ally: bool = False


class Hits(NamedTuple):
    """The result of an attack roll after all rerolls."""

    successes: int
    criticals: int
    skill: int


class Blocks(NamedTuple):
    """The result of a defense roll after all rerolls."""

    successes: int
    criticals: int


class DamageResult(NamedTuple):
    """The wounds of an attack: to the defender, back to the attacker, and whether a critical hurt."""

    dealt: int
    returned: int
    by_critical: bool


def compare_rolls(
    spec: AttackSpec, hits: Hits, blocks: Blocks, on_criticals: int, skill: int | None = None
) -> DamageResult:
    """Return the damage of steps six and seven (TRN-019 to TRN-030).

    `on_criticals` defense criticals cancel criticals. The others, and the defense successes, cancel normal
    successes; each of those criticals also strikes back, even if nothing is left to cancel. Each Skill die
    doubles one die that is left: `skill` of them, or all (None).
    """
    criticals = hits.criticals - on_criticals
    striking = blocks.criticals - on_criticals
    left = max(0, hits.successes - blocks.successes - striking) + criticals
    skilled = min(hits.skill if skill is None else skill, left)
    dealt = min(spec.damage * (left + skilled), spec.defender_wounds)
    returned = min(spec.return_damage * striking, spec.attacker_wounds)
    return DamageResult(dealt, returned, criticals > 0 and dealt > 0)


def remaining_dice(hits: Hits, blocks: Blocks, on_criticals: int) -> int:
    """Return the number of attack dice that the defense leaves (TRN-025)."""
    normal = hits.successes - blocks.successes - blocks.criticals + on_criticals
    return max(0, normal) + hits.criticals - on_criticals


def compare_evade(spec: AttackSpec, hits: Hits, successes: int) -> DamageResult:
    """Return the damage against an Evade: each success cancels one normal success (TRN-083, TRN-084)."""
    return compare_rolls(spec, hits, Blocks(successes, 0), 0)
