"""Static files: the start page, the board page, the Foundry module with its manifest, and the contract."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from flask import Blueprint, Response, request, send_file
from werkzeug.exceptions import NotFound

from enfilade.product import product_folder
from enfilade.runtime.config import Config
from enfilade.transport import strict_json
from enfilade.transport.http.module_package import archive_name, build_archive, linked_text, manifest_at
from enfilade.transport.web_security import is_allowed_origin

MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""The file types that are served. They are not guessed: the guess depends on the machine's settings."""

_MAX_ORIGIN_LENGTH = 300


def pages(config: Config) -> Blueprint:
    """Return the routes outside the API."""
    blueprint = Blueprint("pages", __name__)
    folder = config.plugin.resolve()
    route = blueprint.add_url_rule
    route("/", "start", lambda: send_file_in(folder, "start.html"))
    route("/board/", "board", lambda: send_file_in(folder, "vendor/board.html"))
    route("/foundry/<name>", "foundry", lambda name: module_file(config, name))
    route("/foundry/greeting.json", "greeting", lambda: greeting(config))
    schemas = product_folder("schemas").resolve()
    route("/schemas/<path:name>", "schemas", lambda name: send_file_in(schemas, name))
    route("/plugin/<path:name>", "plugin", lambda name: send_file_in(folder, name))
    return blueprint


def module_file(config: Config, name: str) -> Response:
    """Return the Foundry module's manifest, its zip, or a text that the manifest links; else NotFound.

    The manifest's URLs start with the public URL in the settings, else with the request's host.
    """
    folder = config.plugin.resolve()
    try:
        manifest = manifest_at(folder, f"{config.public_url or request.host_url.rstrip('/')}/foundry")
        if name == "module.json":
            return Response(strict_json.encode(manifest), mimetype="application/json")
        if (text := linked_text(name)) is not None:
            return Response(text, mimetype="text/plain")  # browsers show it; they would download Markdown
        if name == archive_name(manifest):
            return Response(build_archive(folder, manifest), mimetype="application/zip")
    except FileNotFoundError:  # the module is not on this machine or not built yet
        pass
    raise NotFound


def greeting(config: Config) -> Response:
    """Return the server's version and whether the page's origin is allowed; any page may read it.

    The module uses it to say why it cannot connect, because browsers hide the reason for a refusal.
    """
    origin = request.headers.get("Origin", "")[:_MAX_ORIGIN_LENGTH]
    body = {
        "version": version("enfilade"),
        "origin": origin,
        "is_allowed": not origin or is_allowed_origin(origin, request.environ, config.origins),
    }
    response = Response(strict_json.encode(body), mimetype="application/json")
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cache-Control"] = "no-store"
    return response


def send_file_in(folder: Path, name: str) -> Response:
    """Return a file in a resolved folder. Raises NotFound outside the folder and for unlisted file types."""
    if "\0" in name:
        raise NotFound
    path = (folder / name).resolve()
    if not path.is_relative_to(folder) or path.suffix not in MEDIA_TYPES or not path.is_file():
        raise NotFound
    return send_file(path, mimetype=MEDIA_TYPES[path.suffix], conditional=True, max_age=0)
