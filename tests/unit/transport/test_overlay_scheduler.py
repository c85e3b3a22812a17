"""Overlays are drawn one at a time, in turn, and after everything that is more urgent."""

from __future__ import annotations

import time

import gevent

from enfilade.transport.overlay_scheduler import BUSY_TABLES, MOST_SECONDS, OverlayScheduler


def drawing(drawn, name, times=1):
    left = [None] * times

    def draw():
        left.pop()
        drawn.append(name)
        return bool(left)

    return draw


def test_what_is_ready_to_run_comes_before_an_overlay():
    done, overlay_scheduler = [], OverlayScheduler()
    overlay_scheduler.schedule(drawing(done, "overlay"))

    def command(left):
        done.append("command")
        if left:
            gevent.spawn(command, left - 1)

    gevent.spawn(command, 5)
    gevent.sleep(0.05)
    assert done == ["command"] * 6 + ["overlay"]


def test_rooms_take_turns():
    drawn, overlay_scheduler = [], OverlayScheduler()
    for name in ("tavern", "ford"):
        overlay_scheduler.schedule(drawing(drawn, name, times=2))
    gevent.sleep(0.05)
    assert drawn == ["tavern", "ford", "tavern", "ford"]


def test_a_room_that_asks_again_while_it_waits_is_drawn_once():
    drawn, overlay_scheduler = [], OverlayScheduler()
    draw = drawing(drawn, "tavern")
    overlay_scheduler.schedule(draw)
    overlay_scheduler.schedule(draw)
    gevent.sleep(0.05)
    assert drawn == ["tavern"]


def test_a_server_that_is_never_quiet_still_draws():
    drawn, overlay_scheduler = [], OverlayScheduler()

    def busy():
        while not drawn:
            gevent.sleep(0)

    overlay_scheduler.schedule(drawing(drawn, "overlay"))
    with gevent.Timeout(10 * MOST_SECONDS):
        gevent.spawn(busy).join()
    assert drawn == ["overlay"]


def test_a_drawing_that_fails_keeps_no_other_from_being_drawn(caplog):
    drawn, overlay_scheduler = [], OverlayScheduler()

    def fail():
        raise RuntimeError("a torn canvas")

    overlay_scheduler.schedule(fail)
    overlay_scheduler.schedule(drawing(drawn, "ford"))
    gevent.sleep(0.05)
    assert drawn == ["ford"]
    assert "a torn canvas" in caplog.text


def draw_two_slowly(overlay_scheduler):
    drawn = []
    for name in ("tavern", "ford"):
        overlay_scheduler.schedule(lambda name=name: (gevent.sleep(0.01), drawn.append(name), False)[-1])
    gevent.sleep(0.05)
    return drawn


def test_while_many_tables_play_it_rests_after_an_overlay_and_no_longer_than_it_must():
    overlay_scheduler = OverlayScheduler()
    for table in range(BUSY_TABLES):
        overlay_scheduler.note_activity(str(table))
    drawn = draw_two_slowly(overlay_scheduler)
    assert drawn == ["tavern"]
    gevent.sleep(MOST_SECONDS)
    assert drawn == ["tavern", "ford"]


def test_while_few_tables_play_it_does_not_rest():
    overlay_scheduler = OverlayScheduler()
    for _ in range(BUSY_TABLES):
        overlay_scheduler.note_activity("tavern")
    assert draw_two_slowly(overlay_scheduler) == ["tavern", "ford"]


def test_what_was_answered_more_than_a_second_ago_keeps_it_from_nothing(monkeypatch):
    overlay_scheduler, at = OverlayScheduler(), time.monotonic()
    for table in range(BUSY_TABLES):
        overlay_scheduler.note_activity(str(table))
    monkeypatch.setattr(time, "monotonic", lambda: at + 1.1)
    assert draw_two_slowly(overlay_scheduler) == ["tavern", "ford"]
