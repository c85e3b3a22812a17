"""The whole server put together, in one place."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Flask
from flask.json.provider import JSONProvider
from flask_socketio import SocketIO

from enfilade.config import Config
from enfilade.play.dice import Chains
from enfilade.play.tables import Tables
from enfilade.rules.registry import gather
from enfilade.rulesets import BUILT_IN
from enfilade.store.seeds import SeedFolder
from enfilade.store.sql import SqlStore
from enfilade.transport import http, strict_json
from enfilade.transport.doors import Doors
from enfilade.transport.pages import pages, secured
from enfilade.transport.passes import Passes
from enfilade.transport.rooms import Rooms
from enfilade.transport.server import PromptServer, hang_up, listen, socket_server
from enfilade.transport.sockets import Sockets

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class App:
    """A server that is ready to listen."""

    flask: Flask
    socketio: SocketIO
    tables: Tables
    rooms: Rooms
    config: Config

    def listen(self) -> PromptServer:
        """Starts to listen; `server_port` of what comes back is the port it got."""
        return listen(self.flask, self.config)


def create_app(config: Config) -> App:
    """Everything a server needs, joined: the tables, the two ways in, the pages."""
    config.data.mkdir(parents=True, exist_ok=True)
    store = SqlStore(config.store_url)
    tables = Tables(store, gather(BUILT_IN), Chains(SeedFolder(config.data / "seeds")))
    flask = _flask(config)
    socketio = socket_server(flask, config)

    def emit(update: dict[str, Any], connections: list[str]) -> None:
        socketio.server.emit("update", update, to=connections)

    rooms = Rooms(emit)
    passes = Passes(store.keys, tables.members)
    sockets = Sockets(tables, rooms, passes, emit, partial(hang_up, socketio))
    sockets.listen(socketio)
    flask.register_blueprint(http.Api(tables, rooms, config).blueprint())
    flask.register_blueprint(Doors(tables, rooms, passes, sockets, config).blueprint())
    flask.register_blueprint(pages(config))
    return App(flask, socketio, tables, rooms, config)


def _flask(config: Config) -> Flask:
    flask = Flask("enfilade", static_folder=None)
    flask.json = _Json(flask)
    flask.config["MAX_CONTENT_LENGTH"] = config.limits.frame_bytes
    flask.after_request(secured)
    http.answer_errors(flask)
    return flask


class _Json(JSONProvider):
    """Flask's JSON by the same functions as the sockets'."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """A value as JSON."""
        return strict_json.encode(obj)

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """The value of a JSON text, read strictly."""
        return strict_json.decode(s)
