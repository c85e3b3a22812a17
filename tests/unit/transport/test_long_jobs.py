"""Long computations: a process with its lines, its end and its failure in the log, and the turns of jobs."""

from __future__ import annotations

import logging
import os
import time

import gevent
import pytest
from gevent.event import Event

from enfilade.transport.long_jobs import NICENESS, JobQueue, WorkerProcess

SECONDS = 30
LOGGER = "enfilade.transport.long_jobs"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs a program as a module."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def start(program, task=(), max_seconds=SECONDS):
        (tmp_path / "job_for_a_test.py").write_text(program)
        return WorkerProcess(["job_for_a_test", "one"], task, max_seconds)

    return start


def test_a_process_reads_its_task_and_prints_lines(run):
    process = run("import sys\nfor line in sys.stdin: print(sys.argv[1], line.strip())", [b"a\n", b"b\n"])
    assert list(process.lines()) == [b"one a\n", b"one b\n"]
    assert not process.is_failed


@pytest.mark.skipif(os.name != "posix", reason="os.nice is missing")
def test_a_process_gives_way_to_the_server(run):
    (line,) = run("import os\nprint(os.nice(0))").lines()
    assert int(line) == min(os.nice(0) + NICENESS, 19)  # the system has no more


def test_a_failure_is_one_entry_of_the_servers_log(run, caplog, capfd):
    process = run("print(1, flush=True)\nraise ValueError('no such battle')")
    with caplog.at_level(logging.ERROR, LOGGER):
        assert list(process.lines()) == [b"1\n"]
    assert process.is_failed
    (record,) = caplog.records
    assert "job_for_a_test failed" in record.getMessage()
    assert "no such battle" in record.getMessage()
    assert capfd.readouterr().err == "", "nothing goes past the log"


def test_a_process_that_is_ended_has_not_failed(run):
    process = run("import time\nprint(1, flush=True)\ntime.sleep(60)")
    lines = process.lines()
    assert next(lines) == b"1\n"
    process.end()
    assert list(lines) == []
    assert not process.is_failed
    process.end()  # once more does nothing


def test_a_process_ends_after_its_time(run):
    began = time.monotonic()
    assert list(run("import time\ntime.sleep(60)", max_seconds=0.3).lines()) == []
    assert time.monotonic() - began < SECONDS


def test_a_line_that_is_too_long_ends_the_process(run, monkeypatch):
    monkeypatch.setattr("enfilade.transport.long_jobs.MAX_LINE", 1_000)
    process = run("import time\nprint('x' * 5_000, flush=True)\ntime.sleep(60)")
    assert list(process.lines()) == []
    assert process.is_failed


def test_a_task_that_breaks_off_ends_the_process(run, caplog):
    def broken():
        yield b"a\n"
        raise ValueError("the log is unreadable")

    process = run("import sys, time\nsys.stdin.read()\ntime.sleep(60)", broken())
    assert list(process.lines()) == []
    assert "is incomplete" in caplog.text


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
    monkeypatch.setattr("enfilade.transport.long_jobs._MAX_REMEMBERED", 2)
    for table in "abcd":
        put(work, f"{table} 1")
        work.end(f"{table} 1")
    assert list(work.queue._served) == ["c", "d"]
