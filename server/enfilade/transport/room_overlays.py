"""The overlays of one table's connections: computed once for all that look at the same, sent if they changed.

They are computed when the server is idle (overlay_scheduler.py). An overlay that is byte for byte the
connection's last one is not sent again. A server with few active tables computes them while it waits for the
disk, and sends them once the state they show is stored. A busy one computes those of a table every 0.15
seconds at most: the first change shows at once, and those that follow it in this time show together.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import gevent
import orjson
from msgspec.structs import replace

from enfilade.errors import EnfiladeError, OutOfOrder
from enfilade.i18n import localize
from enfilade.messages import dump
from enfilade.play.command import Command
from enfilade.play.table import Table
from enfilade.runtime.time_budget import REST_SECONDS, checkpoint
from enfilade.scene.seat import Seat
from enfilade.store.protocol import TableState
from enfilade.tactics.overlays import Overlay
from enfilade.transport.activity import Activity
from enfilade.transport.limits.rate import RateLimiter
from enfilade.transport.metrics import Metrics
from enfilade.transport.overlay_scheduler import OverlayScheduler

log = logging.getLogger(__name__)

BUSY_INTERVAL_SECONDS = 0.15
"""The least time between two rounds of a table's overlays on a busy server."""

K = TypeVar("K", bound=Hashable)
Emit = Callable[[dict[str, Any], list[str]], None]
"""Sends an update to the connections with these Socket.IO IDs."""


@dataclass(frozen=True)
class OverlaySubscription:
    """The token whose overlay a connection shows, and the layers it wants (None: all)."""

    token: str
    layers: tuple[str, ...] | None


@dataclass
class Connection:
    """One client at a table."""

    sid: str
    seat: Seat
    last_seq: int | None
    """The last entry of the table's log that the client has; None if it has nothing."""
    is_due: bool = True
    """Whether to send its state even if there is no new entry."""
    revision: int = -1
    """The revision of the table that it has."""
    choice: str | None = None
    """The version of the pending choice that it has been sent."""
    subscription: OverlaySubscription | None = None
    is_overlay_outdated: bool = False
    drawn: bytes = b""
    """The digest of the overlay that it has been sent; empty if the next is sent in any case."""
    count: int = 0
    """The number of its last command."""

    def check_number(self, number: int) -> None:
        """Count a command. Raises OutOfOrder unless it follows the last one."""
        if number != self.count + 1:
            raise OutOfOrder(localize("server.out_of_order", number=number, expected=self.count + 1))
        self.count = number


class RoomOverlays:
    """The overlays that the connections of one table show."""

    def __init__(
        self,
        table: Table,
        connections: Mapping[str, Connection],
        emit: Emit,
        scheduler: OverlayScheduler,
        limiter: RateLimiter,
        metrics: Metrics,
        activity: Activity,
    ) -> None:
        self._table = table
        self._connections = connections
        self._emit = emit
        self._scheduler = scheduler
        self._limiter = limiter
        self._metrics = metrics
        self._activity = activity
        self._is_ahead = False
        self._pause: Any = None
        """The timer that starts the next round; None if it need not wait."""
        self._next_round = 0.0
        """When a busy server may compute the table's overlays again, in monotonic seconds."""
        self._last: tuple[Overlay, bytes] | None = None
        """The overlay that was written last, and its digest: after most commands the next one equals it."""

    def compute_ahead(self, state: TableState) -> None:
        """Start to compute the overlays of a state that is about to be stored.

        Nothing is sent before. A busy server may not send them at all.
        """
        is_wanted = any(connection.subscription for connection in self._connections.values())
        if is_wanted and not (self._is_ahead or self._activity.is_busy or self._wait()):
            gevent.spawn(self._compute_all, state)

    def _compute_all(self, state: TableState) -> None:
        """Compute overlays of a state into the table's cache until it is stored."""
        self._is_ahead = True
        try:
            for seat, subscription in {(c.seat, c.subscription): None for c in self._connections.values()}:
                if self._table.revision >= state.revision:
                    return
                if subscription:
                    with suppress(EnfiladeError), self._limiter.time_limited(self._table.id):
                        self._compute(seat, subscription.token, subscription.layers, state)
                    gevent.sleep(REST_SECONDS)  # each has a first slice of its own
        except Exception:
            log.exception("Table %s: an overlay could not be computed", self._table.id)
        finally:
            self._is_ahead = False

    def show(self, seat: Seat, command: Command, connection: Connection | None) -> dict[str, Any]:
        """Return the overlay that a command asks for, and send the connection each that follows it."""
        token, layers = command.body["token"], command.body["layers"]
        overlay = self._compute(seat, token, layers) if token else None
        if connection:
            layers = None if layers is None else tuple(layers)
            connection.subscription = OverlaySubscription(token, layers) if token else None
            connection.is_overlay_outdated = False
        checkpoint()
        if overlay is None:
            return {"overlay": None}
        body = dump.json_bytes(overlay)
        if connection:
            connection.drawn = overlay_digest(body, overlay.seq)
            self._last = overlay, connection.drawn
        return {"overlay": orjson.Fragment(body)}

    def _wait(self) -> float:
        """Return the seconds until the table may have another overlay computed."""
        return self._limiter.table_wait(self._table.id)

    def send_outdated(self) -> None:
        """Send the outdated overlays that are computed already, and schedule the others."""
        if self._pause is not None:
            return  # the next round sends them all
        self._send_ready()
        if not any(connection.is_overlay_outdated for connection in self._connections.values()):
            return
        wait = self._next_round - time.monotonic() if self._activity.is_busy else 0.0
        if wait > 0:
            self._pause = gevent.get_hub().loop.timer(wait)
            self._pause.start(self._start_round)
        else:
            self._start_round()

    def _start_round(self) -> None:
        """Have the outdated overlays computed, one after the other."""
        if self._pause is not None:
            self._pause.close()
        self._pause, self._next_round = None, time.monotonic() + BUSY_INTERVAL_SECONDS
        self._scheduler.schedule(self._send_one, self._wait)

    def _send_ready(self) -> None:
        """Send the outdated overlays that need no computation."""
        for (seat, subscription), group in self._outdated():
            if subscription and self._table.has_overlay(seat, subscription.token, subscription.layers):
                self._send_last(seat, subscription, group)

    def _send_one(self) -> bool:
        """Send the first outdated overlay; return whether there are more."""
        groups = self._outdated()
        for (seat, subscription), group in groups[:1]:
            self._send_last(seat, subscription, group)
        return len(groups) > 1

    def _outdated(self) -> list[tuple[tuple[Seat, OverlaySubscription | None], list[Connection]]]:
        outdated = [c for c in self._connections.values() if c.is_overlay_outdated]
        return group_by(outdated, lambda c: (c.seat, c.subscription))

    def _send_last(
        self, seat: Seat, subscription: OverlaySubscription | None, group: list[Connection]
    ) -> None:
        for connection in group:
            connection.is_overlay_outdated = False
        if subscription is None:
            return
        try:
            with self._limiter.time_limited(self._table.id):
                overlay = self._compute(seat, subscription.token, subscription.layers)
                checkpoint()
                changed = self._without_equal(group, overlay)
                body = dump.json_bytes(overlay) if changed else b""
        except EnfiladeError:  # the token is gone or hidden from this seat, or the overlay takes too long
            for connection in group:
                connection.subscription = None
        else:
            if changed:
                changed = self._send_changed(changed, body, overlay)
            self._metrics.count_overlays(sent=len(changed), unchanged=len(group) - len(changed))

    def _without_equal(self, group: list[Connection], overlay: Overlay) -> list[Connection]:
        """Return the connections that may need an overlay: all but those that have one with equal values."""
        if self._last is None:
            return group
        last, drawn = self._last
        is_equal = replace(last, seq=overlay.seq) == overlay
        return [connection for connection in group if not is_equal or connection.drawn != drawn]

    def _send_changed(self, group: list[Connection], body: bytes, overlay: Overlay) -> list[Connection]:
        """Send an overlay to the connections whose last one was another, and return them."""
        drawn, seq = overlay_digest(body, overlay.seq), overlay.seq
        self._last = overlay, drawn
        changed = [connection for connection in group if connection.drawn != drawn]
        for connection in changed:
            connection.drawn = drawn
        if changed:
            update = dump.envelope(self._table.id, self._table.epoch, "overlay", seq, orjson.Fragment(body))
            self._emit(update, [connection.sid for connection in changed])
        return changed

    def _compute(
        self, seat: Seat, token: str, layers: Sequence[str] | None, upcoming: TableState | None = None
    ) -> Overlay:
        with self._metrics.overlays.time():
            return self._table.overlay(seat, token, layers, upcoming)


def overlay_digest(body: bytes, seq: int) -> bytes:
    """Return a digest of an overlay's JSON without its `seq`, which differs after each entry."""
    return hashlib.sha256(body.replace(b'"seq":%d,' % seq, b"", 1)).digest()


def group_by(
    connections: Iterable[Connection], key: Callable[[Connection], K]
) -> list[tuple[K, list[Connection]]]:
    """Return connections in groups with equal keys, in order."""
    groups: dict[K, list[Connection]] = {}
    for connection in connections:
        groups.setdefault(key(connection), []).append(connection)
    return list(groups.items())
