"""Who comes to a table: keys made with it, invitations, players who ask, and the game master's answers.

A secret is 32 random bytes, said once; only its hash is kept.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Sequence

from enfilade.errors import Forbidden, NotFound, TooMany
from enfilade.scene.model import Value
from enfilade.scene.seat import Role
from enfilade.store.members import Invitation, Member, MemberStore

SECRET_BYTES = 32
MOST_MEMBERS = 128
"""How many may hold a key of one table."""
MOST_WAITING = 16
"""How many may wait for the game master's answer at one table."""
MOST_INVITATIONS = 64
"""How many invitations of one table may be open."""
_HOUR_MS = 3_600_000
_NO_INVITATION = "That invitation does not hold, or no longer; ask the game master for another."


class Invited(Value, frozen=True, kw_only=True):
    """A new invitation with its secret, which is said here and never again."""

    id: str
    role: Role
    expires_ms: int
    secret: str


class Joined(Value, frozen=True, kw_only=True):
    """A new member with their key, which is said here and never again; it opens nothing before a seat."""

    seat: str
    role: Role
    is_seated: bool
    key: str


class Members:
    """Who may come to the tables of one server."""

    def __init__(self, keys: MemberStore, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives the seconds since 1970: what expires must do so across restarts."""
        self._keys = keys
        self._clock = clock

    def holder(self, table: str, key: str) -> Member:
        """Whoever holds a key, seated or not; Forbidden, the same for a wrong key and an absent table."""
        member = self._keys.member_by_key(table, hashed(key))
        if member is None:
            raise unknown_key()
        return member

    def seated(self, table: str, key: str) -> Member:
        """Whoever holds a key and has a seat; raises Forbidden."""
        return _must_be_seated(self.holder(table, key))

    def by_id(self, table: str, member: str) -> Member:
        """A member that has been let in before, as they are now; Forbidden where they are no longer."""
        found = self._keys.member(table, member)
        if found is None:
            raise unknown_key()
        return _must_be_seated(found)

    def everybody(self, table: str) -> Sequence[Member]:
        """All members of a table, in the order they came."""
        return self._keys.members_of(table)

    def name(self, table: str, member: str) -> str:
        """A player's name; raises NotFound."""
        found = self._keys.member(table, member)
        if found is None or found.role != "player":
            raise NotFound("There is no such player at this table.")
        return found.name

    def invitations(self, table: str) -> Sequence[Invitation]:
        """The invitations of a table that hold, the first to expire first."""
        now = self._now_ms()
        return [found for found in self._keys.invitations(table) if found.expires_ms > now]

    def invite(self, table: str, role: Role, hours: int) -> Invited:
        """Makes an invitation: for one player, or for any number of spectators. Raises TooMany."""
        if len(self.invitations(table)) >= MOST_INVITATIONS:
            raise TooMany("This table has too many open links; take some back first.")
        secret = new_secret()
        expires_ms = self._now_ms() + hours * _HOUR_MS
        made = Invitation(table=table, id=secrets.token_hex(8), role=role, expires_ms=expires_ms)
        self._keys.add_invitation(made, hashed(secret), self._now_ms())
        return Invited(id=made.id, role=role, expires_ms=expires_ms, secret=secret)

    def ask(self, table: str, secret: str, name: str) -> Joined:
        """Comes by an invitation: a spectator has a seat at once, a player waits for the game master.

        Raises Forbidden, the same for a wrong secret, an expired one and an absent table; TooMany.
        """
        found = self._keys.invitation_by_secret(table, hashed(secret))
        if found is None or found.expires_ms <= self._now_ms():
            raise Forbidden(_NO_INVITATION)
        self._must_have_room(table, found.role)
        member = Member(
            table=table,
            id=secrets.token_hex(8),
            role=found.role,
            name=name,
            is_seated=found.role == "spectator",
            invitation=found.id,
        )
        key = new_secret()
        if not self._keys.add_member(member, hashed(key)):  # taken back just now
            raise Forbidden(_NO_INVITATION)
        return Joined(seat=member.id, role=member.role, is_seated=member.is_seated, key=key)

    def approve(self, table: str, member: str) -> Member:
        """Gives a player who waits their seat, which uses up their invitation; raises NotFound."""
        seated = self._keys.seat_member(table, member)
        if seated is None:
            raise NotFound("There is nobody of that id at this table.")
        return seated

    def dismiss(self, table: str, member: str) -> Member:
        """Refuses one who waits, or takes a seat away: every key and ticket of theirs is dead.

        Gives who it was. Raises NotFound; Forbidden for the game master, without whom nobody could come in.
        """
        found = self._keys.member(table, member)
        if found is None:
            raise NotFound("There is nobody of that id at this table.")
        if found.role == "gm":
            raise Forbidden("The game master's seat cannot be taken away.")
        self._keys.remove_member(table, member)
        return found

    def withdraw(self, table: str, invitation: str) -> Sequence[Member]:
        """Takes an invitation back with everybody who came by it; gives who that was. Raises NotFound."""
        if not self._keys.revoke_invitation(table, invitation):
            raise NotFound("There is no such invitation at this table.")
        gone = [member for member in self.everybody(table) if member.invitation == invitation]
        for member in gone:
            self._keys.remove_member(table, member.id)
        return gone

    def _must_have_room(self, table: str, role: Role) -> None:
        members = self.everybody(table)
        waiting = [member for member in members if not member.is_seated]
        if len(members) >= MOST_MEMBERS or (role == "player" and len(waiting) >= MOST_WAITING):
            raise TooMany("Too many have come to this table; the game master has to make room first.")

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)


def unknown_key() -> Forbidden:
    """The one answer to every key, ticket and token that opens nothing."""
    return Forbidden("That link does not open a table here.")


def new_secret() -> str:
    """A secret that nobody can guess, in letters that a link may hold."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> str:
    """What is kept of a secret. It is random, so a plain hash cannot be turned back by trying."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _must_be_seated(member: Member) -> Member:
    if not member.is_seated:
        raise Forbidden("The game master has not let you in yet.")
    return member
