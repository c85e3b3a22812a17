"""The files that browsers load: the board page, the module's files, and the headers every answer carries."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from flask import Blueprint, Response, request, send_file
from werkzeug.exceptions import NotFound

from enfilade.config import Config
from enfilade.transport import strict_json
from enfilade.transport.http.module_package import archive, archive_name, manifest_at
from enfilade.transport.http.origins import is_allowed

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; connect-src 'self' ws: wss:; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}

KINDS = {
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
"""What is served, and as what; not guessed, as the guess depends on the machine's settings."""

_LONGEST_ORIGIN = 300
_WELCOME = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Enfilade</title>
<h1>Enfilade</h1>
<p>This is an Enfilade server: it knows the rules of miniatures games and tells a virtual tabletop where a
token may go, what it sees and what it can hit.</p>
<p>To play, open the link that the server printed when it started, or the one your game master gave you:
it ends in the name of your table and your key.</p>
</html>
"""


def pages(config: Config) -> Blueprint:
    """The routes of everything that is not the API."""
    blueprint = Blueprint("pages", __name__)
    folder = config.plugin.resolve()
    route = blueprint.add_url_rule
    route("/", "welcome", lambda: Response(_WELCOME, mimetype="text/html"))
    route("/board/", "board", lambda: file_in(folder, "board.html"))
    route("/foundry/<name>", "foundry", lambda name: foundry_file(config, name))
    route("/foundry/greeting.json", "greeting", lambda: greeting(config))
    route("/plugin/<path:name>", "plugin", lambda name: file_in(folder, name))
    return blueprint


def foundry_file(config: Config, name: str) -> Response:
    """The module's manifest or its zip, with the address to get them at; NotFound for anything else.

    The address is the one in the settings, else the one that this was asked for at.
    """
    folder = config.plugin.resolve()
    try:
        manifest = manifest_at(folder, f"{config.public or request.host_url.rstrip('/')}/foundry")
        if name == "module.json":
            return Response(strict_json.encode(manifest), mimetype="application/json")
        if name == archive_name(manifest):
            return Response(archive(folder, manifest), mimetype="application/zip")
    except FileNotFoundError:  # the module is not on this machine, or not made yet
        pass
    raise NotFound


def greeting(config: Config) -> Response:
    """What any page may read before it connects: the server's version, and whether its own origin is let in.

    So a module can say in words why it cannot connect; a browser keeps the reasons of a refusal from it.
    """
    origin = request.headers.get("Origin", "")[:_LONGEST_ORIGIN]
    told = {
        "version": version("enfilade"),
        "origin": origin,
        "is_allowed": not origin or is_allowed(origin, request.environ, config.origins),
    }
    response = Response(strict_json.encode(told), mimetype="application/json")
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cache-Control"] = "no-store"
    return response


def file_in(folder: Path, name: str) -> Response:
    """A file under a resolved folder; raises NotFound for anything outside it or of a kind not served."""
    if "\0" in name:
        raise NotFound
    path = (folder / name).resolve()
    if not path.is_relative_to(folder) or path.suffix not in KINDS or not path.is_file():
        raise NotFound
    return send_file(path, mimetype=KINDS[path.suffix], conditional=True, max_age=0)


def secured(response: Response) -> Response:
    """A response with the headers that keep browsers strict."""
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    return response
