"""A seat's line to its table over Socket.IO, with a copy of the scene kept in step: `enfilade[live]`.

    with LiveClient("http://127.0.0.1:8090", table="…", key="…") as line:
        line.send("token.move", {"token": "orc-3", "at": [4, 7]})
        print(line.replica.scene.token("orc-3").at)

What breaks is taken up again, and a command is sent again under its id until it is answered. A player's line
takes part in the table's dice by itself (docs/fair-dice.md).
"""

from __future__ import annotations

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

import requests
import socketio
from socketio.exceptions import SocketIOError
from websocket import WebSocket

from enfilade.client.contribution import DiceContribution
from enfilade.client.http import Client, as_error
from enfilade.client.replica import Replica
from enfilade.errors import EnfiladeError

_TICK = 0.05
_DOUBLINGS = 30
"""After which a wait is longer than anybody asks for."""
_REFUSALS = 3
"""So often in a row a line is turned away before it gives up: a wish to connect may have come twice."""


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """How long a line waits, in seconds. With a server or a network of one's own it may be shorter."""

    answer: float = 1.0
    """For an answer, at least; a random part is added, which may be twice as long each time."""
    longest_answer: float = 10.0
    """The most of that random part."""
    connection: float = 10.0
    """For a connection to be made."""
    pause: float = 0.5
    """After a connection failed, at least; a random part is added, which may be twice as long each time."""
    longest_pause: float = 10.0

    def for_an_answer(self, times: int) -> float:
        """How many seconds it waits for an answer to what was sent so often before."""
        return self.answer + random.uniform(0, _doubled(self.answer, times, self.longest_answer))

    def after_failures(self, failures: int) -> float:
        """How many seconds it waits before it connects again, after so many failures in a row."""
        return random.uniform(self.pause, _doubled(self.pause, failures, self.longest_pause))


def _doubled(first: float, times: int, longest: float) -> float:
    """Seconds doubled so often; a line that waits for days does not double without end."""
    return min(longest, first * 2.0 ** min(times, _DOUBLINGS))


DEFAULT_RETRY_POLICY = RetryPolicy()


class _Waiting:
    """A command without an answer, and when it is sent again."""

    def __init__(self, command: dict[str, Any], patience: RetryPolicy) -> None:
        self.command = command
        self.answer: dict[str, Any] | None = None
        self.times = 0
        self.due = 0.0
        self._patience = patience

    def sent(self) -> None:
        """Counts a time it was sent."""
        self.due = time.monotonic() + self._patience.for_an_answer(self.times)
        self.times += 1


class LiveClient:
    """One seat's line, entered with a key; a ticket is got for each connection."""

    def __init__(
        self,
        url: str,
        table: str,
        key: str,
        on_update: Callable[[dict[str, Any]], None] = lambda _: None,
        patience: RetryPolicy = DEFAULT_RETRY_POLICY,
    ) -> None:
        self.replica = Replica()
        self._patience = patience
        self.part = DiceContribution(table)
        self._url = url
        self._way_in = partial(Client(url, table, key).connect_credentials, origin=url)
        self._on_update = on_update
        self._changed = Condition()
        self._waiting: dict[str, _Waiting] = {}
        self._count = 0
        self._refused: EnfiladeError | None = None
        self._refusals = 0
        self._is_open = True
        self._wire = WebSocket()
        self._socket = self._new_socket()
        self._thread = Thread(target=self._keep_up, daemon=True)
        self._thread.start()

    def send(
        self,
        kind: str,
        body: dict[str, Any],
        base: int | None = None,
        patience: float = 60,
        command_id: str = "",
    ) -> dict[str, Any]:
        """Does a command and answers with its acknowledgement; raises EnfiladeError, or TimeoutError.

        Whoever gives it an id of their own may send it again after anything, and it is still done once.
        """
        command_id = command_id or uuid.uuid4().hex
        command: dict[str, Any] = {"v": 1, "id": command_id, "kind": kind, "base": base, "body": body}
        command["random"] = secrets.token_hex(16)  # goes into the dice, so that the server alone does not
        waiting = _Waiting(command, self._patience)
        with self._changed:
            self._waiting[command_id] = waiting
            self._changed.notify_all()
            self._changed.wait_for(lambda: waiting.answer or self._refused, patience)
            self._waiting.pop(command_id, None)
        if waiting.answer is None:
            raise self._refused or TimeoutError(f"No answer to {kind} in {patience} seconds.")
        if waiting.answer["ok"]:
            return waiting.answer
        raise as_error(waiting.answer["error"])

    def wait_until(self, holds: Callable[[Replica], object], patience: float = 10) -> None:
        """Waits until something holds of the replica; raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: holds(self.replica), patience):
                raise TimeoutError(f"That did not come in {patience} seconds.")

    def close(self) -> None:
        """Hangs up for good."""
        with self._changed:
            self._is_open = False
            self._changed.notify_all()
        self._thread.join()
        self._socket.disconnect()
        self._wire.shutdown()  # type: ignore[no-untyped-call]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The line's own thread: it alone connects and emits.

    def _new_socket(self) -> Any:
        socket = socketio.Client(
            reconnection=False,
            handle_sigint=False,
            websocket_extra_options={
                "skip_utf8_validation": True,  # decoding the text shows it anyway
                "class_": self._new_wire,
            },
        )
        socket.on("update", self._take)
        socket.on("connect", self._wake)
        return socket

    def _new_wire(self, **options: Any) -> WebSocket:
        """What a connection goes over; kept, as Engine.IO's client leaves one open that was cut off."""
        self._wire = WebSocket(**options)
        return self._wire

    def _keep_up(self) -> None:
        failures = 0
        while self._is_open and self._refused is None:
            if not self._is_connected:
                failures = 0 if self._connect() else failures + 1
                if failures:
                    self._pause(failures)
                    continue
            self._send_what_is_due()
            with self._changed:
                self._changed.wait(_TICK)

    def _pause(self, failures: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_open, self._patience.after_failures(failures))

    def _connect(self) -> bool:
        self._wire.shutdown()  # type: ignore[no-untyped-call]
        self._socket = self._new_socket()
        self._socket.on("connect_error", self._turned_away)
        try:
            ticket = self._way_in()
            with self._changed:
                self.replica.begins()
                auth = {**ticket, **self.replica.known()}
            self._socket.connect(
                f"{self._url}?table={ticket['table']}", auth=auth, transports=["websocket"], wait=False
            )
        except EnfiladeError as problem:
            self._give_up(problem)
            return False
        except (SocketIOError, ValueError, requests.RequestException):
            return False
        if not self._is_let_in():
            self._socket.disconnect()
            return False
        self._count = self._refusals = 0
        for waiting in self._commands():
            waiting.due = 0
        return True

    def _is_let_in(self) -> bool:
        """Waits, and says whether it was let in; the library would wait on for a connection that is gone."""
        socket, end = self._socket, time.monotonic() + self._patience.connection
        while self._is_connected and not socket.namespaces and not socket.failed_namespaces:
            with self._changed:
                self._changed.wait(_TICK)
            if time.monotonic() > end:
                return False
        return self._is_connected and bool(socket.namespaces)

    @property
    def _is_connected(self) -> bool:
        """Whether there is a connection; the library does not notice one that goes while it is being made."""
        return bool(self._socket.connected and self._socket.eio.state == "connected")

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _turned_away(self, said: Any) -> None:
        """The server's refusal; what is only not reached, or worth another try, says nothing here."""
        told = said.get("data") if isinstance(said, dict) else None
        self._refusals += isinstance(told, dict)
        if isinstance(told, dict) and self._refusals >= _REFUSALS:
            self._give_up(as_error(told))

    def _give_up(self, problem: EnfiladeError) -> None:
        if not problem.retryable:
            with self._changed:
                self._refused = problem
                self._changed.notify_all()

    def _commands(self) -> list[_Waiting]:
        with self._changed:
            return [waiting for waiting in self._waiting.values() if waiting.answer is None]

    def _send_what_is_due(self) -> None:
        for waiting in self._commands():
            if waiting.due <= time.monotonic() and self._is_connected:
                waiting.sent()
                self._count += 1
                hear = partial(self._hear, self._socket)
                with suppress(SocketIOError):  # lost just now: it is sent again
                    self._socket.emit("command", {**waiting.command, "n": self._count}, callback=hear)

    def _hear(self, socket: Any, answer: dict[str, Any]) -> None:
        error = answer.get("error", {})
        if error.get("code") == "out-of-order":
            socket.disconnect()  # something was lost on the way: all that waits is sent again
            return
        with self._changed:
            why = self.replica.take_missed(error) if error else ""
            waiting = self._waiting.pop(answer["id"], None)
            if waiting is not None:
                waiting.answer = answer
                if waiting.command["kind"] == "sync":
                    self.replica.begins()
            self._ask_anew(why)
            self._changed.notify_all()

    def _take(self, update: dict[str, Any]) -> None:
        with self._changed:
            self._ask_anew(self.replica.take(update))
            self._take_part(update)
            self._changed.notify_all()
        self._on_update(update)

    def _ask_anew(self, why: str) -> None:
        """Asks for a snapshot, where there is a reason to."""
        if why:
            self._put("sync", {"why": why})

    def _take_part(self, update: dict[str, Any]) -> None:
        """Gives what this player committed to in the table's dice, and commits to what comes next."""
        body = self.part.answer(update)
        if body:
            self._put("dice.contribute", body)

    def _put(self, kind: str, body: dict[str, Any]) -> None:
        command_id = uuid.uuid4().hex
        command = {"v": 1, "id": command_id, "kind": kind, "base": None, "body": body}
        self._waiting[command_id] = _Waiting(command, self._patience)
