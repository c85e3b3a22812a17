"""Many who want something on disk, done for all of them at once: one waits for the disk, the others for it.

Whoever comes first gathers: once others who are about to come have come, it leads, that is, does what all of
them want and wakes each. One of those who came meanwhile gathers next. Where enough have come it is done at
once by the last of them: the one who gathers has its turn only after all who are ready to run, and they would
all come to wait for the same disk, and nobody be left to do anything meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Generic, TypeVar

from enfilade.store.disk import Gather
from enfilade.time_budget import unmetered

ENOUGH = 12
"""How many need wait for no more."""


def _held() -> Any:
    lock = Lock()
    lock.acquire()
    return lock


@dataclass(eq=False)
class Job:
    """Something that somebody wants on disk; `problem` is why it is not there."""

    problem: BaseException | None = field(default=None, kw_only=True)
    is_done: bool = field(default=False, kw_only=True)
    is_taken: bool = field(default=False, init=False)
    """Whether somebody is doing it, or has."""
    _asleep: Any = field(default_factory=_held, init=False)
    """Held until it is woken: an Event is four objects and twice the time, for every command."""

    @property
    def is_ended(self) -> bool:
        """Whether it is done, or never will be."""
        return self.is_done or self.problem is not None

    def wake(self) -> None:
        """Has who waits go on: it is done, or its turn to gather."""
        if self._asleep.locked():
            self._asleep.release()

    def wait(self) -> None:
        """Returns once it is done, or its turn to gather."""
        if not self.is_ended:
            self._asleep.acquire()

    def take(self) -> None:
        """Has who gathers wait until it is done after all, as somebody does it now."""
        self.is_taken = True
        # Not asked for while it is held: gevent has others run first, and whoever takes may be stopped there.
        if not self._asleep.locked():
            self._asleep.acquire(blocking=False)


W = TypeVar("W", bound=Job)


class Batcher(Generic[W]):
    """Has wishes fulfilled by `fulfil`, all that have come at once, each by one of those who wait.

    `fulfil` must see to it that each is done or has a problem, whatever happens.
    """

    def __init__(self, fulfil: Callable[[list[W]], None], gather: Gather, enough: int = ENOUGH) -> None:
        self._fulfil = fulfil
        self._gather = gather
        self._enough = enough
        self._guard = Lock()
        self._gathers: W | None = None
        self._is_led = False
        self.waiting: list[W] = []

    def wish(self, mine: W) -> None:
        """Returns when it is done; raises its problem."""
        batch = self._join(mine)
        with unmetered():
            if batch:
                self._lead(batch)
            else:
                self._wait(mine)
        if mine.problem is not None:
            raise mine.problem

    def _join(self, mine: W) -> list[W]:
        """Gives what is to be done at once, where enough have come."""
        with self._guard:
            self.waiting.append(mine)
            if self._is_led:
                return []
            if self._gathers is None:
                self._gathers = mine
                mine.wake()
            return self._taken() if len(self.waiting) >= self._enough else []

    def _taken(self) -> list[W]:
        """Gives what all want, which nobody else is to do. Nothing in it waits: its caller leads at once."""
        batch, self.waiting = self.waiting, []
        self._is_led, self._gathers = True, None
        for wish in batch:
            wish.take()
        return batch

    def _wait(self, mine: W) -> None:
        try:
            mine.wait()
            if not mine.is_taken and len(self.waiting) < self._enough:
                self._gather()
        except BaseException:  # stopped while it waited: nobody is to wait for its turn
            self._leave(mine)
            raise
        with self._guard:
            batch = [] if mine.is_taken else self._taken()
        if batch:
            self._lead(batch)
        mine.wait()

    def _lead(self, batch: list[W]) -> None:
        try:
            self._fulfil(batch)
        finally:
            self._hand_over()
            for wish in batch:
                wish.wake()

    def _leave(self, mine: W) -> None:
        with self._guard:
            self.waiting = [wish for wish in self.waiting if wish is not mine]
        if self._gathers is mine:
            self._hand_over()

    def _hand_over(self) -> None:
        with self._guard:
            self._is_led = False
            self._gathers = self.waiting[0] if self.waiting else None
            if self._gathers is not None:
                self._gathers.wake()
