"""A client's outgoing data: sent directly while the socket accepts it, else queued up to a limit.

Updates, acknowledgments and WebSocket control frames all go through it, so none overtakes another and no
frame is cut short. What one round of the event loop has for a client goes out in one system call: an answer,
the entry and the overlay wake its reader once. Only a greenlet of the outbox waits for a slow reader.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from queue import Empty
from typing import Any

import gevent
from gevent.event import Event

from enfilade.runtime.config import Limits
from enfilade.transport.socketio.frames import encode_text

log = logging.getLogger(__name__)
OnCut = Callable[[str], None]
"""Called with the cause when the server cuts a client."""


class Outbox:
    """Engine.IO's packet queue of one client; the client is cut if too much is queued.

    Data counts until it is sent, also what one round of the event loop collects: a round that reaches the
    limit is sent before it ends. One packet of any size may be queued, as a large scene must be.
    """

    def __init__(self, *, limits: Limits, on_cut: OnCut) -> None:
        self._limits = limits
        self._on_cut = on_cut
        self._socket: Any = None
        self._round: list[bytes] = []
        """What this round of the event loop has for the client."""
        self._round_bytes = 0
        self._queue: deque[bytes] = deque()
        self._bytes = self._largest = 0
        self._is_sending = self._is_closed = False
        self._is_empty, self._end = Event(), Event()
        self._is_empty.set()
        self.cut: Callable[[], None] | None = None

    def open(self, sock: Any, cut: Callable[[], None]) -> None:
        """Start to send over a gevent socket; `cut` ends the connection at once."""
        self._socket, self.cut = sock, cut
        self._start_sender()

    def send(self, data: bytes) -> None:
        """Send data in this round of the event loop, or queue it behind earlier data, or cut the client."""
        if self._queue or self._socket is None:
            self._enqueue(data)
            return
        self._round.append(data)
        self._round_bytes += len(data)
        if self._round_bytes >= self._limits.queue_bytes or len(self._round) >= self._limits.queue_packets:
            self._send_round()  # else one round could hold any amount for a client that reads nothing
        elif len(self._round) == 1:
            gevent.get_hub().loop.run_callback(self._send_round)

    def wait_until_sent(self) -> None:
        """Wait until nothing is queued or the client is gone."""
        self._send_round()
        self._is_empty.wait()

    def close(self) -> None:
        """Drop all data that the socket does not take at once: the client is gone."""
        self._send_round()
        self._is_closed = True
        self._queue.clear()
        self._is_empty.set()

    def forget(self) -> None:
        """Release the connection, which has ended.

        Outbox and connection refer to each other. Without this the garbage collector would have to find
        them, which takes hours and some hundred thousand connections, because it rarely examines old objects.
        """
        self.cut = None

    # The interface of Engine.IO's queue

    def put(self, packet: Any) -> None:
        """Send a packet. None ends the queue: `get` returns once everything is sent."""
        if packet is not None:
            self.send(encode_text(packet.encode()))
            return
        self._end.set()
        if self._socket is None:  # it was never opened, so it will never send
            self.close()

    def get(self, block: bool = True, timeout: float | None = None) -> None:
        """Wait for the end; Engine.IO's own writer gets no packet. Raises Empty if not blocking."""
        del timeout  # Engine.IO would take a quiet client for one that is gone
        if not block:
            raise Empty
        self._end.wait()
        self.wait_until_sent()

    def task_done(self) -> None:
        """Do nothing: data counts until it is sent."""

    def join(self) -> None:
        """Wait until everything is sent."""
        self.wait_until_sent()

    def _send_round(self) -> None:
        waiting, self._round, self._round_bytes = self._round, [], 0
        if not waiting:
            return
        sent = self._send_now(waiting[0] if len(waiting) == 1 else b"".join(waiting))
        for data in waiting:
            if sent < len(data):
                self._enqueue(data[sent:] if sent else data)
            sent = max(0, sent - len(data))

    def _send_now(self, data: bytes) -> int:
        """Return how many bytes the socket accepts now; all if the client is gone."""
        try:
            return int(self._socket.send(data, 0, 0.0))
        except BlockingIOError:
            return 0
        except OSError:  # the reader gets the same error and ends the connection
            self.close()
            return len(data)

    def _enqueue(self, data: bytes) -> None:
        if self._is_closed:
            return
        queued = self._bytes - self._largest
        if len(self._queue) >= self._limits.queue_packets or queued >= self._limits.queue_bytes:
            self._cut_slow_reader()
            return
        self._queue.append(data)
        self._bytes += len(data)
        self._largest = max(self._largest, len(data))
        self._start_sender()

    def _cut_slow_reader(self) -> None:
        if self.cut:
            log.info("Cut a client that reads too slowly")
            self._on_cut("slow-reader")
            cut, self.cut = self.cut, None
            cut()

    def _start_sender(self) -> None:
        if self._queue:
            self._is_empty.clear()
            if self._socket is not None and not self._is_sending:
                self._is_sending = True
                gevent.spawn(self._send_queue)

    def _send_queue(self) -> None:
        try:
            while self._queue:
                self._socket.sendall(self._queue[0])
                if self._queue:  # `close` may have cleared it during the send
                    self._bytes -= len(self._queue.popleft())
                if not self._queue:
                    self._bytes = self._largest = 0
                    self._is_empty.set()
        except OSError:
            if self.cut:
                self.cut()
        finally:
            self._is_sending = False
