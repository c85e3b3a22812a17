"""Run several server processes with one store behind one port: start them, restart them, stop them.

A Python process runs one thread at a time, so a single process leaves the machine's other cores idle. Each
process serves its shard of the tables (transport/shards.py) and knows nothing of the others.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any

import gevent
from gevent.event import Event
from prometheus_client.multiprocess import mark_process_dead

from enfilade.cluster import logs
from enfilade.cluster.dispatcher import Dispatcher
from enfilade.errors import BadInput
from enfilade.i18n import localize
from enfilade.runtime.config import Config
from enfilade.transport.limits.connections import allow_open_files
from enfilade.transport.shards import METRICS_FOLDER_VARIABLE, READY

log = logging.getLogger(__name__)

_RESTART_SECONDS = 1
_STOP_SECONDS = 5


class Worker:
    """One of the processes; they share the metrics in `metrics_folder`."""

    def __init__(
        self, command: Sequence[str], metrics_folder: str, remember: Callable[[str], None] = lambda _: None
    ) -> None:
        """`remember` is called with each address whose client has shown the process a key."""
        self._command = command
        self._remember = remember
        self._metrics_folder = metrics_folder
        self._is_ready = Event()
        self._socket: Any = None
        self._process: subprocess.Popen[bytes] | None = None
        self._supervisor = gevent.Greenlet()

    def start(self) -> bool:
        """Start the process; return whether it became ready before it ended. Raises OSError."""
        self._socket, worker_end = socket.socketpair()
        with worker_end:
            command = [*self._command, "--dispatcher-fd", str(worker_end.fileno())]
            environment = {**os.environ, METRICS_FOLDER_VARIABLE: self._metrics_folder}
            self._process = subprocess.Popen(  # noqa: S603 - Enfilade itself, by Python's own path
                command, pass_fds=[worker_end.fileno()], env=environment
            )
        with suppress(OSError):  # the process ended before it was ready
            if self._socket.recv(1) == READY:
                self._is_ready.set()
                gevent.spawn(self._hear_known_addresses, self._socket)
        return bool(self._is_ready.is_set())

    def _hear_known_addresses(self, sock: Any) -> None:
        """Pass on each address that the process reports as known, until the process ends."""
        with suppress(OSError), sock.makefile(encoding="ascii", errors="replace") as lines:
            for line in lines:
                self._remember(line.strip())

    def forward(self, connection: Any) -> None:
        """Pass a connection's socket to the process once it is ready. Raises OSError if it just ended."""
        self._is_ready.wait()
        socket.send_fds(self._socket, [b"."], [connection.fileno()])

    def supervise(self) -> None:
        """Restart the process whenever it ends."""
        self._supervisor = gevent.spawn(self._supervise)

    def _supervise(self) -> None:
        while True:
            log.error("A server process ended with status %d; it is restarted", self.wait())
            self._restart()

    def _restart(self) -> None:
        while True:
            gevent.sleep(_RESTART_SECONDS)
            try:
                self.start()
                return
            except OSError as problem:  # a temporary lack of memory or file descriptors
                log.error("A server process could not be started: %s", problem)

    def wait(self, seconds: float | None = None) -> int:
        """Wait for the process to end; return its exit status."""
        assert self._process is not None
        status = self._process.wait(seconds)
        self._is_ready.clear()
        self._socket.close()
        mark_process_dead(self._process.pid, self._metrics_folder)  # type: ignore[no-untyped-call]
        return status

    def stop(self) -> None:
        """Stop the process; kill it if it does not end by itself."""
        gevent.kill(self._supervisor)
        if self._process is not None:
            self._process.terminate()
            try:
                self.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()


def serve_with_workers(config: Config, opens_browser: bool) -> int:
    """Serve with several processes until a signal arrives; return the exit status. Raises BadInput."""
    if not hasattr(socket, "send_fds"):
        raise BadInput(localize("cli.no_workers"))
    logs.configure(config.log)
    allow_open_files(config.limits.connections)
    with TemporaryDirectory(prefix="enfilade-") as folder:
        workers: list[Worker] = []
        dispatcher = Dispatcher(config, workers)
        port = dispatcher.listen()
        workers += [
            Worker(_command(config, port, index, opens_browser), folder, dispatcher.remember)
            for index in range(config.workers)
        ]
        serving = gevent.spawn(_serve, dispatcher, workers)
        for ending in (signal.SIGTERM, signal.SIGINT):
            gevent.signal_handler(ending, serving.kill, block=False)
        try:
            status = serving.get()
        finally:
            gevent.joinall([gevent.spawn(worker.stop) for worker in workers])
    return status if isinstance(status, int) else 0  # a killed greenlet returns no number


def _serve(dispatcher: Dispatcher, workers: Sequence[Worker]) -> int:
    first, *others = workers
    if not first.start():  # the first migrates the store and creates what all need
        return first.wait()
    gevent.joinall([gevent.spawn(worker.start) for worker in others])
    for worker in workers:
        worker.supervise()
    dispatcher.serve_forever()
    return 0


def _command(config: Config, port: int, index: int, opens_browser: bool) -> list[str]:
    address = ["--host", config.host, "--port", str(port), "--data", str(config.data)]
    shard = ["--index", str(index), "--workers", str(config.workers)]
    browser = ["--open"] if opens_browser and index == 0 else []
    strict = ["--strict"] if config.strict else []
    return [sys.executable, "-m", "enfilade", "work", *address, *shard, *browser, *strict]
