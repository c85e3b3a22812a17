"""The exact odds of a procedure: every outcome with its chance as a fraction.

Every way the dice can fall is walked by running the procedure again with the faces so far; a roll of many
dice is counted as a multiset with its multinomial weight. A procedure called by `Do` is worked out once for
its arguments, equal results merged, and remembered: it sees nothing but its arguments. Choices take their
defaults. Because it is the procedure itself that runs, a preview cannot drift from what is resolved.

Beyond the budget of runs the odds are sampled with a fixed generator, and say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import factorial
from typing import Any

from enfilade.rules.dice import Die, Faces
from enfilade.rules.performing import without_changes
from enfilade.rules.procedures import (
    Change,
    Choose,
    Do,
    Must,
    Procedure,
    ProcedureError,
    Roll,
    Settled,
    Steps,
)
from enfilade.rules.sampling import sample
from enfilade.scene.events import AnyEvent
from enfilade.scene.fold import fold
from enfilade.scene.model import Scene

BUDGET = 20_000
"""How often the procedures may be run for exact odds."""

SAMPLES = 4_000
SAMPLE_SEED = 20_131_115

MOST_REMEMBERED = 4_096
"""How many distributions of called procedures are remembered before starting over."""

Distribution = dict[Any, Fraction]


@dataclass(frozen=True)
class Odds:
    """The chance of every result; `declared` is what the procedure said before the first die."""

    chances: Distribution
    declared: tuple[AnyEvent, ...]
    is_exact: bool = True

    def chance(self, *results: str) -> Fraction:
        """The chance that the outcome's result is one of these words."""
        return sum((p for o, p in self.chances.items() if o.result in results), Fraction(0))


class _BudgetSpentError(Exception):
    pass


def odds(scene: Scene, procedure: Procedure, arguments: Sequence[Any], budget: int = BUDGET) -> Odds:
    """The odds of an act's procedure; raises what the procedure raises before its first roll."""
    walk = _Walk(scene, budget)
    try:
        chances, is_exact = walk.distribution(lambda: procedure(scene, *arguments)), True
    except _BudgetSpentError:
        chances, is_exact = _sampled(scene, procedure, arguments), False
    return Odds(chances, tuple(walk.declared or ()), is_exact)


def _sampled(scene: Scene, procedure: Procedure, arguments: Sequence[Any]) -> Distribution:
    tally = sample(scene, procedure, arguments, SAMPLES, SAMPLE_SEED)
    return {result: Fraction(count, SAMPLES) for result, count in tally.items()}


_remembered: dict[tuple[Procedure, tuple[Any, ...]], Distribution] = {}


class _Walk:
    """One walk through every way a procedure can go."""

    def __init__(self, scene: Scene, budget: int) -> None:
        self.scene = scene
        self.left = budget
        self.declared: list[AnyEvent] | None = None

    def distribution(self, start: Callable[[], Steps]) -> Distribution:
        """The chance of every result of a procedure that `start` begins anew."""
        chances: Distribution = {}
        ways: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
        while ways:
            given, chance = ways.pop()
            request, result = self._run(start(), given)
            if request is None:
                chances[result] = chances.get(result, 0) + chance
            else:
                ways.extend(((*given, answer), chance * p) for answer, p in self._answers(request))
        return chances

    def _run(self, steps: Steps, given: tuple[Any, ...]) -> tuple[Roll | Do | None, Any]:
        """Runs on to the first request that is not among those given; (request, None) or (None, result)."""
        if not self.left:
            raise _BudgetSpentError
        self.left -= 1
        scene, used = self.scene, 0
        said: list[AnyEvent] = []
        answer: Any = None
        while True:
            try:
                request = steps.send(answer)
            except StopIteration as end:
                self._declare(said)
                return None, end.value
            if isinstance(request, Roll | Do):
                self._declare(said)
                if used == len(given):
                    return request, None
                answer, used = given[used], used + 1
            elif isinstance(request, Change):
                said.append(request.event)
                answer = scene = fold(scene, request.event)
            elif isinstance(request, Settled):
                self._declare(said)
                return None, request.outcome
            else:
                answer = _without_dice(request)

    def _declare(self, said: list[AnyEvent]) -> None:
        if self.declared is None:
            self.declared = list(said)

    def _answers(self, request: Roll | Do) -> Iterator[tuple[Any, Fraction]]:
        if isinstance(request, Roll):
            return iter(falls(request.die, request.number))
        return iter(self._called(request.procedure, request.arguments).items())

    def _called(self, procedure: Procedure, arguments: tuple[Any, ...]) -> Distribution:
        key = (procedure, arguments)
        try:
            known = _remembered.get(key)
        except TypeError:
            raise ProcedureError(f"{procedure.__name__} is called by Do with {arguments!r}.") from None
        if known is None:
            known = self.distribution(lambda: without_changes(procedure, arguments))
            if len(_remembered) >= MOST_REMEMBERED:
                _remembered.clear()
            _remembered[key] = known
        return known


def _without_dice(request: Any) -> Any:
    if isinstance(request, Choose):
        return request.default
    if isinstance(request, Must):
        return request.check(*request.arguments)
    raise ProcedureError(f"A procedure asked for {request!r}.")


@lru_cache(maxsize=256)
def falls(die: Die, count: int) -> tuple[tuple[Faces, Fraction], ...]:
    """Every way so many dice can fall, as a multiset of faces in the die's order, with its chance."""
    kinds = tuple(Counter(die.faces).items())
    ways = _spread(kinds, count)
    weight = Fraction(factorial(count), len(die.faces) ** count)
    return tuple((faces, weight * share) for faces, share in ways)


def _spread(kinds: tuple[tuple[Any, int], ...], count: int) -> Iterator[tuple[Faces, Fraction]]:
    (face, copies), rest = kinds[0], kinds[1:]
    for n in range(count + 1) if rest else (count,):
        share = Fraction(copies**n, factorial(n))
        for faces, more in _spread(rest, count - n) if rest else (((), Fraction(1)),):
            yield (face,) * n + faces, share * more
