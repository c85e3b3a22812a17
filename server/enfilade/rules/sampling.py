"""Resolving an act many times with seeded dice: for forecasts, for odds over budget, and to check odds.

A procedure is deterministic, so it is run once for each sequence of faces: dice that have fallen the same
way before have the result they had then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from enfilade.rules.dice import Dice, Die, Face, Faces, SeededDice, in_order
from enfilade.rules.performing import Answers, perform
from enfilade.rules.procedures import Procedure
from enfilade.scene.model import Scene


def sample(
    scene: Scene, procedure: Procedure, arguments: Sequence[Any], times: int, seed: int
) -> Counter[Any]:
    """How often each result came of so many resolutions; choices take their defaults."""
    resolutions = _Resolutions(scene, procedure, arguments, SeededDice(seed))
    return Counter(resolutions.another() for _ in range(times))


@dataclass
class _Way:
    """What comes once some faces have fallen: the next dice, or the result where there are none."""

    dice: tuple[Die, int] | None = None
    result: Any = None
    after: dict[Faces, _Way] = field(default_factory=dict)


class _Resolutions:
    def __init__(self, scene: Scene, procedure: Procedure, arguments: Sequence[Any], dice: Dice) -> None:
        self.scene = scene
        self.procedure = procedure
        self.arguments = arguments
        self.dice = dice
        self.start: _Way | None = None

    def another(self) -> Any:
        """The result of one more resolution."""
        if self.start is None:
            self.start = _Way()
            return self._resolve(self.start, ())
        way, fallen = self.start, tuple[Face, ...]()
        while way.dice:
            faces = in_order(way.dice[0], self.dice.roll(*way.dice))
            fallen = (*fallen, *faces)
            if faces not in way.after:
                way.after[faces] = _Way()
                return self._resolve(way.after[faces], fallen)
            way = way.after[faces]
        return way.result

    def _resolve(self, way: _Way, fallen: tuple[Face, ...]) -> Any:
        """Resolves from a new way on, and remembers every way beyond it."""
        recorder = _Recorder(self.dice)
        answers = Answers(faces=fallen, dice=recorder)
        result = perform(self.scene, self.procedure, self.arguments, answers).result
        for die, count, faces in recorder.rolls:
            way.dice = (die, count)
            way.after[faces] = way = _Way()
        way.result = result
        return result


class _Recorder:
    """Dice that write down what they are asked for and how they fell."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.rolls: list[tuple[Die, int, Faces]] = []

    def roll(self, die: Die, count: int) -> Faces:
        faces = in_order(die, self.dice.roll(die, count))
        self.rolls.append((die, count, faces))
        return faces
