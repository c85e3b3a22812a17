"""The transport alone, without tables: echoes commands, floods on demand, tells how much memory it took.

It collects no garbage, so that it can tell which connections are still held.

`python bare_server.py [stock-writes]` prints its port. With `stock-writes` frames are written as
simple-websocket writes them, to show what the transport is protected from.
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

from enfilade import config
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
        outbox.Outbox.send = _send_a_part
    _register(socketio.server)
    server = listen(app, settings)
    print(server.server_port, flush=True)
    server.serve_forever()


def _send_a_part(box: outbox.Outbox, data: bytes) -> None:
    if box._socket is None:
        box._enqueue(data)
    else:
        box._socket.send(data)


def _register(server: Any) -> None:
    def flood(sid: str, wish: dict[str, int]) -> str:
        for number in range(wish["packets"]):
            server.emit("update", {"number": number, "filling": "x" * wish["size"]}, to=[sid])
        return "flooded"

    def unevenly(_sid: str, number: int) -> int:
        gevent.sleep(0.003 * (number % 3))
        return number

    server.on("connect", lambda *_: None)
    server.on("command", lambda _sid, *arguments: list(arguments))
    server.on("flood", flood)
    server.on("unevenly", unevenly)
    server.on("memory", lambda _sid: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    server.on("held", lambda _sid: sum(isinstance(one, Connection) for one in gc.get_objects()))
    server.on("*", lambda *_: "unusable")


main()
