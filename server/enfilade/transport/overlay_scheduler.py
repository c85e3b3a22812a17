"""Schedule overlays: one at a time in the whole server, and only when it is otherwise idle.

Computing an overlay takes as long as several commands, and the next command may change it. So a room's
overlays wait until the server has answered and broadcast every command it received. Rooms take turns. An
overlay that takes long does not keep those of other rooms waiting, nor does a room whose table has used up
its compute time.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import gevent
from gevent import Greenlet
from gevent.event import Event

from enfilade.transport.activity import Activity

log = logging.getLogger(__name__)

MAX_DELAY_SECONDS = 0.25
"""The longest that a busy server delays the next overlay."""

PAUSE_FACTOR = 2
"""A busy server pauses this many times the duration of an overlay after it."""

PATIENCE_SECONDS = 0.02
"""How long one overlay keeps those of other rooms waiting."""

DrawNext = Callable[[], bool]
"""Computes and sends one overlay of a room. Returns whether the room has another."""

Wait = Callable[[], float]
"""Returns the seconds until a room may have its next overlay computed."""


def no_wait() -> float:
    """Return no seconds."""
    return 0.0


class OverlayScheduler:
    """A queue of rooms with outdated overlays.

    One greenlet computes them in turn. If an overlay takes long, a timer starts another greenlet, which goes
    on with the rest; most overlays need no greenlet of their own.
    """

    def __init__(self, activity: Activity) -> None:
        """`activity` tells whether the server is busy."""
        self._activity = activity
        self._queue: dict[DrawNext, Wait] = {}
        self._slow: set[DrawNext] = set()
        """The rooms whose overlay is being computed after it has kept others waiting long enough."""
        self._is_changed = Event()
        self._runner: Greenlet | None = None
        """The greenlet that computes the next overlay of the queue."""

    @property
    def is_idle(self) -> bool:
        """Return whether no overlay is queued or being computed."""
        return self._runner is None and not self._slow

    def schedule(self, draw_next: DrawNext, wait: Wait = no_wait) -> None:
        """Queue a room; a room that is in the queue already keeps its place."""
        self._queue[draw_next] = wait
        self._is_changed.set()
        if self._runner is None:
            self._runner = gevent.spawn(self._run)

    def _run(self) -> None:
        runner = gevent.getcurrent()
        try:
            while self._queue and self._runner is runner:
                with gevent.Timeout(MAX_DELAY_SECONDS, False):
                    gevent.idle()
                draw_next = self._next()
                if draw_next is None:
                    continue
                started = time.perf_counter()
                self._draw(draw_next, self._queue.pop(draw_next))
                if self._runner is runner and self._activity.is_busy:
                    gevent.sleep(min(MAX_DELAY_SECONDS, PAUSE_FACTOR * (time.perf_counter() - started)))
        finally:
            if self._runner is runner:
                self._runner = None

    def _next(self) -> DrawNext | None:
        """Return the first room that need not wait; None after a wait for one."""
        waits = []
        for draw_next, wait in self._queue.items():
            if draw_next not in self._slow:
                waits.append(wait())
                if waits[-1] <= 0:
                    return draw_next
        self._is_changed.clear()
        self._is_changed.wait(min([MAX_DELAY_SECONDS, *waits]))
        return None

    def _draw(self, draw_next: DrawNext, wait: Wait) -> None:
        """Compute an overlay; if it takes long, have another greenlet compute those of other rooms."""
        patience = gevent.get_hub().loop.timer(PATIENCE_SECONDS)
        patience.start(self._go_on_without, draw_next)
        has_more = False
        try:
            has_more = draw_next()
        except Exception:
            log.exception("An overlay could not be computed")
        finally:
            patience.close()
            self._slow.discard(draw_next)
        if has_more or draw_next in self._queue:
            self.schedule(draw_next, wait)

    def _go_on_without(self, draw_next: DrawNext) -> None:
        """Compute the overlays of other rooms while that of one takes long."""
        self._slow.add(draw_next)
        self._runner = gevent.spawn(self._run)
