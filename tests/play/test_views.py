"""What a snapshot takes to put together, however long the log is."""

from __future__ import annotations

import math

import pytest
from tests.play.duel import SCENE

from enfilade.pace import Pace, paced
from enfilade.play.views import LOG_SHOWN, Views
from enfilade.scene.entry import Entry
from enfilade.scene.numbers import Numbers
from enfilade.scene.seat import GM, SPECTATOR
from enfilade.store.kept import Kept
from enfilade.store.memory import MemoryStore

LENGTH = 100 * LOG_SHOWN


class SecretiveLog(MemoryStore):
    """A store with a long log: all know of its first entries and of its last, the game master of the rest."""

    def __init__(self, first):
        super().__init__()
        self.first = first
        self.batches = 0

    def numbers(self, seq):
        return Numbers(secret=max(0, min(seq, LENGTH - 1) - self.first))

    def words(self, table, after, most):
        self.batches += 1
        return self.entries(table, after, most)

    def entries(self, _table, after, most):
        return [self.entry(seq) for seq in range(after + 1, after + most + 1)]

    def entry(self, seq):
        is_known = seq <= self.first or seq == LENGTH
        known_to = None if is_known else ()
        return Entry(
            seq=seq, id="c", seat="gm", kind="note", at_ms=0, known_to=known_to, numbers=self.numbers(seq)
        )


def latest(store, seat):
    """What a seat is told of the log, and how often others had their turn meanwhile."""
    rests, clock = [], iter(range(1_000_000))
    kept = Kept(id="t", seq=LENGTH, scene=SCENE, numbers=store.numbers(LENGTH))
    with paced(Pace(math.inf, lambda: rests.append(1), lambda: next(clock))):
        log = Views("t", store, {})._latest(kept, seat)
    return [entry.seq for entry in log], len(rests)


@pytest.mark.parametrize(("first", "batches"), [(0, 1), (3, 3), (1_000, 3)])
def test_what_a_seat_may_not_know_is_skipped_however_long_it_is(first, batches):
    store = SecretiveLog(first)
    shown = min(first, LOG_SHOWN - 1)
    assert latest(store, SPECTATOR) == ([*range(first - shown + 1, first + 1), LENGTH], batches)
    assert store.batches == batches


def test_a_game_master_is_told_the_last_entries_whatever_they_are():
    store = SecretiveLog(0)
    assert latest(store, GM) == ([*range(LENGTH - LOG_SHOWN + 1, LENGTH + 1)], 1)
