"""The walk over a plain act: its procedure runs again for each sequence of random answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from enfilade.rules.exact.callees import CHANCES, DECISIONS, Callees, default_answer
from enfilade.rules.exact.distributions import Weighed, merge_equal
from enfilade.rules.procedures import (
    Change,
    Each,
    ProcedureError,
    Require,
    Rest,
    Settled,
    Step,
    Steps,
    TailCall,
    step_change,
)
from enfilade.rules.resolve import BegunRun
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.apply import fold
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene

MAX_STARTS = 64
"""The number of starts of runs whose scenes one walk remembers."""


class UsesEachError(Exception):
    """An act has asked for `Each` or `Rest`, which this walk cannot answer."""


@dataclass
class _SoFar:
    """One run of an act's procedure: the scene, the events, and the requests that it has made.

    `known` holds what an earlier run was answered after the same random answers, and receives the rest.
    `pending` is a request that was made before the walk.
    """

    steps: Steps
    scene: Scene
    known: list[Scene | None]
    requests: int = 0
    pending: Any = None
    number: int = 0
    is_waiting: bool = False
    events: list[AnyEvent] = field(default_factory=list)

    def send(self, answer: Any) -> Any:
        """Return the next request. Raises StopIteration at the end."""
        self.requests += 1
        if self.pending is None:
            return self.steps.send(answer)
        request, self.pending = self.pending, None
        return request

    def answer(self, request: Any) -> Scene | None:
        """Return the answer to a change or to a check. Raises what the check raises."""
        if self.number == len(self.known):
            self.known.append(self._new_answer(request))
        found = self.known[self.number]
        self.number += 1
        self.scene = found or self.scene
        return found

    def _new_answer(self, request: Any) -> Scene | None:
        if isinstance(request, Step):
            request = step_change(self.scene, request)
        if isinstance(request, Change):
            self.events.append(request.event)
            return fold(self.scene, request.event)
        if isinstance(request, Each | Rest):
            raise UsesEachError
        if not isinstance(request, Require):
            raise ProcedureError(f"A procedure asked for {request!r}.")
        request.check(*request.arguments)
        return None

    def go_on(self, known: list[Scene | None]) -> None:
        """Continue after a random answer, with what an earlier run was answered from there on."""
        self.known, self.number = known, 0


class PlainWalk:
    """One walk over all answers of an act's procedure; `declared` are the events before the first roll."""

    def __init__(self, scene: Scene, callees: Callees) -> None:
        self.scene, self.callees = scene, callees
        self.declared: list[AnyEvent] | None = None
        self._found: dict[int, dict[Any, int]] = {}
        # What the act's procedure was answered after each start of its random answers. A procedure is pure:
        # a run that begins like an earlier one gets the same scenes, and so what is cached for them.
        self._answered: dict[tuple[Any, ...], list[Scene | None]] = {}

    def known(self) -> dict[Any, Fraction]:
        """Return the least chance of each result: what was worked out before the walk was broken off."""
        known: dict[Any, Fraction] = {}
        for total, results in self._found.items():
            for result, weight in results.items():
                known[result] = known.get(result, Fraction(0)) + Fraction(weight, total)
        return known

    def weighed(self, start: Callable[[], Steps], begun: BegunRun | None = None) -> Weighed:
        """Return the weight of each result; `start` creates the procedure anew.

        `begun` is a run that has passed its checks. Raises UsesEachError, BudgetSpentError and what the
        procedure raises.
        """
        found = self._found
        first = None if begun is None else self._of_begun(begun)
        branches: list[tuple[tuple[Any, ...], int, int, _SoFar | None]] = [((), 1, 1, first)]
        while branches:
            given, weight, total, waiting = branches.pop()
            run = waiting or _SoFar(start(), self.scene, self._known(()))
            request, result = self._run(run, given)
            if request is None:
                known = found.setdefault(total, {})
                known[result] = known.get(result, 0) + weight
                continue
            answers, out_of = self.callees.answers(request)
            self.callees.charge(0, widest=len(answers))
            if type(request) is TailCall:
                known = found.setdefault(total * out_of, {})
                for answer, share in answers:
                    known[answer] = known.get(answer, 0) + weight * share
                continue
            # The run that waits takes the answer that comes next; each other answer starts anew.
            last = len(answers) - 1
            branches += [
                ((*given, answer), weight * share, total * out_of, run if place == last else None)
                for place, (answer, share) in enumerate(answers)
            ]
        return merge_equal(found)

    def _of_begun(self, begun: BegunRun) -> _SoFar:
        """Return the run of an act whose checks were made before, with what they were answered."""
        known = self._known(())
        known += [None] * begun.checks
        return _SoFar(begun.steps, self.scene, known, begun.checks, begun.request, begun.checks)

    def _run(self, run: _SoFar, given: tuple[Any, ...]) -> tuple[Any, Any]:
        """Run the act to the first request beyond those given; return (request, None) or (None, result).

        A run that waits for the last answer costs as much as one that starts anew.
        """
        checkpoint()
        callees = self.callees
        callees.charge(run.requests, runs=1)
        used, answer = 0, None
        if run.is_waiting:
            used, answer = len(given), given[-1]
            run.go_on(self._known(given))
        while True:
            callees.take()
            try:
                request: Any = run.send(answer)
            except StopIteration as end:
                self._declare(run)
                return None, end.value
            kind = type(request)
            if kind in DECISIONS:
                answer = default_answer(request)
            elif kind in CHANCES:
                self._declare(run)
                if used == len(given):
                    run.is_waiting = True
                    return request, None
                answer, used = given[used], used + 1
                run.go_on(self._known(given[:used]))
            elif kind is Settled:
                self._declare(run)
                return None, request.outcome
            else:
                answer = run.answer(request)

    def _known(self, given: tuple[Any, ...]) -> list[Scene | None]:
        """Return the list of answers after some random answers, one for each of the first few starts."""
        if len(self._answered) >= MAX_STARTS and given not in self._answered:
            return []
        return self._answered.setdefault(given, [])

    def _declare(self, so_far: _SoFar) -> None:
        if self.declared is None:
            self.declared = list(so_far.events)
