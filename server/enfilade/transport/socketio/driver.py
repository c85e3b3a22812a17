"""One client's WebSocket: simple-websocket under Engine.IO, hardened against slow and hostile peers.

`Connection` refuses compression and large messages, limits the read rate, and writes through the client's
outbox (outbox.py). `Driver` connects it to Engine.IO and cuts a client that violates the protocol.
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
from wsproto.events import CloseConnection, Ping, Pong, TextMessage
from wsproto.frame_protocol import CloseReason
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from enfilade.i18n import localize
from enfilade.runtime.config import Limits
from enfilade.runtime.time_budget import REST_SECONDS
from enfilade.transport.limits.buckets import Bucket, Rate
from enfilade.transport.socketio.engineio_adapter import engine_socket_of
from enfilade.transport.socketio.frames import MessageBoundaries, TooLargeError, decode_whole_text
from enfilade.transport.socketio.outbox import OnCut, Outbox
from enfilade.transport.socketio.packets import is_valid_message

log = logging.getLogger(__name__)
_CONTROL_FRAMES = Rate(per_second=2, burst=60)
_BYTES_PER_FRAME_CHARGE = 1024
_CLOSE_TIMEOUT_SECONDS = 1
_CONNECT_TIMEOUT_SECONDS = 10
_MIN_TIMEOUT_SECONDS = 0.001
_CONNECT, _DISCONNECT = "40", "41"
_BEFORE_CONNECT = ("1", "3")
"""Close and pong, which a client may send before CONNECT."""
_HANDSHAKE_ERRORS = (RemoteProtocolError, UnicodeError)
"""The errors of wsproto for an invalid upgrade request; the latter for non-ASCII headers."""
_MESSAGES_PER_TURN = 8
"""How many messages of one client are handled before others get a turn."""


class QueuedSocket:
    """A client's socket whose writes go through its outbox.

    simple-websocket calls `send` of the socket, which may accept only a part from a slow peer: frames would
    be cut short and mixed with others.
    """

    def __init__(self, sock: Any, outbox: Outbox) -> None:
        self._sock = sock
        self._outbox = outbox

    def send(self, data: bytes) -> int:
        """Send all of `data` in order."""
        self._outbox.send(data)
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)


class RateLimitedReader:
    """wsproto's parser with a rate limit and a fast path for simple frames.

    Data above the rate stays in the system's buffers, which slows the client down. WebSocket pings and pongs
    bypass that rate, so a client that sends many is cut: LocalProtocolError ends the reader.
    """

    def __init__(self, ws: Any, limits: Limits, on_cut: OnCut) -> None:
        self._ws = ws
        self._on_cut = on_cut
        frames = Rate(limits.frames_per_second, limits.frames_burst)
        self._frames = Bucket(frames, time.monotonic)
        self._control_frames = Bucket(_CONTROL_FRAMES, time.monotonic)
        self._boundaries = MessageBoundaries(limits.frame_bytes)
        self._text: str | None = None

    def receive_data(self, data: bytes) -> None:
        """Parse data; `events` yields what it holds. Raises TooLargeError."""
        is_plain = self._boundaries.is_at_boundary and self._ws.state is ConnectionState.OPEN
        self._text = decode_whole_text(data) if is_plain else None
        if self._text is None:
            self._boundaries.feed(data)
            self._ws.receive_data(data)

    def events(self) -> Iterator[Any]:
        """Yield the frames received so far, at the limited rate; a large message comes in parts."""
        text, self._text = self._text, None
        for event in self._ws.events() if text is None else (TextMessage(text),):
            if isinstance(event, Ping | Pong):
                self._count_control_frame()
            self._frames.take(1 + len(getattr(event, "data", "")) / _BYTES_PER_FRAME_CHARGE)
            wait = self._frames.wait(0)
            if wait:
                gevent.sleep(wait)
            yield event

    def _count_control_frame(self) -> None:
        if self._control_frames.wait(1):
            self._on_cut("control-flood")
            raise LocalProtocolError("too many pings and pongs")
        self._control_frames.take(1)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ws, name)


class NoThread:
    """A stand-in for simple-websocket's reader thread: the greenlet that waits for a message reads it."""

    name = ""

    def __init__(self, target: Any) -> None:
        pass

    def start(self) -> None:
        """Start nothing."""


class Connection(simple_websocket.Server):  # type: ignore[misc]
    """A WebSocket that reads only while the server waits for a message, and that can be cut at any time."""

    sock: Any
    raw_socket: Any
    ws: Any

    def __init__(self, environ: dict[str, Any], outbox: Outbox, limits: Limits, on_cut: OnCut) -> None:
        self._outbox, self._limits, self._on_cut = outbox, limits, on_cut
        self._is_cut = False
        self._received = 0
        super().__init__(
            {key: value for key, value in environ.items() if key != "HTTP_SEC_WEBSOCKET_EXTENSIONS"},
            max_message_size=limits.frame_bytes,
            thread_class=NoThread,
            event_class=Event,
            selector_class=selectors.DefaultSelector,
        )

    def handshake(self) -> None:
        """Answer the upgrade request. Without its extensions header, compression stays off.

        Raises one of _HANDSHAKE_ERRORS for an invalid request, such as one without a key.
        """
        try:
            super().handshake()
        except _HANDSHAKE_ERRORS:
            self.sock.close()  # simple-websocket duplicated the request's socket
            raise
        self.raw_socket = self.sock
        self.sock = QueuedSocket(self.raw_socket, self._outbox)
        self.ws = RateLimitedReader(self.ws, self._limits, self._on_cut)

    def receive(self, timeout: float | None = None) -> Any:
        """Return the next message, None after the timeout. Raises simple_websocket.ConnectionClosed."""
        self._received += 1
        if self._received % _MESSAGES_PER_TURN == 0:
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
        """End the connection at once, even in the middle of a message."""
        self.connected, self._is_cut = False, True
        self._outbox.close()
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR)

    def _read(self) -> None:
        try:
            data = self.sock.recv(self.receive_bytes)
            self.ws.receive_data(data)
            is_open = data != b"" and self._handle_events()
        except (OSError, LocalProtocolError):
            is_open = False
        except TooLargeError:
            self._refuse_size()
            is_open = False
        # A connection that was cut during the read stays cut.
        self.connected = is_open and not self._is_cut
        if not self.connected:
            self.cut()

    def _refuse_size(self) -> None:
        """Report why the connection ends once a frame announces too much, before its payload arrives."""
        self._on_cut("too-large")
        closing = CloseConnection(code=CloseReason.MESSAGE_TOO_BIG, reason=localize("server.frame_too_large"))
        with contextlib.suppress(OSError, LocalProtocolError):
            self.sock.send(self.ws.send(closing))
        with gevent.Timeout(_CLOSE_TIMEOUT_SECONDS, False):
            self._outbox.wait_until_sent()


class Driver:
    """The `websocket` of an Engine.IO async driver: a WSGI application that upgrades one request."""

    def __init__(self, handler: Any, _server: Any, *, limits: Limits, on_cut: OnCut) -> None:
        self._handler = handler
        self._limits = limits
        self._on_cut = on_cut
        self._outbox: Outbox = engine_socket_of(handler).queue
        self._connection: Connection
        self._has_connected = self._is_leaving = False
        self._connect_deadline = time.monotonic() + _CONNECT_TIMEOUT_SECONDS
        self.socket: Any = None

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Upgrade the request and serve the connection to its end."""
        try:
            self._connection = Connection(environ, self._outbox, self._limits, self._on_cut)
        except _HANDSHAKE_ERRORS:
            return self._refuse_handshake(start_response)
        self.socket = self._connection.sock
        self._outbox.open(self._connection.raw_socket, self._connection.cut)
        try:
            answer: Iterable[bytes] = self._handler(self)
            return answer
        finally:
            self._connection.cut()
            self._outbox.forget()
            self.socket.close()

    def _refuse_handshake(self, start_response: Any) -> Iterable[bytes]:
        """Answer an invalid handshake and discard the Engine.IO socket created for it."""
        engine_socket_of(self._handler).close(wait=False, abort=True)
        start_response("400 Bad Request", [("Content-Length", "0"), ("Connection", "close")])
        return []

    def wait(self) -> str | None:
        """Return the client's next message; None if the client is gone or was cut for a violation."""
        if self._is_leaving:
            return None
        try:
            message = self._connection.receive(self._receive_timeout)
        except simple_websocket.ConnectionClosed:
            return None
        if is_valid_message(message) and self._is_in_sequence(message):
            return str(message)
        if message is not None:
            log.info("Cut a client that sent an invalid packet")
            self._on_cut("bad-packet")
            self._send_close(localize("server.bad_packet"))
        return None

    @property
    def _receive_timeout(self) -> float | None:
        """The seconds left to authenticate; None once the client has sent CONNECT."""
        if self._has_connected:
            return None
        return max(self._connect_deadline - time.monotonic(), _MIN_TIMEOUT_SECONDS)

    def _is_in_sequence(self, message: str) -> bool:
        """Return whether a message may come now: CONNECT once, before anything that must be charged."""
        if message.startswith(_CONNECT):
            is_first, self._has_connected = not self._has_connected, True
            return is_first
        self._is_leaving = message.startswith(_DISCONNECT)
        return self._has_connected or message in _BEFORE_CONNECT

    def close(self) -> None:
        """Close the WebSocket and end the connection."""
        self._send_close("", CloseReason.NORMAL_CLOSURE)

    def _send_close(self, sentence: str, code: int = CloseReason.POLICY_VIOLATION) -> None:
        gone = contextlib.suppress(OSError, simple_websocket.ConnectionClosed, LocalProtocolError)
        with gevent.Timeout(_CLOSE_TIMEOUT_SECONDS, False), gone:
            self._connection.close(code, sentence)
            self._outbox.wait_until_sent()
        self._connection.cut()
