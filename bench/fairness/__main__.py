"""`python -m bench.fairness [ATTACK ...]`: a line for each attack; exit status 1 if one is unfair.

Each line compares the honest player's answers under the attack with those just before it, on the same server:
`ratio` of the medians, the 99th percentile of the answers, and the longest slice of the server, the time for
which one computation keeps all clients waiting.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Any

import requests

from bench.fairness import scenes
from enfilade.client.http import Client

MAX_RATIO, MAX_P99_MS, MAX_SLICE_MS = 3.0, 50.0, 10.0
ATTACKS = ("watchers", "maxima", "asks", "silent", "headers", "branches", "forecasts", "keys")
ON_REQUEST = ("scenes",)
"""Run only if asked for: the disk, which writes four megabytes for each scene, delays the others' moves."""
_RULESET = "coup_de_grace"
_SETTLE_SECONDS = 12.0
"""After an attack, until its slices have left the metric (transport/metrics.py) and its overlays are sent."""
_POLL_SECONDS = 1.0
MAX_WAIT = 1.5
"""How long a forecast may wait, in its own running times: for one other, whose time differs a little."""

_ATTACKING_TABLES = {"branches": 8, "forecasts": 1}
"""The tables whose guests attack; eight tables of six guests want more branches than a server has."""

_MS = 1_000


@dataclass(frozen=True)
class Result:
    """The answers of the honest player in milliseconds, before and under an attack."""

    attack: str
    before: list[float]
    under: list[float]
    slice_ms: float
    totals: dict[str, Any]
    wanted: dict[str, Any]
    """What the honest GM asked for beside, as in wants.py; nothing in most attacks."""

    @property
    def ratio(self) -> float:
        """Return the median under attack in medians before it."""
        return median(self.under) / median(self.before)

    @property
    def p99(self) -> float:
        """Return the 99th percentile under attack in milliseconds."""
        return _p99(self.under)

    @property
    def is_fair(self) -> bool:
        """Return whether all bounds hold."""
        is_quick = self.ratio <= MAX_RATIO and self.p99 <= MAX_P99_MS and self.slice_ms <= MAX_SLICE_MS
        return is_quick and self._is_granted

    @property
    def _is_granted(self) -> bool:
        """Return whether all that was wanted was granted, a forecast after at most one other.

        A forecast of the attackers takes as long as the honest one, so that waiting is measured in these.
        """
        if not self.wanted:
            return True
        waited, ran = self.wanted["waited"], self.wanted["ran"]
        is_soon = not waited or max(waited) <= MAX_WAIT * max(ran) + _POLL_SECONDS
        return 0 < self.wanted["asked"] == self.wanted["granted"] and is_soon

    def __str__(self) -> str:
        figures = f"ratio={self.ratio:.2f} p99={self.p99:.0f}ms slice={self.slice_ms:.0f}ms"
        alone = f"unattacked={median(self.before):.1f}ms unattacked_p99={_p99(self.before):.0f}ms"
        attackers = " ".join(f"{name}={value:.0f}" for name, value in self.totals.items())
        if self.wanted:
            figures += f" granted={self.wanted['granted']}/{self.wanted['asked']}"
            figures += "".join(
                f" {name}={max(self.wanted[name]):.1f}s" for name in ("waited", "ran") if self.wanted[name]
            )
            figures += "".join(f" refused: {why}" for why in sorted(set(self.wanted["why"])))
        return f"fairness: {self.attack} {figures} ({alone} answers={len(self.under)} attackers: {attackers})"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.fairness", description=__doc__)
    parser.add_argument("attacks", nargs="*", help=f"some of {', '.join((*ATTACKS, *ON_REQUEST))}")
    parser.add_argument("--seconds", type=float, default=12, help="the length of each attack")
    parser.add_argument("--stacks", type=Path, metavar="FILE", help="write there where the long slices ran")
    options = parser.parse_args()
    unknown = set(options.attacks) - {*ATTACKS, *ON_REQUEST}
    if unknown:
        parser.error(f"unknown attack {', '.join(sorted(unknown))}")
    results = []
    with (
        tempfile.TemporaryDirectory(prefix="enfilade-fairness-") as folder,
        _server(Path(folder), options.stacks) as server,
        _honest(server) as honest,
    ):
        _play(honest, 2)  # the first answers fill the caches
        for attack in options.attacks or ATTACKS:
            results.append(_attacked(server, honest, attack, options.seconds))
            print(results[-1], flush=True)
    failed = [result.attack for result in results if not result.is_fair]
    print(f"fairness: {'FAIL ' + ' '.join(failed) if failed else 'PASS'}", flush=True)
    sys.exit(1 if failed else 0)


@dataclass(frozen=True)
class Server:
    """A server, and the links of its demo battle."""

    url: str
    link: dict[str, Any]

    def new_table(self) -> dict[str, Any]:
        """Create a table and return its links."""
        made = requests.post(f"{self.url}/api/tables", json={"ruleset": _RULESET}, timeout=10)
        return dict(made.json())

    def copy_table(self) -> dict[str, Any]:
        """Create a table with the demo battle, and return its links."""
        body = {"ruleset": _RULESET, "battle": True}
        return dict(requests.post(f"{self.url}/api/tables", json=body, timeout=10).json())

    def slice_ms(self) -> float:
        """Return the longest slice of the last seconds."""
        with suppress(requests.RequestException):
            page = requests.get(f"{self.url}/metrics", timeout=10).text
            found = re.search(r"^enfilade_longest_slice_seconds(?:{.*})? (\S+)$", page, re.M)
            return float(found[1]) * _MS if found else 0.0
        return 0.0


@contextmanager
def _server(folder: Path, stacks: Path | None) -> Iterator[Server]:
    module = ["bench.fairness.traced_server", str(stacks)] if stacks else ["enfilade"]
    command = [sys.executable, "-m", *module, "serve", "--port", "0", "--data", str(folder)]
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    try:
        line = next(line for line in process.stdout if line.startswith("GM link: "))
        link = json.loads((folder / "links.json").read_text())[_RULESET]
        yield Server(f"http://127.0.0.1:{line.split(':')[3].split('/')[0]}", link)
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
        said = (folder / "server.log").read_text()
        if said:
            print(f"The server's log:\n{said[:6_000]}", file=sys.stderr)


@contextmanager
def _started(*command: str) -> Iterator[subprocess.Popen[str]]:
    """Start a module that reads lines from its input, and answers each with a line."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-m", *command], stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _honest(server: Server) -> Any:
    return _started("bench.fairness.honest", server.url, server.link["table"], server.link["gm_key"])


def _play(honest: subprocess.Popen[str], seconds: float) -> list[float]:
    return list(_play_under(honest, seconds, "")["waits"])


def _play_under(honest: subprocess.Popen[str], seconds: float, attack: str) -> dict[str, Any]:
    return dict(json.loads(_said(honest, f"{seconds} {attack}\n")))


def _said(process: subprocess.Popen[str], line: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line)
    process.stdin.flush()
    return process.stdout.readline()


def _attacked(server: Server, honest: subprocess.Popen[str], attack: str, seconds: float) -> Result:
    plan = _plan(server, attack)
    with _started("bench.fairness.attackers", attack, server.url) as attackers:
        _said(attackers, f"{json.dumps(plan)}\n")
        time.sleep(_SETTLE_SECONDS)
        before = _play(honest, seconds / 2)
        with _watched(server) as slices:
            _said(attackers, "go\n")
            under = _play_under(honest, seconds, attack)
        totals = json.loads(_said(attackers, "end\n"))
    return Result(attack, before, under["waits"], max(slices), totals, under["wanted"])


def _plan(server: Server, attack: str) -> dict[str, Any]:
    """Return the attacking table's links and its scene, which is set there."""
    if attack in ("silent", "headers"):
        return {}
    if attack == "keys":
        return {"links": [server.link]}
    if attack in _ATTACKING_TABLES:
        return {"links": [server.copy_table() for _ in range(_ATTACKING_TABLES[attack])]}
    link = server.new_table()
    like = Client(server.url, server.link["table"], server.link["gm_key"]).scene()
    scene = scenes.maxima(like) if attack in ("maxima", "scenes") else scenes.many_walls(like)
    Client(server.url, link["table"], link["gm_key"]).request("POST", "map", data=json.dumps(scene))
    return {"link": link, "scene": scene if attack == "scenes" else {"tokens": scene["tokens"]}}


@contextmanager
def _watched(server: Server) -> Iterator[list[float]]:
    """Collect the server's longest slices during the block."""
    found, is_over = [0.0], Event()

    def watch() -> None:
        while not is_over.wait(_POLL_SECONDS):
            found.append(server.slice_ms())

    thread = Thread(target=watch)
    thread.start()
    try:
        yield found
    finally:
        is_over.set()
        thread.join()


def _p99(times: list[float]) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]


if __name__ == "__main__":
    main()
