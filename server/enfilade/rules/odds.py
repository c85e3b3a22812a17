"""Exact odds of a procedure: every outcome with its probability as a fraction.

The walk runs the procedure again for each sequence of answers. A roll of many dice is a multiset with its
multinomial weight. The distribution of a callee is computed once for its arguments, with equal results
merged, and cached. Choices take their defaults. A preview cannot drift from the resolution, because the same
procedure runs.

Over the budget the odds are sampled with a fixed seed and marked as not exact. The cache saves time but no
budget. Otherwise an answer would depend on earlier questions, and so would tell a player about questions of
seats that know more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import factorial, gcd, lcm, sqrt
from typing import Any, NamedTuple

from enfilade.errors import TooSlow
from enfilade.rules.allocations import complete_split
from enfilade.rules.changes import step_change
from enfilade.rules.dice import Die, Faces
from enfilade.rules.each import EachWalk, chances, expanded_act
from enfilade.rules.procedures import (
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
from enfilade.rules.resolve import check_callee_request, check_default
from enfilade.rules.sampling import Sampler
from enfilade.rules.worlds import Memory
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.apply import fold
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene

BUDGET = 60_000
"""The number of requests that the exact odds of one act may answer; each run starts with one request.

That is about half a second. The costliest common acts need up to 35,000: a large miniature of Torn sweeps a
Hexon of seven miniatures with ten dice, and each of them strikes back.
"""

AFTER_FAILURE = 10_000
"""The requests that are left to the acts of one answer after one of them was too costly for exact odds."""

SAMPLES = 4_000
SAMPLE_RUNS = 8_000
"""The runs of procedures that the samples of one answer may take; half of those left for each act."""
SAMPLE_BATCH = 50
SAMPLE_SEED = 20_131_115

MAX_CACHED = 4_096
"""The number of cached distributions of callees at which the next walk starts an empty cache."""

_SUMS = 12
"""The number of combined results that cost as much of the budget as one request."""

MAX_STARTS = 64
"""The number of starts of runs whose scenes one walk remembers."""

Distribution = dict[Any, Fraction]

Weighed = tuple[tuple[tuple[Any, int], ...], int]
"""Results with integer weights, and the sum of all weights: faster to multiply than fractions."""


class Cost(NamedTuple):
    """What the odds of one act cost: the same on each machine, and whatever is cached.

    `runs` are those of the act and its parts, `requests` all that they and their callees made, `widest` the
    most answers of one request of the act or its parts.
    """

    runs: int
    requests: int
    widest: int


@dataclass(frozen=True)
class Odds:
    """The probability of each result; `declared` holds the events before the first roll.

    Odds that are not exact were counted in `samples` resolutions.
    """

    chances: Distribution
    declared: tuple[AnyEvent, ...]
    samples: int = 0
    cost: Cost = Cost(0, 0, 0)

    @property
    def is_exact(self) -> bool:
        """Return whether each outcome was counted, and none sampled."""
        return not self.samples

    @property
    def margin(self) -> float:
        """Return a bound of the error of each probability: 95 of 100 samples stay below it; 0 if exact."""
        return 0.98 / sqrt(self.samples) if self.samples else 0.0

    def chance(self, *results: str) -> Fraction:
        """Return the probability that the outcome's result is one of these words."""
        return sum((p for o, p in self.chances.items() if o.result in results), Fraction(0))


class _BudgetSpentError(Exception):
    pass


class Allowance:
    """The work that the odds of one answer may cost together, such as those of all targets of an overlay.

    `requests` are left to exact odds, and `runs` to samples. A callee that several acts share is charged
    once. What is left depends on the acts alone: not on the time, and not on what is cached.
    """

    def __init__(self, requests: int = 2 * BUDGET, runs: int = SAMPLE_RUNS) -> None:
        self.requests, self.runs = requests, runs
        # One memory for all its acts: else a callee that they share might be charged twice.
        self.memory = _memory()
        self.paid: set[_Computation] = set()


def odds(
    scene: Scene,
    procedure: Procedure,
    arguments: Sequence[Any],
    budget: int = BUDGET,
    allowance: Allowance | None = None,
) -> Odds:
    """Return the odds of an act, within a budget of requests and what is left of an allowance.

    Raises what its procedure raises before the first roll.
    """
    allowance = allowance or Allowance()
    walk = _Walk(scene, min(budget, allowance.requests), allowance)
    before = walk.left
    try:
        found, samples = _exact(walk, scene, procedure, arguments), 0
        allowance.requests -= before - walk.left
    except _BudgetSpentError:
        allowance.requests = min(allowance.requests - before, AFTER_FAILURE)
        found, samples = _sampled(scene, procedure, arguments, allowance)
    return Odds(found, tuple(walk.declared or ()), samples, Cost(walk.runs, before - walk.left, walk.widest))


_with_each: set[Procedure] = set()
"""The procedures that asked for `Each`: their acts run on watched tokens from the start."""

_free: list[Memory] = []
STATS: Counter[str] = Counter()
MAX_STATES = 40_000


class _UsesEachError(Exception):
    pass


def _exact(walk: _Walk, scene: Scene, procedure: Procedure, arguments: Sequence[Any]) -> Distribution:
    budget = walk.left
    if procedure not in _with_each:
        try:
            return walk.distribution(lambda: procedure(scene, *arguments))
        except _UsesEachError:
            _with_each.add(procedure)
            walk.left, walk.declared, walk.current, walk.runs, walk.widest = (
                budget,
                None,
                _Computation(),
                0,
                0,
            )
    memory = _free.pop() if _free else Memory()
    each = EachWalk(scene, memory, walk._answers, _default_answer, walk._spend, whole=False)
    try:
        leaves = each.act(procedure, arguments)
        walk.declared, walk.runs, walk.widest = each.declared, each.total[0], each.total[2]
        return chances(leaves)
    except (_BudgetSpentError, TooSlow, ProcedureError):
        walk.declared = each.declared
        raise
    except Exception as error:  # what the watch cannot follow, or the procedure's own error: the loop tells
        STATS["expanded"] += 1
        del error
        walk.left, walk.declared, walk.current, walk.answered = budget, None, _Computation(), {}
        plain = expanded_act(procedure)
        return walk.distribution(lambda: plain(scene, *arguments))
    finally:
        STATS["runs"] += each.runs
        STATS["requests"] += each.requests
        STATS["hits"] += each.hits
        STATS["splits"] += each.splits
        STATS["acts"] += 1
        memory.watch.reads.clear()
        memory.watch.wanted = None
        memory.watch.cache.clear()
        if memory.size() < MAX_STATES:
            _free.append(memory)


def _sampled(
    scene: Scene, procedure: Procedure, arguments: Sequence[Any], allowance: Allowance
) -> tuple[Distribution, int]:
    """Return sampled odds and the number of samples: `SAMPLES`, or fewer if half of the runs are used up."""
    sampler = Sampler(scene, SAMPLE_SEED, takes_outcome_arguments=True)
    tally: Counter[Any] = Counter()
    limit = allowance.runs // 2
    while (samples := tally.total()) < SAMPLES and (not samples or sampler.runs < limit):
        tally += sampler.tally(procedure, arguments, SAMPLE_BATCH)
    allowance.runs -= min(sampler.runs, limit)
    return {result: Fraction(count, samples) for result, count in tally.items()}, samples


@dataclass(eq=False)
class _Computation:
    """The distribution of a procedure and its cost: its own requests, and the callees it used."""

    results: Weighed = ((), 1)
    requests: int = 0
    called: set[_Computation] = field(default_factory=set)


_Memory = dict[tuple[Procedure, tuple[Any, ...]], _Computation]
_cache: _Memory = {}


def _memory() -> _Memory:
    """Return the cache for a new walk; a running walk keeps its own when a later walk starts over."""
    global _cache
    if len(_cache) >= MAX_CACHED:
        _cache = {}
    return _cache


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


class _Walk:
    """One walk over all answers of a procedure."""

    def __init__(self, scene: Scene, budget: int, allowance: Allowance) -> None:
        self.scene = scene
        self.left = budget
        self.runs = self.widest = 0
        self.memory, self.paid = allowance.memory, allowance.paid
        self.declared: list[AnyEvent] | None = None
        self.current = _Computation()
        # What the act's procedure was answered after each start of its random answers. A procedure is pure:
        # a run that begins like an earlier one gets the same scenes, and so what is cached for them.
        self.answered: dict[tuple[Any, ...], list[Scene | None]] = {}

    def distribution(self, start: Callable[[], Steps]) -> Distribution:
        """Return the probability of each result; `start` creates the procedure anew."""
        results, total = self._weighed(start, is_called=False)
        return {result: Fraction(weight, total) for result, weight in results}

    def _weighed(self, start: Callable[[], Steps], is_called: bool) -> Weighed:
        found: dict[int, dict[Any, int]] = {}
        branches: list[tuple[tuple[Any, ...], int, int]] = [((), 1, 1)]
        while branches:
            given, weight, total = branches.pop()
            request, result = self._run_callee(start(), given) if is_called else self._run(start(), given)
            if request is None:
                known = found.setdefault(total, {})
                known[result] = known.get(result, 0) + weight
                continue
            answers, out_of = self._answers(request)
            if not is_called:
                self.widest = max(self.widest, len(answers))
            if type(request) is TailCall:
                known = found.setdefault(total * out_of, {})
                for answer, share in answers:
                    known[answer] = known.get(answer, 0) + weight * share
            else:
                branches += [((*given, answer), weight * share, total * out_of) for answer, share in answers]
        return _merge_equal(found)

    def _run_callee(self, steps: Steps, given: tuple[Any, ...]) -> tuple[Any, Any]:
        """Run a callee, which changes no scene, like `_run`. Odds are made of thousands of such runs."""
        checkpoint()
        used, current, answer = 0, self.current, None
        while True:
            current.requests += 1
            self._spend(1)
            try:
                request: Any = steps.send(answer)
            except StopIteration as end:
                return None, end.value
            kind = type(request)
            if kind in _HAS_CHANCES:
                if used == len(given):
                    return request, None
                answer, used = given[used], used + 1
            elif kind in _DECISIONS:
                answer = _default_answer(request)
            else:
                answer = check_callee_request(request, steps)

    def _run(self, steps: Steps, given: tuple[Any, ...]) -> tuple[Any, Any]:
        """Run an act to the first request beyond those given; return (request, None) or (None, result)."""
        checkpoint()
        self.runs += 1
        so_far, used, current = _SoFar(self.scene, self._answered(())), 0, self.current
        answer: Any = None
        while True:
            current.requests += 1
            self._spend(1)
            try:
                request: Any = steps.send(answer)
            except StopIteration as end:
                self._declare(so_far)
                return None, end.value
            kind = type(request)
            if kind in _DECISIONS:
                answer = _default_answer(request)
            elif kind in _HAS_CHANCES:
                self._declare(so_far)
                if used == len(given):
                    return request, None
                answer, used = given[used], used + 1
                so_far.go_on(self._answered(given[:used]))
            elif kind is Settled:
                self._declare(so_far)
                return None, request.outcome
            elif kind is Each or kind is Rest:
                raise _UsesEachError
            else:
                answer = so_far.answer(request)

    def _answered(self, given: tuple[Any, ...]) -> list[Scene | None]:
        """Return the list of answers after some random answers, one for each of the first few starts."""
        if len(self.answered) >= MAX_STARTS and given not in self.answered:
            return []
        return self.answered.setdefault(given, [])

    def _spend(self, requests: int) -> None:
        self.left -= requests
        if self.left < 0:
            raise _BudgetSpentError

    def _declare(self, so_far: _SoFar) -> None:
        if self.declared is None:
            self.declared = list(so_far.events)

    def _answers(self, request: Roll | Call | CallEach | TailCall) -> Weighed:
        if isinstance(request, Roll):
            if request.read is not None:
                return _read_distribution(request.die, request.number, request.read)
            return _roll_distribution(request.die, request.number)
        if isinstance(request, CallEach):
            return self._combined(request)
        if isinstance(request, TailCall):
            return self._called(request.procedure, request.arguments)
        shorter = request.outcome_arguments
        results, total = self._called(request.procedure, request.arguments if shorter is None else shorter)
        if request.read is None:
            return results, total
        merged: dict[Any, int] = {}
        for result, weight in results:
            reading = request.read(result)
            merged[reading] = merged.get(reading, 0) + weight
        return tuple(merged.items()), total

    def _combined(self, request: CallEach) -> Weighed:
        """Return the combined results of independent callees, with equal ones merged after each."""
        totals, out_of = {request.start: 1}, 1
        for call in request.calls:
            checkpoint()
            results, share = self._answers(call)
            work = 1 + len(totals) * len(results) // _SUMS
            self.current.requests += work
            self._spend(work)
            merged: dict[Any, int] = {}
            for total, weight in totals.items():
                for result, chance in results:
                    combined = request.add(total, result)
                    merged[combined] = merged.get(combined, 0) + weight * chance
            totals, out_of = merged, out_of * share
        return _merge_equal({out_of: totals})

    def _called(self, procedure: Procedure, arguments: tuple[Any, ...]) -> Weighed:
        try:
            known = self.memory.get((procedure, arguments))
        except TypeError:
            raise ProcedureError(f"{procedure.__name__} is called by Call with {arguments!r}.") from None
        if known is None:
            known = self._work_out(procedure, arguments)
        elif known not in self.paid:
            self._pay(known)
        self.current.called.add(known)
        return known.results

    def _work_out(self, procedure: Procedure, arguments: tuple[Any, ...]) -> _Computation:
        caller, self.current = self.current, _Computation()
        self.current.results = self._weighed(lambda: procedure(*arguments), is_called=True)
        # Another walk may have come first while this one let others go on.
        known = self.memory.setdefault((procedure, arguments), self.current)
        self.paid.add(known)
        self.current = caller
        return known

    def _pay(self, known: _Computation) -> None:
        """Charge the walk for a cached distribution as if it had computed it."""
        new = {known}
        while new:
            self.paid.update(new)
            self._spend(sum(one.requests for one in new))
            new = set[_Computation]().union(*(one.called for one in new)) - self.paid


_DECISIONS = frozenset((Choose, ChooseAll, Allocate))


def _default_answer(request: Choose | ChooseAll | Allocate) -> Any:
    if isinstance(request, Choose):
        return request.default
    if isinstance(request, ChooseAll):
        return tuple(choice.default for choice in request.choices)
    check_default(request)
    return complete_split(request, request.default)


_HAS_CHANCES = frozenset((Roll, Call, CallEach, TailCall))


def _merge_equal(found: dict[int, dict[Any, int]]) -> Weighed:
    """Bring weights with different sums to one common sum, as small as possible."""
    total = lcm(*found)
    merged: dict[Any, int] = {}
    for out_of, results in found.items():
        for result, weight in results.items():
            merged[result] = merged.get(result, 0) + weight * (total // out_of)
    shared = gcd(total, *merged.values())
    return tuple((result, weight // shared) for result, weight in merged.items()), total // shared


def roll_distribution(die: Die, count: int) -> tuple[tuple[Faces, Fraction], ...]:
    """Return each multiset of faces of `count` dice, in the order of the die, with its probability."""
    branches, total = _roll_distribution(die, count)
    return tuple((faces, Fraction(weight, total)) for faces, weight in branches)


@lru_cache(maxsize=256)
def _roll_distribution(die: Die, count: int) -> Weighed:
    kinds = tuple(Counter(die.faces).items())
    branches = tuple((faces, int(share * factorial(count))) for faces, share in _spread(kinds, count))
    return branches, len(die.faces) ** count


@lru_cache(maxsize=256)
def _read_distribution(die: Die, count: int, read: Callable[[Faces], Any]) -> Weighed:
    if read is sum and all(isinstance(face, int) for face in die.faces):
        sums: dict[Any, int] = {0: 1}
        for _ in range(count):  # one die after the other: 20d6 have 101 sums, but 53,130 multisets
            more: dict[Any, int] = {}
            for total, weight in sums.items():
                for face in die.faces:
                    more[total + face] = more.get(total + face, 0) + weight  # type: ignore[operator]
            sums = more
        return _merge_equal({len(die.faces) ** count: sums})
    branches, total = _roll_distribution(die, count)
    found: dict[Any, int] = {}
    for faces, weight in branches:
        value = read(faces)
        found[value] = found.get(value, 0) + weight
    return _merge_equal({total: found})


def _spread(kinds: tuple[tuple[Any, int], ...], count: int) -> Iterator[tuple[Faces, Fraction]]:
    (face, copies), rest = kinds[0], kinds[1:]
    for n in range(count + 1) if rest else (count,):
        share = Fraction(copies**n, factorial(n))
        for faces, more in _spread(rest, count - n) if rest else (((), Fraction(1)),):
            yield (face,) * n + faces, share * more
