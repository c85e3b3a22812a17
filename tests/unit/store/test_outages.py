"""PostgreSQL goes away: nothing is acknowledged meanwhile, and the first command afterwards is done."""

from __future__ import annotations

import logging
import threading
import time
from functools import partial

import pytest
from tests.unit.store.test_stores import after, answered, entry, saved

from enfilade.errors import StoreDown
from enfilade.store.integrity import check_all
from enfilade.store.sql.database import wait_for_database
from enfilade.store.sql.tables import SqlStore


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_store_refuses_at_once_while_its_server_is_down_and_recovers(postgres, postgres_url, mode):
    store = SqlStore(postgres_url)
    kept = saved(store, 1)
    postgres.stop(mode)
    try:
        began = time.monotonic()
        for act in (
            lambda: store.save(after(kept, seq=2), entry(2), answered("c2")),
            lambda: store.load("t"),
        ):
            with pytest.raises(StoreDown, match="nothing was changed"):
                act()
        assert time.monotonic() - began < 5
    finally:
        postgres.start()
    store.save(after(kept, seq=2), entry(2), answered("c2"))
    assert [e.seq for e in store.entries("t", 0, 10)] == [1, 2]
    assert next(iter(check_all(store))).table == "t"
    store.close()


def test_a_server_that_starts_before_its_database_waits_for_it_and_says_so(postgres, postgres_url, caplog):
    postgres.stop()
    starting = threading.Timer(1.5, postgres.start)
    starting.start()
    with caplog.at_level(logging.WARNING):
        store = wait_for_database(partial(SqlStore, postgres_url), 30)
    starting.join()
    assert saved(store, 1).seq == 1
    assert len(caplog.messages) == 1
    assert "does not answer (" in caplog.messages[0]
    store.close()


def test_a_database_that_does_not_come_is_named_with_its_reason_after_the_given_time(postgres):
    absent = postgres.url("absent")
    began = time.monotonic()
    with pytest.raises(StoreDown, match=r'for 0.5 seconds: .*database "absent" does not exist. Start it'):
        wait_for_database(partial(SqlStore, absent), 0.5)
    assert time.monotonic() - began < 3
    with pytest.raises(StoreDown, match="nothing was changed"):
        wait_for_database(partial(SqlStore, absent), 0)
