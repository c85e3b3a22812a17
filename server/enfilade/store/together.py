"""Many who want something on disk, done for all of them at once: one waits for the disk, the others for it.

Whoever comes first leads. Once others who are about to come have come, it does what all of them want and
wakes each; one of those who came meanwhile leads next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Generic, TypeVar

from enfilade.store.aside import Gather


@dataclass(eq=False)
class Wish:
    """Something that somebody wants on disk; `problem` is why it is not there."""

    problem: BaseException | None = field(default=None, kw_only=True)
    is_done: bool = field(default=False, kw_only=True)
    _woken: Event = field(default_factory=Event, init=False)

    def wake(self) -> None:
        """Has who waits go on: it is done, or its turn to lead."""
        self._woken.set()

    def wait(self) -> None:
        """Returns once it is done or leads."""
        self._woken.wait()

    @property
    def is_awake(self) -> bool:
        """Whether it has been woken."""
        return self._woken.is_set()


W = TypeVar("W", bound=Wish)


class Together(Generic[W]):
    """Has wishes fulfilled by `fulfil`, all that have come at once, each by one of those who wait.

    `fulfil` must see to it that each is done or has a problem, whatever happens.
    """

    def __init__(self, fulfil: Callable[[list[W]], None], gather: Gather) -> None:
        self._fulfil = fulfil
        self._gather = gather
        self._guard = Lock()
        self._has_leader = False
        self.waiting: list[W] = []

    def wish(self, mine: W) -> None:
        """Returns when it is done; raises its problem."""
        with self._guard:
            self.waiting.append(mine)
            if not self._has_leader:
                self._has_leader = True
                mine.wake()
        try:
            mine.wait()
            if not mine.is_done:
                self._gather()
        except BaseException:  # stopped while it waited: nobody is to wait for its turn
            self._leave(mine)
            raise
        if not mine.is_done:
            self._lead()
        if mine.problem is not None:
            raise mine.problem

    def _lead(self) -> None:
        with self._guard:
            batch, self.waiting = self.waiting, []
        try:
            self._fulfil(batch)
        finally:
            self._hand_over()
            for wish in batch:
                wish.wake()

    def _leave(self, mine: W) -> None:
        with self._guard:
            self.waiting = [wish for wish in self.waiting if wish is not mine]
        if mine.is_awake and not mine.is_done:
            self._hand_over()

    def _hand_over(self) -> None:
        with self._guard:
            self._has_leader = bool(self.waiting)
            if self.waiting:
                self.waiting[0].wake()
