"""The connected clients of one process: who they are, and how they are cut."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import gevent

from enfilade.messages import dump
from enfilade.messages.dump import InvitationInfo, MemberInfo, Players, SeatInfo
from enfilade.play.members import Members, unknown_key
from enfilade.store.members import Member
from enfilade.transport.limits.rate import SeatQuota
from enfilade.transport.metrics import Metrics
from enfilade.transport.room_overlays import Connection, Emit
from enfilade.transport.rooms import Room, Rooms


@dataclass(frozen=True)
class Client:
    """A connected client.

    `key` is the hash of the key by which it connected, `page` the ID that its program keeps in all its
    connections, empty for none.
    """

    room: Room
    connection: Connection
    member: Member
    key: str
    page: str
    quota: SeatQuota

    @property
    def owner(self) -> tuple[str, str]:
        """Return the IDs of the member's table and of the member."""
        return self.member.table, self.member.id


class Clients:
    """The connected clients of all tables."""

    def __init__(
        self, members: Members, rooms: Rooms, metrics: Metrics, emit: Emit, disconnect: Callable[[str], None]
    ) -> None:
        """`disconnect` ends the connection with a Socket.IO ID at once."""
        self._emit = emit
        self._members = members
        self._rooms = rooms
        self._metrics = metrics
        self._disconnect = disconnect
        self._clients: dict[str, Client] = {}
        self._greeted: set[str] = set()

    def add(self, client: Client) -> None:
        """Add a client whose connection was accepted."""
        self._clients[client.connection.sid] = client
        self._metrics.connections.inc()

    def greet(self, hello: dict[str, Any], sid: str) -> None:
        """Send a client its first update."""
        self._emit(hello, [sid])
        if sid in self._clients:
            self._greeted.add(sid)
            self.schedule_members_update(self._clients[sid].member.table)

    def remove(self, sid: str) -> None:
        """Remove a client whose connection ends; it gets no further update."""
        client = self._clients.pop(sid, None)
        self._greeted.discard(sid)
        if client:
            self._metrics.connections.dec()
            self._rooms.leave(client.room, client.connection)
            self.schedule_members_update(client.member.table)

    def get(self, sid: str) -> Client:
        """Return the client of a connection. Raises Forbidden if it was cut in the meantime."""
        if sid not in self._clients:
            raise unknown_key()
        return self._clients[sid]

    def disconnect_member(self, table: str, member: str) -> None:
        """Cut every connection of a member."""
        self._disconnect_if(lambda client: client.owner == (table, member))

    def disconnect_table(self, table: str) -> None:
        """Cut every connection to a table; the clients connect again."""
        self._disconnect_if(lambda client: client.member.table == table)

    def disconnect_page(self, table: str, member: str, page: str) -> None:
        """Cut the connections of a member's page, which connects anew."""
        self._disconnect_if(lambda client: (*client.owner, client.page) == (table, member, page))

    def disconnect(self, sids: Collection[str]) -> None:
        """Cut the connections with these Socket.IO IDs."""
        self._disconnect_if(lambda client: client.connection.sid in sids)

    def _disconnect_if(self, is_match: Callable[[Client], bool]) -> None:
        for sid, client in list(self._clients.items()):
            if is_match(client):
                self.remove(sid)
                self._disconnect(sid)

    def connected(self) -> list[Client]:
        """Return the clients of all tables."""
        return list(self._clients.values())

    def online_members(self, table: str) -> set[str]:
        """Return the IDs of a table's connected members."""
        return {client.member.id for client in self._clients.values() if client.member.table == table}

    def schedule_members_update(self, table: str) -> None:
        """Send a table's GMs the list of its members, once the current greenlet yields."""
        gevent.spawn(self._send_members, table)

    def _send_members(self, table: str) -> None:
        greeted = [client for sid, client in self._clients.items() if sid in self._greeted]
        gms = [client for client in greeted if client.member.table == table and client.member.role == "gm"]
        if gms:
            body, at = players_of(self._members, table, self.online_members(table)), gms[0].room.table
            update = dump.update(table, at.epoch, "players", at.seq, body)
            self._emit(update, [client.connection.sid for client in gms])


def players_of(members: Members, table: str, online: Collection[str]) -> Players:
    """Return a table's members, pending join requests and open invitations, as its GM sees them."""
    return Players(
        members=tuple(
            MemberInfo(
                seat=member.id,
                role=member.role,
                name=member.name,
                seated=member.is_seated,
                online=member.id in online,
            )
            for member in members.all_members(table)
        ),
        invitations=tuple(
            InvitationInfo(id=found.id, role=found.role, expires_ms=found.expires_ms)
            for found in members.invitations(table)
        ),
    )


def seat_of_member(member: Member) -> SeatInfo:
    """Return a member's seat as its holder may know it."""
    return SeatInfo(seat=member.id, role=member.role, name=member.name, seated=member.is_seated)
