"""Typed damage: parts with a type, settled against the resistances of a target.

A part is halved by resistance, rounded down, then doubled by vulnerability; immunity takes it away. Several
reasons of one kind count once. Each part is settled by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple


class Part(NamedTuple):
    """An amount of damage of one type."""

    amount: int
    type: str


class Defenses(NamedTuple):
    """The types of damage that a target resists, suffers twice, or is immune to; `all_types` resists all.

    A hit that comes to less than `threshold` does nothing.
    """

    resistances: frozenset[str] = frozenset()
    vulnerabilities: frozenset[str] = frozenset()
    immunities: frozenset[str] = frozenset()
    all_types: bool = False
    threshold: int = 0


def settled(part: Part, against: Defenses) -> int:
    """Return what a part of damage comes to."""
    if part.type in against.immunities:
        return 0
    amount = max(0, part.amount)
    if against.all_types or part.type in against.resistances:
        amount //= 2
    return amount * 2 if part.type in against.vulnerabilities else amount


def total(parts: Sequence[Part], against: Defenses) -> int:
    """Return what all parts of a hit come to; nothing below the threshold."""
    dealt = sum([settled(part, against) for part in parts])
    return dealt if dealt >= against.threshold else 0


def relevant(against: Defenses, types: Collection[str]) -> Defenses:
    """Return the defenses against some types alone: targets that differ in others are alike."""
    wanted = frozenset(types)
    return Defenses(
        against.resistances & wanted,
        against.vulnerabilities & wanted,
        against.immunities & wanted,
        against.all_types,
        against.threshold,
    )
