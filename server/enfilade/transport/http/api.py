"""The HTTP way in, for bridges without sockets, uploads and reads: the same envelope, the same answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import HTTPException

from enfilade import errors
from enfilade.config import Config
from enfilade.errors import EnfiladeError, Forbidden, RateLimited
from enfilade.messages import dump
from enfilade.messages.load import load_command
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.scene.seat import Seat
from enfilade.transport import strict_json
from enfilade.transport.answers import to_enfilade_error
from enfilade.transport.http.assets import AssetCache
from enfilade.transport.http.checks import address_of, guard, key_in
from enfilade.transport.http.foundry import put_scene, put_tokens
from enfilade.transport.http.maps import put_map
from enfilade.transport.http.uploads import Uploads
from enfilade.transport.limits.handshakes import seconds_until
from enfilade.transport.limits.rate import CONNECT, RateLimiter, SeatQuota
from enfilade.transport.metrics import DONE, Metrics
from enfilade.transport.rooms import Rooms
from enfilade.transport.shards import ALL, Shard
from enfilade.transport.socketio.handlers import id_in, kind_in

STATUSES: dict[type[EnfiladeError], int] = {
    errors.BadInput: 400,
    errors.BadFile: 422,
    errors.WrongGrid: 422,
    errors.NotFound: 404,
    errors.Forbidden: 403,
    errors.OtherBridge: 409,
    errors.IllegalAct: 422,
    errors.StaleBase: 409,
    errors.OutOfOrder: 409,
    errors.IdReused: 409,
    errors.Busy: 409,
    errors.TooMany: 429,
    errors.RateLimited: 429,
    errors.TooSlow: 422,
    errors.StoreDown: 503,
    EnfiladeError: 500,
}
"""The HTTP status of each error; one that is not named has its parent's."""

Refusal = tuple[dict[str, Any], int, dict[str, str]]
_IMAGES = ("image/png", "image/jpeg", "image/webp")
_NO_IMAGE = "There is no such image at this table."
_YEAR = 365 * 24 * 3600


class Api:
    """The routes under /api."""

    def __init__(
        self,
        tables: Tables,
        rooms: Rooms,
        limiter: RateLimiter,
        metrics: Metrics,
        config: Config,
        shard: Shard = ALL,
    ) -> None:
        self._tables = tables
        self._rooms = rooms
        self._limiter = limiter
        self._metrics = metrics
        self._config = config
        self._shard = shard
        self._pictures = AssetCache()
        self._uploads = Uploads(config.limits)

    def blueprint(self) -> Blueprint:
        """The routes, with the check of origins before each."""
        blueprint = Blueprint("api", __name__)
        guard(blueprint, self._config, self._limiter, self._shard)
        at = "/api/tables/<table_id>"
        blueprint.post(f"{at}/commands")(self.command)
        blueprint.post(f"{at}/map")(self.put_map)
        blueprint.post(f"{at}/foundry")(self.put_foundry)
        blueprint.get(f"{at}/scene")(self.scene)
        blueprint.get(f"{at}/overlay")(self.overlay)
        blueprint.get(f"{at}/verdict")(self.verdict)
        blueprint.get(f"{at}/log")(self.log)
        blueprint.get(f"{at}/assets/<asset_id>")(self.asset)
        return blueprint

    def command(self, table_id: str) -> Any:
        """Does the command in the body; answers as a socket's acknowledgement would."""
        table, seat, quota = self._enter(table_id)
        raw = strict_json.decode(request.get_data(cache=False))
        try:
            self._limiter.charge(quota, kind_in(raw))
            with self._metrics.answers.time(), self._limiter.compute_budget(quota):
                answer = self._rooms.of(table).answer(seat, load_command(raw))
        except Exception as exception:
            problem = to_enfilade_error(exception)
            self._metrics.heard(kind_in(raw), problem.code)
            self._metrics.refused(problem.code)
            return refused(problem, id_in(raw))
        self._metrics.heard(kind_in(raw), DONE)
        return answer

    def put_map(self, table_id: str) -> Any:
        """Reads the map file in the body and sets it as the scene; the notes say what was left out."""
        table, seat, quota = self._enter(table_id)
        if seat.role != "gm":
            raise Forbidden("Only the game master may bring a map.")
        self._limiter.charge(quota, "scene.set")
        with self._uploaded(quota) as data:
            return put_map(self._rooms.of(table), data, request.args.get("name", ""))

    def put_foundry(self, table_id: str) -> Any:
        """Takes a reading of a live Foundry scene from the page whose `bridge` number is given.

        With `part=tokens` the reading holds some tokens alone, else the whole scene.
        """
        table, seat, quota = self._enter(table_id)
        if seat.role != "gm":
            raise Forbidden("Only the game master's page speaks for Foundry.")
        room, is_whole = self._rooms.of(table), request.args.get("part") != "tokens"
        number = request.args.get("bridge", type=int)
        room.bridge.must_be(number)
        self._limiter.charge(quota, "scene.sync" if is_whole else "token.move")
        with self._uploaded(quota) as data:
            room.bridge.must_be(number)  # once more: another page may speak by now
            return put_scene(room, data) if is_whole else put_tokens(room, data)

    def scene(self, table_id: str) -> Any:
        """The scene as this key's seat may know it."""
        table, seat, quota = self._enter(table_id)
        self._limiter.charge(quota, CONNECT)
        with self._limiter.compute_budget(quota):
            told = strict_json.encode(dump.plain(table.snapshot(seat).scene))
        return Response(told, mimetype="application/json")

    def overlay(self, table_id: str) -> Any:
        """The overlay of `token`, of all layers or those in `layers` (with commas)."""
        table, seat, quota = self._enter(table_id)
        layers = request.args.get("layers")
        body = {"token": request.args.get("token", ""), "layers": layers.split(",") if layers else None}
        asked = load_command({"v": 1, "id": "overlay", "kind": "overlay.show", "body": body})
        self._limiter.charge(quota, asked.kind)
        with self._limiter.compute_budget(quota), self._metrics.overlays.time():
            return dump.plain(table.overlay(seat, asked.body["token"], asked.body["layers"]))

    def verdict(self, table_id: str) -> Any:
        """What `token` makes of `target`: seen or not and why, cover, distance, odds."""
        table, seat, quota = self._enter(table_id)
        body = {name: request.args.get(name, "") for name in ("token", "target")}
        asked = load_command({"v": 1, "id": "verdict", "kind": "verdict.ask", "body": body})
        self._limiter.charge(quota, asked.kind)
        with self._limiter.compute_budget(quota):
            return dump.plain(table.verdict(seat, **asked.body))

    def log(self, table_id: str) -> Response:
        """The whole log as a file that can be checked (docs/fair-dice.md): for the game master alone."""
        table, seat, quota = self._enter(table_id)
        if seat.role != "gm":
            raise Forbidden("Only the game master may export the log.")
        self._limiter.charge(quota, CONNECT)
        with self._limiter.compute_budget(quota):  # in its turn, and not while the seat has had its time
            lines = table.export_log()
        return Response(self._limiter.charge_stream(quota, lines), mimetype="text/plain")

    def asset(self, table_id: str, asset_id: str) -> Response:
        """An image of the table. Its random id is its key, as an img element cannot send another."""
        table = self._tables.find(table_id)
        if table is None:
            raise errors.NotFound(_NO_IMAGE)
        picture = self._pictures.of(f"{table_id}/{asset_id}", lambda: table.asset(asset_id))
        if picture.kind not in _IMAGES:
            raise errors.NotFound(_NO_IMAGE)
        response = Response(picture.sent(), mimetype=picture.kind)
        response.content_length = len(picture.data)
        response.headers["Cache-Control"] = f"public, max-age={_YEAR}, immutable"
        return response

    @contextmanager
    def _uploaded(self, quota: SeatQuota) -> Iterator[bytes]:
        """The request's body, as large as a map may be, to be worked on for as long as a map may take."""
        with (
            self._uploads.read(quota, request) as data,
            self._limiter.compute_budget(quota, self._config.limits.map_ms),
        ):
            yield data

    def _enter(self, table_id: str) -> tuple[Table, Seat, SeatQuota]:
        address = address_of(request)
        with self._limiter.auth_attempt(address):
            table, seat = self._tables.enter(table_id, key_in(request))
        return table, seat, self._limiter.quota(table_id, seat, address)


def answer_errors(app: Flask, metrics: Metrics) -> None:
    """Has every error of the app answered in the contract's form, and counted."""

    def answered(exception: Exception) -> Refusal:
        refusal = refused(exception)
        metrics.refused(refusal[0]["error"]["code"])
        return refusal

    app.register_error_handler(Exception, answered)


def refused(exception: Exception, command_id: str = "") -> Refusal:
    """The answer to a request that failed, its HTTP status, and a header that says when to ask again."""
    if isinstance(exception, HTTPException):
        return dump.refusal(command_id, _of_http(exception)), exception.code or 500, {}
    problem = to_enfilade_error(exception)
    status = next(STATUSES[kind] for kind in type(problem).__mro__ if kind in STATUSES)
    again = {"Retry-After": seconds_until(problem)} if isinstance(problem, RateLimited) else {}
    return dump.refusal(command_id, problem), status, again


def _of_http(exception: HTTPException) -> EnfiladeError:
    problem = EnfiladeError(exception.description or "This request cannot be answered.")
    problem.code = exception.name.lower().replace(" ", "-")
    return problem
