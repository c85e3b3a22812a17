"""Which pages may speak to this server: its own, and those of the origins in the settings, exactly.

A page's origin is what the browser says it is; a program without one is not held back here, only by its key.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def is_allowed(origin: str, environ: Mapping[str, Any], allowed: Collection[str]) -> bool:
    """Whether a page of `origin` may make the request that `environ` describes.

    Forwarding headers are not looked at: behind a proxy with another name or scheme, list the public origin.
    """
    own = f"{environ['wsgi.url_scheme']}://{environ.get('HTTP_HOST', '')}"
    return origin == own or origin in allowed
