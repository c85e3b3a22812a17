"""Check, backup and restore of a store from the command line."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner
from tests.unit.play.duel import Duel
from tests.unit.store.test_migrations import DUEL, RELEASED

from enfilade.cli.main import main
from enfilade.errors import BadInput
from enfilade.importers.demo import demo_battle
from enfilade.play.dice import Chains
from enfilade.play.tables import Tables
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.runtime.config import lock_folder
from enfilade.store import maintenance
from enfilade.store.dice_secrets import DiceSecretFolder
from enfilade.store.integrity import check_all
from enfilade.store.sql.tables import SqlStore


def enfilade(*arguments, code=0, **settings):
    named = {f"ENFILADE_{name.upper()}": value for name, value in settings.items()}
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], env=named)
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
def store(data):
    store = SqlStore(f"sqlite:///{data / 'enfilade.sqlite'}")
    yield store
    store.close()


def played(store, turns=1):
    duel = Duel(store)
    for number in range(turns):
        duel.do("door.set", wall="door", state=("open", "closed")[number % 2])
    return duel


def damage(data):
    with closing(sqlite3.connect(data / "enfilade.sqlite")) as database, database:
        database.execute("UPDATE entries SET hash = x'00' WHERE seq = 1")


def test_a_check_counts_consistent_entries_while_a_server_runs(data, store):
    played(store, 3)
    assert enfilade("check", data) == "1 table, 3 entries: intact\n"


def test_the_tables_own_entries_need_no_reply(data, store):
    tables = Tables(store, load_rulesets(BUILT_IN), Chains(DiceSecretFolder(data / "seeds")))
    links = tables.create(demo_battle(BUILT_IN[0]).scene)
    tables.enter(links.table, links.gm_key)
    assert [(finding.entries, finding.wrong) for finding in check_all(store)] == [(1, "")]


def test_a_check_names_the_damage_and_exits_with_status_1(data, store):
    duel = played(store)
    damage(data)
    said = enfilade("check", data, code=1)
    assert f"Table {duel.table.id} is closed" in said
    assert "1 table, 0 entries: 1 damaged" in said


def test_a_check_of_a_missing_store_creates_nothing(data):
    assert "There is no store" in enfilade("check", data, code=2)
    assert list(data.iterdir()) == []


def test_a_check_of_an_older_store_does_not_migrate_it(data):
    shutil.copy(RELEASED[0], data / "enfilade.sqlite")
    assert "version: This store has schema 0001" in enfilade("check", data, code=2)


def test_a_backup_is_one_file_made_while_the_server_runs(data, store, tmp_path):
    duel = played(store, 3)
    assert enfilade("backup", tmp_path / "b.sqlite", "--data", data) == "1 table, 3 entries: intact\n"
    duel.do("door.set", wall="door", state="closed")
    copy = SqlStore(f"sqlite:///{tmp_path / 'b.sqlite'}")
    assert copy.load(duel.table.id).seq == 3
    copy.close()


def test_a_backup_opens_in_a_read_only_folder(data, store, tmp_path):
    played(store)
    (tmp_path / "backups").mkdir()
    backup = tmp_path / "backups" / "b.sqlite"
    enfilade("backup", backup, "--data", data)
    assert [path.name for path in backup.parent.iterdir()] == ["b.sqlite"]
    assert backup.read_bytes()[18:20] == b"\x01\x01"  # SQLite's version of the file: 2 is one with a journal


def test_a_backup_does_not_overwrite_a_file(data, store, tmp_path):
    (tmp_path / "b.sqlite").write_text("precious")
    assert "already exists" in enfilade("backup", tmp_path / "b.sqlite", "--data", data, code=2)
    assert (tmp_path / "b.sqlite").read_text() == "precious"


def test_a_restore_begins_a_new_epoch_and_keeps_the_old_store(data, store, tmp_path):
    duel = played(store, 3)
    enfilade("backup", tmp_path / "b.sqlite", "--data", data)
    duel.do("door.set", wall="door", state="closed")
    store.close()
    said = enfilade("restore", tmp_path / "b.sqlite", "--data", data)
    restored = SqlStore(f"sqlite:///{data / 'enfilade.sqlite'}")
    assert restored.load(duel.table.id).seq == 3
    assert restored.epoch != store.epoch
    assert f"Started epoch {restored.epoch}." in said
    restored.close()
    (before,) = data.glob("enfilade.sqlite.replaced-*")
    for file in (before, data / "enfilade.sqlite", tmp_path / "b.sqlite"):
        assert file.stat().st_mode & 0o077 == 0, f"others can read {file.name}"
    assert str(before) in said
    kept = SqlStore(f"sqlite:///{before}")
    assert (kept.epoch, kept.load(duel.table.id).seq) == (store.epoch, 4)
    kept.close()


def test_a_restore_is_refused_while_a_server_runs(data, store, tmp_path):
    played(store)
    enfilade("backup", tmp_path / "b.sqlite", "--data", data)
    assert "A server is using" in enfilade("restore", tmp_path / "b.sqlite", "--data", data, code=2)
    assert [finding.entries for finding in check_all(store)] == [1]
    assert not list(data.glob("*restoring*"))


def test_a_restore_is_refused_while_another_program_has_the_folder(data, store, tmp_path):
    played(store)
    enfilade("backup", tmp_path / "b.sqlite", "--data", data)
    store.close()
    with lock_folder(data):
        assert "uses the folder" in enfilade("restore", tmp_path / "b.sqlite", "--data", data, code=2)


def test_a_damaged_store_can_be_replaced(data, store, tmp_path):
    played(store)
    enfilade("backup", tmp_path / "b.sqlite", "--data", data)
    store.close()
    (data / "enfilade.sqlite").write_bytes(b"no database" * 1000)
    assert "intact" in enfilade("restore", tmp_path / "b.sqlite", "--data", data)
    assert "1 table, 1 entry: intact" in enfilade("check", data)


def test_a_backup_of_an_older_program_is_migrated_by_a_restore(data):
    said = enfilade("restore", RELEASED[0], "--data", data)
    assert "2 tables, 5 entries: intact" in said
    restored = SqlStore(f"sqlite:///{data / 'enfilade.sqlite'}", migrates=False)
    assert restored.load(DUEL).seq == 5
    restored.close()
    assert {path.name for path in data.iterdir()} == {"enfilade.sqlite", "server.lock"}


@pytest.mark.parametrize("content", [b"no database" * 1000, b""])
def test_a_file_that_is_not_a_backup_is_refused_and_changes_nothing(data, store, tmp_path, content):
    played(store)
    store.close()
    (tmp_path / "b.sqlite").write_bytes(content)
    assert "bad-file" in enfilade("restore", tmp_path / "b.sqlite", "--data", data, code=2)
    assert "bad-file" in enfilade("restore", tmp_path / "nowhere.sqlite", "--data", data, code=2)
    assert "1 table, 1 entry: intact" in enfilade("check", data)


def test_a_database_server_can_be_checked_but_not_copied(postgres_url, data):
    store = SqlStore(postgres_url)
    played(store, 2)
    assert enfilade("check", store=postgres_url) == "1 table, 2 entries: intact\n"
    assert enfilade("restore", store=postgres_url).startswith("Started epoch ")
    again = SqlStore(postgres_url)
    assert again.epoch != store.epoch
    for held in (again, store):
        held.close()
    for act in (maintenance.backup, maintenance.restore):
        with pytest.raises(BadInput, match="server's own tools"):
            act(postgres_url, data / "b.sqlite")
