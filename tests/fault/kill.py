"""kill -9 of a real server under attacks over a real socket, started again and asked for what it had said.

One server at a time, with nothing else beside it: how soon it is ready again is a promise about one.
"""

from __future__ import annotations

import json
import math
import random
import statistics
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any

from websocket import WebSocket, WebSocketException, create_connection

from enfilade.errors import EnfiladeError
from enfilade.store.integrity import check_all
from enfilade.store.protocol import iter_entries
from tests.fault import game
from tests.fault.scenario import Verdict
from tests.fault.server import PLAIN, Server

MUTANTS = {"ack-before-commit": "lost", "no-unique-id": "doubled", "two-transactions": "half"}
MUTANT_CYCLES = 30
"""The most lives of each mutant; most are caught in the second."""

PATIENCE_SECONDS = 10
READY_SECONDS = 1.0
"""The time within which a killed server must answer again, 99 times of 100."""

LIFE_SECONDS = (0.02, 0.25)
SENT_AGAIN = 3


@dataclass
class Lane:
    """One server's data through all its lives, and everything it ever acknowledged."""

    folder: Path
    mutant: str = ""
    seed: int = 0
    acknowledged: dict[int, int] = field(default_factory=dict)
    next: int = 0
    ready: list[float] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)
    links: dict[str, str] = field(default_factory=dict)

    def live(self, number: int) -> None:
        """One life: started, asked again for its last answers, attacked, killed."""
        dice = random.Random(f"{self.seed}/{number}")
        began = time.monotonic()
        server = Server(self.folder, self.mutant)
        self.links = server.links("gm")
        killer = Timer(dice.uniform(*LIFE_SECONDS), server.kill)
        try:
            client = Client(server)
            self._ask_again(client)
            if number:  # the first life makes the tables
                self.ready.append(time.monotonic() - began)
            killer.start()
            while True:
                self._do(client, self.next)
        except (RefusedError, EnfiladeError):
            self.wrong["refused"] += 1
        except (WebSocketException, OSError):
            pass
        finally:
            killer.cancel()
            server.kill()

    def _ask_again(self, client: Client) -> None:
        for number in range(max(0, self.next - SENT_AGAIN), self.next + 1):
            self._do(client, number)

    def _do(self, client: Client, number: int) -> None:
        answer = client.ask(game.command(number))
        if not answer["ok"]:
            # The server's own refusal, as when a mutant build has forgotten the attack to be undone.
            self.wrong["refused"] += 1
        elif self.acknowledged.setdefault(number, answer["seq"]) != answer["seq"]:
            self.wrong["doubled"] += 1
        self.next = max(self.next, number + 1)

    def judge(self) -> None:
        """Compares what is stored with what was acknowledged."""
        store = game.store_in(self.folder)
        found = list(check_all(store))
        self.wrong["half"] += sum(finding.wrong != "" for finding in found)
        if not self.wrong["half"]:
            log = iter_entries(store.entries, self.links["table"], 0)
            times = Counter(entry.id for entry in log if entry.id.startswith("command-"))
            self.wrong["doubled"] += sum(count > 1 for count in times.values())
            self.wrong["lost"] += sum(not self._is_there(number, store) for number in self.acknowledged)
        store.close()

    def _is_there(self, number: int, store: Any) -> bool:
        answered = store.reply(self.links["table"], "gm", f"command-{number}")
        return answered is not None and answered.seq == self.acknowledged[number]


class RefusedError(WebSocketException):
    """The server does not open the table."""


class Client:
    """A game master's connection: Socket.IO as bare frames."""

    def __init__(self, server: Server) -> None:
        self._ws = self._opened(server.port, json.dumps(server.connect_credentials("gm")))
        self._sent = 0

    @staticmethod
    def _opened(port: int, auth: str) -> WebSocket:
        url = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
        ws = create_connection(url, timeout=PATIENCE_SECONDS, **PLAIN)
        ws.recv()
        ws.send(f"40{auth}")
        while not (packet := ws.recv()).startswith("40"):
            if packet.startswith("44") or packet == "":
                raise RefusedError(packet)
        return ws

    def ask(self, command: dict[str, Any]) -> Any:
        """Sends a command and waits for its acknowledgement."""
        self._sent += 1
        self._ws.send("420" + json.dumps(["command", {**command, "n": self._sent}]))
        while not (packet := self._ws.recv()).startswith("430["):
            if packet == "":
                raise WebSocketException("closed")
            if packet == "2":
                self._ws.send("3")
        return json.loads(packet[3:])[0]


def torture(cycles: int, mutant: str = "", seed: int = 0) -> Lane:
    """Start and kill one server so often; a mutant only until it is caught."""
    with tempfile.TemporaryDirectory(prefix="enfilade-kill-") as folder:
        lane = Lane(Path(folder), mutant, seed)
        for number in range(cycles):
            lane.live(number)
            if mutant and number % 2:
                lane.judge()
                if lane.wrong[MUTANTS[mutant]]:
                    break
        lane.judge()
    return lane


def run(cycles: int) -> Verdict:
    """Run the scenario and its mutants."""
    lane = torture(cycles)
    with ThreadPoolExecutor() as pool:
        caught = dict(zip(MUTANTS, pool.map(partial(torture, MUTANT_CYCLES), MUTANTS), strict=True))
    p99 = sorted(lane.ready)[math.ceil(0.99 * len(lane.ready)) - 1]
    wrong = {what: lane.wrong[what] for what in ("lost", "doubled", "half", "refused")}
    return Verdict(
        "kill",
        {**wrong, "slow": int(p99 > READY_SECONDS)},
        {name: caught[name].wrong[what] for name, what in MUTANTS.items()},
        {
            "cycles": cycles,
            "acknowledged": len(lane.acknowledged),
            "ready_p50": f"{statistics.median(lane.ready):.2f}s",
            "ready_p99": f"{p99:.2f}s",
        },
    )
