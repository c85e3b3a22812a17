"""Connect to the database: SQLite with every commit on disk, or PostgreSQL with bounded waits."""

from __future__ import annotations

import logging
import math
import os
import time
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import sqlalchemy as sa

from enfilade.errors import BadInput, StoreBroken, StoreDown
from enfilade.i18n import localize
from enfilade.runtime.time_budget import unmetered
from enfilade.store.protocol import ConflictError
from enfilade.store.sql.group_commit import INLINE, WAIT_SECONDS, CommitHooks, GroupCommitWriter, T, Work

log = logging.getLogger(__name__)

_PRIVATE = 0o600
"""The mode of a database file: for its owner alone."""
_OPEN_TO_OTHERS = 0o077
_RETRY_SECONDS = 1.0
_REPORT_SECONDS = 10.0
"""The pauses between two attempts to reach a database at the start, and between two lines about it."""
_PROBE_BYTES = 64 * 1024
"""The size of the file that is written to see whether the disk is full."""
_CHECKPOINT_PAGES = 4_000
"""How long SQLite's log gets, 16 MB, before its pages are copied to the file: four times the usual.

A busy table's row changes with each command; so it is copied once for many of them.
"""


def wait_for_database(begin: Callable[[], T], seconds: float) -> T:
    """Return what `begin` returns, and call it again while the database cannot be reached or is too slow.

    A database server may start at the same time as this program, or be busy. Raises StoreDown with the
    database's reason after that number of seconds, and at once without one.
    """
    end, said = time.monotonic() + seconds, -math.inf
    while True:
        try:
            return begin()
        except StoreDown as problem:
            if not seconds:
                raise
            reason, left = _reason(problem), end - time.monotonic()
            if left <= 0:
                down = localize("store.unreachable", seconds=f"{seconds:g}", reason=reason)
                raise StoreDown(down) from problem
        if time.monotonic() - said >= _REPORT_SECONDS:
            said = time.monotonic()
            log.warning("The database does not answer (%s); trying for another %d s", reason, left)
        time.sleep(min(_RETRY_SECONDS, left))


def _reason(problem: StoreDown) -> str:
    """Return what the database's driver says about a failure, in one line."""
    cause = getattr(problem.__cause__, "orig", problem.__cause__)
    lines = str(cause or problem.sentence).splitlines()
    return lines[0].strip().rstrip(".") if lines else ""


class Statement:
    """A statement compiled once to the driver's SQL and executed often. Methods raise the driver's errors.

    SQLAlchemy takes ten times as long to execute a statement as SQLite itself.
    """

    def __init__(self, statement: sa.Select[Any] | sa.UpdateBase) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, dict[str, Any]]] = {}
        columns = statement.selected_columns.keys() if isinstance(statement, sa.Select) else []
        self._row = namedtuple("Row", columns)  # type: ignore[misc]

    def run(self, connection: sa.Connection, **values: Any) -> int:
        """Execute the statement and return the number of changed rows."""
        with closing(self._execute(connection, values)) as cursor:
            return int(cursor.rowcount)

    def rows(self, connection: sa.Connection, **values: Any) -> list[Any]:
        """Return the selected rows as named tuples."""
        with closing(self._execute(connection, values)) as cursor:
            return [self._row(*row) for row in cursor.fetchall()]

    def first(self, connection: sa.Connection, **values: Any) -> Any:
        """Return the first selected row, or None."""
        return next(iter(self.rows(connection, **values)), None)

    def _execute(self, connection: sa.Connection, values: dict[str, Any]) -> Any:
        dialect = connection.dialect
        if dialect.name not in self._compiled:
            style = {"paramstyle": "named"} if dialect.name == "sqlite" else {}
            compiled = self._statement.compile(dialect=type(dialect)(**style))
            constants = {name: value for name, value in compiled.params.items() if value is not None}
            self._compiled[dialect.name] = (str(compiled), constants)
        sql, constants = self._compiled[dialect.name]
        cursor = connection.connection.cursor()
        cursor.execute(sql, {**constants, **values})
        return cursor


class Database:
    """The database at an SQLAlchemy URL, read and written in transactions."""

    def __init__(self, url: str, hooks: CommitHooks = INLINE) -> None:
        self._hooks = hooks
        self.engine = _make_engine(url)
        self._write_engine = self.engine.execution_options(begin="BEGIN IMMEDIATE")
        # PostgreSQL has concurrent writers and groups their commits itself.
        is_sqlite = self.engine.dialect.name == "sqlite"
        # By default each statement of a PostgreSQL transaction sees another snapshot.
        isolation = {} if is_sqlite else {"isolation_level": "REPEATABLE READ"}
        self._read_engine = self.engine.execution_options(**isolation)
        self._writer = GroupCommitWriter(self.engine.connect, self._translated, hooks) if is_sqlite else None
        # SQLite answers in this thread; while a database server is awaited, other greenlets run.
        self._waiting: Callable[[], AbstractContextManager[None]] = nullcontext if is_sqlite else unmetered
        self._reader: sa.Connection | None = None

    @property
    def file(self) -> str | None:
        """Return the path of an SQLite file; None for a database server."""
        return self.engine.url.database if self.engine.dialect.name == "sqlite" else None

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Open a read transaction on one snapshot. Raises StoreDown."""
        with self._waiting(), self._translated(), self._read_engine.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Open a write transaction that is on disk at exit. Raises StoreDown, ConflictError."""
        with self._waiting(), self._translated(), self._write_engine.begin() as connection:
            yield connection

    def select(self, statement: Statement, **values: Any) -> list[Any]:
        """Return the rows of one read-only statement. Raises StoreDown.

        On SQLite it runs without a transaction, which saves time.
        """
        if self._writer is None:
            with self.reading() as connection:
                return statement.rows(connection, **values)
        with self._translated():
            self._reader = self._reader or self.engine.connect()
            return statement.rows(self._reader, **values)

    def write(self, work: Work[T], *, is_large: bool = False) -> T:
        """Run `work` in a transaction and return its result once that is on disk.

        SQLite runs work that stores a large row outside of this thread. Raises StoreDown, ConflictError, and
        what `work` raises.
        """
        if self._writer is not None:
            return self._writer.write(work, is_large=is_large)
        with self.writing() as connection:
            result = work(connection)
            self._hooks.offload(self._hooks.before_commit)
            return result

    def close(self) -> None:
        """Close all connections."""
        if self._writer is not None:
            self._writer.close()
        if self._reader is not None:
            self._reader.close()
        if self.file is not None:
            self._empty_journal()
        self.engine.dispose()

    def _empty_journal(self) -> None:
        """Move what the journal holds into the file, so that a copy of the file alone is complete."""
        with suppress(sa.exc.SQLAlchemyError), self.engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def require_writable(self) -> None:
        """Raise StoreDown unless the disk of an SQLite file takes a write; a database server is not asked."""
        if self.file is None or self.file == ":memory:":
            return
        try:
            with TemporaryFile(dir=Path(self.file).parent) as probe:
                probe.write(bytes(_PROBE_BYTES))
                probe.flush()
                os.fsync(probe.fileno())
        except OSError as problem:
            raise StoreDown(localize("store.down")) from problem

    def _translated(self) -> AbstractContextManager[None]:
        return _ErrorTranslator(self.engine.dialect.loaded_dbapi)


class _ErrorTranslator:
    """Translate database errors into the store's. A class, because a generator takes longer than SQLite."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, problem: BaseException | None, _trace: object) -> None:
        if problem is None:
            return
        if isinstance(problem, sa.exc.IntegrityError | self._driver.IntegrityError):
            # The primary key exists: another writer stored it first.
            raise ConflictError from problem
        if isinstance(problem, sa.exc.SQLAlchemyError | self._driver.Error):
            raise _as_store_down(problem) from problem


_BROKEN = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
_FULL = ("SQLITE_FULL",)


def _as_store_down(problem: BaseException) -> StoreDown:
    """Return a driver's error as the store's: SQLite says whether its file is broken or its disk is full."""
    cause = getattr(problem, "orig", None) or problem
    name = str(getattr(cause, "sqlite_errorname", ""))
    if name.startswith(_BROKEN):
        return StoreBroken(localize("store.broken"))
    return StoreDown(localize("store.disk_full" if name.startswith(_FULL) else "store.down"))


def _make_engine(url: str) -> sa.Engine:
    try:
        parsed = sa.make_url(url)
        if parsed.drivername in ("postgres", "postgresql"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.get_backend_name() == "sqlite":
            engine = sa.create_engine(parsed)
            sa.event.listen(engine, "do_connect", lambda *_: _create_private(parsed.database))
            sa.event.listen(engine, "connect", _make_durable)
            sa.event.listen(engine, "begin", _begin)
            return engine
        return _make_postgresql_engine(parsed)
    except sa.exc.ArgumentError:
        raise BadInput(localize("store.bad_url")) from None
    except ImportError:
        raise BadInput(localize("store.needs_postgres")) from None


def _create_private(file: str | None) -> None:
    """Make an SQLite file that only its owner can read. SQLite gives its journal the same mode.

    A file that exists is never opened here: to close it would release all locks that this process holds on it
    (POSIX), and another program could then replace the file under a running server.
    """
    if not file or file == ":memory:":
        return
    with suppress(OSError):  # SQLite then reports why
        try:
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, _PRIVATE))
        except FileExistsError:
            for part in (file, f"{file}-wal", f"{file}-shm"):
                if Path(part).exists() and Path(part).stat().st_mode & _OPEN_TO_OTHERS:
                    Path(part).chmod(_PRIVATE)


def _make_durable(connection: Any, _record: Any) -> None:
    # The driver's own transactions leave out CREATE TABLE; _begin starts all transactions instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={WAIT_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode=WAL")
    # FULL and not NORMAL: an acknowledged entry must survive a power cut, not only a crash.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES}")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    driver: Any = connection.connection.driver_connection
    if driver.in_transaction:
        return  # the group commit has begun it
    # A writer takes the write lock at the start; a transaction that turns into a write can be refused.
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))


def _make_postgresql_engine(url: sa.URL) -> sa.Engine:
    settings = {
        "synchronous_commit": "on",
        "statement_timeout": f"{WAIT_SECONDS}s",
        "lock_timeout": f"{WAIT_SECONDS}s",
        # The database ends the transaction of a process that it no longer reaches: it holds a table's row.
        "idle_in_transaction_session_timeout": f"{WAIT_SECONDS}s",
        "tcp_user_timeout": f"{WAIT_SECONDS}s",
    }
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    arguments = {"connect_timeout": WAIT_SECONDS, "options": options, "tcp_user_timeout": WAIT_SECONDS * 1000}
    # The pre-ping replaces dead connections, so that the first command after an outage succeeds.
    return sa.create_engine(url, pool_pre_ping=True, pool_timeout=WAIT_SECONDS, connect_args=arguments)
