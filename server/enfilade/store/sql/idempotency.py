"""Store the replies to commands, so that a repeated command gets its first reply.

Nearly every command is new. To learn that from the database takes as long as two of the statements that store
a command, so an index in memory answers for most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import sqlalchemy as sa

from enfilade.scene.scene_json import canonical_json
from enfilade.store import integrity
from enfilade.store.protocol import StoredReply
from enfilade.store.sql.database import Statement, now_ms
from enfilade.store.sql.schema import ANSWERS

MAX_TABLES = 512
"""The most tables in the index; together they take at most 36 MB."""

MAX_REPLIES = 1_000
"""The most replies of a table in the index, read in 1 ms; for a table with more, each command is looked
up."""

_TABLE: sa.BindParameter[str] = sa.bindparam("table_id")
REPLY = Statement(
    sa.select(ANSWERS).where(
        ANSWERS.c.table_id == _TABLE,
        ANSWERS.c.seat == sa.bindparam("seat"),
        ANSWERS.c.id == sa.bindparam("id"),
    )
)
REPLY_IDS = Statement(
    sa.select(ANSWERS.c.seat, ANSWERS.c.id)
    .where(ANSWERS.c.table_id == _TABLE)
    .limit(sa.bindparam("limit", type_=sa.Integer))
)
_NEW_REPLY = Statement(sa.insert(ANSWERS))

ReadReplies = Callable[[str, int], Iterable[tuple[str, str]]]
"""Returns up to that many of a table's replies, each as seat and command ID."""


class ReplyIndex:
    """The replies that the tables of this process have given, as 64-bit hashes.

    Only this process may reply for them. If another process did, the stored row is no longer what this one
    expects: nothing can be stored, the table is loaded again, and its index is dropped.
    """

    def __init__(self, read: ReadReplies) -> None:
        self._read = read
        self._known: dict[str, set[int] | None] = {}

    def may_contain(self, table: str, seat: str, command: str) -> bool:
        """Return False if a command certainly has no reply yet."""
        if table not in self._known:
            self._load(table)
        known = self._known[table]
        return known is None or hash((seat, command)) in known

    def add(self, table: str, seat: str, command: str) -> None:
        """Add a reply that is about to be stored."""
        known = self._known.get(table)
        if known is not None:
            known.add(hash((seat, command)))
            if len(known) > MAX_REPLIES:
                self._known[table] = None

    def forget(self, table: str) -> None:
        """Drop a table, so that its replies are read again."""
        self._known.pop(table, None)

    def _load(self, table: str) -> None:
        found = {hash(reply) for reply in self._read(table, MAX_REPLIES + 1)}
        while len(self._known) >= MAX_TABLES:
            del self._known[next(iter(self._known))]
        self._known[table] = found if len(found) <= MAX_REPLIES else None


def insert_reply(connection: sa.Connection, table: str, reply: StoredReply) -> None:
    """Insert a reply in the current transaction. The unique key refuses a second reply to one command."""
    data = canonical_json(reply)
    row = {"table_id": table, "seat": reply.seat, "id": reply.id, "answer": data, "at_ms": now_ms()}
    _NEW_REPLY.run(connection, **row, seal=integrity.seal(table, reply.seat, reply.id, data))
