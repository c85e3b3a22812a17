"""Waits for a database server do not count against the time budget of an answer."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing

import pytest
import sqlalchemy as sa

from enfilade.runtime.time_budget import TimeBudget, time_limited
from enfilade.store.sql.database import Database, Statement


class SlowQuestion(Statement):
    """A question that takes a hundred seconds of a test's clock."""

    def __init__(self, now):
        super().__init__(sa.select(sa.literal(1).label("one")))
        self._now = now

    def rows(self, connection, **values):
        self._now[0] += 100
        return super().rows(connection, **values)


def asked(database, question):
    with database.reading() as connection:
        return question.rows(connection)


WAYS = {
    "select": lambda database, question: database.select(question),
    "read": asked,
    "written": lambda database, question: database.write(question.rows),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_waiting_for_a_database_server_is_not_charged(postgres_url, way):
    now = [0.0]
    with closing(Database(postgres_url)) as database:
        with time_limited(TimeBudget(limit=1, rest=lambda: None, clock=lambda: now[0])) as pace:
            assert [tuple(row) for row in way(database, SlowQuestion(now))] == [(1,)]
            assert pace.spent == 0
            now[0] += 0.5
        assert pace.spent == 0.5


def test_reading_a_file_is_charged(sqlite_url):
    now = [0.0]
    with (
        closing(Database(sqlite_url)) as database,
        time_limited(TimeBudget(1, lambda: None, lambda: now[0])) as pace,
    ):
        database.select(SlowQuestion(now))
        assert pace.spent == 100


def test_another_connection_of_a_process_keeps_the_locks_of_the_first(tmp_path):
    """POSIX releases all of a process's locks on a file when the process closes it anywhere."""
    file = tmp_path / "store.sqlite"
    with closing(Database(f"sqlite:///{file}")) as database:
        with database.writing() as connection:
            connection.exec_driver_sql("CREATE TABLE one (id INTEGER)")
        first, second = database.engine.connect(), database.engine.connect()
        with first, second:
            for connection in (first, second):
                connection.exec_driver_sql("SELECT * FROM one").all()
            leave_journal = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2])"
            found = subprocess.run(
                [sys.executable, "-c", leave_journal, str(file), "PRAGMA journal_mode=DELETE"],
                capture_output=True,
                text=True,
                check=False,
            )
    assert "locked" in found.stderr


def test_a_file_that_others_can_read_is_closed_to_them(tmp_path):
    file = tmp_path / "store.sqlite"
    file.touch(mode=0o644)
    with closing(Database(f"sqlite:///{file}")) as database, database.writing() as connection:
        connection.exec_driver_sql("CREATE TABLE one (id INTEGER)")
        assert {part.stat().st_mode & 0o077 for part in tmp_path.glob("store.sqlite*")} == {0}
