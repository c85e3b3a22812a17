"""The mod for PlanarAlly as a server offers it."""

from __future__ import annotations

import io
import tomllib
import zipfile
from importlib.metadata import version

import pytest
import requests

from enfilade.runtime.config import Config
from enfilade.transport.http.planarally import build_archive


def test_a_server_offers_the_mod_with_what_planarally_wants_in_it(game):
    answer = requests.get(f"{game.url}/planarally/enfilade.pam", timeout=10)
    assert answer.headers["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["mod.toml", "index.js", "index.css"]
        meta = tomllib.loads(archive.read("mod.toml").decode())["mod"]
        assert b"initGame" in archive.read("index.js")
    assert meta["version"] == version("enfilade")
    wanted = {"apiSchema", "tag", "name", "version", "author", "shortDescription", "description"}
    assert set(meta) == wanted


def test_an_equal_mod_has_equal_bytes():
    assert build_archive(Config().plugin) == build_archive(Config().plugin)


def test_without_its_program_there_is_no_mod(tmp_path):
    with pytest.raises(FileNotFoundError):
        build_archive(tmp_path)
