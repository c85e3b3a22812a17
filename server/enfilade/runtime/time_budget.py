"""Time budgets: how long one answer may occupy the server's thread.

The server does everything in one thread. A request sets a `TimeBudget`, and each loop that a large or hostile
scene can make long calls `checkpoint`, which lets other greenlets run and raises TooSlow once the budget is
spent. Without a budget, as in tests and in the shell, `checkpoint` does nothing.

The CPU time of that thread is read seldom: the clock is a system call that many ask for at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from threading import RLock
from typing import Any, Protocol, TypeVar

from enfilade.errors import TooSlow
from enfilade.i18n import localize

REST_SECONDS = 0.0001
"""Length of a rest. A rest of 0 lets other greenlets run, but no socket is polled."""

SLICE_SECONDS = 0.001
"""Longest time an answer runs before other greenlets run."""

FIRST_SLICE_SECONDS = 0.003
"""The same for the first slice, in which nearly every answer ends: to interrupt it would only delay it."""

Clock = Callable[[], float]
T = TypeVar("T")
Offload = Callable[[Callable[..., Any], Sequence[Any]], tuple[Any, float]]
"""Calls a function with arguments in another thread; returns its result and the seconds that it took."""


class Turn(Protocol):
    """The right to compute, which the answers of a server have in turn."""

    def take(self) -> None:
        """Wait for the turn."""

    def rest(self) -> None:
        """Let other greenlets run, and wait for the next turn."""

    def leave(self) -> None:
        """Give the turn away, because the answer waits or is over; do nothing without it."""


class TimeBudget:
    """The time of one answer: `limit` seconds, in slices with a rest after each.

    `rest` lets other greenlets run; its time is not counted. `clock` returns the CPU seconds of this thread.
    `fast_clock` returns seconds that are never fewer and are cheaper to read; it saves most reads of `clock`.
    With a `turn` the answer computes only while it has that, and rests with it. `offload` runs the calls of
    `run_long`.
    """

    def __init__(
        self,
        limit: float,
        rest: Callable[[], None],
        clock: Clock = time.thread_time,
        fast_clock: Clock | None = None,
        turn: Turn | None = None,
        offload: Offload | None = None,
    ) -> None:
        self.limit = self._whole = limit
        self._rest = rest if turn is None else turn.rest
        self._turn = turn
        self._clock = clock
        self._fast_clock = fast_clock or clock
        self._offload = offload
        self._used = 0.0
        self._slice = FIRST_SLICE_SECONDS
        self.is_unmetered = False
        self._begin_slice()

    @property
    def spent(self) -> float:
        """Return the seconds that the answer has used, without rests and waits."""
        if self.is_unmetered:
            return self._used
        passed = self._fast_clock() - self._fast_since
        # Within a slice the fast clock is enough: it never shows less, and needs no system call.
        return self._used + (passed if passed < self._slice else max(0.0, self._clock() - self._since))

    def checkpoint(self) -> None:
        """Rest if a slice is over. Raises TooSlow after the rest if the budget is spent.

        So the thread serves others even if the caller goes on with less, as after any error.
        """
        if self._fast_clock() - self._fast_since < self._slice:
            return
        if self._clock() - self._since < self._slice:
            return
        self.rest()
        if self._used > self.limit:
            raise TooSlow(localize("table.too_slow", seconds=f"{self._whole:g}"))

    def rest(self) -> None:
        """Let other greenlets run now."""
        self._used = self.spent
        self._slice = SLICE_SECONDS
        self._rest()
        self._begin_slice()

    def pause(self) -> None:
        """Stop counting: the answer waits and the thread serves other requests."""
        self._used, self.is_unmetered = self.spent, True
        self.end()

    def resume(self) -> None:
        """Count again."""
        self.is_unmetered = False
        self._begin_slice()

    def begin(self) -> None:
        """Start to count, once it is this answer's turn."""
        if self._turn is not None:
            self._turn.take()
        self._begin_slice()

    def end(self) -> None:
        """Let the next answer compute: this one waits or is over."""
        if self._turn is not None:
            self._turn.leave()

    def run_long(self, function: Callable[..., T], arguments: Sequence[Any]) -> T:
        """Return the result of a function that may take longer than a slice. Raises TooSlow."""
        if self._offload is None or self.is_unmetered:
            return function(*arguments)
        self.pause()
        try:
            result, seconds = self._offload(function, arguments)
        finally:
            self.resume()
        self._used += seconds
        if self._used > self.limit:
            raise TooSlow(localize("table.too_slow", seconds=f"{self._whole:g}"))
        found: T = result
        return found

    def _begin_slice(self) -> None:
        self._since, self._fast_since = self._clock(), self._fast_clock()


_current: ContextVar[TimeBudget | None] = ContextVar("budget", default=None)


def checkpoint() -> None:
    """Let other greenlets run if a slice is over; call it in each long loop.

    Raises TooSlow if the budget is spent.
    """
    budget = _current.get()
    # The first question of the budget's own checkpoint, asked here: a command comes here two hundred times.
    if budget is not None and budget._fast_clock() - budget._fast_since >= budget._slice:
        budget.checkpoint()


def run_long(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function that may take longer than a slice and that releases the interpreter lock.

    With a budget that has a thread for such calls, other greenlets run meanwhile. The arguments must not
    change until the call is over. Raises TooSlow if the budget is spent.
    """
    budget = _current.get()
    return function(*arguments) if budget is None else budget.run_long(function, arguments)


class time_limited:  # noqa: N801 - a class, because a generator takes three times as long
    """Apply a budget to the block. An inner block replaces the outer budget until it ends."""

    def __init__(self, budget: TimeBudget) -> None:
        self._budget = budget

    def __enter__(self) -> TimeBudget:
        outer = _current.get()
        if outer is not None:
            outer.end()
        self._budget.begin()
        self._token = _current.set(self._budget)
        return self._budget

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)
        self._budget.end()


class time_share:  # noqa: N801 - as above
    """Give the block its share of the time that is left: an equal one, but at least a quarter of it.

    `later` is the number of equal blocks to come. A block that raises TooSlow leaves the rest to them. A
    tenth of the whole time stays, to put the answer together. `is_small`: there was little left to share.
    """

    def __init__(self, later: int) -> None:
        self._later = later
        self.is_small = False

    def __enter__(self) -> None:
        self._budget = budget = _current.get()
        if budget is not None:
            self._limit = budget.limit
            left = max(0.0, 0.9 * budget.limit - budget.spent)
            share = max(left / (self._later + 1), left / 4) if self._later else left
            self.is_small = share < budget.limit / 20
            budget.limit = budget.spent + share

    def __exit__(self, *_: object) -> None:
        if self._budget is not None:
            self._budget.limit = self._limit


class unmetered:  # noqa: N801 - as above
    """Do not charge the block to the budget, because the answer only waits. Nested blocks change nothing."""

    def __enter__(self) -> None:
        budget = _current.get()
        self._budget = None if budget is None or budget.is_unmetered else budget
        if self._budget is not None:
            self._budget.pause()

    def __exit__(self, *_: object) -> None:
        if self._budget is not None:
            self._budget.resume()


class UnmeteredRLock:
    """A reentrant lock; the wait for it is charged to no budget."""

    def __init__(self) -> None:
        self._lock = RLock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):  # nearly always it is free
            with unmetered():
                self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


ERROR_SECONDS = 0.0005
"""The most that a reading is above the exact one."""


class ThreadClock:
    """The CPU seconds of this thread.

    `exact` is read once in `ERROR_SECONDS` of `fast` at most. Between two reads the thread counts as if it
    computed all the time. So a reading is never below the exact one, and above it by no more than the time
    that the thread waited since the last exact one. It may be less than the reading before.
    """

    def __init__(self, exact: Clock = time.thread_time, fast: Clock = time.perf_counter) -> None:
        """`fast` returns seconds that never pass more slowly than those of `exact`."""
        self._exact, self._fast = exact, fast
        self._read, self._at = exact(), fast()

    def __call__(self) -> float:
        """Return the CPU seconds."""
        now = self._fast()
        passed = now - self._at
        if passed > ERROR_SECONDS:
            self._read, self._at, passed = self._exact(), now, 0.0
        return self._read + passed


server_clock = ThreadClock()
"""The clock of the thread that serves: all its readers share its reads. Other threads have no use for it."""
