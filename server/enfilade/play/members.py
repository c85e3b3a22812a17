"""Members of a table: keys, invitations, players who ask to join, and the GM's answers.

A secret is 32 random bytes, sent once; the store keeps only its hash.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Sequence

from enfilade.errors import Forbidden, NotFound, TooMany
from enfilade.i18n import localize
from enfilade.scene.model import Role, Value
from enfilade.store.members import Invitation, Member, MemberStore

SECRET_BYTES = 32
MAX_MEMBERS = 128
"""The number of members that one table may have."""
MAX_WAITING = 16
"""The number of players that may wait for the GM at one table."""
MAX_INVITATIONS = 64
"""The number of open invitations of one table."""
_HOUR_MS = 3_600_000


class NewInvitation(Value, frozen=True, kw_only=True):
    """A new invitation with its secret, which appears only here."""

    id: str
    role: Role
    expires_ms: int
    secret: str


class NewMember(Value, frozen=True, kw_only=True):
    """A new member with a key, which appears only here; it opens nothing before the GM admits the player."""

    seat: str
    role: Role
    is_seated: bool
    key: str


class Members:
    """The members of all tables of one server."""

    def __init__(self, keys: MemberStore, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives the seconds since 1970: what expires must do so across restarts."""
        self._keys = keys
        self._clock = clock

    def holder(self, table: str, key: str) -> Member:
        """Return the member with a key. Raises Forbidden; it does not reveal whether the table exists."""
        member = self._keys.member_by_key(table, hash_secret(key))
        if member is None:
            raise unknown_key()
        return member

    def seated_member(self, table: str, key: str) -> Member:
        """Return the admitted member with a key. Raises Forbidden."""
        return _require_seat(self.holder(table, key))

    def by_id(self, table: str, member: str) -> Member:
        """Return an admitted member by ID. Raises Forbidden if the member is gone."""
        found = self._keys.member(table, member)
        if found is None:
            raise unknown_key()
        return _require_seat(found)

    def all_members(self, table: str) -> Sequence[Member]:
        """Return all members of a table, in the order they joined."""
        return self._keys.members_of(table)

    def name(self, table: str, member: str) -> str:
        """Return a player's name. Raises NotFound."""
        found = self._keys.member(table, member)
        if found is None or found.role != "player":
            raise NotFound(localize("play.no_such_player"))
        return found.name

    def invitations(self, table: str) -> Sequence[Invitation]:
        """Return the valid invitations of a table, the first to expire first."""
        now = self._now_ms()
        return [found for found in self._keys.invitations(table) if found.expires_ms > now]

    def invite(self, table: str, role: Role, hours: int) -> NewInvitation:
        """Create an invitation for one player, or for any number of spectators. Raises TooMany."""
        if len(self.invitations(table)) >= MAX_INVITATIONS:
            raise TooMany(localize("play.too_many_invitations"))
        secret = new_secret()
        expires_ms = self._now_ms() + hours * _HOUR_MS
        made = Invitation(table=table, id=secrets.token_hex(8), role=role, expires_ms=expires_ms)
        self._keys.add_invitation(made, hash_secret(secret), self._now_ms())
        return NewInvitation(id=made.id, role=role, expires_ms=expires_ms, secret=secret)

    def require_invitation(self, table: str, secret: str) -> Invitation:
        """Return a valid invitation. Raises Forbidden; it does not reveal whether the table exists."""
        found = self._keys.invitation_by_secret(table, hash_secret(secret))
        if found is None or found.expires_ms <= self._now_ms():
            raise Forbidden(localize("play.invitation_invalid"))
        return found

    def ask(self, table: str, secret: str, name: str) -> NewMember:
        """Join by an invitation: a spectator at once, a player after the GM's answer.

        Raises TooMany, and Forbidden, which reveals neither expiry nor whether the table exists.
        """
        found = self.require_invitation(table, secret)
        self._require_room(table, found.role)
        member = Member(
            table=table,
            id=secrets.token_hex(8),
            role=found.role,
            name=name,
            is_seated=found.role == "spectator",
            invitation=found.id,
        )
        key = new_secret()
        if not self._keys.add_member(member, hash_secret(key)):  # taken back just now
            raise Forbidden(localize("play.invitation_invalid"))
        return NewMember(seat=member.id, role=member.role, is_seated=member.is_seated, key=key)

    def approve(self, table: str, member: str) -> Member:
        """Admit a waiting player, which uses up the invitation. Raises NotFound."""
        seated = self._keys.seat_member(table, member)
        if seated is None:
            raise NotFound(localize("play.no_such_member"))
        return seated

    def dismiss(self, table: str, member: str) -> Member:
        """Refuse a waiting player or remove a member: all their keys and tickets become invalid.

        Returns the member. Raises NotFound; Forbidden for the GM, without whom no one could join.
        """
        found = self._keys.member(table, member)
        if found is None:
            raise NotFound(localize("play.no_such_member"))
        if found.role == "gm":
            raise Forbidden(localize("play.gm_stays"))
        self._keys.remove_member(table, member)
        return found

    def replace_key(self, table: str, role: Role) -> tuple[Member, str]:
        """Replace the key that was made with the table for its GM or its spectators.

        Returns the member and the new key. The old key, its tickets and its connections end. Raises NotFound.
        """
        for member in self.all_members(table):
            if member.role == role and not member.invitation:
                key = new_secret()
                if self._keys.replace_key(table, member.id, hash_secret(key)):
                    return member, key
        raise NotFound(localize("play.no_such_member"))

    def replace_player_key(self, table: str, member: str) -> tuple[Member, str]:
        """Replace the key of an admitted player, who keeps the seat. Raises NotFound, Forbidden.

        Returns the player and the new key. The old key, its tickets and its connections end.
        """
        self.name(table, member)
        player, key = self.by_id(table, member), new_secret()
        if not self._keys.replace_key(table, member, hash_secret(key)):  # removed just now
            raise NotFound(localize("play.no_such_member"))
        return player, key

    def withdraw(self, table: str, invitation: str) -> Sequence[Member]:
        """Revoke an invitation and remove everyone who joined by it; return them. Raises NotFound."""
        if not self._keys.revoke_invitation(table, invitation):
            raise NotFound(localize("play.no_such_invitation"))
        gone = [member for member in self.all_members(table) if member.invitation == invitation]
        for member in gone:
            self._keys.remove_member(table, member.id)
        return gone

    def _require_room(self, table: str, role: Role) -> None:
        members = self.all_members(table)
        waiting = [member for member in members if not member.is_seated]
        if len(members) >= MAX_MEMBERS or (role == "player" and len(waiting) >= MAX_WAITING):
            raise TooMany(localize("play.table_full"))

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)


def unknown_key() -> Forbidden:
    """Return the one answer to every invalid key, ticket and token."""
    return Forbidden(localize("play.link_invalid"))


def new_secret() -> str:
    """Return an unguessable secret, in letters that a link may hold."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_secret(secret: str) -> str:
    """Return the stored hash of a secret. A random secret needs no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _require_seat(member: Member) -> Member:
    if not member.is_seated:
        raise Forbidden(localize("play.not_admitted"))
    return member
