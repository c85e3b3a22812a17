"""Long answers let others run, and end where they take too long; by a clock of the test's own."""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from enfilade.demo import demo_battle
from enfilade.errors import TooSlow
from enfilade.play.command import Command
from enfilade.rulesets import BUILT_IN
from enfilade.scene.seat import GM
from enfilade.tactics.overlays import overlay
from enfilade.time_budget import SLICE_SECONDS, TimeBudget, checkpoint, time_limited, unmetered
from tests.unit.play.duel import Duel


class Clock:
    """Every look at it takes a while."""

    def __init__(self, look):
        self.now, self.look = 0.0, look

    def __call__(self):
        self.now += self.look
        return self.now


def breathe_for_ever():
    while True:
        checkpoint()


def test_without_a_pace_nothing_rests_and_nothing_ends():
    checkpoint()


def test_others_have_their_turn_once_a_slice():
    rests = []
    with time_limited(TimeBudget(limit=10, rest=lambda: rests.append(1), clock=Clock(SLICE_SECONDS / 10))):
        for _ in range(1_000):
            checkpoint()
    assert 80 < len(rests) < 120


def test_an_answer_ends_once_its_time_is_over():
    clock = Clock(0.001)
    with time_limited(TimeBudget(limit=0.05, rest=lambda: None, clock=clock)), pytest.raises(TooSlow):
        breathe_for_ever()
    assert clock.now < 0.08


def test_the_time_of_others_is_not_counted():
    clock = Clock(0.0001)

    def rest():
        clock.now += 100

    with time_limited(TimeBudget(limit=1, rest=rest, clock=clock)) as pace:
        for _ in range(500):
            checkpoint()
    assert pace.spent < 1
    assert clock.now > 100


def test_the_time_that_an_answer_waits_for_a_disk_is_not_counted():
    clock = Clock(0.0001)
    with time_limited(TimeBudget(limit=1, rest=lambda: None, clock=clock)) as pace:
        checkpoint()
        with unmetered():
            clock.now += 100
            assert pace.spent < 1
        checkpoint()
    assert 0 < pace.spent < 1


def test_a_wait_inside_a_wait_has_the_outer_one_go_on_uncounted():
    clock = Clock(0.0001)
    with time_limited(TimeBudget(limit=1, rest=lambda: None, clock=clock)) as pace:
        with unmetered():
            for _ in range(2):
                clock.now += 100
                with unmetered():
                    clock.now += 100
        checkpoint()
    assert 0 < pace.spent < 1


def test_waiting_for_a_table_is_not_charged():
    clock, table = Clock(0.0001), Duel().table
    has_begun = Event()

    def act():
        with table._lock:
            has_begun.set()
            time.sleep(0.01)
            clock.now += 100

    with (
        ThreadPoolExecutor(1) as pool,
        time_limited(TimeBudget(limit=1, rest=lambda: None, clock=clock)) as pace,
    ):
        other = pool.submit(act)
        assert has_begun.wait(10)
        table.execute(GM, Command(id="c", kind="door.set", body={"wall": "door", "state": "open"}))
        other.result()
    assert 0 < pace.spent < 1


def test_a_slice_that_a_quick_look_says_is_not_over_counts_as_it_passed():
    slow, quick = Clock(1), Clock(SLICE_SECONDS / 10)
    with time_limited(TimeBudget(limit=10, rest=lambda: None, clock=slow, fast_clock=quick)) as pace:
        assert 0 < pace.spent < SLICE_SECONDS


def test_a_pace_inside_another_takes_its_place_meanwhile():
    outer, inner = TimeBudget(0.001, lambda: None, Clock(1)), TimeBudget(1_000, lambda: None, Clock(1))
    with time_limited(outer):
        with time_limited(inner):
            checkpoint()
        with pytest.raises(TooSlow):
            checkpoint()


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.key)
def test_an_overlay_breathes(ruleset):
    scene = demo_battle(ruleset).scene
    token = scene.on_board()[0].id if scene.on_board() else scene.tokens[0].id
    breaths = []
    with time_limited(TimeBudget(math.inf, lambda: breaths.append(1), Clock(1))):
        overlay(ruleset, scene, token, 0)
    assert breaths
