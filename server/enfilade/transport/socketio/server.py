"""The Socket.IO server on gevent and simple-websocket, and what it sends to connections.

gevent must patch the standard library before any other import, and only in a process that serves:
`enfilade.__main__` does that. Nothing here patches anything.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import gevent
from engineio import packet as engine_packet
from flask import Flask
from flask_socketio import SocketIO
from socketio import packet
from werkzeug.middleware.proxy_fix import ProxyFix

from enfilade.errors import BadInput, EnfiladeError, RateLimited
from enfilade.i18n import localize
from enfilade.messages import dump
from enfilade.runtime.config import Config
from enfilade.transport import strict_json
from enfilade.transport.envelopes import retry_after_seconds
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.socketio.driver import Driver
from enfilade.transport.socketio.engineio_adapter import install, outbox_of
from enfilade.transport.socketio.frames import encode_frame
from enfilade.transport.socketio.outbox import Outbox
from enfilade.transport.socketio.packets import StrictPacket
from enfilade.transport.web_security import SECURITY_HEADERS, is_allowed_origin

WsgiApp = Callable[[dict[str, Any], Any], Iterable[bytes]]
SOCKETIO_PATH = "/socket.io"
_STATUSES = {BadInput: "400 Bad Request", RateLimited: "429 Too Many Requests"}
_REFUSAL_SECONDS = 1
_PING_SECONDS, _PONG_SECONDS = 25, 20
_CLUSTER_PING_SECONDS = 4
"""In a cluster a client that only watches notices after twice this time that its process has stopped."""
_UPDATE_START = f'{engine_packet.MESSAGE}{packet.EVENT}["update",'.encode()
"""How each update begins on the wire: the packet types of Engine.IO and Socket.IO, and the event's name."""
_LIBRARY_LOG = logging.getLogger("enfilade.transport.socketio.library")
_LIBRARY_LOG.setLevel(logging.ERROR)  # below that, a client could fill the log
_LIBRARY_LOG.addFilter(lambda record: not _is_shutdown(record.exc_info))


def _is_shutdown(exc_info: Any) -> bool:
    """Return whether an error only means that the server stops; clients send such a command again."""
    return bool(exc_info) and isinstance(exc_info[1], gevent.GreenletExit)


def create_socketio(app: Flask, config: Config, limiter: RateLimiter, metrics: Metrics) -> SocketIO:
    """Add Socket.IO to an app, over WebSocket only, with each client's messages handled in order."""
    socketio = SocketIO(
        app,
        async_mode="gevent",
        serializer=StrictPacket,
        transports=["websocket"],
        allow_upgrades=False,
        async_handlers=False,
        manage_session=False,
        max_http_buffer_size=config.limits.frame_bytes,
        cors_allowed_origins=lambda origin, environ: is_allowed_origin(origin, environ, config.origins),
        cors_credentials=False,
        ping_interval=_CLUSTER_PING_SECONDS if config.process else _PING_SECONDS,
        ping_timeout=_CLUSTER_PING_SECONDS if config.process else _PONG_SECONDS,
        logger=_LIBRARY_LOG,
        engineio_logger=_LIBRARY_LOG,
    )
    install(
        socketio.server.eio,
        websocket=partial(Driver, limits=config.limits, on_cut=metrics.count_disconnect),
        queue=partial(Outbox, limits=config.limits, on_cut=metrics.count_disconnect),
    )
    app.wsgi_app = HandshakeLimitMiddleware(app.wsgi_app, limiter, metrics)  # type: ignore[method-assign]
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=0)  # type: ignore[method-assign]
    return socketio


class HandshakeLimitMiddleware:
    """WSGI middleware that limits handshakes per address before they cost much.

    It also refuses requests to Socket.IO's path that are no WebSocket upgrade: Engine.IO would keep them
    waiting as long polls, a transport that this server does not offer.
    """

    def __init__(self, app: WsgiApp, limiter: RateLimiter, metrics: Metrics) -> None:
        self._app = app
        self._limiter = limiter
        self._metrics = metrics

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer a request."""
        if environ.get("PATH_INFO", "").startswith(SOCKETIO_PATH):
            try:
                self._limiter.charge_handshake(environ.get("REMOTE_ADDR", ""))
                _require_upgrade(environ)
            except (BadInput, RateLimited) as problem:
                return self._refuse(problem, start_response)
        return self._app(environ, start_response)

    def _refuse(self, problem: EnfiladeError, start_response: Any) -> Iterable[bytes]:
        self._metrics.count_refusal(problem.code)
        body = strict_json.encode(dump.refusal("", problem)).encode()
        headers = [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
            *SECURITY_HEADERS.items(),
        ]
        if isinstance(problem, RateLimited):
            headers.append(("Retry-After", retry_after_seconds(problem)))
        start_response(_STATUSES[type(problem)], headers)
        return [body]


def _require_upgrade(environ: dict[str, Any]) -> None:
    """Raise BadInput unless both headers of a WebSocket upgrade are present."""
    options = {option.strip() for option in environ.get("HTTP_CONNECTION", "").lower().split(",")}
    if "upgrade" not in options or environ.get("HTTP_UPGRADE", "").lower() != "websocket":
        raise BadInput(localize("server.websocket_only"))


def emit(socketio: SocketIO, update: dict[str, Any], sids: Iterable[str]) -> None:
    """Send an update to the connections with these IDs; it is encoded and framed once for all."""
    frame = encode_frame(_UPDATE_START, strict_json.encode_bytes(update), b"]")
    for sid in sids:
        outbox = outbox_of(socketio, sid)
        if outbox is not None:
            outbox.send(frame)


def disconnect(socketio: SocketIO, sid: str) -> None:
    """Cut a connection without a message. A client that connects again reads the reason then."""
    outbox = outbox_of(socketio, sid)
    if outbox is not None and outbox.cut:
        outbox.cut()


def disconnect_refused(socketio: SocketIO, sid: str) -> None:
    """Cut the connection of a refused client, after time enough to read the reason."""
    outbox = outbox_of(socketio, sid)
    if outbox is not None and outbox.cut:
        gevent.spawn_later(_REFUSAL_SECONDS, outbox.cut)
