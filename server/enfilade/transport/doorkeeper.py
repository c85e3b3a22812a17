"""Stands before everything else of the server: counts how often an address connects, before it costs much."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from enfilade.errors import RateLimited
from enfilade.messages import dump
from enfilade.transport import strict_json
from enfilade.transport.gate import Gate
from enfilade.transport.metrics import Metrics

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]
SOCKETS = "/socket.io"


class Doorkeeper:
    """A WSGI application that turns away whoever connects too often, and leaves the rest to another."""

    def __init__(self, app: Wsgi, gate: Gate, metrics: Metrics) -> None:
        self._app = app
        self._gate = gate
        self._metrics = metrics

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answers a request."""
        if environ.get("PATH_INFO", "").startswith(SOCKETS):
            try:
                self._gate.shake_hands(environ.get("REMOTE_ADDR", ""))
            except RateLimited as problem:
                return self._turned_away(problem, start_response)
        return self._app(environ, start_response)

    def _turned_away(self, problem: RateLimited, start_response: Any) -> Iterable[bytes]:
        self._metrics.refused(problem.code)
        body = strict_json.encode(dump.refusal("", problem)).encode()
        headers = [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Retry-After", seconds_until(problem)),
            ("Connection", "close"),
        ]
        start_response("429 Too Many Requests", headers)
        return [body]


def seconds_until(problem: RateLimited) -> str:
    """The whole seconds after which to ask again, as the header Retry-After says it."""
    return str(math.ceil(problem.retry_after_ms / 1000))
