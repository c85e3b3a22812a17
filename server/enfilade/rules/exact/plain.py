"""Walks over an act on the plain scene: again for each sequence of random answers, or once up to its `Rest`.

An act that checks, explains and pays, and then continues as a `Rest`, has the odds of that rest. If an
earlier walk has kept them, no watched scene is needed: most acts of a map differ in nothing else. An act with
`Each` or `Rest` is walked here once these are expanded to the loop and the continuation that they stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from enfilade.rules.exact.callees import CHANCES, DECISIONS, Callees, Weighed, default_answer, merge_equal
from enfilade.rules.procedures import (
    Call,
    Change,
    Each,
    Procedure,
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


class Reached(NamedTuple):
    """The `Rest` of an act, with the scene before it, the events until then, and the requests made."""

    rest: Rest
    scene: Scene
    events: list[AnyEvent]
    asked: int


def run_to_rest(scene: Scene, steps: Steps, begun: BegunRun | None = None) -> Reached | None:
    """Return where a run comes to its `Rest`; None if it asks for dice, for `Each` or for anything else.

    `begun` is the run itself, after its checks. Raises what the procedure raises.
    """
    checkpoint()
    events: list[AnyEvent] = []
    answer: Any = None
    request: Any = next(steps) if begun is None else begun.request
    asked = 1 if begun is None else begun.checks + 1
    while True:
        kind = type(request)
        if kind is Rest:
            steps.close()
            return Reached(request, scene, events, asked)
        if kind is Step:
            request = step_change(scene, request)
            kind = Change
        if kind is Change:
            events.append(request.event)
            answer = scene = fold(scene, request.event)
        elif kind is Require:
            request.check(*request.arguments)
            answer = None
        elif kind in DECISIONS:
            answer = default_answer(request)
        else:
            steps.close()
            return None
        request = steps.send(answer)
        asked += 1


class ExpandError(Exception):
    """A procedure did what the watch cannot follow: its odds are those of the expanded loop."""


def expanded_act(procedure: Procedure) -> Procedure:
    """Return the procedure of an act without `Each` and `Rest`; its odds are the same, worked out slowly."""

    def act(scene: Scene, *arguments: Any) -> Steps:
        return (yield from _expanded(procedure(scene, *arguments), scene))[0]

    return act


def _expanded(steps: Steps, scene: Scene) -> Steps:
    """Yield the other requests of a procedure; return its result and the scene after it."""
    answer: Any = None
    while True:
        try:
            request = steps.send(answer)
        except StopIteration as end:
            return end.value, scene
        if isinstance(request, Each):
            combined = request.start
            for item in request.items:
                part = request.procedure(scene, item, *request.arguments)
                result, scene = yield from _expanded(part, scene)
                combined = combined if request.add is None else request.add(combined, result)
            answer = scene, combined
        elif isinstance(request, Rest):
            steps.close()
            return (yield from _expanded(request.procedure(scene, *request.arguments), scene))
        elif isinstance(request, TailCall):
            steps.close()
            return (yield Call(request.procedure, request.arguments)), scene
        else:
            answer = yield request
            scene = answer if isinstance(request, Change | Step) else scene
