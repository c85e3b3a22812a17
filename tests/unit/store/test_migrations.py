"""Every schema that was ever released becomes the newest: all of it or nothing, after a backup."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from tests.example import FIRST_BLOOD
from tests.unit.store.test_stores import saved

from enfilade.errors import StoreDown, WrongVersion
from enfilade.messages.load import load_command
from enfilade.play.tables import Tables
from enfilade.rules.dice import SystemDice
from enfilade.scene.model import GM
from enfilade.store.integrity import check_all
from enfilade.store.sql import migrate
from enfilade.store.sql.database import Database
from enfilade.store.sql.schema import _META, NEWEST
from enfilade.store.sql.tables import SqlStore

RELEASED = sorted((Path(__file__).parent / "released").glob("*.db"))
DUEL, GM_KEY = "4d8caff2a5b6cbf4", "Ij-bthUO7eAQvdZGL8OXDETiOnC1UDtx"
WAITING, WAITING_KEY = "41d9d7b992d95815", "CVd44SLOP5X62x4m1b4dtGpLMBqtQOT9"


def copied(released, tmp_path):
    path = tmp_path / "tables.sqlite"
    shutil.copy(released, path)
    return path, f"sqlite:///{path}"


def entered(store, table=DUEL, key=GM_KEY):
    return Tables(store, {"first_blood": FIRST_BLOOD}, SystemDice()).enter(table, key)[0]


def sent(kind, command_id, **body):
    return load_command({"v": 1, "id": command_id, "kind": kind, "body": body})


def schema_of(path):
    database = Database(f"sqlite:///{path}")
    found = migrate.stored_schema(database)
    database.engine.dispose()
    return found


@pytest.fixture(params=RELEASED, ids=lambda path: path.stem)
def released(request):
    return request.param


def test_every_released_schema_has_a_file_and_the_newest_is_the_programs():
    steps = ScriptDirectory(str(migrate._MIGRATIONS)).walk_revisions()
    numbers = sorted(step.revision for step in steps)
    assert numbers[-1] == NEWEST
    assert [path.stem for path in RELEASED] == numbers[:-1]


def test_the_migrations_lead_to_the_schema_of_the_program(url):
    SqlStore(url).close()
    database = Database(url)
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), _META) == []
    database.engine.dispose()


def test_expired_tickets_are_found_by_an_index(tmp_path):
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    SqlStore(url).close()
    database = Database(url)
    forgetting = "EXPLAIN QUERY PLAN DELETE FROM tickets WHERE expires_ms <= 1"
    with database.reading() as connection:
        assert connection.exec_driver_sql(forgetting).first().detail.startswith("SEARCH tickets USING")
    database.engine.dispose()


def test_a_released_store_is_migrated_and_can_be_played(released, tmp_path):
    path, url = copied(released, tmp_path)
    store = SqlStore(url)
    assert [(f.table, f.entries, f.wrong) for f in check_all(store)] == [(WAITING, 0, ""), (DUEL, 5, "")]
    assert store.asset(DUEL, "map") == ("image/png", b"\x89PNG\x00")
    table = entered(store)
    again = sent("act", "first-strike", act={"kind": "strike", "token": "ann", "target": "orc"}, faces=[6])
    assert table.execute(GM, again).seq == 1
    assert table.execute(GM, sent("undo", "more")).seq == 6
    assert entered(store, WAITING, WAITING_KEY).snapshot(GM).choice.question == "Roll the miss again?"
    store.close()
    assert schema_of(path) == NEWEST


def test_the_store_is_copied_before_a_migration(released, tmp_path):
    path, url = copied(released, tmp_path)
    SqlStore(url).close()
    backup = path.with_name(f"{path.name}.before-{NEWEST}")
    assert schema_of(backup) == released.stem
    with closing(sqlite3.connect(backup)) as old:
        assert old.execute("SELECT count(*) FROM entries").fetchone() == (5,)


def test_a_failed_migration_leaves_the_store_unchanged(released, tmp_path, monkeypatch):
    path, url = copied(released, tmp_path)

    def failing(connection, found=migrate._upgrade):
        found(connection)
        connection.exec_driver_sql("INSERT INTO nowhere VALUES (1)")

    with monkeypatch.context() as broken:
        broken.setattr(migrate, "_upgrade", failing)
        with pytest.raises(StoreDown):
            SqlStore(url)
    assert schema_of(path) == released.stem
    SqlStore(url).close()
    assert schema_of(path) == NEWEST


def test_a_store_of_a_newer_program_is_refused_and_not_changed(url):
    store = SqlStore(url)
    saved(store, 1)
    with store._database.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    for migrates in (True, False):
        with pytest.raises(WrongVersion, match=r"newer Enfilade wrote this store \(schema 9999;"):
            SqlStore(url, migrates=migrates)
    store.close()


def test_a_read_only_command_does_not_migrate(released, tmp_path):
    path, url = copied(released, tmp_path)
    with pytest.raises(WrongVersion, match=f"has schema {released.stem}"):
        SqlStore(url, migrates=False)
    assert schema_of(path) == released.stem


def test_the_first_migration_creates_the_first_schema(tmp_path):
    made = tmp_path / "first.sqlite"
    database = Database(f"sqlite:///{made}")
    with database.writing() as connection:
        command.upgrade(migrate._config(connection), "0001")
    database.engine.dispose()
    assert tables_of(made) == tables_of(RELEASED[0])


def tables_of(path):
    with closing(sqlite3.connect(path)) as database:
        statements = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name <> 'alembic_version'"
        return sorted(database.execute(statements))
