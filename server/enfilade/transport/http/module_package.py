"""The Foundry module as a package: its manifest with the addresses to get it from, and a zip of its files.

    python -m enfilade.transport.http.module_package dist https://example.org/releases/download/v0.1.0

writes both into a folder for a release; a server offers them itself at /foundry/.
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

CODE = ("scripts/core", "scripts/foundry")
"""The folders of the module's own code; the board page is a server's alone."""

VENDORED = ("vendor/socket.io.esm.min.js",)
_MANIFEST = "module.json"
_OLDEST = (1980, 1, 1, 0, 0, 0)


def archive_name(manifest: dict[str, Any]) -> str:
    """The name of a version's zip."""
    return f"{manifest['id']}-{manifest['version']}.zip"


def manifest_at(folder: Path, at: str, latest: str = "") -> dict[str, Any]:
    """The manifest, for a module that is offered at an address, and its updates at `latest` or there too."""
    manifest: dict[str, Any] = json.loads((folder / _MANIFEST).read_text("utf-8"))
    return {
        **manifest,
        "manifest": f"{latest or at}/module.json",
        "download": f"{at}/{archive_name(manifest)}",
    }


def archive(folder: Path, manifest: dict[str, Any]) -> bytes:
    """The zip of a module with that manifest at its root; the same bytes for the same files.

    Only the manifest differs from one to the next, by the address that it is offered at: the rest is kept.
    """
    files = tuple((name, (folder / name).stat().st_mtime_ns) for name in files_of(folder, manifest))
    kept = io.BytesIO()
    kept.write(_packed(folder, files))
    with zipfile.ZipFile(kept, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        _put(packed, _MANIFEST, _written(manifest))
        packed.filelist.insert(0, packed.filelist.pop())  # it is listed first
    return kept.getvalue()


@lru_cache(maxsize=1)
def _packed(folder: Path, files: tuple[tuple[str, int], ...]) -> bytes:
    """The zip of some files, each named with the time of its last change."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, _ in files:
            _put(packed, name, (folder / name).read_bytes())
    return kept.getvalue()


def _written(manifest: dict[str, Any]) -> bytes:
    return (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()


def files_of(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """The files of the module beside its manifest, by their paths in it."""
    for part in CODE:
        yield from sorted(path.relative_to(folder).as_posix() for path in (folder / part).rglob("*.js"))
    yield from VENDORED
    yield from manifest["styles"]
    yield from (language["path"] for language in manifest["languages"])


def _put(packed: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _OLDEST)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    packed.writestr(entry, data)


def write(folder: Path, into: Path, at: str, latest: str = "") -> Path:
    """Writes a release into a folder: the manifest, and the zip whose path is given back."""
    manifest = manifest_at(folder, at, latest)
    into.mkdir(parents=True, exist_ok=True)
    (into / _MANIFEST).write_bytes(_written(manifest))
    path = into / archive_name(manifest)
    path.write_bytes(archive(folder, manifest))
    return path


if __name__ == "__main__":
    print(write(Config().plugin, Path(sys.argv[1]), *sys.argv[2:4]))
