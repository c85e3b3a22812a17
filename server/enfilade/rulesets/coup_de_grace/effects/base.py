"""The form of an effect: the moments at which races and items change the common rules (CDG-007, CDG-063).

The effects themselves are in `races`, `weapons` and `foci`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from enfilade.rules.procedures import Steps
from enfilade.rulesets.coup_de_grace.combat.attack_setup import Strike
from enfilade.scene.model import Scene


@dataclass(frozen=True, slots=True)
class Hit:
    """An attack that hit, the state of its target, and the scene after it."""

    strike: Strike
    left: str
    scene: Scene


def _zero(_: Strike) -> int:
    return 0


def zero_by_face(_: Strike, __: int) -> int:
    """Return 0: the default of bonuses by face."""
    return 0


def _never(_: int, __: bool, ___: int) -> bool:
    return False


Again = Callable[[int, bool, int], bool]
"""Returns whether another attack follows: from the face, whether it hit, and the number of attacks so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The effect of one race or item. Functions of a strike return a bonus, 0 for none.

    Attributes:
        sentence: the effect in a sentence, for the card.
        to_hit: added to the attack die (by a race: for all attacks, by a weapon: for its own).
        guard: added to the bearer's defense value.
        against: added to the target's defense value if the bearer attacks with it.
        base_defense: replaces the target's base defense value, or None.
        by_face: added to the result for the face of the first die.
        damage: added to the damage of a hit, for a face.
        reroll: the face that may be rerolled once a round; 0 for none.
        again: decides if a weapon attacks again.
        on_hit: follows a hit; returns the scene after it.
        on_miss: follows a miss; returns the scene after it.
    """

    sentence: str = ""
    to_hit: Callable[[Strike], int] = _zero
    guard: Callable[[Strike], int] = _zero
    against: Callable[[Strike], int] = _zero
    base_defense: Callable[[Strike], int | None] = lambda _: None
    by_face: Callable[[Strike, int], int] = zero_by_face
    damage: Callable[[Strike, int], int] = zero_by_face
    reroll: int = 0
    again: Again = _never
    on_hit: Callable[[Hit], Steps] | None = None
    on_miss: Callable[[Strike, Scene], Steps] | None = None


PLAIN = Effect()
"""The effect of a race or item that does not change attacks."""
