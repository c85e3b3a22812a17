"""Dice: what they are, and where their faces come from."""

from __future__ import annotations

import random
from typing import Protocol

from enfilade.scene.model import Value

Face = int | str
Faces = tuple[Face, ...]


class Die(Value, frozen=True):
    """A die: its name and every face, a face repeated as often as it is on the die."""

    name: str
    faces: Faces


def numbered(sides: int) -> Die:
    """The die with the numbers 1 to `sides`."""
    return Die(f"d{sides}", tuple(range(1, sides + 1)))


D6 = numbered(6)
D20 = numbered(20)


class Dice(Protocol):
    """Where faces come from when dice are rolled here and not typed in."""

    def roll(self, die: Die, count: int) -> Faces:
        """The faces of so many dice, in the order they fell."""
        ...


class SystemDice:
    """Dice from the operating system's own generator: unpredictable and without a seed."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def roll(self, die: Die, count: int) -> Faces:
        """The faces of so many dice, in the order they fell."""
        return tuple(self._random.choice(die.faces) for _ in range(count))


class SeededDice:
    """Dice that fall the same way for the same seed: for samples, forecasts and random games."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def roll(self, die: Die, count: int) -> Faces:
        """The faces of so many dice, in the order they fell."""
        return tuple(self._random.choice(die.faces) for _ in range(count))
