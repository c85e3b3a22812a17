"""A rule as a procedure that reads like the rulebook.

A procedure is a generator. It yields what it needs (leave by `Require`, a `Roll`, a decision by `Choose`, a
`Change` to the scene, another procedure by `Call`) and is sent the answer; it returns its result. It is
deterministic: run again with the same answers it asks and does the same, which is how a pending one
survives a restart.

An act's procedure is called with the scene and the act. It refuses before anything else: with `Require` what
the rules forbid (a game master may overrule that), by raising what cannot be done at all. What it explains
before its first roll is what a preview shows: `needed`, `modifiers`, `defences`.

One called by `Call` gets its arguments alone, may not change the scene (it may explain), and returns a small
hashable value: odds are worked out once for each set of arguments. Faces of one `Roll` come in the die's own
order, however they fell; dice that are told apart are rolled apart.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, NamedTuple

from enfilade.geometry.board.units import Cell
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


class ProcedureError(TypeError):
    """A ruleset's procedure breaks the contract of the seam: its author's mistake, nobody else's."""


class Require(NamedTuple):
    """Asks whether the rules allow what follows: `check(*arguments)` raises the IllegalAct that refuses.

    The procedure goes on where nothing refuses, or where the game master's word overrules the rules.
    """

    check: Callable[..., None]
    arguments: tuple[Any, ...] = ()


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
    """Asks a side to decide; answered with the key of one of the answers.

    `default` is the answer that is best for the side: automatic seats and odds take it. `token` is the
    miniature whose own decision it is, so that its player is asked; empty where the whole side decides.
    """

    side: str
    question: str
    answers: tuple[Answer, ...]
    default: str
    token: str = ""


class Change(NamedTuple):
    """Says what happens to the scene, or explains it; answered with the scene after it."""

    event: AnyEvent


class Call(NamedTuple):
    """Asks for another procedure's result, or for what `read` makes of it.

    `read` is a pure function that leaves only what matters to the caller, so that odds go on once for
    results that read the same.
    """

    procedure: Callable[..., Steps]
    arguments: tuple[Any, ...] = ()
    read: Callable[[Any], Any] | None = None


class TailCall(NamedTuple):
    """Ends a called procedure by going on as another: that one's result is its own.

    The same as returning what `Call` answers, but odds take the result over as a whole.
    """

    procedure: Callable[..., Steps]
    arguments: tuple[Any, ...] = ()


class Settled(NamedTuple):
    """Says what the act has come to, before what only follows from it: others' tests, markers, removals.

    Odds stop here; the procedure goes on and returns this very outcome.
    """

    outcome: Any


Request = Require | Roll | Choose | Change | Call | TailCall | Settled
Steps = Generator[Request, Any, Any]
Procedure = Callable[..., Steps]


class Outcome(Value, frozen=True):
    """What an act came to, in few enough words to be counted: odds are told by outcome."""

    result: str
    damage: int = 0
    leaves: str = ""


def yes_or_no(side: str, question: str, default: bool, token: str = "") -> Choose:
    """A choice between yes and no; read the answer with `== "yes"`."""
    answers = (Answer("yes", "Yes"), Answer("no", "No"))
    return Choose(side, question, answers, "yes" if default else "no", token)
