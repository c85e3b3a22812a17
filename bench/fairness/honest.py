"""`python -m bench.fairness.honest URL TABLE KEY`: play fairly, and measure the answers.

A real Socket.IO client of the demo battle moves a miniature and asks for its overlay in turns, as a player
does who tries out moves. For each line of its input, a number of seconds and an attack, it plays so long and
asks for what the attack uses up (wants.py). It prints the milliseconds of each answer and what was granted.
"""

from __future__ import annotations

import json
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from threading import Event
from typing import Any

import socketio

from bench.fairness.wants import WANTS, ask_until
from enfilade.client.http import Client

BEAT_SECONDS = 0.02
PATIENCE_SECONDS = 10.0


class Honest:
    """One connected player."""

    def __init__(self, url: str, table: str, key: str) -> None:
        self._http = http = Client(url, table, key)
        tokens = http.scene()["tokens"]
        self._token = next(token for token in tokens if token["at"])
        self._socket = socketio.Client(reconnection=False, handle_sigint=False)
        auth = http.connect_credentials(origin=url)
        self._socket.connect(f"{url}?table={table}", auth=auth, transports=["websocket"])
        self._count = 0

    def play(self, seconds: float) -> list[float]:
        """Play so long; return the milliseconds of each answer."""
        ends, waits = time.monotonic() + seconds, []
        while time.monotonic() < ends:
            waits.append(self._ask(*self._next()))
            time.sleep(BEAT_SECONDS)
        return waits

    def play_under(self, seconds: float, attack: str) -> dict[str, Any]:
        """Play so long, and ask for what the attack uses up; return both as JSON values."""
        if attack not in WANTS:
            return {"waits": self.play(seconds), "wanted": {}}
        is_over = Event()
        with ThreadPoolExecutor(1) as pool:
            asking = pool.submit(ask_until, is_over, attack, self._http)
            waits = self.play(seconds)
            is_over.set()
            return {"waits": waits, "wanted": asdict(asking.result())}

    def _next(self) -> tuple[str, dict[str, Any]]:
        token = self._token
        if self._count % 2:
            return "overlay.show", {"token": token["id"], "layers": ["reach", "targets"]}
        return "token.move", {"token": token["id"], "at": token["at"], "facing": self._count // 2 % 4 * 90}

    def _ask(self, kind: str, body: dict[str, Any]) -> float:
        self._count += 1
        command = {"v": 1, "id": uuid.uuid4().hex, "n": self._count, "kind": kind, "body": body}
        answered, took = Event(), [PATIENCE_SECONDS]
        began = time.perf_counter()

        def note(answer: dict[str, Any]) -> None:
            if answer["ok"]:
                took[0] = time.perf_counter() - began
            else:
                print(f"refused: {answer['error']}", file=sys.stderr)
            answered.set()

        self._socket.emit("command", command, callback=note)
        answered.wait(PATIENCE_SECONDS)
        return took[0] * 1000


def main() -> None:
    honest = Honest(*sys.argv[1:])
    for line in sys.stdin:
        seconds, _, attack = line.strip().partition(" ")
        print(json.dumps(honest.play_under(float(seconds), attack)), flush=True)


if __name__ == "__main__":
    main()
