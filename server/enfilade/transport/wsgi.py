"""The WSGI servers on gevent: one that listens on a port, and one that gets connections from a dispatcher."""

from __future__ import annotations

import logging
import socket
from contextlib import suppress
from http.client import HTTPException
from typing import Any

import gevent
import gevent.socket
from flask import Flask
from gevent import pywsgi

from enfilade.config import Config
from enfilade.transport.limits.connections import ConnectionLimiter

log = logging.getLogger(__name__)
_IDLE_SECONDS = 60
"""How long an open connection may wait for its next request, and a body for its next bytes."""
EXTRA_CONNECTIONS = 256
"""Connections above the limit that are accepted in order to be closed, so that others get through."""
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class _TooSlow(BaseException):
    """A connection did not send a request in time. Not an Exception, which pywsgi would answer."""


class SingleUpgradeHandler(pywsgi.WSGIHandler):  # type: ignore[misc]
    """Handles the requests of one connection; an upgrade is the last.

    pywsgi would parse what a WebSocket leaves unread as further requests. It fails on "HTTP/9" and on more
    than 100 headers, and prints a traceback each time. It waits without end for a request that arrives byte
    by byte.
    """

    _has_request = False

    def handle(self) -> None:
        """Handle requests until the connection ends or is too slow."""
        with suppress(_TooSlow):
            super().handle()

    def handle_one_request(self) -> Any:
        """Read and answer one request. Raises _TooSlow if its line and headers do not arrive in time."""
        seconds = _IDLE_SECONDS if self._has_request else self.server.request_seconds
        self._deadline = gevent.Timeout.start_new(seconds, _TooSlow)
        try:
            return super().handle_one_request()
        finally:
            self._deadline.close()

    def read_request(self, raw_requestline: str) -> Any:
        """Read the headers. Raises ValueError if they are invalid."""
        try:
            is_read = super().read_request(raw_requestline)
        except HTTPException as problem:
            raise ValueError(str(problem)) from None
        self._has_request = True
        self._deadline.close()
        return is_read

    def _handle_client_error(self, ex: Exception) -> tuple[str, bytes]:
        log.debug("Invalid request: %s", ex)
        return "400", _BAD_REQUEST

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


class NoDelayServer(pywsgi.WSGIServer):  # type: ignore[misc]
    """A WSGI server without Nagle's algorithm, which delays small responses by up to 40 ms."""

    handler_class = SingleUpgradeHandler
    connection_limiter = ConnectionLimiter(0)
    """Counts the connections; `listen` replaces it."""
    request_seconds = 12
    """How long a new connection may take to send its first request's line and headers."""

    def handle(self, sock: Any, address: Any) -> None:
        """Serve one connection until it has been idle too long; above the limits, close it."""
        with self.connection_limiter.acquire(str(address[0])) as is_allowed:
            if is_allowed:
                sock.settimeout(_IDLE_SECONDS)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                super().handle(sock, address)


class SingleRequestHandler(SingleUpgradeHandler):
    """Handles the single request of a forwarded connection."""

    def finalize_headers(self) -> None:
        """Add the header that ends the connection, unless it is upgraded."""
        super().finalize_headers()
        if not self._connection_upgrade_requested():
            self.response_headers.append((b"Connection", b"close"))

    def handle_one_response(self) -> None:
        """Answer the current request."""
        super().handle_one_response()
        self.close_connection = True


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

    With a socket to a dispatcher, it serves only the connections that the dispatcher forwards.
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
    server.start()
    return server
