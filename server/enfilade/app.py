"""Build a server from its parts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Flask
from flask.json.provider import JSONProvider
from flask_socketio import SocketIO

from enfilade.play.dice import Chains
from enfilade.play.tables import Tables
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.runtime.config import Config
from enfilade.store.dice_secrets import DiceSecretFolder
from enfilade.store.sql.database import wait_for_database
from enfilade.store.sql.tables import SqlStore
from enfilade.transport import strict_json
from enfilade.transport.activity import Activity
from enfilade.transport.clients import Clients
from enfilade.transport.forecasts import Forecasts
from enfilade.transport.gevent_store import open_store
from enfilade.transport.housekeeping import Housekeeping
from enfilade.transport.http.analysis import AnalysisRoutes
from enfilade.transport.http.api import Api, register_error_handler
from enfilade.transport.http.branches import BranchRoutes
from enfilade.transport.http.health import HealthRoutes
from enfilade.transport.http.membership import MembershipRoutes
from enfilade.transport.http.owlbear import owlbear
from enfilade.transport.http.pages import pages
from enfilade.transport.http.planarally import planarally
from enfilade.transport.limits.connections import ConnectionLimiter, UploadMemory
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.long_jobs import ComputeThread
from enfilade.transport.metrics import Metrics, SliceMeter
from enfilade.transport.ownership import Ownership
from enfilade.transport.rooms import Rooms
from enfilade.transport.rules_diff_jobs import RulesDiffJobs
from enfilade.transport.shards import ALL, LocalTables, Shard
from enfilade.transport.socketio.handlers import SocketHandlers
from enfilade.transport.socketio.parts import PartialCommands
from enfilade.transport.socketio.server import create_socketio, disconnect, emit
from enfilade.transport.tickets import Tickets
from enfilade.transport.web_security import add_security_headers
from enfilade.transport.wsgi import NoDelayServer, listen
from enfilade.webhooks.queue import WebhookQueue

if TYPE_CHECKING:
    from enfilade.webhooks.http import AddressPolicy, WebhookSender


@dataclass(frozen=True)
class App:
    """A server that is ready to listen."""

    flask: Flask
    socketio: SocketIO
    store: SqlStore
    tables: Tables
    rooms: Rooms
    tickets: Tickets
    webhooks: WebhookQueue
    housekeeping: Housekeeping
    slices: SliceMeter
    connections: ConnectionLimiter
    config: Config
    forecasts: Forecasts
    rules_diffs: RulesDiffJobs
    ownership: Ownership | None = None
    """The tables that this process owns in a cluster; None without one."""

    def drain(self) -> None:
        """Hand over the tables of this process before it stops, if it belongs to a cluster."""
        if self.ownership is not None:
            self.ownership.drain()

    def close(self) -> None:
        """End the long computations, publish the last metrics and close the store, after the last request."""
        self.forecasts.close()
        self.rules_diffs.close()
        self.slices.publish()
        self.store.close()

    def listen(self, dispatcher: Any = None) -> NoDelayServer:
        """Start to listen; `server_port` of the result is the port.

        With a socket to a dispatcher, serve only the connections that it forwards.
        """
        if self.config.webhook_hosts:
            self.webhooks.begin()
        self.housekeeping.start()
        self.slices.start()
        return listen(self.flask, self.config, self.connections, dispatcher)


def create_app(config: Config, address_policy: AddressPolicy | None = None, shard: Shard = ALL) -> App:
    """Build a server.

    `address_policy` decides which addresses webhooks may reach; only tests pass one. `shard` names the tables
    of this process.
    """
    config.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    metrics, limiter = Metrics(), RateLimiter(config.limits, offload=ComputeThread().run)
    activity = Activity()
    dice_secrets = DiceSecretFolder(config.data / "seeds")
    store = wait_for_database(
        partial(open_store, config.store_url, metrics, dice_secrets.sync, activity), config.database_seconds
    )
    ownership = _create_ownership(store, config) if config.process else None
    local: LocalTables = ownership or shard
    require_owned = ownership.require_owned if ownership else _accept_any
    rulesets = load_rulesets(BUILT_IN, config.strict)
    tables = Tables(
        store, rulesets, Chains(dice_secrets), config.webhook_hosts, require_owned, config.limits.table_bytes
    )
    flask = _create_flask(config, metrics)
    socketio = create_socketio(flask, config, limiter, metrics)
    emit_update = partial(emit, socketio)
    forecasts = Forecasts(config.dask or str(config.forecast_processes))
    rules_diffs = RulesDiffJobs()
    rooms = Rooms(emit_update, limiter, metrics, activity, forecasts)
    sender = _create_sender(address_policy) if config.webhook_hosts else None
    webhooks = WebhookQueue(tables, store, sender, config.webhook_hosts, rooms.notify_gms, has=local.has)
    tables.listeners.append(webhooks.listener)
    connections = ConnectionLimiter(config.max_connections_per_address, config.limits.connections)
    tickets = Tickets(store.members, tables.members)
    clients = Clients(tables.members, rooms, metrics, emit_update, partial(disconnect, socketio))
    upload_memory = UploadMemory(config.limits)
    parts = PartialCommands(config.limits, upload_memory)
    SocketHandlers(tables, rooms, tickets, clients, limiter, metrics, parts, local).register(socketio)
    for routes in (
        Api(tables, rooms, limiter, metrics, config, upload_memory, local),
        MembershipRoutes(tables, rooms, tickets, clients, limiter, connections, config, local),
        AnalysisRoutes(tables, rules_diffs, limiter, config, local),
        BranchRoutes(tables, rooms, limiter, config, local),
        HealthRoutes(partial(_require_ready, store, ownership), metrics, config),
    ):
        flask.register_blueprint(routes.blueprint())
    flask.register_blueprint(pages(config))
    flask.register_blueprint(owlbear(config))
    flask.register_blueprint(planarally(config))
    housekeeping = Housekeeping(tables, clients, tickets, rooms, store, config.delete_unused_days)
    slices = SliceMeter(metrics)
    if ownership is not None:
        ownership.listeners += [tables.forget, clients.disconnect_table]
        flask.wsgi_app = ownership.refuse_unready(flask.wsgi_app)  # type: ignore[method-assign]
    return App(
        flask,
        socketio,
        store,
        tables,
        rooms,
        tickets,
        webhooks,
        housekeeping,
        slices,
        connections,
        config,
        forecasts,
        rules_diffs,
        ownership,
    )


def _create_ownership(store: SqlStore, config: Config) -> Ownership:
    leases = wait_for_database(partial(store.lease_tables, config.process), config.database_seconds)
    return Ownership(leases, store.set_fences)


def _accept_any(_table: str) -> None:
    """Accept every table: without a cluster the process serves all it is asked for."""


def _require_ready(store: SqlStore, ownership: Ownership | None) -> None:
    """Raise EnfiladeError if the store does not answer, or if this process may serve no table."""
    if ownership is not None:
        ownership.require_ready()
    store.require_ready()


def _create_sender(address_policy: AddressPolicy | None) -> WebhookSender:
    from enfilade.webhooks.http import WebhookSender  # slow to import, and few servers have webhooks

    return WebhookSender(address_policy)


def _create_flask(config: Config, metrics: Metrics) -> Flask:
    flask = Flask("enfilade", static_folder=None)
    flask.json = _StrictJson(flask)
    flask.config["MAX_CONTENT_LENGTH"] = config.limits.frame_bytes
    flask.after_request(add_security_headers)
    register_error_handler(flask, metrics)
    return flask


class _StrictJson(JSONProvider):
    """Flask's JSON by the functions that sockets use."""

    def dumps(self, obj: Any, **_: Any) -> str:
        """Serialize a value."""
        return strict_json.encode(obj)

    def loads(self, s: str | bytes, **_: Any) -> Any:
        """Parse a JSON text strictly."""
        return strict_json.decode(s)
