"""What opens a connection: a ticket, good once and for a minute, or the resume token of the one before.

No key travels in a socket's handshake. A ticket is asked for with the key, over HTTP, and only a page of the
same origin can use it. A resume token is told in each greeting and replaced by the next: one that comes twice
has been copied, so its whole line of connections ends (docs/decisions/0024-coming-in.md).
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
"""How long after a connection was last there its resume token is good."""


class Grant(Value, frozen=True, kw_only=True):
    """Somebody who may connect, the line of connections this is one of, and the token for the next.

    `token` is what is kept of the token: as long as it is the good one, this is the line's last connection.
    """

    member: Member
    session: str
    resume: str
    token: str


class CopiedTokenError(Exception):
    """A resume token came that had been used before; its line of connections, `session`, is at an end."""

    def __init__(self, session: str) -> None:
        super().__init__("A resume token was used twice.")
        self.session = session


class ConnectionTokens:
    """The tickets and resume tokens of one server."""

    def __init__(self, keys: MemberStore, members: Members, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives the seconds since 1970: what expires must do so across restarts."""
        self._keys = keys
        self._members = members
        self._clock = clock

    def ticket(self, member: Member, origin: str) -> str:
        """A ticket for a seated member, for one connection by a page of `origin` (empty for a program)."""
        secret, now = new_secret(), self._now_ms()
        expires_ms = now + TICKET_SECONDS * 1000
        ticket = Ticket(table=member.table, member=member.id, origin=origin, expires_ms=expires_ms)
        self._keys.add_ticket(ticket, hash_secret(secret), now)
        return secret

    def redeem(self, table: str, secret: str, origin: str) -> Grant:
        """Uses a ticket up and begins a line of connections; raises Forbidden."""
        ticket = self._keys.redeem_ticket(hash_secret(secret))
        if ticket is None or not self._is_good(ticket, table, origin):
            raise unknown_key()
        member = self._members.by_id(table, ticket.member)
        session, token = secrets.token_hex(16), new_secret()
        self._keys.add_session(self._session(member, session, token), self._now_ms())
        return _admitted(member, session, token)

    def resume(self, table: str, given: str, must_be_free: Callable[[Member, str], None]) -> Grant:
        """Takes a line of connections up with its token; raises Forbidden, CopiedTokenError.

        `must_be_free` gets the member and the line before the token is used up, and may raise: then the token
        is good still.
        """
        line, _, token = given.partition(".")
        session = self._keys.session(line)
        if session is None or session.table != table or session.expires_ms <= self._now_ms():
            raise unknown_key()
        member = self._members.by_id(table, session.member)
        if session.token == hash_secret(token):
            must_be_free(member, line)
        fresh = new_secret()
        if not self._keys.renew_session(self._session(member, line, fresh), hash_secret(token)):
            self._keys.end_session(line)
            log.warning("A resume token of %s at table %s was used twice; it is cut", member.id, table)
            raise CopiedTokenError(line)
        return _admitted(member, line, fresh)

    def ended(self, lines: Mapping[str, str]) -> dict[str, str]:
        """Those of some lines, each with what is kept of its token, that have ended or go on elsewhere."""
        good = self._keys.session_tokens(lines.keys()) if lines else {}
        return {line: token for line, token in lines.items() if good.get(line) != token}

    def keep(self, lines: Collection[str]) -> None:
        """Has the tokens of lines that are connected now be good for their time from now on."""
        if lines:
            self._keys.extend_sessions(lines, self._now_ms() + IDLE_SECONDS * 1000)

    def is_seated(self, member: Member) -> bool:
        """Whether a member who was let in a moment ago still has the seat."""
        try:
            return self._members.by_id(member.table, member.id).is_seated
        except Forbidden:
            return False

    def _is_good(self, ticket: Ticket, table: str, origin: str) -> bool:
        return ticket.expires_ms > self._now_ms() and (ticket.table, ticket.origin) == (table, origin)

    def _session(self, member: Member, session: str, token: str) -> Session:
        expires_ms = self._now_ms() + IDLE_SECONDS * 1000
        who = {"table": member.table, "member": member.id}
        return Session(**who, id=session, token=hash_secret(token), expires_ms=expires_ms)

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)


def _admitted(member: Member, session: str, token: str) -> Grant:
    return Grant(member=member, session=session, resume=f"{session}.{token}", token=hash_secret(token))
