"""Package the Foundry module: its manifest with download URLs, and a zip of its files.

    python -m enfilade.transport.http.module_package dist https://example.org/releases/download/v0.1.0

writes both into a folder for a release, with the read-me and the changes that the manifest links; a last
argument is the address of the project, where faults are reported. A server offers them at /foundry/.

The zip holds the module's program as one file, which `npm run vendor` builds from the sources. Without it, or
if the sources changed since, the zip holds the sources: larger, and they run the same.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from enfilade.product import linked_file
from enfilade.runtime.config import Config

CODE_FOLDERS = ("scripts/core", "scripts/foundry", "scripts/tabletop")
"""The folders of the module's own code. Only a server uses the board page."""

LIBRARY = "vendor/socket.io.esm.min.js"
TEMPLATES = "vendor/lit-html.min.js"
PROGRAM = "vendor/foundry.min.js"
"""The module's program in one file. Its first line holds the hash of the sources that it was built from."""

LICENSE = "vendor/LICENSE"
README, CHANGELOG = "foundry-readme.md", "CHANGELOG.md"
"""The texts that the manifest links: how the module is used, and what is new."""

REPORTING = "not-tested"
"""The section of the read-me on what no test has seen yet, and what is worth a report."""
_MANIFEST = "module.json"
_EARLIEST_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


def archive_name(manifest: dict[str, Any]) -> str:
    """Return the file name of a version's zip."""
    return f"{manifest['id']}-{manifest['version']}.zip"


def manifest_at(folder: Path, url: str, update_url: str = "", project: str = "") -> dict[str, Any]:
    """Return the manifest for a download from `url`, with updates from `update_url` or from `url` too.

    `project` is the address of the project, if it has one: then `url` and `bugs` lead there, else to the
    read-me, whose end says what to report and how.
    """
    manifest: dict[str, Any] = json.loads((folder / _MANIFEST).read_text("utf-8"))
    readme = f"{url}/{README}"
    return {
        **manifest,
        "url": project or readme,
        "bugs": f"{project}/issues" if project else f"{readme}#{REPORTING}",
        "readme": readme,
        "changelog": f"{url}/{CHANGELOG}",
        "manifest": f"{update_url or url}/module.json",
        "download": f"{url}/{archive_name(manifest)}",
    }


def linked_text(name: str) -> bytes | None:
    """Return a text that the manifest links: the read-me or the changes; None for any other name."""
    return linked_file(name).read_bytes() if name in (README, CHANGELOG) else None


def build_archive(folder: Path, manifest: dict[str, Any]) -> bytes:
    """Return the zip of a module with a manifest at its root; equal input gives equal bytes.

    All but the manifest is cached, because only the manifest's URLs differ between requests.
    """
    names = [*source_files(folder), LICENSE, *other_files(manifest)]
    if (folder / PROGRAM).is_file():
        names.append(PROGRAM)
    files = tuple((name, (folder / name).stat().st_mtime_ns) for name in names)
    data = io.BytesIO()
    data.write(_zip_files(folder, files, manifest["esmodules"][0]))
    with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        _add(archive, _MANIFEST, _manifest_bytes(manifest))
        archive.filelist.insert(0, archive.filelist.pop())  # list the manifest first
    return data.getvalue()


@lru_cache(maxsize=1)
def _zip_files(folder: Path, files: tuple[tuple[str, int], ...], entry: str) -> bytes:
    """Return the zip of the module's files, given as (name, time of the last change).

    `entry` is the name of the file that Foundry loads first.
    """
    names = [name for name, _ in files if name != PROGRAM]
    packed = {"LICENSE" if name == LICENSE else name: (folder / name).read_bytes() for name in names}
    if is_program_current(folder):
        sources = set(source_files(folder))
        packed = {name: data for name, data in packed.items() if name not in sources}
        packed[entry] = (folder / PROGRAM).read_bytes()
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(packed):
            is_text = name.startswith("lang/")
            _add(archive, name, _without_spaces(packed[name]) if is_text else packed[name])
    return data.getvalue()


def _without_spaces(texts: bytes) -> bytes:
    """Return a JSON file on one line: only people who edit the texts need the others."""
    return json.dumps(json.loads(texts), ensure_ascii=False, separators=(",", ":")).encode()


def is_program_current(folder: Path) -> bool:
    """Return whether the program in one file was built from the sources as they are."""
    try:
        with (folder / PROGRAM).open("rb") as file:
            first = file.readline(200)
    except FileNotFoundError:
        return False
    digest = hashlib.sha256()
    for name in sorted(source_files(folder)):  # vendor.mjs hashes them in the same way
        digest.update(name.encode() + b"\0" + (folder / name).read_bytes() + b"\0")
    return digest.hexdigest().encode() in first


def _manifest_bytes(manifest: dict[str, Any]) -> bytes:
    return (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()


def source_files(folder: Path) -> Iterator[str]:
    """Yield the relative paths of the module's own code and of its library."""
    for part in CODE_FOLDERS:
        yield from sorted(path.relative_to(folder).as_posix() for path in (folder / part).rglob("*.js"))
    yield LIBRARY
    yield TEMPLATES


def other_files(manifest: dict[str, Any]) -> Iterator[str]:
    """Yield the relative paths of the module's styles and languages."""
    yield from manifest["styles"]
    yield from (language["path"] for language in manifest["languages"])


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EARLIEST_ZIP_DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


def write_release(folder: Path, target: Path, url: str, update_url: str = "", project: str = "") -> Path:
    """Write a release into a folder: manifest, zip, read-me and changes; return the path of the zip."""
    manifest = manifest_at(folder, url, update_url, project)
    target.mkdir(parents=True, exist_ok=True)
    (target / _MANIFEST).write_bytes(_manifest_bytes(manifest))
    for name in (README, CHANGELOG):
        (target / name).write_bytes(linked_file(name).read_bytes())
    path = target / archive_name(manifest)
    path.write_bytes(build_archive(folder, manifest))
    return path


if __name__ == "__main__":
    print(write_release(Config().plugin, Path(sys.argv[1]), *sys.argv[2:5]))
