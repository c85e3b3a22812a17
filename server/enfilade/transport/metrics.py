"""Metrics for Prometheus. No label identifies a player or a table."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from enfilade.messages.commands import BODIES
from enfilade.transport.shards import METRICS_FOLDER_VARIABLE

DONE = "done"
"""The outcome of a successful command. The outcome of a refused one is its error code."""

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """The metrics of one process; time blocks with `answers.time()`, `overlays.time()`, `storing.time()`."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
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
        self.answers = self._histogram("enfilade_answer_seconds", "Time from a command to its acknowledgment")
        self.overlays = self._histogram("enfilade_overlay_seconds", "Time to compute one overlay")
        self._overlay_updates = self._counter(
            "enfilade_overlay_updates", "Overlays due to a subscriber, sent or equal to the last", "outcome"
        )
        self._sent_overlays = self._overlay_updates.labels("sent")
        self._unchanged_overlays = self._overlay_updates.labels("unchanged")
        self.storing = self._histogram(
            "enfilade_store_seconds", "Time to store the effect of a command on disk"
        )

        self.longest_slice = Gauge(
            "enfilade_longest_slice_seconds",
            "The longest computation without a break of the last 5 to 10 seconds, while which all wait",
            registry=self._registry,
            multiprocess_mode="livemax",
        )

    def render(self) -> bytes:
        """Return all metrics in the text format of Prometheus, summed over all processes of the server."""
        if METRICS_FOLDER_VARIABLE not in os.environ:
            return generate_latest(self._registry)
        all_processes = CollectorRegistry()
        MultiProcessCollector(all_processes)  # type: ignore[no-untyped-call]
        return generate_latest(all_processes)

    def count_command(self, kind: str, outcome: str) -> None:
        """Count a command; an unknown kind counts as "unknown"."""
        known = kind if kind in BODIES else "unknown"
        counter = self._command_counters.get((known, outcome))
        if counter is None:  # looking up a labeled counter takes longer than counting
            counter = self._command_counters[known, outcome] = self._commands.labels(known, outcome)
        counter.inc()

    def count_overlays(self, sent: int, unchanged: int) -> None:
        """Count the subscribers that are sent an overlay, and those that have the same already."""
        for counter, count in ((self._sent_overlays, sent), (self._unchanged_overlays, unchanged)):
            if count:
                counter.inc(count)

    def count_refusal(self, code: str) -> None:
        """Count a refused request."""
        self._refusals.labels(code).inc()

    def count_desync(self, why: str) -> None:
        """Count a client that requests a snapshot because its replica differs from the table."""
        self._desyncs.labels(why).inc()

    def count_disconnect(self, why: str) -> None:
        """Count a connection that the server cut."""
        self._disconnects.labels(why).inc()

    def _counter(self, name: str, sentence: str, *labels: str) -> Counter:
        return Counter(name, sentence, labels, registry=self._registry)

    def _histogram(self, name: str, sentence: str) -> Histogram:
        return Histogram(name, sentence, buckets=_BUCKETS, registry=self._registry)
