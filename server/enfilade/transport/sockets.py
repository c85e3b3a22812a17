"""The Socket.IO way in: one event from clients, `command`, always answered; one to them, `update`.

The handlers are registered raw, without Flask's request context, and catch everything: an exception that
escaped one would leave its client without an answer.
"""

from __future__ import annotations

from typing import Any

from flask_socketio import SocketIO
from socketio.exceptions import ConnectionRefusedError as Refused

from enfilade.errors import BadMessage
from enfilade.messages import dump
from enfilade.messages.load import load_command, load_connect
from enfilade.play.tables import Tables
from enfilade.transport.answers import as_problem
from enfilade.transport.packets import Unusable
from enfilade.transport.rooms import Connection, Room, Rooms


class Sockets:
    """The clients connected over Socket.IO, and what happens when they speak."""

    def __init__(self, tables: Tables, rooms: Rooms) -> None:
        self._tables = tables
        self._rooms = rooms
        self._seats: dict[str, tuple[Room, Connection]] = {}

    def listen(self, socketio: SocketIO) -> None:
        """Registers every handler."""
        socketio.server.on("connect", self.connect)
        socketio.server.on("disconnect", self.disconnect)
        socketio.server.on("command", self.command)
        socketio.server.on("*", self.unknown)

    def connect(self, sid: str, _environ: dict[str, Any], auth: Any = None) -> None:
        """Lets a client in by its key, or refuses it with our error as the refusal's data."""
        try:
            self._seats[sid] = self._enter(sid, auth)
        except Exception as exception:
            problem = as_problem(exception)
            raise Refused(problem.sentence, dump.error(problem)) from None

    def disconnect(self, sid: str, _reason: str = "") -> None:
        """Forgets a client that is gone."""
        room, connection = self._seats.pop(sid, (None, None))
        if room and connection:
            self._rooms.leave(room, connection)

    def command(self, sid: str, *arguments: Any) -> dict[str, Any]:
        """Does a command; the answer, done or refused, is its acknowledgement."""
        raw = arguments[0] if len(arguments) == 1 else None
        try:
            room, connection = self._seats[sid]
            return room.answer(connection.seat, load_command(raw), connection)
        except Exception as exception:
            return dump.refusal(id_in(raw), as_problem(exception))

    def unknown(self, event: str | Unusable, _sid: str, *_arguments: Any) -> dict[str, Any]:
        """Refuses an event that is not known here, or whose packet could not be used."""
        if isinstance(event, Unusable):
            return dump.refusal("", event.problem)
        sentence = "This server knows one event, named command."
        return dump.refusal("", BadMessage({"event": [sentence]}, sentence))

    def _enter(self, sid: str, auth: Any) -> tuple[Room, Connection]:
        wish = load_connect(auth)
        table, seat = self._tables.enter(wish.table, wish.key)
        connection = Connection(sid, seat, wish.seq)
        return self._rooms.enter(table, connection), connection


def id_in(raw: Any) -> str:
    """The id of a command that could not be read as a whole, as far as it has one."""
    command_id = raw.get("id") if isinstance(raw, dict) else None
    return command_id[:64] if isinstance(command_id, str) else ""
