"""How long one answer may take: what may take long breathes now and then, and ends where it took too long.

Everything a server does shares one thread. So whoever asks for an answer sets a `Pace`, and the loops that a
hostile or a very large scene can make long call `breathe`: others have their turn meanwhile, and an answer
that has had its time ends in TooSlow. Without a pace, as in tests and in the shell, `breathe` does nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar
from threading import RLock

from enfilade.errors import TooSlow

REST_SECONDS = 0.0001
"""How long to rest for others. Not 0: that lets other greenlets run, but no socket be looked at."""

SLICE_SECONDS = 0.005
"""How long an answer runs before the next one has its turn."""

Clock = Callable[[], float]


class Pace:
    """The time one answer has: `most` seconds of its own, in slices with a rest after each.

    `rest` lets others run, and is not counted; `clock` tells the seconds that this thread has worked, and
    `glance` seconds that are never fewer and quicker to read, by which most looks at the clock are spared.
    """

    def __init__(
        self,
        most: float,
        rest: Callable[[], None],
        clock: Clock = time.thread_time,
        glance: Clock | None = None,
    ) -> None:
        self.most = most
        self._rest = rest
        self._clock = clock
        self._glance = glance or clock
        self._worked = 0.0
        self.is_away = False
        self._begin_slice()

    @property
    def spent(self) -> float:
        """The seconds the answer has taken so far, without its rests and waits."""
        if self.is_away:
            return self._worked
        passed = self._glance() - self._glanced
        # What is left of the last slice is taken as it passed: that is never less, and no system call.
        return self._worked + (passed if passed < SLICE_SECONDS else self._clock() - self._since)

    def breathe(self) -> None:
        """Rests where a slice is over; raises TooSlow where the time is."""
        if self._glance() - self._glanced < SLICE_SECONDS:
            return
        if self._clock() - self._since < SLICE_SECONDS:
            return
        self._worked = self.spent
        if self._worked > self.most:
            raise TooSlow(_SENTENCE.format(self.most))
        self._rest()
        self._begin_slice()

    def leave(self) -> None:
        """Has nothing counted from now on: the answer waits, and the thread works for others."""
        self._worked, self.is_away = self.spent, True

    def come_back(self) -> None:
        """Has it counted again."""
        self.is_away = False
        self._begin_slice()

    def _begin_slice(self) -> None:
        self._since, self._glanced = self._clock(), self._glance()


_SENTENCE = (
    "Working this out takes longer than the {:g} seconds it may. "
    "Ask for fewer layers, or use a map with fewer walls and miniatures."
)
_current: ContextVar[Pace | None] = ContextVar("pace", default=None)


def breathe() -> None:
    """Called in every loop that may be long: lets others run, and raises TooSlow once the time is over."""
    pace = _current.get()
    if pace is not None:
        pace.breathe()


class paced:  # noqa: N801 - a class only because a generator takes three times as long
    """Has everything inside keep to a pace; one inside another takes its place meanwhile."""

    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    def __enter__(self) -> Pace:
        self._token = _current.set(self._pace)
        return self._pace

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)


class away:  # noqa: N801 - as above
    """Has the pace count nothing inside, where an answer waits. One inside another changes nothing."""

    def __enter__(self) -> None:
        pace = _current.get()
        self._pace = None if pace is None or pace.is_away else pace
        if self._pace is not None:
            self._pace.leave()

    def __exit__(self, *_: object) -> None:
        if self._pace is not None:
            self._pace.come_back()


class Turns:
    """What one has at a time, who may take it again meanwhile; waiting for it counts as nobody's time."""

    def __init__(self) -> None:
        self._lock = RLock()

    def __enter__(self) -> None:
        with away():
            self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
