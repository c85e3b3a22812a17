"""The file of spent links keeps every acknowledged link, even after a crash."""

from __future__ import annotations

import os

import pytest

from enfilade.errors import StoreDown
from enfilade.store import dice_secrets as module
from enfilade.store.dice_secrets import SLOT_BYTES, SpentLinks


@pytest.fixture
def opened(tmp_path):
    files = []

    def open_marks():
        files.append(SpentLinks(tmp_path / "marks"))
        return files[-1]

    yield open_marks
    for marks in files:
        marks.close()


def test_spent_links_are_known_after_reopening_the_file(opened):
    marks = opened()
    for name, index in (("tavern", 1), ("ford", 7), ("tavern", 2)):
        marks.spend(name, index)
    again = opened()
    assert [again.last_spent(name) for name in ("tavern", "ford", "mill")] == [2, 7, 0]


def test_a_chain_has_one_slot_for_all_its_rolls(opened, tmp_path):
    for index in range(1, 50):
        opened().spend("tavern", index)
    assert (tmp_path / "marks").stat().st_size == SLOT_BYTES


@pytest.mark.parametrize(("left", "noted"), [(1, 0), (32, 0), (39, 0), (40, 5), (SLOT_BYTES - 1, 5)])
def test_a_slot_cut_short_while_the_file_grew_counts_as_far_as_it_was_written(opened, tmp_path, left, noted):
    marks = opened()
    marks.spend("tavern", 3)
    marks.spend("ford", 5)
    os.truncate(tmp_path / "marks", SLOT_BYTES + left)
    after = opened()
    assert (after.last_spent("tavern"), after.last_spent("ford")) == (3, noted)
    after.spend("mill", 9)
    after.spend("tavern", 4)
    again = opened()
    assert [again.last_spent(name) for name in ("tavern", "ford", "mill")] == [4, noted, 9]


def test_two_processes_share_one_file(opened):
    one, other = opened(), opened()
    for index in range(1, 4):
        one.spend("tavern", index)
        other.spend("ford", 10 * index)
    again = opened()
    assert [again.last_spent(name) for name in ("tavern", "ford")] == [3, 30]


def test_a_synced_link_is_not_synced_again(opened, monkeypatch):
    synced = []
    monkeypatch.setattr(module, "_sync", synced.append)
    marks = opened()
    marks.sync()
    for index in (1, 2):
        marks.spend("tavern", index)
    marks.sync()
    marks.sync()
    assert len(synced) == 1


def test_a_failed_sync_is_tried_again(opened, monkeypatch):
    marks = opened()
    marks.spend("tavern", 1)
    with monkeypatch.context() as patch:
        patch.setattr(module, "_sync", lambda _: os.fsync(2**20))
        for _ in range(2):
            with pytest.raises(StoreDown):
                marks.sync()
    marks.sync()


def test_only_the_owner_can_read_the_file(opened, tmp_path):
    opened()
    assert (tmp_path / "marks").stat().st_mode & 0o077 == 0
