"""Security headers of every response, and the check of a page's origin."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from flask import Response

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; connect-src 'self' ws: wss:; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def add_security_headers(response: Response) -> Response:
    """Add the security headers that a response does not set itself."""
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def is_allowed_origin(origin: str, environ: Mapping[str, Any], allowed: Collection[str]) -> bool:
    """Return whether a page of `origin` may make the request that `environ` describes.

    Pages of the server's own origin may, and those of the exact origins in `allowed`. Browsers report the
    origin truthfully. Programs send none; their key alone authorizes them. Forwarding headers are ignored:
    behind a proxy with another name or scheme, list the public origin.
    """
    own = f"{environ['wsgi.url_scheme']}://{environ.get('HTTP_HOST', '')}"
    return origin == own or origin in allowed
