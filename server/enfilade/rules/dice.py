"""Dice, and the sources of their faces.

A table asks its `DiceBox` for the `Dice` of each command. Generated dice are for tests, samples and random
games. A served table commits to its dice before a roll and reveals them afterwards (rules/fair.py,
play/dice.py).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Protocol

from enfilade.runtime.lazy import lazy
from enfilade.scene.model import Value

Face = int | str
Faces = tuple[Face, ...]


class Die(Value, frozen=True):
    """A die: its name and every face, a repeated face as often as it is on the die."""

    name: str
    faces: Faces


@lru_cache(maxsize=64)
def numbered(sides: int) -> Die:
    """Return the die with the numbers 1 to `sides`."""
    return Die(f"d{sides}", tuple(range(1, sides + 1)))


def named_faces(die: Die) -> Faces:
    """Return the faces of a die; empty if the name says it all, like d6 with 1 to 6."""
    return () if die == numbered(len(die.faces)) else die.faces


D6 = numbered(6)
D20 = numbered(20)


def in_die_order(die: Die, faces: Sequence[Face]) -> Faces:
    """Return faces in the order of their die: procedures get them so, because odds count multisets."""
    return tuple(faces) if len(faces) < 2 else tuple(sorted(faces, key=die.faces.index))


class Dice(Protocol):
    """A source of faces for dice that the server rolls."""

    def roll(self, die: Die, count: int) -> Faces:
        """Return the faces of `count` dice, in the order rolled."""
        ...


class DiceBox(Protocol):
    """The source of the dice for each command of each table."""

    def for_command(self, table: str, command: str) -> Dice:
        """Return the dice of one command."""
        ...


class RandomDice:
    """Dice from a random number generator that all commands share.

    `generator` makes it at the first roll: to seed one takes longer than most acts, and most roll no dice.
    """

    def __init__(self, generator: Callable[[], random.Random]) -> None:
        self._generator = generator

    @lazy
    def _random(self) -> random.Random:
        return self._generator()

    def roll(self, die: Die, count: int) -> Faces:
        """Return the faces of `count` dice, in the order rolled."""
        return tuple([self._random.choice(die.faces) for _ in range(count)])

    def for_command(self, table: str, command: str) -> Dice:
        """Return these dice for any command."""
        del table, command
        return self


class SystemDice(RandomDice):
    """Dice from the operating system's generator: unpredictable, uniform, without a seed."""

    def __init__(self) -> None:
        super().__init__(random.SystemRandom)


class SeededDice(RandomDice):
    """Dice that repeat for the same seed: for samples, forecasts and random games."""

    def __init__(self, seed: int) -> None:
        super().__init__(partial(random.Random, seed))
