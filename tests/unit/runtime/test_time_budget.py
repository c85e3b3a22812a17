"""Long answers yield to other greenlets, and end when they take too long, on a manual clock."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event, RLock

import pytest

from enfilade.errors import TooSlow
from enfilade.importers.demo import demo_battle
from enfilade.play.command import Command
from enfilade.rulesets import BUILT_IN
from enfilade.runtime.time_budget import (
    ERROR_SECONDS,
    FIRST_SLICE_SECONDS,
    SLICE_SECONDS,
    ThreadClock,
    TimeBudget,
    checkpoint,
    time_limited,
    unmetered,
)
from enfilade.scene.model import GM
from enfilade.tactics.overlays import overlay
from tests.unit.play.duel import Duel


class Clock:
    """A clock that advances by `step` at each reading."""

    def __init__(self, step):
        self.now, self.step = 0.0, step

    def __call__(self):
        self.now += self.step
        return self.now


def loop_forever():
    while True:
        checkpoint()


def test_a_checkpoint_without_a_budget_does_nothing():
    checkpoint()


def test_other_greenlets_run_once_a_slice():
    rests = []
    with time_limited(TimeBudget(limit=10, rest=lambda: rests.append(1), clock=Clock(SLICE_SECONDS / 10))):
        for _ in range(1_000):
            checkpoint()
    assert 80 < len(rests) < 120


def test_an_answer_that_ends_within_the_first_slice_is_not_interrupted():
    rests, clock = [], Clock(0)
    with time_limited(TimeBudget(limit=10, rest=lambda: rests.append(clock.now), clock=clock)):
        clock.now += 0.9 * FIRST_SLICE_SECONDS
        checkpoint()
        assert rests == []
        for _ in range(2):
            clock.now += 1.1 * SLICE_SECONDS
            checkpoint()
    assert len(rests) == 2


def test_an_answer_ends_when_its_budget_is_spent():
    clock = Clock(0.001)
    with time_limited(TimeBudget(limit=0.05, rest=lambda: None, clock=clock)), pytest.raises(TooSlow):
        loop_forever()
    assert clock.now < 0.08


def test_an_answer_that_goes_on_after_its_budget_is_spent_still_rests():
    rests = []
    budget = TimeBudget(limit=0.05, rest=lambda: rests.append(1), clock=Clock(SLICE_SECONDS / 10))
    with time_limited(budget):
        for _ in range(2_000):
            with suppress(TooSlow):
                checkpoint()
    assert budget.spent > 0.1
    assert len(rests) > 100


def test_an_answer_may_rest_at_once():
    rests, clock = [], Clock(0)
    with time_limited(TimeBudget(limit=10, rest=lambda: rests.append(clock.now), clock=clock)) as budget:
        budget.rest()
        clock.now += 1.1 * SLICE_SECONDS
        checkpoint()
    assert len(rests) == 2


def test_the_time_of_other_greenlets_is_not_charged():
    clock = Clock(0.0001)

    def rest():
        clock.now += 100

    with time_limited(TimeBudget(limit=1, rest=rest, clock=clock)) as budget:
        for _ in range(500):
            checkpoint()
    assert budget.spent < 1
    assert clock.now > 100


def test_waiting_for_a_disk_is_not_charged():
    clock = Clock(0.0001)
    with time_limited(TimeBudget(limit=1, rest=lambda: None, clock=clock)) as budget:
        checkpoint()
        with unmetered():
            clock.now += 100
            assert budget.spent < 1
        checkpoint()
    assert 0 < budget.spent < 1


def test_a_nested_wait_does_not_end_the_outer_one():
    clock = Clock(0.0001)
    with time_limited(TimeBudget(limit=1, rest=lambda: None, clock=clock)) as budget:
        with unmetered():
            for _ in range(2):
                clock.now += 100
                with unmetered():
                    clock.now += 100
        checkpoint()
    assert 0 < budget.spent < 1


class ObservedLock:
    """A reentrant lock that reports each wait for it."""

    def __init__(self):
        self.is_requested = Event()
        self._lock = RLock()

    def acquire(self, blocking=True):
        if blocking:
            self.is_requested.set()
        return self._lock.acquire(blocking)

    def release(self):
        self._lock.release()


def test_waiting_for_a_table_is_not_charged():
    clock, table = Clock(0.0001), Duel().table
    table._lock._lock = lock = ObservedLock()
    is_locked = Event()

    def act():
        with table._lock:
            lock.is_requested.clear()
            is_locked.set()
            assert lock.is_requested.wait(10)
            clock.now += 100

    with (
        ThreadPoolExecutor(1) as pool,
        time_limited(TimeBudget(limit=1, rest=lambda: None, clock=clock)) as budget,
    ):
        other = pool.submit(act)
        assert is_locked.wait(10)
        table.execute(GM, Command(id="c", kind="door.set", body={"wall": "door", "state": "open"}))
        other.result()
    assert 0 < budget.spent < 1


def test_the_slow_clock_is_not_read_within_a_slice():
    slow, fast = Clock(1), Clock(SLICE_SECONDS / 10)
    with time_limited(TimeBudget(limit=10, rest=lambda: None, clock=slow, fast_clock=fast)) as budget:
        assert 0 < budget.spent < SLICE_SECONDS


def test_a_nested_budget_replaces_the_outer_one():
    outer, inner = TimeBudget(0.001, lambda: None, Clock(1)), TimeBudget(1_000, lambda: None, Clock(1))
    with time_limited(outer):
        with time_limited(inner):
            checkpoint()
        with pytest.raises(TooSlow):
            checkpoint()


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=lambda ruleset: ruleset.key)
def test_computing_an_overlay_yields(ruleset):
    scene = demo_battle(ruleset).scene
    token = scene.on_board()[0].id if scene.on_board() else scene.tokens[0].id
    yields = []
    with time_limited(TimeBudget(math.inf, lambda: yields.append(1), Clock(1))):
        overlay(ruleset, scene, token, 0)
    assert yields


class Machine:
    """A thread that computes and waits, its two clocks, and how often the exact one was read."""

    def __init__(self):
        self.cpu, self.wall, self.reads = 5.0, 100.0, 0

    def exact(self):
        self.reads += 1
        return self.cpu

    def fast(self):
        return self.wall

    def compute(self, seconds):
        self.cpu, self.wall = self.cpu + seconds, self.wall + seconds

    def wait(self, seconds):
        self.wall += seconds


def test_readings_close_together_share_one_system_call():
    machine = Machine()
    clock = ThreadClock(machine.exact, machine.fast)
    for _ in range(10):
        machine.compute(ERROR_SECONDS / 20)
        assert abs(clock() - machine.cpu) < 1e-9
    assert machine.reads == 1


def test_a_long_wait_counts_for_nothing():
    machine = Machine()
    clock = ThreadClock(machine.exact, machine.fast)
    machine.wait(3)
    machine.compute(0.002)
    assert clock() == machine.cpu


def test_a_reading_is_above_the_exact_one_by_a_short_wait_at_most():
    machine = Machine()
    clock = ThreadClock(machine.exact, machine.fast)
    for part in range(1, 40):
        machine.wait(ERROR_SECONDS / part)
        machine.compute(ERROR_SECONDS / 7)
        assert 0 <= clock() - machine.cpu + 1e-9 <= ERROR_SECONDS + 2e-9
