"""Turns at computing: one table at a time, and next the one that has computed least.

The server does everything in one thread. Without turns each of many long computations would run for a slice
before an answer of another table continues, so that it waits longer the more there are. With turns it waits
for one slice at most. This is fair queueing: each table has a virtual time, which grows as the table
computes, and a table that was away starts at the time of the others.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import gevent
from gevent.event import Event

from enfilade.runtime.time_budget import Clock, server_clock

_MAX_TIMES = 1_024
"""The virtual times that are kept before those that no longer matter are dropped."""

_AFTER_ALL_OTHERS = -2
"""The lowest priority of a watcher in libev: what the clients have sent is read first."""


class FairQueue:
    """The turns of all computations of one server."""

    def __init__(self, clock: Clock = server_clock) -> None:
        """`clock` returns the CPU seconds of this thread."""
        self._clock = clock
        self._current: Turn | None = None
        self._waiting: list[Turn] = []
        self._is_choosing = False
        self._times: dict[Hashable, float] = {}
        self._now = 0.0
        """The virtual time of the table whose turn began last."""
        self._pause: Any = None

    def of(self, table: Hashable) -> Turn:
        """Return the turn of a computation for a table; it does not have it yet."""
        return Turn(self, table)

    def _begin(self, turn: Turn) -> None:
        self._times[turn.table] = max(self._times.get(turn.table, 0.0), self._now)
        if self._current is None and not self._waiting:
            self._give(turn)
        else:
            self._wait(turn)

    def _wait(self, turn: Turn) -> None:
        self._times.setdefault(turn.table, self._now)
        given = turn.given = Event()
        self._waiting.append(turn)
        self._schedule_choice()
        try:
            given.wait()
        except BaseException:  # killed while it waited
            if turn is self._current:
                self._end(turn)
            else:
                self._waiting.remove(turn)
            raise

    def _give(self, turn: Turn) -> None:
        self._current, turn.began = turn, self._clock()
        self._now = self._times[turn.table]
        if turn.given is not None:
            turn.given.set()

    def _end(self, turn: Turn) -> None:
        if turn is not self._current:
            return
        self._current = None
        self._times[turn.table] += max(0.0, self._clock() - turn.began)
        self._schedule_choice()
        if not self._waiting and len(self._times) > _MAX_TIMES:
            self._times = {table: at for table, at in self._times.items() if at > self._now}

    def _schedule_choice(self) -> None:
        """Give the turn away once the server has read what clients sent meanwhile.

        A command that arrived during a slice is then among those that wait for the next. The watcher fires in
        the same round of the loop, so that a rest takes 20 microseconds.
        """
        if self._waiting and self._current is None and not self._is_choosing:
            self._is_choosing = True
            if self._pause is None:
                self._pause = gevent.get_hub().loop.timer(0.0, priority=_AFTER_ALL_OTHERS)
            self._pause.start(self._choose)

    def _choose(self) -> None:
        """Give the turn to the table that has computed least."""
        self._is_choosing = False
        if self._waiting and self._current is None:
            following = min(self._waiting, key=lambda waiting: self._times[waiting.table])
            self._waiting.remove(following)
            self._give(following)


class Turn:
    """The turn of one computation; `take` it, `rest` after each slice, and `leave` it before any wait."""

    def __init__(self, queue: FairQueue, table: Hashable) -> None:
        self.table = table
        self.given: Event | None = None
        """Set once the turn is given; None before the first wait, as most answers never wait."""
        self.began = 0.0
        self._queue = queue

    def take(self) -> None:
        """Wait for the turn."""
        self._queue._begin(self)

    def rest(self) -> None:
        """Let other greenlets run, and wait for the next turn."""
        self.leave()
        self._queue._wait(self)

    def leave(self) -> None:
        """Give the turn to the next; do nothing without it."""
        self._queue._end(self)
