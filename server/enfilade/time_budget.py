"""Time budgets: how long one answer may occupy the server's thread.

The server does everything in one thread. A request sets a `TimeBudget`, and each loop that a large or hostile
scene can make long calls `checkpoint`, which lets other greenlets run and raises TooSlow once the budget is
spent. Without a budget, as in tests and in the shell, `checkpoint` does nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar
from threading import RLock

from enfilade.errors import TooSlow
from enfilade.i18n import localize

REST_SECONDS = 0.0001
"""Length of a rest. A rest of 0 lets other greenlets run, but no socket is polled."""

SLICE_SECONDS = 0.005
"""Longest time an answer runs before other greenlets run."""

Clock = Callable[[], float]


class TimeBudget:
    """The time of one answer: `limit` seconds, in slices with a rest after each.

    `rest` lets other greenlets run; its time is not counted. `clock` returns the CPU seconds of this thread.
    `fast_clock` returns seconds that are never fewer and are cheaper to read; it saves most reads of `clock`.
    """

    def __init__(
        self,
        limit: float,
        rest: Callable[[], None],
        clock: Clock = time.thread_time,
        fast_clock: Clock | None = None,
    ) -> None:
        self.limit = limit
        self._rest = rest
        self._clock = clock
        self._fast_clock = fast_clock or clock
        self._used = 0.0
        self.is_unmetered = False
        self._begin_slice()

    @property
    def spent(self) -> float:
        """Return the seconds that the answer has used, without rests and waits."""
        if self.is_unmetered:
            return self._used
        passed = self._fast_clock() - self._fast_since
        # Within a slice the fast clock is enough: it never shows less, and needs no system call.
        return self._used + (passed if passed < SLICE_SECONDS else self._clock() - self._since)

    def checkpoint(self) -> None:
        """Rest if a slice is over. Raises TooSlow if the budget is spent."""
        if self._fast_clock() - self._fast_since < SLICE_SECONDS:
            return
        if self._clock() - self._since < SLICE_SECONDS:
            return
        self._used = self.spent
        if self._used > self.limit:
            raise TooSlow(localize("table.too_slow", seconds=f"{self.limit:g}"))
        self._rest()
        self._begin_slice()

    def pause(self) -> None:
        """Stop counting: the answer waits and the thread serves other requests."""
        self._used, self.is_unmetered = self.spent, True

    def resume(self) -> None:
        """Count again."""
        self.is_unmetered = False
        self._begin_slice()

    def _begin_slice(self) -> None:
        self._since, self._fast_since = self._clock(), self._fast_clock()


_current: ContextVar[TimeBudget | None] = ContextVar("budget", default=None)


def checkpoint() -> None:
    """Let other greenlets run if a slice is over; call it in each long loop.

    Raises TooSlow if the budget is spent.
    """
    budget = _current.get()
    if budget is not None:
        budget.checkpoint()


class time_limited:  # noqa: N801 - a class, because a generator takes three times as long
    """Apply a budget to the block. An inner block replaces the outer budget until it ends."""

    def __init__(self, budget: TimeBudget) -> None:
        self._budget = budget

    def __enter__(self) -> TimeBudget:
        self._token = _current.set(self._budget)
        return self._budget

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)


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
        with unmetered():
            self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
