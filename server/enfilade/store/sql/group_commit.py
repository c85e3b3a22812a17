"""Group commits: writers that arrive while one waits for the disk are stored by the next sync together.

SQLite writes one transaction at a time and syncs each. The first waiting writer becomes the gatherer: once
the `gather` hook returns it leads, which means that it runs the jobs of all who wait and wakes them. One of
those that arrived meanwhile gathers next. If enough jobs wait, the last to arrive leads at once: the gatherer
gets its turn only after all greenlets that are ready to run, which would all end up waiting for one sync.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Generic, TypeVar

import sqlalchemy as sa

from enfilade.errors import StoreDown
from enfilade.i18n import localize
from enfilade.runtime.time_budget import unmetered

WAIT_SECONDS = 2
"""The time that a writer waits for another process; PostgreSQL gets the same time again."""

ENOUGH = 12
"""The number of waiting jobs that run without gathering more."""

_POLL_SECONDS = 0.001

T = TypeVar("T")
Work = Callable[[sa.Connection], T]
"""The statements of one transaction."""

Offload = Callable[..., Any]
"""Calls a function with arguments, possibly in a thread; returns its result or raises its error."""


def call_inline(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in this thread."""
    return function(*arguments)


def do_nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True)
class CommitHooks:
    """The ways in which writers wait for disk I/O.

    `gather` waits briefly for other writers, so that one sync serves them all. `offload` runs the commit,
    possibly in a thread. `before_commit` makes durable what must be on disk before the commit. `measure`
    surrounds each write of a command.
    """

    offload: Offload = call_inline
    gather: Callable[[], None] = do_nothing
    before_commit: Callable[[], None] = do_nothing
    measure: Callable[[], AbstractContextManager[object]] = nullcontext


INLINE = CommitHooks()
"""The hooks of a process with one writer."""


def _acquired_lock() -> Any:
    lock = Lock()
    lock.acquire()
    return lock


@dataclass(eq=False)
class Job:
    """A unit of work for a `Batcher`; `problem` is the error that it ended with."""

    problem: BaseException | None = field(default=None, kw_only=True)
    is_done: bool = field(default=False, kw_only=True)
    is_taken: bool = field(default=False, init=False)
    """True once a leader runs the job."""
    _asleep: Any = field(default_factory=_acquired_lock, init=False)
    """Held until the job is woken. An Event is four objects and takes twice as long, for every command."""

    def wake(self) -> None:
        """Resume the waiting caller: the job is done, or it is the caller's turn to gather."""
        if self._asleep.locked():
            self._asleep.release()

    def wait(self) -> None:
        """Wait until the job is done, or it is the caller's turn to gather."""
        if not self.is_done and self.problem is None:
            self._asleep.acquire()

    def take(self) -> None:
        """Mark the job as running; a caller that gathers waits again until it is done."""
        self.is_taken = True
        # Not acquired if already held: with gevent that would switch greenlets, and the taker may be killed.
        if not self._asleep.locked():
            self._asleep.acquire(blocking=False)


J = TypeVar("J", bound=Job)


class Batcher(Generic[J]):
    """Batch concurrent jobs; one waiting caller runs them all with `run_jobs`.

    `run_jobs` must leave every job either done or with a problem.
    """

    def __init__(
        self, run_jobs: Callable[[list[J]], None], gather: Callable[[], None], enough: int = ENOUGH
    ) -> None:
        self._run_jobs = run_jobs
        self._gather = gather
        self._enough = enough
        self._guard = Lock()
        self._gatherer: J | None = None
        self._is_running = False
        self.waiting: list[J] = []

    def submit(self, job: J) -> None:
        """Return when the job is done. Raises its problem."""
        with self._guard:
            self.waiting.append(job)
            batch: list[J] = []
            if not self._is_running:
                if self._gatherer is None:
                    self._gatherer = job
                    job.wake()
                if len(self.waiting) >= self._enough:
                    batch = self._take_all()
        with unmetered():
            if batch:
                self._lead(batch)
            else:
                self._wait(job)
        if job.problem is not None:
            raise job.problem

    def _take_all(self) -> list[J]:
        """Take all waiting jobs. Nothing here may switch greenlets, because the caller must lead at once."""
        batch, self.waiting = self.waiting, []
        self._is_running, self._gatherer = True, None
        for job in batch:
            job.take()
        return batch

    def _wait(self, job: J) -> None:
        try:
            job.wait()
            if not job.is_taken and len(self.waiting) < self._enough:
                self._gather()
        except BaseException:  # killed while waiting: the others must not wait for this caller's turn
            with self._guard:
                self.waiting = [waiting for waiting in self.waiting if waiting is not job]
            if self._gatherer is job:
                self._hand_over()
            raise
        with self._guard:
            batch = [] if job.is_taken else self._take_all()
        if batch:
            self._lead(batch)
        job.wait()

    def _lead(self, batch: list[J]) -> None:
        try:
            self._run_jobs(batch)
        finally:
            self._hand_over()
            for job in batch:
                job.wake()

    def _hand_over(self) -> None:
        """Make the first waiting job's caller the next gatherer."""
        with self._guard:
            self._is_running = False
            self._gatherer = self.waiting[0] if self.waiting else None
            if self._gatherer is not None:
                self._gatherer.wake()


@dataclass(eq=False)
class _Write(Job, Generic[T]):
    work: Work[T]
    is_large: bool = False
    result: T | None = None


class GroupCommitWriter:
    """Run each writer's transaction in order and sync them together; each succeeds or fails by itself.

    `connect` opens the one connection for writing; `translate_errors` turns driver errors into the store's.
    """

    def __init__(
        self,
        connect: Callable[[], sa.Connection],
        translate_errors: Callable[[], AbstractContextManager[None]],
        hooks: CommitHooks,
    ) -> None:
        self._connect = connect
        self._translate_errors = translate_errors
        self._hooks = hooks
        self._batcher = Batcher(self._store, hooks.gather)
        self._connection: sa.Connection | None = None

    def write(self, work: Work[T], *, is_large: bool = False) -> T:
        """Return the result of `work` once it is on disk. Raises StoreDown, and what `work` raises.

        The hook `offload` also runs work that stores a large row, which takes several milliseconds.
        """
        write = _Write(work, is_large)
        self._batcher.submit(write)
        return write.result  # type: ignore[return-value]

    def close(self) -> None:
        """Close the connection; the next write opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    def _store(self, batch: list[_Write[Any]]) -> None:
        problem: Exception | None = None
        try:
            with self._translate_errors():
                connection = self._connection = self._connection or self._open()
                driver: Any = connection.connection.driver_connection
                _begin(driver)
                if any(write.is_large for write in batch):
                    self._hooks.offload(self._run_all, batch, connection, driver)
                else:
                    self._run_all(batch, connection, driver)
                self._hooks.offload(self._commit, driver)
        except Exception as failure:
            problem = failure
        except BaseException:  # killed during the commit
            problem = StoreDown(localize("store.unknown_outcome"))
            raise
        finally:
            for write in batch:
                write.is_done, write.problem = True, write.problem or problem
            if problem is not None:
                self.close()  # and roll back with it

    def _commit(self, driver: Any) -> None:
        self._hooks.before_commit()
        driver.execute("COMMIT")

    def _open(self) -> sa.Connection:
        connection = self._connect()
        driver: Any = connection.connection.driver_connection
        driver.execute("PRAGMA busy_timeout=0")  # _begin waits instead, and lets other greenlets run
        return connection

    def _run_all(self, batch: list[_Write[Any]], connection: sa.Connection, driver: Any) -> None:
        for write in batch:
            self._run(write, connection, driver)

    def _run(self, write: _Write[Any], connection: sa.Connection, driver: Any) -> None:
        driver.execute("SAVEPOINT one")
        try:
            with self._translate_errors():
                write.result = write.work(connection)
        except Exception as problem:
            write.problem = problem
            driver.execute("ROLLBACK TO one")
        driver.execute("RELEASE one")


def _begin(driver: Any) -> None:
    """Begin a write transaction; a transaction that turns into a write later can be refused.

    Polls while another process writes, because SQLite's own wait would block all greenlets of this process.
    """
    end = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            driver.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
        time.sleep(_POLL_SECONDS)
