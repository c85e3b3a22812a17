"""The CPU time of the server's thread, read seldom: the clock is a system call that many ask for at once."""

from __future__ import annotations

import time
from collections.abc import Callable

ERROR_SECONDS = 0.0005
"""The most that a reading is above the exact one."""

Clock = Callable[[], float]


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
