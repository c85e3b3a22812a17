"""Several processes that serve one store together, behind one port: started, started again, and ended.

Python runs one thread at a time in a process, so a server with many tables at play leaves all but one of a
machine's cores idle. Each process has its share of the tables (transport/shards.py) and knows of no other.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any

import gevent
from gevent.event import Event
from prometheus_client.multiprocess import mark_process_dead

from enfilade import logs
from enfilade.cluster.dispatcher import Dispatcher
from enfilade.config import Config
from enfilade.errors import BadInput
from enfilade.transport.shards import COUNTS, READY

log = logging.getLogger(__name__)

_REST_SECONDS = 1
_LEAVE_SECONDS = 5


class Worker:
    """One of the processes; `folder` is where they count together (transport/metrics.py)."""

    def __init__(self, command: Sequence[str], folder: str) -> None:
        self._command = command
        self._folder = folder
        self._is_there = Event()
        self._line: Any = None
        self._process: subprocess.Popen[bytes] | None = None
        self._keeping = gevent.Greenlet()

    def start(self) -> bool:
        """Starts the process; returns once it serves, or with False once it has ended. Raises OSError."""
        self._line, theirs = socket.socketpair()
        with theirs:
            spoken_to = [*self._command, "--front", str(theirs.fileno())]
            environment = {**os.environ, COUNTS: self._folder}
            self._process = subprocess.Popen(spoken_to, pass_fds=[theirs.fileno()], env=environment)
        with suppress(OSError):  # from one that ended before it said anything
            if self._line.recv(1) == READY:
                self._is_there.set()
        return bool(self._is_there.is_set())

    def take(self, connection: Any) -> None:
        """Hands a connection's socket over, once the process is there; raises OSError where it just ended."""
        self._is_there.wait()
        socket.send_fds(self._line, [b"."], [connection.fileno()])

    def keep_up(self) -> None:
        """Has the process started again whenever it ends."""
        self._keeping = gevent.spawn(self._keep_up)

    def _keep_up(self) -> None:
        while True:
            log.error("A process of this server ended with status %d; another takes its place", self.wait())
            self._start_again()

    def _start_again(self) -> None:
        while True:
            gevent.sleep(_REST_SECONDS)
            try:
                self.start()
                return
            except OSError as problem:  # no memory or no descriptors, as for a moment there may be
                log.error("A process of this server cannot be started yet: %s", problem)

    def wait(self, seconds: float | None = None) -> int:
        """The status that the process ended with."""
        assert self._process is not None
        status = self._process.wait(seconds)
        self._is_there.clear()
        self._line.close()
        mark_process_dead(self._process.pid, self._folder)  # type: ignore[no-untyped-call]
        return status

    def end(self) -> None:
        """Has the process end by itself, or kills it where it does not."""
        gevent.kill(self._keeping)
        if self._process is not None:
            self._process.terminate()
            try:
                self.wait(_LEAVE_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()


def serve_together(config: Config, opens_browser: bool) -> int:
    """Serves with several processes until it is told to end; gives the exit status. Raises BadInput."""
    if not hasattr(socket, "send_fds"):
        raise BadInput("Only a server of one process runs on this system: leave --workers out.")
    logs.set_up(config.log)
    with TemporaryDirectory(prefix="enfilade-") as folder:
        workers: list[Worker] = []
        front = Dispatcher(config, workers)
        port = front.listen()
        workers += [
            Worker(_command(config, port, index, opens_browser), folder) for index in range(config.workers)
        ]
        serving = gevent.spawn(_serve, front, workers)
        for ending in (signal.SIGTERM, signal.SIGINT):
            gevent.signal_handler(ending, serving.kill, block=False)
        try:
            ended = serving.get()
        finally:
            gevent.joinall([gevent.spawn(worker.end) for worker in workers])
    return ended if isinstance(ended, int) else 0  # what is killed as asked gives no number


def _serve(front: Dispatcher, workers: Sequence[Worker]) -> int:
    first, *others = workers
    if not first.start():  # it brings the store up to date, and makes what all need
        return first.wait()
    gevent.joinall([gevent.spawn(worker.start) for worker in others])
    for worker in workers:
        worker.keep_up()
    front.serve_forever()
    return 0


def _command(config: Config, port: int, index: int, opens_browser: bool) -> list[str]:
    where = ["--host", config.host, "--port", str(port), "--data", str(config.data)]
    share = ["--index", str(index), "--workers", str(config.workers)]
    opening = ["--open"] if opens_browser and index == 0 else []
    return [sys.executable, "-m", "enfilade", "work", *where, *share, *opening]
