"""Stands before everything else of the server: counts how often an address connects, before it costs much.

It also turns away what asks for a socket and is no upgrade: Engine.IO would have it wait for messages, as
clients without WebSocket do, and nobody is spoken to in that way here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from enfilade.errors import BadInput, EnfiladeError, RateLimited
from enfilade.messages import dump
from enfilade.transport import strict_json
from enfilade.transport.http.pages import SECURITY_HEADERS
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics

Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]
SOCKETS = "/socket.io"
_STATUSES = {BadInput: "400 Bad Request", RateLimited: "429 Too Many Requests"}


class HandshakeLimitMiddleware:
    """A WSGI application that turns away who connects too often or by half; the rest is another's."""

    def __init__(self, app: Wsgi, limiter: RateLimiter, metrics: Metrics) -> None:
        self._app = app
        self._limiter = limiter
        self._metrics = metrics

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answers a request."""
        if environ.get("PATH_INFO", "").startswith(SOCKETS):
            try:
                self._limiter.charge_handshake(environ.get("REMOTE_ADDR", ""))
                _must_upgrade(environ)
            except (BadInput, RateLimited) as problem:
                return self._turned_away(problem, start_response)
        return self._app(environ, start_response)

    def _turned_away(self, problem: EnfiladeError, start_response: Any) -> Iterable[bytes]:
        self._metrics.refused(problem.code)
        body = strict_json.encode(dump.refusal("", problem)).encode()
        headers = [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
            *SECURITY_HEADERS.items(),
        ]
        if isinstance(problem, RateLimited):
            headers.append(("Retry-After", seconds_until(problem)))
        start_response(_STATUSES[type(problem)], headers)
        return [body]


def _must_upgrade(environ: dict[str, Any]) -> None:
    """Raises BadInput where a request asks for no WebSocket, by both of the headers that have to."""
    wanted = {word.strip() for word in environ.get("HTTP_CONNECTION", "").lower().split(",")}
    if "upgrade" not in wanted or environ.get("HTTP_UPGRADE", "").lower() != "websocket":
        raise BadInput("This server speaks Socket.IO over WebSocket alone.")


def seconds_until(problem: RateLimited) -> str:
    """The whole seconds after which to ask again, as the header Retry-After says it."""
    return str(math.ceil(problem.retry_after_ms / 1000))
