"""Run a procedure once: at the table, from a script, or for a sample.

The three differ only in the source of faces and decisions, which is an `Answers`. A run changes nothing: the
caller applies the events that it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple

from enfilade.errors import BadInput, IllegalAct
from enfilade.i18n import localize
from enfilade.rules.allocations import check_request, complete_split, encode_split, problem_with, read_split
from enfilade.rules.changes import step_change
from enfilade.rules.dice import Dice, Die, Face, Faces, in_die_order, named_faces
from enfilade.rules.procedures import (
    Act,
    Allocate,
    Call,
    CallEach,
    Change,
    Choose,
    ChooseAll,
    Each,
    Procedure,
    ProcedureError,
    Require,
    Rest,
    Roll,
    Settled,
    Step,
    Steps,
    TailCall,
)
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.apply import fold
from enfilade.scene.events import AnyEvent, ChoiceMade, DiceRolled, Explained
from enfilade.scene.model import Scene


class WrongAnswer(BadInput):
    """A typed face is not on the die, the number of faces is wrong, or the answer was not offered."""

    code = "wrong-answer"


class ChoicePending(Exception):
    """A procedure waits for the decision of a side, or of several for a `ChooseAll` without automatic ones.

    `given` holds all answers so far, `events` all events up to the question, `scene` the scene after them.
    """

    def __init__(self, choice: Choose | ChooseAll | Allocate, given: Answers, done: Resolution) -> None:
        """`done` is the resolution up to the question."""
        super().__init__(getattr(choice, "question", ""))
        self.choice = choice
        self.given = given
        self.events = tuple(done.events)
        self.scene = done.scene


@dataclass
class Answers:
    """The source of faces and decisions for a procedure.

    `faces` and `decisions` come first, in order: earlier answers, or typed ones. Then `dice` roll. Without
    `dice` the faces are those of physical dice, and a missing face raises WrongAnswer. The sides in
    `automatic` and the tokens in `automatic_tokens` take the default of each choice, and the procedure waits
    for all others. None is for scripts and samples: every choice without a decision takes its default. With
    `overrides` an illegal act continues, and `overridden` collects the refusals.
    """

    faces: Sequence[Face] = ()
    decisions: Sequence[str] = ()
    dice: Dice | None = None
    automatic: Collection[str] | None = None
    overrides: bool = False
    automatic_tokens: Collection[str] = ()
    used_faces: list[Face] = field(default_factory=list)
    used_decisions: list[str] = field(default_factory=list)
    overridden: list[IllegalAct] = field(default_factory=list)

    @property
    def is_typed(self) -> bool:
        """Return whether the faces are those of physical dice."""
        return self.dice is None

    def allow(self, must: Require) -> None:
        """Run a check. Raises its IllegalAct, unless the GM overrides the rules."""
        try:
            must.check(*must.arguments)
        except IllegalAct as refused:
            if not self.overrides:
                raise
            self.overridden.append(refused.with_traceback(None))  # with its frames it would be in a cycle

    def roll_faces(self, roll: Roll) -> Faces:
        """Return the faces for a roll, in the order rolled. Raises WrongAnswer."""
        start = len(self.used_faces)
        faces = tuple(self.faces[start : start + roll.number])
        _must_be_on(roll.die, faces)
        missing = roll.number - len(faces)
        if missing and self.dice is None:
            raise WrongAnswer(
                localize("rules.more_dice_needed", label=roll.label, number=roll.number, die=roll.die.name)
            )
        if missing and self.dice is not None:
            faces += self.dice.roll(roll.die, missing)
        self.used_faces.extend(faces)
        return faces

    def decision(self, choice: Choose | Allocate) -> tuple[str, bool] | None:
        """Return the answer to a choice and whether it is automatic; None if the side must decide.

        The answer is a key, or the text of a split.
        """
        default = check_default(choice)
        is_automatic = self.automatic is not None and choice.side in self.automatic
        if is_automatic or choice.token in self.automatic_tokens:
            return default, True
        used = len(self.used_decisions)
        if used < len(self.decisions):
            self.used_decisions.append(_offered(choice, self.decisions[used]))
            return self.used_decisions[used], False
        return (default, True) if self.automatic is None else None

    def decide_all(self, asked: ChooseAll) -> list[tuple[str, bool] | None]:
        """Return the answers to choices at the same time, as `decision` returns each."""
        return [self.decision(choice) for choice in asked.choices]

    def call(self, request: Call, done: Resolution) -> Any:
        """Return the result of a callee before `read`; its rolls and explanations go to `resolution`."""
        before, done.topic = done.topic, request.topic or done.topic
        try:
            return _run(request.procedure(*request.arguments), done, self, is_callee=True)
        finally:
            done.topic = before

    def settle(self, outcome: Any) -> None:
        """Learn the outcome that an act announces before its aftermath."""

    def enter(self, item: Any) -> None:
        """Learn which item of an `Each` runs from now on."""

    def leave(self) -> None:
        """Learn that the item is over."""

    def require_used_up(self) -> None:
        """Raise WrongAnswer if the procedure did not use all given faces and decisions."""
        if not self.faces and not self.decisions:
            return
        faces, used = len(self.faces), len(self.used_faces)
        if faces > used:
            raise WrongAnswer(localize("rules.too_many_dice", given=faces, used=used))
        if len(self.decisions) > len(self.used_decisions):
            answer = self.decisions[len(self.used_decisions)]
            raise WrongAnswer(localize("rules.answer_not_asked", answer=answer))


def _must_be_on(die: Die, faces: Faces) -> None:
    for face in faces:
        # True equals 1 in Python, but is on no die.
        if face not in die.faces or isinstance(face, bool):
            raise WrongAnswer(localize("rules.no_such_face", die=die.name, face=face))


def check_default(choice: Choose | Allocate) -> str:
    """Return the default of a choice as decisions hold it. Raises ProcedureError if it is not allowed."""
    if isinstance(choice, Allocate):
        check_request(choice)
        return encode_split(choice.default)
    if choice.default not in [offered.key for offered in choice.answers]:
        raise ProcedureError(f"'{choice.default}' is not among the answers to '{choice.question}'.")
    return choice.default


def _offered(choice: Choose | Allocate, answer: str) -> str:
    if isinstance(choice, Allocate):
        return _checked_split(choice, answer)
    keys = [offered.key for offered in choice.answers]
    if answer not in keys:
        raise WrongAnswer(
            localize("rules.no_such_answer", answer=answer, question=choice.question, answers=", ".join(keys))
        )
    return answer


def _checked_split(choice: Allocate, answer: str) -> str:
    split = read_split(answer)
    problem = localize("rules.no_split", answer=answer) if split is None else problem_with(choice, split)
    if problem:
        raise WrongAnswer(problem)
    return encode_split(split or {})


@dataclass
class Resolution:
    """The result of a procedure: every event in order, and the scene after them.

    `settled` is the outcome that the procedure announced before its aftermath, if any. `topic` is what the
    questions of the callee that runs are about.
    """

    scene: Scene
    events: list[AnyEvent] = field(default_factory=list)
    result: Any = None
    settled: Any = None
    topic: str = ""


def resolve(scene: Scene, procedure: Procedure, arguments: Sequence[Any], answers: Answers) -> Resolution:
    """Run the procedure of an act once. Raises its errors, WrongAnswer and ChoicePending."""
    done = Resolution(scene)
    try:
        done.result = _run(procedure(scene, *arguments), done, answers)
    except ChoicePending:
        # Faces typed for what comes after a question could not be kept apart from its answer's own.
        answers.require_used_up()
        raise
    answers.require_used_up()
    if done.settled not in (None, done.result):
        raise ProcedureError(f"{procedure.__name__} settled on {done.settled} and came to {done.result}.")
    return done


class BegunRun(NamedTuple):
    """A run of an act that has passed its checks, and waits for the answer to its first other request."""

    steps: Steps
    request: Any
    checks: int


def begin(scene: Scene, procedure: Procedure, act: Act) -> BegunRun | IllegalAct | None:
    """Return a run of an act after its checks, or the error that refuses it; None if it is over then.

    Rolls no dice and asks no side.
    """
    checkpoint()
    steps, checks = procedure(scene, act), 0
    try:
        request = steps.send(None)
        while isinstance(request, Require):
            request.check(*request.arguments)
            checks += 1
            request = steps.send(None)
    except StopIteration:
        return None
    except IllegalAct as refused:
        steps.close()
        return refused.with_traceback(None)  # with its frames it would keep the scene, in a cycle
    return BegunRun(steps, request, checks)


def refusal(scene: Scene, procedure: Procedure, act: Act) -> IllegalAct | None:
    """Return the error that refuses an act now, or None. Rolls no dice and asks no side."""
    found = begin(scene, procedure, act)
    if isinstance(found, BegunRun):
        found.steps.close()
        return None
    return found


def check_refusal(check: Callable[..., None], *arguments: object) -> IllegalAct | None:
    """Return the IllegalAct that a check raises, or None."""
    try:
        check(*arguments)
    except IllegalAct as refused:
        return refused.with_traceback(None)  # with its frames it would keep the scene, in a cycle
    return None


def raise_refusal(refused: IllegalAct | None) -> None:
    """Raise the error that refuses an act, if one does: for the `Require` of what offers ask quickly."""
    if refused is not None:
        raise refused


def _run(steps: Steps, done: Resolution, answers: Answers, is_callee: bool = False) -> Any:
    """Run a procedure to its result. A callee may not depend on the scene, because callers share its odds."""
    answer: Any = None
    while True:
        checkpoint()
        try:
            request = steps.send(answer)
        except StopIteration as end:
            return end.value
        if is_callee and type(request) not in _CALLEE_REQUESTS:
            check_callee_request(request, steps)
        if isinstance(request, Change):  # most requests are changes and checks, so they come first
            scene = _change(request, done)
            answer = None if is_callee else scene
        elif isinstance(request, Require):
            answer = None
            answers.allow(request)
        elif isinstance(request, TailCall):
            return answers.call(Call(*request), done)
        elif isinstance(request, Rest):
            steps.close()
            return _run(request.procedure(done.scene, *request.arguments), done, answers)
        else:
            answer = _answer(request, done, answers)


def _change(change: Change, done: Resolution) -> Scene:
    event = change.event
    done.events.append(event)
    scene = done.scene = fold(done.scene, event)
    return scene


def _answer(request: Any, done: Resolution, answers: Answers) -> Any:
    match request:
        case Step():
            return _change(step_change(done.scene, request), done)
        case Roll(label, die, _):
            faces = answers.roll_faces(request)
            done.events.append(
                DiceRolled(
                    label=label,
                    die=die.name,
                    faces=faces,
                    typed=answers.is_typed,
                    die_faces=named_faces(die),
                )
            )
            ordered = in_die_order(die, faces)
            return ordered if request.read is None else request.read(ordered)
        case Choose() | ChooseAll() | Allocate():
            return _decided(request, done, answers)
        case Call() | CallEach():
            return _called(request, done, answers)
        case Each():
            return _each(request, done, answers)
        case Settled(outcome):
            done.settled = outcome
            answers.settle(outcome)
            return None
    raise ProcedureError(f"A procedure asked for {request!r}.")


def _each(each: Each, done: Resolution, answers: Answers) -> tuple[Scene, Any]:
    combined, settled = each.start, done.settled
    for item in each.items:
        answers.enter(item)
        result = _run(each.procedure(done.scene, item, *each.arguments), done, answers)
        answers.leave()
        if done.settled is not settled:
            raise ProcedureError(f"{each.procedure.__name__} is run by Each and may not settle.")
        combined = combined if each.add is None else each.add(combined, result)
    return done.scene, combined


def _called(call: Call | CallEach, done: Resolution, answers: Answers) -> Any:
    if isinstance(call, CallEach):
        results = (_called(each, done, answers) for each in call.calls)
        return reduce(call.add, results, call.start)
    result = answers.call(call, done)
    return result if call.read is None else call.read(result)


def _decided(choice: Choose | ChooseAll | Allocate, done: Resolution, answers: Answers) -> Any:
    if isinstance(choice, ChooseAll):
        return _decided_all(choice, done, answers)
    if done.topic:
        choice = choice._replace(question=f"{done.topic}: {choice.question}")
    decision = answers.decision(choice)
    if decision is None:
        raise ChoicePending(choice, answers, done)
    key, automatic = decision
    event = ChoiceMade(side=choice.side, question=choice.question, answer=key, automatic=automatic)
    done.events.append(event)
    return complete_split(choice, read_split(key) or {}) if isinstance(choice, Allocate) else key


def _decided_all(asked: ChooseAll, done: Resolution, answers: Answers) -> tuple[str, ...]:
    """Return the answers to choices at the same time; the events come after the last answer."""
    decisions = answers.decide_all(asked)
    waiting = tuple(c for c, decision in zip(asked.choices, decisions, strict=True) if decision is None)
    if waiting:
        raise ChoicePending(asked._replace(choices=waiting), answers, done)
    keys = []
    for choice, (key, automatic) in zip(asked.choices, filter(None, decisions), strict=True):
        event = ChoiceMade(side=choice.side, question=choice.question, answer=key, automatic=automatic)
        done.events.append(event)
        keys.append(key)
    return tuple(keys)


_CALLEE_REQUESTS = frozenset((Roll, Choose, ChooseAll, Allocate, Call, CallEach, TailCall))


def check_callee_request(request: Any, steps: Steps) -> Any:
    """Raise ProcedureError for a request that only the procedure of an act may make.

    A callee may explain, because an explanation changes nothing; the answer is None, not the scene.
    """
    if not (isinstance(request, Change) and isinstance(request.event, Explained)):
        name = getattr(steps, "__name__", "A procedure")
        raise ProcedureError(f"{name} is called by Call and may not yield {request!r}.")
