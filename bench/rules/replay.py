"""The replay of a long battle: pages of a log of 100,000 entries, from SQLite as the server reads it.

"first_page_ms" is the page that a replay opens with: the last entries, and the scene before them.
"oldest_page_ms" is a jump to the start of the battle, for which everything is walked back once. "again_ms" is
the same jump later. "read_ms" is beside them: the store only reads the entries of one page.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from enfilade.analysis.past import past_of
from enfilade.importers.demo import demo_battle
from enfilade.messages import dump
from enfilade.messages.load import load_command
from enfilade.play.table import Table
from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import GM
from enfilade.store.sql.tables import SqlStore
from enfilade.transport import strict_json

ENTRIES = 100_000
MOVES_EVERY = 5
ROUNDS = 7
SHARED_MEMORY = Path("/dev/shm")


def replays(entries: int = ENTRIES) -> dict[str, float]:
    """Return the milliseconds of pages as JSON; the log is made in shared memory, which saves minutes."""
    home = SHARED_MEMORY if SHARED_MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=home) as folder:
        store = SqlStore(f"sqlite:///{folder}/bench.db")
        rulesets = load_rulesets(BUILT_IN)
        tables = Tables(store, rulesets, SeededDice(1))
        links = tables.create(demo_battle(rulesets["coup_de_grace"]).scene)
        table, _ = tables.enter(links.table, links.gm_key)
        _play(table, entries)

        def opened() -> Table:
            return Tables(store, rulesets, SeededDice(1)).enter(links.table, links.gm_key)[0]

        fresh = opened()
        found = {
            "entries": float(entries),
            "read_ms": _least(lambda: store.entries(links.table, entries - 200, 200)),
            "first_page_ms": _least(lambda: _page(opened(), None)),
            "oldest_page_ms": _least(lambda: _page(fresh, 0), rounds=1),
            "again_ms": _least(lambda: _page(fresh, 0)),
        }
        store.close()
        return found


def _page(table: Table, start: int | None) -> str:
    return strict_json.encode(dump.fragment(past_of(table).replay(table, GM, start)))


def _play(table: Table, entries: int) -> None:
    token = next(token for token in table.scene.tokens if token.at)
    assert token.at is not None
    for number in range(entries):
        if number % MOVES_EVERY:
            kind, body = "note", {"text": f"Note {number}"}
        else:
            facing = number // MOVES_EVERY % 8 * 45
            body = {"token": token.id, "at": list(token.at), "facing": facing, "override": "a bench"}
            kind = "token.move"
        raw = {"v": 1, "id": f"b{number}", "kind": kind, "base": None, "body": body}
        table.execute(GM, load_command(raw))
    assert table.seq == entries


def _least(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the least time of several, because the machine is never idle."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return round(min(times) * 1000, 1)


if __name__ == "__main__":
    import json
    import sys

    print(json.dumps({"replay": replays(int(sys.argv[1]) if len(sys.argv) > 1 else ENTRIES)}))
