"""One client's WebSocket: simple-websocket under Engine.IO, made safe against slow and hostile peers.

`Connection` writes every frame whole, refuses compression and large messages, reads at a rate, and not at
all while the server is behind; `Outbox` bounds what waits to be sent; `Driver` joins the two for Engine.IO
and cuts a client that breaks the rules.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gevent
import simple_websocket
from engineio.async_drivers.gevent import Thread
from gevent import selectors
from gevent.event import Event
from gevent.lock import RLock
from gevent.queue import JoinableQueue
from wsproto.events import Ping, Pong
from wsproto.frame_protocol import CloseReason
from wsproto.utilities import LocalProtocolError

from enfilade.config import Limits
from enfilade.transport.buckets import Bucket, Rate
from enfilade.transport.packets import is_spoken_here

log = logging.getLogger(__name__)
Cut = Callable[[str], None]
"""Is told why a client was cut."""
_CONTROLS_PER_SECOND, _CONTROLS_BURST = 2, 60
_FAREWELL_SECONDS = 1
_INTRODUCTION_SECONDS = 10


class WholeWrites:
    """A socket that sends everything or fails, one sender at a time.

    simple-websocket calls `send`, which may take only a part where the peer is slow, and calls it from two
    greenlets: frames would be cut short and mixed.
    """

    def __init__(self, sock: Any) -> None:
        self._sock = sock
        self._turn = RLock()

    def send(self, data: bytes) -> int:
        """Sends all of `data`; raises OSError where the peer is gone."""
        with self._turn:
            self._sock.sendall(data)
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)


class MeasuredReads:
    """A client's frames as wsproto reads them, no faster than a rate.

    What is over it waits in the system's own buffers, and so with the client. The WebSocket's own pings and
    pongs are read for nothing, so a client that sends many is cut: LocalProtocolError ends the reader.
    """

    def __init__(self, ws: Any, limits: Limits, cut: Cut) -> None:
        self._ws = ws
        self._cut = cut
        frames = Rate(limits.frames_per_second, limits.frames_burst)
        self._frames = Bucket(frames, time.monotonic)
        self._controls = Bucket(Rate(_CONTROLS_PER_SECOND, _CONTROLS_BURST), time.monotonic)

    def events(self) -> Iterator[Any]:
        """The frames that have come; a large message comes in parts."""
        for event in self._ws.events():
            if isinstance(event, Ping | Pong):
                self._count_control()
            self._frames.take(1 + len(getattr(event, "data", "")) / _FRAME_UNIT)
            wait = self._frames.wait(0)
            if wait:
                gevent.sleep(wait)
            yield event

    def _count_control(self) -> None:
        if self._controls.wait(1):
            self._cut("flood")
            raise LocalProtocolError("too many pings and pongs")
        self._controls.take(1)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ws, name)


_FRAME_UNIT = 1024


class Connection(simple_websocket.Server):  # type: ignore[misc]
    """A WebSocket that reads no faster than it is listened to and whose end always wakes its listener."""

    sock: Any
    ws: Any

    def __init__(self, environ: dict[str, Any], limits: Limits, cut: Cut) -> None:
        self._limits, self._on_cut = limits, cut
        self._most_waiting = limits.waiting_messages
        self._room = Event()
        self._is_cut = False
        super().__init__(
            {key: value for key, value in environ.items() if key != "HTTP_SEC_WEBSOCKET_EXTENSIONS"},
            max_message_size=limits.frame_bytes,
            thread_class=Thread,
            event_class=Event,
            selector_class=selectors.DefaultSelector,
        )

    def handshake(self) -> None:
        """Answers the upgrade request, compression left out with the header that offers it."""
        self.sock = WholeWrites(self.sock)
        super().handshake()
        self.ws = MeasuredReads(self.ws, self._limits, self._on_cut)

    def receive(self, timeout: float | None = None) -> Any:
        """The next message; raises simple_websocket.ConnectionClosed."""
        message = super().receive(timeout)
        self._room.set()
        return message

    def cut(self) -> None:
        """Ends the connection at once, whatever either side is in the middle of."""
        self.connected, self._is_cut = False, True
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)
        self.event.set()
        self._room.set()

    def _thread(self) -> None:
        try:
            super()._thread()
        finally:
            self.cut()

    def _handle_events(self) -> bool:
        goes_on: bool = super()._handle_events()
        while not self._is_cut and len(self.input_buffer) >= self._most_waiting:
            self._room.clear()
            self._room.wait()
        # The caller sets `connected` to this, which must not bring back to life what was cut meanwhile.
        return goes_on and not self._is_cut


class Outbox(JoinableQueue):  # type: ignore[misc]
    """Engine.IO's queue of packets to one client, which is cut when too much waits in it.

    A packet counts until it has been sent. One packet of any size may wait, as a large scene must.
    """

    def __init__(self, *, limits: Limits, on_cut: Cut) -> None:
        super().__init__()
        self._on_cut = on_cut
        self.cut: Callable[[], None] | None = None
        self._limits = limits
        self._packets = self._bytes = self._largest = 0

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        """Adds a packet, or cuts the client; None, which ends the writer, always goes in."""
        if item is not None:
            if self._is_over():
                self._cut()
                return
            self._count(len(item.encode()))
        super().put(item, block, timeout)

    def sent(self, size: int) -> None:
        """Says that a packet of so many characters has left."""
        self._packets -= 1
        self._bytes -= size
        if not self._packets:
            self._largest = 0

    def _count(self, size: int) -> None:
        self._packets += 1
        self._bytes += size
        self._largest = max(self._largest, size)

    def _is_over(self) -> bool:
        waiting = self._bytes - self._largest
        return self._packets >= self._limits.queue_packets or waiting >= self._limits.queue_bytes

    def _cut(self) -> None:
        if self.cut:
            log.info("A client was cut: it reads too slowly.")
            self._on_cut("reads too slowly")
            cut, self.cut = self.cut, None
            cut()


class Driver:
    """What Engine.IO calls `websocket` in an async driver: a WSGI application that upgrades one request."""

    def __init__(self, handler: Any, _server: Any, *, limits: Limits, on_cut: Cut) -> None:
        self._handler = handler
        self._limits = limits
        self._on_cut = on_cut
        self._outbox: Outbox = handler.__self__.queue
        self._connection: Connection
        self._is_introduced = False
        self.socket: Any = None

    def __call__(self, environ: dict[str, Any], _start_response: Any) -> Iterable[bytes]:
        """Upgrades the request and serves the connection to its end."""
        self._connection = Connection(environ, self._limits, self._on_cut)
        self.socket = self._connection.sock
        self._outbox.cut = self._connection.cut
        try:
            answer: Iterable[bytes] = self._handler(self)
            return answer
        finally:
            self._connection.cut()

    def send(self, message: str) -> None:
        """Sends a message whole; raises OSError where the client is gone."""
        try:
            self._connection.send(message)
        except simple_websocket.ConnectionClosed:
            raise OSError("The client is gone.") from None
        self._outbox.sent(len(message))

    def wait(self) -> str | None:
        """The client's next message; None where it is gone, or has been cut for what it sent."""
        timeout = None if self._is_introduced else _INTRODUCTION_SECONDS
        try:
            message = self._connection.receive(timeout)
        except simple_websocket.ConnectionClosed:
            return None
        if is_spoken_here(message):
            self._is_introduced = True
            return str(message)
        if message is not None:
            log.info("A client was cut: it sent a message that is not spoken here.")
            self._on_cut("speaks something else")
            self._say_farewell("This is no message of a client of this server.")
        return None

    def close(self) -> None:
        """Says goodbye where there is still somebody, and ends the connection."""
        self._say_farewell("", CloseReason.NORMAL_CLOSURE)

    def _say_farewell(self, sentence: str, code: int = CloseReason.POLICY_VIOLATION) -> None:
        gone = contextlib.suppress(OSError, simple_websocket.ConnectionClosed, LocalProtocolError)
        with gevent.Timeout(_FAREWELL_SECONDS, False), gone:
            self._connection.close(code, sentence)
        self._connection.cut()
