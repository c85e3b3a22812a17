"""The bytes of stored tables: what they take, what goes, and what a deleted table leaves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.unit.store.test_stores import entry, saved

from enfilade.scene.events import SceneSet
from enfilade.store.maintenance import last_used_ms, table_uses
from enfilade.store.members import Member
from enfilade.store.sql.database import now_ms
from enfilade.store.sql.tables import SqlStore

SECRET = "Canary Of The Deleted"


@pytest.fixture
def store(url):
    store = SqlStore(url)
    yield store
    store.close()


def shown(table, asset):
    return f"/api/tables/{table}/assets/{asset}"


def with_background(state, asset, undoable=()):
    scene = replace(state.scene, background=shown(state.id, asset) if asset else "")
    return replace(state, scene=scene, revision=state.revision + 1, undoable=undoable)


def test_a_table_takes_the_bytes_of_its_log_its_replies_and_its_pictures(store):
    saved(store, 3, "t")
    saved(store, 1, "u")
    before = store.storage.size_of("t")
    assert (before.entries, before.pictures) == (3, 0)
    store.add_asset("t", "a", "image/png", b"x" * 1_000)
    after = store.storage.size_of("t")
    assert after.bytes == before.bytes + 1_000 == store.bytes_of("t")
    assert [one.table for one in store.storage.sizes()] == ["t", "u"]


def test_old_replies_go_and_new_ones_stay(store):
    saved(store, 2, "t")
    assert store.storage.drop_replies(now_ms() - 60_000) == 0
    gone = store.storage.drop_replies(now_ms() + 1_000)
    assert gone == sum(store.reply("t", "gm", f"c{i}") is None for i in range(1, gone + 1)) > 0


def test_pictures_go_once_neither_the_scene_nor_undo_shows_them(store):
    state = saved(store, 1, "t")
    for asset in ("shown", "undone", "unused"):
        store.add_asset("t", asset, "image/png", b"x")
    old = replace(state.scene, background=shown("t", "undone"))
    state = replace(with_background(state, "shown", (2,)), seq=2)
    store.save(state, replace(entry(2), events=(SceneSet(scene=state.scene, was=old),)), None)
    assert store.storage.drop_pictures(now_ms() - 60_000) == 0
    assert store.storage.drop_pictures(now_ms() + 1_000) == 1
    assert [store.asset("t", one) is not None for one in ("shown", "undone", "unused")] == [True, True, False]
    store.save(with_background(state, "shown"), None, None)
    assert store.storage.drop_pictures(now_ms() + 1_000) == 1
    assert store.asset("t", "undone") is None


def test_a_deleted_table_leaves_nothing_and_other_tables_all(store):
    saved(store, 2, "t")
    kept = saved(store, 2, "u")
    store.add_asset("t", "a", "image/png", b"x")
    store.members.add_member(Member(table="t", id="m", role="player", name=SECRET), "key")
    assert store.delete("t")
    assert not store.delete("t")
    assert (store.load("t"), store.asset("t", "a"), list(store.members.members_of("t"))) == (None, None, [])
    assert store.load("u") == kept
    saved(store, 1, "t")  # its ID is free again


def test_an_sqlite_file_holds_no_word_of_a_deleted_table(sqlite_url):
    store = SqlStore(sqlite_url)
    state = saved(store, 1, "t")
    named = replace(state, scene=replace(state.scene, name=SECRET), revision=state.revision + 1)
    store.save(named, None, None)
    store.delete("t")
    store.close()
    folder = Path(sqlite_url.removeprefix("sqlite:///")).parent
    assert [file.name for file in folder.iterdir() if SECRET.encode() in file.read_bytes()] == []


def test_the_use_of_tables_is_listed_with_the_last_act(store):
    saved(store, 2, "t")
    (use,) = table_uses(store)
    assert (use.size.entries, use.wrong) == (2, "")
    assert use.last_ms == last_used_ms(store, "t") == entry(2).at_ms
    assert last_used_ms(store, "nothing") is None


def test_copies_beside_the_database_go_when_they_are_old(tmp_path):
    store = SqlStore(f"sqlite:///{tmp_path / 'enfilade.sqlite'}")
    old, new = (
        tmp_path / "enfilade.sqlite.before-0008",
        tmp_path / "enfilade.sqlite.replaced-20260101-120000-ab12",
    )
    journal, other = tmp_path / f"{old.name}-wal", tmp_path / "enfilade.sqlite-backup"
    for path in (old, new, journal, other):
        path.write_bytes(b"a copy")
    os.utime(old, (1_000, 1_000))
    os.utime(other, (1_000, 1_000))
    assert store.storage.drop_copies(2_000_000) == [old]
    assert [path.exists() for path in (old, journal, new, other)] == [False, False, True, True]
    assert store.storage.drop_copies(2_000_000) == []
    store.close()
