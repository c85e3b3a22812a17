"""Broadcast each table's updates to its connections, in order.

Each connection has a position in the table's log. The server sends everything after that position as its seat
may know it: a snapshot if the position is unknown or too old, else entries. So a greeting, a resume and a
live update are one operation. Of hidden events a connection receives nothing, not even their number.

Entries go first; overlays follow when the server is idle (room_overlays.py).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable
from typing import Any

import gevent
from gevent.hub import Waiter

from enfilade.errors import EnfiladeError, Forbidden, NotFound
from enfilade.i18n import localize
from enfilade.messages import dump
from enfilade.messages.dump import Pinged
from enfilade.play.command import Command, CommandResult, Delta, Entries, Snapshot
from enfilade.play.commands.registry import COMMANDS
from enfilade.play.permissions import require_role
from enfilade.play.table import Table
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.events import MapSet, SceneSet
from enfilade.scene.model import Role, Seat, Value
from enfilade.tactics.forecast import Forecast
from enfilade.transport.activity import Activity
from enfilade.transport.forecasts import Forecasts
from enfilade.transport.lease import Lease
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.overlay_scheduler import OverlayScheduler
from enfilade.transport.room_overlays import Connection, Emit, RoomOverlays, group_by

log = logging.getLogger(__name__)
Position = tuple[Seat, int | None, bool, str | None]


class Room:
    """The connections of one table."""

    def __init__(
        self,
        table: Table,
        emit: Emit,
        overlay_scheduler: OverlayScheduler,
        limiter: RateLimiter,
        metrics: Metrics,
        activity: Activity,
        current_room: Callable[[str], Room | None] = lambda _table: None,
        forecasts: Forecasts | None = None,
        start: Callable[[Callable[[], None]], object] = gevent.spawn,
    ) -> None:
        """`current_room` returns the room that has a table's connections now; `start` runs a broadcast."""
        self.table = table
        self.connections: dict[str, Connection] = {}
        self.bridge = Lease()
        self._emit = emit
        self.overlays = RoomOverlays(
            table, self.connections, emit, overlay_scheduler, limiter, metrics, activity
        )
        self._limiter = limiter
        self._metrics = metrics
        self._activity = activity
        self._current_room = current_room
        self._forecasts = forecasts or Forecasts()
        self._start = start
        self._is_broadcasting = False

    def answer(self, seat: Seat, command: Command, connection: Connection | None = None) -> dict[str, Any]:
        """Execute a command and return its acknowledgment. Raises EnfiladeError.

        The broadcast follows. The result of `overlay.show` is in the acknowledgment; a connection gets the
        overlay again after each change.
        """
        match command.kind:
            case "overlay.show":
                result = self._result(seat, self.overlays.show(seat, command, connection))
            case "bridge.claim":
                result = self._result(seat, self._claim_bridge(seat, command, connection))
            case "ping":
                require_role(seat, COMMANDS["ping"].roles)
                result = self._result(seat, self._ping(seat, command))
            case "forecast.start" | "forecast.read" | "forecast.cancel":
                result = self._result(seat, dump.plain(self._forecast(seat, command)))
            case "sync":
                result = self._result(seat, self._resync(command, connection))
            case _:
                self._activity.note(self.table.id)
                result = self._execute(seat, command)
        self._announce_change()
        return dump.ack(command.id, result)

    def _execute(self, seat: Seat, command: Command) -> CommandResult:
        revision = self.table.revision
        try:
            return self.table.execute(seat, command, self.overlays.compute_ahead)
        except BaseException:
            # A refused command may store something: void dice, new chains, an act that was cut short before.
            if self.table.revision != revision:
                self._announce_change()
            raise

    def _announce_change(self) -> None:
        # A client may have joined during the disk wait, and with it another room of this table.
        (self._current_room(self.table.id) or self).schedule_broadcast()

    def _result(self, seat: Seat, result: dict[str, Any]) -> CommandResult:
        return CommandResult(seq=self.table.number(seat), result=result)

    def _resync(self, command: Command, connection: Connection | None) -> dict[str, Any]:
        """Schedule a snapshot for a client whose replica differs from the table."""
        if connection is None:
            raise NotFound(localize("server.sync_needs_socket"))
        why = command.body["why"]
        self._metrics.count_desync(why)
        log.warning(
            "Table %s: the replica of %s is out of sync (%s)", self.table.id, connection.seat.key, why
        )
        connection.last_seq, connection.is_due = None, True
        return {}

    def _ping(self, seat: Seat, command: Command) -> dict[str, Any]:
        """Show all connections the place that a seat points at; nothing is stored."""
        self.tell("ping", Pinged(at=command.body["at"], name=self.table.player_name(seat)))
        return {}

    def tell(self, kind: str, body: Value, role: Role | None = None) -> None:
        """Send all connections, or those of a role, news that is stored nowhere."""
        for connection in list(self.connections.values()):
            if role and connection.seat.role != role:
                continue
            number = self.table.number(connection.seat)
            self._send(dump.update(self.table.id, self.table.epoch, kind, number, body), [connection])

    def _forecast(self, seat: Seat, command: Command) -> Forecast:
        """Start, read or end the seat's forecast; nothing is stored.

        Raises NotFound, Forbidden, RateLimited.
        """
        require_role(seat, COMMANDS[command.kind].roles)
        if command.kind == "forecast.start":
            scene = self.table.forecast_scene(seat)
            number, count = self.table.number(seat), command.body["count"]
            return self._forecasts.start(self.table.id, seat.key, number, scene, count)
        answer = self._forecasts.read if command.kind == "forecast.read" else self._forecasts.cancel
        return answer(self.table.id, seat.key, command.body["forecast"])

    def _claim_bridge(self, seat: Seat, command: Command, connection: Connection | None) -> dict[str, Any]:
        if seat.role != "gm":
            raise Forbidden(localize("server.bridge_needs_gm"))
        if connection is None:
            raise Forbidden(localize("server.bridge_needs_socket"))
        if command.body["page"] is None:
            self.bridge.release(connection.sid)
            return {"number": None}
        return {"number": self.bridge.claim(command.body["page"], connection.sid)}

    def notify_gms(self) -> None:
        """Send every GM the table's state even if there is no new entry."""
        for connection in self.connections.values():
            connection.is_due = connection.is_due or connection.seat.role == "gm"
        self.schedule_broadcast()

    def schedule_broadcast(self) -> None:
        """Send all connections what they lack, once the current greenlet yields."""
        self._start(self._broadcast)

    @property
    def has_unsent_updates(self) -> bool:
        """Return whether a connection lacks updates, for example after a broadcast failed."""
        return bool(self._connections_behind())

    def _connections_behind(self) -> list[Connection]:
        revision = self.table.revision
        return [c for c in self.connections.values() if c.is_due or c.revision != revision]

    def _broadcast(self) -> None:
        if self._is_broadcasting:
            return
        self._is_broadcasting = True
        try:
            while self._send_deltas():  # repeat: the table may change during a store's I/O
                pass
            self.overlays.send_outdated()
        except Exception:
            log.exception("Table %s: the broadcast failed", self.table.id)
        finally:
            self._is_broadcasting = False

    def _send_deltas(self) -> bool:
        """Send each group of connections at one position what it lacks; return whether there was any."""
        behind = self._connections_behind()
        if not behind:
            return False
        revision, groups = self.table.revision, group_by(behind, self._position)
        # A large scene yields often, however long it takes.
        with self._limiter.time_limited(self.table.id, math.inf):
            for position, group in groups:
                if self.table.revision != revision:  # a new entry may be for some of a group alone
                    group = [c for c in group if self._position(c) == position]
                if group:
                    self._send_group(position, group)
        return True

    def _send_group(self, position: Position, group: list[Connection]) -> None:
        """Send connections at one position what they lack."""
        seat, last_seq, is_due, _ = position
        delta = self.table.delta(seat, last_seq, is_hash_due=is_due)
        checkpoint()
        update = self._written(delta)
        # A client may have left in the meantime, or requested a snapshot, which the next round sends.
        group = [c for c in group if c.sid in self.connections and self._is_at(c, position)]
        if group:
            self._send_delta(group, delta, update)

    def _position(self, connection: Connection) -> Position:
        """Return what determines a connection's next update; equal positions get the same one."""
        seat = connection.seat
        if seat.role == "player":  # all others get what their role gets
            seat = self.table.audience(seat, connection.last_seq)
        return seat, connection.last_seq, connection.is_due, connection.choice

    def _is_at(self, connection: Connection, position: Position) -> bool:
        """Return whether a connection still waits for the same update."""
        return (connection.last_seq, connection.is_due, connection.choice) == position[1:]

    def _written(self, delta: Delta) -> dict[str, Any]:
        kind = "entries" if isinstance(delta.body, Entries) else "snapshot"
        body, table = delta.body, self.table
        return dump.written(table.id, table.epoch, kind, delta.number, body, _is_small(body))

    def _send_delta(self, group: list[Connection], delta: Delta, update: dict[str, Any]) -> None:
        choice = delta.body.choice.version if delta.body.choice else None
        has_content = (
            not isinstance(delta.body, Entries)
            or bool(delta.body.entries)
            or group[0].is_due
            or group[0].choice != choice
        )
        for connection in group:
            connection.last_seq, connection.revision = delta.place, delta.revision
            connection.choice, connection.is_due = choice, False
            if isinstance(delta.body, Snapshot):
                connection.drawn = b""
            connection.is_overlay_outdated |= has_content and connection.subscription is not None
        if has_content:
            self._send(update, group)

    def _send(self, update: dict[str, Any], group: Iterable[Connection]) -> None:
        self._emit(update, [connection.sid for connection in group])


class Rooms:
    """The rooms of all tables with connections."""

    def __init__(
        self,
        emit: Emit,
        limiter: RateLimiter,
        metrics: Metrics,
        activity: Activity,
        forecasts: Forecasts | None = None,
    ) -> None:
        self._forecasts = forecasts or Forecasts()
        self._emit = emit
        self._activity = activity
        self._overlay_scheduler = OverlayScheduler(activity)
        self._limiter = limiter
        self._metrics = metrics
        self._rooms: dict[str, Room] = {}
        self._greenlets = Greenlets()

    def of(self, table: Table) -> Room:
        """Return the table's room, a new empty one if it has no connection."""
        return self._rooms.get(table.id) or Room(
            table,
            self._emit,
            self._overlay_scheduler,
            self._limiter,
            self._metrics,
            self._activity,
            current_room=self._rooms.get,
            forecasts=self._forecasts,
            start=self._greenlets.start,
        )

    def seats(self, table: Table) -> list[Seat]:
        """Return the seat of each of a table's connections."""
        return [connection.seat for connection in self.of(table).connections.values()]

    def enter(self, table: Table, connection: Connection) -> Room:
        """Add a connection to a table's room and schedule its first updates."""
        room = self._rooms.setdefault(table.id, self.of(table))
        room.connections[connection.sid] = connection
        room.schedule_broadcast()
        return room

    def leave(self, room: Room, connection: Connection) -> None:
        """Remove a connection from its room, and the room with its last connection."""
        room.connections.pop(connection.sid, None)
        room.bridge.release(connection.sid)
        if not room.connections:
            self._rooms.pop(room.table.id, None)

    def has_connections(self, table: str) -> bool:
        """Return whether anyone is connected to a table."""
        return table in self._rooms

    def tell(self, table: str, kind: str, body: Value, role: Role | None = None) -> None:
        """Send a table's connections, or those of a role, news that is stored nowhere."""
        if table in self._rooms:
            self._rooms[table].tell(kind, body, role)

    def notify_gms(self, table: Table) -> None:
        """Send a table's connected GMs its state."""
        if table.id in self._rooms:
            self._rooms[table.id].notify_gms()

    def send_unsent(self) -> None:
        """Broadcast what connections lack, for example after a broadcast failed."""
        for room in list(self._rooms.values()):
            try:
                if room.has_unsent_updates:
                    room.schedule_broadcast()
            except EnfiladeError as problem:  # one closed table must not stop the others
                log.error("Table %s: housekeeping failed: %s", room.table.id, problem)


MOST_WAITING = 8
"""The most greenlets that wait for the next function; each takes 20 KB."""


class Greenlets:
    """Greenlets that each run one function after another, which takes a tenth of the time of new ones."""

    def __init__(self) -> None:
        self._waiting: list[Waiter[Callable[[], None]]] = []

    def start(self, function: Callable[[], None]) -> None:
        """Call a function that raises nothing, once the current greenlet yields."""
        if self._waiting:
            gevent.get_hub().loop.run_callback(self._waiting.pop().switch, function)
        else:
            gevent.spawn(self._run, function)

    def _run(self, function: Callable[[], None]) -> None:
        function()
        while len(self._waiting) < MOST_WAITING:
            waiter: Waiter[Callable[[], None]] = Waiter()
            self._waiting.append(waiter)
            waiter.get()()


def _is_small(body: Snapshot | Entries) -> bool:
    """Return whether an update has no map, so that it is written at once."""
    if not isinstance(body, Entries) or body.regions is not None or body.bodies:
        return False
    return not any(isinstance(e, SceneSet | MapSet) for entry in body.entries for e in entry.events)
