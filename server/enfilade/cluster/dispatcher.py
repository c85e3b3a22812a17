"""Several processes behind one port: each connection goes to the one that has its table, socket and all.

The front looks at a connection's first line without taking it, and hands the socket itself over, so that no
frame ever passes through it. A handed connection is good for one request, or one upgrade: the next request
may be about a table of another process.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Sequence
from typing import Any, Protocol

import gevent
from gevent.server import StreamServer

from enfilade.config import Config
from enfilade.transport.limits.connections import ConnectionLimiter
from enfilade.transport.shards import index_of, table_in

log = logging.getLogger(__name__)

LONGEST_LINE = 8_192
"""A first line with more bytes than that is some process's to refuse."""
PATIENCE_SECONDS = 10
"""How long a connection may take to say what it wants, and a process to be there again."""
_LOOK_SECONDS = 0.02


class WorkerHandle(Protocol):
    """Whoever takes connections over."""

    def take(self, connection: Any) -> None:
        """Hands a connection's socket over; raises OSError where nobody is there."""


class Dispatcher:
    """Listens for several processes, and hands each connection to one of them."""

    def __init__(self, config: Config, takers: Sequence[WorkerHandle]) -> None:
        self._takers = takers
        self._turn = 0
        self._crowding = ConnectionLimiter(config.max_connections_per_address)
        self._server = StreamServer((config.host, config.port), self._let_in, spawn=config.limits.connections)

    def listen(self) -> int:
        """Has connections queue up; gives the port, which the system chose where it was to be 0."""
        self._server.init_socket()
        return int(self._server.server_port)

    def serve_forever(self) -> None:
        """Hands connections over until it is stopped."""
        self._server.serve_forever()

    def _let_in(self, connection: Any, address: Any) -> None:
        with self._crowding.acquire(str(address[0])) as has_room:
            if has_room:
                self._hand_on(connection)

    def _hand_on(self, connection: Any) -> None:
        try:
            with gevent.Timeout(PATIENCE_SECONDS, TimeoutError):
                table = table_in(_first_line(connection))
                self._taker(table).take(connection)
        except OSError as problem:  # gone, silent for too long, or its process is not there
            log.info("A connection was not handed over: %s", problem)

    def _taker(self, table: str | None) -> WorkerHandle:
        """Whoever has a table; for what is about none each in turn."""
        self._turn += 1
        count = len(self._takers)
        return self._takers[self._turn % count if table is None else index_of(table, count)]


def _first_line(connection: Any) -> bytes:
    """The first line of what a connection sends, which stays there to be read."""
    while True:
        seen: bytes = connection.recv(LONGEST_LINE, socket.MSG_PEEK)
        line, is_whole, _ = seen.partition(b"\n")
        if is_whole or len(seen) in (0, LONGEST_LINE):
            return line
        gevent.sleep(_LOOK_SECONDS)
