"""Tables kept in memory, gone with the process: for tests, samples and one-off questions."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from enfilade.scene.entry import Entry
from enfilade.store.members import Member
from enfilade.store.memory_members import MemoryMembers
from enfilade.store.protocol import ConflictError, StoredReply, TableState


class MemoryStore:
    """A store that forgets."""

    def __init__(self) -> None:
        self.epoch = secrets.token_hex(8)
        self._keys = MemoryMembers()
        self._tables: dict[str, TableState] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._answers: dict[tuple[str, str, str], StoredReply] = {}
        self._assets: dict[tuple[str, str], tuple[str, bytes]] = {}

    def table_ids(self) -> Sequence[str]:
        """The id of every table, in order."""
        return sorted(self._tables)

    @property
    def members(self) -> MemoryMembers:
        """Who may come to which table."""
        return self._keys

    def create(self, kept: TableState, members: Mapping[str, Member]) -> None:
        """Keeps a new table with its first members by the hashes of their keys."""
        self._tables[kept.id] = kept
        self._entries[kept.id] = []
        for key, member in members.items():
            self._keys.add_member(member, key)

    def load(self, table: str) -> TableState | None:
        """A table's row, or None."""
        return self._tables.get(table)

    def save(self, kept: TableState, entry: Entry | None, answered: StoredReply | None) -> None:
        """Stores the table's new row, the entry that led to it and the command's answer."""
        entries, now = self._entries[kept.id], self._tables[kept.id]
        is_next = entry is None or entry.seq == len(entries) + 1
        if (
            kept.revision != now.revision + 1
            or not is_next
            or (answered and (kept.id, answered.seat, answered.id) in self._answers)
        ):
            raise ConflictError
        if entry is not None:
            entries.append(entry)
        self._tables[kept.id] = kept
        if answered is not None:
            self._answers[kept.id, answered.seat, answered.id] = answered

    def entries(self, table: str, after: int, most: int) -> Sequence[Entry]:
        """At most so many entries after a place in the log, oldest first."""
        return self._entries[table][after : after + most]

    def log_texts(self, table: str, after: int, most: int) -> Sequence[Entry]:
        """The same entries, of which only the words may be used."""
        return self.entries(table, after, most)

    def reply(self, table: str, seat: str, command_id: str) -> StoredReply | None:
        """The answer a seat's command got when it was first done, or None."""
        return self._answers.get((table, seat, command_id))

    def add_asset(self, table: str, asset: str, kind: str, data: bytes) -> None:
        """Keeps an image of a table."""
        self._assets[table, asset] = (kind, data)

    def asset(self, table: str, asset: str) -> tuple[str, bytes] | None:
        """An image's kind and bytes, or None."""
        return self._assets.get((table, asset))
