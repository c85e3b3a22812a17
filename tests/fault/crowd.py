"""Lines that all play at once, each at its own table; one process of several.

`python -m gevent.monkey --module tests.fault.crowd URL FIRST CROWDS TABLES COMMANDS`: the lines are the
client that bridges are written with, and their threads are greenlets here. Their seats come in on standard
input as JSON, and what became of every command goes out in the same way.
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
"""A network that loses one packet in ten is not waited for as a good one is."""

IN_FLIGHT = 3
SILENCE_SECONDS = 90
"""After how long without its answer a command is unanswered."""

COLUMNS, ROWS = 8, 8
TOKENS = ("bran", "aldis", "wren", "ilvane")


def command(number: int) -> tuple[str, dict[str, Any]]:
    """The command of that number, always the same: a move, and now and then an attack."""
    dice = random.Random(number)
    if number % 5 == 0:
        return "act", {"act": game.ATTACK, "override": "Torture"}
    cell = [dice.randrange(COLUMNS), dice.randrange(ROWS)]
    return "token.move", {"token": dice.choice(TOKENS), "at": cell}


class Witness(LiveClient):
    """A line that keeps every answer it hears, and notices one that is not the one it had."""

    def __init__(self, url: str, seat: dict[str, str]) -> None:
        self.answers: dict[str, tuple[int | None, bytes]] = {}
        """Of each command: the entry its first answer named (None for a refusal), and that answer's hash."""
        self.wrong: Counter[str] = Counter()
        self.sent = 0
        self.ended = 0.0
        super().__init__(url, **seat, patience=PATIENCE)

    def play(self, numbers: Iterator[int]) -> None:
        """Does some commands, several at once."""
        gevent.joinall([gevent.spawn(self._do_all, numbers) for _ in range(IN_FLIGHT)], raise_error=True)
        self.ended = time.monotonic()

    def _do_all(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            kind, body = command(number)
            try:
                self.send(kind, body, patience=SILENCE_SECONDS, command_id=f"command-{number}")
            except TimeoutError:
                self.wrong["unanswered"] += 1
            except EnfiladeError:
                self.wrong["refused"] += 1

    def _send_what_is_due(self) -> None:
        before = self._count
        super()._send_what_is_due()
        self.sent += self._count - before

    def _hear(self, socket: Any, answer: dict[str, Any]) -> None:
        if answer["id"].startswith("command-") and (
            answer["ok"] or answer["error"]["code"] != "out-of-order"
        ):
            told = {key: value for key, value in answer.items() if key != "dup"}
            found = answer.get("seq"), hashlib.sha256(msgspec.json.encode(told, order="sorted")).digest()
            self.wrong["changed"] += self.answers.setdefault(answer["id"], found) != found
        super()._hear(socket, answer)


def played(url: str, seats: list[dict[str, str]], numbers: list[range]) -> list[dict[str, Any]]:
    """What each line was answered, and what went wrong with it."""
    lines = [Witness(url, seat) for seat in seats]
    began = time.monotonic()
    plays = [gevent.spawn(line.play, iter(share)) for line, share in zip(lines, numbers, strict=True)]
    gevent.joinall(plays, raise_error=True)
    for line in lines:
        line.close()
    return [
        {
            "seqs": {name: seq for name, (seq, _) in line.answers.items() if seq is not None},
            "wrong": line.wrong,
            "desyncs": line.replica.desyncs,
            "sent": line.sent,
            "seconds": line.ended - began,
        }
        for line in lines
    ]


def main() -> None:
    first, crowds, tables, commands = map(int, sys.argv[2:])
    seats = json.load(sys.stdin)
    numbers = [range(first + i * crowds, commands, tables) for i in range(len(seats))]
    json.dump(played(sys.argv[1], seats, numbers), sys.stdout)


if __name__ == "__main__":
    main()
