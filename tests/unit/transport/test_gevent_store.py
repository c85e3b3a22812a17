"""A busy server collects commits; a quiet one never waits for more."""

from __future__ import annotations

import threading
import time

import gevent
import pytest

from enfilade.transport import gevent_store
from enfilade.transport.activity import BUSY_TABLES, Activity
from enfilade.transport.gevent_store import CommitWindow


@pytest.fixture
def activity():
    return Activity()


@pytest.fixture
def waits(monkeypatch):
    """Records the waits of a commit window in place of making them."""
    made = []
    monkeypatch.setattr(gevent_store.gevent, "sleep", made.append)
    monkeypatch.setattr(gevent_store.gevent, "idle", lambda: made.append("idle"))
    return made


def play(activity, tables):
    for number in range(tables):
        activity.note(f"t{number}")


def test_a_commit_of_a_quiet_server_waits_for_nothing(activity, waits):
    window = CommitWindow(activity)
    play(activity, BUSY_TABLES - 1)
    for _ in range(3):
        window()
    assert waits == []


def waits_of(activity, waits, monkeypatch, share):
    """Return the waits of two commits of a busy server, each 10 ms after the one before."""
    start = now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    window = CommitWindow(activity, clock=lambda: share * (now - start))
    play(activity, BUSY_TABLES)
    for _ in range(2):
        now += 0.01
        window()
    return waits


@pytest.mark.parametrize(("share", "wait"), [(1, 0.04), (0.5, 0.015)])
def test_a_busy_server_waits_the_longer_the_more_it_computes(activity, waits, monkeypatch, share, wait):
    assert waits_of(activity, waits, monkeypatch, share) == [pytest.approx(wait)] * 2


def test_a_busy_server_that_seldom_computes_lets_others_arrive_and_syncs(activity, waits, monkeypatch):
    assert waits_of(activity, waits, monkeypatch, share=0.1) == ["idle"] * 2


def test_a_table_counts_as_active_for_a_second(activity, monkeypatch):
    play(activity, BUSY_TABLES)
    assert activity.is_busy
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 1.1)
    assert not activity.is_busy


def test_a_table_counts_once_however_much_it_plays(activity):
    for _ in range(5 * BUSY_TABLES):
        activity.note("t1")
    assert not activity.is_busy


def test_the_first_command_of_a_busy_server_lets_others_arrive(activity):
    arrived = []

    def commit():
        play(activity, BUSY_TABLES)
        gevent.spawn(arrived.append, "other")
        CommitWindow(activity)()

    thread = threading.Thread(target=commit)  # an event loop in which nothing of another test waits
    thread.start()
    thread.join()
    assert arrived == ["other"]
