"""The WSGI servers on gevent: one that listens on a port, and one that gets connections from a dispatcher."""

from __future__ import annotations

import io
import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email.message import Message
from http.client import HTTPException
from typing import Any

import gevent
import gevent.socket
from flask import Flask
from gevent import pywsgi

from enfilade.errors import BadInput
from enfilade.i18n import localize
from enfilade.runtime.config import Config
from enfilade.transport.limits.connections import SPARE_CONNECTIONS, ConnectionLimiter

log = logging.getLogger(__name__)
_STALL_SECONDS = 60
"""How long a client may take to send or to accept the next bytes."""
_IDLE_SECONDS = 15
"""How long an open connection may wait for its next request."""
_MIN_SECONDS = 0.001
_BODY_SECONDS = 3
"""How much longer than its headers the body of a request may take, beside the time for its size."""
_BODY_BYTES_PER_SECOND = 32 * 1024
"""The rate at which the body of a request must arrive; slower than any connection that is used to play."""
EXTRA_CONNECTIONS = 2 * SPARE_CONNECTIONS
"""Connections above the limit that are accepted in order to be closed, so that others get through."""
_MAX_HEADERS = 100
_MAX_HEADER_BYTES = 32 * 1024
"""The headers of a request, together. The parser takes a hundred times as long to read as to count them."""
_SPARE_SECONDS = 2
"""How long a connection above the limit may take to ask for /health."""
HEALTH_PATHS = ("/health", "/ready")
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


class _TooSlow(BaseException):
    """A connection did not send a request in time. Not an Exception, which pywsgi would answer."""


class _TimedInput(pywsgi.Input):  # type: ignore[misc]
    """The body of a request. Reading it raises OSError once it is late, and its connection then ends.

    pywsgi also reads what the application leaves unread, so that the next request can follow.
    """

    def __init__(self, body: Any, ends: float, handler: Any) -> None:
        """`ends` is the monotonic time by which the whole body must have arrived."""
        super().__init__(body.rfile, body.content_length, body.socket, body.chunked_input)
        self._ends = ends
        self._handler = handler

    def read(self, length: int | None = None) -> Any:
        """Read up to `length` bytes, or all that are left."""
        return self._in_time(super().read, length)

    def readline(self, size: int | None = None) -> Any:
        """Return the next line."""
        return self._in_time(super().readline, size)

    def _in_time(self, read: Callable[[int | None], Any], size: int | None) -> Any:
        left = max(self._ends - time.monotonic(), _MIN_SECONDS)
        try:
            with gevent.Timeout(left, TimeoutError("a late body")):
                return read(size)
        except TimeoutError:
            self._handler.close_connection = True
            raise


class SingleUpgradeHandler(pywsgi.WSGIHandler):  # type: ignore[misc]
    """Handles the requests of one connection; an upgrade is the last.

    pywsgi would parse what a WebSocket leaves unread as further requests. It fails on "HTTP/9" and on more
    than 100 headers, and prints a traceback each time. It waits without end for a request that arrives byte
    by byte.
    """

    _has_request = False
    wsgi_input: Any

    def handle(self) -> None:
        """Handle requests until the connection ends or is too slow."""
        with suppress(_TooSlow):
            super().handle()

    def handle_one_request(self) -> Any:
        """Read and answer one request. Raises _TooSlow if its line and headers do not arrive in time."""
        seconds = _IDLE_SECONDS if self._has_request else self.server.request_seconds
        self._began = time.monotonic()
        self._deadline = gevent.Timeout.start_new(seconds, _TooSlow)
        try:
            return super().handle_one_request()
        finally:
            self._deadline.close()

    def read_request(self, raw_requestline: str) -> Any:
        """Read the headers. Raises ValueError if they are invalid."""
        if self._has_request:
            self._began = time.monotonic()  # and not when the wait for this request began
        wait = self.server.connection_limiter.count_request(str(self.client_address[0]))
        if wait:
            gevent.sleep(wait)
        try:
            is_read = super().read_request(raw_requestline)
        except HTTPException as problem:
            raise ValueError(str(problem)) from None
        self._has_request = True
        self._deadline.close()
        return is_read

    def MessageClass(self, stream: Any, *options: Any) -> Any:  # noqa: N802 - pywsgi's name
        """Return the parsed headers of a request. Raises ValueError if there are too many, or contradict."""
        headers = super().MessageClass(io.BytesIO(_read_headers(stream)), *options)
        _require_one_length(headers)
        return headers

    def _handle_client_error(self, ex: Exception) -> tuple[str, bytes]:
        log.debug("Invalid request: %s", ex)
        return "400", _BAD_REQUEST

    def get_environ(self) -> dict[str, Any]:
        """Return the WSGI environment, its body with a deadline."""
        environ: dict[str, Any] = super().get_environ()
        allowed = _BODY_SECONDS + (self.content_length or 0) / _BODY_BYTES_PER_SECOND
        ends = max(self._began + self.server.request_seconds, time.monotonic()) + allowed
        body, self.wsgi_input = self.wsgi_input, _TimedInput(self.wsgi_input, ends, self)
        if environ["wsgi.input"] is body:
            environ["wsgi.input"] = self.wsgi_input
        return environ

    def handle_one_response(self) -> None:
        """Answer the current request."""
        super().handle_one_response()
        if self._connection_upgrade_requested():
            self.close_connection = True

    def _check_http_version(self) -> bool:
        try:
            return bool(super()._check_http_version())
        except IndexError:
            return False


def _require_one_length(headers: Message) -> None:
    """Raise ValueError if a proxy in front may see another end of the body (RFC 9112, 6.3)."""
    if len(headers.get_all("Content-Length", [])) + len(headers.get_all("Transfer-Encoding", [])) > 1:
        raise ValueError("more than one length of the body")


def _read_headers(stream: Any) -> bytes:
    """Return the header lines of a request and the empty line after them. Raises ValueError."""
    lines, left = [], _MAX_HEADER_BYTES
    for _ in range(_MAX_HEADERS + 1):
        line = stream.readline(left + 1)
        left -= len(line)
        if left < 0:
            break
        lines.append(line)
        if line in (b"\r\n", b"\n", b""):
            return b"".join(lines)
    raise ValueError("too many headers")


class NoDelayServer(pywsgi.WSGIServer):  # type: ignore[misc]
    """A WSGI server without Nagle's algorithm, which delays small responses by up to 40 ms."""

    handler_class = SingleUpgradeHandler
    connection_limiter = ConnectionLimiter(0)
    """Counts the connections; `listen` replaces it."""
    request_seconds = 12
    """How long a new connection may take to send its first request's line and headers."""

    def handle(self, sock: Any, address: Any) -> None:
        """Serve one connection until it has been idle too long; above the limits, only tell of its health."""
        network = str(address[0])
        with self.connection_limiter.acquire(network) as is_allowed:
            if is_allowed:
                sock.settimeout(_STALL_SECONDS)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                super().handle(sock, address)
                return
        with self.connection_limiter.acquire_spare(network) as is_allowed:
            if is_allowed:
                HealthHandler(sock, address, self).handle()


class SingleRequestHandler(SingleUpgradeHandler):
    """Handles the single request of a connection, such as a forwarded one."""

    def finalize_headers(self) -> None:
        """Add the header that ends the connection, unless it is upgraded."""
        super().finalize_headers()
        if not self._connection_upgrade_requested():
            self.response_headers.append((b"Connection", b"close"))

    def handle_one_response(self) -> None:
        """Answer the current request."""
        super().handle_one_response()
        self.close_connection = True


class HealthHandler(SingleRequestHandler):
    """Answers one question about the server's health on a connection above the limits, and nothing else."""

    def handle_one_request(self) -> Any:
        """Read and answer the request. Raises _TooSlow if it does not arrive soon."""
        with gevent.Timeout(_SPARE_SECONDS, _TooSlow):
            return super().handle_one_request()

    def read_request(self, raw_requestline: str) -> Any:
        """Read the headers. Raises ValueError for any other request."""
        is_read = super().read_request(raw_requestline)
        if self.path not in HEALTH_PATHS:
            raise ValueError("the server has as many connections as it may have")
        return is_read

    def _handle_client_error(self, ex: Exception) -> tuple[str, bytes]:
        log.debug("Refused: %s", ex)
        return "503", _FULL


class ForwardedServer(NoDelayServer):
    """A WSGI server for connections that a dispatcher forwards (cluster/dispatcher.py)."""

    handler_class = SingleRequestHandler

    def do_read(self) -> tuple[Any, Any] | None:
        """Return the next connection and its address; stop the server once the dispatcher is gone."""
        try:
            data, descriptors, _, _ = socket.recv_fds(self.socket, 1, 1)
        except BlockingIOError:
            return None
        if not data:
            self.stop_accepting()
            gevent.spawn(self.stop, 1)
            return None
        return _open_forwarded(descriptors[0]) if descriptors else None


def _open_forwarded(descriptor: int) -> tuple[Any, Any] | None:
    connection = gevent.socket.socket(fileno=descriptor)
    try:
        return connection, connection.getpeername()
    except OSError:  # the client is gone
        connection.close()
        return None


def listen(
    app: Flask, config: Config, connections: ConnectionLimiter, dispatcher: Any = None
) -> NoDelayServer:
    """Start a server; `server_port` is its port, which the system chose if the configured one is 0.

    With a socket to a dispatcher, it serves only what the dispatcher forwards.
    Raises BadInput if the port cannot be opened.
    """
    environ = {"SERVER_NAME": config.host}  # else pywsgi resolves the host's name, which may take seconds
    if dispatcher is None:
        kind, listener = NoDelayServer, (config.host, config.port)
    else:
        dispatcher.setblocking(False)
        kind, listener, environ["SERVER_PORT"] = ForwardedServer, dispatcher, str(config.port)
    spawn = config.limits.connections + EXTRA_CONNECTIONS
    server = kind(listener, app, log=None, error_log=log, spawn=spawn, environ=environ)
    server.connection_limiter, server.request_seconds = connections, config.limits.request_seconds
    with clear_port_errors(config):
        server.start()
    return server


@contextmanager
def clear_port_errors(config: Config) -> Iterator[None]:
    """Raise BadInput, which says why the port cannot be opened and what to do, in place of OSError."""
    try:
        yield
    except OSError as problem:
        reason = str(problem.strerror or problem).partition(": (")[0]  # gevent adds the address
        refused = localize("doctor.port_refused", host=config.host, port=config.port, reason=reason)
        raise BadInput(f"{refused} {localize('doctor.port_choose')}") from None
