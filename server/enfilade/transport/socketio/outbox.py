"""What goes out to one client: straight into its socket, and what that does not take at once waits, bounded.

Everything goes this one way, updates, acknowledgements and the WebSocket's own answers alike: nothing
overtakes anything, and no frame is cut short. Only a greenlet of its own waits for a slow reader.
"""

from __future__ import annotations

import logging
import struct
from collections import deque
from collections.abc import Callable
from queue import Empty
from typing import Any

import gevent
from gevent.event import Event

from enfilade.config import Limits

log = logging.getLogger(__name__)
Cut = Callable[[str], None]
"""Is told why a client was cut."""

_WHOLE_TEXT = 0x81
"""A frame's first byte: text, and the whole of its message."""


def text_frame(text: str) -> bytes:
    """A text message as the one frame a server sends it in (RFC 6455, 5.2)."""
    data = text.encode()
    size = len(data)
    if size < 126:
        return struct.pack("!BB", _WHOLE_TEXT, size) + data
    if size < 2**16:
        return struct.pack("!BBH", _WHOLE_TEXT, 126, size) + data
    return struct.pack("!BBQ", _WHOLE_TEXT, 127, size) + data


class Outbox:
    """Engine.IO's queue of packets to one client, which is cut when too much waits in it.

    What waits counts until it has been sent. One packet of any size may wait, as a large scene must.
    """

    def __init__(self, *, limits: Limits, on_cut: Cut) -> None:
        self._limits = limits
        self._on_cut = on_cut
        self._socket: Any = None
        self._waiting: deque[bytes] = deque()
        self._bytes = self._largest = 0
        self._is_sending = self._is_closed = False
        self._nothing_waits, self._end = Event(), Event()
        self._nothing_waits.set()
        self.cut: Callable[[], None] | None = None

    def open(self, sock: Any, cut: Callable[[], None]) -> None:
        """Has a gevent socket send everything from now on; `cut` ends the connection at once."""
        self._socket, self.cut = sock, cut
        self._go_on()

    def send(self, data: bytes) -> None:
        """Sends data, or has it wait behind what waits already, or cuts the client."""
        if self._waiting or self._socket is None:
            self._wait(data)
            return
        taken = self._taken(data)
        if taken < len(data):
            self._wait(data[taken:])

    def wait_until_sent(self) -> None:
        """Returns when nothing waits any more, or the client is gone."""
        self._nothing_waits.wait()

    def close(self) -> None:
        """Sends nothing more: the client is gone."""
        self._is_closed = True
        self._waiting.clear()
        self._nothing_waits.set()

    def forget(self) -> None:
        """Lets go of a connection that has ended.

        The two know each other, so that else only the garbage collector would find them: hours later, as it
        seldom looks at what has lived for long, and after some hundred thousand connections.
        """
        self.cut = None

    # What Engine.IO does with a queue

    def put(self, packet: Any) -> None:
        """Sends a packet; None has whoever waits for the end go on once everything has been sent."""
        if packet is not None:
            self.send(text_frame(packet.encode()))
            return
        self._end.set()
        if self._socket is None:  # it was never opened, so nothing of it will ever be sent
            self.close()

    def get(self, block: bool = True, timeout: float | None = None) -> None:
        """Waits for the end: Engine.IO's own writer has nothing to write but that. Raises Empty."""
        del timeout  # it would take a client to be gone that has had nothing to wait for
        if not block:
            raise Empty
        self._end.wait()
        self._nothing_waits.wait()

    def task_done(self) -> None:
        """Nothing: what counts is what is sent."""

    def join(self) -> None:
        """Returns when everything has been sent."""
        self.wait_until_sent()

    def _taken(self, data: bytes) -> int:
        """How much of some data the socket takes now; all of it where the client is gone."""
        try:
            return int(self._socket.send(data, 0, 0.0))
        except BlockingIOError:
            return 0
        except OSError:  # its reader finds that out as well, and ends the connection
            self.close()
            return len(data)

    def _wait(self, data: bytes) -> None:
        if self._is_closed:
            return
        if self._is_over():
            self._cut()
            return
        self._waiting.append(data)
        self._bytes += len(data)
        self._largest = max(self._largest, len(data))
        self._go_on()

    def _is_over(self) -> bool:
        waiting = self._bytes - self._largest
        return len(self._waiting) >= self._limits.queue_packets or waiting >= self._limits.queue_bytes

    def _cut(self) -> None:
        if self.cut:
            log.info("A client was cut: it reads too slowly.")
            self._on_cut("reads too slowly")
            cut, self.cut = self.cut, None
            cut()

    def _go_on(self) -> None:
        if self._waiting:
            self._nothing_waits.clear()
            if self._socket is not None and not self._is_sending:
                self._is_sending = True
                gevent.spawn(self._send_waiting)

    def _send_waiting(self) -> None:
        try:
            while self._waiting:
                self._socket.sendall(self._waiting[0])
                self._forget_first()
        except OSError:
            if self.cut:
                self.cut()
        finally:
            self._is_sending = False

    def _forget_first(self) -> None:
        if self._waiting:  # the client may be gone meanwhile
            self._bytes -= len(self._waiting.popleft())
        if not self._waiting:
            self._bytes = self._largest = 0
            self._nothing_waits.set()
