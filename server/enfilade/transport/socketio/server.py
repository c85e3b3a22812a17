"""The servers: Flask-SocketIO on gevent and simple-websocket, and a WSGI server that sends at once.

The standard library must be patched by gevent before anything else is imported, and only in the process that
serves: the command line's `serve` begins with `gevent.monkey.patch_all()`. Nothing here patches anything.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable
from functools import partial
from typing import Any

import gevent
import gevent.socket
from engineio import packet as engine_packet
from flask import Flask
from flask_socketio import SocketIO
from gevent import pywsgi
from socketio import packet
from werkzeug.middleware.proxy_fix import ProxyFix

from enfilade.config import Config
from enfilade.transport.http.origins import is_allowed
from enfilade.transport.limits.connections import ConnectionLimiter
from enfilade.transport.limits.handshakes import HandshakeLimitMiddleware
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.socketio.driver import Driver
from enfilade.transport.socketio.outbox import Outbox, text_frame
from enfilade.transport.socketio.packets import StrictPacket

log = logging.getLogger(__name__)
_SILENCE_SECONDS = 300
_REFUSAL_SECONDS = 1
_LIBRARY_LOG = logging.getLogger("enfilade.transport.socketio")
_LIBRARY_LOG.setLevel(logging.ERROR)  # below that a client could fill the log, line by line
_LIBRARY_LOG.addFilter(lambda record: not _is_told_to_end(record.exc_info))


def _is_told_to_end(problem: Any) -> bool:
    """Whether what went wrong is only that the server ends; a command that this broke off is sent again."""
    return bool(problem) and isinstance(problem[1], gevent.GreenletExit)


def socket_server(app: Flask, config: Config, limiter: RateLimiter, metrics: Metrics) -> SocketIO:
    """Socket.IO for the app, over WebSocket only, with each client's messages handled in order."""
    socketio = SocketIO(
        app,
        async_mode="gevent",
        serializer=StrictPacket,
        transports=["websocket"],
        allow_upgrades=False,
        async_handlers=False,
        manage_session=False,
        max_http_buffer_size=config.limits.frame_bytes,
        cors_allowed_origins=lambda origin, environ: is_allowed(origin, environ, config.origins),
        cors_credentials=False,
        logger=_LIBRARY_LOG,
        engineio_logger=_LIBRARY_LOG,
    )
    _harden(socketio.server.eio, config, metrics)
    app.wsgi_app = HandshakeLimitMiddleware(app.wsgi_app, limiter, metrics)  # type: ignore[method-assign]
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=0)  # type: ignore[method-assign]
    return socketio


def _harden(engine: Any, config: Config, metrics: Metrics) -> None:
    """Puts our WebSocket and queue in; so gevent-websocket is not used even where it is installed."""
    engine._async = {
        **engine._async,
        "websocket": partial(Driver, limits=config.limits, on_cut=metrics.cut),
        "queue": partial(Outbox, limits=config.limits, on_cut=metrics.cut),
    }


class SingleUpgradeHandler(pywsgi.WSGIHandler):  # type: ignore[misc]
    """Handles the requests of one connection, of which an upgrade is the last.

    pywsgi would go on and read what a WebSocket left unread as further requests. It also stumbles over
    "HTTP/9", and prints a trace each time.
    """

    def handle_one_response(self) -> None:
        """Answers the request that has been read."""
        super().handle_one_response()
        if self._connection_upgrade_requested():
            self.close_connection = True

    def _check_http_version(self) -> bool:
        try:
            return bool(super()._check_http_version())
        except IndexError:
            return False


class NoDelayServer(pywsgi.WSGIServer):  # type: ignore[misc]
    """A WSGI server whose answers leave at once: Nagle's algorithm holds small ones back for up to 40 ms."""

    handler_class = SingleUpgradeHandler
    crowding = ConnectionLimiter(0)

    def handle(self, sock: Any, address: Any) -> None:
        """Serves one connection, until it has been silent for too long; one too many is closed at once."""
        with self.crowding.acquire(str(address[0])) as has_room:
            if has_room:
                sock.settimeout(_SILENCE_SECONDS)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                super().handle(sock, address)


class SingleRequestHandler(SingleUpgradeHandler):
    """Handles the one request of a connection that was handed over."""

    def finalize_headers(self) -> None:
        """Says that the connection ends here, where it does."""
        super().finalize_headers()
        if not self._connection_upgrade_requested():
            self.response_headers.append((b"Connection", b"close"))

    def handle_one_response(self) -> None:
        """Answers the request that has been read."""
        super().handle_one_response()
        self.close_connection = True


class ForwardedServer(NoDelayServer):
    """A WSGI server of connections that a front hands over."""

    handler_class = SingleRequestHandler

    def do_read(self) -> tuple[Any, Any] | None:
        """The next connection and where it comes from; the end of the front is the end of this server."""
        try:
            said, handed, _, _ = socket.recv_fds(self.socket, 1, 1)
        except BlockingIOError:
            return None
        if not said:
            self.stop_accepting()
            gevent.spawn(self.stop, 1)
            return None
        return _connected(handed[0]) if handed else None


def _connected(handed: int) -> tuple[Any, Any] | None:
    connection = gevent.socket.socket(fileno=handed)
    try:
        return connection, connection.getpeername()
    except OSError:  # gone meanwhile
        connection.close()
        return None


def listen(app: Flask, config: Config, front: Any = None) -> NoDelayServer:
    """A started server; `server_port` is the port it got, which the system chose where the config has 0.

    With a socket by which a front hands connections over it listens to that one alone.
    """
    named = {"SERVER_NAME": config.host}  # else the network is asked for it, which may take seconds
    if front is None:
        kind, where = NoDelayServer, (config.host, config.port)
    else:
        front.setblocking(False)
        kind, where, named["SERVER_PORT"] = ForwardedServer, front, str(config.port)
    server = kind(where, app, log=None, error_log=log, spawn=config.limits.connections, environ=named)
    server.crowding = ConnectionLimiter(config.max_connections_per_address)
    server.start()
    return server


def emit(socketio: SocketIO, update: dict[str, Any], sids: Iterable[str]) -> None:
    """Sends an update to the connections with these ids, written and framed once for all of them."""
    said = StrictPacket(packet.EVENT, data=["update", update]).encode()
    frame = text_frame(f"{engine_packet.MESSAGE}{said}")
    for sid in sids:
        outbox = _outbox(socketio, sid)
        if outbox is not None:
            outbox.send(frame)


def hang_up(socketio: SocketIO, sid: str) -> None:
    """Ends a client's connection at once, without a word; it may come again and will read why it may not."""
    outbox = _outbox(socketio, sid)
    if outbox is not None and outbox.cut:
        outbox.cut()


def turn_away(socketio: SocketIO, sid: str) -> None:
    """Ends the connection of a client that is being refused, once it has had time to read why."""
    outbox = _outbox(socketio, sid)
    if outbox is not None and outbox.cut:
        gevent.spawn_later(_REFUSAL_SECONDS, outbox.cut)


def _outbox(socketio: SocketIO, sid: str) -> Outbox | None:
    connection = socketio.server.eio.sockets.get(socketio.server.manager.eio_sid_from_sid(sid, "/"))
    return connection.queue if connection is not None and not connection.closed else None
