"""A seat's live connection over Socket.IO, with a replica of the scene (`pip install enfilade[live]`).

    with LiveClient("http://127.0.0.1:8090", table="…", key="…") as client:
        client.send("token.move", {"token": "orc-3", "at": [4, 7]})
        print(client.replica.scene.token("orc-3").at)

It reconnects, and sends a command again under its ID until the server answers.
"""

from __future__ import annotations

import json
import random
import secrets
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Condition, Thread
from typing import Any, Self
from urllib.parse import urlencode

import requests
import socketio
from socketio.exceptions import SocketIOError
from websocket import WebSocket

from enfilade.client.http import Client, error_from_json
from enfilade.client.replica import Replica
from enfilade.errors import EnfiladeError

_POLL_SECONDS = 0.05
_MAX_DOUBLINGS = 30
_MAX_REFUSALS = 3
"""How many refusals in a row end the client. One may be due to a connection request that arrived twice."""

_SUSPECT_SECONDS = 1.0
"""After so long without an answer to a command, and with nothing heard, the client asks for a ticket."""
_SILENT_SECONDS = 2.0
"""After so long it connects anew."""
_TICKET_SECONDS = 45.0
"""The time in which a ticket is used: less than the minute that it is valid."""
_SHORT = 20_000
"""Up to this length a command is always one message, in letters."""
_PART_LETTERS = 16_000
"""The letters of a part of a longer command: less than 64 KiB as text within JSON."""
_WORK_SECONDS = 30.0
"""The time that a server may need for a large command after its last part."""


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """The times that the client waits before it retries, in seconds. A local server allows shorter ones."""

    answer: float = 1.0
    """The least wait for an answer. A random time is added, whose maximum doubles with each attempt."""
    longest_answer: float = 10.0
    """The limit of that maximum."""
    connection: float = 10.0
    """The wait for a connection."""
    pause: float = 0.5
    """The least pause after a failed connection; its random maximum doubles with each failure."""
    longest_pause: float = 10.0
    """The limit of that maximum."""

    def answer_timeout(self, attempts: int) -> float:
        """Return the seconds to wait for an answer to a command that was sent `attempts` times before."""
        spread = random.uniform(0, _double(self.answer, attempts, self.longest_answer))  # noqa: S311 - no secret
        return self.answer + spread

    def reconnect_delay(self, failures: int) -> float:
        """Return the seconds to wait after some failed connections in a row."""
        longest = _double(self.pause, failures, self.longest_pause)
        return random.uniform(self.pause, longest)  # noqa: S311 - no secret


def _double(first: float, times: int, longest: float) -> float:
    """Return `first` doubled `times` times, at most `longest`; without overflow after days of failures."""
    return min(longest, first * 2.0 ** min(times, _MAX_DOUBLINGS))


DEFAULT_RETRY_POLICY = RetryPolicy()


class PendingCommand:
    """A command without an answer, and the time to send it again."""

    def __init__(self, command: dict[str, Any], retry_policy: RetryPolicy) -> None:
        self.command = command
        self.answer: dict[str, Any] | None = None
        self.attempts = 0
        self.began = 0.0
        self.due = 0.0
        self.parts = _parts_of(command)
        self.part = 0
        """The part that is sent next, or was sent last while its answer is awaited."""
        self.is_part_due = False
        self._retry_policy = retry_policy

    def count_attempt(self) -> None:
        """Count an attempt and set the time of the next."""
        now = time.monotonic()
        self.began = self.began or now
        self.due = now + self._retry_policy.answer_timeout(self.attempts)
        self.attempts += 1
        self.part, self.is_part_due = 0, False

    def take_part(self) -> bool:
        """Return whether the next part may be sent, and give its answer the time of a second attempt."""
        is_due, self.is_part_due = self.is_part_due, False
        if is_due:
            wait = _WORK_SECONDS if self.is_last_part else self._retry_policy.answer_timeout(1)
            self.due = time.monotonic() + wait
        return is_due

    @property
    def is_last_part(self) -> bool:
        """Return whether all parts of a large command have been sent, or are with the next."""
        return bool(self.parts) and self.part + 1 == len(self.parts)


def _parts_of(command: dict[str, Any]) -> list[str]:
    """Return the parts of a command's JSON that is larger than a message; none if it is one message."""
    text = json.dumps(command)
    starts = range(0, len(text) if len(text) > _SHORT else 0, _PART_LETTERS)
    return [text[start : start + _PART_LETTERS] for start in starts]


class LiveClient:
    """One seat's connection, opened with a key. It gets a ticket for each connection."""

    def __init__(
        self,
        url: str,
        table: str,
        key: str,
        on_update: Callable[[dict[str, Any]], None] = lambda _: None,
        retry_policy: RetryPolicy = DEFAULT_RETRY_POLICY,
    ) -> None:
        self.replica = Replica()
        self._retry_policy = retry_policy
        self._url = url
        self._table = table
        self._http = Client(url, table, key)
        self._ticket: tuple[str, str, float] | None = None
        """A ticket for the next connection, the process to connect to, and the time at which it ends."""
        self._on_update = on_update
        self._changed = Condition()
        self._pending: dict[str, PendingCommand] = {}
        self._count = 0
        self._refused: EnfiladeError | None = None
        self._refusals = 0
        self._is_redirected = False
        self._heard = self._suspected = 0.0
        self._page = secrets.token_hex(16)
        self._is_open = True
        self._websocket = WebSocket()
        self._socket = self._new_socket()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def send(
        self,
        kind: str,
        body: dict[str, Any],
        base: int | None = None,
        timeout: float = 60,
        command_id: str = "",
    ) -> dict[str, Any]:
        """Send a command and return its acknowledgment. Raises EnfiladeError or TimeoutError.

        A caller that passes its own ID may send the command again at any time; it still runs once.
        """
        command_id = command_id or uuid.uuid4().hex
        command: dict[str, Any] = {"v": 1, "id": command_id, "kind": kind, "base": base, "body": body}
        command["random"] = secrets.token_hex(16)  # so that the server alone does not determine the dice
        pending = PendingCommand(command, self._retry_policy)
        with self._changed:
            self._pending[command_id] = pending
            self._changed.notify_all()
            self._changed.wait_for(lambda: pending.answer or self._refused, timeout)
            self._pending.pop(command_id, None)
        if pending.answer is None:
            raise self._refused or TimeoutError(f"No answer to {kind} in {timeout} seconds.")
        if pending.answer["ok"]:
            return pending.answer
        raise error_from_json(pending.answer["error"])

    def wait_until(self, condition: Callable[[Replica], object], timeout: float = 10) -> None:
        """Wait until a condition of the replica is true. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: condition(self.replica), timeout):
                raise TimeoutError(f"The replica did not reach that state in {timeout} seconds.")

    def close(self) -> None:
        """Disconnect for good."""
        with self._changed:
            self._is_open = False
            self._changed.notify_all()
        self._thread.join()
        self._socket.disconnect()
        self._websocket.shutdown()  # type: ignore[no-untyped-call]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The methods below run in the client's own thread, which alone connects and emits.

    def _new_socket(self) -> Any:
        socket = socketio.Client(
            reconnection=False,
            handle_sigint=False,
            websocket_extra_options={
                "skip_utf8_validation": True,  # decoding the text validates it anyway
                "class_": self._new_websocket,
            },
        )
        socket.on("update", self._handle_update)
        socket.on("connect", self._notify)
        return socket

    def _new_websocket(self, **options: Any) -> WebSocket:
        """Create and remember a WebSocket: Engine.IO's client leaves one open after the server cut it."""
        self._websocket = WebSocket(**options)
        return self._websocket

    def _run(self) -> None:
        failures = 0
        while self._is_open and self._refused is None:
            if not self._is_connected:
                failures = 0 if self._connect() else failures + 1
                if failures == 1 and self._is_redirected:
                    continue  # another process has the table: the next ticket names it
                if failures:
                    delay = self._retry_policy.reconnect_delay(failures)
                    with self._changed:
                        self._changed.wait_for(lambda: not self._is_open, delay)
                    continue
            self._send_due_commands()
            self._leave_silent_server()
            with self._changed:
                self._changed.wait(_POLL_SECONDS)

    def _connect(self) -> bool:
        self._websocket.shutdown()  # type: ignore[no-untyped-call]
        self._socket = self._new_socket()
        self._socket.on("connect_error", self._handle_refusal)
        try:
            ticket, process = self._take_ticket()
            with self._changed:
                self.replica.expect_snapshot()
                auth = {"table": self._table, "ticket": ticket, "page": self._page, **self.replica.position()}
            named = {"process": process} if process else {}
            url = f"{self._url}?{urlencode({'table': self._table, **named})}"
            self._is_redirected = False
            self._socket.connect(url, auth=auth, transports=["websocket"], wait=False)
        except EnfiladeError as problem:
            self._give_up(problem)
            return False
        except (SocketIOError, ValueError, requests.RequestException):
            return False
        if not self._wait_until_accepted():
            self._socket.disconnect()
            return False
        self._count = self._refusals = 0
        self._heard = time.monotonic()
        for pending in self._unanswered():
            pending.due = pending.began = 0
        return True

    def _take_ticket(self) -> tuple[str, str]:
        """Return a ticket, and the process to connect to. Raises EnfiladeError, RequestException."""
        found, self._ticket = self._ticket, None
        if found is None or found[2] < time.monotonic():
            return self._http.request_ticket(self._url, self._retry_policy.connection)
        return found[:2]

    def _wait_until_accepted(self) -> bool:
        """Return whether the server accepts the connection. The library would wait after it has ended."""
        socket, end = self._socket, time.monotonic() + self._retry_policy.connection
        while self._is_connected and not socket.namespaces and not socket.failed_namespaces:
            with self._changed:
                self._changed.wait(_POLL_SECONDS)
            if time.monotonic() > end:
                return False
        return self._is_connected and bool(socket.namespaces)

    @property
    def _is_connected(self) -> bool:
        """Return whether the socket is connected. Engine.IO's state covers one that ends while it opens."""
        return bool(self._socket.connected and self._socket.eio.state == "connected")

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _handle_refusal(self, data: Any) -> None:
        """Handle the server's refusal of a connection; a network failure has no error data."""
        error = data.get("data") if isinstance(data, dict) else None
        self._refusals += isinstance(error, dict)
        self._is_redirected = isinstance(error, dict) and bool(error.get("process"))
        if isinstance(error, dict) and self._refusals >= _MAX_REFUSALS:
            self._give_up(error_from_json(error))

    def _give_up(self, problem: EnfiladeError) -> None:
        if not problem.retryable:
            with self._changed:
                self._refused = problem
                self._changed.notify_all()

    def _unanswered(self) -> list[PendingCommand]:
        with self._changed:
            return [pending for pending in self._pending.values() if pending.answer is None]

    def _send_due_commands(self) -> None:
        for pending in self._unanswered():
            if self._is_connected and pending.take_part():
                self._emit(pending)
            elif pending.due <= time.monotonic() and self._is_connected:
                pending.count_attempt()
                self._emit(pending)

    def _emit(self, pending: PendingCommand) -> None:
        """Emit a command, or its next part if it is larger than a message."""
        self._count += 1
        event, message = "command", {**pending.command, "n": self._count}
        callback = partial(self._handle_answer, self._socket)
        if pending.parts:
            event, number, count = "part", pending.part, len(pending.parts)
            named = {"v": 1, "id": pending.command["id"], "n": self._count}
            message = {**named, "part": number, "parts": count, "text": pending.parts[number]}
            callback = partial(self._handle_part, self._socket, pending, pending.attempts, number)
        with suppress(SocketIOError):  # the connection just ended; the command is sent again
            self._socket.emit(event, message, callback=callback)

    def _leave_silent_server(self) -> None:
        """Disconnect from a server that answers nothing: its process may be stopped, or its machine gone.

        First ask for a ticket. By that a proxy notices a silent process, and another one answers; a server
        that is only busy may answer the command meanwhile.
        The connection is cut at once, because a close of the protocol waits for the server.
        """
        unanswered = self._unanswered()
        if any(one.is_last_part and one.due > time.monotonic() for one in unanswered):
            return  # the server works on a large command
        sent = [pending.began for pending in unanswered if pending.began]
        since = max(self._heard, min(sent, default=time.monotonic()))
        if self._suspected != since and time.monotonic() - since > _SUSPECT_SECONDS:
            self._suspected = since  # once for each silence, although the request fails
            self._prepare()
        if sent and time.monotonic() - max(since, self._heard) > _SILENT_SECONDS:
            self._websocket.abort()  # type: ignore[no-untyped-call]
            with self._changed:
                self._changed.wait_for(lambda: not self._is_connected, _POLL_SECONDS)

    def _prepare(self) -> None:
        """Request the ticket of the next connection; a failure shows when that is made."""
        with suppress(EnfiladeError, requests.RequestException):
            ticket = self._http.request_ticket(self._url, self._retry_policy.connection)
            self._ticket = *ticket, time.monotonic() + _TICKET_SECONDS

    def _handle_part(
        self, socket: Any, pending: PendingCommand, attempts: int, number: int, answer: dict[str, Any]
    ) -> None:
        """Let the next part be sent, unless a later attempt has begun; the last answer is the command's."""
        if not answer["ok"] or number + 1 == len(pending.parts):
            self._handle_answer(socket, answer)
            return
        self._heard = time.monotonic()
        with self._changed:
            if (pending.attempts, pending.part) == (attempts, number):
                pending.part, pending.is_part_due = number + 1, True
            self._changed.notify_all()

    def _handle_answer(self, socket: Any, answer: dict[str, Any]) -> None:
        self._heard = time.monotonic()
        error = answer.get("error", {})
        if error.get("code") in ("out-of-order", "other-process"):
            socket.disconnect()  # reconnect and send all commands that are pending
            return
        with self._changed:
            why = self.replica.apply_missing(error) if error else ""
            pending = self._pending.pop(answer["id"], None)
            if pending is not None:
                pending.answer = answer
                if pending.command["kind"] == "sync":
                    self.replica.expect_snapshot()
            self._request_snapshot(why)
            self._changed.notify_all()

    def _handle_update(self, update: dict[str, Any]) -> None:
        self._heard = time.monotonic()
        with self._changed:
            self._request_snapshot(self.replica.apply(update))
            self._changed.notify_all()
        self._on_update(update)

    def _request_snapshot(self, why: str) -> None:
        """Request a snapshot if there is a cause."""
        if why:
            self._enqueue("sync", {"why": why})

    def _enqueue(self, kind: str, body: dict[str, Any]) -> None:
        command_id = uuid.uuid4().hex
        command = {"v": 1, "id": command_id, "kind": kind, "base": None, "body": body}
        self._pending[command_id] = PendingCommand(command, self._retry_policy)
