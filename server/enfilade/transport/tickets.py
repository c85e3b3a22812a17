"""One-use tickets, which open socket connections in place of keys.

A client gets a ticket over HTTP with its key; only a page of the same origin can redeem it
(docs/decisions/0024-joining.md).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping

from enfilade.play.members import Members, hash_secret, new_secret, unknown_key
from enfilade.scene.model import Value
from enfilade.store.members import Member, MemberStore, Ticket

TICKET_SECONDS = 60


class Grant(Value, frozen=True, kw_only=True):
    """A member's permission to connect; it lasts as long as the member's key, whose hash is `key`."""

    member: Member
    key: str


class Tickets:
    """The tickets of one server."""

    def __init__(self, keys: MemberStore, members: Members, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the seconds since 1970: tickets must expire across restarts."""
        self._keys = keys
        self._members = members
        self._clock = clock

    def create(self, member: Member, origin: str) -> str:
        """Create a ticket for one connection of a seated member.

        Only a page of `origin` can use it; an empty origin is a program's.
        """
        secret, now = new_secret(), self._now_ms()
        expires_ms = now + TICKET_SECONDS * 1000
        ticket = Ticket(table=member.table, member=member.id, origin=origin, expires_ms=expires_ms)
        self._keys.add_ticket(ticket, hash_secret(secret), now)
        return secret

    def require_valid(self, table: str, secret: str, origin: str) -> None:
        """Check a ticket, and leave it valid. Raises Forbidden."""
        found = self._keys.ticket(hash_secret(secret))
        if found is None or not self._is_valid(found, table, origin):
            raise unknown_key()

    def redeem(self, table: str, secret: str, origin: str) -> Grant:
        """Use a ticket up. Raises Forbidden."""
        found = self._keys.redeem_ticket(hash_secret(secret))
        if found is None or not self._is_valid(found[0], table, origin):
            raise unknown_key()
        ticket, key = found
        return Grant(member=self._members.by_id(table, ticket.member), key=key)

    def current_keys(self, tables: Collection[str]) -> Mapping[tuple[str, str], str]:
        """Return the hashes of the keys of all members of these tables, by table and member ID."""
        return self._keys.key_hashes(tables) if tables else {}

    def is_current(self, grant: Grant) -> bool:
        """Return whether the member still has the key of a grant."""
        member = grant.member
        return self.current_keys([member.table]).get((member.table, member.id)) == grant.key

    def _is_valid(self, ticket: Ticket, table: str, origin: str) -> bool:
        return ticket.expires_ms > self._now_ms() and (ticket.table, ticket.origin) == (table, origin)

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)
