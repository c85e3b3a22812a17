"""The weighed answers to random requests, and what they cost.

The distribution of a callee is worked out once for its arguments, with equal results merged, and kept. What
is kept saves time but no budget: it is charged as if the walk had worked it out, once. Otherwise an answer
would depend on earlier questions, and so would tell a player about questions of seats that know more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import factorial, gcd, lcm
from typing import Any

from enfilade.rules.allocations import complete_split
from enfilade.rules.dice import Die, Faces
from enfilade.rules.procedures import (
    Allocate,
    Call,
    CallEach,
    Choose,
    ChooseAll,
    Procedure,
    ProcedureError,
    Roll,
    Steps,
    TailCall,
)
from enfilade.rules.resolve import check_callee_request, check_default
from enfilade.runtime.lazy import lazy
from enfilade.runtime.time_budget import checkpoint

Weighed = tuple[tuple[tuple[Any, int], ...], int]
"""Results with integer weights, and the sum of all weights: faster to multiply than fractions."""


def merge_equal(found: dict[int, dict[Any, int]]) -> Weighed:
    """Bring weights with different sums to one common sum, as small as possible."""
    total = lcm(*found)
    merged: dict[Any, int] = {}
    for out_of, results in found.items():
        for result, weight in results.items():
            merged[result] = merged.get(result, 0) + weight * (total // out_of)
    shared = gcd(total, *merged.values())
    return tuple((result, weight // shared) for result, weight in merged.items()), total // shared


def read_results(weighed: Weighed, read: Callable[[Any], Any]) -> Weighed:
    """Return the distribution of what a pure function reads from results."""
    results, total = weighed
    merged: dict[Any, int] = {}
    for result, weight in results:
        reading = read(result)
        merged[reading] = merged.get(reading, 0) + weight
    return tuple(merged.items()), total


@lru_cache(maxsize=256)
def weighed_faces(die: Die, count: int) -> Weighed:
    """Return each multiset of faces of `count` dice, in the order of the die."""
    kinds = tuple(Counter(die.faces).items())
    branches = tuple((faces, int(share * factorial(count))) for faces, share in _spread(kinds, count))
    return branches, len(die.faces) ** count


@lru_cache(maxsize=256)
def weighed_readings(die: Die, count: int, read: Callable[[Faces], Any]) -> Weighed:
    """Return what a function reads from the faces of `count` dice."""
    if read is sum and all(isinstance(face, int) for face in die.faces):
        return _sums(die, count)
    return merge_equal({len(die.faces) ** count: dict(read_results(weighed_faces(die, count), read)[0])})


def _sums(die: Die, count: int) -> Weighed:
    # One die after the other: 20d6 have 101 sums, but 53,130 multisets.
    sums: dict[Any, int] = {0: 1}
    for _ in range(count):
        more: dict[Any, int] = {}
        for total, weight in sums.items():
            for face in die.faces:
                more[total + face] = more.get(total + face, 0) + weight
        sums = more
    return merge_equal({len(die.faces) ** count: sums})


def _spread(kinds: tuple[tuple[Any, int], ...], count: int) -> Iterator[tuple[Faces, Fraction]]:
    (face, copies), rest = kinds[0], kinds[1:]
    for n in range(count + 1) if rest else (count,):
        share = Fraction(copies**n, factorial(n))
        for faces, more in _spread(rest, count - n) if rest else (((), Fraction(1)),):
            yield (face,) * n + faces, share * more


MAX_KEPT = 4_096
"""The number of kept distributions at which the next walk starts with none."""

_SUMS = 12
"""The number of combined results that cost as much of the budget as one request."""

DECISIONS = frozenset((Choose, ChooseAll, Allocate))
CHANCES = frozenset((Roll, Call, CallEach, TailCall))


class BudgetSpentError(Exception):
    """The exact odds of an act cost more requests than it has."""


@dataclass(eq=False)
class Computation:
    """The results of a procedure and its cost: its own requests and runs, and the computations that it used.

    `found` is the distribution of a callee, or what a part of an act led to.
    """

    found: Any = ((), 1)
    requests: int = 0
    runs: int = 0
    widest: int = 0
    used: set[Computation] = field(default_factory=set)

    @lazy
    def whole(self) -> Whole:
        """Return what it costs with all that it used; ask only when it is done."""
        parts, unpaid = set[Computation](), [self]
        while unpaid:
            one = unpaid.pop()
            if one not in parts:
                parts.add(one)
                unpaid += one.used
        return Whole(parts)


class Whole:
    """A computation with all that it used, each once: their cost together."""

    def __init__(self, parts: Collection[Computation]) -> None:
        self.parts = parts
        requests = runs = widest = 0
        for one in parts:
            requests += one.requests
            runs += one.runs
            if one.widest > widest:
                widest = one.widest
        self.cost = requests, runs, widest


KeptCallees = dict[tuple[Procedure, tuple[Any, ...]], Computation]
_kept: KeptCallees = {}


def kept_callees() -> KeptCallees:
    """Return the kept callees for a new walk; a running walk keeps its own when a later walk starts over."""
    global _kept
    if len(_kept) >= MAX_KEPT:
        _kept = {}
    return _kept


def forget_callees() -> None:
    """Keep nothing from earlier walks."""
    global _kept
    _kept = {}


class Callees:
    """The answers to the random requests of one walk, within a budget of requests.

    `runs` and `widest` count the runs of acts and their parts, and the most answers of one of their requests.
    """

    def __init__(self, budget: int, kept: KeptCallees, paid: set[Computation]) -> None:
        """`paid` are the computations that the acts of the answer have paid so far."""
        self.left = budget
        self.runs = self.widest = 0
        self.current = Computation()
        self.paid = paid
        self._kept = kept

    def take(self) -> None:
        """Charge one request. Raises BudgetSpentError."""
        self.current.requests += 1
        self.left -= 1
        if self.left < 0:
            raise BudgetSpentError

    def charge(self, requests: int, runs: int = 0, widest: int = 0) -> None:
        """Charge the computation that runs now. Raises BudgetSpentError."""
        current = self.current
        current.requests += requests
        current.runs += runs
        current.widest = max(current.widest, widest)
        self._spend(requests, runs, widest)

    def _spend(self, requests: int, runs: int, widest: int) -> None:
        self.left -= requests
        self.runs += runs
        self.widest = max(self.widest, widest)
        if self.left < 0:
            raise BudgetSpentError

    @contextmanager
    def computing(self) -> Iterator[Computation]:
        """Charge a computation of its own inside; the one outside has used what it used."""
        outer, self.current = self.current, Computation()
        mine = self.current
        try:
            yield mine
        finally:
            self.current = outer

    def use(self, known: Computation) -> None:
        """Use what is known, and pay for it and what it used, each once. Raises BudgetSpentError."""
        self.current.used.add(known)
        if known in self.paid:
            return
        if known.used <= self.paid:  # and so is all that these used
            self.paid.add(known)
            self._spend(known.requests, known.runs, known.widest)
            return
        whole = known.whole
        if not self.paid.isdisjoint(whole.parts):
            whole = Whole(set(whole.parts) - self.paid)
        self.paid.update(whole.parts)
        self._spend(*whole.cost)

    def add(self, mine: Computation, is_kept: bool) -> None:
        """Use what was worked out and paid here; what is not kept is part of what runs now."""
        if is_kept:
            self.paid.add(mine)
            self.current.used.add(mine)
            return
        self.current.requests += mine.requests
        self.current.runs += mine.runs
        self.current.widest = max(self.current.widest, mine.widest)
        self.current.used |= mine.used

    def answers(self, request: Roll | Call | CallEach | TailCall) -> Weighed:
        """Return the weighed answers to a request. Raises ProcedureError, and what callees raise."""
        if isinstance(request, Roll):
            if request.read is None:
                return weighed_faces(request.die, request.number)
            return weighed_readings(request.die, request.number, request.read)
        if isinstance(request, CallEach):
            return self._combined(request)
        if isinstance(request, TailCall):
            return self._called(request.procedure, request.arguments)
        shorter = request.outcome_arguments
        found = self._called(request.procedure, request.arguments if shorter is None else shorter)
        return found if request.read is None else read_results(found, request.read)

    def _combined(self, request: CallEach) -> Weighed:
        """Return the combined results of independent callees, with equal ones merged after each."""
        totals, out_of = {request.start: 1}, 1
        for call in request.calls:
            checkpoint()
            results, share = self.answers(call)
            self.charge(1 + len(totals) * len(results) // _SUMS)
            merged: dict[Any, int] = {}
            for total, weight in totals.items():
                for result, chance in results:
                    combined = request.add(total, result)
                    merged[combined] = merged.get(combined, 0) + weight * chance
            totals, out_of = merged, out_of * share
        return merge_equal({out_of: totals})

    def _called(self, procedure: Procedure, arguments: tuple[Any, ...]) -> Weighed:
        try:
            known = self._kept.get((procedure, arguments))
        except TypeError:
            raise ProcedureError(f"{procedure.__name__} is called by Call with {arguments!r}.") from None
        if known is None:
            with self.computing() as mine:
                mine.found = self._weighed(lambda: procedure(*arguments))
            # Another walk may have come first while this one let others go on.
            known = self._kept.setdefault((procedure, arguments), mine)
            self.add(known, is_kept=True)
        else:
            self.use(known)
        found: Weighed = known.found
        return found

    def _weighed(self, start: Callable[[], Steps]) -> Weighed:
        found: dict[int, dict[Any, int]] = {}
        branches: list[tuple[tuple[Any, ...], int, int]] = [((), 1, 1)]
        while branches:
            given, weight, total = branches.pop()
            request, result = self._run(start(), given)
            if request is None:
                known = found.setdefault(total, {})
                known[result] = known.get(result, 0) + weight
                continue
            answers, out_of = self.answers(request)
            if type(request) is TailCall:
                known = found.setdefault(total * out_of, {})
                for answer, share in answers:
                    known[answer] = known.get(answer, 0) + weight * share
            else:
                branches += [((*given, answer), weight * share, total * out_of) for answer, share in answers]
        return merge_equal(found)

    def _run(self, steps: Steps, given: tuple[Any, ...]) -> tuple[Any, Any]:
        """Run a callee to the first request beyond those given; return (request, None) or (None, result).

        A callee changes no scene. Odds are made of thousands of such runs.
        """
        checkpoint()
        used, current, answer = 0, self.current, None
        while True:
            current.requests += 1
            self.left -= 1
            if self.left < 0:
                raise BudgetSpentError
            try:
                request: Any = steps.send(answer)
            except StopIteration as end:
                return None, end.value
            kind = type(request)
            if kind in CHANCES:
                if used == len(given):
                    return request, None
                answer, used = given[used], used + 1
            elif kind in DECISIONS:
                answer = default_answer(request)
            else:
                answer = check_callee_request(request, steps)


def default_answer(request: Choose | ChooseAll | Allocate) -> Any:
    """Return the default answer to a decision, which odds take."""
    if isinstance(request, Choose):
        return request.default
    if isinstance(request, ChooseAll):
        return tuple(choice.default for choice in request.choices)
    check_default(request)
    return complete_split(request, request.default)
