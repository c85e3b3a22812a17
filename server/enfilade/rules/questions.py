"""The dice and the questions of an act: every one that may come, found by a walk over all answers.

A split has many answers; the walk takes the first ones (`allocations.MAX_SPLITS`).

The walk resolves the act again for each sequence of faces and answers, the short ones first: some acts have
no longest one. A callee is walked once for its arguments. Unlike odds it takes every answer to a question,
not only the default, and does not stop when the outcome is settled.

A walk ends at sealed choices: the plans of all are too many, and the dice depend on each. The list then
has the choices with their answers, and is not complete.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from enfilade.i18n import localize
from enfilade.rules.allocations import encode_split, legal_splits, read_split
from enfilade.rules.dice import Faces
from enfilade.rules.odds import roll_distribution
from enfilade.rules.procedures import Allocate, Answer, Call, Choose, ChooseAll, Procedure, Roll
from enfilade.rules.resolve import Answers, Resolution, resolve
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene, Value

BUDGET = 20_000
"""The number of resolutions that a walk may take, about five seconds for the largest act."""


class PossibleRoll(Value, frozen=True):
    """A roll that an act may ask for: its label, the die and its different faces, the most dice at once."""

    label: str
    die: str
    faces: Faces
    most: int


class PossibleQuestion(Value, frozen=True):
    """A question that an act may ask a side, and each answer that it may offer."""

    side: str
    side_name: str
    question: str
    answers: tuple[Answer, ...]


class Questions(Value, frozen=True):
    """The rolls and the questions of an act. If the walk is not complete, there may be others."""

    rolls: tuple[PossibleRoll, ...]
    questions: tuple[PossibleQuestion, ...]
    is_complete: bool = True


def find_questions(
    scene: Scene, procedure: Procedure, arguments: Sequence[Any], budget: int = BUDGET
) -> Questions:
    """Return the rolls and questions of an act, in the order of discovery.

    Raises what its procedure raises before the first roll or question.
    """
    walk = _Walk(scene, budget)
    walk.results(lambda answers: resolve(scene, procedure, arguments, answers).result)
    names = {side.id: side.name for side in scene.sides}
    questions = (
        PossibleQuestion(side, names.get(side, side), question, tuple(answers.values()))
        for (side, question), answers in walk.questions.items()
    )
    return Questions(tuple(walk.rolls.values()), tuple(questions), walk.left > 0 and not walk.is_cut)


class _NextRequestError(Exception):
    """A procedure has reached a request without an answer."""

    def __init__(self, request: Roll | Choose | ChooseAll | Allocate | Call) -> None:
        self.request = request


class _Given(Answers):
    """Answers to the first requests of a run; the run ends at the next request."""

    def __init__(self, given: tuple[Any, ...]) -> None:
        super().__init__()
        self._left = list(reversed(given))

    def roll_faces(self, roll: Roll) -> Faces:
        """Return the given faces for a roll."""
        faces: Faces = self._next(roll)
        return faces

    def decision(self, choice: Choose | Allocate) -> tuple[str, bool]:
        """Return the given answer to a choice."""
        return self._next(choice), False

    def decide_all(self, asked: ChooseAll) -> list[tuple[str, bool] | None]:
        """Return the given answers to choices at the same time; sealed ones end the run."""
        return self._next(asked) if asked.is_sealed else super().decide_all(asked)

    def call(self, request: Call, done: Resolution) -> Any:
        """Return the given result of a callee."""
        del done
        return self._next(request)

    def _next(self, request: Roll | Choose | ChooseAll | Allocate | Call) -> Any:
        if not self._left:
            raise _NextRequestError(request)
        return self._left.pop()


class _Walk:
    def __init__(self, scene: Scene, budget: int) -> None:
        self.scene = scene
        self.left = budget
        self.is_cut = False
        self.rolls: dict[tuple[str, str], PossibleRoll] = {}
        self.questions: dict[tuple[str, str], dict[str, Answer]] = {}
        self.topic = ""
        self._known: dict[tuple[Any, tuple[Any, ...], str], tuple[Any, ...]] = {}

    def results(self, run: Callable[[Answers], Any]) -> tuple[Any, ...]:
        """Return each result that a run may have, with every face and every answer."""
        found: dict[Any, None] = {}
        branches: deque[tuple[Any, ...]] = deque([()])
        while branches and self.left > 0:
            checkpoint()
            self.left -= 1
            given = branches.popleft()
            try:
                found[run(_Given(given))] = None
            except _NextRequestError as asked:
                room = self.left - len(branches) + 1
                branches.extend((*given, answer) for answer in self._answers(asked.request)[:room])
        return tuple(found)

    def _answers(self, request: Roll | Choose | ChooseAll | Allocate | Call) -> Sequence[Any]:
        match request:
            case Roll():
                return self._faces(request)
            case Choose():
                self._note(request)
                return [answer.key for answer in request.answers]
            case ChooseAll():
                for choice in request.choices:
                    self._note(choice)
                self.is_cut = True
                return ()
            case Allocate():
                return self._splits(request)
        topic = request.topic or self.topic
        key = (request.procedure, request.arguments, topic)
        if key not in self._known:
            before, self.topic = self.topic, topic
            self._known[key] = self.results(
                lambda answers: Answers.call(answers, request, Resolution(self.scene, topic=topic))
            )
            self.topic = before
        return self._known[key]

    def _note(self, request: Choose) -> None:
        answers = self.questions.setdefault((request.side, request.question), {})
        answers.update({answer.key: answer for answer in request.answers})

    def _splits(self, request: Allocate) -> Sequence[str]:
        answers = self.questions.setdefault((request.side, request.question), {})
        texts = [encode_split(split) for split in legal_splits(request)]
        answers.update({text: Answer(text, _split_label(request, text)) for text in texts})
        return texts

    def _faces(self, roll: Roll) -> Sequence[Faces]:
        die = roll.die
        known = self.rolls.get((roll.label, die.name))
        most = max(roll.number, known.most if known else 0)
        faces = tuple(dict.fromkeys(die.faces))
        self.rolls[roll.label, die.name] = PossibleRoll(roll.label, die.name, faces, most)
        return [faces for faces, _ in roll_distribution(die, roll.number)]


def _split_label(request: Allocate, text: str) -> str:
    split = read_split(text) or {}
    parts = [f"{slot.label} {split[slot.key]}" for slot in request.slots if split.get(slot.key)]
    return ", ".join(parts) or localize("rules.empty_split")
