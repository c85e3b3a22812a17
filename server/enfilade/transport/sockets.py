"""The Socket.IO way in: one event from clients, `command`, always answered; one to them, `update`.

The handlers are registered raw, without Flask's request context, and catch everything: an exception that
escaped one would leave its client without an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gevent
from flask_socketio import SocketIO
from socketio.exceptions import ConnectionRefusedError as Refused

from enfilade.errors import BadMessage
from enfilade.messages import dump
from enfilade.messages.load import Connect, load_command, load_connect
from enfilade.play.members import unknown_key
from enfilade.play.tables import Tables
from enfilade.store.keys import Member
from enfilade.transport.answers import as_problem
from enfilade.transport.packets import Unusable
from enfilade.transport.passes import Admitted, CopiedTokenError, Passes
from enfilade.transport.players import players
from enfilade.transport.rooms import Connection, Emit, Room, Rooms


@dataclass(frozen=True)
class Client:
    """A connected client: whose it is, and which line of connections it belongs to."""

    room: Room
    connection: Connection
    member: Member
    session: str


class Sockets:
    """The clients connected over Socket.IO, and what happens when they speak."""

    def __init__(
        self, tables: Tables, rooms: Rooms, passes: Passes, emit: Emit, hang_up: Callable[[str], None]
    ) -> None:
        """`hang_up` ends the connection with an id at once."""
        self._tables = tables
        self._rooms = rooms
        self._passes = passes
        self._emit = emit
        self._hang_up = hang_up
        self._clients: dict[str, Client] = {}

    def listen(self, socketio: SocketIO) -> None:
        """Registers every handler."""
        socketio.server.on("connect", self.connect)
        socketio.server.on("disconnect", self.disconnect)
        socketio.server.on("command", self.command)
        socketio.server.on("*", self.unknown)

    def connect(self, sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        """Lets a client in by its ticket or token, or refuses it with our error as the refusal's data."""
        try:
            wish = load_connect(auth)
            self._let_in(sid, self._admitted(wish, environ.get("HTTP_ORIGIN", "")), wish)
        except Exception as exception:
            problem = as_problem(exception)
            raise Refused(problem.sentence, dump.error(problem)) from None

    def _admitted(self, wish: Connect, origin: str) -> Admitted:
        if wish.ticket:
            return self._passes.redeem(wish.table, wish.ticket, origin)
        try:
            admitted = self._passes.resume(wish.table, wish.resume)
        except CopiedTokenError as copied:
            self._cut_line(copied.session)
            raise unknown_key() from None
        # The connection before may not have been missed yet.
        self._cut_line(admitted.session)
        return admitted

    def _let_in(self, sid: str, admitted: Admitted, wish: Connect) -> None:
        member = admitted.member
        table = self._tables.of(member)
        connection = Connection(sid, member.seat, wish.seq)
        gevent.spawn(self._greet, admitted, table.seq, sid)
        room = self._rooms.enter(table, connection)
        self._clients[sid] = Client(room, connection, member, admitted.session)
        self.tell_players(member.table)

    def _greet(self, admitted: Admitted, seq: int, sid: str) -> None:
        member = admitted.member
        hello = {"seat": member.id, "role": member.role, "name": member.name, "resume": admitted.resume}
        self._emit(dump.update(member.table, "hello", seq, hello), [sid])
        if not self._passes.is_seated(member):  # taken away while this connection was being made
            self.cut(member.table, member.id)

    def disconnect(self, sid: str, _reason: str = "") -> None:
        """Forgets a client that is gone."""
        client = self._clients.pop(sid, None)
        if client:
            self._rooms.leave(client.room, client.connection)
            self.tell_players(client.member.table)

    def command(self, sid: str, *arguments: Any) -> dict[str, Any]:
        """Does a command; the answer, done or refused, is its acknowledgement."""
        raw = arguments[0] if len(arguments) == 1 else None
        try:
            client = self._client(sid)
            return client.room.answer(client.connection.seat, load_command(raw), client.connection)
        except Exception as exception:
            return dump.refusal(id_in(raw), as_problem(exception))

    def _client(self, sid: str) -> Client:
        if sid not in self._clients:
            raise unknown_key()  # cut while this was on its way
        return self._clients[sid]

    def unknown(self, event: str | Unusable, _sid: str, *_arguments: Any) -> dict[str, Any]:
        """Refuses an event that is not known here, or whose packet could not be used."""
        if isinstance(event, Unusable):
            return dump.refusal("", event.problem)
        sentence = "This server knows one event, named command."
        return dump.refusal("", BadMessage({"event": [sentence]}, sentence))

    # Whom the game master lets in and sends away

    def cut(self, table: str, member: str) -> None:
        """Ends every connection of a member at once."""
        self._cut_where(lambda client: (client.member.table, client.member.id) == (table, member))

    def _cut_line(self, session: str) -> None:
        self._cut_where(lambda client: client.session == session)

    def _cut_where(self, is_meant: Callable[[Client], bool]) -> None:
        for sid in [sid for sid, client in self._clients.items() if is_meant(client)]:
            self.disconnect(sid)
            self._hang_up(sid)

    def online(self, table: str) -> set[str]:
        """The ids of the members of a table who are connected."""
        return {client.member.id for client in self._clients.values() if client.member.table == table}

    def tell_players(self, table: str) -> None:
        """Has the game masters of a table told who is there, after whoever runs now."""
        gevent.spawn(self._tell_players, table)

    def _tell_players(self, table: str) -> None:
        here = [client for client in self._clients.values() if client.member.table == table]
        masters = [client for client in here if client.connection.seat.role == "gm"]
        if masters:
            told = players(self._tables.members, table, self.online(table))
            update = dump.update(table, "players", masters[0].room.table.seq, told)
            self._emit(update, [client.connection.sid for client in masters])


def id_in(raw: Any) -> str:
    """The id of a command that could not be read as a whole, as far as it has one."""
    command_id = raw.get("id") if isinstance(raw, dict) else None
    return command_id[:64] if isinstance(command_id, str) else ""
