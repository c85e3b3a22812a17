"""A seat's line to its table over Socket.IO, with a copy of the scene kept in step: `enfilade[live]`.

    with Line("http://127.0.0.1:8090", table="…", key="…") as line:
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
from functools import partial
from threading import Condition, Thread
from typing import Any, Self

import requests
import socketio
from socketio.exceptions import SocketIOError

from enfilade.client import as_error, way_in
from enfilade.errors import EnfiladeError
from enfilade.part import OwnPart
from enfilade.replica import Replica

ANSWER_SECONDS = 1.0
"""How long an answer is waited for at least; a random part of up to ten seconds is added, more each time."""

MOST_PATIENCE_SECONDS = 10.0
RECONNECT_SECONDS = (0.5, 10.0)
_TICK = 0.05


class _Waiting:
    """A command without an answer, and when it is sent again."""

    def __init__(self, command: dict[str, Any]) -> None:
        self.command = command
        self.answer: dict[str, Any] | None = None
        self.times = 0
        self.due = 0.0

    def sent(self) -> None:
        """Counts a time it was sent."""
        cap = min(MOST_PATIENCE_SECONDS, ANSWER_SECONDS * 2.0**self.times)
        self.due = time.monotonic() + ANSWER_SECONDS + random.uniform(0, cap)
        self.times += 1


class Line:
    """One seat's line, entered with a key; a ticket is got for each connection."""

    def __init__(
        self,
        url: str,
        table: str,
        key: str,
        on_update: Callable[[dict[str, Any]], None] = lambda _: None,
    ) -> None:
        self.replica = Replica()
        self.part = OwnPart(table)
        self._url = url
        self._way_in = partial(way_in, url, table, key, origin=url)
        self._on_update = on_update
        self._changed = Condition()
        self._waiting: dict[str, _Waiting] = {}
        self._count = 0
        self._refused: EnfiladeError | None = None
        self._is_open = True
        self._socket = self._new_socket()
        self._thread = Thread(target=self._keep_up, daemon=True)
        self._thread.start()

    def send(
        self, kind: str, body: dict[str, Any], base: int | None = None, patience: float = 60
    ) -> dict[str, Any]:
        """Does a command and answers with its acknowledgement; raises EnfiladeError, or TimeoutError."""
        command_id = uuid.uuid4().hex
        command: dict[str, Any] = {"v": 1, "id": command_id, "kind": kind, "base": base, "body": body}
        command["random"] = secrets.token_hex(16)  # goes into the dice, so that the server alone does not
        waiting = _Waiting(command)
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The line's own thread: it alone connects and emits.

    def _new_socket(self) -> Any:
        socket = socketio.Client(reconnection=False, handle_sigint=False)
        socket.on("update", self._take)
        return socket

    def _keep_up(self) -> None:
        failures = 0
        while self._is_open and self._refused is None:
            if not self._socket.connected:
                failures = 0 if self._connect() else failures + 1
                if failures:
                    self._pause(failures)
                    continue
            self._send_what_is_due()
            with self._changed:
                self._changed.wait(_TICK)

    def _pause(self, failures: int) -> None:
        least, most = RECONNECT_SECONDS
        with self._changed:
            self._changed.wait_for(
                lambda: not self._is_open, random.uniform(least, min(most, least * 2.0**failures))
            )

    def _connect(self) -> bool:
        self._socket = self._new_socket()
        self._socket.on("connect_error", self._turned_away)
        try:
            ticket = self._way_in()
            with self._changed:
                self.replica.begins()
                auth = {**ticket, **self.replica.known()}
            self._socket.connect(self._url, auth=auth, transports=["websocket"], wait_timeout=10)
        except EnfiladeError as problem:
            self._give_up(problem)
            return False
        except (SocketIOError, ValueError, requests.RequestException):
            return False
        self._count = 0
        for waiting in self._commands():
            waiting.due = 0
        return True

    def _turned_away(self, said: Any) -> None:
        """The server's refusal; what is only not reached, or worth another try, says nothing here."""
        told = said.get("data") if isinstance(said, dict) else None
        if isinstance(told, dict):
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
            if waiting.due <= time.monotonic() and self._socket.connected:
                waiting.sent()
                self._count += 1
                with suppress(SocketIOError):  # lost just now: it is sent again
                    self._socket.emit("command", {**waiting.command, "n": self._count}, callback=self._hear)

    def _hear(self, answer: dict[str, Any]) -> None:
        error = answer.get("error", {})
        if error.get("code") == "out-of-order":
            self._socket.disconnect()  # something was lost on the way: all that waits is sent again
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
            self._put("dice.part", body)

    def _put(self, kind: str, body: dict[str, Any]) -> None:
        command_id = uuid.uuid4().hex
        command = {"v": 1, "id": command_id, "kind": kind, "base": None, "body": body}
        self._waiting[command_id] = _Waiting(command)
