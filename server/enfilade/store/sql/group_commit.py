"""Writers of one SQLite file that wait for the disk together.

SQLite writes one transaction at a time and syncs each. So all who wait while one is synced are stored by the
next one together, each of them done or refused by itself.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import sqlalchemy as sa

from enfilade.errors import StoreDown
from enfilade.store.disk import CommitHooks
from enfilade.store.sql.batcher import Batcher, Job

WAIT_SECONDS = 2
"""How long a writer waits for another process; PostgreSQL itself is waited for as long again."""
_LOOK_SECONDS = 0.001

T = TypeVar("T")
Work = Callable[[sa.Connection], T]
"""What is done in a transaction."""


@dataclass(eq=False)
class _Write(Job, Generic[T]):
    work: Work[T]
    result: T | None = None


class GroupCommitWriter:
    """Does what writers want to be done, each after the other, and puts it on disk for all of them at once.

    `connect` opens the one connection that is written by, `told` says what went wrong in the store's words.
    """

    def __init__(
        self,
        connect: Callable[[], sa.Connection],
        told: Callable[[], AbstractContextManager[None]],
        disk: CommitHooks,
    ) -> None:
        self._connect = connect
        self._told = told
        self._disk = disk
        self._together = Batcher(self._store, disk.gather)
        self._connection: sa.Connection | None = None

    def write(self, work: Work[T]) -> T:
        """What `work` gives, on disk when this returns; raises StoreDown, and what `work` raises."""
        mine = _Write(work)
        self._together.wish(mine)
        return mine.result  # type: ignore[return-value]

    def close(self) -> None:
        """Lets go of the connection; the next write opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    def _store(self, batch: list[_Write[Any]]) -> None:
        problem: Exception | None = StoreDown("It is not known whether this was stored; ask again.")
        try:
            with self._told():
                self._on_disk(batch)
            problem = None
        except Exception as failure:
            problem = failure
        finally:
            for write in batch:
                write.is_done, write.problem = True, write.problem or problem
            if problem is not None:
                self.close()  # with whatever it has begun

    def _on_disk(self, batch: list[_Write[Any]]) -> None:
        connection = self._connection = self._connection or self._connected()
        driver: Any = connection.connection.driver_connection
        _begin(driver)
        for write in batch:
            self._do(write, connection, driver)
        self._disk.aside(self._commit, driver)

    def _commit(self, driver: Any) -> None:
        self._disk.first()
        driver.execute("COMMIT")

    def _connected(self) -> sa.Connection:
        connection = self._connect()
        driver: Any = connection.connection.driver_connection
        driver.execute("PRAGMA busy_timeout=0")  # _begin waits, and has others go on meanwhile
        return connection

    def _do(self, write: _Write[Any], connection: sa.Connection, driver: Any) -> None:
        driver.execute("SAVEPOINT one")
        try:
            with self._told():
                write.result = write.work(connection)
        except Exception as problem:
            write.problem = problem
            driver.execute("ROLLBACK TO one")
        driver.execute("RELEASE one")


def _begin(driver: Any) -> None:
    """Takes the turn to write, at the beginning: half-way it could only be refused.

    While another process writes it is waited for here, as SQLite would have everybody in this one wait.
    """
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            driver.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
        time.sleep(_LOOK_SECONDS)
