"""The mod for PlanarAlly: one zip, which a user of PlanarAlly uploads there.

    python -m enfilade.transport.http.planarally dist

writes it into a folder for a release. A server offers it at /planarally/enfilade.pam.
"""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from enfilade.runtime.config import Config

ARCHIVE = "enfilade.pam"
PROGRAM = "vendor/planarally.min.js"
"""The mod's program in one file, which `npm run vendor` builds from the sources."""

_META = "planarally/mod.toml"
_STYLES = ("styles/foundry.css", "styles/tabletop.css", "styles/planarally.css")
_EARLIEST_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


def planarally(config: Config) -> Blueprint:
    """Return the route of the mod."""
    blueprint = Blueprint("planarally", __name__)
    blueprint.add_url_rule(f"/planarally/{ARCHIVE}", "mod", lambda: _send(config.plugin))
    return blueprint


def _send(folder: Path) -> Response:
    try:
        return Response(build_archive(folder), mimetype="application/zip")
    except FileNotFoundError:  # the mod is not on this machine or not built yet
        raise NotFound from None


def build_archive(folder: Path) -> bytes:
    """Return the zip of the mod; equal input gives equal bytes, so that PlanarAlly finds it equal too."""
    styles = b"\n".join((folder / name).read_bytes() for name in _STYLES)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        _add(archive, "mod.toml", (folder / _META).read_bytes())
        _add(archive, "index.js", (folder / PROGRAM).read_bytes())
        _add(archive, "index.css", styles)
    return data.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EARLIEST_ZIP_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


def write_release(folder: Path, target: Path) -> Path:
    """Write the mod into a folder; return its path."""
    target.mkdir(parents=True, exist_ok=True)
    path = target / ARCHIVE
    path.write_bytes(build_archive(folder))
    return path


if __name__ == "__main__":
    print(write_release(Config().plugin, Path(sys.argv[1])))
