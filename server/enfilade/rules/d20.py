"""One die with reasons: a d20, its modifiers, and advantage and disadvantage that cancel.

Any number of reasons on one side counts once, and both sides cancel to one die. A game collects the reasons,
so that its log and its cards name all of them, also those that cancel.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from enfilade.rules.dice import D20, Faces
from enfilade.rules.procedures import Roll, Steps

AttackResult = Literal["miss", "narrow", "hit", "critical"]


class Edge(NamedTuple):
    """The reasons for advantage and for disadvantage on a roll, in words."""

    advantage: tuple[str, ...] = ()
    disadvantage: tuple[str, ...] = ()

    @property
    def mode(self) -> int:
        """Return 1 for advantage, -1 for disadvantage, 0 for one die."""
        return bool(self.advantage) - bool(self.disadvantage)

    def __or__(self, other: Edge) -> Edge:
        """Return the reasons of both, each once."""
        return edge((*self.advantage, *other.advantage), (*self.disadvantage, *other.disadvantage))


def edge(advantage: Iterable[str] = (), disadvantage: Iterable[str] = ()) -> Edge:
    """Return reasons, each once and without empty ones."""
    return Edge(
        tuple(dict.fromkeys(filter(None, advantage))), tuple(dict.fromkeys(filter(None, disadvantage)))
    )


def roll_d20(label: str, mode: int) -> Steps:
    """Roll a d20 with advantage (1), disadvantage (-1) or neither; return the face that counts."""
    if mode == 0:
        return (yield Roll(label, D20, read=sum))
    return (yield Roll(label, D20, 2, read=max if mode > 0 else min))


RESULTS: tuple[AttackResult, ...] = ("miss", "narrow", "hit", "critical")
"""The results of an attack roll, the worst first."""


def attack_roll(label: str, needed: int, mode: int, critical: int = 20, guard: int = 0) -> Steps:
    """Roll an attack that hits at a face of `needed` or more; return whether it hits.

    A 20 always hits and is critical, a 1 always misses. `critical` is the least face of a critical hit.
    `guard` is what a reaction of the target may still add: a hit that it would turn into a miss is "narrow".
    """
    face = yield from roll_d20(label, mode)
    return result_of(face, needed, critical, guard)


def attack_dice(label: str, needed: int, mode: int, critical: int = 20, guard: int = 0) -> Steps:
    """Roll an attack whose dice may be rolled again; return the result of each die, the worst first."""
    faces = yield Roll(label, D20, 2 if mode else 1, read=_sorted)
    return tuple(sorted([result_of(face, needed, critical, guard) for face in faces], key=RESULTS.index))


def rerolled(results: tuple[AttackResult, ...], new: AttackResult, mode: int) -> AttackResult:
    """Return the result after the worst of one or two dice was rolled again: the new die replaces it."""
    kept = sorted((*results[1:], new), key=RESULTS.index)
    return kept[-1] if mode > 0 else kept[0]


def result_of(face: int, needed: int, critical: int = 20, guard: int = 0) -> AttackResult:
    """Return what a face of an attack roll comes to."""
    if face == 1 or (face < needed and face != 20):
        return "miss"
    if face != 20 and face < needed + guard:
        return "narrow"
    return "critical" if face >= critical else "hit"


def _sorted(faces: Faces) -> tuple[int, ...]:
    return tuple(sorted([int(face) for face in faces]))


def passes(label: str, bonus: int, difficulty: int, mode: int) -> Steps:
    """Roll a check or a save; return whether it reaches the difficulty. 1 and 20 mean nothing special."""
    face = yield from roll_d20(label, mode)
    return face + bonus >= difficulty
