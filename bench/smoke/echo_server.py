"""The least that a server on Flask-SocketIO can do: send back the bytes it was given to keep.

The transport settings are Enfilade's (WebSocket only, gevent, simple-websocket, no Nagle, raw handlers in
order), the libraries as they come. Prints its port.
"""
# ruff: noqa: E402 - the patch comes before what is patched

from gevent import monkey

monkey.patch_all()

from typing import Any

from flask import Flask
from flask_socketio import SocketIO

from enfilade.transport.wsgi import NoDelayServer


def main() -> None:
    app = Flask(__name__)
    socketio = SocketIO(app, async_mode="gevent", transports=["websocket"], async_handlers=False)
    kept: dict[str, Any] = {}

    def keep(_sid: str, answers: Any) -> None:
        kept.update(answers)

    def command(sid: str, _command: Any) -> Any:
        for update in kept["updates"]:
            socketio.server.emit("update", update, to=sid)
        return kept["ack"]

    socketio.server.on("keep", keep)
    socketio.server.on("command", command)
    server = NoDelayServer(("127.0.0.1", 0), app, log=None)
    server.start()
    print(server.server_port, flush=True)
    server.serve_forever()


main()
