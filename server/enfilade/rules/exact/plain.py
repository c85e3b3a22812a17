"""The walk over a plain act: its procedure runs again for each sequence of random answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from enfilade.rules.changes import step_change
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
)
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
    """The scene and the events of one run of an act's procedure.

    `known` holds what an earlier run was answered after the same random answers, and receives the rest.
    """

    scene: Scene
    known: list[Scene | None]
    number: int = 0
    events: list[AnyEvent] = field(default_factory=list)

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

    def weighed(self, start: Callable[[], Steps]) -> Weighed:
        """Return the weight of each result; `start` creates the procedure anew.

        Raises UsesEachError, BudgetSpentError and what the procedure raises.
        """
        found = self._found
        branches: list[tuple[tuple[Any, ...], int, int]] = [((), 1, 1)]
        while branches:
            given, weight, total = branches.pop()
            request, result = self._run(start(), given)
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
            else:
                branches += [((*given, answer), weight * share, total * out_of) for answer, share in answers]
        return merge_equal(found)

    def _run(self, steps: Steps, given: tuple[Any, ...]) -> tuple[Any, Any]:
        """Run the act to the first request beyond those given; return (request, None) or (None, result)."""
        checkpoint()
        callees = self.callees
        callees.charge(0, runs=1)
        so_far, used = _SoFar(self.scene, self._known(())), 0
        answer: Any = None
        while True:
            callees.take()
            try:
                request: Any = steps.send(answer)
            except StopIteration as end:
                self._declare(so_far)
                return None, end.value
            kind = type(request)
            if kind in DECISIONS:
                answer = default_answer(request)
            elif kind in CHANCES:
                self._declare(so_far)
                if used == len(given):
                    return request, None
                answer, used = given[used], used + 1
                so_far.go_on(self._known(given[:used]))
            elif kind is Settled:
                self._declare(so_far)
                return None, request.outcome
            elif kind is Each or kind is Rest:
                raise UsesEachError
            else:
                answer = so_far.answer(request)

    def _known(self, given: tuple[Any, ...]) -> list[Scene | None]:
        """Return the list of answers after some random answers, one for each of the first few starts."""
        if len(self._answered) >= MAX_STARTS and given not in self._answered:
            return []
        return self._answered.setdefault(given, [])

    def _declare(self, so_far: _SoFar) -> None:
        if self.declared is None:
            self.declared = list(so_far.events)
