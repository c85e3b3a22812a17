"""A server's tables, found and opened."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from tests.unit.play.duel import Duel

from enfilade.store.memory import MemoryStore


class SlowStore(MemoryStore):
    """A store that lets others go on while it reads a log."""

    def entries(self, *asked):
        time.sleep(0.05)
        return super().entries(*asked)


def test_concurrent_joins_open_one_table():
    duel = Duel(SlowStore())
    tables = duel._tables()
    with ThreadPoolExecutor(3) as pool:
        entered = [pool.submit(tables.enter, duel.links.table, duel.links.gm_key) for _ in range(3)]
    first, *others = [future.result()[0] for future in entered]
    assert all(other is first for other in others)


class CountingStore(MemoryStore):
    """A store that counts how often a table's row is read."""

    loads = 0

    def load(self, table):
        self.loads += 1
        return super().load(table)


def test_a_tables_row_is_read_once_however_many_come_to_it():
    duel = Duel(CountingStore())
    tables = duel._tables()
    before = duel.store.loads
    entered = [tables.enter(duel.links.table, duel.links.gm_key)[0] for _ in range(3)]
    assert entered == [tables.find(duel.links.table)] * 3
    assert duel.store.loads == before + 1
