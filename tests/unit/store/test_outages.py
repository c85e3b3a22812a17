"""PostgreSQL goes away: nothing is acknowledged meanwhile, and the first command afterwards is done."""

from __future__ import annotations

import time

import pytest
from tests.unit.store.test_stores import after, answered, entry, saved

from enfilade.errors import StoreDown
from enfilade.store.integrity import check_all
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
