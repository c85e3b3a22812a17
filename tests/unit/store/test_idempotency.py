"""A command that surely was not answered before is not looked for on disk; every other one is."""

from __future__ import annotations

import pytest
from tests.unit.store.test_stores import after, answered, entry, overtaken, saved

from enfilade.errors import StoreDown
from enfilade.store.sql import idempotency
from enfilade.store.sql.idempotency import REPLY, ReplyIndex
from enfilade.store.sql.tables import SqlStore


@pytest.fixture
def looked_for(monkeypatch):
    """The ids of the commands that were looked for on disk."""
    found, rows = [], REPLY.rows
    monkeypatch.setattr(
        REPLY, "rows", lambda connection, **asked: found.append(asked["id"]) or rows(connection, **asked)
    )
    return found


def test_a_file_store_looks_up_only_known_replies(sqlite_url, looked_for):
    store = SqlStore(sqlite_url)
    saved(store, 2)
    assert store.reply("t", "gm", "c1") == answered("c1")
    assert store.reply("t", "gm", "new") is None
    assert store.reply("t", "player:7", "c1") is None
    assert store.reply("elsewhere", "gm", "c1") is None
    assert looked_for == ["c1"]
    store.close()


def test_a_later_reply_is_known_as_well(sqlite_url, looked_for):
    store = SqlStore(sqlite_url)
    kept = saved(store, 1)
    assert store.reply("t", "gm", "c2") is None
    store.save(after(kept, seq=2), entry(2), answered("c2"))
    assert store.reply("t", "gm", "c2") == answered("c2")
    assert looked_for == ["c2"]
    store.close()


def test_the_next_process_knows_earlier_replies(sqlite_url):
    first = SqlStore(sqlite_url)
    saved(first, 3)
    first.close()
    again = SqlStore(sqlite_url)
    assert again.reply("t", "gm", "c3") == answered("c3")
    again.close()


def test_a_database_server_looks_up_every_command(postgres_url, looked_for):
    one, other = SqlStore(postgres_url), SqlStore(postgres_url)
    kept = saved(one, 1)
    assert other.reply("t", "gm", "c2") is None
    one.save(after(kept, seq=2), entry(2), answered("c2"))
    assert other.reply("t", "gm", "c2") == answered("c2")
    assert looked_for == ["c2", "c2"]
    one.close()
    other.close()


def test_after_a_conflict_a_reload_learns_the_other_writers_replies(sqlite_url):
    one, other = SqlStore(sqlite_url), SqlStore(sqlite_url)
    kept = saved(one, 1)
    assert other.reply("t", "gm", "c2") is None
    one.save(after(kept, seq=2), entry(2), answered("c2"))
    overtaken(other, after(kept, seq=2), entry(2), "c2-too")
    other.load("t")
    assert other.reply("t", "gm", "c2") == answered("c2")
    one.close()
    other.close()


def test_a_reply_with_an_unknown_commit_result_is_looked_up(sqlite_url, looked_for, monkeypatch):
    store = SqlStore(sqlite_url)
    kept = saved(store, 1)
    assert store.reply("t", "gm", "c2") is None

    def fail(_work, **_):
        raise StoreDown("It is not known whether this was stored; ask again.")

    monkeypatch.setattr(store._database, "write", fail)
    with pytest.raises(StoreDown):
        store.save(after(kept, seq=2), entry(2), answered("c2"))
    assert store.reply("t", "gm", "c2") is None
    assert looked_for == ["c2"]
    store.close()


def test_each_command_is_looked_up_for_a_table_with_many_replies(monkeypatch):
    monkeypatch.setattr(idempotency, "MAX_REPLIES", 3)
    known = ReplyIndex(
        lambda table, most: [("gm", f"{table}-{number}") for number in range(most)][: len(table)]
    )
    assert not known.may_contain("ten", "gm", "new")
    known.add("ten", "gm", "one more")
    assert known.may_contain("ten", "gm", "new")
    assert known.may_contain("tavern", "gm", "new")


def test_the_oldest_table_leaves_a_full_index(monkeypatch):
    monkeypatch.setattr(idempotency, "MAX_TABLES", 2)
    read = []
    known = ReplyIndex(lambda table, _most: read.append(table) or [("gm", "c1")])
    for table in ("a", "b", "c", "b", "a"):
        assert known.may_contain(table, "gm", "c1")
        assert not known.may_contain(table, "gm", "c2")
    assert read == ["a", "b", "c", "a"]
