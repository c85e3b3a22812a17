"""Who may come to a table, kept in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from enfilade.store.members import Invitation, Member, Session, Ticket


class MemoryMembers:
    """MemberStore that are gone with the process."""

    def __init__(self) -> None:
        self._members: dict[tuple[str, str], tuple[Member, str]] = {}
        self._invitations: dict[tuple[str, str], tuple[Invitation, str]] = {}
        self._tickets: dict[str, Ticket] = {}
        self._sessions: dict[str, Session] = {}

    def member(self, table: str, member: str) -> Member | None:
        """A member by id, or None."""
        found = self._members.get((table, member))
        return found and found[0]

    def member_by_key(self, table: str, key: str) -> Member | None:
        """The member of a table whose key has this hash, or None."""
        return next((m for m, known in self._members.values() if (m.table, known) == (table, key)), None)

    def members_of(self, table: str) -> Sequence[Member]:
        """Everybody who holds a key of a table, in the order they came."""
        return [member for member, _ in self._members.values() if member.table == table]

    def add_member(self, member: Member, key: str) -> bool:
        """Keeps a new member and the hash of their key; False where the invitation they come by is gone."""
        if member.invitation and (member.table, member.invitation) not in self._invitations:
            return False
        self._members[member.table, member.id] = (member, key)
        return True

    def seat_member(self, table: str, member: str) -> Member | None:
        """Gives a member who waits their seat, and uses up the invitation they came by."""
        if (table, member) not in self._members:
            return None
        found, key = self._members[table, member]
        seated = replace(found, is_seated=True)
        self._members[table, member] = (seated, key)
        self.revoke_invitation(table, found.invitation)
        return seated

    def remove_member(self, table: str, member: str) -> bool:
        """Forgets a member with all they could come in by."""
        gone = (table, member)
        self._tickets = {s: t for s, t in self._tickets.items() if (t.table, t.member) != gone}
        self._sessions = {i: s for i, s in self._sessions.items() if (s.table, s.member) != gone}
        return self._members.pop(gone, None) is not None

    def add_invitation(self, invitation: Invitation, secret: str, now_ms: int) -> None:
        """Keeps an invitation and the hash of its secret, and forgets those that have expired."""
        kept = self._invitations.items()
        self._invitations = {which: found for which, found in kept if found[0].expires_ms > now_ms}
        self._invitations[invitation.table, invitation.id] = (invitation, secret)

    def invitation_by_secret(self, table: str, secret: str) -> Invitation | None:
        """The invitation whose secret has this hash, or None."""
        found = self._invitations.values()
        return next((i for i, known in found if (i.table, known) == (table, secret)), None)

    def invitations(self, table: str) -> Sequence[Invitation]:
        """The invitations of a table, the first to expire first."""
        found = [invitation for invitation, _ in self._invitations.values() if invitation.table == table]
        return sorted(found, key=lambda invitation: (invitation.expires_ms, invitation.id))

    def revoke_invitation(self, table: str, invitation: str) -> bool:
        """Forgets an invitation."""
        return self._invitations.pop((table, invitation), None) is not None

    def add_ticket(self, ticket: Ticket, secret: str, now_ms: int) -> None:
        """Keeps a ticket and the hash of its secret, and forgets those that have expired."""
        self._tickets = {s: t for s, t in self._tickets.items() if t.expires_ms > now_ms}
        self._tickets[secret] = ticket

    def redeem_ticket(self, secret: str) -> Ticket | None:
        """Takes a ticket away for good."""
        return self._tickets.pop(secret, None)

    def add_session(self, session: Session, now_ms: int) -> None:
        """Keeps a new session, and forgets those that have expired."""
        self._sessions = {i: s for i, s in self._sessions.items() if s.expires_ms > now_ms}
        self._sessions[session.id] = session

    def session(self, session: str) -> Session | None:
        """A session, or None."""
        return self._sessions.get(session)

    def renew_session(self, session: Session, was: str) -> bool:
        """Gives a session its next token and time; False where its token is no longer the one that `was`."""
        known = self._sessions.get(session.id)
        if known is None or known.token != was:
            return False
        self._sessions[session.id] = session
        return True

    def session_tokens(self, sessions: Collection[str]) -> Mapping[str, str]:
        """The good tokens of those of some sessions that are still there, by their ids."""
        return {session: self._sessions[session].token for session in sessions if session in self._sessions}

    def extend_sessions(self, sessions: Collection[str], expires_ms: int) -> None:
        """Has sessions end later."""
        for session in self._sessions.keys() & set(sessions):
            self._sessions[session] = replace(self._sessions[session], expires_ms=expires_ms)

    def end_session(self, session: str) -> None:
        """Forgets a session."""
        self._sessions.pop(session, None)
