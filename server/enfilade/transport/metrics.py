"""Metrics for Prometheus, with the meter of the longest slice. No label identifies a player or a table.

What each command counts and measures is kept in plain values, and given to the library twice a second and
before each page of metrics: its locks and calls, spread among other work, took 3 % of a command's time.

The server does everything in one thread, so its longest slice, in which one greenlet runs while all others
wait, is the least that any client may have to wait. `enfilade_longest_slice_seconds` shows it.
"""

from __future__ import annotations

import os
import time
from collections import deque
from functools import partial
from typing import Any

import gevent
import greenlet
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.context_managers import Timer
from prometheus_client.multiprocess import MultiProcessCollector

from enfilade.messages.commands import BODIES
from enfilade.runtime.time_budget import server_clock
from enfilade.transport.shards import METRICS_FOLDER_VARIABLE

DONE = "done"
"""The outcome of a successful command. The outcome of a refused one is its error code."""

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

_MOST_KEPT = 10_000
"""The most durations that a process keeps; it measures a few hundred between two publications."""


class Durations:
    """A histogram of seconds; `publish` gives it the values that were measured since the last time."""

    def __init__(self, histogram: Histogram) -> None:
        self._histogram = histogram
        self._seconds: deque[float] = deque(maxlen=_MOST_KEPT)
        self.time = partial(Timer, self._seconds, "append")
        """Return a context manager that measures its block, also one that raises."""

    def publish(self) -> None:
        """Give the library what was kept."""
        while self._seconds:
            self._histogram.observe(self._seconds.popleft())


class Metrics:
    """The metrics of one process; time blocks with `answers.time()`, `overlays.time()`, `storing.time()`."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._counted: dict[Counter, int] = {}
        """What was counted since `publish`."""
        self.connections = Gauge(
            "enfilade_connections",
            "Connected sockets",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        self._commands = self._counter("enfilade_commands", "Commands by kind and outcome", "kind", "outcome")
        self._command_counters: dict[tuple[str, str], Counter] = {}
        self._refusals = self._counter("enfilade_refusals", "Refused requests by error code", "code")
        self._desyncs = self._counter(
            "enfilade_client_desyncs", "Snapshots that clients requested after a desync, by cause", "why"
        )
        self._disconnects = self._counter(
            "enfilade_disconnects", "Connections that the server cut, by cause", "why"
        )
        self.answers = self._durations("enfilade_answer_seconds", "Time from a command to its acknowledgment")
        self.overlays = self._durations("enfilade_overlay_seconds", "Time to compute one overlay")
        self._overlay_updates = self._counter(
            "enfilade_overlay_updates", "Overlays due to a subscriber, sent or equal to the last", "outcome"
        )
        self._sent_overlays = self._overlay_updates.labels("sent")
        self._unchanged_overlays = self._overlay_updates.labels("unchanged")
        self.storing = self._durations(
            "enfilade_store_seconds", "Time to store the effect of a command on disk"
        )

        self.longest_slice = Gauge(
            "enfilade_longest_slice_seconds",
            "The longest computation without a break of the last 5 to 10 seconds, while which all wait",
            registry=self._registry,
            multiprocess_mode="livemax",
        )

    def render(self) -> bytes:
        """Return all metrics in the text format of Prometheus, summed over all processes of the server.

        Those of other processes are up to half a second old.
        """
        self.publish()
        if METRICS_FOLDER_VARIABLE not in os.environ:
            return generate_latest(self._registry)
        all_processes = CollectorRegistry()
        MultiProcessCollector(all_processes)  # type: ignore[no-untyped-call]
        return generate_latest(all_processes)

    def publish(self) -> None:
        """Give the library what was counted and measured since the last time."""
        counted, self._counted = self._counted, {}
        for counter, count in counted.items():
            counter.inc(count)
        for durations in (self.answers, self.overlays, self.storing):
            durations.publish()

    def count_command(self, kind: str, outcome: str) -> None:
        """Count a command; an unknown kind counts as "unknown"."""
        known = kind if kind in BODIES else "unknown"
        counter = self._command_counters.get((known, outcome))
        if counter is None:  # looking up a labeled counter takes longer than counting
            counter = self._command_counters[known, outcome] = self._commands.labels(known, outcome)
        self._count(counter, 1)

    def count_overlays(self, sent: int, unchanged: int) -> None:
        """Count the subscribers that are sent an overlay, and those that have the same already."""
        for counter, count in ((self._sent_overlays, sent), (self._unchanged_overlays, unchanged)):
            if count:
                self._count(counter, count)

    def count_refusal(self, code: str) -> None:
        """Count a refused request."""
        self._refusals.labels(code).inc()

    def count_desync(self, why: str) -> None:
        """Count a client that requests a snapshot because its replica differs from the table."""
        self._desyncs.labels(why).inc()

    def count_disconnect(self, why: str) -> None:
        """Count a connection that the server cut."""
        self._disconnects.labels(why).inc()

    def _count(self, counter: Counter, count: int) -> None:
        self._counted[counter] = self._counted.get(counter, 0) + count

    def _counter(self, name: str, sentence: str, *labels: str) -> Counter:
        return Counter(name, sentence, labels, registry=self._registry)

    def _durations(self, name: str, sentence: str) -> Durations:
        return Durations(Histogram(name, sentence, buckets=_BUCKETS, registry=self._registry))


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
        gevent.spawn(self._publish_often)

    def publish(self) -> None:
        """Publish the longest slice, and what the metrics have kept: also before the process ends."""
        self._metrics.longest_slice.set(max(self._longest, self._longest_before))
        self._metrics.publish()

    def _note_switch(self, _event: str, switched: tuple[Any, Any]) -> None:
        """Measure the slice that just ended. The hub's own time is that in which the server waits."""
        now = time.perf_counter()
        if now - self._since > SHORT_SECONDS and switched[0] is not self._hub:
            used = min(server_clock() - self._mark, now - self._since)
            self._longest = max(self._longest, used)
        if now - self._marked > SHORT_SECONDS:
            self._mark, self._marked = server_clock(), now
        self._since = now

    def _publish_often(self) -> None:
        rotated = time.monotonic()
        while True:
            gevent.sleep(_PUBLISH_SECONDS)
            self.publish()
            if time.monotonic() - rotated >= WINDOW_SECONDS:
                rotated = time.monotonic()
                self._longest, self._longest_before = 0.0, self._longest
