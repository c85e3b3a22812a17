"""`python -m bench.load.crowd PLAN`: all seats of all tables in one lean process, timing every answer.

Bare WebSocket frames on non-blocking sockets, as the crowd shares the machine with the server it loads. It
looks for what has come every other millisecond, and not at each frame: a client that wakes for each has the
server pay for that, and players have machines of their own. So what it measures is up to that much too long.
It prints one JSON object: the seconds that acknowledgements and deliveries took, refusals, its own work.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import sys
import time
from collections import Counter
from heapq import heapify, heapreplace
from pathlib import Path
from typing import Any

import msgspec

from enfilade.client.http import connect_credentials

_UPGRADE = (
    "GET /socket.io/?EIO=4&transport=websocket&table={table} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    "Upgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_ID = b'"id":"load-'
SETTLE_SECONDS = 3.0
"""Before the clock starts: the snapshots have been read, the first overlays been drawn."""
LOOK_SECONDS = 0.002
"""How long after one look for what has come the next one is."""
_RECEIVED = memoryview(bytearray(65_536))
"""What has just come to some seat; a buffer of its own would be made for each read."""


class Plan(msgspec.Struct, frozen=True):
    """The seats of each table, and the commands that each GM sends repeatedly.

    With a rate of 0 (`per_second`) each GM sends the next command once the last is acknowledged.
    """

    port: int
    tables: list[list[dict[str, Any]]]
    first: dict[str, Any] | None
    commands: list[dict[str, Any]]
    per_second: float
    seconds: float


class Seat:
    """One connection: frames in, frames out."""

    def __init__(self, port: int, auth: dict[str, Any]) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._data = bytearray()
        self._asked = 0
        self.sock.sendall(_UPGRADE.replace("{table}", auth["table"]).encode())
        while (end := self._data.find(b"\r\n\r\n")) < 0:
            self._data += self.sock.recv(65_536)
        del self._data[: end + 4]
        self.send(
            "40"
            + json.dumps(
                auth if "key" not in auth else connect_credentials(f"http://127.0.0.1:{port}", **auth)
            )
        )
        while not any(frame.startswith(b"40") for frame in self.heard()):
            pass
        self.sock.setblocking(False)

    def send(self, text: str) -> None:
        """Sends a text frame; its mask is of zeros, which changes nothing."""
        data = text.encode()
        size = bytes([128 + len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        self.sock.sendall(b"\x81" + size + bytes(4) + data)

    def ask(self, ack: int, command: dict[str, Any]) -> None:
        """Sends a command with its number on this connection; its answer comes under `ack`."""
        self._asked += 1
        self.send(f"42{ack}" + msgspec.json.encode(["command", {**command, "n": self._asked}]).decode())

    def heard(self) -> list[bytes]:
        """The frames that are there by now."""
        count = self.sock.recv_into(_RECEIVED)
        if not count:
            raise ConnectionError("The server has closed a connection.")
        self._data += _RECEIVED[:count]
        frames, at, data = [], 0, self._data
        while len(data) - at >= 2:
            short = data[at + 1]
            head = 2 if short < 126 else 4 if short == 126 else 10
            length = short if short < 126 else int.from_bytes(data[at + 2 : at + head])
            if len(data) - at < head + length:
                break
            frames.append(bytes(data[at + head : at + head + length]))
            at += head + length
        del data[:at]
        return frames


class Load:
    """All seats, and what they have measured."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._tables = [[Seat(plan.port, auth) for auth in table] for table in plan.tables]
        self._seats = {seat.sock.fileno(): seat for seats in self._tables for seat in seats}
        self._epoll = select.epoll()
        for number in self._seats:
            self._epoll.register(number, select.EPOLLIN)
        self._sent: dict[bytes, float] = {}
        self._last: dict[Seat, bytes] = {}
        self._ends = 0.0
        self.acks: list[float] = []
        self.deliveries: list[float] = []
        self.counts: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()

    def settle(self) -> None:
        """Has every game master show an overlay, and waits for quiet."""
        if self._plan.first:
            for gm, *_ in self._tables:
                gm.ask(999_999, self._plan.first)
        self._listen_until(time.monotonic() + SETTLE_SECONDS)

    def play(self) -> None:
        """Has every table play for the planned time, and listens a little longer."""
        if not self._plan.per_second:
            self._ends = time.monotonic() + self._plan.seconds
            for table in range(len(self._tables)):
                self._send(table, 0, time.monotonic())
            self._listen_until(self._ends + 2)
            return
        step, start = 1 / self._plan.per_second, time.monotonic()
        due = [(start + step * i / len(self._tables), i, 0) for i in range(len(self._tables))]
        heapify(due)
        while (now := time.monotonic()) < start + self._plan.seconds:
            while due[0][0] <= now:
                when, table, number = due[0]
                self._send(table, number, when)
                heapreplace(due, (when + step, table, number + 1))
            self._listen()
        self._listen_until(time.monotonic() + 2)

    def _send(self, table: int, number: int, when: float) -> None:
        commands = self._plan.commands
        wanted = commands[(table + number) % len(commands)]
        name = f"{table}-{number}"
        self._sent[name.encode()] = when  # when it should have gone out: waiting for us counts too
        self.counts["sent"] += 1
        self._tables[table][0].ask(table * 1_000_000 + number, {**wanted, "id": f"load-{name}"})

    def _listen_until(self, end: float) -> None:
        while time.monotonic() < end:
            self._listen()

    def _listen(self) -> None:
        time.sleep(LOOK_SECONDS)
        for number, _ in self._epoll.poll(0):
            seat = self._seats[number]
            for frame in seat.heard():
                self._take(seat, frame)

    def _take(self, seat: Seat, frame: bytes) -> None:
        now = time.monotonic()
        if frame == b"2":
            seat.send("3")
        elif frame.startswith(b"43"):
            self._take_ack(frame, now)
        elif b'"kind":"entries"' in frame[:120]:
            self._take_entries(seat, frame, now)
        else:
            self.counts["overlays"] += b'"kind":"overlay"' in frame[:120]

    def _take_ack(self, frame: bytes, now: float) -> None:
        number = int(frame[2 : frame.index(b"[")])
        if not frame.find(b'"ok":true') > 0:
            self.problems[str(json.loads(frame[frame.index(b"[") :])[0]["error"])] += 1
        if number != 999_999:
            table, place = divmod(number, 1_000_000)
            self.acks.append(now - self._sent[b"%d-%d" % (table, place)])
            if now < self._ends:
                self._send(table, place + 1, now)

    def _take_entries(self, seat: Seat, frame: bytes, now: float) -> None:
        at = frame.find(_ID)
        while at >= 0:
            end = frame.index(b'"', at + len(_ID))
            name = frame[at + len(_ID) : end]
            if self._last.get(seat) != name:
                self._last[seat] = name
                self.deliveries.append(now - self._sent[name])
            at = frame.find(_ID, end)


def main(plan: Path) -> None:
    crowd = Load(msgspec.json.decode(plan.read_bytes(), type=Plan))
    crowd.settle()
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.process_time()
    crowd.play()
    said = {
        "acks": crowd.acks,
        "deliveries": crowd.deliveries,
        "counts": crowd.counts,
        "problems": crowd.problems,
        "cpu": time.process_time() - began,
    }
    print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
