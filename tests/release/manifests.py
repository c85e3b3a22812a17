"""Check the manifests of the add-ons by the schemas in schemas/, and the files that they name."""

from __future__ import annotations

import io
import json
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema

SCHEMAS = Path(__file__).parent / "schemas"


def wrong_fields(kind: str, manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each field of a manifest that its schema refuses."""
    schema = json.loads((SCHEMAS / f"{kind}.json").read_text("utf-8"))
    for problem in jsonschema.Draft202012Validator(schema).iter_errors(manifest):
        place = ".".join(map(str, problem.absolute_path)) or "the manifest"
        yield f"{kind}: {place}: {problem.message}"


def wrong_module(manifest: bytes, archive: bytes, version: str) -> Iterator[str]:
    """Yield what is wrong with the Foundry module: its manifest, and its zip beside it."""
    shown = json.loads(manifest)
    yield from wrong_fields("foundry-module", shown)
    if shown.get("version") != version:
        yield f"module.json is of version {shown.get('version')}."
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        names = set(packed.namelist())
        if packed.read("module.json") != manifest:
            yield "The zip's manifest is another than module.json."
    named = [*shown["esmodules"], *shown["styles"], *(one["path"] for one in shown["languages"])]
    yield from (f"The module's zip has no {name}." for name in named if name not in names)


def wrong_mod(archive: bytes, version: str) -> Iterator[str]:
    """Yield what is wrong with the mod for PlanarAlly."""
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        mod = tomllib.loads(packed.read("mod.toml").decode())
        names = set(packed.namelist())
    yield from wrong_fields("planarally-mod", mod)
    if mod.get("mod", {}).get("version") != version:
        yield "mod.toml is of another version."
    yield from (f"The mod has no {name}." for name in ("index.js", "index.css") if name not in names)


def wrong_extension(archive: bytes, version: str) -> Iterator[str]:
    """Yield what is wrong with the extension for Owlbear Rodeo: its manifest, and its files."""
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        manifest = json.loads(packed.read("owlbear/manifest.json"))
        names = set(packed.namelist())
    yield from wrong_fields("owlbear-extension", manifest)
    if manifest.get("version") != version:
        yield "The extension is of another version."
    action = manifest.get("action", {})
    for path in (manifest.get("icon"), manifest.get("background_url"), action.get("popover")):
        if not isinstance(path, str) or path.removeprefix("/") not in names:
            yield f"The extension has no {path}."
