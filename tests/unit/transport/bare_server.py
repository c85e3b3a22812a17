"""The transport without tables: echoes commands, floods on demand, and reports its memory.

Its garbage collector is off, so that it can count the connections that are not freed.

`python -m tests.unit.transport.bare_server [stock-writes]` prints its port. With `stock-writes` it writes
frames as simple-websocket does, to show the fault that the outbox prevents.
"""
# ruff: noqa: E402 - the patch comes before what is patched

from gevent import monkey

monkey.patch_all()

import gc
import resource
import sys
from typing import Any

import gevent
from flask import Flask

from enfilade.runtime import config
from enfilade.transport.limits.connections import ConnectionLimiter
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.socketio import outbox
from enfilade.transport.socketio.driver import Connection
from enfilade.transport.socketio.server import create_socketio
from enfilade.transport.wsgi import listen


def main() -> None:
    gc.disable()
    settings = config.config_from_environment()
    app = Flask(__name__)
    socketio = create_socketio(app, settings, RateLimiter(settings.limits), Metrics())
    if "stock-writes" in sys.argv:
        outbox.Outbox.send = _send_once
    _register(socketio.server)
    server = listen(app, settings, ConnectionLimiter(0))
    print(server.server_port, flush=True)
    server.serve_forever()


def _send_once(box: outbox.Outbox, data: bytes) -> None:
    if box._socket is None:
        box._enqueue(data)
    else:
        box._socket.send(data)


def _register(server: Any) -> None:
    floods = []

    def flood(sid: str, wanted: dict[str, int]) -> str:
        floods.append(sid)
        for number in range(wanted["packets"]):
            server.emit("update", {"number": number, "filling": "x" * wanted["size"]}, to=[sid])
        return "flooded"

    def unevenly(_sid: str, number: int) -> int:
        for _ in range(number % 3):
            gevent.idle()
        return number

    server.on("connect", lambda *_: None)
    server.on("command", lambda _sid, *arguments: list(arguments))
    server.on("flood", flood)
    server.on("unevenly", unevenly)
    server.on("memory", lambda _sid: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    server.on("floods", lambda _sid: len(floods))
    server.on("connections", lambda _sid: sum(isinstance(one, Connection) for one in gc.get_objects()))
    server.on("*", lambda *_: "unusable")


main()
