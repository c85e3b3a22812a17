"""Who is connected to which table, and telling all of them what is new, in order.

A connection is told everything after the entry it knows: a snapshot where it knows none or is too far
behind, else entries. So greeting, resuming and following are one act. Of what its view does not hold it is
told nothing, not even that something was. Entries go first; overlays are worked out one by one when the
server is quiet (overlay_scheduler.py), each once for all who look at the same.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import gevent

from enfilade.errors import EnfiladeError, Forbidden, NotFound, OutOfOrder
from enfilade.messages import dump
from enfilade.play.command import Command, CommandResult, Delta, Entries
from enfilade.play.table import Table
from enfilade.scene.seat import Seat
from enfilade.tactics.overlays import Overlay
from enfilade.transport.lease import Lease
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.overlay_scheduler import OverlayScheduler

log = logging.getLogger(__name__)
Emit = Callable[[dict[str, Any], list[str]], None]
"""Sends an update to the connections with these ids."""
Heard = Callable[[Table], None]
"""Called with a table at which something was done."""
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class OverlaySubscription:
    """Whose overlay a connection looks at, and which of its layers (None: all)."""

    token: str
    layers: tuple[str, ...] | None


@dataclass
class Connection:
    """One client at a table. `told` is the last entry of the table's log that it knows, None for nothing."""

    sid: str
    seat: Seat
    told: int | None
    is_due: bool = True
    """Whether it is to be told where it stands even if there is no news."""
    revision: int = -1
    """The table's row it has heard of."""
    choice: str | None = None
    """The choice it has heard of that the table waits for."""
    shown: OverlaySubscription | None = None
    is_behind: bool = False
    """Whether the overlay it shows is older than the table."""
    count: int = 0
    """How many commands it has sent."""

    def must_be_next(self, n: int) -> None:
        """Counts a command; raises OutOfOrder where one before it is missing or it came before."""
        if n != self.count + 1:
            raise OutOfOrder(f"That was command {n} of this connection, and {self.count + 1} comes next.")
        self.count = n


class Room:
    """The connections of one table."""

    def __init__(
        self,
        table: Table,
        emit: Emit,
        overlay_scheduler: OverlayScheduler,
        limiter: RateLimiter,
        metrics: Metrics,
        heard: Sequence[Heard] = (),
        registered: Callable[[str], Room | None] = lambda _table: None,
    ) -> None:
        """`registered` gives the room in which a table's connections are now."""
        self.table = table
        self._registered = registered
        self._overlay_scheduler = overlay_scheduler
        self._limiter = limiter
        self._metrics = metrics
        self._heard = heard
        self.connections: dict[str, Connection] = {}
        self._emit = emit
        self._is_telling = False
        self.bridge = Lease()

    def answer(self, seat: Seat, command: Command, connection: Connection | None = None) -> dict[str, Any]:
        """Does a command and gives its acknowledgement; everybody hears of it after that.

        What `overlay.show` asks for comes with the answer, and to a connection again after every change.
        Raises EnfiladeError.
        """
        match command.kind:
            case "overlay.show":
                done = self._here(seat, self._shown(seat, command, connection))
            case "bridge.claim":
                done = self._here(seat, self._claimed(seat, command, connection))
            case "sync":
                done = self._here(seat, self._begin_anew(command, connection))
            case _:
                self._overlay_scheduler.note_activity(self.table.id)
                done = self._performed(seat, command)
        self._tell_all()
        return dump.ack(command.id, done)

    def _performed(self, seat: Seat, command: Command) -> CommandResult:
        was = self.table.revision
        try:
            return self.table.execute(seat, command)
        except BaseException:
            # A refusal may store something too: dice that are void, new chains, an act that broke off before.
            if self.table.revision != was:
                self._tell_all()
            raise

    def _tell_all(self) -> None:
        # While that waited for the disk somebody may have come, into a room that was made for them.
        (self._registered(self.table.id) or self).schedule_broadcast()
        for heard in self._heard:
            heard(self.table)

    def notify_gms(self) -> None:
        """Has every game master told where the table stands, though there may be no new entry."""
        for connection in self.connections.values():
            connection.is_due = connection.is_due or connection.seat.role == "gm"
        self.schedule_broadcast()

    def _here(self, seat: Seat, result: dict[str, Any]) -> CommandResult:
        return CommandResult(seq=self.table.number(seat), result=result)

    def _shown(self, seat: Seat, command: Command, connection: Connection | None) -> dict[str, Any]:
        token, layers = command.body["token"], command.body["layers"]
        overlay = self._overlay(seat, token, layers) if token else None
        if connection:
            layers = None if layers is None else tuple(layers)
            connection.shown = OverlaySubscription(token, layers) if token else None
            connection.is_behind = False
        return {"overlay": overlay}

    def _begin_anew(self, command: Command, connection: Connection | None) -> dict[str, Any]:
        """Has a connection told all anew, as its copy went astray."""
        if connection is None:
            raise NotFound("Only who is connected can be brought up to date; read the scene instead.")
        why = command.body["why"]
        self._metrics.desyncs(why)
        log.warning("Table %s: the copy of %s went astray (%s)", self.table.id, connection.seat.key, why)
        connection.told, connection.is_due = None, True
        return {}

    def _claimed(self, seat: Seat, command: Command, connection: Connection | None) -> dict[str, Any]:
        if seat.role != "gm":
            raise Forbidden("Only the game master's page speaks for a tabletop.")
        if connection is None:
            raise Forbidden("A bridge is claimed over a socket, and is its own for as long as that lasts.")
        if command.body["page"] is None:
            self.bridge.let_go(connection.sid)
            return {"number": None}
        return {"number": self.bridge.claimed(command.body["page"], connection.sid)}

    def schedule_broadcast(self) -> None:
        """Has everybody told what is new, after whoever runs now."""
        gevent.spawn(self._tell)

    @property
    def is_to_tell(self) -> bool:
        """Whether somebody is to be told something, as where telling has failed."""
        return bool(self._behind())

    def _behind(self) -> list[Connection]:
        revision = self.table.revision
        return [c for c in self.connections.values() if c.is_due or c.revision != revision]

    def _tell(self) -> None:
        if self._is_telling:
            return
        self._is_telling = True
        try:
            while self._tell_news():  # once more: something may have come where a store's driver waits
                pass
            if any(connection.is_behind for connection in self.connections.values()):
                self._overlay_scheduler.schedule(self._draw_an_overlay)
        except Exception:
            log.exception("Table %s could not tell its connections what is new", self.table.id)
        finally:
            self._is_telling = False

    def _tell_news(self) -> bool:
        behind = self._behind()
        for place, group in _grouped(behind, _place):
            seat, told, is_due, _ = place
            with self._limiter.time_limited(
                math.inf
            ):  # a large scene is told in slices, however long it takes
                news = self.table.delta(seat, told, is_hash_due=is_due)
            # Meanwhile one may have gone, or asked to be told all anew, which is for the next round.
            still = [c for c in group if c.sid in self.connections and _place(c) == place]
            if still:
                self._bring_up(still, news)
        return bool(behind)

    def _bring_up(self, group: list[Connection], news: Delta) -> None:
        choice = news.body.choice.id if news.body.choice else None
        is_worth_telling = (
            not isinstance(news.body, Entries)
            or bool(news.body.entries)
            or group[0].is_due
            or group[0].choice != choice
        )
        for connection in group:
            connection.told, connection.revision = news.place, news.revision
            connection.choice, connection.is_due = choice, False
            connection.is_behind |= is_worth_telling and connection.shown is not None
        if is_worth_telling:
            self._send(self._update(news), group)

    def _draw_an_overlay(self) -> bool:
        """Tells the first overlay that is behind; says whether there is another."""
        behind = [c for c in self.connections.values() if c.is_behind]
        groups = _grouped(behind, lambda c: (c.seat, c.shown))
        for (seat, shown), group in groups[:1]:
            for connection in group:
                connection.is_behind = False
            if shown:
                self._show(seat, shown, group)
        return len(groups) > 1

    def _show(self, seat: Seat, shown: OverlaySubscription, group: list[Connection]) -> None:
        try:
            with self._limiter.time_limited():
                overlay = self._overlay(seat, shown.token, shown.layers)
        except EnfiladeError:  # the token is gone, or hidden from this seat, or it takes too long by now
            for connection in group:
                connection.shown = None
        else:
            told = dump.written(self.table.id, self.table.epoch, "overlay", overlay.seq, overlay)
            self._send(told, group)

    def _overlay(self, seat: Seat, token: str, layers: Sequence[str] | None) -> Overlay:
        with self._metrics.overlays.time():
            return self.table.overlay(seat, token, layers)

    def _update(self, news: Delta) -> dict[str, Any]:
        kind = "entries" if isinstance(news.body, Entries) else "snapshot"
        return dump.written(self.table.id, self.table.epoch, kind, news.number, news.body)

    def _send(self, told: dict[str, Any], group: Iterable[Connection]) -> None:
        self._emit(told, [connection.sid for connection in group])


class Rooms:
    """The rooms of all tables that somebody is connected to."""

    def __init__(self, emit: Emit, limiter: RateLimiter, metrics: Metrics) -> None:
        self._emit = emit
        self._overlay_scheduler = OverlayScheduler()
        self._limiter = limiter
        self._metrics = metrics
        self._rooms: dict[str, Room] = {}
        self.heard: list[Heard] = []

    def of(self, table: Table) -> Room:
        """The table's room, an empty one where nobody is connected."""
        return self._rooms.get(table.id) or self._made(table)

    def _made(self, table: Table) -> Room:
        given = (self._emit, self._overlay_scheduler, self._limiter, self._metrics, self.heard)
        return Room(table, *given, registered=self._rooms.get)

    def seats(self, table: Table) -> list[Seat]:
        """The seat of every connection to a table."""
        return [connection.seat for connection in self.of(table).connections.values()]

    def enter(self, table: Table, connection: Connection) -> Room:
        """Adds a connection to a table's room; it is told the table's state once the caller is done."""
        room = self._rooms.setdefault(table.id, self.of(table))
        room.connections[connection.sid] = connection
        room.schedule_broadcast()
        return room

    def notify_gms(self, table: Table) -> None:
        """Has the game masters of a table told where it stands, where any is connected."""
        if table.id in self._rooms:
            self._rooms[table.id].notify_gms()

    def process_contributions(self) -> None:
        """Has every table see to its players' parts in the dice, and tell what is not told yet."""
        for room in list(self._rooms.values()):
            try:
                if room.table.process_contributions() or room.is_to_tell:
                    room.schedule_broadcast()
            except EnfiladeError as problem:  # a closed table is none of the others' business
                log.error("Table %s cannot be looked after: %s", room.table.id, problem)

    def leave(self, room: Room, connection: Connection) -> None:
        """Takes a connection out of its room, and forgets the room with the last one."""
        room.connections.pop(connection.sid, None)
        room.bridge.let_go(connection.sid)
        if not room.connections:
            self._rooms.pop(room.table.id, None)


def _place(connection: Connection) -> tuple[Seat, int | None, bool, str | None]:
    """Where a connection stands: those who stand at the same place are told the same."""
    return connection.seat, connection.told, connection.is_due, connection.choice


def _grouped(
    connections: Iterable[Connection], key: Callable[[Connection], K]
) -> list[tuple[K, list[Connection]]]:
    groups: dict[K, list[Connection]] = {}
    for connection in connections:
        groups.setdefault(key(connection), []).append(connection)
    return list(groups.items())
