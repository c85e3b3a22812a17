"""The batcher runs all waiting jobs at once, and each exactly once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import gevent
import pytest
from gevent.thread import LockType

from enfilade.runtime.time_budget import TimeBudget, time_limited
from enfilade.store.sql import group_commit as module
from enfilade.store.sql.group_commit import Batcher, Job


class Disk:
    """Fulfils wishes, the first batch not before it may end; remembers every batch."""

    def __init__(self):
        self.batches = []
        self.has_begun, self.may_end = Event(), Event()

    def __call__(self, batch):
        self.batches.append(list(batch))
        self.has_begun.set()
        assert self.may_end.wait(10)
        for wish in batch:
            wish.is_done = True


@pytest.fixture
def disk():
    return Disk()


def wished(batcher, disk, number):
    """Submit jobs while the first one runs, then let all of them finish."""
    with ThreadPoolExecutor(number + 1) as pool:
        first = pool.submit(batcher.submit, Job())
        assert disk.has_begun.wait(10)
        others = [pool.submit(batcher.submit, Job()) for _ in range(number)]
        while len(batcher.waiting) < number:
            Event().wait(0.001)
        disk.may_end.set()
        for future in (first, *others):
            future.result(10)


def test_jobs_submitted_while_one_runs_are_run_together_and_each_once(disk):
    wished(Batcher(disk, lambda: None), disk, 20)
    assert [len(batch) for batch in disk.batches] == [1, 20]


def test_a_later_job_does_not_wait_for_finished_callers_to_wake(disk):
    batcher = Batcher(disk, lambda: None)
    wished(batcher, disk, 20)
    batcher.submit(Job())
    assert [len(batch) for batch in disk.batches] == [1, 20, 1]


def test_the_last_of_enough_jobs_leads_and_the_gatherer_only_waits(disk):
    disk.may_end.set()
    has_gathered = Event()
    batcher = Batcher(disk, lambda: has_gathered.wait(10), enough=3)
    with ThreadPoolExecutor(3) as pool:
        early = [pool.submit(batcher.submit, Job()) for _ in range(2)]
        while len(batcher.waiting) < 2:
            Event().wait(0.001)
        batcher.submit(Job())
        has_gathered.set()
        for future in early:
            future.result(10)
    assert [len(batch) for batch in disk.batches] == [3]


def test_no_caller_gathers_once_enough_jobs_wait(disk):
    asked = []
    wished(Batcher(disk, lambda: asked.append(None), enough=3), disk, 20)
    assert [len(batch) for batch in disk.batches] == [1, 20]
    assert len(asked) == 1


def test_many_concurrent_jobs_are_each_done_once():
    batches = []

    def fulfil(batch):
        batches.append(batch)
        Event().wait(0.0005)
        for wish in batch:
            assert not wish.is_done
            wish.is_done = True

    batcher = Batcher(fulfil, lambda: Event().wait(0.0005), enough=4)
    with ThreadPoolExecutor(16) as pool:
        for future in [pool.submit(batcher.submit, Job()) for _ in range(2_000)]:
            future.result(10)
    assert sum(len(batch) for batch in batches) == 2_000
    assert not batcher.waiting


def test_the_gatherer_waits_for_jobs_that_are_about_to_arrive(disk):
    disk.may_end.set()
    late = Job()
    batcher = Batcher(disk, lambda: batcher.waiting.append(late))
    batcher.submit(Job())
    assert late.is_done


def test_a_killed_gatherer_does_not_block_other_jobs(disk):
    disk.may_end.set()
    stops = iter([True, False])

    def gather():
        if next(stops):
            raise KeyboardInterrupt

    batcher, stopped, other = Batcher(disk, gather), Job(), Job()
    with pytest.raises(KeyboardInterrupt):
        batcher.submit(stopped)
    batcher.submit(other)
    assert (stopped.is_done, other.is_done) == (False, True)


def test_a_killed_leader_does_not_block_other_jobs(monkeypatch, disk):
    monkeypatch.setattr(module, "Lock", LockType)  # as in a server
    disk.may_end.set()
    batcher = Batcher(disk, lambda: gevent.sleep(0.01), enough=3)
    greenlets = [gevent.spawn(batcher.submit, Job()) for _ in range(3)]
    gevent.sleep(0)
    greenlets[-1].kill(block=False)
    greenlets.append(gevent.spawn(batcher.submit, Job()))
    gevent.joinall(greenlets, timeout=5)
    assert [greenlet.dead for greenlet in greenlets] == [True] * 4


def test_waiting_for_other_jobs_does_not_count_against_the_time_budget():
    now = [0.0]

    def fulfil(batch):
        now[0] += 100
        for wish in batch:
            wish.is_done = True

    with time_limited(TimeBudget(limit=1, rest=lambda: None, clock=lambda: now[0])) as pace:
        Batcher(fulfil, lambda: None).submit(Job())
    assert pace.spent == 0


def test_a_job_raises_its_own_problem(disk):
    disk.may_end.set()

    class FailedError(Exception):
        pass

    with pytest.raises(FailedError):
        Batcher(disk, lambda: None).submit(Job(problem=FailedError()))
