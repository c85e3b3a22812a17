"""Resolve an act many times with seeded dice: for forecasts, for odds over budget, and to check odds.

A run ends where the act announces its outcome: the aftermath cannot change it.

A procedure is deterministic, so it runs once for each sequence of answers. Resolutions with equal answers so
far stay together and split at the next request. A callee is sampled separately, as often as it is called.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from enfilade.rules.dice import Die, Faces, in_die_order
from enfilade.rules.procedures import Call, Procedure, Roll
from enfilade.rules.resolve import Answers, Resolution, resolve
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import Scene


def sample(
    scene: Scene,
    procedure: Procedure,
    arguments: Sequence[Any],
    times: int,
    seed: int,
    takes_outcome_arguments: bool = False,
) -> Counter[Any]:
    """Return the count of each result over `times` resolutions; choices take their defaults.

    With `takes_outcome_arguments` callees leave out what does not change the outcome, as in exact odds.
    """
    return Sampler(scene, seed, takes_outcome_arguments).tally(procedure, arguments, times)


class _NextRequestError(Exception):
    """A procedure has reached a request without an answer."""

    def __init__(self, request: Roll | Call) -> None:
        self.request = request


class _SettledError(Exception):
    """A procedure has announced its outcome."""

    def __init__(self, outcome: Any) -> None:
        self.outcome = outcome


class _Given(Answers):
    """Answers to the first requests of a run; the run ends at the next request or the settled outcome."""

    def __init__(self, given: tuple[Any, ...]) -> None:
        super().__init__()
        self.left = list(reversed(given))

    def roll_faces(self, roll: Roll) -> Faces:
        """Return the given faces for a roll."""
        faces: Faces = self._next(roll)
        return faces

    def call(self, request: Call, done: Resolution) -> Any:
        """Return the given result of a callee."""
        del done
        return self._next(request)

    def settle(self, outcome: Any) -> None:
        """End the run at the outcome."""
        raise _SettledError(outcome)

    def _next(self, request: Roll | Call) -> Any:
        if not self.left:
            raise _NextRequestError(request)
        return self.left.pop()


class Sampler:
    """Samples of acts in one scene, which share the runs of equal procedures with equal answers."""

    def __init__(self, scene: Scene, seed: int, takes_outcome_arguments: bool) -> None:
        self.scene = scene
        self.takes_outcome_arguments = takes_outcome_arguments
        self.chance = random.Random(seed)  # noqa: S311 - repeatable; dice at a table come from secrets
        self.known: dict[Any, tuple[Roll | Call | None, Any]] = {}

    @property
    def runs(self) -> int:
        """The number of runs of procedures so far."""
        return len(self.known)

    def tally(self, procedure: Procedure, arguments: Sequence[Any], times: int) -> Counter[Any]:
        """Return the count of each result of an act over `times` resolutions."""

        def run(answers: Answers) -> Any:
            return resolve(self.scene, procedure, arguments, answers).result

        return self._tally(run, times, (procedure, "the act"))

    def _tally(self, resolve: Callable[[Answers], Any], times: int, key: Any) -> Counter[Any]:
        """Return the count of each result; `key` identifies the procedure and its arguments."""
        results: Counter[Any] = Counter()
        unresolved: list[tuple[tuple[Any, ...], int]] = [((), times)]
        while unresolved:
            checkpoint()
            given, count = unresolved.pop()
            request, result = self._run(resolve, given, key)
            if request is None:
                results[result] += count
            else:
                answers = self._answers(request, count)
                unresolved += [((*given, answer), share) for answer, share in answers.items()]
        return results

    def _run(self, resolve: Callable[[Answers], Any], given: tuple[Any, ...], key: Any) -> Any:
        if (key, given) not in self.known:
            try:
                self.known[key, given] = (None, resolve(_Given(given)))
            except _NextRequestError as next_one:
                self.known[key, given] = (next_one.request, None)
            except _SettledError as settled:
                self.known[key, given] = (None, settled.outcome)
        return self.known[key, given]

    def _answers(self, request: Roll | Call, times: int) -> Counter[Any]:
        if isinstance(request, Roll):
            return _throws(self.chance, request.die, request.number, times)

        if self.takes_outcome_arguments and request.outcome_arguments is not None:
            request = request._replace(arguments=request.outcome_arguments)

        def resolve(answers: Answers) -> Any:
            return Answers.call(answers, request, Resolution(self.scene))

        return self._tally(resolve, times, (request.procedure, request.arguments))


def _throws(chance: random.Random, die: Die, number: int, times: int) -> Counter[Faces]:
    """Return the count of each multiset of faces over `times` throws of `number` dice."""
    if not number:
        return Counter({(): times})
    faces = chance.choices(die.faces, k=number * times)
    return Counter(in_die_order(die, faces[i : i + number]) for i in range(0, number * times, number))
