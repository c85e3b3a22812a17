"""Overlays are computed one at a time, in turn, and after all more urgent work."""

from __future__ import annotations

import time

import gevent
import pytest
from gevent.event import Event

from enfilade.transport import overlay_scheduler
from enfilade.transport.activity import BUSY_TABLES, Activity
from enfilade.transport.overlay_scheduler import (
    MAX_DELAY_SECONDS,
    PATIENCE_SECONDS,
    OverlayScheduler,
)


@pytest.fixture
def activity():
    return Activity()


@pytest.fixture
def scheduler(activity):
    return OverlayScheduler(activity)


@pytest.fixture
def pauses(monkeypatch):
    """Records pauses in place of making them."""
    made = []
    monkeypatch.setattr(overlay_scheduler.gevent, "sleep", made.append)
    return made


def overlays(drawn, name, count=1):
    """A room that has `count` outdated overlays."""
    left = [None] * count

    def draw_next():
        left.pop()
        drawn.append(name)
        return bool(left)

    return draw_next


def run_all(scheduler):
    with gevent.Timeout(5):
        while not scheduler.is_idle:
            gevent.idle()


def test_greenlets_that_are_ready_run_before_an_overlay(scheduler):
    done = []
    scheduler.schedule(overlays(done, "overlay"))

    def command(left):
        done.append("command")
        if left:
            gevent.spawn(command, left - 1)

    gevent.spawn(command, 5)
    run_all(scheduler)
    assert done == ["command"] * 6 + ["overlay"]


def test_rooms_take_turns(scheduler):
    drawn = []
    for name in ("tavern", "ford"):
        scheduler.schedule(overlays(drawn, name, count=2))
    run_all(scheduler)
    assert drawn == ["tavern", "ford", "tavern", "ford"]


def test_a_room_in_the_queue_is_not_queued_twice(scheduler):
    drawn = []
    draw_next = overlays(drawn, "tavern")
    scheduler.schedule(draw_next)
    scheduler.schedule(draw_next)
    run_all(scheduler)
    assert drawn == ["tavern"]


def test_a_server_that_is_never_idle_still_computes_overlays(scheduler):
    drawn = []

    def stay_busy():
        while not drawn:
            gevent.sleep(0)

    scheduler.schedule(overlays(drawn, "overlay"))
    with gevent.Timeout(10 * MAX_DELAY_SECONDS):
        gevent.spawn(stay_busy).join()
    assert drawn == ["overlay"]


def test_a_failed_overlay_does_not_stop_the_others(scheduler, caplog):
    drawn = []

    def fail():
        raise RuntimeError("a torn canvas")

    scheduler.schedule(fail)
    scheduler.schedule(overlays(drawn, "ford"))
    run_all(scheduler)
    assert drawn == ["ford"]
    assert "a torn canvas" in caplog.text


def draw_two(scheduler):
    drawn = []
    for name in ("tavern", "ford"):
        scheduler.schedule(overlays(drawn, name))
    run_all(scheduler)
    assert drawn == ["tavern", "ford"]


def test_a_busy_server_pauses_after_each_overlay_up_to_a_limit(scheduler, activity, pauses, monkeypatch):
    for table in range(BUSY_TABLES):
        activity.note(str(table))
    ticks = iter(range(100))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(ticks)))  # each overlay takes a second
    draw_two(scheduler)
    assert pauses == [MAX_DELAY_SECONDS] * 2


def test_a_server_with_few_active_tables_does_not_pause(scheduler, activity, pauses):
    for _ in range(BUSY_TABLES):
        activity.note("tavern")
    draw_two(scheduler)
    assert pauses == []


def test_activity_more_than_a_second_ago_does_not_count(scheduler, activity, pauses, monkeypatch):
    now = time.monotonic()
    for table in range(BUSY_TABLES):
        activity.note(str(table))
    monkeypatch.setattr(time, "monotonic", lambda: now + 1.1)
    draw_two(scheduler)
    assert pauses == []


def test_an_overlay_that_takes_long_does_not_keep_other_rooms_waiting(scheduler):
    drawn, may_end = [], Event()

    def draw_slowly():
        may_end.wait()
        drawn.append("slow")
        return False

    scheduler.schedule(draw_slowly)
    scheduler.schedule(overlays(drawn, "ford"))
    gevent.sleep(5 * PATIENCE_SECONDS)
    assert drawn == ["ford"]
    assert not scheduler.is_idle
    may_end.set()
    run_all(scheduler)
    assert drawn == ["ford", "slow"]


def test_a_room_whose_table_has_used_up_its_time_waits_alone(scheduler):
    drawn, waits = [], [0.1]
    scheduler.schedule(overlays(drawn, "tavern"), lambda: waits[0])
    scheduler.schedule(overlays(drawn, "ford", count=2))
    gevent.sleep(0.05)
    assert drawn == ["ford", "ford"]
    waits[0] = 0.0
    run_all(scheduler)
    assert drawn == ["ford", "ford", "tavern"]
