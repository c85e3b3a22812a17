"""The data folder of a server: its links, its lock, its modes, its journal."""

from __future__ import annotations

import errno
import io
import os
import socket
import sqlite3
from contextlib import closing

import msgspec
import pytest
from click.testing import CliRunner

from enfilade.app import create_app
from enfilade.cli.main import main
from enfilade.cluster import serve
from enfilade.errors import BadFile, BadInput
from enfilade.play.tables import Links
from enfilade.runtime.config import Config, lock_folder
from enfilade.store.sql import database
from tests import fork_server
from tests.example import FIRST_BLOOD

OWNER_ONLY = 0o600


class FullWhenWritten(io.BytesIO):
    """A file that can be created on a full disk, and fails once it has content."""

    def fileno(self):
        return 0

    def flush(self):
        if self.tell():
            raise OSError(errno.ENOSPC, "No space left on device")


class FullDisk(io.FileIO):
    """A file on a full disk."""

    def write(self, _data):
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def app(tmp_path):
    app = create_app(Config(data=tmp_path))
    yield app
    app.close()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "links.json"


def test_links_survive_a_restart_and_only_their_owner_can_read_them(app, file):
    links = serve.demo_links(app)
    assert serve.demo_links(app) == links
    assert file.stat().st_mode & 0o777 == OWNER_ONLY
    assert not list(file.parent.glob("*.part"))


def test_a_ruleset_of_another_package_gets_a_demo_table_that_outlives_its_absence(app, monkeypatch):
    known = dict(app.tables.rulesets)
    monkeypatch.setattr(app.tables, "rulesets", {**known, FIRST_BLOOD.key: FIRST_BLOOD})
    links = serve.demo_links(app)
    table, _ = app.tables.enter(links["first_blood"].table, links["first_blood"].gm_key)
    assert {token.side for token in table.scene.on_board()} == {"blue", "red"}
    assert len({token.at for token in table.scene.on_board()}) == len(table.scene.tokens) > 2
    monkeypatch.setattr(app.tables, "rulesets", known)
    assert serve.demo_links(app)["first_blood"] == links["first_blood"]


def test_a_failed_write_keeps_the_old_links(app, file, monkeypatch):
    known = msgspec.json.encode({"coup_de_grace": Links(table="t", gm_key="k", spectator_key="s")})
    file.write_bytes(known)
    monkeypatch.setattr(serve, "open", FullDisk, raising=False)
    with pytest.raises(BadFile, match=r"Cannot write .* No space left"):
        serve.demo_links(app)
    assert file.read_bytes() == known


@pytest.mark.parametrize("content", [b"", b'{"coup_de_grace": 1}', b"\xff"])
def test_unreadable_links_are_reported_and_kept(app, file, content):
    file.write_bytes(content)
    with pytest.raises(BadFile, match=r"Cannot read .*links\.json: .* creates new demo tables"):
        serve.demo_links(app)
    assert file.read_bytes() == content


def test_a_second_server_on_the_same_folder_is_refused(tmp_path):
    second = lock_folder(tmp_path)
    with lock_folder(tmp_path), pytest.raises(BadInput, match="Another Enfilade server uses"), second:
        pass
    with lock_folder(tmp_path):
        pass


def test_the_command_refuses_a_folder_in_which_a_server_runs(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(serve, "run", lambda *_: started.append("run"))
    with lock_folder(tmp_path):
        second = CliRunner().invoke(main, ["serve", "--port", "0", "--data", str(tmp_path)])
    assert (second.exit_code != 0, started) == (True, [])
    assert "Another Enfilade server uses" in second.output
    assert CliRunner().invoke(main, ["serve", "--port", "0", "--data", str(tmp_path)]).exit_code == 0
    assert started == ["run"]


def test_only_the_owner_can_read_the_folder_and_the_database(tmp_path):
    folder = tmp_path / "data"
    app = create_app(Config(data=folder))
    assert folder.stat().st_mode & 0o777 == OWNER_ONLY | 0o100
    assert app.config.store_file.stat().st_mode & 0o777 == OWNER_ONLY
    app.close()


def test_a_stopped_server_leaves_nothing_in_the_journal(app, tmp_path):
    serve.demo_links(app)
    journal = app.config.store_file.with_name(f"{app.config.store_file.name}-wal")
    assert journal.stat().st_size
    with closing(sqlite3.connect(app.config.store_file)) as reader:  # as another process that looks at it
        reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        app.close()
        assert not journal.exists() or not journal.stat().st_size


def test_a_server_with_a_full_disk_is_not_ready(app, monkeypatch):
    client = app.flask.test_client()
    assert client.get("/ready").status_code == 200
    monkeypatch.setattr(database, "TemporaryFile", lambda **_: FullWhenWritten())
    monkeypatch.setattr(database.os, "fsync", lambda _file: None)
    assert client.get("/ready").status_code == 503


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("host", "reason"),
    [("127.0.0.1", "Address already in use"), ("192.0.2.1", "Cannot assign requested address")],
)
def test_a_port_that_cannot_be_opened_is_named_with_the_reason_and_what_to_do(
    tmp_path, host, reason, workers
):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        options = ["--host", host, "--port", port, "--workers", str(workers), "--data", str(tmp_path)]
        done = fork_server.run("enfilade", ["serve", *options], os.environ)
    wanted = f"bad-input: Cannot listen at {host}, port {port}: {reason}. Stop the other program, or"
    assert (done.status, done.errors.startswith(wanted)) == (2, True), done.errors


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(tmp_path):
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "data"):
        with pytest.raises(BadInput, match=r"cannot be written\. Name another folder"), lock_folder(folder):
            pass


def test_an_error_of_the_server_is_not_taken_for_one_of_its_folder(tmp_path):
    with pytest.raises(OSError, match="of the server"), lock_folder(tmp_path):
        raise OSError("of the server")
    with lock_folder(tmp_path):
        pass


def test_a_demo_table_that_its_gm_deleted_is_created_again(tmp_path):
    app = create_app(Config(data=tmp_path))
    first = serve.demo_links(app)
    app.tables.delete(first["torn"].table)
    again = serve.demo_links(app)
    assert again["torn"].table != first["torn"].table
    assert app.tables.enter(again["torn"].table, again["torn"].gm_key)
    assert {key: one for key, one in again.items() if key != "torn"} == {
        key: one for key, one in first.items() if key != "torn"
    }
    app.close()
