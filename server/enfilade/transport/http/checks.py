"""What stands before every route: whose pages may ask, and with what key."""

from __future__ import annotations

import hmac
from ipaddress import ip_address
from typing import Any

from flask import Blueprint, Request, Response, request

from enfilade.config import Config
from enfilade.errors import Forbidden
from enfilade.messages.load import checked
from enfilade.play.members import hash_secret
from enfilade.transport import strict_json
from enfilade.transport.http.origins import is_allowed
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.shards import Shard

_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
_LONGEST = 300
_TABLES = ("table", "table_id")
"""What routes call the part of an address that names a table."""
_OWN_NAMES = ("localhost", "127.0.0.1", "[::1]")


def guard(blueprint: Blueprint, config: Config, limiter: RateLimiter, shard: Shard) -> None:
    """Has every request to a blueprint come from a page that may use this server, and none too often.

    A request about another process's table is refused: what it did would be told to nobody, and the process
    that has the table would go on from what was before.
    """

    def check_origin() -> None:
        origin = request.headers.get("Origin")
        if origin and not is_allowed(origin, request.environ, config.origins):
            raise Forbidden(
                f"Pages of {origin[:_LONGEST]} may not use this server: whoever runs it would have to "
                "add that to its setting ENFILADE_ORIGINS."
            )

    def open_to_origin(response: Response) -> Response:
        response.vary.add("Origin")
        origin = request.headers.get("Origin")
        if origin in config.origins:
            response.headers["Access-Control-Allow-Origin"] = origin
            response.headers["Access-Control-Allow-Headers"] = "Authorization, Content-Type"
            response.headers["Access-Control-Allow-Methods"] = "GET, POST, DELETE"
        return response

    def check_share() -> None:
        for name, value in (request.view_args or {}).items():
            if name in _TABLES:
                shard.require_local(value)

    blueprint.before_request(check_origin)
    blueprint.before_request(check_share)
    blueprint.before_request(lambda: limiter.ask(address_of(request)))
    blueprint.after_request(open_to_origin)


def address_of(asked: Request) -> str:
    """The address that a request comes from."""
    return asked.remote_addr or ""


def key_in(asked: Request) -> str:
    """The key in `Authorization: Bearer KEY`; raises Forbidden where there is none."""
    given = asked.authorization
    if given is None or given.type != "bearer" or not given.token:
        raise Forbidden("Send your key of the table in the header: Authorization: Bearer KEY.")
    return given.token


def body_of(asked: Request, schema: Any) -> dict[str, Any]:
    """The JSON in a request's body as a schema loads it; raises BadMessage."""
    return checked(schema, strict_json.decode(asked.get_data(cache=False) or b"{}"))


def must_be_operator(asked: Request, operator_key: str) -> None:
    """Raises Forbidden unless a request has the operator's key, or none is set and this machine asks."""
    if operator_key:
        if not hmac.compare_digest(hash_secret(key_in(asked)), hash_secret(operator_key)):
            raise Forbidden("That is not the operator's key.")
    elif not is_own(asked):
        raise Forbidden("From another machine this needs the operator's key: see ENFILADE_OPERATOR_KEY.")


def is_own(asked: Request) -> bool:
    """Whether this machine itself asks.

    A proxy on this machine asks for others, and a page may have given its own name this machine's address:
    neither counts.
    """
    is_forwarded = any(name in asked.headers for name in _FORWARDED)
    host = asked.host if asked.host.endswith("]") else asked.host.rsplit(":", 1)[0]
    return not is_forwarded and host in _OWN_NAMES and _is_loopback(address_of(asked))


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
