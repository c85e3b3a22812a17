"""Running a procedure once: at the table, from a script, or for a sample.

The three differ only in where faces and decisions come from, which `Answers` says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from enfilade.errors import BadInput
from enfilade.rules.dice import Dice, Die, Faces
from enfilade.rules.procedures import Change, Choose, Do, Procedure, Roll, Steps
from enfilade.scene.events import AnyEvent, ChoiceMade, DiceRolled
from enfilade.scene.fold import fold
from enfilade.scene.model import Scene


class WrongAnswer(BadInput):
    """A typed face is not on the die, too few or too many were typed, or nobody offered that answer."""

    code = "wrong-answer"


class WaitingError(Exception):
    """A procedure cannot go on until a side has decided; `given` is everything answered so far."""

    def __init__(self, choice: Choose, given: Answers) -> None:
        super().__init__(choice.question)
        self.choice = choice
        self.given = given


@dataclass
class Answers:
    """Where a procedure's faces and decisions come from.

    `faces` and `decisions` are used first, in order: what has fallen and been decided before, or what was
    typed. After them `dice` are rolled (without dice, a face that was not typed is an error), and a
    decision is the default, or what `decide` says (None: wait for somebody).
    """

    faces: Sequence[Any] = ()
    decisions: Sequence[str] = ()
    dice: Dice | None = None
    decide: Callable[[Choose], str | None] = lambda choice: choice.default
    are_typed: bool = False
    used_faces: list[Any] = field(default_factory=list)
    used_decisions: list[str] = field(default_factory=list)

    def fall(self, roll: Roll) -> tuple[Faces, bool]:
        """The faces for a roll, and whether a person typed them."""
        start, end = len(self.used_faces), len(self.used_faces) + roll.number
        known = tuple(self.faces[start:end])
        missing = roll.number - len(known)
        if missing and self.dice is None:
            raise WrongAnswer(f"More dice are needed: {roll.label} takes {roll.number} {roll.die.name}.")
        faces = known + (self.dice.roll(roll.die, missing) if missing and self.dice else ())
        _must_be_on(roll.die, faces)
        self.used_faces.extend(faces)
        return faces, self.are_typed and not missing

    def decision(self, choice: Choose) -> tuple[str, bool]:
        """The answer to a choice, and whether nobody but the default gave it; raises WaitingError."""
        index = len(self.used_decisions)
        known = self.decisions[index] if index < len(self.decisions) else None
        answer = known if known is not None else self.decide(choice)
        if answer is None:
            raise WaitingError(choice, self)
        if answer not in [offered.key for offered in choice.answers]:
            offered = ", ".join(a.key for a in choice.answers)
            raise WrongAnswer(f"'{answer}' is not an answer to '{choice.question}': {offered} are.")
        self.used_decisions.append(answer)
        return answer, known is None

    def must_be_used_up(self) -> None:
        """Raises WrongAnswer where more faces or decisions were given than the procedure asked for."""
        if len(self.faces) > len(self.used_faces):
            raise WrongAnswer(f"{len(self.faces)} dice were typed, but {len(self.used_faces)} were needed.")
        if len(self.decisions) > len(self.used_decisions):
            raise WrongAnswer(f"Nobody asked for '{self.decisions[len(self.used_decisions)]}'.")


def _must_be_on(die: Die, faces: Faces) -> None:
    for face in faces:
        if face not in die.faces:
            raise WrongAnswer(f"A {die.name} has no face {face}.")


@dataclass
class Performed:
    """What came of a procedure: its result, every event in order, and the scene after them."""

    scene: Scene
    events: list[AnyEvent] = field(default_factory=list)
    result: Any = None


def perform(scene: Scene, procedure: Procedure, arguments: Sequence[Any], answers: Answers) -> Performed:
    """Runs an act's procedure once; raises what it raises, and WaitingError."""
    done = Performed(scene)
    done.result = _run(procedure(scene, *arguments), done, answers)
    answers.must_be_used_up()
    return done


def _run(steps: Steps, done: Performed, answers: Answers) -> Any:
    answer: Any = None
    while True:
        try:
            request = steps.send(answer)
        except StopIteration as end:
            return end.value
        answer = _answer(request, done, answers)


def _answer(request: Any, done: Performed, answers: Answers) -> Any:
    match request:
        case Change(event):
            done.events.append(event)
            done.scene = fold(done.scene, event)
            return done.scene
        case Roll(label, die, _):
            faces, typed = answers.fall(request)
            done.events.append(DiceRolled(label=label, die=die.name, faces=faces, typed=typed))
            return faces
        case Choose(side, question, _, _):
            key, automatic = answers.decision(request)
            done.events.append(ChoiceMade(side=side, question=question, answer=key, automatic=automatic))
            return key
        case Do(procedure, arguments):
            return _run(procedure(*arguments), done, answers)
    raise TypeError(f"A procedure asked for {request!r}.")
