"""The Socket.IO way in: one event from clients, `command`, always answered; one to them, `update`.

The handlers are registered raw, without Flask's request context, and catch everything: an exception that
escaped one would leave its client without an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import gevent
from flask_socketio import SocketIO
from socketio.exceptions import ConnectionRefusedError as Refused

from enfilade.errors import BadMessage
from enfilade.messages import dump
from enfilade.messages.load import Connect, load_command, load_connect
from enfilade.play.members import unknown_key
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.scene.seat import Seat
from enfilade.store.members import Member
from enfilade.transport.answers import to_enfilade_error
from enfilade.transport.clients import Client, Clients
from enfilade.transport.limits.rate import CONNECT, RateLimiter
from enfilade.transport.metrics import DONE, Metrics
from enfilade.transport.rooms import Connection, Rooms
from enfilade.transport.shards import ALL, Shard
from enfilade.transport.socketio.packets import InvalidPacket
from enfilade.transport.socketio.server import turn_away
from enfilade.transport.tokens import ConnectionTokens, CopiedTokenError, Grant


class Sockets:
    """The clients connected over Socket.IO, and what happens when they speak."""

    def __init__(
        self,
        tables: Tables,
        rooms: Rooms,
        connection_tokens: ConnectionTokens,
        clients: Clients,
        limiter: RateLimiter,
        metrics: Metrics,
        shard: Shard = ALL,
    ) -> None:
        self._shard = shard
        self._tables = tables
        self._rooms = rooms
        self._connection_tokens = connection_tokens
        self._clients = clients
        self._limiter = limiter
        self._metrics = metrics
        self._coming: dict[str, tuple[str, Seat]] = {}  # the tables and seats of those who are being let in
        self._turn_away: Callable[[str], None] = lambda _sid: None

    def listen(self, socketio: SocketIO) -> None:
        """Registers every handler."""
        self._turn_away = partial(turn_away, socketio)
        socketio.server.on("connect", self.connect)
        socketio.server.on("disconnect", self.disconnect)
        socketio.server.on("command", self.command)
        socketio.server.on("*", self.unknown)

    def connect(self, sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        """Lets a client in by its ticket or token, or refuses it with our error as the refusal's data."""
        try:
            wish, address = load_connect(auth), environ.get("REMOTE_ADDR", "")
            self._shard.require_local(wish.table)
            with self._limiter.auth_attempt(address):
                admitted = self._admitted(sid, wish, environ.get("HTTP_ORIGIN", ""), address)
            self._let_in(sid, admitted, wish, address)
        except Exception as exception:
            problem = to_enfilade_error(exception)
            self._metrics.refused(problem.code)
            self._turn_away(sid)
            raise Refused(problem.sentence, dump.error(problem)) from None
        finally:
            self._coming.pop(sid, None)

    def _admitted(self, sid: str, wish: Connect, origin: str, address: str) -> Grant:
        if wish.ticket:
            admitted = self._connection_tokens.redeem(wish.table, wish.ticket, origin)
            self._must_be_free(sid, admitted.member, admitted.session, address)
            return admitted
        try:
            return self._connection_tokens.resume(
                wish.table, wish.resume, lambda member, line: self._must_be_free(sid, member, line, address)
            )
        except CopiedTokenError as copied:
            self._clients.close_session(copied.session)
            raise unknown_key() from None

    def _must_be_free(self, sid: str, member: Member, line: str, address: str) -> None:
        """Keeps a place for a member; raises where they cannot come in now, although the seat is theirs."""
        self._clients.close_session(line)  # the connection before may not have been missed yet
        table = self._tables.of(member)
        coming = [seat for at, seat in self._coming.values() if at == table.id]
        self._limiter.require_connection_slot(member.seat, [*self._rooms.seats(table), *coming])
        self._limiter.charge(self._limiter.quota(table.id, member.seat, address), CONNECT)
        self._coming[sid] = table.id, member.seat

    def _let_in(self, sid: str, admitted: Grant, wish: Connect, address: str) -> None:
        member = admitted.member
        table = self._tables.of(member)
        quota = self._limiter.quota(table.id, member.seat, address)
        told = table.log_position(member.seat, wish.known) if wish.known else None
        connection = Connection(sid, member.seat, told)
        gevent.spawn(self._greet, admitted, table, sid)
        room = self._rooms.enter(table, connection)
        self._clients.add(Client(room, connection, member, admitted.session, admitted.token, quota))

    def _greet(self, admitted: Grant, table: Table, sid: str) -> None:
        member = admitted.member
        hello = {"seat": member.id, "role": member.role, "name": member.name, "resume": admitted.resume}
        self._clients.greet(
            dump.update(table.id, table.epoch, "hello", table.number(member.seat), hello), sid
        )
        if not self._connection_tokens.is_seated(member):  # taken away while this connection was being made
            self._clients.cut(member.table, member.id)

    def disconnect(self, sid: str, _reason: str = "") -> None:
        """Forgets a client that is gone."""
        self._clients.forget(sid)

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

    def unknown(self, event: str | InvalidPacket, sid: str, *_arguments: Any) -> dict[str, Any]:
        """Refuses an event that is not known here, or whose packet could not be used."""
        sentence = "This server knows one event, named command."
        problem: Exception = BadMessage({"event": [sentence]}, sentence)
        try:
            self._limiter.charge(self._clients.of(sid).quota, None)
        except Exception as exception:
            problem = exception
        return self._refuse(event.problem if isinstance(event, InvalidPacket) else problem, None)

    def _answer(self, sid: str, raw: Any) -> dict[str, Any]:
        client = self._clients.of(sid)
        try:
            client.connection.must_be_next(n_in(raw))
        finally:
            self._limiter.charge(client.quota, kind_in(raw))
        with self._limiter.compute_budget(client.quota):
            return client.room.answer(client.connection.seat, load_command(raw), client.connection)

    def _refuse(self, exception: Exception, raw: Any) -> dict[str, Any]:
        problem = to_enfilade_error(exception)
        self._metrics.heard(kind_in(raw), problem.code)
        self._metrics.refused(problem.code)
        return dump.refusal(id_in(raw), problem)


def kind_in(raw: Any) -> object:
    """The kind of a command that has not been looked at yet, whatever is there in its place."""
    return raw.get("kind") if isinstance(raw, dict) else None


def id_in(raw: Any) -> str:
    """The id of a command that could not be read as a whole, as far as it has one."""
    command_id = raw.get("id") if isinstance(raw, dict) else None
    return command_id[:64] if isinstance(command_id, str) else ""


def n_in(raw: Any) -> int:
    """What a command says its number on its connection is, whatever else is wrong with it; raises BadMessage.

    Looked at first: what is refused for its body has been counted all the same.
    """
    n = raw.get("n") if isinstance(raw, dict) else None
    if not isinstance(n, int) or isinstance(n, bool):
        raise BadMessage({"n": ["Over a socket each command is counted, from 1."]})
    return n
