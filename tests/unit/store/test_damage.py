"""Every change behind the store's back is detected, and closes only its own table."""

from __future__ import annotations

import hashlib
import json

import pytest
import sqlalchemy as sa
from msgspec.structs import replace
from tests.unit.play.duel import Duel
from tests.unit.store.test_stores import answered

from enfilade.errors import Damaged
from enfilade.scene.entry import ViewSeq
from enfilade.scene.events import TokenMoved
from enfilade.store.integrity import TAIL, check_all
from enfilade.store.sql.tables import SqlStore

EDITS = {
    "an entry is edited": "UPDATE entries SET entry = replace(entry, 'hit', 'hot') WHERE seq = 1",
    "an entry is cut out": "DELETE FROM entries WHERE seq = 2",
    "the end is cut off": "DELETE FROM entries WHERE seq = 4",
    "everything is cut off": "DELETE FROM entries WHERE seq > 0",
    "two entries are swapped": (
        "UPDATE entries SET seq = -seq WHERE seq IN (2, 3); UPDATE entries SET seq = 5 + seq WHERE seq < 0"
    ),
    "an entry is slipped in": (
        "INSERT INTO entries (table_id, seq, entry, prev, hash)"
        " SELECT table_id, 5, entry, hash, prev FROM entries WHERE seq = 4"
    ),
    "a hash is edited": "UPDATE entries SET hash = x'00' WHERE seq = 2",
    "a row is edited": "UPDATE tables SET row = replace(row, 'Silent Sam', 'Silent Tom')",
    "a row is cut short": "UPDATE tables SET row = substr(row, 1, 100)",
    "a row is of an older moment": "UPDATE tables SET revision = revision - 1",
    "an answer is edited": "UPDATE answers SET answer = replace(answer, 'hit', 'hot')",
    "an answer is cut out": "DELETE FROM answers WHERE id = 'strike'",
}


def as_bytes(edit):
    """SQLite's replace and substr give text; what is kept is bytes."""
    return edit.replace("= replace(", "= cast_replace(").replace("= substr(", "= cast_substr(")


class Edited:
    """A store with two duels, of which one is edited behind its back."""

    def __init__(self, url):
        self.store = SqlStore(url)
        self.duel, self.other = self.played(), self.played()

    def played(self):
        duel = Duel(self.store)
        duel.strike(faces=[6], command_id="strike")
        duel.do("token.move", token="orc", at=[4, 4])
        duel.do("door.set", wall="door", state="open")
        duel.do("undo")
        return duel

    def edit(self, statements):
        with self.store._database.writing() as connection:
            raw = connection.connection.dbapi_connection
            raw.create_function("cast_replace", 3, lambda b, old, new: b.replace(old.encode(), new.encode()))
            raw.create_function("cast_substr", 3, lambda b, start, most: b[start - 1 :][:most])
            for sql in as_bytes(statements).split(";"):
                where = "WHERE" if " WHERE " not in sql else "AND"
                column = "id" if "UPDATE tables" in sql else "table_id"
                changed = connection.exec_driver_sql(f"{sql} {where} {column} = '{self.duel.table.id}'")
                assert changed.rowcount > 0


@pytest.fixture
def edited(sqlite_url):
    made = Edited(sqlite_url)
    yield made
    made.store.close()


def found(store):
    return {finding.table: finding.wrong for finding in check_all(store)}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_the_check_names_every_damaged_table_and_no_other(edited, edit):
    assert set(found(edited.store).values()) == {""}
    edited.edit(edit)
    wrong = found(edited.store)
    assert wrong[edited.other.table.id] == ""
    assert "does not match what was written" in wrong[edited.duel.table.id]


@pytest.mark.parametrize("name", [name for name in EDITS if not name.startswith(("an answer", "two"))])
def test_a_damaged_table_stays_closed_and_other_tables_play_on(edited, name):
    edited.edit(EDITS[name])
    with pytest.raises(Damaged, match=r"is closed, because .* does not match what was written") as problem:
        edited.duel.enter()
    assert (problem.value.code, problem.value.retryable) == ("damaged", False)
    edited.other.enter()
    assert edited.other.strike("orc", "ann", faces=[6], override="He was ready").seq == 5


def test_a_damaged_reply_is_not_sent(edited):
    edited.edit(EDITS["an answer is edited"])
    with pytest.raises(Damaged, match="the reply to a command"):
        edited.duel.strike(faces=[6], command_id="strike")


def test_a_damaged_image_is_not_returned(edited):
    edited.store.add_asset(edited.duel.table.id, "map", "image/png", b"\x89PNG")
    edited.edit("UPDATE assets SET data = x'00'")
    with pytest.raises(Damaged, match="an image"):
        edited.store.asset(edited.duel.table.id, "map")


def test_a_scene_that_differs_from_the_log_is_detected_even_with_a_valid_checksum(edited):
    kept = edited.store.load(edited.duel.table.id)
    tokens = tuple(replace(token, at=(0, 0)) for token in kept.scene.tokens)
    wrong = replace(kept, revision=kept.revision + 1, scene=replace(kept.scene, tokens=tokens))
    edited.store.save(wrong, None, answered("bug"))
    assert "the scene at the end of its log" in found(edited.store)[kept.id]
    with pytest.raises(Damaged, match="the scene at the end of its log"):
        edited.duel.enter()


ASTRAY = TokenMoved(token="nobody", at=(0, 0), facing=None, was_at=(1, 1), was_facing=None)


@pytest.fixture(scope="module")
def long_game():
    """A game that is read in three parts, with some entries that not all seats know."""
    duel = Duel()
    for number in range(2 * TAIL + 50):
        duel.do("token.move", token=("ann", "spy")[number % 3 == 0], at=[number % 8, 0])
    return duel


def test_a_log_that_is_checked_in_batches_is_consistent(long_game):
    assert found(long_game.store) == {long_game.table.id: ""}


@pytest.mark.parametrize("seq", [1, 2, 49, 50, 51, 52, 150, 151, 249, 250])
@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"numbers": ViewSeq(secret=777)}, "the numbering of its views"),
        ({"known_to": ("player mia",)}, "the numbering of its views"),
        ({"events": (ASTRAY,)}, "the scene at the end of its log"),
        ({"id": "unheard"}, "the reply to entry"),
    ],
)
def test_an_error_is_found_in_every_batch_of_a_log(long_game, monkeypatch, seq, changes, wrong):
    log = list(long_game.entries())
    log[seq - 1] = replace(log[seq - 1], **changes)
    monkeypatch.setitem(long_game.store._entries, long_game.table.id, log)
    assert wrong in found(long_game.store)[long_game.table.id]


def test_the_chain_can_be_verified_without_this_program(edited):
    table = edited.duel.table.id
    head = hashlib.sha256(json.dumps(["log/v1", table], separators=(",", ":")).encode()).digest()
    with edited.store._database.reading() as connection:
        log = sa.text("SELECT entry, prev, hash FROM entries WHERE table_id = :id ORDER BY seq")
        rows = connection.execute(log, {"id": table}).all()
    for row in rows:
        canonical = json.dumps(
            json.loads(row.entry), sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        assert (row.entry, row.prev) == (canonical.encode(), head)
        head = hashlib.sha256(head + canonical.encode()).digest()
        assert row.hash == head
    assert len(rows) == 4


@pytest.mark.parametrize("name", ["an entry is edited", "an entry is cut out", "a hash is edited"])
def test_damage_is_detected_even_if_only_texts_are_read(edited, name):
    edited.edit(EDITS[name])
    with pytest.raises(Damaged):
        edited.store.log_texts(edited.duel.table.id, 0, 10)
