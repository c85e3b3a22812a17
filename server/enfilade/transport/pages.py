"""The files that browsers load: the board page, the module's files, and the headers every answer carries."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, request, send_file
from werkzeug.exceptions import NotFound

from enfilade.config import Config
from enfilade.transport import strict_json
from enfilade.transport.package import archive, archive_name, manifest_at

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
    route("/foundry/<name>", "foundry", lambda name: foundry_file(folder, name))
    route("/plugin/<path:name>", "plugin", lambda name: file_in(folder, name))
    return blueprint


def foundry_file(folder: Path, name: str) -> Response:
    """The module's manifest or its zip, with the address it was asked for at; NotFound for anything else."""
    try:
        manifest = manifest_at(folder, f"{request.host_url}foundry")
        if name == "module.json":
            return Response(strict_json.encode(manifest), mimetype="application/json")
        if name == archive_name(manifest):
            return Response(archive(folder, manifest), mimetype="application/zip")
    except FileNotFoundError:  # the module is not on this machine, or not made yet
        pass
    raise NotFound


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
