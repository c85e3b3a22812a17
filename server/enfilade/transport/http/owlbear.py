"""The extension for Owlbear Rodeo: its manifest, and the pages that Owlbear shows in frames.

    python -m enfilade.transport.http.owlbear dist

writes it as a zip into a folder for a release: for a site of its own, whose root holds the zip's folders. A
server offers it at /owlbear/manifest.json.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from enfilade.runtime.config import Config
from enfilade.transport.http.pages import send_file_in
from enfilade.transport.web_security import policy_for

_PAGES = ("background.html", "action.html")
_FETCHED = ("manifest.json", "icon.svg")
"""What Owlbear's own page fetches. The paths in the manifest are relative to this server."""

_LOADED = ("vendor/owlbear.min.js", "vendor/LICENSES.txt", "styles/foundry.css", "styles/tabletop.css")
"""What the pages load from /plugin/, beside the languages."""


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


def write_release(folder: Path, target: Path) -> Path:
    """Write the extension's zip into a folder; return its path."""
    target.mkdir(parents=True, exist_ok=True)
    manifest = json.loads((folder / "owlbear/manifest.json").read_text("utf-8"))
    path = target / f"enfilade-owlbear-{manifest['version']}.zip"
    languages = sorted(one.relative_to(folder).as_posix() for one in (folder / "lang").glob("*.json"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in (*_FETCHED, *_PAGES):
            archive.write(folder / "owlbear" / name, f"owlbear/{name}")
        for name in (*_LOADED, *languages):
            archive.write(folder / name, f"plugin/{name}")
    return path


if __name__ == "__main__":
    print(write_release(Config().plugin, Path(sys.argv[1])))
