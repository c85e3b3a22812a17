"""Tables kept in a database by SQLAlchemy Core: an SQLite file or PostgreSQL, every commit on disk.

One transaction holds an entry, the table's new row and the command's answer: all of them or none. Whatever is
read is checked against what was written, and a table of which it is not the same is closed (Damaged).
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from enfilade.scene.entry import Entry
from enfilade.store import chain
from enfilade.store.database import Database
from enfilade.store.kept import Answered, Kept, OvertakenError
from enfilade.store.migrate import bring_up_to_date, must_be_newest
from enfilade.store.schema import ABOUT, ANSWERS, ASSETS, ENTRIES, TABLES

V = TypeVar("V")


class SqlStore:
    """A store in the database at an SQLAlchemy URL.

    Its schema is made or brought up to date, or only looked at where `migrates` is False. Raises WrongVersion
    for a newer (or then an older) schema, StoreDown where the database cannot be reached.
    """

    def __init__(self, url: str, *, migrates: bool = True) -> None:
        self._database = Database(url)
        try:
            (bring_up_to_date if migrates else must_be_newest)(self._database)
            self._epoch = self._read_epoch()
        except BaseException:
            self.close()
            raise

    @property
    def epoch(self) -> str:
        """64 random bits, as hex, that are new whenever the store was restored."""
        return self._epoch

    def _read_epoch(self) -> str:
        with self._database.reading() as connection:
            return str(connection.scalar(sa.select(ABOUT.c.value).where(ABOUT.c.name == "epoch")))

    def begin_epoch(self) -> None:
        """Begins a new epoch: what anybody remembers of the store from before no longer holds."""
        self._epoch = secrets.token_hex(8)
        with self._database.writing() as connection:
            connection.execute(sa.update(ABOUT).where(ABOUT.c.name == "epoch").values(value=self._epoch))

    def must_be_ready(self) -> None:
        """Raises StoreDown where the database does not answer, WrongVersion where its schema is another."""
        must_be_newest(self._database)

    def close(self) -> None:
        """Lets go of the database."""
        self._database.engine.dispose()

    def ids(self) -> Sequence[str]:
        """The id of every table, in order."""
        with self._database.reading() as connection:
            return connection.scalars(sa.select(TABLES.c.id).order_by(TABLES.c.id)).all()

    def create(self, kept: Kept) -> None:
        """Keeps a new table."""
        row, head = chain.canonical(kept), chain.first_link(kept.id)
        sealed = {"row": row, "head": head, "seal": chain.seal(kept.id, head, row)}
        with self._database.writing() as connection:
            connection.execute(TABLES.insert().values(id=kept.id, revision=kept.revision, **sealed))

    def load(self, table: str) -> Kept | None:
        """A table's row, or None; raises Damaged."""
        last = sa.select(ENTRIES).where(ENTRIES.c.table_id == table).order_by(ENTRIES.c.seq.desc()).limit(1)
        with self._database.reading() as connection:
            found = connection.execute(sa.select(TABLES).where(TABLES.c.id == table)).first()
            entry = connection.execute(last).first()
        return None if found is None else _checked_row(found, entry)

    def save(self, kept: Kept, entry: Entry | None, answered: Answered | None) -> None:
        """Stores the table's new row, the entry that led to it and the command's answer."""
        was = sa.and_(TABLES.c.id == kept.id, TABLES.c.revision == kept.revision - 1)
        with self._database.writing() as connection:
            head = connection.scalar(sa.select(TABLES.c.head).where(was))
            if head is None:
                raise OvertakenError
            if entry is not None:
                head = _append(connection, kept.id, head, entry)
            row = chain.canonical(kept)
            sealed = {"row": row, "head": head, "seal": chain.seal(kept.id, head, row)}
            new_row = sa.update(TABLES).where(was).values(revision=kept.revision, **sealed)
            if connection.execute(new_row).rowcount != 1:
                raise OvertakenError
            if answered is not None:
                _answer(connection, kept.id, answered)

    def entries(self, table: str, after: int, most: int) -> Sequence[Entry]:
        """At most so many entries after a place in the log, oldest first; raises Damaged."""
        chosen = (
            # With the one before: the first must follow it.
            sa.select(ENTRIES)
            .where(ENTRIES.c.table_id == table, ENTRIES.c.seq >= after)
            .order_by(ENTRIES.c.seq)
            .limit(most + (after > 0))
        )
        with self._database.reading() as connection:
            return _checked_entries(table, after, connection.execute(chosen).all())

    def answered(self, table: str, command_id: str) -> Answered | None:
        """The answer a command got when it was first done, or None; raises Damaged."""
        chosen = sa.select(ANSWERS).where(ANSWERS.c.table_id == table, ANSWERS.c.id == command_id)
        with self._database.reading() as connection:
            found = connection.execute(chosen).first()
        if found is None:
            return None
        _must_hold(found.seal == chain.seal(table, command_id, found.answer), table, "a command's answer")
        return _decoded(table, found.answer, Answered)

    def add_asset(self, table: str, asset: str, kind: str, data: bytes) -> None:
        """Keeps an image of a table."""
        row = {"table_id": table, "id": asset, "kind": kind, "data": data}
        with self._database.writing() as connection:
            connection.execute(ASSETS.insert().values(**row, seal=chain.seal(table, asset, kind, data)))

    def asset(self, table: str, asset: str) -> tuple[str, bytes] | None:
        """An image's kind and bytes, or None; raises Damaged."""
        chosen = sa.select(ASSETS).where(ASSETS.c.table_id == table, ASSETS.c.id == asset)
        with self._database.reading() as connection:
            found = connection.execute(chosen).first()
        if found is None:
            return None
        _must_hold(found.seal == chain.seal(table, asset, found.kind, found.data), table, "an image")
        return found.kind, found.data


def _append(connection: sa.Connection, table: str, prev: bytes, entry: Entry) -> bytes:
    """Puts an entry at the end of a table's chain; gives its hash."""
    data = chain.canonical(entry)
    linked = {"prev": prev, "hash": chain.link(prev, data)}
    connection.execute(ENTRIES.insert().values(table_id=table, seq=entry.seq, entry=data, **linked))
    return linked["hash"]


def _answer(connection: sa.Connection, table: str, answered: Answered) -> None:
    data = chain.canonical(answered)
    row = {"table_id": table, "id": answered.id, "answer": data}
    connection.execute(ANSWERS.insert().values(**row, seal=chain.seal(table, answered.id, data)))


def _checked_row(found: sa.Row[Any], last: sa.Row[Any] | None) -> Kept:
    table = found.id
    _must_hold(found.seal == chain.seal(table, found.head, found.row), table, "its row")
    kept = _decoded(table, found.row, Kept)
    head = chain.first_link(table) if last is None else chain.link(last.prev, last.entry)
    seq = 0 if last is None else last.seq
    _must_hold((kept.id, kept.revision) == (table, found.revision), table, "its row")
    _must_hold((head, seq) == (found.head, kept.seq), table, "the end of its log")
    return kept


def _checked_entries(table: str, after: int, rows: Sequence[sa.Row[Any]]) -> list[Entry]:
    prev, seq = (rows[0].prev, after - 1) if rows and after else (chain.first_link(table), 0)
    entries = []
    for row in rows:
        seq += 1
        is_next = row.seq == seq and row.prev == prev and row.hash == chain.link(prev, row.entry)
        _must_hold(is_next, table, f"entry {seq} of its log")
        entries.append(_decoded(table, row.entry, Entry))
        prev = row.hash
    return entries[after > 0 :]


def _decoded(table: str, data: bytes, kind: type[V]) -> V:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise chain.damaged(table, "a row of it") from None


def _must_hold(is_so: bool, table: str, what: str) -> None:
    if not is_so:
        raise chain.damaged(table, what)
