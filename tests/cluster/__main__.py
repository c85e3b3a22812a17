"""Play 30 tables on three processes while processes die, stop, lose the database, and restart in turn.

Afterwards the log in PostgreSQL decides: every acknowledged command is in it once, and each table's fencing
numbers only grow, so that at every moment one process owned it. Clients count as back once a command that
they sent before or during the fault is acknowledged.
"""

from __future__ import annotations

import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import sqlalchemy as sa
from bench.load.tables import _scene, commands

from enfilade.client.live import LiveClient, RetryPolicy
from enfilade.play.tables import Tables
from enfilade.rules.dice import SystemDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.store.sql.tables import SqlStore
from tests.cluster.network import URL, Cluster, Process

TABLES = 30
BACK_SECONDS = 5.0
ENTRIES = sa.text(
    "SELECT seq, fence, convert_from(entry, 'UTF8') FROM entries WHERE table_id = :table ORDER BY seq"
)
REPLIES = sa.text("SELECT id FROM answers WHERE table_id = :table")
PATIENCE = RetryPolicy(connection=4.0, longest_pause=1.0)
"""As the board page has it."""


class Player:
    """A game master who sends one command after the other, and notes each acknowledgment."""

    def __init__(self, table: str, key: str, stop: Event, pause: float) -> None:
        self.table = table
        self.acknowledged: list[tuple[float, str]] = []
        self.refused: Counter[str] = Counter()
        self._stop, self._pause = stop, pause
        self._client = LiveClient(URL, table, key, retry_policy=PATIENCE)
        self._thread = Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        steps, number = commands(), 0
        while not self._stop.is_set():
            step = steps[number % len(steps)]
            name = f"{self.table}-{number}"
            try:
                self._client.send(step["kind"], step["body"], command_id=name, timeout=120)
                self.acknowledged.append((time.monotonic(), name))
            except Exception as problem:
                self.refused[getattr(problem, "code", type(problem).__name__)] += 1
            number += 1
            self._stop.wait(self._pause)

    def close(self) -> None:
        self._thread.join()
        self._client.close()

    def seconds_back(self, began: float, end: float) -> float:
        """Return the longest time without an acknowledgment that touches the time of a fault."""
        times = [at for at, _ in self.acknowledged if began - 5 <= at <= end]
        if not times:
            return end - began
        return max(late - early for early, late in zip(times, [*times[1:], end], strict=True))


def create_tables(url: str) -> list[tuple[str, str]]:
    store = SqlStore(url)
    tables = Tables(store, load_rulesets(BUILT_IN), SystemDice())
    links = [tables.create(_scene()) for _ in range(TABLES)]
    store.close()
    return [(link.table, link.gm_key) for link in links]


def kill(process: Process, _: list[Process]) -> None:
    process.end(signal.SIGKILL)
    time.sleep(6)
    process.start()


def stop_and_wake(process: Process, _: list[Process]) -> None:
    process.send(signal.SIGSTOP)
    time.sleep(8)
    process.send(signal.SIGCONT)


def cut_database(process: Process, _: list[Process]) -> None:
    process.connect_database(False)
    time.sleep(8)
    process.connect_database(True)


def restart_in_turn(_: Process, processes: list[Process]) -> None:
    for process in processes:
        process.end()
        process.start()
        time.sleep(2)


FAULTS: dict[str, Callable[[Process, list[Process]], None]] = {
    "kill -9": kill,
    "stopped, wakes after its lease": stop_and_wake,
    "cut from PostgreSQL": cut_database,
    "rolling restart": restart_in_turn,
}


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def problems_in_log(url: str, players: list[Player]) -> tuple[list[str], int, int]:
    """Return what is wrong with the log, the number of entries, and the changes of owners that it shows."""
    engine = sa.create_engine(url.replace("postgresql", "postgresql+psycopg"))
    found, total, changes = [], 0, 0
    with engine.connect() as connection:
        for player in players:
            at = {"table": player.table}
            rows = connection.execute(ENTRIES, at).all()
            stored = set(connection.scalars(REPLIES, at))
            names = {name for _, name in player.acknowledged}
            total += len(rows)
            fences = [row[1] for row in rows]
            changes += len(set(fences)) - 1
            if fences != sorted(fences) or 0 in fences:
                found.append(f"table {player.table}: the fencing numbers go back: {fences}")
            if lost := names - stored:
                found.append(f"table {player.table}: {len(lost)} acknowledged commands are lost")
            in_log = Counter(name for name in names for row in rows if f'"{name}"' in row[2])
            if doubled := [name for name, count in in_log.items() if count > 1]:
                found.append(f"table {player.table}: commands done twice: {doubled}")
    engine.dispose()
    return found, total, changes


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="enfilade-cluster-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        cluster = Cluster(folder)
        try:
            return test(cluster, sys.argv[1:] or [""])
        finally:
            cluster.close()


def test(cluster: Cluster, starts: list[str]) -> int:
    """Return the exit status. Only the faults whose names begin with one of `starts` happen."""
    links, stop = create_tables(cluster.store), Event()
    players = [Player(table, key, stop, 0.25) for table, key in links]
    time.sleep(10)
    wrong, longest = [], 0.0
    for number, (name, fault) in enumerate(FAULTS.items()):
        if not any(name.startswith(start) for start in starts):
            continue
        began = time.monotonic()
        fault(cluster.processes[number % len(cluster.processes)], cluster.processes)
        time.sleep(8)
        end = time.monotonic()
        back = [player.seconds_back(began, end) for player in players]
        p99, longest = percentile(back, 0.99), max(longest, percentile(back, 0.99))
        print(
            f"{name}: back after {percentile(back, 0.5):.1f} s (median), {p99:.1f} s (p99), "
            f"{sum(len(player.acknowledged) for player in players)} acknowledged so far",
            flush=True,
        )
        if p99 > BACK_SECONDS:
            wrong.append(f"{name}: clients back after {p99:.1f} s")
    stop.set()
    for player in players:
        player.close()
    found, entries, changes = problems_in_log(cluster.store, players)
    done = sum(len(player.acknowledged) for player in players)
    refused = sum((player.refused for player in players), Counter())
    print(f"{done} acknowledged, {entries} entries, {changes} changes of owner; refused: {dict(refused)}")
    for line in (problems := [*found, *wrong]):
        print(line)
    if changes == 0 or done == 0:
        problems.append("nothing was tested")
    verdict = "FAIL" if problems else "PASS"
    print(f"cluster: {verdict} {TABLES} tables, {done} commands, back after {longest:.1f} s at p99")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
