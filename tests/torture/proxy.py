"""Commands over a lying network, sent again until they are answered: each is done once, whatever is lost.

Real Socket.IO clients and a real server, and between them the proxy of `faulty_wire`.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import msgspec
import socketio
from socketio.exceptions import ConnectionError as NotConnectedError
from socketio.exceptions import SocketIOError

from enfilade.client import Client
from enfilade.scene.fold import fold_all
from enfilade.scene.model import Scene
from tests.torture import game
from tests.torture.server import PLAIN, UNHURRIED, Server
from tests.torture.verdict import Verdict

PLAYERS = 4
IN_FLIGHT = 12
PATIENCE_SECONDS = 0.4
MOST_PATIENCE_SECONDS = 6.4
"""How long a command waits for its answer before it is sent again; then twice as long, and so on."""

SILENCE_SECONDS = 90
"""After how long without any answer a player gives up, and what waits is unanswered."""

CONTROL_COMMANDS = 300
COLUMNS, ROWS = 8, 8
TOKENS = ("bran", "aldis", "wren", "ilvane")


def command(number: int) -> dict[str, Any]:
    """The command of that number, always with the same id: a move, and now and then an attack."""
    dice = random.Random(number)
    if number % 5 == 0:
        kind, body = "act", {"act": game.ATTACK, "override": "Torture"}
    else:
        cell = [dice.randrange(COLUMNS), dice.randrange(ROWS)]
        kind, body = "token.move", {"token": dice.choice(TOKENS), "at": cell}
    return {"v": 1, "id": f"command-{number}", "kind": kind, "base": None, "body": body}


class Player:
    """A real client that keeps some commands in flight and sends each again until it is answered."""

    def __init__(self, url: str, server: Server) -> None:
        self._url = url
        self._server = server
        self._client = socketio.Client(reconnection=False, handle_sigint=False, websocket_extra_options=PLAIN)
        self._heard: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        self._waiting: dict[int, tuple[float, float]] = {}
        self._counted = 0
        self._heard_at = time.monotonic()
        self.answers: dict[int, Any] = {}
        self.wrong: Counter[str] = Counter()
        self.sent = 0

    def play(self, numbers: Iterator[int]) -> None:
        """Sends every command until it is answered."""
        todo = next(numbers, None)
        while (todo is not None or self._waiting) and time.monotonic() < self._heard_at + SILENCE_SECONDS:
            if not self._client.connected:
                self._connect()
            while todo is not None and len(self._waiting) < IN_FLIGHT:
                self._send(todo)
                todo = next(numbers, None)
            self._listen()
            self._send_again()
        self._client.disconnect()

    def _connect(self) -> None:
        self._counted = 0
        try:
            way_in = self._server.way_in("gm")
            self._client.connect(self._url, auth=way_in, transports=["websocket"])
        except (NotConnectedError, ValueError):
            self._client.disconnect()  # a wish to connect that came twice leaves it between the two

    def _send(self, number: int, patience: float = PATIENCE_SECONDS) -> None:
        self._waiting[number] = (time.monotonic() + patience, patience)
        self.sent += 1
        with suppress(SocketIOError):  # not connected just now: it is sent again
            heard = partial(self._hear, number)
            self._counted += 1
            self._client.emit("command", {**command(number), "n": self._counted}, callback=heard)

    def _hear(self, number: int, answer: Any) -> None:
        self._heard.put((number, answer))

    def _listen(self) -> None:
        with suppress(Empty):
            number, answer = self._heard.get(timeout=0.05)
            while True:
                self._take(number, answer)
                number, answer = self._heard.get_nowait()

    def _take(self, number: int, answer: Any) -> None:
        self._heard_at = time.monotonic()
        if not answer["ok"] and answer["error"]["code"] == "out-of-order":
            self._client.disconnect()  # something was lost on the way; all that waits is sent again
            return
        answer.pop("dup", None)
        self._waiting.pop(number, None)
        self.wrong["refused"] += not answer["ok"]
        if self.answers.setdefault(number, answer) != answer:
            self.wrong["changed"] += 1

    def _send_again(self) -> None:
        now = time.monotonic()
        for number, (due, patience) in list(self._waiting.items()):
            if due < now:
                self._send(number, min(2 * patience, MOST_PATIENCE_SECONDS))


@contextmanager
def faulty(port: int, seed: int) -> Iterator[int]:
    """The port of a proxy before the server at a port."""
    command = [sys.executable, "-m", "tests.torture.faulty_wire", str(port), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as proxy:
        assert proxy.stdout is not None
        try:
            yield int(proxy.stdout.readline())
        finally:
            proxy.kill()


def torture(commands: int, broken: str = "", seed: int = 0) -> tuple[Counter[str], int]:
    """What went wrong in so many commands, and how often they were sent."""
    with tempfile.TemporaryDirectory(prefix="enfilade-proxy-") as place:
        server = Server(Path(place), broken, UNHURRIED)
        links = server.links("gm")
        try:
            game.make_undying(Client(server.url, **links))
            with faulty(server.port, seed) as port, ThreadPoolExecutor(PLAYERS) as pool:
                players = [Player(f"http://127.0.0.1:{port}", server) for _ in range(PLAYERS)]
                list(pool.map(_shared_out(commands), range(PLAYERS), players))
            live = Client(server.url, **links).scene()
        finally:
            server.kill()
        answers = {number: answer for player in players for number, answer in player.answers.items()}
        wrong = sum((player.wrong for player in players), Counter())
        wrong["unanswered"] = commands - len(answers)
        return wrong + judged(Path(place), links["table"], answers, live), sum(p.sent for p in players)


def _shared_out(commands: int) -> Any:
    return lambda first, player: player.play(iter(range(first, commands, PLAYERS)))


def judged(folder: Path, table: str, answers: dict[int, Any], live: Any) -> Counter[str]:
    """Compares the log with what was answered, and its fold with the scene the server told last."""
    store, found = game.store_in(folder), Counter[str]()
    log = store.entries(table, 0, 10_000_000)
    seqs: dict[str, list[int]] = {}
    for entry in log:
        seqs.setdefault(entry.id, []).append(entry.seq)
    for number, answer in answers.items():
        done = seqs.get(f"command-{number}", [])
        found["lost"] += answer["ok"] and answer["seq"] not in done
        found["doubled"] += len(done) > 1
    kept = store.load(table)
    assert kept is not None
    folded = fold_all(kept.scene, (event for entry in log for event in entry.events))
    found["scene"] += not (msgspec.convert(live, Scene) == folded == kept.scene)
    store.close()
    return found


def run(commands: int) -> Verdict:
    """The whole ordeal, with its control."""
    wrong, sent = torture(commands)
    caught, _ = torture(CONTROL_COMMANDS, "no-unique-id")
    kinds = ("unanswered", "refused", "changed", "lost", "doubled", "scene")
    return Verdict(
        "proxy",
        {kind: wrong[kind] for kind in kinds},
        {"no-unique-id": caught["doubled"]},
        {"commands": commands, "sent": sent},
    )
