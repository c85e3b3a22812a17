"""Writers of one SQLite file are synced together, and each succeeds or fails by itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
import sqlalchemy as sa

from enfilade.errors import StoreDown
from enfilade.store.protocol import ConflictError
from enfilade.store.sql.database import Database
from enfilade.store.sql.group_commit import CommitHooks

NOTES = sa.Table("notes", sa.MetaData(), sa.Column("id", sa.Integer, primary_key=True))


class SlowDisk:
    """A disk whose first sync waits for `may_end`; `fails` is the error of the next sync."""

    def __init__(self):
        self.syncs = 0
        self.fails = None
        self.has_begun, self.may_end = Event(), Event()

    def __call__(self, function, *arguments):
        self.syncs += 1
        self.has_begun.set()
        assert self.may_end.wait(10)
        if self.fails:
            problem, self.fails = self.fails, None
            raise problem
        return function(*arguments)


@pytest.fixture
def disk():
    return SlowDisk()


@pytest.fixture
def database(tmp_path, disk):
    made = Database(f"sqlite:///{tmp_path / 'notes.sqlite'}", CommitHooks(disk))
    with made.writing() as connection:
        NOTES.create(connection)
    yield made
    made.close()


def noted(number):
    return lambda connection: connection.connection.cursor().execute(
        "INSERT INTO notes VALUES (?)", (number,)
    )


def notes_in(database):
    with database.reading() as connection:
        return connection.scalars(sa.select(NOTES.c.id).order_by(NOTES.c.id)).all()


def written(database, disk, *numbers):
    """Write the others while the first is synced; return the error type of each."""

    def attempt(number):
        try:
            database.write(noted(number))
        except Exception as problem:
            return type(problem)
        return None

    with ThreadPoolExecutor(len(numbers)) as pool:
        first = pool.submit(attempt, numbers[0])
        assert disk.has_begun.wait(10)
        others = [pool.submit(attempt, number) for number in numbers[1:]]
        while len(database._writer._batcher.waiting) < len(others):
            Event().wait(0.001)
        disk.may_end.set()
        return [future.result() for future in (first, *others)]


def test_writers_that_wait_during_a_sync_are_synced_together(database, disk):
    assert written(database, disk, 1, 2, 3, 4, 5) == [None] * 5
    assert notes_in(database) == [1, 2, 3, 4, 5]
    assert disk.syncs == 2


def test_a_conflict_fails_only_its_own_write(database, disk):
    assert written(database, disk, 1, 2, 2, 3) == [None, None, ConflictError, None]
    assert notes_in(database) == [1, 2, 3]


def test_a_failed_sync_fails_its_writers_and_the_next_succeed(database, disk):
    disk.fails = database.engine.dialect.loaded_dbapi.OperationalError("disk I/O error")
    assert written(database, disk, 1, 2, 3) == [StoreDown, None, None]
    assert notes_in(database) == [2, 3]


def test_a_killed_sync_acknowledges_no_write(database, disk):
    disk.may_end.set()
    disk.fails = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        database.write(noted(1))
    database.write(noted(2))
    assert notes_in(database) == [2]


def test_sqlalchemy_statements_join_the_same_transaction(database, disk):
    disk.may_end.set()
    for number in (1, 2):
        database.write(lambda connection, n=number: connection.execute(sa.insert(NOTES).values(id=n)))
    with pytest.raises(ConflictError):
        database.write(lambda connection: connection.execute(sa.insert(NOTES).values(id=2)))
    database.write(noted(3))
    assert notes_in(database) == [1, 2, 3]


def test_a_failing_write_raises_its_own_error(database, disk):
    disk.may_end.set()

    def refuse(connection):
        raise ConflictError

    with pytest.raises(ConflictError):
        database.write(refuse)
    database.write(noted(1))
    assert notes_in(database) == [1]
