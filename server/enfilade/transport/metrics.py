"""What an operator can watch, in the form that Prometheus reads. No label says who, or at which table."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from enfilade.messages.commands import BODIES
from enfilade.transport.shards import COUNTS

DONE = "done"
"""The outcome of a command that was done; a refused one's is its error's code."""

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """The counts of one server; `answers`, `overlays` and `storing` are timed by `.time()`."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.connections = Gauge(
            "enfilade_connections",
            "Seats that are connected by a socket now",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        self._commands = self._counter(
            "enfilade_commands", "Commands by kind, and how they ended", "kind", "outcome"
        )
        self._heard: dict[tuple[str, str], Counter] = {}
        self._refusals = self._counter("enfilade_refusals", "What was refused, by its code", "code")
        self._strayed = self._counter(
            "enfilade_client_desyncs", "Copies that went astray, by what their client noticed", "why"
        )
        self._cuts = self._counter("enfilade_disconnects", "Connections that were cut, and why", "why")
        self.answers = self._histogram("enfilade_answer_seconds", "From a command to its acknowledgement")
        self.overlays = self._histogram("enfilade_overlay_seconds", "Working out one overlay")
        self.storing = self._histogram("enfilade_store_seconds", "Storing what a command did, on disk")

    def page(self) -> bytes:
        """Everything, as text for Prometheus; of all processes where several serve."""
        return generate_latest(_of_all() if COUNTS in os.environ else self._registry)

    def heard(self, kind: object, outcome: str) -> None:
        """Counts a command; a kind that does not exist is told as "unknown"."""
        known = kind if isinstance(kind, str) and kind in BODIES else "unknown"
        counter = self._heard.get((known, outcome))
        if counter is None:  # looking one up takes the library longer than counting
            counter = self._heard[known, outcome] = self._commands.labels(known, outcome)
        counter.inc()

    def refused(self, code: str) -> None:
        """Counts a refusal of whatever kind."""
        self._refusals.labels(code).inc()

    def desyncs(self, why: str) -> None:
        """Counts a client's copy that was no longer the table's."""
        self._strayed.labels(why).inc()

    def cut(self, why: str) -> None:
        """Counts a connection that was cut."""
        self._cuts.labels(why).inc()

    def _counter(self, name: str, sentence: str, *labels: str) -> Counter:
        return Counter(name, sentence, labels, registry=self._registry)

    def _histogram(self, name: str, sentence: str) -> Histogram:
        return Histogram(name, sentence, buckets=_SECONDS, registry=self._registry)


def _of_all() -> CollectorRegistry:
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
