"""The WSGI servers on gevent: one that listens on a port, and one that gets connections from a dispatcher."""

from __future__ import annotations

import logging
import socket
from typing import Any

import gevent
import gevent.socket
from flask import Flask
from gevent import pywsgi

from enfilade.config import Config
from enfilade.transport.limits.connections import ConnectionLimiter

log = logging.getLogger(__name__)
_IDLE_SECONDS = 300


class SingleUpgradeHandler(pywsgi.WSGIHandler):  # type: ignore[misc]
    """Handles the requests of one connection; an upgrade is the last.

    pywsgi would parse what a WebSocket leaves unread as further requests. It also fails on "HTTP/9" and
    prints a traceback each time.
    """

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

    def handle(self, sock: Any, address: Any) -> None:
        """Serve one connection until it has been idle too long; above the address's limit, close it."""
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


def listen(app: Flask, config: Config, dispatcher: Any = None) -> NoDelayServer:
    """Start a server; `server_port` is its port, which the system chose if the configured one is 0.

    With a socket to a dispatcher, it serves only the connections that the dispatcher forwards.
    """
    environ = {"SERVER_NAME": config.host}  # else pywsgi resolves the host's name, which may take seconds
    if dispatcher is None:
        kind, listener = NoDelayServer, (config.host, config.port)
    else:
        dispatcher.setblocking(False)
        kind, listener, environ["SERVER_PORT"] = ForwardedServer, dispatcher, str(config.port)
    server = kind(listener, app, log=None, error_log=log, spawn=config.limits.connections, environ=environ)
    server.connection_limiter = ConnectionLimiter(config.max_connections_per_address)
    server.start()
    return server
