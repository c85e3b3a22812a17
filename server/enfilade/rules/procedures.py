"""A rule as a procedure that reads like the rulebook.

A procedure is a generator. It yields what it needs (a `Roll`, a decision by `Choose`, a `Change` to the
scene, another procedure by `Do`) and is sent the answer; it returns its result. It is deterministic: run
again with the same answers it asks and does the same, which is how a pending one survives a restart.

An act's procedure is called with the scene and the act. One called by `Do` gets its arguments alone, may
not change the scene, and should return a small hashable value: odds are worked out once for each set of
arguments. Faces of one `Roll` are unordered: the odds count them as a multiset.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, NamedTuple

from enfilade.geometry.units import Cell
from enfilade.rules.dice import Die
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Value


class Act(Value, frozen=True, kw_only=True):
    """Something a token does: what kind, with what, at whom, to where, as its ruleset needs."""

    kind: str
    token: str = ""
    target: str = ""
    weapon: str = ""
    at: Cell | None = None
    facing: int | None = None


class Roll(NamedTuple):
    """Asks for dice of one kind; answered with their faces."""

    label: str
    die: Die
    number: int = 1


class Answer(Value, frozen=True):
    """One answer that a choice offers."""

    key: str
    label: str


class Choose(NamedTuple):
    """Asks a side to decide; answered with the key of one of the answers."""

    side: str
    question: str
    answers: tuple[Answer, ...]
    default: str


class Change(NamedTuple):
    """Says what happens to the scene, or explains it; answered with the scene after it."""

    event: AnyEvent


class Do(NamedTuple):
    """Asks for another procedure's result."""

    procedure: Callable[..., Steps]
    arguments: tuple[Any, ...] = ()


Request = Roll | Choose | Change | Do
Steps = Generator[Request, Any, Any]
Procedure = Callable[..., Steps]


class Outcome(Value, frozen=True):
    """What an act came to, in few enough words to be counted: odds are told by outcome."""

    result: str
    damage: int = 0
    leaves: str = ""


def yes_or_no(side: str, question: str, default: bool) -> Choose:
    """A choice between yes and no; read the answer with `== "yes"`."""
    answers = (Answer("yes", "Yes"), Answer("no", "No"))
    return Choose(side, question, answers, "yes" if default else "no")
