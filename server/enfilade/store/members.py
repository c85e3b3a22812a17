"""Who may come to a table, as it is kept: members with their keys, invitations, tickets and sessions.

Of every secret only its SHA-256 is kept. What is revoked is deleted, so nothing that is there is dead.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from enfilade.scene.model import Value
from enfilade.scene.seat import Role, Seat


class Member(Value, frozen=True, kw_only=True):
    """Somebody who holds a key of a table.

    `is_seated` is False while a player waits for the game master's answer. `invitation` is the one they
    came by; empty for the keys that were made with the table.
    """

    table: str
    id: str
    role: Role
    name: str = ""
    is_seated: bool = True
    invitation: str = ""

    @property
    def seat(self) -> Seat:
        """The seat at the table: a game master's and a spectator's are the same for all."""
        return Seat("player", self.id) if self.role == "player" else Seat(self.role)


class Invitation(Value, frozen=True, kw_only=True):
    """A link that lets somebody ask for a seat until it expires (`expires_ms`, wall clock)."""

    table: str
    id: str
    role: Role
    expires_ms: int


class Ticket(Value, frozen=True, kw_only=True):
    """What opens one connection, once: bound to a member, a table and a page's origin."""

    table: str
    member: str
    origin: str
    expires_ms: int


class Session(Value, frozen=True, kw_only=True):
    """A line of connections that take each other up. `token` is the hash of the only resume that is good."""

    table: str
    member: str
    id: str
    token: str
    expires_ms: int


class MemberStore(Protocol):
    """Keeps who may come in. Every method raises StoreDown when it cannot do what it says."""

    def member(self, table: str, member: str) -> Member | None:
        """A member by id, or None; raises Damaged."""

    def member_by_key(self, table: str, key: str) -> Member | None:
        """The member of a table whose key has this hash, or None; raises Damaged."""

    def members_of(self, table: str) -> Sequence[Member]:
        """Everybody who holds a key of a table, in the order they came; raises Damaged."""

    def add_member(self, member: Member, key: str) -> bool:
        """Keeps a new member and the hash of their key; False where the invitation they come by is gone."""

    def seat_member(self, table: str, member: str) -> Member | None:
        """Gives a member who waits their seat, and uses up the invitation they came by.

        None where there is no such member.
        """

    def remove_member(self, table: str, member: str) -> bool:
        """Forgets a member with all they could come in by; whether there was one."""

    def add_invitation(self, invitation: Invitation, secret: str, now_ms: int) -> None:
        """Keeps an invitation and the hash of its secret, and forgets those that have expired."""

    def invitation_by_secret(self, table: str, secret: str) -> Invitation | None:
        """The invitation whose secret has this hash, or None, whether it has expired or not."""

    def invitations(self, table: str) -> Sequence[Invitation]:
        """The invitations of a table, the first to expire first."""

    def revoke_invitation(self, table: str, invitation: str) -> bool:
        """Forgets an invitation; whether there was one. Who came by it is for the caller to dismiss."""

    def add_ticket(self, ticket: Ticket, secret: str, now_ms: int) -> None:
        """Keeps a ticket and the hash of its secret, and forgets those that have expired."""

    def redeem_ticket(self, secret: str) -> Ticket | None:
        """Takes a ticket away for good, whether it has expired or not; None where it is not there."""

    def add_session(self, session: Session, now_ms: int) -> None:
        """Keeps a new session, and forgets those that have expired."""

    def session(self, session: str) -> Session | None:
        """A session, or None."""

    def renew_session(self, session: Session, was: str) -> bool:
        """Gives a session its next token and time; False where its token is no longer the one that `was`."""

    def session_tokens(self, sessions: Collection[str]) -> Mapping[str, str]:
        """The good tokens of those of some sessions that are still there, by their ids."""

    def extend_sessions(self, sessions: Collection[str], expires_ms: int) -> None:
        """Has sessions end later."""

    def end_session(self, session: str) -> None:
        """Forgets a session."""
