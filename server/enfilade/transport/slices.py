"""Measure slices: how long one greenlet runs while all others wait.

The server does everything in one thread, so its longest slice is the least that any client may have to wait.
`enfilade_longest_slice_seconds` shows it to the operator.
"""

from __future__ import annotations

import time
from typing import Any

import gevent
import greenlet

from enfilade.runtime.thread_clock import server_clock
from enfilade.transport.metrics import Metrics

WINDOW_SECONDS = 5.0
"""The longest slice is kept for one to two of these windows."""
SHORT_SECONDS = 0.001
"""Slices below this are not told apart: it is also the error of those above."""
_PUBLISH_SECONDS = 0.5


class SliceMeter:
    """Watches all switches between the greenlets of this thread.

    A slice is the time that its greenlet computed. A busy machine may take the processor away from the server
    meanwhile, which this does not count. Switches are frequent and the clock of a thread's own time is a
    system call, so it is asked once in `SHORT_SECONDS` at most.
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._hub = gevent.get_hub()
        self._since = self._marked = time.perf_counter()
        self._mark = server_clock()
        self._longest = self._longest_before = 0.0

    def start(self) -> None:
        """Begin to measure and to publish."""
        greenlet.settrace(self._note_switch)
        gevent.spawn(self._publish)

    def _note_switch(self, _event: str, switched: tuple[Any, Any]) -> None:
        """Measure the slice that just ended. The hub's own time is that in which the server waits."""
        now = time.perf_counter()
        if now - self._since > SHORT_SECONDS and switched[0] is not self._hub:
            used = min(server_clock() - self._mark, now - self._since)
            self._longest = max(self._longest, used)
        if now - self._marked > SHORT_SECONDS:
            self._mark, self._marked = server_clock(), now
        self._since = now

    def _publish(self) -> None:
        rotated = time.monotonic()
        while True:
            gevent.sleep(_PUBLISH_SECONDS)
            self._metrics.longest_slice.set(max(self._longest, self._longest_before))
            if time.monotonic() - rotated >= WINDOW_SECONDS:
                rotated = time.monotonic()
                self._longest, self._longest_before = 0.0, self._longest
