"""Commands over a lying network, sent again until they are answered: each is done once, whatever is lost.

Real clients, many side by side, each at a table of its own; a real server; and between them the proxy of
`faulty_wire`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from enfilade.client.http import Client
from enfilade.scene.apply import fold_all
from enfilade.scene.model import Scene
from enfilade.store.protocol import iter_entries
from tests.fault import game
from tests.fault.server import UNHURRIED, Server
from tests.fault.verdict import Verdict

TABLES = 64
CROWDS = 2
"""How many processes share the clients."""

CONTROL_COMMANDS = 300

MOST_MEMORY = 300 * 1024 * 1024
"""What a server may have at the end, however many came and went."""


@contextmanager
def faulty(port: int, seed: int) -> Iterator[str]:
    """The address of a proxy before the server at a port."""
    command = [sys.executable, "-m", "tests.fault.faulty_wire", str(port), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as proxy:
        assert proxy.stdout is not None
        try:
            yield f"http://127.0.0.1:{proxy.stdout.readline().strip()}"
        finally:
            proxy.kill()


class Outcome(NamedTuple):
    """What went wrong, what each table's client was told, and the server's bytes of memory at the end."""

    wrong: Counter[str]
    told: list[dict[str, Any]]
    memory: int


def torture(commands: int, broken: str = "", seed: int = 0) -> Outcome:
    """What came of so many commands."""
    with tempfile.TemporaryDirectory(prefix="enfilade-proxy-") as place:
        seats = [{"table": links.table, "key": links.gm_key} for links in game.undying(Path(place), TABLES)]
        server = Server(Path(place), broken, UNHURRIED)
        try:
            with faulty(server.port, seed) as url:
                told = _played(url, seats, commands)
            lives = [Client(server.url, **seat).scene() for seat in seats]
            memory = server.size().memory
        finally:
            server.kill()
        wrong = _judged(Path(place), [seat["table"] for seat in seats], told, lives)
    wrong["unanswered"] += commands - sum(len(one["seqs"]) for one in told)
    wrong["over_memory"] += memory > MOST_MEMORY
    return Outcome(wrong, told, memory)


def _played(url: str, seats: list[dict[str, str]], commands: int) -> list[dict[str, Any]]:
    """What each seat was told, in the order of seats."""

    def crowd(first: int) -> list[dict[str, Any]]:
        numbers = [str(number) for number in (first, CROWDS, TABLES, commands)]
        program = ["-m", "gevent.monkey", "--module", "tests.fault.crowd"]
        command = [sys.executable, *program, url, *numbers]
        mine = json.dumps(seats[first::CROWDS])
        done = subprocess.run(command, input=mine, stdout=subprocess.PIPE, text=True, check=True)
        told: list[dict[str, Any]] = json.loads(done.stdout)
        return told

    with ThreadPoolExecutor(CROWDS) as pool:
        shares = list(pool.map(crowd, range(CROWDS)))
    return [shares[i % CROWDS][i // CROWDS] for i in range(TABLES)]


def _judged(folder: Path, tables: list[str], told: list[dict[str, Any]], lives: list[Any]) -> Counter[str]:
    """Compares each log with what was answered, and its fold with the scene the server told last."""
    store, found = game.store_in(folder), Counter[str]()
    for table, one, live in zip(tables, told, lives, strict=True):
        found.update(one["wrong"])
        found["astray"] += one["desyncs"].get("hash", 0)
        log = list(iter_entries(store.entries, table, 0))
        seqs: dict[str, list[int]] = {}
        for entry in log:
            seqs.setdefault(entry.id, []).append(entry.seq)
        for name, seq in one["seqs"].items():
            done = seqs.get(name, [])
            found["lost"] += seq not in done
            found["doubled"] += len(done) > 1
        kept = store.load(table)
        assert kept is not None
        folded = fold_all(kept.scene, (event for entry in log for event in entry.events))
        found["scene"] += not (msgspec.convert(live, Scene) == folded == kept.scene)
    store.close()
    return found


def run(commands: int) -> Verdict:
    """The whole ordeal, with its control."""
    wrong, told, memory = torture(commands)
    caught = torture(CONTROL_COMMANDS, "no-unique-id").wrong
    seconds = max(one["seconds"] for one in told)
    kinds = ("unanswered", "refused", "changed", "lost", "doubled", "scene", "astray", "over_memory")
    return Verdict(
        "proxy",
        {kind: wrong[kind] for kind in kinds},
        {"no-unique-id": caught["doubled"]},
        {
            "commands": commands,
            "sent": sum(one["sent"] for one in told),
            "clients": TABLES,
            "a_second": f"{commands / seconds:.0f}",
            "memory": f"{memory // 1024**2}MiB",
        },
    )
