"""Who may come to a table, kept in the database beside the tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec.structs import replace

from enfilade.store import hash_chain
from enfilade.store.members import Invitation, Member, Session, Ticket
from enfilade.store.sql.database import Database
from enfilade.store.sql.schema import INVITATIONS, MEMBERS, SESSIONS, TICKETS

_AT_ONCE = 500
"""How many ids one statement names."""


class SqlMembers:
    """The keys in a store's database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def member(self, table: str, member: str) -> Member | None:
        """A member by id, or None; raises Damaged."""
        return self._only_member(MEMBERS.c.table_id == table, MEMBERS.c.id == member)

    def member_by_key(self, table: str, key: str) -> Member | None:
        """The member of a table whose key has this hash, or None; raises Damaged."""
        return self._only_member(MEMBERS.c.table_id == table, MEMBERS.c.key == key)

    def _only_member(self, *conditions: Any) -> Member | None:
        with self._database.reading() as connection:
            found = connection.execute(sa.select(MEMBERS).where(*conditions)).first()
        return None if found is None else _member(found)

    def members_of(self, table: str) -> Sequence[Member]:
        """Everybody who holds a key of a table, in the order they came; raises Damaged."""
        chosen = sa.select(MEMBERS).where(MEMBERS.c.table_id == table).order_by(MEMBERS.c.place, MEMBERS.c.id)
        with self._database.reading() as connection:
            return [_member(found) for found in connection.execute(chosen)]

    def add_member(self, member: Member, key: str) -> bool:
        """Keeps a new member and the hash of their key; False where the invitation they come by is gone."""
        return self._database.write(lambda connection: _admitted(connection, member, key))

    def seat_member(self, table: str, member: str) -> Member | None:
        """Gives a member who waits their seat, and uses up the invitation they came by."""
        return self._database.write(lambda connection: _seat(connection, table, member))

    def remove_member(self, table: str, member: str) -> bool:
        """Forgets a member with all they could come in by."""
        return self._database.write(lambda connection: _dismiss(connection, table, member))

    def add_invitation(self, invitation: Invitation, secret: str, now_ms: int) -> None:
        """Keeps an invitation and the hash of its secret, and forgets those that have expired."""
        expired = sa.delete(INVITATIONS).where(INVITATIONS.c.expires_ms <= now_ms)
        self._change(expired, INVITATIONS.insert().values(secret=secret, **_row(invitation)))

    def invitation_by_secret(self, table: str, secret: str) -> Invitation | None:
        """The invitation whose secret has this hash, or None."""
        is_the_one = sa.and_(INVITATIONS.c.table_id == table, INVITATIONS.c.secret == secret)
        with self._database.reading() as connection:
            found = connection.execute(sa.select(INVITATIONS).where(is_the_one)).first()
        return None if found is None else _invitation(found)

    def invitations(self, table: str) -> Sequence[Invitation]:
        """The invitations of a table, the first to expire first."""
        chosen = sa.select(INVITATIONS).where(INVITATIONS.c.table_id == table)
        with self._database.reading() as connection:
            found = connection.execute(chosen.order_by(INVITATIONS.c.expires_ms, INVITATIONS.c.id))
            return [_invitation(row) for row in found]

    def revoke_invitation(self, table: str, invitation: str) -> bool:
        """Forgets an invitation."""
        return self._change(_withdrawn(table, invitation)) == 1

    def add_ticket(self, ticket: Ticket, secret: str, now_ms: int) -> None:
        """Keeps a ticket and the hash of its secret, and forgets those that have expired."""
        expired = sa.delete(TICKETS).where(TICKETS.c.expires_ms <= now_ms)
        self._change(expired, TICKETS.insert().values(secret=secret, **_row(ticket)))

    def redeem_ticket(self, secret: str) -> Ticket | None:
        """Takes a ticket away for good: of two who redeem it at once, one finds it."""
        return self._database.write(lambda connection: _redeem(connection, secret))

    def add_session(self, session: Session, now_ms: int) -> None:
        """Keeps a new session, and forgets those that have expired."""
        expired = sa.delete(SESSIONS).where(SESSIONS.c.expires_ms <= now_ms)
        self._change(expired, SESSIONS.insert().values(**_row(session)))

    def session(self, session: str) -> Session | None:
        """A session, or None."""
        with self._database.reading() as connection:
            found = connection.execute(sa.select(SESSIONS).where(SESSIONS.c.id == session)).first()
        if found is None:
            return None
        who = {"table": found.table_id, "member": found.member}
        return Session(**who, id=found.id, token=found.token, expires_ms=found.expires_ms)

    def renew_session(self, session: Session, was: str) -> bool:
        """Gives a session its next token and time; False where its token is no longer the one that `was`."""
        is_the_one = sa.and_(SESSIONS.c.id == session.id, SESSIONS.c.token == was)
        new = {"token": session.token, "expires_ms": session.expires_ms}
        return self._change(sa.update(SESSIONS).where(is_the_one).values(**new)) == 1

    def session_tokens(self, sessions: Collection[str]) -> Mapping[str, str]:
        """The good tokens of those of some sessions that are still there, by their ids."""
        found: dict[str, str] = {}
        with self._database.reading() as connection:
            for some in batched(sessions, _AT_ONCE):
                chosen = sa.select(SESSIONS.c.id, SESSIONS.c.token).where(SESSIONS.c.id.in_(some))
                found.update({row.id: row.token for row in connection.execute(chosen)})
        return found

    def extend_sessions(self, sessions: Collection[str], expires_ms: int) -> None:
        """Has sessions end later."""
        some = [SESSIONS.c.id.in_(ids) for ids in batched(sessions, _AT_ONCE)]
        self._change(*(sa.update(SESSIONS).where(these).values(expires_ms=expires_ms) for these in some))

    def end_session(self, session: str) -> None:
        """Forgets a session."""
        self._change(sa.delete(SESSIONS).where(SESSIONS.c.id == session))

    def _change(self, *statements: sa.UpdateBase) -> int:
        """Executes statements in one transaction; gives how many rows the last one has changed."""

        def work(connection: sa.Connection) -> int:
            return [connection.execute(statement).rowcount for statement in statements][-1]

        return self._database.write(work)


def batched(ids: Collection[str], size: int) -> Iterator[list[str]]:
    """Some ids, so many at once."""
    every = list(ids)
    for start in range(0, len(every), size):
        yield every[start : start + size]


def admit(connection: sa.Connection, member: Member, key: str) -> None:
    """Keeps a new member in a transaction that does more."""
    last = sa.select(sa.func.max(MEMBERS.c.place)).where(MEMBERS.c.table_id == member.table)
    place = (connection.scalar(last) or 0) + 1
    row = {"table_id": member.table, "id": member.id, "place": place, "key": key}
    connection.execute(MEMBERS.insert().values(**row, **_sealed(member, key)))


def _admitted(connection: sa.Connection, member: Member, key: str) -> bool:
    if member.invitation and not _holds(connection, member.table, member.invitation):
        return False
    admit(connection, member, key)
    return True


def _holds(connection: sa.Connection, table: str, invitation: str) -> bool:
    """Whether an invitation is there; it stays until this transaction is through."""
    is_the_one = sa.and_(INVITATIONS.c.table_id == table, INVITATIONS.c.id == invitation)
    held = sa.select(INVITATIONS.c.id).where(is_the_one).with_for_update()
    return connection.execute(held).first() is not None


def _seat(connection: sa.Connection, table: str, member: str) -> Member | None:
    is_the_one = sa.and_(MEMBERS.c.table_id == table, MEMBERS.c.id == member)
    found = connection.execute(sa.select(MEMBERS).where(is_the_one)).first()
    if found is None:
        return None
    seated = replace(_member(found), is_seated=True)
    connection.execute(sa.update(MEMBERS).where(is_the_one).values(**_sealed(seated, found.key)))
    connection.execute(_withdrawn(table, seated.invitation))
    return seated


def _dismiss(connection: sa.Connection, table: str, member: str) -> bool:
    for way in (TICKETS, SESSIONS):
        connection.execute(sa.delete(way).where(way.c.table_id == table, way.c.member == member))
    gone = sa.delete(MEMBERS).where(MEMBERS.c.table_id == table, MEMBERS.c.id == member)
    return connection.execute(gone).rowcount == 1


def _redeem(connection: sa.Connection, secret: str) -> Ticket | None:
    is_the_one = TICKETS.c.secret == secret
    found = connection.execute(sa.select(TICKETS).where(is_the_one)).first()
    was_there = connection.execute(sa.delete(TICKETS).where(is_the_one)).rowcount == 1
    if found is None or not was_there:
        return None
    who = {"table": found.table_id, "member": found.member}
    return Ticket(**who, origin=found.origin, expires_ms=found.expires_ms)


def _sealed(member: Member, key: str) -> dict[str, bytes]:
    data = hash_chain.canonical(member)
    return {"member": data, "seal": hash_chain.seal(member.table, member.id, key, data)}


def _member(found: sa.Row[Any]) -> Member:
    if found.seal != hash_chain.seal(found.table_id, found.id, found.key, found.member):
        raise hash_chain.damaged(found.table_id, "who may come to it")
    return msgspec.json.decode(found.member, type=Member)


def _row(value: Invitation | Ticket | Session) -> dict[str, Any]:
    row: dict[str, Any] = msgspec.to_builtins(value)
    return {"table_id": row.pop("table"), **row}


def _invitation(found: sa.Row[Any]) -> Invitation:
    return Invitation(table=found.table_id, id=found.id, role=found.role, expires_ms=found.expires_ms)


def _withdrawn(table: str, invitation: str) -> sa.Delete:
    return sa.delete(INVITATIONS).where(INVITATIONS.c.table_id == table, INVITATIONS.c.id == invitation)
