"""Who is connected, whose connections they are, and how one is ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import gevent

from enfilade.messages import dump
from enfilade.play.members import Members, unknown_key
from enfilade.store.members import Member
from enfilade.transport.limits.rate import SeatQuota
from enfilade.transport.metrics import Metrics
from enfilade.transport.players import players
from enfilade.transport.rooms import Connection, Emit, Room, Rooms


@dataclass(frozen=True)
class Client:
    """A connected client: whose it is, the line of connections it belongs to, and what it has left to ask.

    `token` is what is kept of the line's next token.
    """

    room: Room
    connection: Connection
    member: Member
    session: str
    token: str
    quota: SeatQuota


class Clients:
    """The clients of all tables of one server."""

    def __init__(
        self, members: Members, rooms: Rooms, metrics: Metrics, emit: Emit, hang_up: Callable[[str], None]
    ) -> None:
        """`hang_up` ends the connection with an id at once."""
        self.tell = emit
        self._members = members
        self._rooms = rooms
        self._metrics = metrics
        self._hang_up = hang_up
        self._clients: dict[str, Client] = {}
        self._greeted: set[str] = set()

    def add(self, client: Client) -> None:
        """Remembers a client that has been let in."""
        self._clients[client.connection.sid] = client
        self._metrics.connections.inc()

    def greet(self, hello: dict[str, Any], sid: str) -> None:
        """Tells a client the first thing it is told at all."""
        self.tell(hello, [sid])
        if sid in self._clients:
            self._greeted.add(sid)
            self.tell_players(self._clients[sid].member.table)

    def forget(self, sid: str) -> None:
        """Forgets a client that is gone or to be cut: it is heard no more, and told nothing more."""
        client = self._clients.pop(sid, None)
        self._greeted.discard(sid)
        if client:
            self._metrics.connections.dec()
            self._rooms.leave(client.room, client.connection)
            self.tell_players(client.member.table)

    def of(self, sid: str) -> Client:
        """The client of a connection; raises Forbidden for one that was cut while it spoke."""
        if sid not in self._clients:
            raise unknown_key()
        return self._clients[sid]

    def cut(self, table: str, member: str) -> None:
        """Ends every connection of a member at once."""
        self._cut_where(lambda client: (client.member.table, client.member.id) == (table, member))

    def close_session(self, session: str) -> None:
        """Ends every connection of a line at once."""
        self._cut_where(lambda client: client.session == session)

    def cut_ended(self, ended: Mapping[str, str]) -> None:
        """Ends the connections of lines, each with what is kept of its token, that go on no longer.

        One that has taken the line up meanwhile has another token, and stays.
        """
        self._cut_where(lambda client: ended.get(client.session) == client.token)

    def _cut_where(self, is_meant: Callable[[Client], bool]) -> None:
        for sid, client in list(self._clients.items()):
            if is_meant(client):
                self.forget(sid)
                self._hang_up(sid)

    def lines(self) -> dict[str, str]:
        """The lines of all connections, each with what is kept of its token."""
        return {client.session: client.token for client in self._clients.values()}

    def online(self, table: str) -> set[str]:
        """The ids of the members of a table who are connected."""
        return {client.member.id for client in self._clients.values() if client.member.table == table}

    def tell_players(self, table: str) -> None:
        """Has the game masters of a table told who is there, after whoever runs now."""
        gevent.spawn(self._tell_players, table)

    def _tell_players(self, table: str) -> None:
        greeted = [client for sid, client in self._clients.items() if sid in self._greeted]
        here = [client for client in greeted if client.member.table == table]
        masters = [client for client in here if client.member.role == "gm"]
        if masters:
            told, where = players(self._members, table, self.online(table)), masters[0].room.table
            update = dump.update(table, where.epoch, "players", where.seq, told)
            self.tell(update, [client.connection.sid for client in masters])
