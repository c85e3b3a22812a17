"""Package the Foundry module: its manifest with download URLs, and a zip of its files.

    python -m enfilade.transport.http.module_package dist https://example.org/releases/download/v0.1.0

writes both into a folder for a release. A server offers them at /foundry/.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from enfilade.config import Config

CODE_FOLDERS = ("scripts/core", "scripts/foundry")
"""The folders of the module's own code. Only a server uses the board page."""

VENDORED = ("vendor/socket.io.esm.min.js",)
_MANIFEST = "module.json"
_EARLIEST_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


def archive_name(manifest: dict[str, Any]) -> str:
    """Return the file name of a version's zip."""
    return f"{manifest['id']}-{manifest['version']}.zip"


def manifest_at(folder: Path, url: str, update_url: str = "") -> dict[str, Any]:
    """Return the manifest for a download from `url`, with updates from `update_url` or from `url` too."""
    manifest: dict[str, Any] = json.loads((folder / _MANIFEST).read_text("utf-8"))
    return {
        **manifest,
        "manifest": f"{update_url or url}/module.json",
        "download": f"{url}/{archive_name(manifest)}",
    }


def build_archive(folder: Path, manifest: dict[str, Any]) -> bytes:
    """Return the zip of a module with a manifest at its root; equal input gives equal bytes.

    All but the manifest is cached, because only the manifest's URLs differ between requests.
    """
    files = tuple((name, (folder / name).stat().st_mtime_ns) for name in module_files(folder, manifest))
    data = io.BytesIO()
    data.write(_zip_files(folder, files))
    with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        _add(archive, _MANIFEST, _manifest_bytes(manifest))
        archive.filelist.insert(0, archive.filelist.pop())  # list the manifest first
    return data.getvalue()


@lru_cache(maxsize=1)
def _zip_files(folder: Path, files: tuple[tuple[str, int], ...]) -> bytes:
    """Return the zip of some files, given as (name, time of the last change)."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, _ in files:
            _add(archive, name, (folder / name).read_bytes())
    return data.getvalue()


def _manifest_bytes(manifest: dict[str, Any]) -> bytes:
    return (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()


def module_files(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Yield the relative paths of the module's files, without its manifest."""
    for part in CODE_FOLDERS:
        yield from sorted(path.relative_to(folder).as_posix() for path in (folder / part).rglob("*.js"))
    yield from VENDORED
    yield from manifest["styles"]
    yield from (language["path"] for language in manifest["languages"])


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EARLIEST_ZIP_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


def write_release(folder: Path, target: Path, url: str, update_url: str = "") -> Path:
    """Write a release, manifest and zip, into a folder; return the path of the zip."""
    manifest = manifest_at(folder, url, update_url)
    target.mkdir(parents=True, exist_ok=True)
    (target / _MANIFEST).write_bytes(_manifest_bytes(manifest))
    path = target / archive_name(manifest)
    path.write_bytes(build_archive(folder, manifest))
    return path


if __name__ == "__main__":
    print(write_release(Config().plugin, Path(sys.argv[1]), *sys.argv[2:4]))
