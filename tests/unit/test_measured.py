"""The profile of the build counts the processes that outlive their parents."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BURNED_SECONDS = 0.4
BURN = f"import time\nwhile time.process_time() < {BURNED_SECONDS}: pass\nprint(flush=True)"
LEAVE = """sh -c '"$0" -c "$1" > "$2" &' "$0" "$1" "$2"; until [ -s "$2" ]; do sleep 0.05; done"""
"""A shell whose shell leaves an orphan, which writes a line when it has burned its time."""


def processor_seconds(*command):
    """Return the processor time of a command and of all that it and its children waited for."""
    with subprocess.Popen(command, cwd=ROOT) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone hands orphans to another process")
def test_the_time_of_an_orphan_counts(tmp_path):
    leaves_an_orphan = ("sh", "-c", LEAVE, sys.executable, BURN)
    assert processor_seconds(*leaves_an_orphan, tmp_path / "one") < BURNED_SECONDS
    measured = (sys.executable, "-m", "tests.measured", *leaves_an_orphan, tmp_path / "other")
    assert processor_seconds(*measured) >= BURNED_SECONDS


@pytest.mark.parametrize("status", [0, 3])
def test_a_command_keeps_its_status(status):
    command = [sys.executable, "-m", "tests.measured", "sh", "-c", f"exit {status}"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == status


def test_a_command_that_a_signal_ends_fails():
    command = [sys.executable, "-m", "tests.measured", "sh", "-c", "kill -9 $$"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 128 + 9
