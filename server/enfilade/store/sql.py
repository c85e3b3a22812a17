"""Tables kept in a database by SQLAlchemy Core: an SQLite file, one writer, every commit on disk.

One transaction holds an entry, the table's new row and the command's answer: all of them or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import sqlalchemy as sa

from enfilade.errors import StoreDown
from enfilade.scene.entry import Entry
from enfilade.store.kept import Answered, Kept, OvertakenError

_META = sa.MetaData()
_TABLES = sa.Table(
    "tables",
    _META,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("row", sa.LargeBinary, nullable=False),
)
_ENTRIES = sa.Table(
    "entries",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("entry", sa.LargeBinary, nullable=False),
)
_ANSWERS = sa.Table(
    "answers",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("answer", sa.LargeBinary, nullable=False),
)
_ASSETS = sa.Table(
    "assets",
    _META,
    sa.Column("table_id", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("kind", sa.String(64), nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)


def _durable(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    # FULL and not NORMAL: an acknowledged entry must survive a power cut, not only a crash.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=2000")
    cursor.close()


class SqlStore:
    """A store in the database at an SQLAlchemy URL, its tables made when they are not there."""

    def __init__(self, url: str) -> None:
        self._engine = sa.create_engine(url)
        if self._engine.dialect.name == "sqlite":
            sa.event.listen(self._engine, "connect", _durable)
        with self._transaction():
            _META.create_all(self._engine)

    @contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except sa.exc.IntegrityError as problem:
            # A primary key that is there already: whoever wrote it was quicker.
            raise OvertakenError from problem
        except sa.exc.SQLAlchemyError as problem:
            raise StoreDown("The table cannot be stored at the moment; nothing was changed.") from problem

    def create(self, kept: Kept) -> None:
        """Keeps a new table."""
        with self._transaction() as connection:
            row = {"id": kept.id, "revision": kept.revision, "row": _encoded(kept)}
            connection.execute(_TABLES.insert().values(row))

    def load(self, table: str) -> Kept | None:
        """A table's row, or None."""
        with self._transaction() as connection:
            found = connection.scalar(sa.select(_TABLES.c.row).where(_TABLES.c.id == table))
        return None if found is None else msgspec.json.decode(found, type=Kept)

    def save(self, kept: Kept, entry: Entry | None, answered: Answered | None) -> None:
        """Stores the table's new row, the entry that led to it and the command's answer."""
        was = sa.and_(_TABLES.c.id == kept.id, _TABLES.c.revision == kept.revision - 1)
        new_row = sa.update(_TABLES).where(was).values(revision=kept.revision, row=_encoded(kept))
        with self._transaction() as connection:
            if connection.execute(new_row).rowcount != 1:
                raise OvertakenError
            if answered is not None:
                answer = {"table_id": kept.id, "id": answered.id, "answer": _encoded(answered)}
                connection.execute(_ANSWERS.insert().values(answer))
            if entry is not None:
                row = {"table_id": kept.id, "seq": entry.seq, "entry": _encoded(entry)}
                connection.execute(_ENTRIES.insert().values(row))

    def entries(self, table: str, after: int, most: int) -> Sequence[Entry]:
        """At most so many entries after a place in the log, oldest first."""
        chosen = (
            sa.select(_ENTRIES.c.entry)
            .where(_ENTRIES.c.table_id == table, _ENTRIES.c.seq > after)
            .order_by(_ENTRIES.c.seq)
            .limit(most)
        )
        with self._transaction() as connection:
            return [msgspec.json.decode(entry, type=Entry) for entry in connection.scalars(chosen)]

    def answered(self, table: str, command_id: str) -> Answered | None:
        """The answer a command got when it was first done, or None."""
        chosen = sa.select(_ANSWERS.c.answer).where(_ANSWERS.c.table_id == table, _ANSWERS.c.id == command_id)
        with self._transaction() as connection:
            found = connection.scalar(chosen)
        return None if found is None else msgspec.json.decode(found, type=Answered)

    def add_asset(self, table: str, asset: str, kind: str, data: bytes) -> None:
        """Keeps an image of a table."""
        row = {"table_id": table, "id": asset, "kind": kind, "data": data}
        with self._transaction() as connection:
            connection.execute(_ASSETS.insert().values(row))

    def asset(self, table: str, asset: str) -> tuple[str, bytes] | None:
        """An image's kind and bytes, or None."""
        chosen = sa.select(_ASSETS.c.kind, _ASSETS.c.data).where(
            _ASSETS.c.table_id == table, _ASSETS.c.id == asset
        )
        with self._transaction() as connection:
            found = connection.execute(chosen).first()
        return None if found is None else (found.kind, found.data)


def _encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)
