"""Clients that play at once, each at its own table; one process of several.

`python -m gevent.monkey --module tests.fault.client_workers URL FIRST WORKERS TABLES COMMANDS` uses the
client that bridges use; its threads are greenlets here. It reads its seats from standard input as JSON, and
writes the record of each client to standard output.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gevent
import msgspec

from enfilade.client.live import LiveClient, RetryPolicy
from enfilade.errors import EnfiladeError
from tests.fault import game

PATIENCE = RetryPolicy(answer=0.5, longest_answer=2, connection=0.5, pause=0.01, longest_pause=0.5)
"""Short waits, for a network that loses one packet in ten."""

IN_FLIGHT = 3
SILENCE_SECONDS = 90
"""The time after which a command counts as unanswered."""

COLUMNS, ROWS = 8, 8
TOKENS = ("bran", "aldis", "wren", "ilvane")


def command(number: int) -> tuple[str, dict[str, Any]]:
    """Return the command of a number, always the same: a move, or every fifth time an attack."""
    dice = random.Random(number)
    if number % 5 == 0:
        return "act", {"act": game.ATTACK, "override": "Torture"}
    cell = [dice.randrange(COLUMNS), dice.randrange(ROWS)]
    return "token.move", {"token": dice.choice(TOKENS), "at": cell}


class RecordingClient(LiveClient):
    """A client that records each answer, and counts answers that differ from the first."""

    def __init__(self, url: str, seat: dict[str, str]) -> None:
        self.answers: dict[str, tuple[int | None, bytes]] = {}
        """For each command the entry that its first answer named (None if refused), and the answer's hash."""
        self.wrong: Counter[str] = Counter()
        self.sent = 0
        self.ended = 0.0
        super().__init__(url, **seat, retry_policy=PATIENCE)

    def play(self, numbers: Iterator[int]) -> None:
        """Send commands, several at a time."""
        gevent.joinall([gevent.spawn(self._send_all, numbers) for _ in range(IN_FLIGHT)], raise_error=True)
        self.ended = time.monotonic()

    def _send_all(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            kind, body = command(number)
            try:
                self.send(kind, body, timeout=SILENCE_SECONDS, command_id=f"command-{number}")
            except TimeoutError:
                self.wrong["unanswered"] += 1
            except EnfiladeError:
                self.wrong["refused"] += 1

    def _send_due_commands(self) -> None:
        before = self._count
        super()._send_due_commands()
        self.sent += self._count - before

    def _handle_answer(self, socket: Any, answer: dict[str, Any]) -> None:
        is_refused = not answer["ok"] and answer["error"]["code"] == "out-of-order"
        if answer["id"].startswith("command-") and not is_refused:
            same = {key: value for key, value in answer.items() if key != "dup"}
            found = answer.get("seq"), hashlib.sha256(msgspec.json.encode(same, order="sorted")).digest()
            self.wrong["changed"] += self.answers.setdefault(answer["id"], found) != found
        super()._handle_answer(socket, answer)


def play(url: str, seats: list[dict[str, str]], numbers: list[range]) -> list[dict[str, Any]]:
    """Return the record of each client: its answers, failures and times."""
    clients = [RecordingClient(url, seat) for seat in seats]
    began = time.monotonic()
    plays = [gevent.spawn(one.play, iter(share)) for one, share in zip(clients, numbers, strict=True)]
    gevent.joinall(plays, raise_error=True)
    for client in clients:
        client.close()
    return [
        {
            "seqs": {name: seq for name, (seq, _) in client.answers.items() if seq is not None},
            "wrong": client.wrong,
            "desyncs": client.replica.desyncs,
            "sent": client.sent,
            "seconds": client.ended - began,
        }
        for client in clients
    ]


def main() -> None:
    first, workers, tables, commands = map(int, sys.argv[2:])
    seats = json.load(sys.stdin)
    numbers = [range(first + i * workers, commands, tables) for i in range(len(seats))]
    json.dump(play(sys.argv[1], seats, numbers), sys.stdout)


if __name__ == "__main__":
    main()
