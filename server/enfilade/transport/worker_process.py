"""Long computations in a process of their own, beside the server's event loop.

A job is a Python module that reads its task from standard input and prints a line at each step. The server
only waits for lines. The process gives way to the server, and ends after a time, or when the server ends it.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import gevent
import gevent.fileobject  # the first process would import it, which holds all tables up for 9 ms
from gevent import subprocess

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
