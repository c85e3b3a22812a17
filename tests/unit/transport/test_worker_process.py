"""A computation in a process of its own: its lines, its end, and its failure in the log."""

from __future__ import annotations

import logging
import os
import time

import pytest

from enfilade.transport.worker_process import NICENESS, WorkerProcess

SECONDS = 30
LOGGER = "enfilade.transport.worker_process"


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
    monkeypatch.setattr("enfilade.transport.worker_process.MAX_LINE", 1_000)
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
