"""Long computations beside the server's event loop: kernel calls in a thread, jobs in processes.

A job is a Python module that reads its task from standard input and prints a line at each step. The server
only waits for lines. The process gives way to the server, and ends after a time, or when the server ends it.

Each table has one waiting place for a job, and the next turn goes to the table served longest ago. So a table
that asks for jobs without end delays another table's job by one.
"""

from __future__ import annotations

import itertools
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

import gevent
import gevent.fileobject  # the first process would import it, which holds all tables up for 9 ms
from gevent import subprocess
from gevent.threadpool import ThreadPool

log = logging.getLogger(__name__)

MAX_LINE = 8 * 1024 * 1024
"""The longest line of a process in bytes; it ends with a longer one."""

NICENESS = 10
"""The priority of the process below the server's."""

_MAX_COMPLAINT = 2_000
"""The end of what a failed process wrote to standard error that goes to the log, in bytes."""


class WorkerProcess:
    """One run of a module with its arguments, in a process group of its own.

    `is_failed` is set after the run. A run that was ended on purpose has not failed.
    """

    def __init__(self, arguments: Sequence[str], task: Iterable[bytes], max_seconds: float) -> None:
        """`arguments` follow `python -m`; `task` is written to standard input, while others go on."""
        self.is_failed = False
        self._name = arguments[0]
        self._is_ended = False
        self._process: Any = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=_give_way if os.name == "posix" else None,
        )
        self._limit = gevent.spawn_later(max_seconds, self.end)
        self._complaint = gevent.spawn(self._read_complaint)
        gevent.spawn(self._write, task)

    def lines(self) -> Iterator[bytes]:
        """Yield what the process prints, until it has ended."""
        out = self._process.stdout
        with suppress(OSError), out:
            while (line := out.readline(MAX_LINE)).endswith(b"\n"):
                yield line
            if line:  # too long, or cut off
                self._kill()
        status = self._process.wait()
        self._limit.kill()
        self._kill()  # what it has left running
        self.is_failed = not self._is_ended and status != 0
        if self.is_failed:
            log.error("%s failed: %s", self._name, self._complaint.get())

    def end(self) -> None:
        """End the process and all that it has started. It may have ended already."""
        self._is_ended = True
        self._kill()

    def _kill(self) -> None:
        if os.name != "posix":
            self._process.kill()
            return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _write(self, task: Iterable[bytes]) -> None:
        try:
            with suppress(OSError), self._process.stdin as sink:
                for part in task:
                    sink.write(part)
                    gevent.sleep(0)
        except Exception:
            log.exception("The task of %s is incomplete", self._name)
            self.end()

    def _read_complaint(self) -> str:
        kept = b""
        with suppress(OSError), self._process.stderr as errors:
            while found := errors.readline(_MAX_COMPLAINT):
                kept = (kept + found)[-_MAX_COMPLAINT:]
        return kept.decode(errors="replace")


def _give_way() -> None:
    os.nice(NICENESS)


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


class ComputeThread:
    """One thread beside the server's own, so that long calls of several tables leave a core to the server.

    The kernel releases the interpreter lock, so this thread and the server's compute at the same time.
    """

    def __init__(self) -> None:
        self._pool: ThreadPool | None = None

    def run(self, function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, float]:
        """Return the result of a call and the seconds of compute time that it took."""
        if self._pool is None:
            self._pool = ThreadPool(1, hub=gevent.get_hub())
        measured: tuple[Any, float] = call_in(self._pool, _measured, function, arguments)
        return measured


def call_in(pool: ThreadPool, function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a call in a thread of a pool. Raises its error here alone.

    gevent would also log each error that ends a pool's task, such as that of a malformed upload.
    """
    called = pool.spawn(_outcome, function, arguments)
    try:
        result, problem = called.get()
    finally:
        called.wait()  # a killed greenlet must not release what the thread still uses
    if problem is not None:
        raise problem
    return result


def _outcome(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, Exception | None]:
    try:
        return function(*arguments), None
    except Exception as problem:
        return None, problem


def _measured(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, float]:
    began = time.thread_time()
    result = function(*arguments)
    return result, time.thread_time() - began
