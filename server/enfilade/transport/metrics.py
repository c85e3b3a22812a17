"""What an operator can watch, in the form that Prometheus reads. No label says who, or at which table."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from enfilade.messages.commands import BODIES

DONE = "done"
"""The outcome of a command that was done; a refused one's is its error's code."""

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """The counts of one server; `answers`, `overlays` and `storing` are timed by `.time()`."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.connections = Gauge(
            "enfilade_connections", "Seats that are connected by a socket now", registry=self._registry
        )
        self._commands = self._counter(
            "enfilade_commands", "Commands by kind, and how they ended", "kind", "outcome"
        )
        self._refusals = self._counter("enfilade_refusals", "What was refused, by its code", "code")
        self._cuts = self._counter("enfilade_cuts", "Connections that were cut, and why", "why")
        self.answers = self._histogram("enfilade_answer_seconds", "From a command to its acknowledgement")
        self.overlays = self._histogram("enfilade_overlay_seconds", "Working out one overlay")
        self.storing = self._histogram("enfilade_store_seconds", "Storing what a command did, on disk")

    def page(self) -> bytes:
        """Everything, as text for Prometheus."""
        return generate_latest(self._registry)

    def heard(self, kind: object, outcome: str) -> None:
        """Counts a command; a kind that does not exist is told as "unknown"."""
        known = kind if isinstance(kind, str) and kind in BODIES else "unknown"
        self._commands.labels(known, outcome).inc()

    def refused(self, code: str) -> None:
        """Counts a refusal of whatever kind."""
        self._refusals.labels(code).inc()

    def cut(self, why: str) -> None:
        """Counts a connection that was cut."""
        self._cuts.labels(why).inc()

    def _counter(self, name: str, sentence: str, *labels: str) -> Counter:
        return Counter(name, sentence, labels, registry=self._registry)

    def _histogram(self, name: str, sentence: str) -> Histogram:
        return Histogram(name, sentence, buckets=_SECONDS, registry=self._registry)
