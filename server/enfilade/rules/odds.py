"""The exact odds of a procedure: every outcome with its chance as a fraction.

Every way the dice can fall is walked by running the procedure again with the faces so far; a roll of many
dice is counted as a multiset with its multinomial weight, and a procedure called by `Do` is worked out
once for its arguments, equal results merged. Choices take their defaults. Because it is the procedure
itself that runs, a preview cannot drift from what is resolved.

Beyond the budget of runs the odds are sampled with a fixed generator, and say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import factorial
from typing import Any

from enfilade.rules.dice import Die, Faces, SeededDice
from enfilade.rules.performing import Answers, perform
from enfilade.rules.procedures import Change, Choose, Do, Procedure, Roll, Steps
from enfilade.scene.events import AnyEvent
from enfilade.scene.fold import fold
from enfilade.scene.model import Scene

BUDGET = 20_000
"""How often the procedures may be run for exact odds."""

SAMPLES = 4_000
SAMPLE_SEED = 20_131_115

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
        chances, is_exact = walk.distribution(procedure, (scene, *arguments)), True
    except _BudgetSpentError:
        chances, is_exact = _sampled(scene, procedure, arguments), False
    return Odds(chances, tuple(walk.declared or ()), is_exact)


def _sampled(scene: Scene, procedure: Procedure, arguments: Sequence[Any]) -> Distribution:
    dice = SeededDice(SAMPLE_SEED)
    tally = Counter(perform(scene, procedure, arguments, Answers(dice=dice)).result for _ in range(SAMPLES))
    return {result: Fraction(count, SAMPLES) for result, count in tally.items()}


class _Walk:
    """One walk through every way a procedure can go."""

    def __init__(self, scene: Scene, budget: int) -> None:
        self.scene = scene
        self.left = budget
        self.known: dict[tuple[Procedure, tuple[Any, ...]], Distribution] = {}
        self.declared: list[AnyEvent] | None = None

    def distribution(self, procedure: Procedure, arguments: tuple[Any, ...]) -> Distribution:
        chances: Distribution = {}
        ways: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
        while ways:
            given, chance = ways.pop()
            request, result = self._run(procedure(*arguments), given)
            if request is None:
                chances[result] = chances.get(result, Fraction(0)) + chance
            else:
                ways.extend(((*given, answer), chance * p) for answer, p in self._answers(request))
        return chances

    def _run(self, steps: Steps, given: tuple[Any, ...]) -> tuple[Roll | Do | None, Any]:
        """Runs on to the first request that is not among those given; (request, None) or (None, result)."""
        if not self.left:
            raise _BudgetSpentError
        self.left -= 1
        scene, answers = self.scene, iter(given)
        said: list[AnyEvent] = []
        answer: Any = None
        while True:
            try:
                request = steps.send(answer)
            except StopIteration as end:
                self._declare(said)
                return None, end.value
            if isinstance(request, Change):
                said.append(request.event)
                answer = scene = fold(scene, request.event)
            elif isinstance(request, Choose):
                answer = request.default
            else:
                self._declare(said)
                answer = next(answers, _NOTHING)
                if answer is _NOTHING:
                    return request, None

    def _declare(self, said: list[AnyEvent]) -> None:
        if self.declared is None:
            self.declared = list(said)

    def _answers(self, request: Roll | Do) -> Iterator[tuple[Any, Fraction]]:
        if isinstance(request, Roll):
            return iter(falls(request.die, request.number))
        key = (request.procedure, request.arguments)
        if key not in self.known:
            self.known[key] = self.distribution(*key)
        return iter(self.known[key].items())


_NOTHING = object()


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
