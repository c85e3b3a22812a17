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
from enfilade.transport.gate import CONNECT, Gate, Speaker
from enfilade.transport.metrics import DONE, Metrics
from enfilade.transport.packets import Unusable
from enfilade.transport.rooms import Connection, Room, Rooms


class Sockets:
    """The clients connected over Socket.IO, and what happens when they speak."""

    def __init__(self, tables: Tables, rooms: Rooms, gate: Gate, metrics: Metrics) -> None:
        self._tables = tables
        self._rooms = rooms
        self._gate = gate
        self._metrics = metrics
        self._seats: dict[str, tuple[Room, Connection, Speaker]] = {}

    def listen(self, socketio: SocketIO) -> None:
        """Registers every handler."""
        socketio.server.on("connect", self.connect)
        socketio.server.on("disconnect", self.disconnect)
        socketio.server.on("command", self.command)
        socketio.server.on("*", self.unknown)

    def connect(self, sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        """Lets a client in by its key, or refuses it with our error as the refusal's data."""
        try:
            self._seats[sid] = self._enter(sid, environ.get("REMOTE_ADDR", ""), auth)
            self._metrics.connections.inc()
        except Exception as exception:
            problem = as_problem(exception)
            self._metrics.refused(problem.code)
            raise Refused(problem.sentence, dump.error(problem)) from None

    def disconnect(self, sid: str, _reason: str = "") -> None:
        """Forgets a client that is gone."""
        room, connection, _ = self._seats.pop(sid, (None, None, None))
        if room and connection:
            self._metrics.connections.dec()
            self._rooms.leave(room, connection)

    def command(self, sid: str, *arguments: Any) -> dict[str, Any]:
        """Does a command; the answer, done or refused, is its acknowledgement."""
        raw = arguments[0] if len(arguments) == 1 else None
        with self._metrics.answers.time():
            try:
                answer = self._answer(sid, raw)
                self._metrics.heard(kind_in(raw), DONE)
            except Exception as exception:
                answer = self._refuse(exception, raw)
        return answer

    def unknown(self, event: str | Unusable, sid: str, *_arguments: Any) -> dict[str, Any]:
        """Refuses an event that is not known here, or whose packet could not be used."""
        sentence = "This server knows one event, named command."
        problem: Exception = BadMessage({"event": [sentence]}, sentence)
        try:
            self._gate.hear(self._seats[sid][2], None)
        except Exception as exception:
            problem = exception
        return self._refuse(event.problem if isinstance(event, Unusable) else problem, None)

    def _answer(self, sid: str, raw: Any) -> dict[str, Any]:
        room, connection, speaker = self._seats[sid]
        self._gate.hear(speaker, kind_in(raw))
        with self._gate.working(speaker):
            return room.answer(connection.seat, load_command(raw), connection)

    def _refuse(self, exception: Exception, raw: Any) -> dict[str, Any]:
        problem = as_problem(exception)
        self._metrics.heard(kind_in(raw), problem.code)
        self._metrics.refused(problem.code)
        return dump.refusal(id_in(raw), problem)

    def _enter(self, sid: str, address: str, auth: Any) -> tuple[Room, Connection, Speaker]:
        wish = load_connect(auth)
        with self._gate.trying_a_key(address):
            table, seat = self._tables.enter(wish.table, wish.key)
        speaker = self._gate.speaker(table.id, seat, address)
        self._gate.must_have_room(seat, self._rooms.seats(table))
        self._gate.hear(speaker, CONNECT)
        connection = Connection(sid, seat, wish.seq)
        room = self._rooms.enter(table, connection)
        return room, connection, speaker


def kind_in(raw: Any) -> object:
    """The kind of a command that has not been looked at yet, whatever is there in its place."""
    return raw.get("kind") if isinstance(raw, dict) else None


def id_in(raw: Any) -> str:
    """The id of a command that could not be read as a whole, as far as it has one."""
    command_id = raw.get("id") if isinstance(raw, dict) else None
    return command_id[:64] if isinstance(command_id, str) else ""
