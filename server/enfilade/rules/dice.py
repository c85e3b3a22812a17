"""Dice: what they are, and where their faces come from.

A table asks its `DiceBox` for the `Dice` of each command. Dice from a generator are for tests, samples and
random games; a served table's are committed to beforehand and shown afterwards (rules/fair.py,
play/dice/chains.py).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
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


def named_faces(die: Die) -> Faces:
    """Every face of a die, or nothing where its name says it all: a d6 has 1 to 6."""
    return () if die == numbered(len(die.faces)) else die.faces


D6 = numbered(6)
D20 = numbered(20)


def in_die_order(die: Die, faces: Sequence[Face]) -> Faces:
    """Faces in the order they have on their die: how procedures get them, as odds count multisets."""
    return tuple(faces) if len(faces) < 2 else tuple(sorted(faces, key=die.faces.index))


class Dice(Protocol):
    """Where faces come from when dice are rolled here and not typed in."""

    def roll(self, die: Die, count: int) -> Faces:
        """The faces of so many dice, in the order they fell."""
        ...


class DiceBox(Protocol):
    """Hands out the dice for each command of each table."""

    def for_command(self, table: str, command: str) -> Dice:
        """The dice that are rolled for one command."""
        ...


class RandomDice:
    """Dice that a generator of random numbers rolls, the same ones for every command."""

    def __init__(self, generator: random.Random) -> None:
        self._random = generator

    def roll(self, die: Die, count: int) -> Faces:
        """The faces of so many dice, in the order they fell."""
        return tuple(self._random.choice(die.faces) for _ in range(count))

    def for_command(self, table: str, command: str) -> Dice:
        """These very dice, whatever the command."""
        del table, command
        return self


class SystemDice(RandomDice):
    """Dice from the operating system's own generator: unpredictable, even, and without a seed."""

    def __init__(self) -> None:
        super().__init__(random.SystemRandom())


class SeededDice(RandomDice):
    """Dice that fall the same way for the same seed: for samples, forecasts and random games."""

    def __init__(self, seed: int) -> None:
        super().__init__(random.Random(seed))
