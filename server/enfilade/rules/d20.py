"""The attack of a d20 game: one die with reasons, and damage settled by its types.

Any number of reasons for advantage counts once, as for disadvantage, and both cancel to one die. A game
collects the reasons, so that its log and its cards name all of them, also those that cancel.

A part of the damage is halved by resistance, rounded down, then doubled by vulnerability; immunity takes it
away. Several reasons of one kind count once. Each part is settled by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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
