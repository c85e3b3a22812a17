"""`python -m bench.growth [--evenings 100]`: what evenings of play cost, before and after housekeeping.

Each evening is a table of the demo battle with a picture that nothing shows any more, and 400 commands of its
GM: moves and notes. Printed are the bytes of the database by kind, before and after housekeeping a day later,
and the memory that open tables take, before and after they are dropped because no one asks for them.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import secrets
import tempfile
from pathlib import Path

from enfilade.importers.demo import demo_battle
from enfilade.messages.load import load_command
from enfilade.play.tables import Links, Tables
from enfilade.rules.dice import SystemDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import GM
from enfilade.store.sql.database import now_ms
from enfilade.store.sql.tables import SqlStore

ENTRIES = 400
_PICTURE = 300_000
_RULESET = "coup_de_grace"
_KIB, _MIB = 1_024, 1_048_576


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--evenings", type=int, default=100)
    evenings: int = parser.parse_args().evenings
    with tempfile.TemporaryDirectory(prefix="enfilade-growth-") as folder:
        measure(Path(folder), evenings)


def measure(folder: Path, evenings: int) -> None:
    """Play evenings, and print what they take before and after housekeeping."""
    file = folder / "enfilade.sqlite"
    store = SqlStore(f"sqlite:///{file}")
    now = [0.0]
    tables = Tables(store, load_rulesets(BUILT_IN), SystemDice(), clock=lambda: now[0])
    alone = _resident()
    for _ in range(evenings):
        _play(tables, store)
    print(f"growth: {evenings} evenings of {ENTRIES} entries")
    _report("before", store, file)
    opened = _resident()
    later = now_ms() + 1
    replies, pictures = store.storage.drop_replies(later), store.storage.drop_pictures(later)
    print(f"growth: housekeeping deleted replies={replies} pictures={pictures}")
    _report("after", store, file)
    for _ in range(evenings):
        _play(tables, store)
    _report("with as many evenings more", store, file)
    store.storage.drop_replies(now_ms() + 1)
    now[0] = 1_000.0
    gone = tables.release_unused(600, lambda _table: False)
    gc.collect()
    freed = opened - alone
    print(f"growth: open tables took {freed / _MIB:.0f} MiB; {gone} left the memory", end="")
    print(
        f"; {len(tables._open)} are open, resident {(_resident() - alone) / _MIB:.0f} MiB more than at first"
    )
    store.close()


def _play(tables: Tables, store: SqlStore) -> Links:
    """Play one evening at a table of its own."""
    battle = demo_battle(tables.rulesets[_RULESET])
    links = tables.create(battle.scene)
    table, _ = tables.enter(links.table, links.gm_key)
    store.add_asset(links.table, "old.webp", "image/webp", secrets.token_bytes(_PICTURE))
    units = itertools.cycle([token for token in table.scene.tokens if token.at])
    for number in range(ENTRIES):
        token = next(units)
        place = list(token.at or ())
        kind, body = (
            ("note", {"text": f"The bell strikes for the {number}th time, and no one moves."})
            if number % 10 == 9
            else (
                "token.move",
                {"token": token.id, "at": place, "facing": number * 90 % 360, "override": "x"},
            )
        )
        raw = {"v": 1, "id": secrets.token_hex(16), "kind": kind, "base": None, "body": body}
        table.execute(GM, load_command(raw))
    return links


def _report(when: str, store: SqlStore, file: Path) -> None:
    sizes = store.storage.sizes()
    log, replies, pictures = (
        sum(getattr(size, kind) for size in sizes)
        for kind in ("log_bytes", "replies_bytes", "pictures_bytes")
    )
    entries = sum(size.entries for size in sizes)
    total = sum(part.stat().st_size for part in file.parent.glob(f"{file.name}*"))
    print(
        f"growth: {when}: file={total / _MIB:.1f}MiB log={log / _MIB:.1f}MiB replies={replies / _MIB:.1f}MiB "
        f"pictures={pictures / _MIB:.1f}MiB entry={log / max(1, entries) / _KIB:.2f}KiB"
    )


def _resident() -> int:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
