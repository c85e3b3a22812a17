"""One-use tickets and resume tokens, which open socket connections in place of keys.

A client gets a ticket over HTTP with its key; only a page of the same origin can redeem it. The server sends
a new resume token in each greeting. A token that arrives twice was copied, so the server ends its session
(docs/decisions/0024-joining.md).
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Collection, Mapping

from enfilade.errors import Forbidden
from enfilade.play.members import Members, hash_secret, new_secret, unknown_key
from enfilade.scene.model import Value
from enfilade.store.members import Member, MemberStore, Session, Ticket

log = logging.getLogger(__name__)

TICKET_SECONDS = 60
IDLE_SECONDS = 2 * 3600
"""How long a resume token stays valid after its connection ends."""


class Grant(Value, frozen=True, kw_only=True):
    """A member's permission to connect.

    `session` is the ID of the chain of connections, `resume` the token that opens the next one, and `token`
    that token's hash, which identifies the session's latest connection.
    """

    member: Member
    session: str
    resume: str
    token: str


class CopiedTokenError(Exception):
    """A resume token was used twice; its session has ended."""

    def __init__(self, session: str) -> None:
        super().__init__("A resume token was used twice.")
        self.session = session


class ConnectionTokens:
    """The tickets and resume tokens of one server."""

    def __init__(self, keys: MemberStore, members: Members, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970: tokens must expire across restarts."""
        self._keys = keys
        self._members = members
        self._clock = clock

    def create_ticket(self, member: Member, origin: str) -> str:
        """Create a ticket for one connection of a seated member.

        Only a page of `origin` can use it; an empty origin is a program's.
        """
        secret, now = new_secret(), self._now_ms()
        expires_ms = now + TICKET_SECONDS * 1000
        ticket = Ticket(table=member.table, member=member.id, origin=origin, expires_ms=expires_ms)
        self._keys.add_ticket(ticket, hash_secret(secret), now)
        return secret

    def require_valid(self, table: str, ticket: str, resume: str, origin: str) -> None:
        """Check a ticket, or without one a resume token, and leave it valid.

        Raises Forbidden; CopiedTokenError, and then the session is ended.
        """
        if ticket:
            found = self._keys.ticket(hash_secret(ticket))
            if found is None or not self._is_valid(found, table, origin):
                raise unknown_key()
            return
        session, token = self._session_of(table, resume)
        if session.token != hash_secret(token):
            raise self._end_copied(session)

    def redeem(self, table: str, secret: str, origin: str) -> Grant:
        """Use a ticket up and start a session. Raises Forbidden."""
        ticket = self._keys.redeem_ticket(hash_secret(secret))
        if ticket is None or not self._is_valid(ticket, table, origin):
            raise unknown_key()
        member = self._members.by_id(table, ticket.member)
        session, token = secrets.token_hex(16), new_secret()
        self._keys.add_session(self._session(member, session, token), self._now_ms())
        return _grant(member, session, token)

    def resume(self, table: str, resume: str, check_capacity: Callable[[Member, str], None]) -> Grant:
        """Continue a session with its resume token. Raises Forbidden or CopiedTokenError.

        `check_capacity` gets the member and the session ID before the token is used up. If it raises, the
        token stays valid.
        """
        session, token = self._session_of(table, resume)
        member = self._members.by_id(table, session.member)
        if session.token == hash_secret(token):
            check_capacity(member, session.id)
        next_token = new_secret()
        if not self._keys.renew_session(self._session(member, session.id, next_token), hash_secret(token)):
            raise self._end_copied(session)
        return _grant(member, session.id, next_token)

    def _session_of(self, table: str, resume: str) -> tuple[Session, str]:
        """Return the session that a resume token names, and the token's secret part. Raises Forbidden."""
        session_id, _, token = resume.partition(".")
        session = self._keys.session(session_id)
        if session is None or session.table != table or session.expires_ms <= self._now_ms():
            raise unknown_key()
        return session, token

    def _end_copied(self, session: Session) -> CopiedTokenError:
        self._keys.end_session(session.id)
        log.warning(
            "A resume token of %s at table %s was used twice; the session is ended",
            session.member,
            session.table,
        )
        return CopiedTokenError(session.id)

    def find_ended(self, sessions: Mapping[str, str]) -> dict[str, str]:
        """Return those of `sessions` (session ID -> token hash) that ended or continue on another server."""
        current = self._keys.session_tokens(sessions.keys()) if sessions else {}
        return {session: token for session, token in sessions.items() if current.get(session) != token}

    def extend(self, sessions: Collection[str]) -> None:
        """Give the tokens of connected sessions their full lifetime again."""
        if sessions:
            self._keys.extend_sessions(sessions, self._now_ms() + IDLE_SECONDS * 1000)

    def is_seated(self, member: Member) -> bool:
        """Return whether a member still has the seat."""
        try:
            return self._members.by_id(member.table, member.id).is_seated
        except Forbidden:
            return False

    def _is_valid(self, ticket: Ticket, table: str, origin: str) -> bool:
        return ticket.expires_ms > self._now_ms() and (ticket.table, ticket.origin) == (table, origin)

    def _session(self, member: Member, session: str, token: str) -> Session:
        expires_ms = self._now_ms() + IDLE_SECONDS * 1000
        return Session(
            table=member.table, member=member.id, id=session, token=hash_secret(token), expires_ms=expires_ms
        )

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)


def _grant(member: Member, session: str, token: str) -> Grant:
    return Grant(member=member, session=session, resume=f"{session}.{token}", token=hash_secret(token))
