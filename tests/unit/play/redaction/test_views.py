"""The cost of a snapshot does not depend on the length of the log."""

from __future__ import annotations

import math
from contextlib import closing

import pytest
from msgspec.json import decode, encode
from tests.unit.play.duel import SCENE, Duel

from enfilade.messages.dump import plain
from enfilade.play.command import ReplicaPosition
from enfilade.play.redaction.views import LOG_SHOWN, Views
from enfilade.runtime.time_budget import TimeBudget, time_limited
from enfilade.scene.entry import Entry, ViewSeq
from enfilade.scene.model import GM, SPECTATOR
from enfilade.scene.scene_json import state_hash
from enfilade.store.memory import MemoryStore
from enfilade.store.protocol import TableState
from enfilade.store.sql import tables
from enfilade.store.sql.tables import SqlStore

LENGTH = 100 * LOG_SHOWN


class SecretiveLog(MemoryStore):
    """A store with a long log: all know of its first entries and of its last, the game master of the rest."""

    def __init__(self, first):
        super().__init__()
        self.first = first
        self.batches = 0

    def numbers(self, seq):
        return ViewSeq(secret=max(0, min(seq, LENGTH - 1) - self.first))

    def log_texts(self, table, after, most):
        self.batches += 1
        return self.entries(table, after, most)

    def entries(self, _table, after, most):
        return [self.entry(seq) for seq in range(after + 1, after + most + 1)]

    def entry(self, seq):
        is_known = seq <= self.first or seq == LENGTH
        known_to = None if is_known else ()
        return Entry(
            seq=seq,
            id=str(seq),
            seat="gm",
            kind="note",
            at_ms=0,
            known_to=known_to,
            numbers=self.numbers(seq),
        )


def latest(store, seat):
    """Return a seat's log, and how often other requests ran meanwhile."""
    rests, clock = [], iter(range(1_000_000))
    kept = TableState(id="t", seq=LENGTH, scene=SCENE, view_seq=store.numbers(LENGTH))
    with time_limited(TimeBudget(math.inf, lambda: rests.append(1), lambda: next(clock))):
        log = Views("t", store, {})._latest(kept, seat)
    return [int(entry.id) for entry in log], len(rests)


@pytest.mark.parametrize(("first", "batches"), [(0, 1), (3, 3), (1_000, 3)])
def test_any_number_of_unknown_entries_is_skipped(first, batches):
    store = SecretiveLog(first)
    shown = min(first, LOG_SHOWN - 1)
    assert latest(store, SPECTATOR) == ([*range(first - shown + 1, first + 1), LENGTH], batches)
    assert store.batches == batches


@pytest.mark.parametrize("is_large", [False, True])
def test_a_client_that_lacks_too_many_entries_gets_a_snapshot(tmp_path, monkeypatch, is_large):
    monkeypatch.setattr(tables, "MAX_BYTES", 600 if is_large else 100_000)
    with closing(SqlStore(f"sqlite:///{tmp_path}/x.sqlite")) as store:
        duel = Duel(store)
        known = ReplicaPosition(duel.table.epoch, 0, state_hash(duel.first))
        for column in range(4):
            duel.do("token.move", token="ann", at=[column, 0])
        duel.enter()
        entry = duel.table.entries_after(GM, 0)
        assert (duel.table.log_position(GM, known), entry is None) == (
            (None, True) if is_large else (0, False)
        )
        assert [entry.seq for entry in duel.table.entries_after(GM, 3).entries] == [4]
        assert [entry.seq for entry in duel.table.snapshot(GM).log] == [1, 2, 3, 4]


def test_of_scenes_that_were_set_only_the_last_is_in_memory():
    duel = Duel()
    for _ in range(4):
        duel.do("scene.set", scene=decode(encode(plain(SCENE))))
        duel.do("token.move", token="ann", at=[0, 0])
    assert [step.entry.seq for step in duel.table._views._last] == [7, 8]


def test_a_gm_gets_the_last_entries_of_all_kinds():
    store = SecretiveLog(0)
    assert latest(store, GM) == ([*range(LENGTH - LOG_SHOWN + 1, LENGTH + 1)], 1)
