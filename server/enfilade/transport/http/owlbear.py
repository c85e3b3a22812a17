"""The extension for Owlbear Rodeo: its manifest, and the pages that Owlbear shows in frames."""

from __future__ import annotations

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from enfilade.runtime.config import Config
from enfilade.transport.http.pages import send_file_in
from enfilade.transport.web_security import policy_for

_PAGES = ("background.html", "action.html")
_FETCHED = ("manifest.json", "icon.svg")
"""What Owlbear's own page fetches. The paths in the manifest are relative to this server."""


def owlbear(config: Config) -> Blueprint:
    """Return the routes of the extension."""
    blueprint = Blueprint("owlbear", __name__)
    blueprint.add_url_rule("/owlbear/<name>", "owlbear", lambda name: _file(config, name))
    return blueprint


def _file(config: Config, name: str) -> Response:
    if name not in (*_PAGES, *_FETCHED):
        raise NotFound
    response = send_file_in((config.plugin / "owlbear").resolve(), name)
    if name in _FETCHED:
        response.headers["Access-Control-Allow-Origin"] = "*"
    else:
        response.headers["Content-Security-Policy"] = policy_for(request.host, config.frames)
    return response
