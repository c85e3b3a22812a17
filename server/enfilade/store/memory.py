"""Store tables and members in memory, lost when the process ends: for tests, samples and single questions."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from enfilade.scene.entry import Entry
from enfilade.store.members import Invitation, Member, Ticket
from enfilade.store.protocol import ConflictError, StoredReply, TableState


class MemoryStore:
    """A store in memory."""

    def __init__(self) -> None:
        self.epoch = secrets.token_hex(8)
        self._members = MemoryMembers()
        self._tables: dict[str, TableState] = {}
        self._entries: dict[str, list[Entry]] = {}
        self._replies: dict[tuple[str, str, str], StoredReply] = {}
        self._assets: dict[tuple[str, str], tuple[str, bytes]] = {}

    @property
    def members(self) -> MemoryMembers:
        """Return the store of members."""
        return self._members

    def table_ids(self) -> Sequence[str]:
        """Return the ID of every table, sorted."""
        return sorted(self._tables)

    def create(self, state: TableState, members: Mapping[str, Member]) -> None:
        """Store a new table and its first members, by the hashes of their keys."""
        self._tables[state.id] = state
        self._entries[state.id] = []
        for key, member in members.items():
            self._members.add_member(member, key)

    def load(self, table: str) -> TableState | None:
        """Return the row of a table, or None."""
        return self._tables.get(table)

    def save(self, state: TableState, entry: Entry | None, reply: StoredReply | None) -> None:
        """Store a table's new row, its entry and the command's reply. Raises ConflictError."""
        entries, stored = self._entries[state.id], self._tables[state.id]
        is_next = entry is None or entry.seq == len(entries) + 1
        is_repeated = reply is not None and (state.id, reply.seat, reply.id) in self._replies
        if state.revision != stored.revision + 1 or not is_next or is_repeated:
            raise ConflictError
        if entry is not None:
            entries.append(entry)
        self._tables[state.id] = state
        if reply is not None:
            self._replies[state.id, reply.seat, reply.id] = reply

    def entries(self, table: str, after: int, limit: int) -> Sequence[Entry]:
        """Return up to `limit` entries after a sequence number, oldest first."""
        return self._entries[table][after : after + limit]

    def log_texts(self, table: str, after: int, limit: int) -> Sequence[Entry]:
        """Return the same entries, for callers that use only the text."""
        return self.entries(table, after, limit)

    def reply(self, table: str, seat: str, command_id: str) -> StoredReply | None:
        """Return the stored reply to a command, or None."""
        return self._replies.get((table, seat, command_id))

    def delete(self, table: str) -> bool:
        """Delete a table with all that belongs to it; return False if there is none."""
        self._entries.pop(table, None)
        self._replies = {key: reply for key, reply in self._replies.items() if key[0] != table}
        self._assets = {key: asset for key, asset in self._assets.items() if key[0] != table}
        self._members.delete(table)
        return self._tables.pop(table, None) is not None

    def bytes_of(self, table: str) -> int:
        """Return the bytes that a table's pictures take: the rest is not stored as bytes."""
        return sum(len(data) for (of, _), (_, data) in self._assets.items() if of == table)

    def add_asset(self, table: str, asset: str, kind: str, data: bytes) -> None:
        """Store an image of a table."""
        self._assets[table, asset] = (kind, data)

    def asset(self, table: str, asset: str) -> tuple[str, bytes] | None:
        """Return the media type and bytes of an image, or None."""
        return self._assets.get((table, asset))


class MemoryMembers:
    """Members and their credentials in memory."""

    def __init__(self) -> None:
        self._members: dict[tuple[str, str], tuple[Member, str]] = {}
        self._invitations: dict[tuple[str, str], tuple[Invitation, str]] = {}
        self._tickets: dict[str, Ticket] = {}

    def member(self, table: str, member: str) -> Member | None:
        """Return a member by ID, or None."""
        found = self._members.get((table, member))
        return found and found[0]

    def member_by_key(self, table: str, key: str) -> Member | None:
        """Return the member whose key has this hash, or None."""
        return next((m for m, known in self._members.values() if (m.table, known) == (table, key)), None)

    def members_of(self, table: str) -> Sequence[Member]:
        """Return all members of a table in the order they joined."""
        return [member for member, _ in self._members.values() if member.table == table]

    def add_member(self, member: Member, key: str) -> bool:
        """Store a new member with the hash of the key; return False if the invitation is gone or in use."""
        if member.invitation and (member.table, member.invitation) not in self._invitations:
            return False
        same = (known.invitation == member.invitation for known in self.members_of(member.table))
        if member.role == "player" and member.invitation and any(same):
            return False
        self._members[member.table, member.id] = (member, key)
        return True

    def seat_member(self, table: str, member: str) -> Member | None:
        """Seat a waiting member and use up the invitation."""
        if (table, member) not in self._members:
            return None
        found, key = self._members[table, member]
        seated = replace(found, is_seated=True)
        self._members[table, member] = (seated, key)
        self.revoke_invitation(table, found.invitation)
        return seated

    def remove_member(self, table: str, member: str) -> bool:
        """Delete a member with all tickets."""
        self._remove_tickets(table, member)
        return self._members.pop((table, member), None) is not None

    def replace_key(self, table: str, member: str, key: str) -> bool:
        """Store the hash of a member's new key, and delete all tickets."""
        if (table, member) not in self._members:
            return False
        self._members[table, member] = (self._members[table, member][0], key)
        self._remove_tickets(table, member)
        return True

    def _remove_tickets(self, table: str, member: str) -> None:
        gone = (table, member)
        self._tickets = {s: t for s, t in self._tickets.items() if (t.table, t.member) != gone}

    def delete(self, table: str) -> None:
        """Delete all members of a table, with what they have."""
        for member in self.members_of(table):
            self.remove_member(table, member.id)
        self._invitations = {key: one for key, one in self._invitations.items() if key[0] != table}

    def add_invitation(self, invitation: Invitation, secret: str, now_ms: int) -> None:
        """Store an invitation with the hash of its secret, and delete expired ones."""
        found = self._invitations.items()
        self._invitations = {key: pair for key, pair in found if pair[0].expires_ms > now_ms}
        self._invitations[invitation.table, invitation.id] = (invitation, secret)

    def invitation_by_secret(self, table: str, secret: str) -> Invitation | None:
        """Return the invitation whose secret has this hash, or None."""
        found = self._invitations.values()
        return next((i for i, known in found if (i.table, known) == (table, secret)), None)

    def invitations(self, table: str) -> Sequence[Invitation]:
        """Return the invitations of a table, the first to expire first."""
        found = [invitation for invitation, _ in self._invitations.values() if invitation.table == table]
        return sorted(found, key=lambda invitation: (invitation.expires_ms, invitation.id))

    def revoke_invitation(self, table: str, invitation: str) -> bool:
        """Delete an invitation."""
        return self._invitations.pop((table, invitation), None) is not None

    def add_ticket(self, ticket: Ticket, secret: str, now_ms: int) -> None:
        """Store a ticket with the hash of its secret, and delete expired ones."""
        self._tickets = {s: t for s, t in self._tickets.items() if t.expires_ms > now_ms}
        self._tickets[secret] = ticket

    def ticket(self, secret: str) -> Ticket | None:
        """Return a ticket, or None."""
        return self._tickets.get(secret)

    def redeem_ticket(self, secret: str) -> tuple[Ticket, str] | None:
        """Delete a ticket and return it with its member's key hash."""
        ticket = self._tickets.pop(secret, None)
        owner = ticket and self._members.get((ticket.table, ticket.member))
        return (ticket, owner[1]) if ticket and owner else None

    def key_hashes(self, tables: Iterable[str]) -> Mapping[tuple[str, str], str]:
        """Return the hashes of the keys of all members of these tables, by table and member ID."""
        wanted = set(tables)
        return {at: key for at, (_, key) in self._members.items() if at[0] in wanted}
