"""`python -m bench.fairness.attackers ATTACK URL`: attack a server.

Its input has a line with the attacking table, a line at which the attack begins, and one at which it ends.

The attackers of a table are real Socket.IO clients that stay within the protocol and ask for all that the
limits of their seats allow. They have addresses of their own, and give way to the server and the honest
player, because attackers elsewhere take nothing of its processors.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import socket
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import requests
import socketio
from socketio.exceptions import SocketIOError

from bench.fairness.addresses import FromAddress
from bench.fairness.shares import SHARED

_GIVING_WAY = 10
_TIMEOUT_SECONDS = 30
_LOOK_SECONDS = 0.2
"""How soon an attacker notices that it was cut, and its pause after an attempt to connect that failed."""
_SILENT = 2_000
_PER_ADDRESS = 250
_OVER = Event()

Ask = tuple[str, dict[str, Any]]


class Attacker:
    """A seat that asks as often as the server lets it, and connects again when the server cuts it."""

    def __init__(self, url: str, table: str, key: str, address: str) -> None:
        self._url, self._table, self._key, self._address = url, table, key, address
        self.refusals = self.answers = self.cuts = 0
        self._connect()

    def _connect(self) -> None:
        """Connect with a new ticket. Raises requests.RequestException, OSError or SocketIOError."""
        url, table = self._url, self._table
        http = requests.Session()
        http.mount("http://", FromAddress(self._address))
        ticket = http.post(
            f"{url}/api/tables/{table}/tickets",
            headers={"Authorization": f"Bearer {self._key}", "Origin": url},
            timeout=_TIMEOUT_SECONDS,
        ).json()["ticket"]
        options = {"socket": _opened(url, self._address, _TIMEOUT_SECONDS)}
        self._socket = socketio.Client(
            reconnection=False, handle_sigint=False, websocket_extra_options=options
        )
        self._socket.connect(
            f"{url}?table={table}",
            auth={"table": table, "ticket": ticket},
            transports=["websocket"],
            wait_timeout=_TIMEOUT_SECONDS,
        )
        self._numbers = itertools.count(1)

    def close(self) -> None:
        """End the connection."""
        self._socket.disconnect()

    def ask(self, kind: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a command and return its answer; none after half a minute, or once the connection is cut."""
        command = {"v": 1, "id": uuid.uuid4().hex, "n": next(self._numbers), "kind": kind, "body": body}
        answered, answers = Event(), []

        def note(answer: dict[str, Any]) -> None:
            answers.append(answer)
            answered.set()

        with suppress(SocketIOError):  # it was cut just now
            self._socket.emit("command", command, callback=note)
        ends = time.monotonic() + _TIMEOUT_SECONDS
        while self._socket.connected and time.monotonic() < ends and not answered.wait(_LOOK_SECONDS):
            pass
        return answers[0] if answers else {}

    def press(self, asks: Iterator[Ask], pause: float = 0.0) -> None:
        """Ask one after the other until the attack is over, and wait as long as the server says."""
        for kind, body in asks:
            if _OVER.is_set():
                return
            if not self._socket.connected:
                self.cuts += 1
                self._connect_or_wait()
                continue
            answer = self.ask(kind, body)
            self.answers += bool(answer)
            error = answer.get("error", {})
            self.refusals += bool(error)
            _OVER.wait(max(pause, error.get("retry_after_ms", 0) / 1000))

    def _connect_or_wait(self) -> None:
        """Connect, or wait before the next attempt."""
        try:
            self._connect()
        except (
            requests.RequestException,
            OSError,
            SocketIOError,
            KeyError,
        ):  # KeyError: no ticket, but an error
            _OVER.wait(_LOOK_SECONDS)


def _moves(scene: dict[str, Any]) -> Iterator[Ask]:
    """Move tokens one cell to and fro."""
    for number in itertools.count():
        token = scene["tokens"][number % len(scene["tokens"])]
        x, y = token["at"]
        at = [x + number // len(scene["tokens"]) % 2, y]
        yield "token.move", {"token": token["id"], "at": at, "facing": number % 4 * 90}


def _overlays(scene: dict[str, Any], first: int, step: int) -> Iterator[Ask]:
    for number in itertools.count(first, step):
        token = scene["tokens"][number % len(scene["tokens"])]
        yield "overlay.show", {"token": token["id"], "layers": None}


def _questions(scene: dict[str, Any], chance: random.Random) -> Iterator[Ask]:
    """Ask for verdicts, and for the odds of attacks that come with them."""
    while True:
        token, target = chance.sample(scene["tokens"], 2)
        verdict = {"token": token["id"], "target": target["id"]}
        yield "verdict.ask", verdict
        weapon = next(iter(token["profile"].get("weapons", ())), "")
        act = {"kind": "melee", "token": token["id"], "target": target["id"], "weapon": weapon}
        yield "act.preview", {"act": act}
        yield "overlay.show", {"token": token["id"], "layers": ["targets"]}


def _table(url: str, link: dict[str, Any], spectators: int, scene: dict[str, Any]) -> None:
    """Watch a table with spectators while its GM moves; all ask for further overlays as often as they may."""
    gm = Attacker(url, link["table"], link["gm_key"], "127.0.0.31")
    watching = [
        Attacker(url, link["table"], link["spectator_key"], f"127.0.0.{32 + number}")
        for number in range(spectators)
    ]
    _begin(gm, lambda: gm.press(_moves(scene), pause=0.1))
    for number, one in enumerate(watching):
        _begin(one, lambda one=one, number=number: one.press(_overlays(scene, number, spectators)))


def _scenes(url: str, link: dict[str, Any], scene: dict[str, Any]) -> None:
    """Set the largest scene over and over, connect to it, and read it, its log and its replay."""
    data = json.dumps(scene).encode()

    def press(method: str, path: str, key: str, address: str, body: bytes = b"") -> None:
        http = requests.Session()
        http.mount("http://", FromAddress(address))
        http.headers["Authorization"] = f"Bearer {key}"
        while not _OVER.is_set():
            with suppress(requests.RequestException):
                answer = http.request(
                    method, f"{url}/api/tables/{link['table']}/{path}", data=body, timeout=30
                )
                _COUNTS["answers"] += answer.ok
                _COUNTS["refusals"] += not answer.ok
                _OVER.wait(float(answer.headers.get("Retry-After", 0)))

    def join(key: str, address: str) -> None:
        while not _OVER.is_set():
            with suppress(requests.RequestException, OSError, SocketIOError, KeyError):
                Attacker(url, link["table"], key, address).close()
                _COUNTS["answers"] += 1
            _OVER.wait(_LOOK_SECONDS)

    gm_key, spectator_key = link["gm_key"], link["spectator_key"]
    _THREADS.append(Thread(target=press, args=("POST", "map", gm_key, "127.0.0.71", data), daemon=True))
    for number, path in enumerate(("scene", "replay", "statistics")):
        address = f"127.0.0.{72 + number}"
        _THREADS.append(Thread(target=press, args=("GET", path, spectator_key, address), daemon=True))
    _THREADS.append(Thread(target=press, args=("GET", "log", gm_key, "127.0.0.75"), daemon=True))
    _THREADS.append(Thread(target=join, args=(spectator_key, "127.0.0.76"), daemon=True))


def _asking(url: str, link: dict[str, Any], scene: dict[str, Any]) -> None:
    """Ask for verdicts and odds from the GM's seat and four addresses of spectators."""
    keys = [link["gm_key"], *[link["spectator_key"]] * 4]
    for number, key in enumerate(keys):
        one = Attacker(url, link["table"], key, f"127.0.0.{41 + number}")
        chance = random.Random(number)
        _begin(one, lambda one=one, chance=chance: one.press(_questions(scene, chance)))


def _begin(attacker: Attacker, act: Callable[[], None]) -> None:
    _ATTACKERS.append(attacker)
    _THREADS.append(Thread(target=act, daemon=True))


def _begin_all(act: Callable[[str], None], addresses: list[str]) -> None:
    _THREADS.extend(Thread(target=act, args=(address,), daemon=True) for address in addresses)


_ATTACKERS: list[Attacker] = []
_THREADS: list[Thread] = []
_COUNTS: dict[str, float] = Counter(answers=0, refusals=0)
"""Those of the attackers without a socket."""


def _silent(url: str) -> None:
    """Hold as many connections as the server takes, and open others for those that it ends."""

    def hold(address: str) -> None:
        held: list[socket.socket] = []
        while not _OVER.is_set():
            held = [one for one in held if not _has_ended(one)]
            while len(held) < _PER_ADDRESS and not _OVER.is_set():
                with suppress(OSError):
                    held.append(_opened(url, address))
            _OVER.wait(0.2)

    _begin_all(hold, [f"127.0.0.{51 + number}" for number in range(_SILENT // _PER_ADDRESS)])


def _has_ended(one: socket.socket) -> bool:
    one.setblocking(False)
    try:
        is_over = one.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        is_over = True
    if is_over:
        one.close()
    return is_over


def _opened(url: str, address: str, timeout: float = 2) -> socket.socket:
    one = socket.socket()
    one.settimeout(timeout)
    one.bind((address, 0))
    try:
        one.connect(("127.0.0.1", urlsplit(url).port or 80))
    except OSError:
        one.close()
        raise
    return one


def _headers(url: str) -> None:
    """Send requests with more headers than are read, and with headers as long as they may be."""
    many = b"".join(b"X-%d: 1\r\n" % number for number in range(150))
    heads = (
        many,
        b"X: " + b"x" * 60_000 + b"\r\n",
        b"".join(b"X-%d: %s\r\n" % (i, b"x" * 6_000) for i in range(99)),
    )

    def flood(address: str) -> None:
        for head in itertools.cycle(heads):
            if _OVER.is_set():
                return
            with suppress(OSError), _opened(url, address) as one:
                one.sendall(b"GET /board/ HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n")
                one.recv(65_536)

    _begin_all(flood, [f"127.0.0.{61 + number}" for number in range(8)])


def main() -> None:
    name, url = sys.argv[1:]
    given = json.loads(sys.stdin.readline())
    link, scene = given.get("link", {}), given.get("scene", {})
    os.nice(_GIVING_WAY)
    match name:
        case "watchers":
            _table(url, link, 8, scene)
        case "maxima":
            _table(url, link, 3, scene)
        case "scenes":
            _scenes(url, link, scene)
        case "asks":
            _asking(url, link, scene)
        case "silent":
            _silent(url)
        case "headers":
            _headers(url)
        case _:
            acts = SHARED[name](url, given["links"], _COUNTS)
            _THREADS.extend(Thread(target=act, args=(_OVER,), daemon=True) for act in acts)
    print("ready", flush=True)
    sys.stdin.readline()
    began = time.monotonic()
    for thread in _THREADS:
        thread.start()
    print("begun", flush=True)
    sys.stdin.readline()
    _OVER.set()
    seconds = time.monotonic() - began
    answers = sum((one.answers for one in _ATTACKERS), _COUNTS["answers"])
    refusals = sum((one.refusals for one in _ATTACKERS), _COUNTS["refusals"])
    cuts = sum(one.cuts for one in _ATTACKERS)
    totals = {**_COUNTS, "answers": answers, "refusals": refusals, "cuts": cuts, "seconds": seconds}
    print(json.dumps(totals), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
