"""Servers as their own processes on real ports, and a client that can violate the protocol."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import requests
from tests import fork_server
from websocket import ABNF, WebSocket, WebSocketTimeoutException, create_connection

BARE = "tests.unit.transport.bare_server"
Process = fork_server.Process | subprocess.Popen[str]
TIMEOUT_SECONDS = 10
HIGH_LIMITS = {"handshakes_burst": 10_000, "wrong_keys_burst": 10_000}


@dataclass
class Server:
    """A server process, its port and its log."""

    port: int
    process: Process
    log_path: Path
    first_line: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def log(self) -> str:
        return self.log_path.read_text()


@dataclass
class Raw:
    """A Socket.IO client that sends bare packets, so that it can send what no library would."""

    ws: WebSocket
    updates: list[Any] = field(default_factory=list)
    last_id: int = 0
    commands: int = 0

    def send(self, packet: str) -> None:
        self.ws.send(packet)

    def call(self, event: Any, *arguments: Any) -> Any:
        """Send an event and return its acknowledgment; `updates` keeps the updates that precede it."""
        return self.call_raw(json.dumps([event, *arguments]))

    def add_number(self, command: dict[str, Any]) -> dict[str, Any]:
        """Return a command with its number on this connection."""
        self.commands += 1
        return {**command, "n": self.commands}

    def call_raw(self, payload: str) -> Any:
        self.last_id += 1
        self.send(f"42{self.last_id}{payload}")
        return self.wait_for_ack(self.last_id)

    def wait_for_ack(self, number: int) -> Any:
        while True:
            packet = self.receive()
            if packet.startswith(f"43{number}["):
                answer = json.loads(packet.removeprefix(f"43{number}"))
                return answer[0] if len(answer) == 1 else answer
            self.updates.append(json.loads(packet.removeprefix("42")))

    def receive(self) -> str:
        """Return the next packet that is not a ping."""
        while (packet := self.ws.recv()) == "2":
            self.send("3")
        return str(packet)

    def is_cut(self) -> bool:
        """Return whether the server has ended the connection, after all earlier data is read."""
        try:
            while self.ws.recv_data()[0] != ABNF.OPCODE_CLOSE:
                pass
        except (TimeoutError, WebSocketTimeoutException):
            return False
        except Exception:
            return True
        return True


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start the transport alone, and end it after the test."""
    started: list[Process] = []

    def start_bare(*arguments: str, **settings: object) -> Server:
        server = launch(BARE, arguments, settings, tmp_path)
        started.append(server.process)
        return server

    yield start_bare
    for process in started:
        end(process)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start the transport alone, with the default limits except those on connecting."""
    server = launch(BARE, (), HIGH_LIMITS, tmp_path_factory.mktemp("bare"))
    yield server
    end(server.process)


@dataclass
class GameServer(Server):
    """The real server with its first demo table, and the keys that open it."""

    table: str = ""
    gm_key: str = ""
    spectator_key: str = ""

    def auth(self, role: str = "gm", origin: str = "", **more: Any) -> dict[str, Any]:
        key = self.gm_key if role == "gm" else self.spectator_key
        return {"table": self.table, "ticket": self.ticket(key, origin), **more}

    def ticket(self, key: str, origin: str = "") -> str:
        """Return a new ticket for a key, by default for a page of the server's own origin."""
        answer = self.request("POST", "tickets", key, headers={"Origin": origin or self.url})
        assert answer.ok, answer.text
        return str(answer.json()["ticket"])

    def request(self, method: str, path: str, key: str = "", headers: Any = None, **options: Any) -> Any:
        bearer = {"Authorization": f"Bearer {key}"} if key else {}
        url = f"{self.url}/api/tables/{self.table}/{path}".removesuffix("/")
        return requests.request(method, url, headers={**bearer, **(headers or {})}, timeout=10, **options)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """Start the real server as `enfilade serve` does."""
    server = launch_game(tmp_path_factory.mktemp("game"))
    yield server
    end(server.process)


def wait_until(condition: Callable[[], object], seconds: float = TIMEOUT_SECONDS) -> None:
    """Wait until a condition of another process is true. Raises AssertionError after some seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"still not true after {seconds} seconds"
        time.sleep(0.01)


def launch_game(folder: Path, *, is_forked: bool = True, **settings: object) -> GameServer:
    """Start the real server; as a process of its own if a test needs what that inherits."""
    origins = {"origins": "https://vtt.example.org", **HIGH_LIMITS, **settings}
    server = launch("enfilade", ["serve"], origins, folder, r"GM link: \S+", is_forked=is_forked)
    assert server.process.stdout is not None
    gm = server.first_line.split("#table=")[1].split("&key=")
    spectator = server.process.stdout.readline().split("&key=")[1]
    port = int(re.search(r":(\d+)/", server.first_line)[1])  # type: ignore[index]
    return GameServer(port, server.process, server.log_path, "", gm[0], gm[1].strip(), spectator.strip())


def launch(
    module: str,
    arguments: Sequence[str],
    settings: Mapping[str, object],
    folder: Path,
    mark: str = r"\d+",
    *,
    is_forked: bool = True,
) -> Server:
    """Start a module that prints a line with a mark when it serves; without a mark its port."""
    log_path = folder / "server.log"
    named = {f"ENFILADE_{name.upper()}": str(value) for name, value in settings.items()}
    environment = {**os.environ, "ENFILADE_PORT": "0", "ENFILADE_DATA": str(folder), **named}
    start = fork_server.start if is_forked else fork_server.start_alone
    with log_path.open("w") as log:
        process = start(module, arguments, environment, log)
    assert process.stdout is not None
    line = next((line for line in process.stdout if re.match(mark, line)), "")
    assert line, log_path.read_text()
    return Server(int(line) if line.strip().isdigit() else 0, process, log_path, line)


def end(process: Process) -> None:
    process.terminate()
    process.wait(TIMEOUT_SECONDS)
    if process.stdout:
        process.stdout.close()


@pytest.fixture
def connect() -> Iterator[Callable[..., Raw]]:
    """Connect a raw client to a server with Socket.IO's `auth`."""
    opened: list[WebSocket] = []

    def connect_one(server: Server, auth: Any = None, *, receive_buffer: int = 0, **options: Any) -> Raw:
        raw = Raw(open_socket(server, receive_buffer, **options))
        opened.append(raw.ws)
        assert raw.receive().startswith("0{")
        raw.send("40" + (json.dumps(auth) if auth is not None else ""))
        return raw

    yield connect_one
    for ws in opened:
        ws.shutdown()


def open_socket(server: Server, receive_buffer: int = 0, **options: Any) -> WebSocket:
    small = ((socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer),) if receive_buffer else ()
    url = f"ws://127.0.0.1:{server.port}/socket.io/?EIO=4&transport=websocket"
    return create_connection(url, timeout=TIMEOUT_SECONDS, sockopt=small, **options)
