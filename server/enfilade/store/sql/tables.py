"""Store tables in a database with SQLAlchemy Core: an SQLite file or PostgreSQL, every commit on disk.

One transaction holds an entry, the table's new row and the command's reply. Reads verify the checksums; a
table that does not match them is closed (Damaged).
"""

from __future__ import annotations

import secrets
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

import msgspec
import sqlalchemy as sa

from enfilade.errors import OtherProcess
from enfilade.i18n import localize
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import scene_json
from enfilade.scene.entry import Entry, TextOnlyEntry
from enfilade.scene.events import MapSet, SceneSet
from enfilade.scene.scene_json import canonical_json
from enfilade.store import integrity
from enfilade.store.members import Member
from enfilade.store.protocol import ConflictError, StoredReply, TableState
from enfilade.store.sql.database import Database, Statement, now_ms
from enfilade.store.sql.group_commit import INLINE, CommitHooks
from enfilade.store.sql.idempotency import REPLY, REPLY_IDS, ReplyIndex, insert_reply
from enfilade.store.sql.leases import LEASE_SECONDS, Leases
from enfilade.store.sql.members import SqlMembers, insert_member
from enfilade.store.sql.migrate import migrate, require_newest
from enfilade.store.sql.schema import ABOUT, ASSETS, ENTRIES, TABLES
from enfilade.store.sql.storage import SqlStorage

V = TypeVar("V")

MAX_BYTES = 2 * 1024 * 1024
"""The most stored bytes of entries that are read at once; as objects they take ten times as much. Half of it
is one large scene."""

_LARGE_BYTES = 256 * 1024
"""The size of a row with its entry from which they take milliseconds to store."""

_TABLE: sa.BindParameter[str] = sa.bindparam("table_id")
_THIS_TABLE = TABLES.c.id == _TABLE
_THIS_REVISION = sa.and_(_THIS_TABLE, TABLES.c.revision == sa.bindparam("was"))
_NEW: dict[str, sa.BindParameter[Any]] = {
    name: sa.bindparam(f"new_{name}") for name in ("revision", "row", "head", "seal")
}
_LOG = sa.select(ENTRIES).where(ENTRIES.c.table_id == _TABLE)


def _batch(log: sa.Select[Any]) -> Statement:
    batch = log.where(ENTRIES.c.seq >= sa.bindparam("first")).order_by(ENTRIES.c.seq)
    return Statement(batch.limit(sa.bindparam("limit", type_=sa.Integer)))


ROW = Statement(sa.select(TABLES).where(_THIS_TABLE))
HEAD = Statement(sa.select(TABLES.c.head).where(_THIS_REVISION))
UPDATE_ROW = Statement(
    sa.update(TABLES)
    .where(
        _THIS_REVISION,
        TABLES.c.head == sa.bindparam("old_head"),
        TABLES.c.fence == sa.bindparam("known_fence"),
    )
    .values(_NEW)
)
FENCE = Statement(sa.select(TABLES.c.fence).where(_THIS_TABLE))
LAST_ENTRY = Statement(_LOG.order_by(ENTRIES.c.seq.desc()).limit(1))
ENTRY_BATCH = _batch(_LOG)
ENTRY_SIZES = _batch(_LOG.with_only_columns(sa.func.length(ENTRIES.c.entry).label("size")))
NEW_ENTRY = Statement(sa.insert(ENTRIES))
NEW_TABLE = Statement(sa.insert(TABLES))
NEW_ASSET = Statement(sa.insert(ASSETS))
NEW_EPOCH = Statement(sa.update(ABOUT).where(ABOUT.c.name == "epoch").values(value=sa.bindparam("epoch")))


class SqlStore:
    """A store in the database at an SQLAlchemy URL.

    Creates or migrates the schema; with `migrates=False` only checks it. Raises WrongVersion for a newer (or
    then also an older) schema, and StoreDown if the database cannot be reached. `hooks` define how writers
    wait for disk I/O.
    """

    def __init__(self, url: str, *, migrates: bool = True, hooks: CommitHooks = INLINE) -> None:
        self._database = Database(url, hooks)
        self._measure = hooks.measure
        self._members = SqlMembers(self._database)
        self.storage = SqlStorage(self._database)
        """The sizes of tables, and what can go."""
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._fences: dict[str, int] = {}
        self._is_leased = False
        self._reply_index = ReplyIndex(self._reply_ids)
        try:
            (migrate if migrates else require_newest)(self._database)
            with self._database.reading() as connection:
                chosen = sa.select(ABOUT.c.value).where(ABOUT.c.name == "epoch")
                self._epoch = str(connection.scalar(chosen))
        except BaseException:
            self.close()
            raise

    @property
    def epoch(self) -> str:
        """Return 64 random bits in hexadecimal, which change on every restore."""
        return self._epoch

    @property
    def members(self) -> SqlMembers:
        """Return the store of members."""
        return self._members

    def lease_tables(self, name: str, lease_seconds: float = LEASE_SECONDS) -> Leases:
        """Register this process as `name`; from now on the store writes only to the tables that it owns.

        Raises BadInput without PostgreSQL, and StoreDown.
        """
        leases = Leases(self._database, name, lease_seconds)
        leases.begin()
        self._is_leased = True
        return leases

    def set_fences(self, fences: Mapping[str, int]) -> None:
        """Set the fencing number of each table that this process owns."""
        self._fences = dict(fences)

    def begin_epoch(self) -> None:
        """Begin a new epoch, so that clients drop stale state."""
        self._epoch = secrets.token_hex(8)
        self._database.write(lambda connection: NEW_EPOCH.run(connection, epoch=self._epoch))

    def require_ready(self) -> None:
        """Raise StoreDown if the database or its disk fails, WrongVersion if its schema has changed."""
        require_newest(self._database)
        self._database.require_writable()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def table_ids(self) -> Sequence[str]:
        """Return the ID of every table, sorted."""
        with self._database.reading() as connection:
            return connection.scalars(sa.select(TABLES.c.id).order_by(TABLES.c.id)).all()

    def create(self, state: TableState, members: Mapping[str, Member]) -> None:
        """Store a new table and its first members, by the hashes of their keys."""
        row, head = canonical_json(state), integrity.first_link(state.id)
        sealed = {"row": row, "head": head, "seal": integrity.seal(state.id, head, row)}
        new = {"id": state.id, "revision": state.revision, **sealed, "owner": "", "fence": 0}

        def work(connection: sa.Connection) -> None:
            NEW_TABLE.run(connection, **new)
            for key, member in members.items():
                insert_member(connection, member, key)

        self._database.write(work)

    def load(self, table: str) -> TableState | None:
        """Return the row of a table, or None. Raises Damaged."""
        self._reply_index.forget(table)
        with self._database.reading() as connection:
            found = ROW.first(connection, table_id=table)
            last = LAST_ENTRY.first(connection, table_id=table)
        if found is None:
            return None
        if not self._is_leased:
            self._fences[table] = found.fence
        return _verify_row(found, last)

    def save(self, state: TableState, entry: Entry | None, reply: StoredReply | None) -> None:
        """Store a table's new row, its entry and the command's reply.

        Raises ConflictError; OtherProcess if this process does not own the table.
        """
        fence = self._fences.get(state.id, -1 if self._is_leased else 0)
        change = _Change.of(state, entry, reply)
        # The head that this process stored last; removed until the new one is on disk.
        revision, head = self._heads.pop(state.id, (0, b""))
        known_head = head if revision == state.revision - 1 else b""
        if (
            reply is not None
        ):  # before it is stored, because a commit may succeed without this process knowing
            self._reply_index.add(state.id, reply.seat, reply.id)

        def work(connection: sa.Connection) -> bytes:
            return _save(connection, change, known_head or _load_head(connection, state), fence)

        try:
            with self._measure():
                head = self._database.write(work, is_large=change.is_large)
            self._heads[state.id] = state.revision, head
        except ConflictError:
            self._require_fence(state.id, fence)
            raise

    def _require_fence(self, table: str, fence: int) -> None:
        """Raise OtherProcess if a write failed because another process took the table."""
        found = self._database.select(FENCE, table_id=table)
        if self._is_leased and found and found[0].fence != fence:
            self._fences.pop(table, None)
            raise OtherProcess(localize("store.other_process"))

    def entries(self, table: str, after: int, limit: int) -> Sequence[Entry]:
        """Return up to `limit` entries and `MAX_BYTES` after a sequence number. Raises Damaged."""
        return self._read(table, after, limit, Entry)

    def log_texts(self, table: str, after: int, limit: int) -> Sequence[Entry]:
        """Return the same entries without their events. Raises Damaged.

        To decode the events of an entry that set a whole scene takes 20 ms.
        """
        return self._read(table, after, limit, TextOnlyEntry)

    def _read(self, table: str, after: int, limit: int, kind: type[Entry]) -> Sequence[Entry]:
        if limit > 1:
            rows = self._database.select(ENTRY_SIZES, table_id=table, first=after + 1, limit=limit)
            limit = max(1, bisect_right(list(accumulate(row.size for row in rows)), MAX_BYTES))
        # Includes the entry before, because the first must follow it.
        batch = {"table_id": table, "first": after, "limit": limit + (after > 0)}
        checkpoint()
        return _verify_entries(table, after, self._database.select(ENTRY_BATCH, **batch), kind)

    def reply(self, table: str, seat: str, command_id: str) -> StoredReply | None:
        """Return the stored reply to a command, or None. Raises Damaged."""
        # Several processes may reply for a table in a database server; a file has one.
        if self._database.file and not self._reply_index.may_contain(table, seat, command_id):
            return None
        for found in self._database.select(REPLY, table_id=table, seat=seat, id=command_id):
            sealed = integrity.seal(table, seat, command_id, found.answer)
            _require(found.seal == sealed, table, "reply")
            return _decode(table, found.answer, StoredReply)
        return None

    def _reply_ids(self, table: str, limit: int) -> list[tuple[str, str]]:
        return self._database.select(REPLY_IDS, table_id=table, limit=limit)

    def delete(self, table: str) -> bool:
        """Delete a table with all that belongs to it; return False if there is none."""
        self._heads.pop(table, None)
        self._reply_index.forget(table)
        return self.storage.delete(table)

    def bytes_of(self, table: str) -> int:
        """Return the bytes that a table takes: its log, its replies and its pictures."""
        return self.storage.size_of(table).bytes

    def add_asset(self, table: str, asset: str, kind: str, data: bytes) -> None:
        """Store an image of a table."""
        row = {"table_id": table, "id": asset, "kind": kind, "data": data, "at_ms": now_ms()}
        new = {**row, "seal": integrity.seal(table, asset, kind, data)}
        self._database.write(lambda connection: NEW_ASSET.run(connection, **new))

    def asset(self, table: str, asset: str) -> tuple[str, bytes] | None:
        """Return the media type and bytes of an image, or None. Raises Damaged."""
        chosen = sa.select(ASSETS).where(ASSETS.c.table_id == table, ASSETS.c.id == asset)
        with self._database.reading() as connection:
            found = connection.execute(chosen).first()
        if found is None:
            return None
        _require(found.seal == integrity.seal(table, asset, found.kind, found.data), table, "image")
        return found.kind, found.data


def _load_head(connection: sa.Connection, state: TableState) -> bytes:
    found = HEAD.first(connection, table_id=state.id, was=state.revision - 1)
    if found is None:
        raise ConflictError
    return bytes(found.head)


class _Change(NamedTuple):
    """The stored form of a change, encoded before the thread that writes gets it."""

    table: str
    revision: int
    row: bytes
    seq: int
    entry: bytes | None
    reply: StoredReply | None

    @classmethod
    def of(cls, state: TableState, entry: Entry | None, reply: StoredReply | None) -> _Change:
        """Encode a change; one of a large scene takes milliseconds."""
        row = integrity.encode_state(state)
        checkpoint()
        encoded = None if entry is None else _encoded(entry)
        return cls(state.id, state.revision, row, entry.seq if entry else 0, encoded, reply)

    @property
    def is_large(self) -> bool:
        """Return whether hashing and storing it takes milliseconds."""
        return len(self.row) + len(self.entry or b"") > _LARGE_BYTES


def _encoded(entry: Entry) -> bytes:
    is_large = any(isinstance(event, SceneSet | MapSet) for event in entry.events)
    return canonical_json(entry) if is_large else scene_json.encode_small(entry, "sorted")


def _save(connection: sa.Connection, change: _Change, old_head: bytes, fence: int) -> bytes:
    """Store a change after `old_head` and return the new head.

    Raises ConflictError, also if `fence` is not the table's number: then another process owns the table.
    """
    table, row = change.table, change.row
    head = old_head if change.entry is None else integrity.link(old_head, change.entry)
    if change.entry is not None:
        linked = {"entry": change.entry, "prev": old_head, "hash": head}
        NEW_ENTRY.run(connection, table_id=table, seq=change.seq, fence=fence, **linked)
    was = {"table_id": table, "was": change.revision - 1, "old_head": old_head, "known_fence": fence}
    sealed = {"new_row": row, "new_head": head, "new_seal": integrity.seal(table, head, row)}
    if UPDATE_ROW.run(connection, **was, new_revision=change.revision, **sealed) != 1:
        raise ConflictError
    if change.reply is not None:
        insert_reply(connection, table, change.reply)
    return head


def _verify_row(found: Any, last: Any) -> TableState:
    table = found.id
    _require(found.seal == integrity.seal(table, found.head, found.row), table, "row")
    state = _decode(table, found.row, TableState)
    checkpoint()
    head = integrity.first_link(table) if last is None else integrity.link(last.prev, last.entry)
    seq = 0 if last is None else last.seq
    _require((state.id, state.revision) == (table, found.revision), table, "row")
    _require((head, seq) == (found.head, state.seq), table, "log_end")
    return state


def _verify_entries(table: str, after: int, rows: Sequence[Any], kind: type[Entry]) -> list[Entry]:
    prev, seq = (rows[0].prev, after - 1) if rows and after else (integrity.first_link(table), 0)
    entries: list[Entry] = []
    for row in rows:
        checkpoint()  # a row with a large scene takes milliseconds in each step
        seq += 1
        is_next = row.seq == seq and row.prev == prev and row.hash == integrity.link(prev, row.entry)
        _require(is_next, table, "entry", seq=seq)
        checkpoint()
        entries.append(_decode(table, row.entry, kind))
        prev = row.hash
    return entries[after > 0 :]


def _decode(table: str, data: bytes, kind: type[V]) -> V:
    try:
        return scene_json.decode(data, kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise integrity.damaged(table, "stored_json") from None


def _require(is_intact: bool, table: str, part: str, **values: object) -> None:
    if not is_intact:
        raise integrity.damaged(table, part, **values)
