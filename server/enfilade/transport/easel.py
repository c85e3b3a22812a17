"""When overlays are drawn: one at a time in the whole server, and only when nothing else is to be done.

An overlay takes as long as several commands, and the next command may make another of it. So what a room has
to draw waits until every command that has come is answered and told, and rooms take turns.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import gevent

log = logging.getLogger(__name__)
MOST_SECONDS = 0.25
"""How long a server that is never quiet puts off the next overlay."""

Draw = Callable[[], bool]
"""Draws one overlay of a room; says whether there is another to draw."""


class Easel:
    """The rooms that wait for their next overlay, in turn."""

    def __init__(self) -> None:
        self._waiting: dict[Draw, None] = {}
        self._is_drawing = False

    def draw_soon(self, draw: Draw) -> None:
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
                draw = next(iter(self._waiting))
                del self._waiting[draw]
                if self._is_more_after(draw):
                    self._waiting[draw] = None
        finally:
            self._is_drawing = False

    @staticmethod
    def _is_more_after(draw: Draw) -> bool:
        try:
            return draw()
        except Exception:
            log.exception("An overlay could not be drawn")
            return False
