"""Forward each connection on a shared port to the process that serves its table.

The dispatcher peeks at a connection's request line and passes the socket itself to a process, so no later
data flows through the dispatcher. A forwarded connection serves one request or one upgrade, because its next
request may be about another process's table.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Sequence
from typing import Any, Protocol

import gevent
from gevent.server import StreamServer

from enfilade.runtime.config import Config
from enfilade.transport.limits.connections import ConnectionLimiter
from enfilade.transport.shards import requested_table, shard_index
from enfilade.transport.wsgi import EXTRA_CONNECTIONS, HEALTH_PATHS, clear_port_errors

log = logging.getLogger(__name__)

MAX_LINE_BYTES = 8_192
"""A longer request line is forwarded to any process, which refuses it."""
LINE_SECONDS = 3
"""How long a connection may take to send its request line. The headers have the time that follows."""
READY_SECONDS = 10
"""How long a connection waits for a process to become ready."""
_POLL_SECONDS = 0.02


class WorkerHandle(Protocol):
    """A process that takes connections over."""

    def forward(self, connection: Any) -> None:
        """Pass a connection's socket to the process. Raises OSError if the process is gone."""


class Dispatcher:
    """Listens for several processes, and forwards each connection to one of them."""

    def __init__(self, config: Config, workers: Sequence[WorkerHandle]) -> None:
        self._config = config
        self._workers = workers
        self._count = 0
        self._connection_limiter = ConnectionLimiter(
            config.max_connections_per_address, config.limits.connections
        )
        self._server = StreamServer(
            (config.host, config.port), self._accept, spawn=config.limits.connections + EXTRA_CONNECTIONS
        )

    def listen(self) -> int:
        """Open the port, where connections queue up; return it. The system chooses it if it is 0.

        Raises BadInput if it cannot be opened.
        """
        with clear_port_errors(self._config):
            self._server.init_socket()
        return int(self._server.server_port)

    def serve_forever(self) -> None:
        """Forward connections until the dispatcher is stopped."""
        self._server.serve_forever()

    def remember(self, address: str) -> None:
        """Let an address use the connections that are reserved for known ones."""
        self._connection_limiter.remember(address)

    def _accept(self, connection: Any, address: Any) -> None:
        network = str(address[0])
        with self._connection_limiter.acquire(network) as is_allowed:
            if is_allowed:
                self._forward(connection, is_spare=False)
                return
        with self._connection_limiter.acquire_spare(network) as is_allowed:
            if is_allowed:
                self._forward(connection, is_spare=True)

    def _forward(self, connection: Any, *, is_spare: bool) -> None:
        try:
            with gevent.Timeout(LINE_SECONDS, TimeoutError("its request line is late")):
                line = _peek_line(connection)
            if is_spare and line.split()[1:2] not in [[path.encode()] for path in HEALTH_PATHS]:
                return
            with gevent.Timeout(READY_SECONDS, TimeoutError("the process is not ready")):
                self._worker_of(requested_table(line)).forward(connection)
        except OSError as problem:  # the client is gone or idle, or the process is not ready
            log.info("A connection was not forwarded: %s", problem)

    def _worker_of(self, table: str | None) -> WorkerHandle:
        """Return the process that serves a table; without a table, each process in turn."""
        self._count += 1
        workers = len(self._workers)
        return self._workers[self._count % workers if table is None else shard_index(table, workers)]


def _peek_line(connection: Any) -> bytes:
    """Return the first line that a connection sends, and leave it in the socket's buffer."""
    while True:
        data: bytes = connection.recv(MAX_LINE_BYTES, socket.MSG_PEEK)
        line, is_complete, _ = data.partition(b"\n")
        if is_complete or len(data) in (0, MAX_LINE_BYTES):
            return line
        gevent.sleep(_POLL_SECONDS)
