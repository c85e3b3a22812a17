"""What every store does, and what only the one on disk does."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.errors import StoreDown
from enfilade.scene.entry import Entry
from enfilade.scene.events import DiceRolled, TokenRemoved
from enfilade.scene.model import Grid, Scene, Side, Token
from enfilade.store.kept import Answered, Kept, OvertakenError, Pending
from enfilade.store.sql import SqlStore

TOKEN = Token(id="orc", name="Orc 3 «der Große»", side="red", at=(1, 2), facing=None, tracks={"hp": -1})
SCENE = Scene(
    ruleset="any",
    grid=Grid("square", 5, 5),
    house_rules={"a": True, "b": 1, "c": "x"},
    sides=(Side(id="red", name="Red", conditions={"automatic": ""}),),
    tokens=(TOKEN,),
)
KEPT = Kept(id="t", seq=0, scene=SCENE, gm_key="g", spectator_key="s")


def entry(seq):
    events = (DiceRolled(label="attack", die="d6", faces=(6, "S")), TokenRemoved(was=TOKEN))
    return Entry(seq=seq, id=f"c{seq}", seat="gm", kind="act", at_ms=seq, events=events, facts={"total": 7})


def answered(command_id):
    return Answered(id=command_id, fingerprint="f", seq=1, result={"outcome": {"result": "hit"}})


def after(kept, **changes):
    return replace(kept, revision=kept.revision + 1, **changes)


def saved(store, count):
    kept = KEPT
    store.create(kept)
    for seq in range(1, count + 1):
        kept = after(kept, seq=seq)
        store.save(kept, entry(seq), answered(f"c{seq}"))
    return kept


def test_a_table_comes_back_whole(store):
    asked = {"act": {"kind": "melee"}, "faces": [1, "S"]}
    pending = Pending(id="p", asked=asked, choice={"question": "Push?"})
    store.create(KEPT)
    row = after(KEPT, pending=pending, undoable=(1, 2))
    store.save(row, None, answered("c"))
    assert store.load("t") == row
    assert store.load("nowhere") is None


def test_entries_come_back_in_order_and_no_more_than_asked_for(store):
    saved(store, 5)
    assert store.entries("t", 0, 10) == [entry(seq) for seq in range(1, 6)]
    assert [e.seq for e in store.entries("t", 2, 2)] == [3, 4]
    assert list(store.entries("t", 5, 10)) == []


def test_an_answer_is_given_again_and_only_for_its_own_table(store):
    saved(store, 1)
    assert store.answered("t", "c1") == answered("c1")
    assert store.answered("t", "c2") is None
    assert store.answered("other", "c1") is None


def overtaken(store, kept, new_entry, command_id):
    was = (store.load("t"), list(store.entries("t", 0, 10)))
    with pytest.raises(OvertakenError):
        store.save(kept, new_entry, answered(command_id))
    assert (store.load("t"), list(store.entries("t", 0, 10))) == was


def test_of_two_writers_the_slower_one_changes_nothing(store):
    kept = saved(store, 2)
    overtaken(store, replace(kept, seq=3), entry(3), "c3")
    overtaken(store, after(kept, seq=2), entry(2), "c3")
    overtaken(store, after(kept, seq=3), entry(3), "c2")
    assert store.answered("t", "c3") is None
    store.save(after(kept, seq=3), entry(3), answered("c3"))


def test_a_slower_writer_without_an_entry_changes_nothing_either(store):
    kept = saved(store, 1)
    overtaken(store, kept, None, "c9")


def test_an_image_belongs_to_its_table(store):
    store.create(KEPT)
    store.add_asset("t", "map", "image/png", b"\x89PNG\x00")
    assert store.asset("t", "map") == ("image/png", b"\x89PNG\x00")
    assert store.asset("other", "map") is None


def test_a_database_is_found_again_by_the_next_process(tmp_path):
    url = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    kept = saved(SqlStore(url), 3)
    assert SqlStore(url).load("t") == kept
    assert len(SqlStore(url).entries("t", 0, 10)) == 3


def test_what_cannot_be_stored_is_not_acknowledged(tmp_path):
    path = tmp_path / "tables.sqlite"
    store = SqlStore(f"sqlite:///{path}")
    kept = saved(store, 1)
    store._engine.dispose()
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreDown, match="nothing was changed"):
        store.save(after(kept, seq=2), entry(2), answered("c2"))
