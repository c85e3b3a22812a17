"""The whole server put together, in one place."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import gevent
from flask import Flask
from flask.json.provider import JSONProvider
from flask_socketio import SocketIO
from gevent import monkey

from enfilade.config import Config
from enfilade.play.dice.chains import Chains
from enfilade.play.tables import Tables
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.entry import Entry
from enfilade.store.dice_secrets import DiceSecretFolder
from enfilade.store.protocol import StoredReply, TableState
from enfilade.store.sql.group_commit import CommitHooks
from enfilade.store.sql.tables import SqlStore
from enfilade.transport import strict_json
from enfilade.transport.clients import Clients
from enfilade.transport.commit_window import CommitWindow
from enfilade.transport.housekeeping import Housekeeping
from enfilade.transport.http import api
from enfilade.transport.http.health import HealthRoutes
from enfilade.transport.http.membership import MembershipRoutes
from enfilade.transport.http.pages import pages, secured
from enfilade.transport.http.routes import OneWayRule
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.rooms import Rooms
from enfilade.transport.shards import ALL, Shard
from enfilade.transport.socketio.handlers import Sockets
from enfilade.transport.socketio.server import NoDelayServer, emit, hang_up, listen, socket_server
from enfilade.transport.tokens import ConnectionTokens
from enfilade.webhooks.queue import WebhookQueue

if TYPE_CHECKING:
    from enfilade.webhooks.http import AddressPolicy, WebhookSender

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class App:
    """A server that is ready to listen."""

    flask: Flask
    socketio: SocketIO
    tables: Tables
    rooms: Rooms
    connection_tokens: ConnectionTokens
    webhooks: WebhookQueue
    housekeeping: Housekeeping
    config: Config

    def listen(self, front: Any = None) -> NoDelayServer:
        """Starts to listen; `server_port` of what comes back is the port it got.

        With a socket by which a front hands connections over it takes those.
        """
        if self.config.webhook_hosts:
            self.webhooks.begin()
        self.housekeeping.begin()
        return listen(self.flask, self.config, front)


def create_app(config: Config, reach: AddressPolicy | None = None, shard: Shard = ALL) -> App:
    """Everything a server needs, joined: the tables, the two ways in, the pages, the way out.

    `reach` says where the way out may lead; only tests give one. `share` is what this process
    has of the tables.
    """
    config.data.mkdir(parents=True, exist_ok=True)
    metrics, limiter = Metrics(), RateLimiter(config.limits)
    # Where greenlets share the thread, none of them waits for the disk in it.
    shares = monkey.is_module_patched("threading")
    seeds = DiceSecretFolder(config.data / "seeds")
    hooks = CommitHooks(before_commit=seeds.sync)
    if shares:
        hooks = CommitHooks(_in_a_thread, CommitWindow(), seeds.sync)
    store = TimedStore(config.store_url, metrics, hooks)
    tables = Tables(store, load_rulesets(BUILT_IN), Chains(seeds), config.webhook_hosts)
    flask = _flask(config, metrics)
    socketio = socket_server(flask, config, limiter, metrics)
    tell = partial(emit, socketio)
    rooms = Rooms(tell, limiter, metrics)
    poster = _poster(reach) if config.webhook_hosts else None
    webhooks = WebhookQueue(tables, store, poster, config.webhook_hosts, rooms.notify_gms, has=shard.has)
    rooms.heard.append(webhooks.wake)
    connection_tokens = ConnectionTokens(store.members, tables.members)
    clients = Clients(tables.members, rooms, metrics, tell, partial(hang_up, socketio))
    Sockets(tables, rooms, connection_tokens, clients, limiter, metrics, shard).listen(socketio)
    flask.register_blueprint(api.Api(tables, rooms, limiter, metrics, config, shard).blueprint())
    flask.register_blueprint(
        MembershipRoutes(tables, rooms, connection_tokens, clients, limiter, config, shard).blueprint()
    )
    flask.register_blueprint(HealthRoutes(store.require_ready, metrics, config).blueprint())
    flask.register_blueprint(pages(config))
    housekeeping = Housekeeping(clients, connection_tokens, rooms)
    return App(flask, socketio, tables, rooms, connection_tokens, webhooks, housekeeping, config)


def _poster(reach: AddressPolicy | None) -> WebhookSender:
    from enfilade.webhooks.http import (
        WebhookSender,  # with its HTTP client slow to import, and few servers post
    )

    return WebhookSender(reach)


def _in_a_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    done = gevent.get_hub().threadpool.spawn(function, *arguments)
    try:
        return done.get()
    finally:
        done.wait()  # whoever is stopped meanwhile leaves after the thread, which uses what it was given


class TimedStore(SqlStore):
    """The store, with the time it takes to have something on disk."""

    def __init__(self, url: str, metrics: Metrics, hooks: CommitHooks) -> None:
        super().__init__(url, hooks=hooks)
        self._metrics = metrics

    def save(self, kept: TableState, entry: Entry | None, answered: StoredReply | None) -> None:
        """Stores what a command did."""
        with self._metrics.storing.time():
            super().save(kept, entry, answered)


def _flask(config: Config, metrics: Metrics) -> Flask:
    flask = Flask("enfilade", static_folder=None)
    flask.url_rule_class = OneWayRule
    flask.json = _Json(flask)
    flask.config["MAX_CONTENT_LENGTH"] = config.limits.frame_bytes
    flask.after_request(secured)
    api.answer_errors(flask, metrics)
    return flask


class _Json(JSONProvider):
    """Flask's JSON by the same functions as the sockets'."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """A value as JSON."""
        return strict_json.encode(obj)

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """The value of a JSON text, read strictly."""
        return strict_json.decode(s)
