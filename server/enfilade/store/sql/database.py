"""A connection to the database: SQLite with every commit on disk, or PostgreSQL with bounded waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import sqlalchemy as sa

from enfilade.errors import BadInput, StoreDown
from enfilade.store.disk import INLINE, CommitHooks
from enfilade.store.protocol import ConflictError
from enfilade.store.sql.group_commit import WAIT_SECONDS, GroupCommitWriter, T, Work
from enfilade.store.sql.statement import Statement
from enfilade.time_budget import unmetered


class Database:
    """The database at an SQLAlchemy URL, read and written in transactions."""

    def __init__(self, url: str, disk: CommitHooks = INLINE) -> None:
        self._disk = disk
        self.engine = _engine(url)
        self._writing = self.engine.execution_options(begin="BEGIN IMMEDIATE")
        # PostgreSQL has many writers and groups their commits itself.
        is_one_file = self.engine.dialect.name == "sqlite"
        # By itself PostgreSQL would have every question of a transaction see another moment.
        one_moment = {} if is_one_file else {"isolation_level": "REPEATABLE READ"}
        self._looking = self.engine.execution_options(**one_moment)
        self._grouping = GroupCommitWriter(self.engine.connect, self._told, disk) if is_one_file else None
        # A file is asked in this thread; a server elsewhere is waited for, and others work meanwhile.
        self._waiting: Callable[[], AbstractContextManager[None]] = nullcontext if is_one_file else unmetered
        self._asked: sa.Connection | None = None

    @property
    def file(self) -> str | None:
        """The path of an SQLite file; None where the database is a server."""
        return self.engine.url.database if self.engine.dialect.name == "sqlite" else None

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A transaction that sees one moment and changes nothing; raises StoreDown."""
        with self._waiting(), self._told(), self._looking.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that is on disk when it is left; raises StoreDown, or ConflictError."""
        with self._waiting(), self._told(), self._writing.begin() as connection:
            yield connection

    def found(self, question: Statement, **values: Any) -> list[Any]:
        """The rows that a statement finds that changes nothing; raises StoreDown.

        Without a transaction around it: SQLite is asked a question sooner than one is begun.
        """
        if self._grouping is None:
            with self.reading() as connection:
                return question.rows(connection, **values)
        with self._told():
            self._asked = self._asked or self.engine.connect()
            return question.rows(self._asked, **values)

    def close(self) -> None:
        """Lets go of the database."""
        if self._grouping is not None:
            self._grouping.close()
        if self._asked is not None:
            self._asked.close()
        self.engine.dispose()

    def write(self, work: Work[T]) -> T:
        """What `work` gives, done in a transaction that is on disk when this returns.

        Raises StoreDown, ConflictError, and what `work` raises.
        """
        if self._grouping is not None:
            return self._grouping.write(work)
        with self.writing() as connection:
            result = work(connection)
            self._disk.aside(self._disk.first)
            return result

    def _told(self) -> AbstractContextManager[None]:
        """Says what went wrong in the store's words."""
        return _ErrorTranslator(self.engine.dialect.loaded_dbapi)


class _ErrorTranslator:
    """A class, as it stands around every question and every write: a generator takes longer than SQLite."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, problem: BaseException | None, _trace: object) -> None:
        if problem is None:
            return
        if isinstance(problem, sa.exc.IntegrityError | self._driver.IntegrityError):
            # A primary key that is there already: whoever wrote it was quicker.
            raise ConflictError from problem
        if isinstance(problem, sa.exc.SQLAlchemyError | self._driver.Error):
            raise StoreDown("The table cannot be stored at the moment; nothing was changed.") from problem


def _engine(url: str) -> sa.Engine:
    try:
        made = sa.make_url(url)
        if made.drivername in ("postgres", "postgresql"):
            made = made.set(drivername="postgresql+psycopg")
        if made.get_backend_name() == "sqlite":
            return _sqlite(made)
        return _postgresql(made)
    except sa.exc.ArgumentError:
        raise BadInput("ENFILADE_STORE is no database URL, like postgresql://user@host/name.") from None
    except ImportError:
        raise BadInput("PostgreSQL needs one more part: pip install 'enfilade[postgres]'.") from None


def _sqlite(url: sa.URL) -> sa.Engine:
    engine = sa.create_engine(url)
    sa.event.listen(engine, "connect", _durable)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _durable(connection: Any, _record: Any) -> None:
    # The driver's own transactions leave out what makes tables: _begin begins them all.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={WAIT_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode=WAL")
    # FULL and not NORMAL: an acknowledged entry must survive a power cut, not only a crash.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _begin(connection: sa.Connection) -> None:
    driver: Any = connection.connection.driver_connection
    if driver.in_transaction:
        return  # begun already for several writers at once (grouping.py)
    # A writer waits for its turn at the beginning: half-way it could only be refused.
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))


def _postgresql(url: sa.URL) -> sa.Engine:
    settings = {
        "synchronous_commit": "on",
        "statement_timeout": f"{WAIT_SECONDS}s",
        "lock_timeout": f"{WAIT_SECONDS}s",
    }
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    given = {"connect_timeout": WAIT_SECONDS, "options": options, "tcp_user_timeout": WAIT_SECONDS * 1000}
    # Asks whether a connection still lives before it is used: the first command after an outage is done.
    return sa.create_engine(url, pool_pre_ping=True, pool_timeout=WAIT_SECONDS, connect_args=given)
