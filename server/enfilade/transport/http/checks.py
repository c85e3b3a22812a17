"""Checks before each route: the page's origin, the table's process, the key, and what the request says."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from flask import Blueprint, Request, Response, request

from enfilade.errors import BadMessage, EnfiladeError, Forbidden, RateLimited
from enfilade.i18n import localize
from enfilade.messages.load import checked
from enfilade.play.members import Members, hash_secret
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.runtime.config import Config
from enfilade.scene.model import SPECTATOR, Seat
from enfilade.transport import strict_json
from enfilade.transport.limits.connections import is_loopback
from enfilade.transport.limits.rate import RateLimiter, SeatQuota
from enfilade.transport.ownership import PROCESS_ARGUMENT
from enfilade.transport.shards import LocalTables
from enfilade.transport.web_security import is_allowed_origin

_PROXY_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
_MAX_ORIGIN_LENGTH = 300
_TABLE_ARGUMENTS = {"table", "table_id"}
"""The names of the URL parameters that hold a table's ID."""
_LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")


def guard(
    blueprint: Blueprint,
    config: Config,
    limiter: RateLimiter,
    shard: LocalTables,
    require_key: Callable[[str], object],
    anywhere: Collection[str] = (),
) -> None:
    """Check the origin, the address's rate limit and the table's process before each route.

    A request with a valid key passes the address's limit, which strangers in the same network may use up.

    A request about another process's table is refused. Its effect would reach no connection, and the process
    that serves the table would continue from the state before it. `require_key` gets the table and raises
    Forbidden if the request has no valid key to it. Every process answers the routes named in `anywhere`.
    """

    def check_origin() -> None:
        origin = request.headers.get("Origin")
        if origin and not is_allowed_origin(origin, request.environ, config.origins):
            raise Forbidden(localize("server.origin_not_allowed", origin=origin[:_MAX_ORIGIN_LENGTH]))

    def check_shard() -> None:
        arguments = request.view_args or {}
        # A preflight request must not be redirected.
        is_exempt = request.method == "OPTIONS" or request.endpoint in anywhere
        for name in () if is_exempt else arguments.keys() & _TABLE_ARGUMENTS:
            named = request.args.get(PROCESS_ARGUMENT, "")
            shard.require_local(arguments[name], partial(require_key, arguments[name]), named)

    def add_cors_headers(response: Response) -> Response:
        response.vary.add("Origin")
        origin = request.headers.get("Origin")
        if origin in config.origins:
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Access-Control-Allow-Headers"] = "Authorization, Content-Type"
            response.headers["Access-Control-Allow-Methods"] = "GET, POST, DELETE"
        return response

    blueprint.before_request(check_origin)
    blueprint.before_request(partial(_check_rate, limiter, require_key))
    blueprint.before_request(check_shard)
    blueprint.after_request(add_cors_headers)


def _check_rate(limiter: RateLimiter, require_key: Callable[[str], object]) -> None:
    """Charge the address for a request. Raises RateLimited, unless the request has the key of a seat."""
    try:
        limiter.charge_request(client_address(request))
    except RateLimited:
        arguments = request.view_args or {}
        tables = [arguments[name] for name in arguments.keys() & _TABLE_ARGUMENTS]
        try:
            for table in tables:
                require_key(table)
        except EnfiladeError:
            tables = []
        if not tables:
            raise


def require_seat_key(members: Members, limiter: RateLimiter, table: str) -> None:
    """Raise Forbidden unless the request has the key of a seat at a table; RateLimited after wrong keys."""
    with limiter.auth_attempt(client_address(request)):
        members.seated_member(table, bearer_key(request))


def enter_seat(tables: Tables, limiter: RateLimiter, table_id: str) -> tuple[Table, Seat, SeatQuota]:
    """Return the table of a request, the seat of its key and that seat's quota.

    A read with `as=spectator` gets what a spectator may know, which every seat may: a GM saves a log for the
    players with it. Raises Forbidden; RateLimited after wrong keys; BadMessage for another `as`.
    """
    address = client_address(request)
    with limiter.auth_attempt(address):
        table, seat = tables.enter(table_id, bearer_key(request))
    quota = limiter.quota(table_id, seat, address)
    wanted = request.args.get("as") if request.method == "GET" else None
    if wanted not in (None, "spectator"):
        raise BadMessage({"as": [localize("server.read_as")]})
    return table, SPECTATOR if wanted else seat, quota


def client_address(incoming: Request) -> str:
    """Return the address that a request comes from."""
    return incoming.remote_addr or ""


def bearer_key(incoming: Request) -> str:
    """Return the key in `Authorization: Bearer KEY`. Raises Forbidden if there is none."""
    header = incoming.authorization
    if header is None or header.type != "bearer" or not header.token:
        raise Forbidden(localize("server.missing_key"))
    return header.token


def load_body(incoming: Request, schema: Any) -> dict[str, Any]:
    """Return a request's JSON body as a schema loads it. Raises BadMessage."""
    return checked(schema, strict_json.decode(incoming.get_data(cache=False) or b"{}"))


def query_number(name: str, least: int, most: int, default: int = -1) -> int:
    """Return a whole number of the request's query. Raises BadMessage."""
    (value, *_) = whole_numbers(request.args.get(name, str(default)))
    if not isinstance(value, int) or not least <= value <= most:
        raise BadMessage({name: [localize("server.bad_number", least=least, most=most)]})
    return value


def whole_numbers(text: str) -> list[int | str]:
    """Return numbers separated by commas; what is no number stays a text, which the schema refuses."""
    return [
        int(part) if part.removeprefix("-").isascii() and part.removeprefix("-").isdigit() else part
        for part in text[:40].split(",")
    ]


def require_operator(incoming: Request, config: Config) -> None:
    """Raise Forbidden unless the request has the operator's key, or none is set and it is local."""
    if config.operator_key:
        if not hmac.compare_digest(hash_secret(bearer_key(incoming)), hash_secret(config.operator_key)):
            raise Forbidden(localize("server.wrong_operator_key"))
    elif not is_local(incoming, config):
        raise Forbidden(localize("server.operator_key_needed"))


def is_local(incoming: Request, config: Config) -> bool:
    """Return whether this machine itself sent a request.

    Not if a proxy on this machine forwards it, or if a page reached this machine's address under a host name
    of its own (DNS rebinding). With a proxy or a public URL in the configuration no request counts as local,
    because a proxy may rewrite the host and leave out its own headers.
    """
    if config.proxies or config.public_url:
        return False
    is_forwarded = any(name in incoming.headers for name in _PROXY_HEADERS)
    host = incoming.host if incoming.host.endswith("]") else incoming.host.rsplit(":", 1)[0]
    return not is_forwarded and host in _LOCAL_NAMES and is_loopback(client_address(incoming))
