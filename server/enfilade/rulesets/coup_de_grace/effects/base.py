"""What races and held items add to the common rules: the moments at which they may (CDG-007, CDG-063).

The tables are `effects_races`, `effects_melee`, `effects_ranged` and `foci`: look up a race or an item
there to see what it does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enfilade.rules.procedures import Steps
from enfilade.rulesets.coup_de_grace.attack_setup import Strike
from enfilade.scene.model import Scene


@dataclass(frozen=True, slots=True)
class Hit:
    """An attack that hit: what it left its target as, and the scene after."""

    strike: Strike
    left: str
    scene: Scene


def _zero(_: Strike) -> int:
    return 0


def _zero_by_face(_: Strike, __: int) -> int:
    return 0


def _never(_: int, __: bool, ___: int) -> bool:
    return False


Again = Callable[[int, bool, int], bool]
"""Whether an attack is followed by another: from the face, whether it hit, and how many there were so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What one race or item does. Functions of a strike say what they add, 0 for nothing.

    Attributes:
        sentence: what it does, for the card.
        to_hit: added to the die of its bearer's attacks (a race's to all, a weapon's to its own).
        guard: added to the defense value of its bearer when attacked.
        against: added to the target's defense value when its bearer attacks with it.
        base_defense: the target's defense value before anything is added, or None for its own.
        by_face: added to the result for what the first die shows.
        damage: added to the damage of a hit, for what the die shows.
        reroll: the face that may be rolled again, once a round; 0 for none.
        again: whether a weapon attacks again.
        on_hit: what follows a hit; returns the scene after it.
        on_miss: what follows a miss; returns the scene after it.
    """

    sentence: str = ""
    attack_spec: Callable[[Strike], int] = _zero
    guard: Callable[[Strike], int] = _zero
    against: Callable[[Strike], int] = _zero
    base_defense: Callable[[Strike], int | None] = lambda _: None
    by_face: Callable[[Strike, int], int] = _zero_by_face
    damage: Callable[[Strike, int], int] = _zero_by_face
    reroll: int = 0
    again: Again = _never
    on_hit: Callable[[Hit], Steps] | None = None
    on_miss: Callable[[Strike, Scene], Steps] | None = None


PLAIN = Effect()
"""What a race or item without an effect on attacks does."""
