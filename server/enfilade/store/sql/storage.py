"""The bytes of stored tables: how many each takes, what nothing refers to any more, and deletion.

A reply is needed until its command is no longer repeated, a picture for as long as the scene, or one that
undo and redo lead to, shows it. A deleted table leaves nothing in the database: SQLite overwrites what it
frees. Backups still hold it, and so do copies made before a migration or a restore, for 30 days.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import sqlalchemy as sa

from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import scene_json
from enfilade.scene.model import Value
from enfilade.store.backup import drop_kept_copies
from enfilade.store.protocol import Migration, TableState
from enfilade.store.sql.database import Database
from enfilade.store.sql.schema import (
    ANSWERS,
    ASSETS,
    ENTRIES,
    INVITATIONS,
    MEMBERS,
    TABLES,
    TICKETS,
)

_PARTS = (ENTRIES, ANSWERS, ASSETS, MEMBERS, INVITATIONS, TICKETS)
_PICTURE = re.compile(rb"/assets/([A-Za-z0-9._-]{1,64})")


class TableSize(Value, frozen=True, kw_only=True):
    """The bytes that a table takes, by kind, and the number of its entries and pictures."""

    table: str
    entries: int = 0
    log_bytes: int = 0
    replies_bytes: int = 0
    pictures: int = 0
    pictures_bytes: int = 0

    @property
    def bytes(self) -> int:
        """Return the bytes of all."""
        return self.log_bytes + self.replies_bytes + self.pictures_bytes


class StoredGame(NamedTuple):
    """A table, and the ruleset and its version that it needs to be played."""

    table: str
    name: str
    ruleset: str
    version: int


class _SceneHead(msgspec.Struct):
    """The game of a row's scene."""

    ruleset: str
    name: str = ""


class _RowHead(msgspec.Struct):
    """The game of a table's row; the rest of a row is large."""

    scene: _SceneHead
    migrations: tuple[Migration, ...] = ()


class SqlStorage:
    """The sizes of tables in a database, and what can go."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def sizes(self) -> list[TableSize]:
        """Return the size of every table, by ID. Raises StoreDown."""
        with self._database.reading() as connection:
            ids = connection.scalars(sa.select(TABLES.c.id).order_by(TABLES.c.id)).all()
            return [_size(connection, table) for table in ids]

    def games(self) -> Iterator[StoredGame]:
        """Yield the game of every table, by ID; a row that cannot be read is left out. Raises StoreDown."""
        with self._database.reading() as connection:
            ids = connection.scalars(sa.select(TABLES.c.id).order_by(TABLES.c.id)).all()
        for table in ids:
            with self._database.reading() as connection:
                row = connection.scalar(sa.select(TABLES.c.row).where(TABLES.c.id == table))
            try:
                head = msgspec.json.decode(row or b"", type=_RowHead)
            except msgspec.MsgspecError:  # `enfilade check` names it
                continue
            version = head.migrations[-1].version if head.migrations else 1
            yield StoredGame(table, head.scene.name, head.scene.ruleset, version)

    def size_of(self, table: str) -> TableSize:
        """Return a table's size. Raises StoreDown."""
        with self._database.reading() as connection:
            return _size(connection, table)

    def delete(self, table: str) -> bool:
        """Delete a table with its log, replies, pictures and members; return False if there is none."""

        def work(connection: sa.Connection) -> bool:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("PRAGMA secure_delete=ON")
            for part in _PARTS:
                connection.execute(sa.delete(part).where(part.c.table_id == table))
            return connection.execute(sa.delete(TABLES).where(TABLES.c.id == table)).rowcount == 1

        return self._database.write(work, is_large=True)

    def drop_replies(self, before_ms: int) -> int:
        """Delete the replies to commands from before a time; return their number. Raises StoreDown."""
        old = sa.delete(ANSWERS).where(ANSWERS.c.at_ms < before_ms)
        return self._database.write(lambda connection: int(connection.execute(old).rowcount))

    def drop_copies(self, older_ms: int) -> list[Path]:
        """Delete the copies beside an SQLite file that are older than a time; return the deleted ones."""
        file = self._database.file
        return drop_kept_copies(Path(file), older_ms / 1000) if file is not None else []

    def drop_pictures(self, before_ms: int) -> int:
        """Delete the pictures from before a time that no table shows; return their number.

        Raises StoreDown. A table whose row is damaged keeps its pictures.
        """
        return sum(self._drop_pictures_of(table, before_ms) for table in self._tables_with_old(before_ms))

    def _tables_with_old(self, before_ms: int) -> list[str]:
        chosen = sa.select(ASSETS.c.table_id).where(ASSETS.c.at_ms < before_ms).distinct()
        with self._database.reading() as connection:
            return list(connection.scalars(chosen).all())

    def _drop_pictures_of(self, table: str, before_ms: int) -> int:
        old = sa.and_(ASSETS.c.table_id == table, ASSETS.c.at_ms < before_ms)
        with self._database.reading() as connection:
            ids = set(connection.scalars(sa.select(ASSETS.c.id).where(old)).all())
            try:
                for text in _texts_that_show_pictures(connection, table):
                    checkpoint()
                    ids -= {found.decode() for found in _PICTURE.findall(text)}
            except (msgspec.MsgspecError, UnicodeDecodeError):
                return 0
        return self._delete_pictures(table, ids)

    def _delete_pictures(self, table: str, ids: Collection[str]) -> int:
        if not ids:
            return 0
        gone = sa.delete(ASSETS).where(ASSETS.c.table_id == table, ASSETS.c.id.in_(ids))
        return self._database.write(lambda connection: int(connection.execute(gone).rowcount))


def _size(connection: sa.Connection, table: str) -> TableSize:
    found = {}
    for part, column in ((ENTRIES, ENTRIES.c.entry), (ANSWERS, ANSWERS.c.answer), (ASSETS, ASSETS.c.data)):
        total = sa.func.coalesce(sa.func.sum(sa.func.length(column)), 0)
        chosen = sa.select(sa.func.count(), total).where(part.c.table_id == table)
        found[part.name] = connection.execute(chosen).one()
    return TableSize(
        table=table,
        entries=int(found["entries"][0]),
        log_bytes=int(found["entries"][1]),
        replies_bytes=int(found["answers"][1]),
        pictures=int(found["assets"][0]),
        pictures_bytes=int(found["assets"][1]),
    )


def _texts_that_show_pictures(connection: sa.Connection, table: str) -> Iterator[bytes]:
    """Yield the stored forms of a table's row and of the entries that undo can still reverse."""
    row = connection.scalar(sa.select(TABLES.c.row).where(TABLES.c.id == table))
    if row is None:
        return
    yield bytes(row)
    state = scene_json.decode(bytes(row), TableState)
    for seq in state.undoable:
        chosen = sa.select(ENTRIES.c.entry).where(ENTRIES.c.table_id == table, ENTRIES.c.seq == seq)
        entry = connection.scalar(chosen)
        if entry is not None:
            yield bytes(entry)
