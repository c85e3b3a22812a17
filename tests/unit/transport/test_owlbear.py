"""The extension for Owlbear Rodeo: its manifest, and who may show its pages in a frame."""

from __future__ import annotations

import gzip
from importlib.metadata import version
from pathlib import Path

import pytest
import requests

from enfilade.errors import BadInput
from enfilade.runtime.config import load_config

PROGRAM = Path(__file__).parents[3] / "plugin_manifest" / "vendor" / "owlbear.min.js"
MOST_COMPRESSED_BYTES = 150_000
OWLBEAR = "frame-ancestors https://www.owlbear.rodeo https://owlbear.rodeo"


def get(game, path):
    return requests.get(f"{game.url}/{path}", timeout=10)


def test_owlbears_page_may_fetch_the_manifest_and_the_icon(game):
    manifest = get(game, "owlbear/manifest.json")
    assert manifest.json()["version"] == version("enfilade")
    assert len(manifest.json()["name"]) <= 45
    assert len(manifest.json()["description"]) <= 128
    icon = get(game, manifest.json()["icon"].removeprefix("/"))
    assert icon.headers["Content-Type"].startswith("image/svg+xml")
    assert {one.headers["Access-Control-Allow-Origin"] for one in (manifest, icon)} == {"*"}


@pytest.mark.parametrize("of", ["background_url", "popover"])
def test_only_owlbear_may_show_the_extensions_pages_in_a_frame(game, of):
    manifest = get(game, "owlbear/manifest.json").json()
    path = {**manifest, **manifest["action"]}[of]
    page = get(game, f"{path.removeprefix('/')}?obrref=x")
    assert page.status_code == 200
    assert page.headers["Content-Security-Policy"].endswith(OWLBEAR)
    assert "Access-Control-Allow-Origin" not in page.headers


@pytest.mark.parametrize("path", ["", "board/", "plugin/owlbear/action.html", "owlbear/../board.html"])
def test_no_page_may_show_any_other_in_a_frame(game, path):
    assert get(game, path).headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")


def test_other_files_are_not_served(game):
    assert get(game, "owlbear/module.json").status_code == 404


def test_frames_are_set_by_their_origins(monkeypatch):
    monkeypatch.setenv("ENFILADE_FRAMES", "https://a.example, http://b.example:8080")
    assert load_config().frames == ("https://a.example", "http://b.example:8080")


@pytest.mark.parametrize(
    "wrong", ["*", "https://a.example; script-src *", "https://a.example/path", "a.example"]
)
def test_a_frame_that_is_no_origin_is_refused(monkeypatch, wrong):
    monkeypatch.setenv("ENFILADE_FRAMES", wrong)
    with pytest.raises(BadInput, match="ENFILADE_FRAMES"):
        load_config()


def test_the_program_stays_small():
    assert len(gzip.compress(PROGRAM.read_bytes())) < MOST_COMPRESSED_BYTES
