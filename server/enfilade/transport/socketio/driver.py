"""One client's WebSocket: simple-websocket under Engine.IO, made safe against slow and hostile peers.

`Connection` refuses compression and large messages, reads at a rate, and not at all while the server is
behind; everything it says goes through its outbox (outbox.py); `Driver` joins the two for Engine.IO and cuts
a client that breaks the rules.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import time
from collections.abc import Iterable, Iterator
from typing import Any

import gevent
import simple_websocket
from gevent import selectors
from gevent.event import Event
from wsproto.connection import ConnectionState
from wsproto.events import Ping, Pong, TextMessage
from wsproto.frame_protocol import CloseReason
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from enfilade.config import Limits
from enfilade.time_budget import REST_SECONDS
from enfilade.transport.limits.buckets import Bucket, Rate
from enfilade.transport.socketio.frames import Edges, whole_text
from enfilade.transport.socketio.outbox import Cut, Outbox
from enfilade.transport.socketio.packets import is_spoken_here

log = logging.getLogger(__name__)
_CONTROLS_PER_SECOND, _CONTROLS_BURST = 2, 60
_FAREWELL_SECONDS = 1
_INTRODUCTION_SECONDS = 10
_LEAST_SECONDS = 0.001
_CONNECT, _DISCONNECT = "40", "41"
_ALWAYS = ("1", "3")
"""Going and answering a ping: what may be said before a client has said who it is."""
_NO_HANDSHAKE = (RemoteProtocolError, UnicodeError)
"""What wsproto raises where a request cannot be upgraded; the latter for letters in what should be ASCII."""
_IN_ONE_GO = 8
"""How many messages of one client are answered before others have their turn, however many have come."""


class QueuedSocket:
    """A client's socket whose every write goes through its outbox.

    simple-websocket calls `send` of the socket itself, which may take only a part where the peer is slow:
    frames would be cut short and mixed with others.
    """

    def __init__(self, sock: Any, outbox: Outbox) -> None:
        self._sock = sock
        self._outbox = outbox

    def send(self, data: bytes) -> int:
        """Has all of `data` sent, in its turn."""
        self._outbox.send(data)
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)


class RateLimitedReader:
    """A client's frames as wsproto reads them, the plain ones without it, no faster than a rate.

    What is over it waits in the system's own buffers, and so with the client. The WebSocket's own pings and
    pongs are read for nothing, so a client that sends many is cut: LocalProtocolError ends the reader.
    """

    def __init__(self, ws: Any, limits: Limits, cut: Cut) -> None:
        self._ws = ws
        self._cut = cut
        frames = Rate(limits.frames_per_second, limits.frames_burst)
        self._frames = Bucket(frames, time.monotonic)
        self._controls = Bucket(Rate(_CONTROLS_PER_SECOND, _CONTROLS_BURST), time.monotonic)
        self._edges = Edges()
        self._plain: str | None = None

    def receive_data(self, data: bytes) -> None:
        """Takes what has come; `events` says what it was."""
        is_plain = self._edges.is_between and self._ws.state is ConnectionState.OPEN
        self._plain = whole_text(data) if is_plain else None
        if self._plain is None:
            self._edges.follow(data)
            self._ws.receive_data(data)

    def events(self) -> Iterator[Any]:
        """The frames that have come; a large message comes in parts."""
        plain, self._plain = self._plain, None
        for event in self._ws.events() if plain is None else (TextMessage(plain),):
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


class NoThread:
    """What stands for the thread in which simple-websocket reads: whoever waits for a message reads it."""

    name = ""

    def __init__(self, target: Any) -> None:
        pass

    def start(self) -> None:
        """Starts nothing."""


class Connection(simple_websocket.Server):  # type: ignore[misc]
    """A WebSocket that is read no further than it is listened to, and that can be cut at any time."""

    sock: Any
    line: Any
    ws: Any

    def __init__(self, environ: dict[str, Any], outbox: Outbox, limits: Limits, cut: Cut) -> None:
        self._outbox, self._limits, self._on_cut = outbox, limits, cut
        self._is_cut = False
        self._taken = 0
        super().__init__(
            {key: value for key, value in environ.items() if key != "HTTP_SEC_WEBSOCKET_EXTENSIONS"},
            max_message_size=limits.frame_bytes,
            thread_class=NoThread,
            event_class=Event,
            selector_class=selectors.DefaultSelector,
        )

    def handshake(self) -> None:
        """Answers the upgrade request, compression left out with the header that offers it.

        Raises one of _NO_HANDSHAKE for one that is none, like one without a key.
        """
        try:
            super().handshake()
        except _NO_HANDSHAKE:
            self.sock.close()  # ours: simple-websocket works on a copy of the request's own
            raise
        self.line = self.sock
        self.sock = QueuedSocket(self.line, self._outbox)
        self.ws = RateLimitedReader(self.ws, self._limits, self._on_cut)

    def receive(self, timeout: float | None = None) -> Any:
        """The next message, None after so many seconds; raises simple_websocket.ConnectionClosed."""
        self._taken += 1
        if self._taken % _IN_ONE_GO == 0:
            gevent.sleep(REST_SECONDS)
        with gevent.Timeout(timeout, False) if timeout else contextlib.nullcontext():
            while self.connected and not self.input_buffer:
                self._read()
        if self.input_buffer:
            return self.input_buffer.pop(0)
        if not self.connected:
            raise simple_websocket.ConnectionClosed(self.close_reason, self.close_message)
        return None

    def cut(self) -> None:
        """Ends the connection at once, whatever either side is in the middle of."""
        self.connected, self._is_cut = False, True
        self._outbox.close()
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)

    def _read(self) -> None:
        try:
            data = self.sock.recv(self.receive_bytes)
            self.ws.receive_data(data)
            goes_on = data != b"" and self._handle_events()
        except (OSError, LocalProtocolError):
            goes_on = False
        # What was cut meanwhile must not come back to life.
        self.connected = goes_on and not self._is_cut
        if not self.connected:
            self.cut()


class Driver:
    """What Engine.IO calls `websocket` in an async driver: a WSGI application that upgrades one request."""

    def __init__(self, handler: Any, _server: Any, *, limits: Limits, on_cut: Cut) -> None:
        self._handler = handler
        self._limits = limits
        self._on_cut = on_cut
        self._outbox: Outbox = handler.__self__.queue
        self._connection: Connection
        self._is_introduced = self._is_leaving = False
        self._introduce_by = time.monotonic() + _INTRODUCTION_SECONDS
        self.socket: Any = None

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Upgrades the request and serves the connection to its end."""
        try:
            self._connection = Connection(environ, self._outbox, self._limits, self._on_cut)
        except _NO_HANDSHAKE:
            return self._refused(start_response)
        self.socket = self._connection.sock
        self._outbox.open(self._connection.line, self._connection.cut)
        try:
            answer: Iterable[bytes] = self._handler(self)
            return answer
        finally:
            self._connection.cut()
            self._outbox.forget()
            self.socket.close()

    def _refused(self, start_response: Any) -> Iterable[bytes]:
        """The answer to what is no handshake; Engine.IO forgets its socket, which nobody came by."""
        self._handler.__self__.close(wait=False, abort=True)
        start_response("400 Bad Request", [("Content-Length", "0"), ("Connection", "close")])
        return []

    def wait(self) -> str | None:
        """The client's next message; None where it is gone, or has been cut for what it sent."""
        if self._is_leaving:
            return None
        try:
            message = self._connection.receive(self._patience)
        except simple_websocket.ConnectionClosed:
            return None
        if is_spoken_here(message) and self._is_its_turn(message):
            return str(message)
        if message is not None:
            log.info("A client was cut: it sent a message that is not spoken here.")
            self._on_cut("speaks something else")
            self._say_farewell("This is no message of a client of this server.")
        return None

    @property
    def _patience(self) -> float | None:
        """How many seconds to wait for a message: for the first one that says who it is, not for ever."""
        if self._is_introduced:
            return None
        return max(self._introduce_by - time.monotonic(), _LEAST_SECONDS)

    def _is_its_turn(self, message: str) -> bool:
        """Whether a message may come now: CONNECT, once, before whatever else anybody would have to count."""
        if message.startswith(_CONNECT):
            was_introduced, self._is_introduced = self._is_introduced, True
            return not was_introduced
        self._is_leaving = message.startswith(_DISCONNECT)
        return self._is_introduced or message in _ALWAYS

    def close(self) -> None:
        """Says goodbye where there is still somebody, and ends the connection."""
        self._say_farewell("", CloseReason.NORMAL_CLOSURE)

    def _say_farewell(self, sentence: str, code: int = CloseReason.POLICY_VIOLATION) -> None:
        gone = contextlib.suppress(OSError, simple_websocket.ConnectionClosed, LocalProtocolError)
        with gevent.Timeout(_FAREWELL_SECONDS, False), gone:
            self._connection.close(code, sentence)
            self._outbox.wait_until_sent()
        self._connection.cut()
