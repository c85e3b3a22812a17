"""The least that a server on Flask-SocketIO can do: acknowledge a command and tell all who sit at its table.

The transport settings are Enfilade's (WebSocket only, gevent, simple-websocket, no Nagle, raw handlers in
order), the libraries as they come. `python -m bench.load.echo_server BYTES` pads every update to that size.
Prints its port.
"""
# ruff: noqa: E402 - the patch comes before what is patched

from gevent import monkey

monkey.patch_all()

import sys
from typing import Any

from flask import Flask
from flask_socketio import SocketIO

from enfilade.transport.wsgi import NoDelayServer


def main(size: int) -> None:
    app = Flask(__name__)
    socketio = SocketIO(app, async_mode="gevent", transports=["websocket"], async_handlers=False)
    server, seats = socketio.server, {}

    def connect(sid: str, _environ: Any, auth: dict[str, Any]) -> None:
        seats[sid] = auth["table"]
        server.enter_room(sid, auth["table"])

    def command(sid: str, said: dict[str, Any]) -> dict[str, Any]:
        update = {"v": 1, "table": seats[sid], "kind": "entries", "id": said["id"], "body": "x" * size}
        server.emit("update", update, to=seats[sid])
        return {"ok": True, "id": said["id"]}

    server.on("connect", connect)
    server.on("command", command)
    listening = NoDelayServer(("127.0.0.1", 0), app, log=None)
    listening.start()
    print(listening.server_port, flush=True)
    listening.serve_forever()


main(int(sys.argv[1]))
