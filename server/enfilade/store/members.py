"""Define who may join a table: members with their keys, invitations and tickets.

Stores keep only the SHA-256 of each secret. Revoking deletes the row, so every stored row is valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from enfilade.scene.model import Role, Seat, Value


class Member(Value, frozen=True, kw_only=True):
    """The holder of a key to a table.

    `is_seated` is False while a player waits for the GM's approval. `invitation` is the ID of the invitation
    that the player used; empty for the keys that were made with the table.
    """

    table: str
    id: str
    role: Role
    name: str = ""
    is_seated: bool = True
    invitation: str = ""

    @property
    def seat(self) -> Seat:
        """Return the member's seat; all GMs share one, and all spectators share one."""
        return Seat("player", self.id) if self.role == "player" else Seat(self.role)


class Invitation(Value, frozen=True, kw_only=True):
    """A link that lets its holder ask for a seat until it expires (`expires_ms`, wall clock)."""

    table: str
    id: str
    role: Role
    expires_ms: int


class Ticket(Value, frozen=True, kw_only=True):
    """A single-use credential for one connection, bound to a member, a table and the page's origin."""

    table: str
    member: str
    origin: str
    expires_ms: int


class MemberStore(Protocol):
    """Stores members and their credentials. Every method raises StoreDown if it cannot do its work."""

    def member(self, table: str, member: str) -> Member | None:
        """Return a member by ID, or None. Raises Damaged."""

    def member_by_key(self, table: str, key: str) -> Member | None:
        """Return the member whose key has this hash, or None. Raises Damaged."""

    def members_of(self, table: str) -> Sequence[Member]:
        """Return all members of a table in the order they joined. Raises Damaged."""

    def add_member(self, member: Member, key: str) -> bool:
        """Store a new member with the hash of the key; return False if the invitation is gone or in use."""

    def seat_member(self, table: str, member: str) -> Member | None:
        """Seat a waiting member and use up the invitation. Return None if there is no such member."""

    def remove_member(self, table: str, member: str) -> bool:
        """Delete a member with all tickets; return whether there was one."""

    def replace_key(self, table: str, member: str, key: str) -> bool:
        """Store the hash of a member's new key, and delete the tickets; return whether found."""

    def add_invitation(self, invitation: Invitation, secret: str, now_ms: int) -> None:
        """Store an invitation with the hash of its secret, and delete expired ones."""

    def invitation_by_secret(self, table: str, secret: str) -> Invitation | None:
        """Return the invitation whose secret has this hash, expired or not, or None."""

    def invitations(self, table: str) -> Sequence[Invitation]:
        """Return the invitations of a table, the first to expire first."""

    def revoke_invitation(self, table: str, invitation: str) -> bool:
        """Delete an invitation; return whether there was one. The caller removes members who used it."""

    def add_ticket(self, ticket: Ticket, secret: str, now_ms: int) -> None:
        """Store a ticket with the hash of its secret, and delete expired ones."""

    def ticket(self, secret: str) -> Ticket | None:
        """Return the ticket whose secret has this hash, expired or not, or None."""

    def redeem_ticket(self, secret: str) -> tuple[Ticket, str] | None:
        """Delete a ticket, expired or not; return it with the hash of its member's key.

        None if the ticket or its member does not exist.
        """

    def key_hashes(self, tables: Iterable[str]) -> Mapping[tuple[str, str], str]:
        """Return the hashes of the keys of all members of these tables, by table and member ID."""
