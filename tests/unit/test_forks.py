"""Tests in forks: each runs once, with one set-up for each file, and a process that dies fails the run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFTEST = """
from tests.forks import Forks

def pytest_configure(config):
    config.pluginmanager.register(Forks(2))
"""
ORDINARY = """
import sys, pytest

STREAM = sys.stderr  # as a library keeps it

@pytest.fixture(scope="module")
def noted():
    with open("set-up", "a") as file:
        file.write("{name}")
    yield
    with open("end", "a") as file:
        file.write("{name}")

@pytest.mark.parametrize("number", range(20))
def test_ordinary(noted, number):
    print("said by", number)
    print("kept by", number, file=STREAM)
    assert number != {wrong}
"""
DEADLY = """
import os, signal

def test_before():
    pass

def test_deadly():
    os.kill(os.getpid(), signal.SIGKILL)
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")


def run(folder, *options, **files):
    for name, text in {"conftest": CONFTEST, **files}.items():
        (folder / f"{name}.py").write_text(text)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        folder,
        *options,
        folder,
    ]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_each_test_runs_once_and_each_file_is_set_up_once(tmp_path):
    files = {f"test_{name}": ORDINARY.format(name=name, wrong=7 if name == "b" else -1) for name in "abc"}
    done = run(tmp_path, **files)
    assert "1 failed, 59 passed" in done.stdout
    assert "test_b.py::test_ordinary[7]" in done.stdout
    assert "said by 7" in done.stdout
    assert "kept by 7" in done.stdout
    assert "by 6" not in done.stdout, "what a test prints belongs to it"
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert (
        sorted((tmp_path / "set-up").read_text()) == sorted((tmp_path / "end").read_text()) == ["a", "b", "c"]
    )


def test_a_process_that_dies_fails_the_test_that_it_was_at(tmp_path):
    done = run(tmp_path, test_a=ORDINARY.format(name="a", wrong=-1), test_b=DEADLY)
    assert "FAILED test_b.py::test_deadly - The process of the tests ended with status -9." in done.stdout
    assert "1 failed, 21 passed" in done.stdout
    assert done.returncode == pytest.ExitCode.TESTS_FAILED


def test_after_the_first_failure_no_other_file_begins(tmp_path):
    files = {f"test_{name}": ORDINARY.format(name=name, wrong=0) for name in "abcdefgh"}
    done = run(tmp_path, "-x", **files)
    assert "stopping after" in done.stdout
    assert len((tmp_path / "set-up").read_text()) < len(files)
