"""HTTP routes for bridges without sockets, for uploads and for reads: the socket's envelope and answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from flask import Blueprint, Flask, Response, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from enfilade import errors
from enfilade.errors import BadMessage, EnfiladeError, Forbidden, OtherProcess, RateLimited
from enfilade.i18n import localize
from enfilade.importers import token_picture
from enfilade.importers.untrusted import read_json
from enfilade.messages import dump
from enfilade.messages.load import load_command
from enfilade.play.facts import MAX_LOG
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.runtime.config import Config
from enfilade.scene.model import GM, Seat
from enfilade.transport import strict_json
from enfilade.transport.envelopes import (
    SCENE_COMMANDS,
    command_id,
    command_kind,
    retry_after_seconds,
    to_enfilade_error,
)
from enfilade.transport.http.assets import AssetCache
from enfilade.transport.http.checks import (
    client_address,
    enter_seat,
    guard,
    query_number,
    require_operator,
    require_seat_key,
    whole_numbers,
)
from enfilade.transport.http.foundry import put_scene, put_tokens
from enfilade.transport.http.uploads import Uploads, add_picture, put_map, read_battle, start_battle
from enfilade.transport.limits.connections import UploadMemory
from enfilade.transport.limits.rate import CONNECT, RateLimiter, SeatQuota
from enfilade.transport.metrics import DONE, Metrics
from enfilade.transport.ownership import redirect_target
from enfilade.transport.rooms import Rooms
from enfilade.transport.shards import ALL, LocalTables

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
    errors.OtherProcess: 503,
    EnfiladeError: 500,
}
"""The HTTP status of each error. An error class that is not listed has its parent's status."""

Refusal = tuple[dict[str, Any], int, dict[str, str]]
_IMAGE_TYPES = ("image/png", "image/jpeg", "image/webp")
_YEAR_SECONDS = 365 * 24 * 3600


class Api:
    """The routes under /api/tables that play a table."""

    def __init__(
        self,
        tables: Tables,
        rooms: Rooms,
        limiter: RateLimiter,
        metrics: Metrics,
        config: Config,
        upload_memory: UploadMemory,
        shard: LocalTables = ALL,
    ) -> None:
        self._tables = tables
        self._rooms = rooms
        self._limiter = limiter
        self._metrics = metrics
        self._config = config
        self._shard = shard
        self._assets = AssetCache()
        self._uploads = Uploads(config.limits, upload_memory)

    def blueprint(self) -> Blueprint:
        """Return the routes behind their checks."""
        blueprint = Blueprint("api", __name__)
        require_key = partial(require_seat_key, self._tables.members, self._limiter)
        guard(blueprint, self._config, self._limiter, self._shard, require_key)
        table = "/api/tables/<table_id>"
        blueprint.post("/api/battles")(self.start_battle)
        blueprint.post(f"{table}/commands")(self.command)
        blueprint.post(f"{table}/map")(self.put_map)
        blueprint.post(f"{table}/pictures")(self.add_picture)
        blueprint.get(f"{table}/battle")(self.battle)
        blueprint.post(f"{table}/foundry")(self.put_foundry)
        blueprint.get(f"{table}/scene")(self.scene)
        blueprint.get(f"{table}/facts")(self.facts)
        blueprint.get(f"{table}/overlay")(self.overlay)
        blueprint.get(f"{table}/verdict")(self.verdict)
        blueprint.get(f"{table}/decisions")(self.decisions)
        blueprint.get(f"{table}/focus")(self.focus)
        blueprint.get(f"{table}/matchups")(self.matchups)
        blueprint.get(f"{table}/log")(self.log)
        blueprint.get(f"{table}/assets/<asset_id>")(self.asset)
        return blueprint

    def start_battle(self) -> Any:
        """Create a table with the saved battle in the body. This response alone holds its keys."""
        with self._limiter.auth_attempt(client_address(request)):
            require_operator(request, self._config)
        quota = self._limiter.quota("", GM, client_address(request))  # all who create tables share it
        self._limiter.charge(quota, "scene.set")
        with self._read_upload(quota) as data:
            return dump.plain(start_battle(self._tables, data)), 201

    def command(self, table_id: str) -> Any:
        """Execute the command in the body and return its acknowledgment.

        The GM's `scene.set` and `scene.sync` may be as large as a scene, any other command as a message.
        """
        table, seat, quota = self._enter(table_id)
        if seat.role == "gm" and (request.content_length or 0) > self._config.limits.frame_bytes:
            return self._scene_command(table, seat, quota)
        raw = strict_json.decode(request.get_data(cache=False))
        try:
            self._limiter.charge(quota, command_kind(raw))
            with self._metrics.answers.time(), self._limiter.compute_budget(quota, command_kind(raw)):
                answer = self._rooms.of(table).answer(seat, load_command(raw))
        except Exception as exception:
            problem = to_enfilade_error(exception)
            self._metrics.count_command(command_kind(raw), problem.code)
            self._metrics.count_refusal(problem.code)
            return refuse(problem, command_id(raw))
        self._metrics.count_command(command_kind(raw), DONE)
        return answer

    def _scene_command(self, table: Table, seat: Seat, quota: SeatQuota) -> Any:
        """Execute a command that is larger than a message: it has a whole scene, and the limits of a map."""
        self._limiter.charge(quota, "scene.set")
        with self._read_upload(quota, self._config.limits.scene_bytes) as data:
            raw = read_json(data)
            if command_kind(raw) not in SCENE_COMMANDS:
                request.max_content_length = self._config.limits.frame_bytes
                raise RequestEntityTooLarge
            try:
                answer = self._rooms.of(table).answer(seat, load_command(raw))
            except Exception as exception:
                problem = to_enfilade_error(exception)
                self._metrics.count_command(command_kind(raw), problem.code)
                self._metrics.count_refusal(problem.code)
                return refuse(problem, command_id(raw))
        self._metrics.count_command(command_kind(raw), DONE)
        return answer

    def put_map(self, table_id: str) -> Any:
        """Set the map file in the body as the scene; the result's `notes` list what was left out.

        A picture needs the grid over it: `kind`, `columns`, `rows`, `cell`, `left` and `top`. With
        `grid=gridless` a squared map is used without its cells.
        """
        table, seat, quota = self._enter(table_id)
        if seat.role != "gm":
            raise Forbidden(localize("server.map_needs_gm"))
        self._limiter.charge(quota, "scene.set")
        with self._read_upload(quota) as data:
            return put_map(self._rooms.of(table), data, request.args)

    def add_picture(self, table_id: str) -> Any:
        """Store the picture in the body for a unit, and return its address."""
        table, seat, quota = self._enter(table_id)
        if seat.role != "gm":
            raise Forbidden(localize("server.picture_needs_gm"))
        self._limiter.charge(quota, "token.place")
        with self._read_upload(quota) as data:
            return {"image": add_picture(self._rooms.of(table), data, token_picture(data))}, 201

    def battle(self, table_id: str) -> Response:
        """Return the battle as a file with its pictures, which starts it again at any table."""
        table, seat, quota = self._enter(table_id)
        if seat.role != "gm":
            raise Forbidden(localize("server.battle_needs_gm"))
        self._limiter.charge(quota, "scene.set")
        with self._limiter.compute_budget(quota):
            data = strict_json.encode_bytes(read_battle(self._rooms.of(table)))
        return Response(data, mimetype="application/json")

    def put_foundry(self, table_id: str) -> Any:
        """Import a live Foundry scene from the page that holds the lease with the number `bridge`.

        With `part=tokens` the body has some of the scene's tokens, else the whole scene. `base` is the last
        entry that the scene shows: one that was read before an act moved units does not move them back.
        """
        table, seat, quota = self._enter(table_id)
        if seat.role != "gm":
            raise Forbidden(localize("server.foundry_needs_gm"))
        room, is_whole = self._rooms.of(table), request.args.get("part") != "tokens"
        number = request.args.get("bridge", type=int)
        base = query_number("base", 0, 2**53) if "base" in request.args else None
        room.bridge.check(number)
        self._limiter.charge(quota, "scene.sync" if is_whole else "token.move")
        with self._read_upload(quota) as data:
            room.bridge.check(number)  # the lease may have changed hands during the upload
            return put_scene(room, data, base) if is_whole else put_tokens(room, data)

    def scene(self, table_id: str) -> Any:
        """Return the scene as the key's seat may know it."""
        table, seat, quota = self._enter(table_id)
        self._limiter.charge(quota, CONNECT)
        with self._limiter.compute_budget(quota):
            data = dump.json_bytes(table.snapshot(seat).scene)
        return Response(data, mimetype="application/json")

    def facts(self, table_id: str) -> Any:
        """Return the facts of the key's view, the lines of the token `from`, and the last `log` entries."""
        table, seat, quota = self._enter(table_id)
        entries = whole_numbers(request.args.get("log", "0"))[0]
        if not isinstance(entries, int) or not 0 <= entries <= MAX_LOG:
            raise BadMessage({"log": [localize("server.facts_log", most=MAX_LOG)]})
        self._limiter.charge(quota, CONNECT)
        with self._limiter.compute_budget(quota):
            found = table.facts(seat, request.args.get("from"), entries)
            return Response(dump.json_bytes(found), mimetype="application/json")

    def overlay(self, table_id: str) -> Any:
        """Return the overlay of `token`: all layers, or those in `layers`, separated by commas."""
        table, seat, quota = self._enter(table_id)
        layers = request.args.get("layers")
        body = {"token": request.args.get("token", ""), "layers": layers.split(",") if layers else None}
        command = load_command({"v": 1, "id": "overlay", "kind": "overlay.show", "body": body})
        self._limiter.charge(quota, command.kind)
        with self._limiter.compute_budget(quota, command.kind), self._metrics.overlays.time():
            found = table.overlay(seat, command.body["token"], command.body["layers"])
            return Response(dump.json_bytes(found), mimetype="application/json")

    def verdict(self, table_id: str) -> Any:
        """Return the verdict of `token` on `target`: sight, cover, distance, odds."""
        table, seat, quota = self._enter(table_id)
        body = {name: request.args.get(name, "") for name in ("token", "target")}
        command = load_command({"v": 1, "id": "verdict", "kind": "verdict.ask", "body": body})
        self._limiter.charge(quota, command.kind)
        with self._limiter.compute_budget(quota, command.kind):
            return dump.plain(table.verdict(seat, **command.body))

    def decisions(self, table_id: str) -> Any:
        """Return the decision map of `token`, or its outlook at the cell `at`, like `4,7`."""
        table, seat, quota = self._enter(table_id)
        at, most = request.args.get("at"), request.args.get("most")
        body = {
            "token": request.args.get("token", ""),
            "at": None if at is None else whole_numbers(at),
            "most": None if most is None else whole_numbers(most)[0],
        }
        command = load_command({"v": 1, "id": "decisions", "kind": "decision.ask", "body": body})
        self._limiter.charge(quota, command.kind)
        with self._limiter.compute_budget(quota, command.kind):
            found = table.decisions(seat, **command.body)
            return Response(dump.json_bytes(found), mimetype="application/json")

    def focus(self, table_id: str) -> Any:
        """Return the chance that `attackers`, in order with commas, bring `target` down."""
        table, seat, quota = self._enter(table_id)
        attackers = request.args.get("attackers", "").split(",")
        body = {"target": request.args.get("target", ""), "attackers": attackers}
        command = load_command({"v": 1, "id": "focus", "kind": "focus.ask", "body": body})
        self._limiter.charge(quota, command.kind)
        with self._limiter.compute_budget(quota, command.kind):
            return dump.plain(table.focus(seat, **command.body))

    def matchups(self, table_id: str) -> Any:
        """Return what `answers` (JSON: a key for each choice's ID) would do against each opponent."""
        table, seat, quota = self._enter(table_id)
        body = {"answers": strict_json.decode(request.args.get("answers", "{}"))}
        command = load_command({"v": 1, "id": "matchups", "kind": "matchup.ask", "body": body})
        self._limiter.charge(quota, command.kind)
        with self._limiter.compute_budget(quota):
            return dump.plain(table.matchups(seat, command.body["answers"]))

    def log(self, table_id: str) -> Response:
        """Return the whole log as a verifiable file, for the GM (docs/fair-dice.md)."""
        table, seat, quota = self._enter(table_id)
        if seat.role != "gm":
            raise Forbidden(localize("server.log_needs_gm"))
        self._limiter.charge(quota, CONNECT)
        with self._limiter.compute_budget(quota):  # refuses a seat that has used its compute time up
            lines = table.export_log()
        return Response(self._limiter.charge_stream(quota, lines), mimetype="text/plain")

    def asset(self, table_id: str, asset_id: str) -> Response:
        """Return an image of the table. Its random ID is its key: an img element cannot send another."""
        table = self._tables.find(table_id)
        if table is None:
            raise errors.NotFound(localize("server.no_image"))
        asset = self._assets.get(f"{table_id}/{asset_id}", lambda: table.asset(asset_id))
        if asset.media_type not in _IMAGE_TYPES:
            raise errors.NotFound(localize("server.no_image"))
        response = Response(asset.stream(), mimetype=asset.media_type)
        response.content_length = len(asset.data)
        response.headers["Cache-Control"] = f"public, max-age={_YEAR_SECONDS}, immutable"
        return response

    @contextmanager
    def _read_upload(self, quota: SeatQuota, most: int | None = None) -> Iterator[bytes]:
        """Yield the request's body under the limits for maps, or another largest size."""
        with (
            self._uploads.read(quota, request, most) as data,
            self._limiter.compute_budget(quota, max_ms=self._config.limits.map_ms),
        ):
            yield data

    def _enter(self, table_id: str) -> tuple[Table, Seat, SeatQuota]:
        return enter_seat(self._tables, self._limiter, table_id)


def register_error_handler(app: Flask, metrics: Metrics) -> None:
    """Answer every exception of the app in the published form, and count it."""

    def handle(exception: Exception) -> Refusal:
        body, status, headers = refuse(exception)
        metrics.count_refusal(body["error"]["code"])
        if isinstance(exception, OtherProcess):
            target = redirect_target(exception, request.path, request.query_string.decode("latin-1"))
            status, headers = (307, {"Location": target}) if target else (status, headers)
        return body, status, headers

    app.register_error_handler(Exception, handle)


def refuse(exception: Exception, command_id: str = "") -> Refusal:
    """Return the body, the status and the headers of a failed request's response."""
    if isinstance(exception, HTTPException):
        sentence = exception.description or localize("server.request_failed")
        if isinstance(exception, RequestEntityTooLarge):
            sentence = localize("server.request_too_large", limit=_size(request.max_content_length or 0))
            if request.path.endswith("/commands"):
                sentence = " ".join((sentence, localize("server.scenes_by_http")))
        problem = EnfiladeError(sentence)
        problem.code = exception.name.lower().replace(" ", "-")
        return dump.refusal(command_id, problem), exception.code or 500, {}
    problem = to_enfilade_error(exception)
    status = next(STATUSES[kind] for kind in type(problem).__mro__ if kind in STATUSES)
    headers = {"Retry-After": retry_after_seconds(problem)} if isinstance(problem, RateLimited) else {}
    return dump.refusal(command_id, problem), status, headers


def _size(number: int) -> str:
    return f"{number // 2**20} MiB" if number >= 2**20 else f"{number // 2**10} KiB"
