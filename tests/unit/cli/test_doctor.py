"""`enfilade doctor`: each missing part and each wrong setting is named, with what to do."""

from __future__ import annotations

import json
import shutil
import socket
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner

from enfilade.cli.doctor import missing_page_files
from enfilade.cli.main import main
from enfilade.product import product_folder
from enfilade.runtime.config import lock_folder
from tests.unit.transport.conftest import end, launch_game

PAGE_SOURCE = product_folder("plugin_manifest")


@pytest.fixture(autouse=True)
def plain_settings(tmp_path, monkeypatch):
    monkeypatch.setenv("ENFILADE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("ENFILADE_PORT", "0")
    for name in ("PUBLIC_URL", "PROXIES", "HOST", "STORE", "PLUGIN", "OPERATOR_KEY"):
        monkeypatch.delenv(f"ENFILADE_{name}", raising=False)


def examine(*options, code=0):
    """Return the checks by name; several of one name as a list in the order of the report."""
    result = CliRunner().invoke(main, ["doctor", "--json", *options])
    assert result.exit_code == code, result.output
    checks: dict[str, list] = {}
    for check in json.loads(result.stdout):
        checks.setdefault(check["name"], []).append(check)
    return checks


def problems(checks):
    return [check["finding"] for found in checks.values() for check in found if check["state"] == "problem"]


def test_a_sound_installation_has_no_problem_and_nothing_is_created(tmp_path):
    checks = examine()
    assert not problems(checks)
    assert not (tmp_path / "data").exists()


def test_every_problem_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("ENFILADE_PLUGIN", str(tmp_path))
    monkeypatch.setenv("ENFILADE_PROXIES", "1")
    monkeypatch.setenv("ENFILADE_STORE", "postgresql://nobody@127.0.0.1:1/none")
    checks = examine(code=1)
    assert len(problems(checks)) == 4
    assert all(check["advice"] for found in checks.values() for check in found if check["state"] != "good")


def test_a_file_that_the_page_loads_through_another_is_missed(tmp_path):
    plugin = tmp_path / "plugin"
    shutil.copytree(PAGE_SOURCE, plugin)
    assert missing_page_files(plugin) == []
    (plugin / "scripts/core/ui/dom.js").unlink()
    (plugin / "vendor/pixi.min.js").unlink()
    chunk = next((plugin / "vendor").glob("board-later-panels-*.js"))
    chunk.unlink()
    assert set(missing_page_files(plugin)) >= {
        "scripts/core/ui/dom.js",
        "vendor/pixi.min.js",
        f"vendor/{chunk.name}",
    }


def test_a_port_of_another_program_is_a_problem():
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.settimeout(10)
        port = str(other.getsockname()[1])
        checks = examine("--port", port, code=1)
    assert problems(checks) == [f"Cannot listen at 127.0.0.1, port {port}: Address already in use."]


def test_a_folder_in_use_is_named_as_such(tmp_path):
    folder = tmp_path / "data"
    with lock_folder(folder):
        (check,) = examine()["Data folder"]
        assert check["finding"].startswith(f"A server uses {folder}")
    (check,) = examine()["Data folder"]
    assert check["finding"].startswith("No server uses")


def test_a_newer_store_is_a_problem_and_an_old_one_a_note(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    with closing(sqlite3.connect(folder / "enfilade.sqlite")) as store, store:
        store.execute("CREATE TABLE tables (id TEXT)")
    assert examine()["Store"][0]["state"] == "note"
    with closing(sqlite3.connect(folder / "enfilade.sqlite")) as store, store:
        store.execute("CREATE TABLE alembic_version (version_num TEXT)")
        store.execute("INSERT INTO alembic_version VALUES ('9999')")
    assert examine(code=1)["Store"][0]["state"] == "problem"


@pytest.mark.parametrize(
    ("settings", "state", "text"),
    [
        ({"PUBLIC_URL": "https://rules.example.org"}, "problem", "ENFILADE_PROXIES is not set"),
        ({"PROXIES": "1"}, "problem", "ENFILADE_PUBLIC_URL is not set"),
        ({"HOST": "0.0.0.0"}, "note", "without encryption"),
        (
            {"HOST": "0.0.0.0", "PROXIES": "1", "PUBLIC_URL": "https://rules.example.org"},
            "note",
            "without the proxy",
        ),
        ({"PROXIES": "1", "PUBLIC_URL": "https://rules.example.org"}, "note", "ENFILADE_OPERATOR_KEY"),
    ],
)
def test_settings_that_do_not_fit_a_proxy_are_named(monkeypatch, settings, state, text):
    for name, value in settings.items():
        monkeypatch.setenv(f"ENFILADE_{name}", value)
    found = examine(code=1 if state == "problem" else 0)["Network"]
    assert [check["state"] for check in found if text in check["finding"]] == [state]


def test_a_proxy_with_its_settings_is_good(monkeypatch):
    for name, value in {
        "PROXIES": "1",
        "PUBLIC_URL": "https://rules.example.org",
        "OPERATOR_KEY": "k" * 24,
    }.items():
        monkeypatch.setenv(f"ENFILADE_{name}", value)
    assert [check["state"] for check in examine()["Network"]] == ["good"]


def test_a_running_server_is_asked_at_its_public_address(monkeypatch, tmp_path):
    game = launch_game(tmp_path)
    try:
        port = str(game.port)
        for name, value in {"PROXIES": "1", "OPERATOR_KEY": "k" * 24}.items():
            monkeypatch.setenv(f"ENFILADE_{name}", value)
        monkeypatch.setenv("ENFILADE_PUBLIC_URL", f"http://127.0.0.1:{port}")
        checks = examine("--port", port)
        assert "answers at" in checks["Port"][0]["finding"]
        assert checks["Network"][0]["state"] == "good"
        monkeypatch.setenv("ENFILADE_PUBLIC_URL", "http://localhost:1")
        assert "does not answer" in problems(examine("--port", port, code=1))[0]
    finally:
        end(game.process)


def test_invalid_settings_are_refused_with_their_name(monkeypatch):
    monkeypatch.setenv("ENFILADE_PUBLIC_URL", "rules")
    result = CliRunner().invoke(main, ["doctor"])
    assert result.exit_code == 2
    assert "ENFILADE_PUBLIC_URL" in result.output
