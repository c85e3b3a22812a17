"""A dozen attacks on a real server, one after the other, while an honest seat goes on playing.

The honest seat's answers stay quick, the server's memory and threads stay what they were, its log stays
short, and who breaks the protocol is cut. The attackers are processes of their own on the same machine, and
give way to the server and the honest seat, as attackers elsewhere take nothing of its processors.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

from websocket import WebSocketTimeoutException

from tests.fault.attacks import ATTACKS, GONE, Target, command, heaviest_scene, joined
from tests.fault.scenario import Verdict
from tests.fault.server import Server

SECONDS = 3.0
CUT_WITHIN_SECONDS = 2.0
MOST_WAIT_SECONDS = 0.25
MOST_MEMORY = 64 * 1024 * 1024
MOST_THREADS = 50
MOST_LOG = 256 * 1024
BEAT_SECONDS = 0.02
_GIVING_WAY = 10
HOME = "127.0.0.1"

CONTROLS = {"never-yields": ("costly", "slow"), "reads-everything": ("pongs", "uncut")}
"""A build without one defense, the attack that it is for, and what must be noticed."""

SETTINGS = {"ENFILADE_HANDSHAKES_BURST": "40"}


@dataclass
class Honest:
    """A game master who moves and looks all the time, and takes down how long each answer takes."""

    server: Server
    waits: list[float] = field(default_factory=list)
    unserved: int = 0
    """The number of refused or missing answers."""
    _stop: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        self._ws = joined(self.server, self.server.links("gm"), HOME)
        self._thread = Thread(target=self._play)

    def __enter__(self) -> Honest:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._ws.shutdown()

    @property
    def p99(self) -> float:
        """Return the 99th percentile of the answer times in seconds."""
        ordered = sorted(self.waits)
        return ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))] if ordered else float("inf")

    def _play(self) -> None:
        number = 0
        while not self._stop.is_set():
            number += 1
            self.waits.append(self._ask(number))
            self._stop.wait(BEAT_SECONDS)

    def _ask(self, number: int) -> float:
        """Moves a token, or looks at one; how long the answer took, in seconds."""
        kinds = [
            ("token.move", {"token": "bran", "at": [5, 5 + number % 2], "facing": 90}),
            ("overlay.show", {"token": "bran", "layers": None}),
        ]
        began = time.monotonic()
        self._ws.send(command(number, *kinds[number % 2]))
        try:
            while not (sent := str(self._ws.recv())).startswith(f"43{number}["):
                if sent == "2":
                    self._ws.send("3")
            self.unserved += '"ok":true' not in sent
        except WebSocketTimeoutException:
            self.unserved += 1
        return time.monotonic() - began


def run(count: int) -> Verdict:
    """The scenario; `count` is how often all the attacks are gone through."""
    wrong: Counter[str] = Counter()
    figures: dict[str, float] = {"p99": 0, "idle": 0, "cut": 0, "memory": 0}
    for _ in range(count):
        _go_through(list(ATTACKS), "", wrong, figures)
    caught = {}
    for broken, (attack, what) in CONTROLS.items():
        noticed: Counter[str] = Counter()
        _go_through([attack], broken, noticed, {"p99": 0, "idle": 0, "cut": 0, "memory": 0})
        caught[broken] = noticed[what]
    sent = {
        "attacks": len(ATTACKS) * count,
        "honest_p99": f"{1000 * figures['p99']:.0f}ms",
        "unattacked_p99": f"{1000 * figures['idle']:.0f}ms",
        "cut_within": f"{figures['cut']:.1f}s",
        "memory": f"+{figures['memory'] / 1024**2:.0f}MiB",
    }
    return Verdict("hostile", {name: wrong[name] for name in WRONGS}, caught, sent)


WRONGS = ("slow", "unserved", "uncut", "memory_over", "threads_over", "log_over", "gone")


def _go_through(attacks: list[str], broken: str, wrong: Counter[str], figures: dict[str, float]) -> None:
    with tempfile.TemporaryDirectory(prefix="enfilade-torture-") as folder:
        server = Server(Path(folder), broken, SETTINGS)
        try:
            if not broken:
                figures["idle"] = max(figures["idle"], _p99_unattacked(server))
            for name in attacks:
                _attack(server, Path(folder), name, wrong, figures, broken)
        finally:
            server.kill()


def _p99_unattacked(server: Server) -> float:
    """Return the 99th percentile without attackers, because a busy machine is slow by itself."""
    with Honest(server) as honest:
        time.sleep(SECONDS)
    return honest.p99


def _attack(
    server: Server, folder: Path, name: str, wrong: Counter[str], figures: dict[str, float], broken: str
) -> None:
    if name == "costly":
        heaviest_scene(server, server.links("gm", "torn"))
    lanes = _lanes(server, name)
    before, log_before = server.size(), _log_size(folder)
    with Honest(server) as honest:
        cuts = _attacked(lanes, ATTACKS[name].is_cut)
        after = server.size()
    found = {
        "slow": honest.p99 > MOST_WAIT_SECONDS,
        "unserved": honest.unserved > 0,
        "uncut": any(cut is None or cut > CUT_WITHIN_SECONDS for cut in cuts),
        "memory_over": after.memory - before.memory > MOST_MEMORY,
        "threads_over": after.threads - before.threads > MOST_THREADS,
        "log_over": _log_size(folder) - log_before > MOST_LOG,
        "gone": server.process.poll() is not None,
    }
    for what, is_so in found.items():
        wrong[what] += is_so
    figures["p99"] = max(figures["p99"], honest.p99)
    figures["cut"] = max([figures["cut"], *(cut for cut in cuts if cut is not None)])
    figures["memory"] = max(figures["memory"], after.memory - before.memory)
    grown = (after.memory - before.memory) / 1024**2
    failed = [what for what, is_so in found.items() if is_so]
    print(
        f"hostile: {name}: p99 {1000 * honest.p99:.0f} ms, {grown:+.0f} MiB {failed or ''}", file=sys.stderr
    )


def _lanes(server: Server, name: str) -> list[subprocess.Popen[str]]:
    """The attackers, ready to begin."""
    links = server.links("gm", "torn")
    attack = [sys.executable, "-m", "tests.fault.hostile", name, str(server.port), *links.values()]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    lanes = [subprocess.Popen(attack, **pipes) for _ in range(ATTACKS[name].lanes)]
    for lane in lanes:
        assert lane.stdout is not None
        lane.stdout.readline()
    return lanes


def _attacked(lanes: list[subprocess.Popen[str]], is_cut: bool) -> list[float | None]:
    """Run the attackers until they are disconnected or the time is over; return when they were."""
    for lane in lanes:
        assert lane.stdin is not None
        lane.stdin.write("go\n")
        lane.stdin.flush()
    time.sleep(SECONDS)
    said = [lane.communicate()[0].strip() for lane in lanes]
    return [float(text) if text not in ("", "None") else None for text in said] if is_cut else []


def _log_size(folder: Path) -> int:
    return (folder / "server.log").stat().st_size


class Reached(Server):
    """A server that another process has started."""

    def __init__(self, port: int) -> None:
        self.port = port


def main() -> None:
    name, port, table, key = sys.argv[1:]
    auth: dict[str, Any] = {"table": table, "key": key}
    os.nice(_GIVING_WAY)
    print("ready", flush=True)
    sys.stdin.readline()
    with suppress(*GONE):  # a server that does not answer lets no client join
        print(ATTACKS[name].act(Target(Reached(int(port)), auth, time.monotonic() + SECONDS)))


if __name__ == "__main__":
    main()
