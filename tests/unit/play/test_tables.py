"""A server's tables, found and opened."""

from __future__ import annotations

import gc
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

from tests.example import FIRST_BLOOD
from tests.unit.play.duel import Duel

from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
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


class IdleTables:
    """Tables with a clock that a test sets, and the one table in it."""

    def __init__(self):
        self.duel = Duel()
        self.now, self.connected = 0.0, set()
        rulesets = {"first_blood": FIRST_BLOOD}
        self.tables = Tables(self.duel.store, rulesets, SeededDice(7), clock=lambda: self.now)
        self.id = self.duel.links.table

    def enter(self):
        return self.tables.enter(self.id, self.duel.links.gm_key)[0]

    def release(self):
        return self.tables.release_unused(600, self.connected.__contains__)


def test_a_table_that_no_one_asks_for_leaves_the_memory_and_comes_back():
    hall = IdleTables()
    table = hall.enter()
    before, gone = table.state, weakref.ref(table)
    hall.now = 601
    assert hall.release() == 1
    del table
    gc.collect()
    assert gone() is None
    assert hall.enter().state == before


def test_a_table_with_connections_or_asked_for_just_now_stays():
    hall = IdleTables()
    table = hall.enter()
    hall.now = 599
    assert hall.release() == 0
    hall.tables.find(hall.id)
    hall.now = 1_000
    assert hall.release() == 0
    hall.now, hall.connected = 5_000, {hall.id}
    assert hall.release() == 0
    assert hall.enter() is table
