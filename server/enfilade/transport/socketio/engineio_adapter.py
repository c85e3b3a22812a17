"""The one module that touches private parts of python-engineio and python-socketio.

Engine.IO chooses its WebSocket and queue classes from a private dictionary, `_async`, without a public way to
replace them. tests/unit/transport/test_engineio_adapter.py fails if another version differs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask_socketio import SocketIO

from enfilade.transport.socketio.outbox import Outbox

_REPLACED = ("websocket", "queue")


def install(engine: Any, *, websocket: Callable[..., Any], queue: Callable[[], Outbox]) -> None:
    """Replace an Engine.IO server's WebSocket and queue classes.

    With these, gevent-websocket is not used even if it is installed. Raises RuntimeError if this version of
    Engine.IO has no such classes.
    """
    classes = getattr(engine, "_async", {})
    if any(name not in classes for name in _REPLACED):
        raise RuntimeError("This version of python-engineio is unsupported; see constraints.txt.")
    engine._async = {**classes, "websocket": websocket, "queue": queue}


def engine_socket_of(handler: Any) -> Any:
    """Return the Engine.IO socket whose bound method `handler` serves a WebSocket."""
    return handler.__self__


def outbox_of(socketio: SocketIO, sid: str) -> Outbox | None:
    """Return the outbox of a Socket.IO connection; None if it has ended."""
    connection = socketio.server.eio.sockets.get(socketio.server.manager.eio_sid_from_sid(sid, "/"))
    return connection.queue if connection is not None and not connection.closed else None
