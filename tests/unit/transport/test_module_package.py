"""The Foundry module: its manifest, its zip, and a server that offers both."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import zipfile
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import pytest
import requests
from tests.release.manifests import wrong_fields
from tests.unit.transport.conftest import end, launch_game

from enfilade.errors import BadInput
from enfilade.runtime.config import load_config
from enfilade.transport.http import module_package
from enfilade.transport.http.module_package import (
    CODE_FOLDERS,
    LIBRARY,
    LICENSE,
    PROGRAM,
    TEMPLATES,
    build_archive,
    is_program_current,
    linked_text,
    manifest_at,
    write_release,
)

ROOT = Path(__file__).parents[3]
PLUGIN = ROOT / "plugin_manifest"
AT = "https://example.org/releases/download/v9"
MAX_BYTES = 160 * 1024
ADD = module_package._add


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return json.loads((PLUGIN / "module.json").read_text())


@pytest.fixture(scope="module")
def packed() -> zipfile.ZipFile:
    if not (PLUGIN / "vendor").exists():
        pytest.skip("the vendored library is missing: make install")
    assert is_program_current(PLUGIN), "the module's program is older than its sources: make install"
    return zipfile.ZipFile(io.BytesIO(build_archive(PLUGIN, manifest_at(PLUGIN, AT))))


def test_the_manifest_fits_foundry_12_to_14(manifest):
    for one in (manifest, manifest_at(PLUGIN, AT)):
        assert list(wrong_fields("foundry-module", one)) == []


def test_every_path_in_the_manifest_exists(manifest):
    for path in [
        *manifest["esmodules"],
        *manifest["styles"],
        *(one["path"] for one in manifest["languages"]),
    ]:
        assert (PLUGIN / path).is_file(), path


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


def test_the_zip_is_small_and_holds_only_what_foundry_loads_and_the_license(packed, manifest):
    assert packed.testzip() is None
    assert len(packed.fp.getvalue()) < MAX_BYTES  # type: ignore[union-attr]
    assert set(packed.namelist()) == {
        "module.json",
        "LICENSE",
        *manifest["esmodules"],
        *manifest["styles"],
        *(one["path"] for one in manifest["languages"]),
    }
    assert packed.read("LICENSE") == (ROOT / "LICENSE").read_bytes()


def test_the_program_in_the_zip_imports_nothing_and_keeps_the_library_s_license(packed, manifest):
    program = packed.read(manifest["esmodules"][0]).decode()
    assert not re.search(r"""\bimport\s*[("'{*]|\bfrom\s*["']""", program)
    assert "Socket.IO v" in program
    assert "Released under the MIT License." in program


def test_without_the_program_in_one_file_the_zip_holds_sources_that_find_their_imports(tmp_path):
    for part in (*CODE_FOLDERS, "styles", "lang"):
        shutil.copytree(PLUGIN / part, tmp_path / part)
    (tmp_path / "vendor").mkdir()
    for name in ("module.json", LIBRARY, TEMPLATES, LICENSE):
        shutil.copy(PLUGIN / name, tmp_path / name)
    packed = zipfile.ZipFile(io.BytesIO(build_archive(tmp_path, manifest_at(tmp_path, AT))))
    names = set(packed.namelist())
    assert {"LICENSE", LIBRARY, TEMPLATES, "scripts/foundry/main.js"} < names
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
    manifest = {
        "id": "m",
        "version": "1.0.0",
        "esmodules": ["scripts/foundry/b.js"],
        "styles": ["m.css"],
        "languages": [{"path": "en.json"}],
    }
    (tmp_path / "module.json").write_text(json.dumps(manifest))
    for name in (
        "scripts/core/a.js",
        "scripts/foundry/b.js",
        LIBRARY,
        TEMPLATES,
        LICENSE,
        "m.css",
        "en.json",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def test_another_address_changes_only_the_manifest_in_the_zip(small, monkeypatch):
    packed_files = []
    monkeypatch.setattr(module_package, "_add", lambda *added: packed_files.append(added[1]) or ADD(*added))
    for at in (AT, "https://elsewhere.example"):
        made = zipfile.ZipFile(io.BytesIO(build_archive(small, manifest_at(small, at))))
        assert made.namelist()[0] == "module.json"
        assert len(made.namelist()) == 8
        assert made.testzip() is None
        assert json.loads(made.read("module.json"))["manifest"] == f"{at}/module.json"
    assert packed_files[8:] == ["module.json"]


def test_a_changed_file_is_packed_again(small):
    build_archive(small, manifest_at(small, AT))
    (small / "m.css").write_text("changed")
    os.utime(small / "m.css", (1, 1))
    assert (
        zipfile.ZipFile(io.BytesIO(build_archive(small, manifest_at(small, AT)))).read("m.css") == b"changed"
    )


def test_a_program_of_older_sources_stays_out_of_the_zip(small):
    build = small / PROGRAM
    digest = hashlib.sha256()
    for name in ("scripts/core/a.js", "scripts/foundry/b.js", TEMPLATES, LIBRARY):
        digest.update(f"{name}\0{name}\0".encode())  # each file of this module holds its own name
    build.write_text(f"// Sources: {digest.hexdigest()}\nbuilt")
    names = zipfile.ZipFile(io.BytesIO(build_archive(small, manifest_at(small, AT)))).namelist()
    assert names == ["module.json", "LICENSE", "en.json", "m.css", "scripts/foundry/b.js"]
    (small / "scripts/core/a.js").write_text("changed")
    made = zipfile.ZipFile(io.BytesIO(build_archive(small, manifest_at(small, AT))))
    assert made.read("scripts/core/a.js") == b"changed"
    assert made.read("scripts/foundry/b.js") == b"scripts/foundry/b.js"


def test_a_release_is_a_manifest_a_zip_and_what_the_manifest_links(tmp_path, packed):
    path = write_release(PLUGIN, tmp_path, AT)
    texts = ["CHANGELOG.md", "foundry-readme.md"]
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted([path.name, "module.json", *texts])
    with zipfile.ZipFile(path) as made:
        assert made.read("module.json") == (tmp_path / "module.json").read_bytes()


def test_a_server_offers_the_module_with_its_own_address(game, packed):
    offered = requests.get(f"{game.url}/foundry/module.json", timeout=10).json()
    assert list(wrong_fields("foundry-module", offered)) == []
    assert offered["manifest"] == f"{game.url}/foundry/module.json"
    answer = requests.get(offered["download"], timeout=10)
    assert answer.headers["Content-Type"] == "application/zip"
    assert zipfile.ZipFile(io.BytesIO(answer.content)).namelist() == packed.namelist()


@pytest.mark.parametrize("key", ["url", "bugs", "readme", "changelog"])
def test_a_server_offers_what_the_manifest_links(game, key):
    offered = requests.get(f"{game.url}/foundry/module.json", timeout=10).json()
    text = requests.get(offered[key], timeout=10)
    assert text.headers["Content-Type"].startswith("text/plain")
    assert text.text.startswith("# Changes" if key == "changelog" else "# Enfilade in Foundry")


def test_the_address_for_faults_is_a_section_of_the_read_me(manifest):
    heading = manifest_at(PLUGIN, AT)["bugs"].rpartition("#")[2]
    headings = [
        line.lstrip("# ").lower().replace(" ", "-")
        for line in linked_text("foundry-readme.md").decode().splitlines()  # type: ignore[union-attr]
        if line.startswith("#")
    ]
    assert heading in headings


def test_a_release_links_the_project_and_holds_what_it_links(tmp_path, packed):
    project = "https://example.org/enfilade"
    write_release(PLUGIN, tmp_path, AT, "", project)
    made = json.loads((tmp_path / "module.json").read_text())
    assert (made["url"], made["bugs"]) == (project, f"{project}/issues")
    for key in ("readme", "changelog"):
        assert (tmp_path / made[key].removeprefix(f"{AT}/")).is_file()


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
