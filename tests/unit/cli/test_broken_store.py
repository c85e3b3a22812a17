"""A broken database says what is broken, where the newest good backup lies, and how to restore it."""

from __future__ import annotations

import errno
import sqlite3

import pytest
from click.testing import CliRunner

from enfilade.cli.main import main
from enfilade.errors import StoreBroken, StoreDown
from enfilade.store.sql.database import Database
from enfilade.store.sql.tables import SqlStore
from tests.unit.store.test_stores import saved


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    store = SqlStore(f"sqlite:///{folder / 'enfilade.sqlite'}")
    saved(store, 0)
    store.close()
    return folder


def break_database(data, how):
    file = data / "enfilade.sqlite"
    content = bytearray(file.read_bytes())
    content[how] = b"\xaa" * len(content[how])
    file.write_bytes(content)


@pytest.mark.parametrize("how", [slice(0, 100), slice(4096, 8192)], ids=["no database", "a broken page"])
@pytest.mark.parametrize("command", ["serve", "check"])
def test_the_command_that_restores_the_newest_good_backup_is_named(data, tmp_path, command, how):
    older, newer = tmp_path / "older.sqlite", tmp_path / "newer.sqlite"
    assert run("backup", older, "--data", data).exit_code == 0
    assert run("backup", newer, "--data", data).exit_code == 0
    break_database(data, how)
    folder = ("--data", data, "--port", "0") if command == "serve" else (data,)
    answer = run(command, *folder)
    assert answer.exit_code == 2
    said = answer.output
    assert f"enfilade restore {newer} --data {data}" in said
    assert run("restore", newer, "--data", data).exit_code == 0
    assert run("check", data).exit_code == 0


def test_without_a_backup_the_command_is_named_all_the_same(data):
    break_database(data, slice(0, 100))
    answer = run("check", data)
    assert answer.exit_code == 2
    assert "enfilade restore BACKUP" in answer.output


def test_a_backup_that_is_broken_itself_is_not_named(data, tmp_path):
    backup = tmp_path / "backup.sqlite"
    assert run("backup", backup, "--data", data).exit_code == 0
    backup.write_bytes(b"\xaa" * backup.stat().st_size)
    break_database(data, slice(0, 100))
    assert "restore BACKUP" in run("check", data).output


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [("SQLITE_CORRUPT", StoreBroken, "broken"), ("SQLITE_FULL", StoreDown, "disk is full")],
)
def test_each_failure_of_the_database_has_its_own_sentence(name, kind, words):
    problem = sqlite3.OperationalError(errno.ENOSPC)
    problem.sqlite_errorname = name
    database = Database("sqlite://")
    with pytest.raises(kind, match=words), database._translated():
        raise problem
