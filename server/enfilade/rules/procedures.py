"""Procedures: a rule as plain Python that reads like the rulebook.

A procedure is a generator. It yields requests and receives their answers: `Require` (a legality check),
`Roll`, `Choose`, `ChooseAll`, `Allocate`, `Change` (to the scene), `Step` (of a move), `Call` (another
procedure), `CallEach` (several), `Each` (a part that changes the scene, for each item), `Rest` (what follows
the checks). It returns its result. A procedure is deterministic: with the same answers it makes the same
requests. So the table can run a pending act again after a restart.

The procedure of an act gets the scene and the act. It refuses first: it yields `Require` for what the rules
forbid, which the GM may override, and raises for what is impossible. A preview shows what the procedure
explains before its first roll: `needed`, `modifiers`, `defenses`.

A callee of `Call` gets only its arguments. It must not change the scene (it may explain), and returns a small
hashable value, so that odds are computed once for each set of arguments. The faces of one `Roll` come in the
order of the die. Yield separate rolls for dice that must be told apart.

Functions at the end return the requests that every ruleset makes: a track, a condition, a place, yes or no.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.rules.dice import Die, Faces
from enfilade.scene.apply import holder_of
from enfilade.scene.events import AnyEvent, ConditionSet, TokenMoved, TokenPlaced, TrackSet
from enfilade.scene.model import Scene, Token, Value


class Act(Value, frozen=True, kw_only=True):
    """An act of a token: its kind, and the weapon, target and place that its ruleset needs.

    `body` has what only acts of this kind say, in the struct that its `ActKind` declares; read it with
    `body_of`. `path` has the waypoints of a move: cells that it leads through in order, the last of them
    `at`. It is empty for a move by the cheapest path.
    """

    kind: str
    token: str = ""
    target: str = ""
    weapon: str = ""
    at: Cell | None = None
    facing: int | None = None
    path: tuple[Cell, ...] = ()
    body: Any = None

    @property
    def waypoints(self) -> tuple[Cell, ...]:
        """Return the cells that a move leads through, at least its end; empty without one."""
        return self.path or ((self.at,) if self.at is not None else ())


B = TypeVar("B", bound=Value)


def body_of(act: Act, shape: type[B]) -> B:
    """Return the body of an act, or one with all defaults if the act has none."""
    return act.body if isinstance(act.body, shape) else shape()


class ProcedureError(TypeError):
    """A procedure breaks the contract of the ruleset interface: a bug of its author."""


class Require(NamedTuple):
    """Check that the rules allow what follows: `check(*arguments)` raises IllegalAct if not.

    The procedure continues if the check passes, or if the GM overrides the rules.
    """

    check: Callable[..., None]
    arguments: tuple[Any, ...] = ()


class Roll(NamedTuple):
    """Roll dice of one kind; the answer is their faces, or `read(faces)`.

    `read` is a pure function, such as `sum`, that keeps what matters: odds merge faces that read the same, so
    that 8d6 have 41 answers instead of 1,287. The log has the faces in any case.
    """

    label: str
    die: Die
    number: int = 1
    read: Callable[[Faces], Any] | None = None


class Answer(Value, frozen=True):
    """One answer that a choice offers. `tokens` and `at` are what it is about, so that a map can show it."""

    key: str
    label: str
    tokens: tuple[str, ...] = ()
    at: Cell | None = None


class Choose(NamedTuple):
    """Ask a side to decide; the answer is the key of one of `answers`.

    `default` is the best answer for the side: automatic seats and odds take it. `token` is the token that
    decides, so that the server asks its player; it is empty if the whole side decides.
    """

    side: str
    question: str
    answers: tuple[Answer, ...]
    default: str
    token: str = ""


class MatchupColumn(Value, frozen=True):
    """A number of a matchup: a chance (the number is 0 or 1), or an amount such as damage.

    `is_own` tells what happens to the token itself from what happens to its opponent.
    """

    label: str
    is_own: bool
    is_amount: bool = False


class LikelyAnswers(NamedTuple):
    """Answers of an opponent that deserve a row in a matchup: a label, and the answers to its questions."""

    label: str
    answers: tuple[str, ...]


class Matchup(NamedTuple):
    """The odds of the answers of a token against those of one opponent, before both are known.

    `procedure(scene, token, answers, other, its_answers)` returns a tuple of whole numbers, one for each
    column. It calls the procedures that resolve the answers, so that its odds cannot drift from them.
    `rows(scene, token, other)` returns the likely answers of the opponent. Tokens are IDs; answers are keys
    in the order of the token's questions.
    """

    procedure: Callable[..., Steps]
    columns: tuple[MatchupColumn, ...]
    rows: Callable[[Any, str, str], Sequence[LikelyAnswers]]


class ChooseAll(NamedTuple):
    """Ask several to decide at the same time; the answer is the keys in the order of `choices`.

    No seat learns an answer of another before all are given, and each may be changed until then. Each
    question names its token, so that it differs from the others. With `is_sealed` the log proves afterwards
    that no answer was changed: it has a commitment to each when the question closes, and opens them with the
    result of the act. With a `matchup` a seat sees the odds of its answers before it gives them.
    """

    choices: tuple[Choose, ...]
    is_sealed: bool = False
    matchup: Matchup | None = None


class Allocate(NamedTuple):
    """Ask a side to split a pool over slots, such as dice over opponents; the answer is a mapping.

    The answer has a number for the key of each slot. `limits` are the least and the most of each slot, in the
    order of `slots`. The sum is at least `least` and at most `pool`. `default` is the best split for the
    side; slots that get nothing may be missing from it. `chances` are for the dialog: for each slot the
    chance of success with 0, 1, 2 and so on, as (numerator, denominator).
    """

    side: str
    question: str
    pool: int
    slots: tuple[Answer, ...]
    limits: tuple[tuple[int, int], ...]
    default: Mapping[str, int]
    token: str = ""
    least: int = 0
    chances: tuple[tuple[tuple[int, int], ...], ...] = ()


class Change(NamedTuple):
    """Change the scene, or explain an act; the answer is the scene after the event."""

    event: AnyEvent


class Step(NamedTuple):
    """Move a token by one step of its path, or turn it; the answer is the scene after the step.

    `facing` is in degrees clockwise, 0 up the board; None turns the token to no side. Between two steps a
    procedure asks for the reactions that the next one provokes, and ends if the mover cannot go on.
    """

    token: str
    to: Cell
    facing: int | None


class Call(NamedTuple):
    """Run another procedure; the answer is its result, or `read(result)`.

    `read` is a pure function that keeps only what matters to the caller: odds merge results that read the
    same. A caller may give other `outcome_arguments`, with which odds run the callee instead: it does the
    same, but may leave out of its result what does not change the outcome of the act. `topic` stands before
    each question of the callee, which gets numbers and no names: "Aldis, Sword → Orc".
    """

    procedure: Callable[..., Steps]
    arguments: tuple[Any, ...] = ()
    read: Callable[[Any], Any] | None = None
    outcome_arguments: tuple[Any, ...] | None = None
    topic: str = ""


def attack_in_words(name: str, weapon: str, target: str) -> str:
    """Return who attacks whom with what, for `Call.topic`: the same in all languages."""
    return f"{name}, {weapon} → {target}"


class CallEach(NamedTuple):
    """Run procedures that do not depend on each other; the answer combines their results in order.

    It is `add(...add(add(start, first), second)..., last)`. `add` is a pure function that does not care for
    the order, such as a sum. Odds count the results so far with each further callee, so that many callees
    cost as much as their sum, not as their product.
    """

    calls: tuple[Call, ...]
    start: Any
    add: Callable[[Any, Any], Any]


class Each(NamedTuple):
    """Run a procedure that may change the scene, for each item in order; the answer is (scene, combined).

    It is the loop

        combined = start
        for item in items:
            combined = add(combined, (yield from procedure(scene, item, *arguments)))

    where each item gets the scene that the one before it left. Without `add` the results are dropped, and
    `combined` is `start`. A result may be anything if no `add` asks for it; `add` is a pure function and
    returns a small hashable value. An item may ask for all that an act may ask for, but it may not settle.

    Odds forget what the loop does not hand on: between two items there is only the scene and `combined`. What
    an item did to a token stays open until a part reads that token, so that a fireball over eight creatures
    costs as much as eight fireballs over one, and three attacks at one creature cost its states three times.
    So give an item what it needs as its item and `arguments` (IDs and numbers), and let it read the tokens
    that it is about. Odds may run other items in their place: `outcome_items`, one for each, which leave the
    same scenes and results. Damage beyond what kills is an example: without it more items are alike.
    """

    items: tuple[Any, ...]
    procedure: Callable[..., Steps]
    arguments: tuple[Any, ...] = ()
    start: Any = None
    add: Callable[[Any, Any], Any] | None = None
    outcome_items: tuple[Any, ...] | None = None

    @property
    def counted(self) -> tuple[Any, ...]:
        """Return the items that odds run."""
        return self.items if self.outcome_items is None else self.outcome_items


class Rest(NamedTuple):
    """End an act, or an item of `Each`, by continuing as `procedure(scene, *arguments)`.

    It does the same as `return (yield from procedure(scene, *arguments))`, but odds work it out once for all
    scenes that agree on what it reads: for all cells of a decision map, and for all acts that end alike.
    """

    procedure: Callable[..., Steps]
    arguments: tuple[Any, ...] = ()


class TailCall(NamedTuple):
    """End a callee by continuing as another procedure, whose result becomes its own.

    It does the same as returning the answer of `Call`, but odds take over the whole distribution at once.
    """

    procedure: Callable[..., Steps]
    arguments: tuple[Any, ...] = ()


class Settled(NamedTuple):
    """Announce the outcome of an act before its aftermath: tests of other tokens, markers, removals.

    Odds stop here. The procedure continues and must return this same outcome.
    """

    outcome: Any


Request = (
    Require
    | Roll
    | Choose
    | ChooseAll
    | Allocate
    | Change
    | Step
    | Call
    | CallEach
    | Each
    | Rest
    | TailCall
    | Settled
)
Steps = Generator[Request, Any, Any]
Procedure = Callable[..., Steps]


class Outcome(Value, frozen=True):
    """The result of an act in few words; odds count acts by outcome."""

    result: str
    damage: int = 0
    leaves: str = ""


def yes_or_no(side: str, question: str, default: bool, token: str = "") -> Choose:
    """Return a choice between yes and no; compare the answer with `"yes"`."""
    answers = (Answer("yes", localize("rules.yes")), Answer("no", localize("rules.no")))
    return Choose(side, question, answers, "yes" if default else "no", token)


def set_track(scene: Scene, holder: str, track: str, value: int | None) -> Change:
    """Return the change that sets a track, or removes it (None)."""
    was = holder_of(scene, holder).tracks.get(track)
    return Change(TrackSet(holder=holder, track=track, value=value, was=was))


def set_condition(scene: Scene, holder: str, condition: str, note: str | None = "") -> Change:
    """Return the change that sets a condition with a note, or clears it (None)."""
    was = holder_of(scene, holder).conditions.get(condition)
    return Change(ConditionSet(holder=holder, condition=condition, note=note, was=was))


def set_elevation(token: Token, elevation: int) -> Change:
    """Return the change that raises or lowers a token to a height, in the units of the map."""
    return Change(TokenPlaced(token=replace(token, elevation=elevation), was=token))


def step_change(scene: Scene, step: Step) -> Change:
    """Return the change that a step of a move makes."""
    return move_token(scene.token(step.token), step.to, step.facing)


def turn_token(token: Token, facing: int | None) -> Change:
    """Return the change that turns a token where it stands; None turns it to no side."""
    return move_token(token, token.at, facing)


def remove_token(token: Token, facing: int | None = None) -> Change:
    """Return the change that takes a token off the board."""
    return move_token(token, None, facing)


def move_token(token: Token, at: Cell | None, facing: int | None) -> Change:
    """Return the change that moves a token to a cell, or turns it.

    Rulesets do not use it: a move is a `Step`, a forced move goes through `rules.battle.displace`.
    """
    was_at, was_facing = _AT(token), _FACING(token)
    return Change(TokenMoved(token=token.id, at=at, facing=facing, was_at=was_at, was_facing=was_facing))


_AT, _FACING = (getattr(Token, name).__get__ for name in ("at", "facing"))
"""What a token was is for the undo alone: odds need not note it as read."""
