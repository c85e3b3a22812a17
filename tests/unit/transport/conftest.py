"""Real clients over real ports: servers as their own processes, and a client that can misbehave."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import requests
from websocket import ABNF, WebSocket, WebSocketTimeoutException, create_connection

HERE = Path(__file__).parent
PATIENCE_SECONDS = 10
MANY_TESTS = {"handshakes_burst": 10_000, "wrong_keys_burst": 10_000}


@dataclass
class Server:
    """A server process: where it listens, and what it has written to its log so far."""

    port: int
    process: subprocess.Popen[str]
    log_path: Path
    first_line: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def log(self) -> str:
        return self.log_path.read_text()


@dataclass
class Raw:
    """A Socket.IO client as bare frames, so that it can say what no library would."""

    ws: WebSocket
    updates: list[Any] = field(default_factory=list)
    last_id: int = 0
    commands: int = 0

    def say(self, packet: str) -> None:
        self.ws.send(packet)

    def ask(self, event: Any, *arguments: Any) -> Any:
        """Sends an event and waits for its acknowledgement, keeping the updates that come before it."""
        return self.ask_raw(json.dumps([event, *arguments]))

    def counted(self, command: dict[str, Any]) -> dict[str, Any]:
        """A command with its number on this connection."""
        self.commands += 1
        return {**command, "n": self.commands}

    def ask_raw(self, payload: str) -> Any:
        self.last_id += 1
        self.say(f"42{self.last_id}{payload}")
        return self.acknowledgement(self.last_id)

    def acknowledgement(self, number: int) -> Any:
        while True:
            packet = self.next()
            if packet.startswith(f"43{number}["):
                answer = json.loads(packet.removeprefix(f"43{number}"))
                return answer[0] if len(answer) == 1 else answer
            self.updates.append(json.loads(packet.removeprefix("42")))

    def next(self) -> str:
        """The next packet that is not a ping."""
        while (packet := self.ws.recv()) == "2":
            self.say("3")
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
    """Starts a server script of this folder, which prints its port, and ends it after the test."""
    started: list[subprocess.Popen[str]] = []

    def start_one(script: str, *arguments: str, **settings: object) -> Server:
        server = launch([str(HERE / script), *arguments], settings, tmp_path)
        started.append(server.process)
        return server

    yield start_one
    for process in started:
        end(process)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The transport alone, with the usual limits but that many tests may connect from one address."""
    server = launch([str(HERE / "bare_server.py")], MANY_TESTS, tmp_path_factory.mktemp("bare"))
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
        answer = self.ask("POST", "tickets", key, headers={"Origin": origin or self.url})
        assert answer.ok, answer.text
        return str(answer.json()["ticket"])

    def ask(self, method: str, what: str, key: str = "", headers: Any = None, **request: Any) -> Any:
        bearer = {"Authorization": f"Bearer {key}"} if key else {}
        url = f"{self.url}/api/tables/{self.table}/{what}"
        return requests.request(method, url, headers={**bearer, **(headers or {})}, timeout=10, **request)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameServer]:
    """The real server, as `enfilade serve` starts it."""
    server = launch_game(tmp_path_factory.mktemp("game"))
    yield server
    end(server.process)


def launch_game(folder: Path, **settings: object) -> GameServer:
    origins = {"origins": "https://vtt.example.org", **MANY_TESTS, **settings}
    server = launch(["-m", "enfilade", "serve"], origins, folder, r"GM link: \S+")
    assert server.process.stdout is not None
    gm = server.first_line.split("#table=")[1].split("&key=")
    spectator = server.process.stdout.readline().split("&key=")[1]
    port = int(re.search(r":(\d+)/", server.first_line)[1])  # type: ignore[index]
    return GameServer(port, server.process, server.log_path, "", gm[0], gm[1].strip(), spectator.strip())


def launch(arguments: list[str], settings: dict[str, object], folder: Path, mark: str = r"\d+") -> Server:
    log_path = folder / "server.log"
    named = {f"ENFILADE_{name.upper()}": str(value) for name, value in settings.items()}
    with log_path.open("w") as log:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            env={**os.environ, "ENFILADE_PORT": "0", "ENFILADE_DATA": str(folder), **named},
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert process.stdout is not None
    line = next((line for line in process.stdout if re.match(mark, line)), "")
    assert line, log_path.read_text()
    return Server(int(line) if line.strip().isdigit() else 0, process, log_path, line)


def end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.wait(PATIENCE_SECONDS)
    if process.stdout:
        process.stdout.close()


@pytest.fixture
def connect() -> Iterator[Callable[..., Raw]]:
    """Connects a raw client to a server; `auth` is sent as Socket.IO's."""
    opened: list[WebSocket] = []

    def connect_one(server: Server, auth: Any = None, *, receive_buffer: int = 0, **options: Any) -> Raw:
        raw = Raw(open_socket(server, receive_buffer, **options))
        opened.append(raw.ws)
        assert raw.next().startswith("0{")
        raw.say("40" + (json.dumps(auth) if auth is not None else ""))
        return raw

    yield connect_one
    for ws in opened:
        ws.shutdown()


def open_socket(server: Server, receive_buffer: int = 0, **options: Any) -> WebSocket:
    small = ((socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer),) if receive_buffer else ()
    url = f"ws://127.0.0.1:{server.port}/socket.io/?EIO=4&transport=websocket"
    return create_connection(url, timeout=PATIENCE_SECONDS, sockopt=small, **options)
