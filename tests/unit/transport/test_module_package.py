"""The Foundry module: its manifest, its zip, and a server that offers both."""

from __future__ import annotations

import configparser
import io
import json
import os
import re
import zipfile
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import jsonschema
import pytest
import requests
from tests.unit.transport.conftest import end, launch_game

from enfilade.config import load_config
from enfilade.errors import BadInput
from enfilade.transport.http import module_package
from enfilade.transport.http.module_package import VENDORED, build_archive, manifest_at, write_release

ROOT = Path(__file__).parents[3]
PLUGIN = ROOT / "plugin_manifest"
AT = "https://example.org/releases/download/v9"
MAX_BYTES = 160 * 1024
ADD = module_package._add

TEXT = {"type": "string", "minLength": 1}
PATHS = {"type": "array", "items": {"type": "string", "pattern": r"^[a-z]+/[A-Za-z0-9/._-]+$"}}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,  # no field that a version has dropped, such as `name` or `author`
    "required": ["id", "title", "description", "version", "compatibility", "esmodules", "socket"],
    "properties": {
        "id": {"type": "string", "pattern": "^[a-z][a-z0-9-]*$"},
        "title": TEXT,
        "description": TEXT,
        "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"},
        "authors": {"type": "array", "items": {"type": "object", "required": ["name"]}},
        "license": TEXT,
        "compatibility": {
            "type": "object",
            "additionalProperties": False,
            "required": ["minimum", "verified"],
            "properties": {"minimum": {"const": "12"}, "verified": {"const": "14"}, "maximum": False},
        },
        "esmodules": PATHS,
        "styles": PATHS,
        "languages": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["lang", "name", "path"],
                "properties": {"lang": TEXT, "name": TEXT, "path": TEXT},
            },
        },
        "socket": {"const": True},
        "manifest": {"type": "string", "pattern": r"^https?://.*/module\.json$"},
        "download": {"type": "string", "pattern": r"^https?://.*\.zip$"},
    },
}


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return json.loads((PLUGIN / "module.json").read_text())


@pytest.fixture(scope="module")
def packed() -> zipfile.ZipFile:
    if not (PLUGIN / "vendor").exists():
        pytest.skip("the vendored library is missing: make install")
    return zipfile.ZipFile(io.BytesIO(build_archive(PLUGIN, manifest_at(PLUGIN, AT))))


def test_the_manifest_fits_foundry_12_to_14(manifest):
    jsonschema.validate(manifest, SCHEMA)
    jsonschema.validate(manifest_at(PLUGIN, AT), SCHEMA)


def test_every_path_in_the_manifest_exists(manifest):
    for path in [
        *manifest["esmodules"],
        *manifest["styles"],
        *(one["path"] for one in manifest["languages"]),
    ]:
        assert (PLUGIN / path).is_file(), path


def test_module_program_and_page_have_one_version(manifest):
    program = configparser.ConfigParser(interpolation=None)
    program.read(ROOT / "setup.cfg")
    page = json.loads((ROOT / "package.json").read_text())
    assert manifest["version"] == program["metadata"]["version"] == page["version"]
    assert manifest["id"] == page["name"]


def test_the_download_url_has_the_version_and_the_update_url_has_none(manifest):
    offered = manifest_at(PLUGIN, AT, "https://example.org/releases/latest/download")
    assert offered["download"] == f"{AT}/enfilade-{manifest['version']}.zip"
    assert offered["manifest"] == "https://example.org/releases/latest/download/module.json"


def test_the_zip_has_the_manifest_at_its_root_and_every_listed_file(packed, manifest):
    names = packed.namelist()
    assert names[0] == "module.json"
    assert len(set(names)) == len(names)
    inside = json.loads(packed.read("module.json"))
    assert inside["download"].startswith(AT)
    assert {*inside["esmodules"], *inside["styles"]} <= set(names)


def test_the_zip_is_small_and_holds_only_the_module_and_one_library(packed):
    assert packed.testzip() is None
    assert len(packed.fp.getvalue()) < MAX_BYTES  # type: ignore[union-attr]
    code = r"scripts/(core|foundry)/[\w/-]+\.js|vendor/socket\.io\.esm\.min\.js"
    kinds = rf"module\.json|{code}|styles/\w+\.css|lang/\w+\.json"
    assert [name for name in packed.namelist() if not re.fullmatch(kinds, name)] == []


def test_every_import_in_the_zip_finds_its_file(packed):
    names = set(packed.namelist())
    for name in names:
        if name.startswith("scripts/"):
            code = re.sub(r"/\*.*?\*/", "", packed.read(name).decode(), flags=re.DOTALL)
            for imported in re.findall(r"""from "([^"]+)";|import\("([^"]+)"\)""", code):
                path = "".join(imported)
                assert path.startswith("."), f"{name} imports {path}"
                assert normpath(join(dirname(name), path)) in names, f"{name} imports {path}"


def test_the_same_files_make_the_same_zip(packed):
    again = build_archive(PLUGIN, manifest_at(PLUGIN, AT))
    assert again == packed.fp.getvalue()  # type: ignore[union-attr]


@pytest.fixture
def small(tmp_path) -> Path:
    """A module with one file of each kind."""
    manifest = {"id": "m", "version": "1.0.0", "styles": ["m.css"], "languages": [{"path": "en.json"}]}
    (tmp_path / "module.json").write_text(json.dumps(manifest))
    for name in ("scripts/core/a.js", "scripts/foundry/b.js", VENDORED[0], "m.css", "en.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def test_another_address_changes_only_the_manifest_in_the_zip(small, monkeypatch):
    packed_files = []
    monkeypatch.setattr(module_package, "_add", lambda *added: packed_files.append(added[1]) or ADD(*added))
    for at in (AT, "https://elsewhere.example"):
        made = zipfile.ZipFile(io.BytesIO(build_archive(small, manifest_at(small, at))))
        assert made.namelist()[0] == "module.json"
        assert len(made.namelist()) == 6
        assert made.testzip() is None
        assert json.loads(made.read("module.json"))["manifest"] == f"{at}/module.json"
    assert packed_files[6:] == ["module.json"]


def test_a_changed_file_is_packed_again(small):
    build_archive(small, manifest_at(small, AT))
    (small / "m.css").write_text("changed")
    os.utime(small / "m.css", (1, 1))
    assert (
        zipfile.ZipFile(io.BytesIO(build_archive(small, manifest_at(small, AT)))).read("m.css") == b"changed"
    )


def test_a_release_is_a_manifest_and_a_zip(tmp_path, packed):
    path = write_release(PLUGIN, tmp_path, AT)
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted([path.name, "module.json"])
    with zipfile.ZipFile(path) as made:
        assert made.read("module.json") == (tmp_path / "module.json").read_bytes()


def test_a_server_offers_the_module_with_its_own_address(game, packed):
    offered = requests.get(f"{game.url}/foundry/module.json", timeout=10).json()
    jsonschema.validate(offered, SCHEMA)
    assert offered["manifest"] == f"{game.url}/foundry/module.json"
    answer = requests.get(offered["download"], timeout=10)
    assert answer.headers["Content-Type"] == "application/zip"
    assert zipfile.ZipFile(io.BytesIO(answer.content)).namelist() == packed.namelist()


def test_a_server_offers_nothing_else_there(game):
    for name in ("enfilade-0.0.0.zip", "..%2fmodule.json", "board.html", "scripts"):
        assert requests.get(f"{game.url}/foundry/{name}", timeout=10).status_code == 404


def test_a_server_behind_a_proxy_offers_the_module_at_its_public_address(tmp_path):
    public = "https://rules.example.org"
    game = launch_game(tmp_path, public_url=f"{public}/")
    try:
        headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
        offered = requests.get(f"{game.url}/foundry/module.json", headers=headers, timeout=10).json()
        assert offered["manifest"] == f"{public}/foundry/module.json"
        assert offered["download"].startswith(f"{public}/foundry/enfilade-")
        assert _greeting(game, public)["is_allowed"]
    finally:
        end(game.process)


def test_forwarded_headers_do_not_change_the_address(game):
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
    offered = requests.get(f"{game.url}/foundry/module.json", headers=headers, timeout=10).json()
    assert offered["manifest"] == f"{game.url}/foundry/module.json"


@pytest.mark.parametrize("public", ["rules.example.org", "https://rules.example.org/path", "ftp://a.org"])
def test_an_invalid_address_is_refused_at_start(monkeypatch, public):
    monkeypatch.setenv("ENFILADE_PUBLIC_URL", public)
    with pytest.raises(BadInput, match="ENFILADE_PUBLIC_URL"):
        load_config()


def _greeting(game, origin: str) -> dict[str, Any]:
    answer = requests.get(f"{game.url}/foundry/greeting.json", headers={"Origin": origin}, timeout=10)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    return answer.json()


def test_any_page_can_read_the_servers_version_and_if_it_is_allowed(game, manifest):
    stranger = "https://elsewhere.example"
    outgoing = {"version": manifest["version"], "origin": stranger, "is_allowed": False}
    assert _greeting(game, stranger) == outgoing
    assert _greeting(game, game.url)["is_allowed"]
    refusal = requests.get(f"{game.url}/api/tables/x/seat", headers={"Origin": stranger}, timeout=10)
    assert stranger in refusal.json()["error"]["sentence"]
    assert "ENFILADE_ORIGINS" in refusal.json()["error"]["sentence"]
