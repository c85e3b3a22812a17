"""Store members and their credentials in the database, next to the tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from enfilade.scene.scene_json import canonical_json
from enfilade.store import integrity
from enfilade.store.members import Invitation, Member, Ticket
from enfilade.store.sql.database import Database
from enfilade.store.sql.schema import INVITATIONS, MEMBERS, TICKETS

_BATCH = 500
"""The most IDs in one statement."""


class SqlMembers:
    """Members and their credentials in a store's database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def member(self, table: str, member: str) -> Member | None:
        """Return a member by ID, or None. Raises Damaged."""
        return self._find_member(MEMBERS.c.table_id == table, MEMBERS.c.id == member)

    def member_by_key(self, table: str, key: str) -> Member | None:
        """Return the member whose key has this hash, or None. Raises Damaged."""
        return self._find_member(MEMBERS.c.table_id == table, MEMBERS.c.key == key)

    def _find_member(self, *conditions: Any) -> Member | None:
        with self._database.reading() as connection:
            found = connection.execute(sa.select(MEMBERS).where(*conditions)).first()
        return None if found is None else _decode_member(found)

    def members_of(self, table: str) -> Sequence[Member]:
        """Return all members of a table in the order they joined. Raises Damaged."""
        chosen = sa.select(MEMBERS).where(MEMBERS.c.table_id == table).order_by(MEMBERS.c.place, MEMBERS.c.id)
        with self._database.reading() as connection:
            return [_decode_member(found) for found in connection.execute(chosen)]

    def add_member(self, member: Member, key: str) -> bool:
        """Store a new member with the hash of the key; return False if the invitation is gone or in use."""

        def work(connection: sa.Connection) -> bool:
            if member.invitation and not _lock_invitation(connection, member.table, member.invitation):
                return False
            is_single = member.role == "player" and member.invitation != ""
            if is_single and _is_in_use(connection, member.table, member.invitation):
                return False
            insert_member(connection, member, key)
            return True

        return self._database.write(work)

    def seat_member(self, table: str, member: str) -> Member | None:
        """Seat a waiting member and use up the invitation."""
        return self._database.write(lambda connection: _seat_member(connection, table, member))

    def remove_member(self, table: str, member: str) -> bool:
        """Delete a member with all tickets."""
        removal = sa.delete(MEMBERS).where(MEMBERS.c.table_id == table, MEMBERS.c.id == member)
        return self._change(_tickets_removal(table, member), removal) == 1

    def replace_key(self, table: str, member: str, key: str) -> bool:
        """Store the hash of a member's new key, and delete all tickets."""
        condition = sa.and_(MEMBERS.c.table_id == table, MEMBERS.c.id == member)

        def work(connection: sa.Connection) -> bool:
            found = connection.execute(sa.select(MEMBERS).where(condition)).first()
            if found is None:
                return False
            row = {"key": key, **_encode_member(_decode_member(found), key)}
            connection.execute(sa.update(MEMBERS).where(condition).values(**row))
            connection.execute(_tickets_removal(table, member))
            return True

        return self._database.write(work)

    def add_invitation(self, invitation: Invitation, secret: str, now_ms: int) -> None:
        """Store an invitation with the hash of its secret, and delete expired ones."""
        expired = sa.delete(INVITATIONS).where(INVITATIONS.c.expires_ms <= now_ms)
        self._change(expired, INVITATIONS.insert().values(secret=secret, **_row(invitation)))

    def invitation_by_secret(self, table: str, secret: str) -> Invitation | None:
        """Return the invitation whose secret has this hash, or None."""
        condition = sa.and_(INVITATIONS.c.table_id == table, INVITATIONS.c.secret == secret)
        with self._database.reading() as connection:
            found = connection.execute(sa.select(INVITATIONS).where(condition)).first()
        return None if found is None else _decode_invitation(found)

    def invitations(self, table: str) -> Sequence[Invitation]:
        """Return the invitations of a table, the first to expire first."""
        chosen = sa.select(INVITATIONS).where(INVITATIONS.c.table_id == table)
        with self._database.reading() as connection:
            found = connection.execute(chosen.order_by(INVITATIONS.c.expires_ms, INVITATIONS.c.id))
            return [_decode_invitation(row) for row in found]

    def revoke_invitation(self, table: str, invitation: str) -> bool:
        """Delete an invitation."""
        return self._change(_revocation(table, invitation)) == 1

    def add_ticket(self, ticket: Ticket, secret: str, now_ms: int) -> None:
        """Store a ticket with the hash of its secret, and delete expired ones."""
        expired = sa.delete(TICKETS).where(TICKETS.c.expires_ms <= now_ms)
        self._change(expired, TICKETS.insert().values(secret=secret, **_row(ticket)))

    def ticket(self, secret: str) -> Ticket | None:
        """Return the ticket whose secret has this hash, or None."""
        with self._database.reading() as connection:
            found = connection.execute(sa.select(TICKETS).where(TICKETS.c.secret == secret)).first()
        return None if found is None else _decode_ticket(found)

    def redeem_ticket(self, secret: str) -> tuple[Ticket, str] | None:
        """Delete a ticket; return it with its member's key hash. Of concurrent calls only one finds it."""
        return self._database.write(lambda connection: _redeem(connection, secret))

    def key_hashes(self, tables: Iterable[str]) -> Mapping[tuple[str, str], str]:
        """Return the hashes of the keys of all members of these tables, by table and member ID."""
        found: dict[tuple[str, str], str] = {}
        with self._database.reading() as connection:
            for ids in batched(tables, _BATCH):
                chosen = sa.select(MEMBERS.c.table_id, MEMBERS.c.id, MEMBERS.c.key)
                for row in connection.execute(chosen.where(MEMBERS.c.table_id.in_(ids))):
                    found[row.table_id, row.id] = row.key
        return found

    def _change(self, *statements: sa.UpdateBase) -> int:
        """Execute statements in one transaction; return the number of rows that the last one changed."""

        def work(connection: sa.Connection) -> int:
            return [connection.execute(statement).rowcount for statement in statements][-1]

        return self._database.write(work)


def batched(ids: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield the IDs in lists of up to `size`."""
    every = list(ids)
    for start in range(0, len(every), size):
        yield every[start : start + size]


def insert_member(connection: sa.Connection, member: Member, key: str) -> None:
    """Insert a new member in the current transaction."""
    last = sa.select(sa.func.max(MEMBERS.c.place)).where(MEMBERS.c.table_id == member.table)
    place = (connection.scalar(last) or 0) + 1
    row = {"table_id": member.table, "id": member.id, "place": place, "key": key}
    connection.execute(MEMBERS.insert().values(**row, **_encode_member(member, key)))


def _lock_invitation(connection: sa.Connection, table: str, invitation: str) -> bool:
    """Lock an invitation until the transaction ends; return whether it exists."""
    condition = sa.and_(INVITATIONS.c.table_id == table, INVITATIONS.c.id == invitation)
    locked = sa.select(INVITATIONS.c.id).where(condition).with_for_update()
    return connection.execute(locked).first() is not None


def _is_in_use(connection: sa.Connection, table: str, invitation: str) -> bool:
    """Return whether a player has joined or asked to join by an invitation."""
    found = connection.execute(sa.select(MEMBERS).where(MEMBERS.c.table_id == table))
    return any(_decode_member(row).invitation == invitation for row in found)


def _seat_member(connection: sa.Connection, table: str, member: str) -> Member | None:
    condition = sa.and_(MEMBERS.c.table_id == table, MEMBERS.c.id == member)
    found = connection.execute(sa.select(MEMBERS).where(condition)).first()
    if found is None:
        return None
    seated = replace(_decode_member(found), is_seated=True)
    connection.execute(sa.update(MEMBERS).where(condition).values(**_encode_member(seated, found.key)))
    connection.execute(_revocation(table, seated.invitation))
    return seated


def _tickets_removal(table: str, member: str) -> sa.Delete:
    """Return the statement that deletes a member's tickets."""
    return sa.delete(TICKETS).where(TICKETS.c.table_id == table, TICKETS.c.member == member)


def _redeem(connection: sa.Connection, secret: str) -> tuple[Ticket, str] | None:
    condition = TICKETS.c.secret == secret
    found = connection.execute(sa.select(TICKETS).where(condition)).first()
    is_deleted = connection.execute(sa.delete(TICKETS).where(condition)).rowcount == 1
    if found is None or not is_deleted:
        return None
    # After the ticket is deleted: who replaces the key deletes the ticket too, so this key made the ticket.
    owner = sa.and_(MEMBERS.c.table_id == found.table_id, MEMBERS.c.id == found.member)
    key = connection.scalar(sa.select(MEMBERS.c.key).where(owner))
    return None if key is None else (_decode_ticket(found), key)


def _decode_ticket(found: Any) -> Ticket:
    owner = {"table": found.table_id, "member": found.member}
    return Ticket(**owner, origin=found.origin, expires_ms=found.expires_ms)


def _encode_member(member: Member, key: str) -> dict[str, bytes]:
    data = canonical_json(member)
    return {"member": data, "seal": integrity.seal(member.table, member.id, key, data)}


def _decode_member(found: sa.Row[Any]) -> Member:
    if found.seal != integrity.seal(found.table_id, found.id, found.key, found.member):
        raise integrity.damaged(found.table_id, "members")
    return msgspec.json.decode(found.member, type=Member)


def _row(value: Invitation | Ticket) -> dict[str, Any]:
    row: dict[str, Any] = msgspec.to_builtins(value)
    return {"table_id": row.pop("table"), **row}


def _decode_invitation(found: sa.Row[Any]) -> Invitation:
    return Invitation(table=found.table_id, id=found.id, role=found.role, expires_ms=found.expires_ms)


def _revocation(table: str, invitation: str) -> sa.Delete:
    return sa.delete(INVITATIONS).where(INVITATIONS.c.table_id == table, INVITATIONS.c.id == invitation)
