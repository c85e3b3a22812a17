"""Turns of long jobs: one waiting place for each table, and the next turn to the table served longest ago.

So a table that asks for jobs without end delays another table's job by one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Generic, TypeVar

import gevent

_MAX_REMEMBERED = 1_000
"""The most tables whose last turn is remembered; one that is forgotten counts as never served."""

J = TypeVar("J")


class JobQueue(Generic[J]):
    """The jobs of one server that wait, and those that run: `slots` at a time, each in a greenlet."""

    def __init__(self, slots: int, run: Callable[[J], None]) -> None:
        """`run` runs a job to its end, and raises nothing."""
        self._free = slots
        self._run = run
        self._waiting: dict[str, J] = {}
        self._served: dict[str, int] = {}
        self._turns = itertools.count(1)

    def waiting(self, table: str) -> J | None:
        """Return the job that has a table's waiting place."""
        return self._waiting.get(table)

    def put(self, table: str, job: J) -> None:
        """Give a job its table's waiting place, or let it begin. A job that has the place loses it."""
        self._waiting[table] = job
        self._begin()

    def drop(self, table: str, job: J) -> None:
        """Take a job out of its waiting place; one that runs is left alone."""
        if self._waiting.get(table) is job:
            del self._waiting[table]

    def _begin(self) -> None:
        while self._free and self._waiting:
            table = min(self._waiting, key=lambda one: self._served.get(one, 0))
            self._served.pop(table, None)
            self._served[table] = next(self._turns)
            if len(self._served) > _MAX_REMEMBERED:
                del self._served[next(iter(self._served))]
            self._free -= 1
            gevent.spawn(self._serve, self._waiting.pop(table))

    def _serve(self, job: J) -> None:
        try:
            self._run(job)
        finally:
            self._free += 1
            self._begin()
