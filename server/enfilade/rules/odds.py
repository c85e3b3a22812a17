"""Exact odds of a procedure: every outcome with its probability as a fraction.

Choices take their defaults. A preview cannot drift from the resolution, because the same procedure runs
(`enfilade.rules.exact`). Over the budget the odds are sampled with a fixed seed and marked as not exact. What
is kept saves time but no budget, so an answer does not depend on earlier questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, NamedTuple

from enfilade.errors import TooSlow
from enfilade.rules.dice import Die, Faces
from enfilade.rules.exact.aftermath import Aftermath
from enfilade.rules.exact.callees import (
    BudgetSpentError,
    Callees,
    Computation,
    Weighed,
    forget_callees,
    kept_callees,
    weighed_faces,
)
from enfilade.rules.exact.each import EachWalk
from enfilade.rules.exact.parts import Memory
from enfilade.rules.exact.plain import PlainWalk, UsesEachError, expanded_act, run_to_rest
from enfilade.rules.exact.watch import Undecided
from enfilade.rules.exact.worlds import LetGoError
from enfilade.rules.procedures import Act, Procedure, ProcedureError
from enfilade.rules.resolve import BegunRun
from enfilade.rules.sampling import Sampler
from enfilade.runtime.lazy import lazy
from enfilade.scene.events import AnyEvent
from enfilade.scene.model import Scene

__all__ = ["Allowance", "Cost", "Distribution", "Odds", "Weighed", "forget", "odds", "roll_distribution"]

BUDGET = 60_000
"""The number of requests that the exact odds of one act may answer; each run starts with one request.

That is about half a second. The costliest common acts need up to 35,000: a large miniature of Torn sweeps a
Hexon of seven miniatures with ten dice, and each of them strikes back.
"""

AFTER_FAILURE = 40_000
"""The requests that are left to the acts of one answer after one of them was too costly for exact odds."""

SAMPLES = 4_000
SAMPLE_RUNS = 8_000
"""The runs of procedures that the samples of one answer may take; half of those left for each act."""
SAMPLE_BATCH = 50
SAMPLE_SEED = 20_131_115

MAX_STATES = 40_000
"""The number of states and kept parts at which a memory is given up."""

MAX_WITH_EACH = 4_096

Distribution = dict[Any, Fraction]


class Cost(NamedTuple):
    """The cost of the odds of an act: the same on each machine, with or without what is kept.

    `runs` are those of the act and its parts to the next random request, `requests` all that they and their
    callees made, `widest` the most answers of one request of the act or its parts. `is_expanded` tells that
    an act with `Each` was worked out as the loop, because it did what cannot be followed.
    """

    runs: int = 0
    requests: int = 0
    widest: int = 0
    is_expanded: bool = False


NO_COST = Cost()


@dataclass(frozen=True)
class Odds:
    """The weight of each result in a total; `declared` holds the events before the first roll.

    Odds that are not exact were counted in `samples` resolutions, or the weight `unknown` of the total was
    not explored: then each chance is the least, and may be more by `unknown` in all. `aftermath` is there if
    it was asked for, and the act has `Each` or `Rest`.
    """

    weights: dict[Any, int]
    total: int
    declared: tuple[AnyEvent, ...]
    samples: int = 0
    cost: Cost = NO_COST
    aftermath: Aftermath | None = None
    unknown: int = 0

    @lazy
    def chances(self) -> Distribution:
        """Return the probability of each result, the least if not all is known."""
        return {result: Fraction(weight, self.total) for result, weight in self.weights.items()}

    @property
    def is_exact(self) -> bool:
        """Return whether each outcome was counted, none sampled and none left out."""
        return not self.samples and not self.unknown

    @property
    def margin(self) -> float:
        """Return a bound of the error of each probability: 95 of 100 samples stay below it; 0 if exact."""
        return 0.98 / sqrt(self.samples) if self.samples else 0.0

    def chance(self, *results: str) -> Fraction:
        """Return the probability that the outcome's result is one of these words, the least if not known."""
        return Fraction(sum([w for one, w in self.weights.items() if one.result in results]), self.total)

    @property
    def slack(self) -> Fraction:
        """Return by how much each probability may be more, and all of them together: 0 if all is known."""
        return Fraction(self.unknown, self.total)


class Allowance:
    """The work that the odds of one answer may cost together, such as those of all targets of an overlay.

    `requests` are left to exact odds, and `runs` to samples. A callee that several acts share is charged
    once. What is left depends on the acts alone: not on the time, and not on what is kept.
    """

    def __init__(self, requests: int = 2 * BUDGET, runs: int = SAMPLE_RUNS) -> None:
        self.requests, self.runs = requests, runs
        # One set for all its acts: else a callee that they share might be charged twice.
        self.kept = kept_callees()
        self.paid: set[Computation] = set()


def odds(
    scene: Scene,
    procedure: Procedure,
    arguments: Sequence[Any],
    budget: int = BUDGET,
    allowance: Allowance | None = None,
    *,
    has_aftermath: bool = False,
    has_bounds: bool = False,
    begun: BegunRun | None = None,
) -> Odds:
    """Return the odds of an act, within a budget of requests and what is left of an allowance.

    With `has_bounds` they are what was explored when the time of the answer was over, if that is anything.
    `begun` is a run of the act on the scene that has passed its checks: it is taken on from there.
    Raises TooSlow, and what its procedure raises before the first roll.
    """
    allowance = allowance or Allowance()
    walk = _Walk(scene, procedure, arguments, min(budget, allowance.requests), begun)
    try:
        return walk.exact_or_sampled(allowance, has_aftermath)
    except TooSlow:
        found = walk.explored() if has_bounds else None
        if found is None:
            raise
        return found


_with_each: set[Procedure] = set()
"""The procedures that asked for `Each` or `Rest`: their acts run on watched scenes from the start."""

_free: list[Memory] = []
"""The memories that no walk uses now; one that is running has its own, so that two never mix their notes."""


def forget() -> None:
    """Forget what earlier odds have left to later ones, as a new process does: for measurements."""
    forget_callees()
    _free.clear()


class _Walk:
    """The exact odds of one act: plain, with open tokens, or as the loop if these cannot be followed."""

    def __init__(
        self,
        scene: Scene,
        procedure: Procedure,
        arguments: Sequence[Any],
        budget: int,
        begun: BegunRun | None,
    ) -> None:
        self._scene, self._procedure, self._arguments = scene, procedure, arguments
        self._budget, self._begun = budget, begun
        self._is_expanded = False
        self.declared: Sequence[AnyEvent] | None = None
        self._callees: Callees | None = None
        self._known: Callable[[], Distribution] = dict

    @property
    def cost(self) -> Cost:
        """Return what the odds have cost so far."""
        callees = self._callees
        if callees is None:
            return NO_COST
        return Cost(callees.runs, self._budget - callees.left, callees.widest, self._is_expanded)

    def exact_or_sampled(self, allowance: Allowance, has_aftermath: bool) -> Odds:
        """Return the odds, and charge the allowance. Raises TooSlow, and what the procedure raises."""
        try:
            found = self._exact(allowance, has_aftermath)
            allowance.requests -= found.cost.requests
        except BudgetSpentError:
            allowance.requests = min(allowance.requests - self.cost.requests, AFTER_FAILURE)
            tally = _sampled(self._scene, self._procedure, self._arguments, allowance)
            samples = tally.total()
            found = Odds(tally, samples, tuple(self.declared or ()), samples, self.cost)
        return found

    def explored(self) -> Odds | None:
        """Return what was explored before TooSlow; None if that is nothing."""
        known = self._known()
        total = lcm(*[chance.denominator for chance in known.values()])
        weights = {result: int(chance * total) for result, chance in known.items()}
        unknown = total - sum(weights.values())
        declared = tuple(self.declared or ())
        return Odds(weights, total, declared, cost=self.cost, unknown=unknown) if weights else None

    def _exact(self, allowance: Allowance, has_aftermath: bool) -> Odds:
        if self._procedure not in _with_each:
            try:
                return self._plain(self._procedure, allowance, self._begun)
            except UsesEachError:
                self._begun = None  # this walk has taken it on
                if len(_with_each) >= MAX_WITH_EACH:  # a ruleset that makes its procedures anew each time
                    _with_each.clear()
                _with_each.add(self._procedure)
        try:
            found = None if has_aftermath else self._looked_up(allowance)
            return found or self._with_open_tokens(allowance, has_aftermath)
        except (BudgetSpentError, TooSlow, ProcedureError):
            raise
        except (
            Exception,
            Undecided,
        ):  # what cannot be followed, or the procedure's own error: the loop tells
            self._is_expanded = True
            return self._plain(expanded_act(self._procedure), allowance)

    def _start(self, allowance: Allowance) -> Callees:
        # What a walk that failed has paid is not paid: it starts over.
        self._callees = Callees(self._budget, allowance.kept, set(allowance.paid))
        return self._callees

    def _plain(self, procedure: Procedure, allowance: Allowance, begun: BegunRun | None = None) -> Odds:
        callees = self._start(allowance)
        walk = PlainWalk(self._scene, callees)
        self._known = walk.known
        try:
            results, total = walk.weighed(lambda: procedure(self._scene, *self._arguments), begun)
        finally:
            self.declared = walk.declared
        return self._odds((dict(results), total), allowance, None)

    def _looked_up(self, allowance: Allowance) -> Odds | None:
        """Return the odds of an act that ends in a `Rest` whose results are known; None if it does not."""
        begun, self._begun = self._begun, None
        if not _free:
            return None
        steps = begun.steps if begun else self._procedure(self._scene, *self._arguments)
        reached = run_to_rest(self._scene, steps, begun)
        known = _free[-1].results(reached.rest, reached.scene) if reached and _free else None
        if reached is None or known is None:
            return None
        self.declared = reached.events
        callees = self._start(allowance)
        # It costs what a walk costs that runs to the rest and looks its results up.
        callees.charge(reached.asked, runs=1)
        callees.use(known)
        results, total = known.found
        return self._odds((dict(results), total), allowance, None)

    def _with_open_tokens(self, allowance: Allowance, has_aftermath: bool) -> Odds:
        kept = None if has_aftermath else _act_tokens(self._arguments)
        for _ in range(2):
            try:
                return self._letting_go(allowance, has_aftermath, kept)
            except LetGoError as read:
                # Once more with this token; who reads more is likely to read all.
                kept = None if kept is None else {*kept, read.token}
        return self._letting_go(allowance, has_aftermath, None)

    def _letting_go(self, allowance: Allowance, has_aftermath: bool, kept: Collection[str] | None) -> Odds:
        """Return the odds of a walk that lets go of all tokens but some. Raises LetGoError."""
        memory = _free.pop() if _free else Memory()
        memory.states.watch.clear()
        walk = EachWalk(self._scene, memory, self._start(allowance), has_aftermath, kept)
        self._known = walk.ends.known
        try:
            weighed = walk.weighed(self._procedure, self._arguments)
            self.declared = walk.declared
            return self._odds(weighed, allowance, walk.aftermath() if has_aftermath else None)
        finally:
            self.declared = walk.declared
            if len(memory) < MAX_STATES:
                _free.append(memory)

    def _odds(
        self, weighed: tuple[dict[Any, int], int], allowance: Allowance, aftermath: Aftermath | None
    ) -> Odds:
        assert self._callees is not None
        allowance.paid = self._callees.paid
        return Odds(*weighed, tuple(self.declared or ()), 0, self.cost, aftermath)


def _act_tokens(arguments: Sequence[Any]) -> set[str]:
    """Return the tokens that an act is about: its results are likely to tell of them."""
    return {one for act in arguments if isinstance(act, Act) for one in (act.token, act.target)}


def _sampled(
    scene: Scene, procedure: Procedure, arguments: Sequence[Any], allowance: Allowance
) -> Counter[Any]:
    """Return the results of samples: `SAMPLES` of them, or fewer if half of the runs are used up."""
    sampler = Sampler(scene, SAMPLE_SEED, takes_outcome_arguments=True)
    tally: Counter[Any] = Counter()
    limit = allowance.runs // 2
    while (samples := tally.total()) < SAMPLES and (not samples or sampler.runs < limit):
        tally += sampler.tally(procedure, arguments, SAMPLE_BATCH)
    allowance.runs -= min(sampler.runs, limit)
    return tally


def roll_distribution(die: Die, count: int) -> tuple[tuple[Faces, Fraction], ...]:
    """Return each multiset of faces of `count` dice, in the order of the die, with its probability."""
    branches, total = weighed_faces(die, count)
    return tuple((faces, Fraction(weight, total)) for faces, weight in branches)
