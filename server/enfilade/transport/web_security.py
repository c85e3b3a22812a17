"""Security headers of every response, and the check of a page's origin."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from flask import Response, request

_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; connect-src 'self'{sockets}; "
    "base-uri 'none'; form-action 'self'; frame-ancestors {frames}"
)
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?")
SECURITY_HEADERS = {
    "Content-Security-Policy": _POLICY.format(sockets="", frames="'none'"),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def add_security_headers(response: Response) -> Response:
    """Add the security headers that a response does not set itself; no cache keeps keys, scenes and logs."""
    response.headers.setdefault("Content-Security-Policy", policy_for(request.host))
    if request.path.startswith("/api/"):
        response.headers.setdefault("Cache-Control", "no-store")
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def policy_for(host: str, frames: Collection[str] = ()) -> str:
    """Return the policy of a page from `host`: older browsers do not count its sockets as 'self'.

    Only pages of the origins in `frames` may show it in a frame.
    """
    is_name = _HOST.fullmatch(host) is not None
    sockets = f" ws://{host} wss://{host}" if is_name else ""
    return _POLICY.format(sockets=sockets, frames=" ".join(frames) or "'none'")


def is_allowed_origin(origin: str, environ: Mapping[str, Any], allowed: Collection[str]) -> bool:
    """Return whether a page of `origin` may make the request that `environ` describes.

    Pages of the server's own origin may, and those of the exact origins in `allowed`. Browsers report the
    origin truthfully. Programs send none; their key alone authorizes them. Forwarding headers are ignored:
    behind a proxy with another name or scheme, list the public origin.
    """
    own = f"{environ['wsgi.url_scheme']}://{environ.get('HTTP_HOST', '')}"
    return origin == own or origin in allowed
