"""Resolving an act many times with seeded dice: for forecasts, for odds over budget, and to check odds.

A procedure is deterministic, so those resolutions whose dice have fallen the same way are run as one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from enfilade.rules.dice import Dice, Die, Face, Faces, RandomDice, in_order
from enfilade.rules.performing import Answers, perform
from enfilade.rules.procedures import Procedure
from enfilade.scene.model import Scene


def sample(
    scene: Scene, procedure: Procedure, arguments: Sequence[Any], times: int, seed: int
) -> Counter[Any]:
    """How often each result came of so many resolutions; choices take their defaults."""
    chance = random.Random(seed)
    results: Counter[Any] = Counter()
    unresolved: list[tuple[tuple[Face, ...], int]] = [((), times)]
    while unresolved:
        fallen, count = unresolved.pop()
        # The last of a share is simply rolled to its end.
        dice: Dice = RandomDice(chance) if count == 1 else _InTheHand()
        try:
            done = perform(scene, procedure, arguments, Answers(faces=fallen, dice=dice))
        except _RollError as roll:
            throws = _throws(chance, roll.die, roll.number, count)
            unresolved += [((*fallen, *faces), share) for faces, share in throws.items()]
        else:
            results[done.result] += count
    return results


class _RollError(Exception):
    """A procedure has come to its next dice."""

    def __init__(self, die: Die, number: int) -> None:
        self.die = die
        self.number = number


class _InTheHand:
    """Dice that are not rolled, but tell that they would be."""

    def roll(self, die: Die, count: int) -> Faces:
        raise _RollError(die, count)


def _throws(chance: random.Random, die: Die, number: int, times: int) -> Counter[Faces]:
    """How so many dice fell in each of so many throws."""
    faces = chance.choices(die.faces, k=number * times)
    return Counter(in_order(die, faces[i : i + number]) for i in range(0, number * times, number))
