"""Store members and their credentials in the database, next to the tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from enfilade.scene.state_hash import canonical_json
from enfilade.store import hash_chain
from enfilade.store.members import Invitation, Member, Session, Ticket
from enfilade.store.sql.database import Database
from enfilade.store.sql.schema import INVITATIONS, MEMBERS, SESSIONS, TICKETS

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
        """Delete a member with all tickets and sessions."""
        removal = sa.delete(MEMBERS).where(MEMBERS.c.table_id == table, MEMBERS.c.id == member)
        return self._change(*_credentials_removal(table, member), removal) == 1

    def replace_key(self, table: str, member: str, key: str) -> bool:
        """Store the hash of a member's new key, and delete all tickets and sessions."""
        condition = sa.and_(MEMBERS.c.table_id == table, MEMBERS.c.id == member)

        def work(connection: sa.Connection) -> bool:
            found = connection.execute(sa.select(MEMBERS).where(condition)).first()
            if found is None:
                return False
            row = {"key": key, **_encode_member(_decode_member(found), key)}
            connection.execute(sa.update(MEMBERS).where(condition).values(**row))
            for removal in _credentials_removal(table, member):
                connection.execute(removal)
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

    def redeem_ticket(self, secret: str) -> Ticket | None:
        """Delete a ticket and return it; of two concurrent calls only one finds it."""
        return self._database.write(lambda connection: _redeem(connection, secret))

    def add_session(self, session: Session, now_ms: int) -> None:
        """Store a new session, and delete expired ones."""
        expired = sa.delete(SESSIONS).where(SESSIONS.c.expires_ms <= now_ms)
        self._change(expired, SESSIONS.insert().values(**_row(session)))

    def session(self, session: str) -> Session | None:
        """Return a session by ID, or None."""
        with self._database.reading() as connection:
            found = connection.execute(sa.select(SESSIONS).where(SESSIONS.c.id == session)).first()
        if found is None:
            return None
        owner = {"table": found.table_id, "member": found.member}
        return Session(**owner, id=found.id, token=found.token, expires_ms=found.expires_ms)

    def renew_session(self, session: Session, was: str) -> bool:
        """Store a session's next token and expiry; return False if its token is no longer `was`."""
        condition = sa.and_(SESSIONS.c.id == session.id, SESSIONS.c.token == was)
        new = {"token": session.token, "expires_ms": session.expires_ms}
        return self._change(sa.update(SESSIONS).where(condition).values(**new)) == 1

    def session_tokens(self, sessions: Collection[str]) -> Mapping[str, str]:
        """Return the valid token hashes of the given sessions that still exist, by session ID."""
        found: dict[str, str] = {}
        with self._database.reading() as connection:
            for ids in batched(sessions, _BATCH):
                chosen = sa.select(SESSIONS.c.id, SESSIONS.c.token).where(SESSIONS.c.id.in_(ids))
                found.update({row.id: row.token for row in connection.execute(chosen)})
        return found

    def extend_sessions(self, sessions: Collection[str], expires_ms: int) -> None:
        """Set a new expiry for the given sessions."""
        conditions = [SESSIONS.c.id.in_(ids) for ids in batched(sessions, _BATCH)]
        self._change(*(sa.update(SESSIONS).where(ids).values(expires_ms=expires_ms) for ids in conditions))

    def end_session(self, session: str) -> None:
        """Delete a session."""
        self._change(sa.delete(SESSIONS).where(SESSIONS.c.id == session))

    def _change(self, *statements: sa.UpdateBase) -> int:
        """Execute statements in one transaction; return the number of rows that the last one changed."""

        def work(connection: sa.Connection) -> int:
            return [connection.execute(statement).rowcount for statement in statements][-1]

        return self._database.write(work)


def batched(ids: Collection[str], size: int) -> Iterator[list[str]]:
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


def _credentials_removal(table: str, member: str) -> list[sa.Delete]:
    """Return the statements that delete a member's tickets and sessions."""
    return [
        sa.delete(stored).where(stored.c.table_id == table, stored.c.member == member)
        for stored in (TICKETS, SESSIONS)
    ]


def _redeem(connection: sa.Connection, secret: str) -> Ticket | None:
    condition = TICKETS.c.secret == secret
    found = connection.execute(sa.select(TICKETS).where(condition)).first()
    is_deleted = connection.execute(sa.delete(TICKETS).where(condition)).rowcount == 1
    return _decode_ticket(found) if found is not None and is_deleted else None


def _decode_ticket(found: Any) -> Ticket:
    owner = {"table": found.table_id, "member": found.member}
    return Ticket(**owner, origin=found.origin, expires_ms=found.expires_ms)


def _encode_member(member: Member, key: str) -> dict[str, bytes]:
    data = canonical_json(member)
    return {"member": data, "seal": hash_chain.seal(member.table, member.id, key, data)}


def _decode_member(found: sa.Row[Any]) -> Member:
    if found.seal != hash_chain.seal(found.table_id, found.id, found.key, found.member):
        raise hash_chain.damaged(found.table_id, "members")
    return msgspec.json.decode(found.member, type=Member)


def _row(value: Invitation | Ticket | Session) -> dict[str, Any]:
    row: dict[str, Any] = msgspec.to_builtins(value)
    return {"table_id": row.pop("table"), **row}


def _decode_invitation(found: sa.Row[Any]) -> Invitation:
    return Invitation(table=found.table_id, id=found.id, role=found.role, expires_ms=found.expires_ms)


def _revocation(table: str, invitation: str) -> sa.Delete:
    return sa.delete(INVITATIONS).where(INVITATIONS.c.table_id == table, INVITATIONS.c.id == invitation)
