"""The behavior of every store, and of the SQL store alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from msgspec.structs import replace
from tests.unit.play.duel import Duel

from enfilade.errors import BadInput, StoreDown
from enfilade.play.view import redact_entry_text
from enfilade.scene.entry import Entry
from enfilade.scene.events import DiceRolled, TokenRemoved
from enfilade.scene.model import GM, SPECTATOR, Grid, Scene, Side, Token
from enfilade.store.integrity import verify_tail
from enfilade.store.members import Invitation
from enfilade.store.protocol import ConflictError, PendingAct, StoredReply, TableState, iter_entries
from enfilade.store.sql.group_commit import CommitHooks
from enfilade.store.sql.tables import LAST_ENTRY, MAX_BYTES, SqlStore

TOKEN = Token(id="orc", name="Orc 3 «der Große»", side="red", at=(1, 2), facing=None, tracks={"hp": -1})
SCENE = Scene(
    ruleset="any",
    grid=Grid("square", 5, 5),
    house_rules={"a": True, "b": 1, "c": "x"},
    sides=(Side(id="red", name="Red", conditions={"automatic": ""}),),
    tokens=(TOKEN,),
)
FULL = 2
KEPT = TableState(id="t", seq=0, scene=SCENE)


def entry(seq):
    events = (DiceRolled(label="attack", die="d6", faces=(6, "S")), TokenRemoved(was=TOKEN))
    return Entry(seq=seq, id=f"c{seq}", seat="gm", kind="act", at_ms=seq, events=events, facts={"total": 7})


def answered(command_id):
    return StoredReply(
        seat="gm", id=command_id, fingerprint="f", seq=1, result={"outcome": {"result": "hit"}}
    )


def invitation(table, expires_ms):
    return Invitation(table=table, id=f"i{expires_ms}", role="player", expires_ms=expires_ms)


def after(kept, **changes):
    return replace(kept, revision=kept.revision + 1, **changes)


def saved(store, count, table="t"):
    kept = replace(KEPT, id=table)
    store.create(kept, {})
    for seq in range(1, count + 1):
        kept = after(kept, seq=seq)
        store.save(kept, entry(seq), answered(f"c{seq}"))
    return kept


def test_a_stored_table_loads_unchanged(store):
    asked = {"act": {"kind": "melee"}, "faces": [1, "S"]}
    pending = PendingAct(id="p", request=asked, choice={"question": "Push?"})
    store.create(KEPT, {})
    row = after(KEPT, pending=pending, undoable=(1, 2))
    store.save(row, None, answered("c"))
    assert store.load("t") == row
    assert store.load("nowhere") is None


def test_entries_are_returned_in_order_and_within_the_limit(store):
    saved(store, 5)
    assert store.entries("t", 0, 10) == [entry(seq) for seq in range(1, 6)]
    assert [e.seq for e in store.entries("t", 2, 2)] == [3, 4]
    assert list(store.entries("t", 5, 10)) == []


def with_large_entries(store, count):
    """A table with so many entries of which a few are as much as is read at once."""
    kept = KEPT
    store.create(kept, {})
    for seq in range(1, count + 1):
        kept = after(kept, seq=seq)
        store.save(kept, replace(entry(seq), events=(), text="x" * (MAX_BYTES // 3)), answered(f"c{seq}"))
    return kept


def test_entries_of_any_size_can_be_read_in_batches(store):
    with_large_entries(store, 10)
    for read in (store.entries, store.log_texts):
        assert [e.seq for e in iter_entries(read, "t", 0)] == list(range(1, 11))
        assert [e.seq for e in iter_entries(read, "t", 3, 8)] == [4, 5, 6, 7, 8]


def test_a_batch_of_large_entries_is_bounded_in_bytes(tmp_path):
    with closing(SqlStore(f"sqlite:///{tmp_path}/x.sqlite")) as store:
        with_large_entries(store, 10)
        assert [[e.seq for e in read("t", 4, 6)] for read in (store.entries, store.log_texts)] == [
            [5, 6],
            [5, 6],
        ]
        kept = after(replace(KEPT, revision=10), seq=11)
        store.save(kept, replace(entry(11), text="x" * 2 * MAX_BYTES), answered("c11"))
        assert [e.seq for e in store.entries("t", 10, 6)] == [11]


def test_a_table_with_large_last_entries_opens(store):
    verify_tail(with_large_entries(store, 10), store)


def test_a_reply_is_returned_only_for_its_own_table_and_seat(store):
    saved(store, 1)
    assert store.reply("t", "gm", "c1") == answered("c1")
    assert store.reply("t", "gm", "c2") is None
    assert store.reply("t", "player:mia", "c1") is None
    assert store.reply("other", "gm", "c1") is None


def overtaken(store, kept, new_entry, command_id):
    was = (store.load("t"), list(store.entries("t", 0, 10)))
    with pytest.raises(ConflictError):
        store.save(kept, new_entry, answered(command_id))
    assert (store.load("t"), list(store.entries("t", 0, 10))) == was


def test_the_slower_of_two_writers_changes_nothing(store):
    kept = saved(store, 2)
    overtaken(store, replace(kept, seq=3), entry(3), "c3")
    overtaken(store, after(kept, seq=2), entry(2), "c3")
    overtaken(store, after(kept, seq=3), entry(3), "c2")
    assert store.reply("t", "gm", "c3") is None
    store.save(after(kept, seq=3), entry(3), answered("c3"))


def test_a_slower_writer_without_an_entry_changes_nothing_either(store):
    kept = saved(store, 1)
    overtaken(store, kept, None, "c9")


def test_two_processes_store_in_turn_despite_their_cached_heads(url):
    stores = [SqlStore(url) for _ in range(2)]
    kept = saved(stores[0], 2)
    for seq in range(3, 9):
        writer, slower = stores[seq // 2 % 2], stores[1 - seq // 2 % 2]
        last, kept = kept, after(kept, seq=seq)
        writer.save(kept, entry(seq), answered(f"c{seq}"))
        overtaken(slower, after(last, seq=seq), entry(seq), "other")
    assert [e.seq for e in stores[0].entries("t", 0, 10)] == list(range(1, 9))
    for store in stores:
        store.close()


def test_a_table_is_read_from_one_snapshot_during_a_write(url, monkeypatch):
    with closing(SqlStore(url)) as reader, closing(SqlStore(url)) as writer:
        kept, first = saved(writer, 1), LAST_ENTRY.first

        def later(*arguments, **values):
            writer.save(after(kept, seq=2), entry(2), answered("c2"))
            return first(*arguments, **values)

        monkeypatch.setattr(LAST_ENTRY, "first", later)
        assert reader.load("t") == kept


def test_an_entry_stored_after_the_row_was_read_is_not_reported_as_damage(store):
    duel = Duel(store)
    duel.do("token.move", token="orc", at=[3, 4])
    kept = store.load(duel.table.id)
    duel.do("token.move", token="orc", at=[3, 3])
    verify_tail(kept, store)


def test_expired_invitations_are_deleted_when_one_is_added(store):
    for table in ("t", "u"):
        store.create(replace(KEPT, id=table), {})
        for expires_ms in (10, 20):
            store.members.add_invitation(invitation(table, expires_ms), f"{table}{expires_ms}", now_ms=0)
    store.members.add_invitation(invitation("t", 30), "t30", now_ms=10)
    assert [found.expires_ms for found in store.members.invitations("t")] == [20, 30]
    assert [found.expires_ms for found in store.members.invitations("u")] == [20]


def test_an_image_belongs_to_its_table(store):
    store.create(KEPT, {})
    store.add_asset("t", "map", "image/png", b"\x89PNG\x00")
    assert store.asset("t", "map") == ("image/png", b"\x89PNG\x00")
    assert store.asset("other", "map") is None


def test_the_next_process_finds_the_same_database(url):
    first = SqlStore(url)
    kept = saved(first, 3)
    first.close()
    again = SqlStore(url)
    assert again.load("t") == kept
    assert len(again.entries("t", 0, 10)) == 3
    assert again.epoch == first.epoch
    again.close()


def test_all_table_ids_are_listed(store):
    for table in ("b", "a"):
        store.create(replace(KEPT, id=table), {})
    assert list(store.table_ids()) == ["a", "b"]


def test_an_sqlite_store_has_every_commit_on_disk(sqlite_url):
    with closing(SqlStore(sqlite_url)) as store, store._database.writing() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == FULL


def test_an_invalid_database_url_is_refused():
    with pytest.raises(BadInput, match="is not a database URL"):
        SqlStore("where the tables are")


def test_a_failed_write_is_not_acknowledged(tmp_path):
    path = tmp_path / "tables.sqlite"
    store = SqlStore(f"sqlite:///{path}")
    kept = saved(store, 1)
    store.close()
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreDown, match="nothing was changed"):
        store.save(after(kept, seq=2), entry(2), answered("c2"))


def test_the_before_commit_hook_runs_before_the_write_is_visible(url):
    other, seen = SqlStore(url), []
    store = SqlStore(url, hooks=CommitHooks(before_commit=lambda: seen.append(other.load("t"))))
    store.create(KEPT, {})
    assert (seen, other.load("t")) == ([None], KEPT)
    store.close()
    other.close()


def test_a_failing_before_commit_hook_stores_nothing_and_the_next_write_succeeds(url):
    problems = [StoreDown("The disk is full.")]

    def fail_once():
        if problems:
            raise problems.pop()

    store = SqlStore(url, hooks=CommitHooks(before_commit=fail_once))
    with pytest.raises(StoreDown, match="full"):
        store.create(KEPT, {})
    assert store.load("t") is None
    store.create(KEPT, {})
    assert store.load("t") == KEPT
    store.close()


def test_two_servers_on_one_store_wait_for_each_other(url):
    stores = [SqlStore(url) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda store, table: saved(store, 60, table), stores, ("a", "b")))
    for store, table in zip(stores, ("b", "a"), strict=True):
        assert [e.seq for e in store.entries(table, 0, 100)] == list(range(1, 61))
        store.close()


def test_an_entrys_text_is_the_same_with_or_without_its_events(store):
    duel = Duel(store)
    duel.strike(faces=[6])
    duel.do("token.place", token={"id": "imp", "name": "Imp", "side": "red", "at": [5, 5], "hidden": True})
    duel.do("undo")
    table = duel.table.id
    whole, texts = (read(table, 1, 5) for read in (store.entries, store.log_texts))
    assert len(texts) == 2
    for seat in (GM, SPECTATOR):
        assert [redact_entry_text(e, seat) for e in texts] == [redact_entry_text(e, seat) for e in whole]
