"""Turns of long jobs: a table waits for one job of another, however many that one asks for."""

from __future__ import annotations

import gevent
import pytest
from gevent.event import Event

from enfilade.transport.job_queue import JobQueue


class Work:
    """A queue whose jobs run until the test ends them, and the order in which they began."""

    def __init__(self, slots=1):
        self.began = []
        self._ends = {}
        self.queue = JobQueue(slots, self._run)

    def _run(self, job):
        self.began.append(job)
        self._ends.setdefault(job, Event()).wait()

    def end(self, *jobs):
        for job in jobs:
            self._ends.setdefault(job, Event()).set()
            gevent.idle()


@pytest.fixture
def work():
    return Work()


def put(work, *jobs):
    for job in jobs:
        work.queue.put(job.partition(" ")[0], job)
        gevent.idle()


def test_a_table_that_was_never_served_comes_before_one_that_asks_again(work):
    put(work, "greedy 1", "greedy 2", "honest")
    work.end("greedy 1")
    assert work.began == ["greedy 1", "honest"]
    work.end("honest")
    assert work.began == ["greedy 1", "honest", "greedy 2"]


def test_the_table_served_longest_ago_is_next(work):
    put(work, "a 1", "b 1", "c 1")
    work.end("a 1")
    put(work, "a 2")
    work.end("b 1")
    put(work, "b 2")
    work.end("c 1", "a 2", "b 2")
    assert work.began == ["a 1", "b 1", "c 1", "a 2", "b 2"]


def test_a_table_has_one_waiting_place(work):
    put(work, "a 1", "a 2", "a 3")
    assert work.queue.waiting("a") == "a 3"
    work.end("a 1", "a 2", "a 3")
    assert work.began == ["a 1", "a 3"]


def test_a_job_that_is_dropped_never_begins_and_one_that_runs_is_left_alone(work):
    put(work, "a 1", "b 1")
    work.queue.drop("b", "b 1")
    work.queue.drop("a", "a 1")
    work.end("a 1")
    put(work, "c 1")
    assert work.began == ["a 1", "c 1"]


def test_as_many_jobs_run_at_a_time_as_there_are_slots():
    work = Work(slots=2)
    put(work, "a 1", "b 1", "c 1")
    assert work.began == ["a 1", "b 1"]
    work.end("b 1")
    assert work.began == ["a 1", "b 1", "c 1"]


def test_the_turns_of_few_tables_are_remembered(work, monkeypatch):
    monkeypatch.setattr("enfilade.transport.job_queue._MAX_REMEMBERED", 2)
    for table in "abcd":
        put(work, f"{table} 1")
        work.end(f"{table} 1")
    assert list(work.queue._served) == ["c", "d"]
