"""An act that was asked for, as a table keeps it: with everything said and fallen so far."""

from __future__ import annotations

from enfilade.rules.procedures import Act
from enfilade.scene.model import Scene, Value
from enfilade.scene.seat import GM

AUTOMATIC = "automatic"
"""The condition of a side that is not asked: its choices take their defaults."""


class Asked(Value, frozen=True, kw_only=True):
    """An act that was asked for, with everything said and fallen so far.

    `questions` are those that the decisions answer, in the same order; none of an act that waits since before
    they were kept. `reason` is the game master's for overruling the rules; empty where they hold. `secret`:
    nobody else is to read what comes of it. `is_stopped`: it is a way that something unseen ends early.
    `seat` is the key of whoever asked.
    """

    command: str
    act: Act
    faces: tuple[int | str, ...] = ()
    decisions: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    is_typed: bool = False
    reason: str = ""
    secret: bool = False
    is_stopped: bool = False
    seat: str = GM.key


def automatic_sides(scene: Scene) -> frozenset[str]:
    """The sides that are not asked."""
    return frozenset(side.id for side in scene.sides if side.has(AUTOMATIC))
