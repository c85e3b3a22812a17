"""Tables kept in a database by SQLAlchemy Core: an SQLite file or PostgreSQL, every commit on disk.

One transaction holds an entry, the table's new row and the command's answer: all of them or none. Whatever is
read is checked against what was written, and a table of which it is not the same is closed (Damaged).
"""

from __future__ import annotations

import secrets
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from enfilade.scene.entry import Entry, TextOnlyEntry
from enfilade.store import hash_chain
from enfilade.store.disk import INLINE, CommitHooks
from enfilade.store.members import Member
from enfilade.store.protocol import ConflictError, StoredReply, TableState
from enfilade.store.sql.database import Database
from enfilade.store.sql.idempotency import ReplyIndex
from enfilade.store.sql.members import SqlMembers, admit
from enfilade.store.sql.migrate import bring_up_to_date, must_be_newest
from enfilade.store.sql.row import row_of
from enfilade.store.sql.schema import ABOUT, ANSWERS, ASSETS, ENTRIES, TABLES
from enfilade.store.sql.statement import Statement

V = TypeVar("V")

MOST_BYTES = 2 * 1024 * 1024
"""Of entries as they are stored, so many bytes are read at once; as objects they take ten times as many. A
whole large scene that was set is half of it."""

_TABLE: sa.BindParameter[str] = sa.bindparam("table_id")
_THIS_TABLE = TABLES.c.id == _TABLE
_AS_IT_WAS = sa.and_(_THIS_TABLE, TABLES.c.revision == sa.bindparam("was"))
_NEW: dict[str, sa.BindParameter[Any]] = {
    name: sa.bindparam(f"new_{name}") for name in ("revision", "row", "head", "seal")
}
_OF_ITS_LOG = sa.select(ENTRIES).where(ENTRIES.c.table_id == _TABLE)


def _some(of_a_log: sa.Select[Any]) -> Statement:
    from_one_on = of_a_log.where(ENTRIES.c.seq >= sa.bindparam("first")).order_by(ENTRIES.c.seq)
    return Statement(from_one_on.limit(sa.bindparam("most", type_=sa.Integer)))


ROW = Statement(sa.select(TABLES).where(_THIS_TABLE))
HEAD = Statement(sa.select(TABLES.c.head).where(_AS_IT_WAS))
NEW_ROW = Statement(
    sa.update(TABLES).where(_AS_IT_WAS, TABLES.c.head == sa.bindparam("old_head")).values(_NEW)
)
LAST_ENTRY = Statement(_OF_ITS_LOG.order_by(ENTRIES.c.seq.desc()).limit(1))
SOME_ENTRIES = _some(_OF_ITS_LOG)
SIZES = _some(_OF_ITS_LOG.with_only_columns(sa.func.length(ENTRIES.c.entry).label("size")))
NEW_ENTRY = Statement(sa.insert(ENTRIES))
ANSWER = Statement(
    sa.select(ANSWERS).where(
        ANSWERS.c.table_id == _TABLE,
        ANSWERS.c.seat == sa.bindparam("seat"),
        ANSWERS.c.id == sa.bindparam("id"),
    )
)
ALL_ANSWERED = Statement(
    sa.select(ANSWERS.c.seat, ANSWERS.c.id)
    .where(ANSWERS.c.table_id == _TABLE)
    .limit(sa.bindparam("most", type_=sa.Integer))
)
NEW_ANSWER = Statement(sa.insert(ANSWERS))
NEW_TABLE = Statement(sa.insert(TABLES))
NEW_ASSET = Statement(sa.insert(ASSETS))
NEW_EPOCH = Statement(sa.update(ABOUT).where(ABOUT.c.name == "epoch").values(value=sa.bindparam("epoch")))


class SqlStore:
    """A store in the database at an SQLAlchemy URL.

    Its schema is made or brought up to date, or only looked at where `migrates` is False. Raises WrongVersion
    for a newer (or then an older) schema, StoreDown where the database cannot be reached. `disk` is how
    it is waited for, so that a server can go on meanwhile.
    """

    def __init__(self, url: str, *, migrates: bool = True, disk: CommitHooks = INLINE) -> None:
        self._database = Database(url, disk)
        self._keys = SqlMembers(self._database)
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._repeats = ReplyIndex(self._all_answered)
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
        self._database.write(lambda connection: NEW_EPOCH.run(connection, epoch=self._epoch))

    def must_be_ready(self) -> None:
        """Raises StoreDown where the database does not answer, WrongVersion where its schema is another."""
        must_be_newest(self._database)

    def close(self) -> None:
        """Lets go of the database."""
        self._database.close()

    def table_ids(self) -> Sequence[str]:
        """The id of every table, in order."""
        with self._database.reading() as connection:
            return connection.scalars(sa.select(TABLES.c.id).order_by(TABLES.c.id)).all()

    @property
    def members(self) -> SqlMembers:
        """Who may come to which table."""
        return self._keys

    def create(self, kept: TableState, members: Mapping[str, Member]) -> None:
        """Keeps a new table with its first members by the hashes of their keys."""
        row, head = hash_chain.canonical(kept), hash_chain.first_link(kept.id)
        sealed = {"row": row, "head": head, "seal": hash_chain.seal(kept.id, head, row)}
        new = {"id": kept.id, "revision": kept.revision, **sealed}

        def work(connection: sa.Connection) -> None:
            NEW_TABLE.run(connection, **new)
            for key, member in members.items():
                admit(connection, member, key)

        self._database.write(work)

    def load(self, table: str) -> TableState | None:
        """A table's row, or None; raises Damaged."""
        self._repeats.forget(table)
        with self._database.reading() as connection:
            found = ROW.first(connection, table_id=table)
            entry = LAST_ENTRY.first(connection, table_id=table)
        return None if found is None else _checked_row(found, entry)

    def save(self, kept: TableState, entry: Entry | None, answered: StoredReply | None) -> None:
        """Stores the table's new row, the entry that led to it and the command's answer."""
        # What this process stored last; forgotten meanwhile, as the new one only holds once this is done.
        revision, head = self._heads.pop(kept.id, (0, b""))
        known = head if revision == kept.revision - 1 else b""
        if answered is not None:  # before it is stored: it may be, though nobody is told so
            self._repeats.add(kept.id, answered.seat, answered.id)

        def work(connection: sa.Connection) -> bytes:
            return _save(connection, kept, entry, answered, known or _head_before(connection, kept))

        self._heads[kept.id] = kept.revision, self._database.write(work)

    def entries(self, table: str, after: int, most: int) -> Sequence[Entry]:
        """At most so many entries after a place, oldest first, and `MOST_BYTES`; raises Damaged."""
        return self._read(table, after, most, Entry)

    def log_texts(self, table: str, after: int, most: int) -> Sequence[Entry]:
        """The same entries, of which only the words may be used; raises Damaged.

        A whole scene that was set is 20 ms of reading, which nobody waits for who reads the log.
        """
        return self._read(table, after, most, TextOnlyEntry)

    def _read(self, table: str, after: int, most: int, kind: type[Entry]) -> Sequence[Entry]:
        most = self._at_once(table, after, most)
        # With the one before: the first must follow it.
        asked = {"table_id": table, "first": after, "most": most + (after > 0)}
        return _checked_entries(table, after, self._database.found(SOME_ENTRIES, **asked), kind)

    def _at_once(self, table: str, after: int, most: int) -> int:
        """How many of so many entries after a place are read at once; always one."""
        if most <= 1:
            return most
        rows = self._database.found(SIZES, table_id=table, first=after + 1, most=most)
        return max(1, bisect_right(list(accumulate(row.size for row in rows)), MOST_BYTES))

    def reply(self, table: str, seat: str, command_id: str) -> StoredReply | None:
        """The answer a seat's command got when it was first done, or None; raises Damaged."""
        # Several servers may answer for one table of a database server; a file has one.
        if self._database.file and not self._repeats.may_be_one(table, seat, command_id):
            return None
        rows = self._database.found(ANSWER, table_id=table, seat=seat, id=command_id)
        if not rows:
            return None
        (found,) = rows
        sealed = hash_chain.seal(table, seat, command_id, found.answer)
        _must_hold(found.seal == sealed, table, "a command's answer")
        return _decoded(table, found.answer, StoredReply)

    def _all_answered(self, table: str, most: int) -> list[tuple[str, str]]:
        return self._database.found(ALL_ANSWERED, table_id=table, most=most)

    def add_asset(self, table: str, asset: str, kind: str, data: bytes) -> None:
        """Keeps an image of a table."""
        row = {"table_id": table, "id": asset, "kind": kind, "data": data}
        new = {**row, "seal": hash_chain.seal(table, asset, kind, data)}
        self._database.write(lambda connection: NEW_ASSET.run(connection, **new))

    def asset(self, table: str, asset: str) -> tuple[str, bytes] | None:
        """An image's kind and bytes, or None; raises Damaged."""
        chosen = sa.select(ASSETS).where(ASSETS.c.table_id == table, ASSETS.c.id == asset)
        with self._database.reading() as connection:
            found = connection.execute(chosen).first()
        if found is None:
            return None
        _must_hold(found.seal == hash_chain.seal(table, asset, found.kind, found.data), table, "an image")
        return found.kind, found.data


def _head_before(connection: sa.Connection, kept: TableState) -> bytes:
    found = HEAD.first(connection, table_id=kept.id, was=kept.revision - 1)
    if found is None:
        raise ConflictError
    return bytes(found.head)


def _save(
    connection: sa.Connection,
    kept: TableState,
    entry: Entry | None,
    answered: StoredReply | None,
    old_head: bytes,
) -> bytes:
    """Stores what follows a head; gives the new one. Raises ConflictError where the row is not as it was."""
    head = old_head if entry is None else _append(connection, kept.id, old_head, entry)
    row = row_of(kept)
    was = {"table_id": kept.id, "was": kept.revision - 1, "old_head": old_head}
    sealed = {"new_row": row, "new_head": head, "new_seal": hash_chain.seal(kept.id, head, row)}
    if NEW_ROW.run(connection, **was, new_revision=kept.revision, **sealed) != 1:
        raise ConflictError
    if answered is not None:
        _answer(connection, kept.id, answered)
    return head


def _append(connection: sa.Connection, table: str, prev: bytes, entry: Entry) -> bytes:
    """Puts an entry at the end of a table's chain; gives its hash."""
    data = hash_chain.canonical(entry)
    linked = {"prev": prev, "hash": hash_chain.link(prev, data)}
    NEW_ENTRY.run(connection, table_id=table, seq=entry.seq, entry=data, **linked)
    return linked["hash"]


def _answer(connection: sa.Connection, table: str, answered: StoredReply) -> None:
    data = hash_chain.canonical(answered)
    row = {"table_id": table, "seat": answered.seat, "id": answered.id, "answer": data}
    NEW_ANSWER.run(connection, **row, seal=hash_chain.seal(table, answered.seat, answered.id, data))


def _checked_row(found: Any, last: Any) -> TableState:
    table = found.id
    _must_hold(found.seal == hash_chain.seal(table, found.head, found.row), table, "its row")
    kept = _decoded(table, found.row, TableState)
    head = hash_chain.first_link(table) if last is None else hash_chain.link(last.prev, last.entry)
    seq = 0 if last is None else last.seq
    _must_hold((kept.id, kept.revision) == (table, found.revision), table, "its row")
    _must_hold((head, seq) == (found.head, kept.seq), table, "the end of its log")
    return kept


def _checked_entries(table: str, after: int, rows: Sequence[Any], kind: type[Entry]) -> list[Entry]:
    prev, seq = (rows[0].prev, after - 1) if rows and after else (hash_chain.first_link(table), 0)
    entries: list[Entry] = []
    for row in rows:
        seq += 1
        is_next = row.seq == seq and row.prev == prev and row.hash == hash_chain.link(prev, row.entry)
        _must_hold(is_next, table, f"entry {seq} of its log")
        entries.append(_decoded(table, row.entry, kind))
        prev = row.hash
    return entries[after > 0 :]


def _decoded(table: str, data: bytes, kind: type[V]) -> V:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise hash_chain.damaged(table, "a row of it") from None


def _must_hold(is_so: bool, table: str, what: str) -> None:
    if not is_so:
        raise hash_chain.damaged(table, what)
