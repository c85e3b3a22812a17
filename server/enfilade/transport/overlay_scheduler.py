"""When overlays are drawn: one at a time in the whole server, and only when nothing else is to be done.

An overlay takes as long as several commands, and the next command may make another of it. So what a room has
to draw waits until every command that has come is answered and told, and rooms take turns.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import gevent

log = logging.getLogger(__name__)
MOST_SECONDS = 0.25
"""How long a server that is never quiet puts off the next overlay."""

BUSY_TABLES = 4
"""With commands from so many tables in a second a server is busy, though it may be quiet for as long as they
all wait for the disk."""

REST = 9
"""How many times as long as an overlay took the overlay_scheduler of a busy server rests after it."""

Draw = Callable[[], bool]
"""Draws one overlay of a room; says whether there is another to draw."""


class OverlayScheduler:
    """The rooms that wait for their next overlay, in turn."""

    def __init__(self) -> None:
        self._waiting: dict[Draw, None] = {}
        self._is_drawing = False
        self._heard: dict[str, float] = {}

    def note_activity(self, table: str) -> None:
        """Has the overlay_scheduler know that a command of a table is being answered."""
        self._heard[table] = time.monotonic()

    def schedule(self, draw: Draw) -> None:
        """Has a room's overlays drawn, each when its turn comes."""
        self._waiting[draw] = None
        if not self._is_drawing:
            self._is_drawing = True
            gevent.spawn(self._draw_all)

    def _draw_all(self) -> None:
        try:
            while self._waiting:
                with gevent.Timeout(MOST_SECONDS, False):
                    gevent.idle()
                began = time.perf_counter()
                self._draw_next()
                if self._is_busy():
                    gevent.sleep(min(MOST_SECONDS, REST * (time.perf_counter() - began)))
        finally:
            self._is_drawing = False

    def _is_busy(self) -> bool:
        since = time.monotonic() - 1
        self._heard = {table: at for table, at in self._heard.items() if at > since}
        return len(self._heard) >= BUSY_TABLES

    def _draw_next(self) -> None:
        draw = next(iter(self._waiting))
        del self._waiting[draw]
        if self._is_more_after(draw):
            self._waiting[draw] = None

    @staticmethod
    def _is_more_after(draw: Draw) -> bool:
        try:
            return draw()
        except Exception:
            log.exception("An overlay could not be drawn")
            return False
