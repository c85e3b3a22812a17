"""Schedule overlays: one at a time in the whole server, and only when it is otherwise idle.

Computing an overlay takes as long as several commands, and the next command may change it. So a room's
overlays wait until the server has answered and broadcast every command it received. Rooms take turns.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import gevent

log = logging.getLogger(__name__)

MAX_DELAY_SECONDS = 0.25
"""The longest that a busy server delays the next overlay."""

BUSY_TABLES = 4
"""A server that answers commands of so many tables in a second is busy, even if disk waits leave it idle."""

PAUSE_FACTOR = 9
"""A busy server pauses this many times the duration of an overlay after it."""

DrawNext = Callable[[], bool]
"""Computes and sends one overlay of a room. Returns whether the room has another."""


class OverlayScheduler:
    """A queue of rooms with outdated overlays."""

    def __init__(self) -> None:
        self._queue: dict[DrawNext, None] = {}
        self._is_running = False
        self._last_activity: dict[str, float] = {}

    @property
    def is_idle(self) -> bool:
        """Return whether no overlay is queued or being computed."""
        return not self._is_running

    def note_activity(self, table: str) -> None:
        """Record that a table's command is being answered."""
        self._last_activity[table] = time.monotonic()

    def schedule(self, draw_next: DrawNext) -> None:
        """Queue a room; a room that is in the queue already keeps its place."""
        self._queue[draw_next] = None
        if not self._is_running:
            self._is_running = True
            gevent.spawn(self._run)

    def _run(self) -> None:
        try:
            while self._queue:
                with gevent.Timeout(MAX_DELAY_SECONDS, False):
                    gevent.idle()
                started = time.perf_counter()
                self._draw_one()
                if self._is_busy():
                    gevent.sleep(min(MAX_DELAY_SECONDS, PAUSE_FACTOR * (time.perf_counter() - started)))
        finally:
            self._is_running = False

    def _is_busy(self) -> bool:
        since = time.monotonic() - 1
        self._last_activity = {table: at for table, at in self._last_activity.items() if at > since}
        return len(self._last_activity) >= BUSY_TABLES

    def _draw_one(self) -> None:
        draw_next = next(iter(self._queue))
        del self._queue[draw_next]
        try:
            has_more = draw_next()
        except Exception:
            log.exception("An overlay could not be computed")
            has_more = False
        if has_more:
            self._queue[draw_next] = None
