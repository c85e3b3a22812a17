"""Send commands over a faulty network and repeat them until each is answered: each must be done exactly once.

Real clients side by side, each at its own table, and a real server; between them the proxy of `fault_proxy`.
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
from tests.fault.scenario import Verdict
from tests.fault.server import UNHURRIED, Server

MAX_TABLES = 64
COMMANDS_PER_TABLE = 20
"""A short run plays at fewer tables."""

WORKERS = 2
"""The processes that share the clients."""

MUTANT_COMMANDS = 120

MAX_MEMORY = 300 * 1024 * 1024
"""The most memory of the server at the end."""


@contextmanager
def faulty(port: int, seed: int) -> Iterator[str]:
    """Run a proxy in front of the server at a port; yield the proxy's address."""
    command = [sys.executable, "-m", "tests.fault.fault_proxy", str(port), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as proxy:
        assert proxy.stdout is not None
        try:
            yield f"http://127.0.0.1:{proxy.stdout.readline().strip()}"
        finally:
            proxy.kill()


class Outcome(NamedTuple):
    """The failures, what each client recorded, and the server's memory in bytes at the end."""

    wrong: Counter[str]
    records: list[dict[str, Any]]
    memory: int


def torture(commands: int, mutant: str = "", seed: int = 0) -> Outcome:
    """Send that many commands, and compare the answers with what is stored."""
    tables = WORKERS * max(1, min(MAX_TABLES, commands // COMMANDS_PER_TABLE) // WORKERS)
    with tempfile.TemporaryDirectory(prefix="enfilade-proxy-") as place:
        seats = [{"table": links.table, "key": links.gm_key} for links in game.undying(Path(place), tables)]
        server = Server(Path(place), mutant, UNHURRIED)
        try:
            with faulty(server.port, seed) as url:
                records = _play(url, seats, commands)
            scenes = [Client(server.url, **seat).scene() for seat in seats]
            memory = server.size().memory
        finally:
            server.kill()
        wrong = _judge(Path(place), [seat["table"] for seat in seats], records, scenes)
    wrong["unanswered"] += commands - sum(len(record["seqs"]) for record in records)
    wrong["over_memory"] += memory > MAX_MEMORY
    return Outcome(wrong, records, memory)


def _play(url: str, seats: list[dict[str, str]], commands: int) -> list[dict[str, Any]]:
    """Return the record of each client, in the order of the seats."""

    def run_worker(first: int) -> list[dict[str, Any]]:
        numbers = [str(number) for number in (first, WORKERS, len(seats), commands)]
        program = ["-m", "gevent.monkey", "--module", "tests.fault.client_workers"]
        given = json.dumps(seats[first::WORKERS])
        command = [sys.executable, *program, url, *numbers]
        done = subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True)
        records: list[dict[str, Any]] = json.loads(done.stdout)
        return records

    with ThreadPoolExecutor(WORKERS) as pool:
        shares = list(pool.map(run_worker, range(WORKERS)))
    return [shares[i % WORKERS][i // WORKERS] for i in range(len(seats))]


def _judge(folder: Path, tables: list[str], records: list[dict[str, Any]], scenes: list[Any]) -> Counter[str]:
    """Compare each log with the recorded answers, and its fold with the scene that the server sent last."""
    store, found = game.store_in(folder), Counter[str]()
    for table, record, scene in zip(tables, records, scenes, strict=True):
        found.update(record["wrong"])
        found["desyncs"] += record["desyncs"].get("hash", 0)
        log = list(iter_entries(store.entries, table, 0))
        seqs: dict[str, list[int]] = {}
        for entry in log:
            seqs.setdefault(entry.id, []).append(entry.seq)
        for name, seq in record["seqs"].items():
            done = seqs.get(name, [])
            found["lost"] += seq not in done
            found["doubled"] += len(done) > 1
        state = store.load(table)
        assert state is not None
        folded = fold_all(state.scene, (event for entry in log for event in entry.events))
        found["scene"] += not (msgspec.convert(scene, Scene) == folded == state.scene)
    store.close()
    return found


def run(commands: int) -> Verdict:
    """Run the scenario and its mutant."""
    with ThreadPoolExecutor() as pool:
        mutant = pool.submit(torture, MUTANT_COMMANDS, "no-unique-id")
        wrong, records, memory = torture(commands)
        caught = mutant.result().wrong
    seconds = max(record["seconds"] for record in records)
    kinds = ("unanswered", "refused", "changed", "lost", "doubled", "scene", "desyncs", "over_memory")
    return Verdict(
        "proxy",
        {kind: wrong[kind] for kind in kinds},
        {"no-unique-id": caught["doubled"]},
        {
            "commands": commands,
            "sent": sum(record["sent"] for record in records),
            "clients": len(records),
            "a_second": f"{commands / seconds:.0f}",
            "memory": f"{memory // 1024**2}MiB",
        },
    )
