"""The Socket.IO handlers: `command` and `part` from clients, always acknowledged, and `update` to them.

The handlers run without Flask's request context and catch every exception: an uncaught one would leave its
client without an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import gevent
from flask_socketio import SocketIO
from socketio.exceptions import ConnectionRefusedError as Refused

from enfilade.errors import BadMessage, Forbidden
from enfilade.i18n import localize
from enfilade.importers.untrusted import read_json
from enfilade.messages import dump
from enfilade.messages.dump import Hello
from enfilade.messages.load import Connect, Part, load_command, load_connect, load_part
from enfilade.play.command import CommandResult
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.scene.model import Seat
from enfilade.store.members import Member
from enfilade.transport.clients import Client, Clients
from enfilade.transport.envelopes import (
    SCENE_COMMANDS,
    command_id,
    command_kind,
    command_number,
    to_enfilade_error,
)
from enfilade.transport.limits.rate import CONNECT, RateLimiter
from enfilade.transport.metrics import DONE, Metrics
from enfilade.transport.ownership import PROCESS_ARGUMENT
from enfilade.transport.room_overlays import Connection
from enfilade.transport.rooms import Rooms
from enfilade.transport.shards import ALL, LocalTables
from enfilade.transport.socketio.packets import InvalidPacket
from enfilade.transport.socketio.parts import PartialCommands
from enfilade.transport.socketio.server import disconnect_refused
from enfilade.transport.tickets import Grant, Tickets


class SocketHandlers:
    """The handlers of one Socket.IO server."""

    def __init__(
        self,
        tables: Tables,
        rooms: Rooms,
        tickets: Tickets,
        clients: Clients,
        limiter: RateLimiter,
        metrics: Metrics,
        parts: PartialCommands,
        shard: LocalTables = ALL,
    ) -> None:
        self._shard = shard
        self._parts = parts
        self._tables = tables
        self._rooms = rooms
        self._tickets = tickets
        self._clients = clients
        self._limiter = limiter
        self._metrics = metrics
        self._reserved: dict[str, tuple[str, Seat]] = {}  # sid -> table and seat of a connection being made
        self._disconnect_refused: Callable[[str], None] = lambda _sid: None

    def register(self, socketio: SocketIO) -> None:
        """Register all handlers."""
        self._disconnect_refused = partial(disconnect_refused, socketio)
        socketio.server.on("connect", self.connect)
        socketio.server.on("disconnect", self.disconnect)
        socketio.server.on("command", self.command)
        socketio.server.on("part", self.part)
        socketio.server.on("*", self.unknown_event)

    def connect(self, sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        """Accept a client by its ticket, or refuse it with our error as the data."""
        try:
            wanted, address = load_connect(auth), environ.get("REMOTE_ADDR", "")
            origin = environ.get("HTTP_ORIGIN", "")
            (named,) = parse_qs(environ.get("QUERY_STRING", "")).get(PROCESS_ARGUMENT, [""])[:1]
            self._shard.require_local(
                wanted.table, partial(self._require_ticket, wanted, origin, address), named
            )
            with self._limiter.auth_attempt(address):
                grant = self._tickets.redeem(wanted.table, wanted.ticket, origin)
            self._reserve_slot(sid, wanted, grant.member, address)
            self._accept(sid, grant, wanted, address)
        except Exception as exception:
            problem = to_enfilade_error(exception)
            self._metrics.count_refusal(problem.code)
            self._disconnect_refused(sid)
            raise Refused(problem.sentence, dump.error(problem)) from None
        finally:
            self._reserved.pop(sid, None)

    def _require_ticket(self, wanted: Connect, origin: str, address: str) -> None:
        """Raise Forbidden unless the ticket is valid, which is not used up here."""
        with self._limiter.auth_attempt(address):
            self._tickets.require_valid(wanted.table, wanted.ticket, origin)

    def _reserve_slot(self, sid: str, wanted: Connect, member: Member, address: str) -> None:
        """Reserve a connection for a member. Raises SeatFull or RateLimited if there is no capacity."""
        if wanted.page:  # the server may not have noticed that the page's last connection ended
            self._clients.disconnect_page(member.table, member.id, wanted.page)
        if wanted.close_others and member.role != "spectator":  # spectators share a key
            self._clients.disconnect_member(member.table, member.id)
        table = self._tables.of(member)
        reserved = [seat for at, seat in self._reserved.values() if at == table.id]
        self._limiter.require_connection_slot(member.seat, [*self._rooms.seats(table), *reserved])
        self._limiter.charge(self._limiter.quota(table.id, member.seat, address), CONNECT)
        self._reserved[sid] = table.id, member.seat

    def _accept(self, sid: str, grant: Grant, wanted: Connect, address: str) -> None:
        member = grant.member
        table = self._tables.of(member)
        quota = self._limiter.quota(table.id, member.seat, address)
        last_seq = table.log_position(member.seat, wanted.known) if wanted.known else None
        connection = Connection(sid, member.seat, last_seq)
        gevent.spawn(self._greet, grant, table, sid)
        room = self._rooms.enter(table, connection)
        self._clients.add(Client(room, connection, member, grant.key, wanted.page, quota))

    def _greet(self, grant: Grant, table: Table, sid: str) -> None:
        member = grant.member
        hello = Hello(seat=member.id, role=member.role, name=member.name)
        update = dump.update(table.id, table.epoch, "hello", table.number(member.seat), hello)
        self._clients.greet(update, sid)
        if not self._tickets.is_current(grant):  # removed, or given a new key, while this connection was made
            self._clients.disconnect([sid])

    def disconnect(self, sid: str, _reason: str = "") -> None:
        """Remove a client whose connection ended."""
        self._parts.drop(sid)
        self._clients.remove(sid)

    def command(self, sid: str, *arguments: Any) -> dict[str, Any]:
        """Execute a command and return its acknowledgment or its refusal."""
        raw = arguments[0] if len(arguments) == 1 else None
        with self._metrics.answers.time():
            try:
                answer = self._execute(sid, raw)
                self._metrics.count_command(command_kind(raw), DONE)
            except Exception as exception:
                answer = self._refuse(exception, raw)
        return answer

    def part(self, sid: str, *arguments: Any) -> dict[str, Any]:
        """Take a part of a command larger than a message; the last one is answered like the command."""
        raw = arguments[0] if len(arguments) == 1 else None
        try:
            client = self._count(sid, raw, "" if _part_number(raw) else "scene.set")
            data = self._take_part(client, load_part(raw))
            if data is None:
                seq = client.room.table.number(client.connection.seat)
                return dump.ack(command_id(raw), CommandResult(seq=seq, result={}))
            with self._metrics.answers.time():
                return self._execute_scene(client, data, command_id(raw))
        except Exception as exception:
            return self._refuse(exception, raw)

    def _take_part(self, client: Client, part: Part) -> bytes | None:
        if client.connection.seat.role != "gm":
            raise Forbidden(localize("server.parts_need_gm"))
        return self._parts.add(client.connection.sid, client.quota, part)

    def _execute_scene(self, client: Client, data: bytes, wanted_id: str) -> dict[str, Any]:
        """Execute the command in a JSON text that came in parts."""
        with self._limiter.compute_budget(client.quota, max_ms=self._parts.map_ms):
            raw = read_json(data)
            if command_kind(raw) not in SCENE_COMMANDS or command_id(raw) != wanted_id:
                raise BadMessage({"text": [localize("server.parts_no_scene")]})
            answer = client.room.answer(client.connection.seat, load_command(raw), client.connection)
        self._metrics.count_command(command_kind(raw), DONE)
        return answer

    def unknown_event(self, event: str | InvalidPacket, sid: str, *_arguments: Any) -> dict[str, Any]:
        """Refuse an unknown or undecodable event."""
        sentence = localize("server.unknown_event")
        problem: Exception = BadMessage({"event": [sentence]}, sentence)
        try:
            self._limiter.charge(self._clients.get(sid).quota, "")
        except Exception as exception:
            problem = exception
        return self._refuse(event.problem if isinstance(event, InvalidPacket) else problem, None)

    def _execute(self, sid: str, raw: Any) -> dict[str, Any]:
        client = self._count(sid, raw, command_kind(raw))
        with self._limiter.compute_budget(client.quota, command_kind(raw)):
            return client.room.answer(client.connection.seat, load_command(raw), client.connection)

    def _count(self, sid: str, raw: Any, kind: str) -> Client:
        """Return the client of a message, which is the next of its connection, and charge it as a kind."""
        client = self._clients.get(sid)
        self._shard.require_local(client.member.table, _has_key)
        try:
            client.connection.check_number(command_number(raw))
        finally:
            self._limiter.charge(client.quota, kind)
        return client

    def _refuse(self, exception: Exception, raw: Any) -> dict[str, Any]:
        problem = to_enfilade_error(exception)
        self._metrics.count_command(command_kind(raw), problem.code)
        self._metrics.count_refusal(problem.code)
        return dump.refusal(command_id(raw), problem)


def _part_number(raw: Any) -> Any:
    """Return the number of an unvalidated part of a command, 0 for the first and for none."""
    return raw.get("part", 0) if isinstance(raw, dict) else 0


def _has_key() -> None:
    """Accept a client that was connected with a key."""
