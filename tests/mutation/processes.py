"""Run the tests for each mutant in a process of its own, several at a time.

The processes are forked from one that has imported everything but the rulesets and the tests, so each starts
in milliseconds. A mutant that uses far more processor time than all tests without a mutant does not end: its
process is killed, and the mutant counts as caught.
"""

from __future__ import annotations

import importlib
import os
import pickle
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.mutation.plugin import Function, Order, Profile, Tracer, install
from tests.mutation.sites import Site, functions_of

OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
PATIENCE = 2
"""How many times the processor time of the traced run, itself a slow one, a mutant may use."""
FIRST_TESTS = 20
"""The number of tests that run before all others are collected."""
WALL_SECONDS = 120
"""The seconds after which a mutant that waits for something is killed."""
MEMORY = 2 << 30
"""The bytes of address space of a mutant's process."""
BELOW = ("enfilade.geometry", "enfilade.scene", "enfilade.rules.", "enfilade.i18n", "enfilade.errors")
"""The packages that import no ruleset: they are imported once for all mutants."""


class Baseline(NamedTuple):
    """A run without mutants: whether all tests pass, their profiles, seconds, and the modules imported."""

    passes: bool
    profiles: dict[str, Profile]
    seconds: float
    modules: list[str]


class Suite(NamedTuple):
    """The tests of a ruleset, and the folder that they test."""

    folder: Path
    tests: str
    server: Path

    def measure(self) -> Baseline:
        """Run the tests without a mutant, in a process of its own."""
        reader, writer = os.pipe()

        def child() -> int:
            tracer, start = Tracer(self.folder), time.process_time()
            status = pytest.main([*OPTIONS, self.tests], plugins=[tracer])
            seconds = time.process_time() - start
            found = Baseline(not status, tracer.profiles, seconds, sorted(sys.modules))
            with os.fdopen(writer, "wb") as pipe:
                pickle.dump(found, pipe)
            return int(status)

        pid = _fork(child)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            content = pipe.read()
        os.waitpid(pid, 0)
        return pickle.loads(content) if content else Baseline(False, {}, 0.0, [])

    def start(self, site: Site | None, order: list[str], seconds: float) -> int:
        """Start a process that runs the named tests, on the mutant of a site or on none; return its ID."""

        def child() -> int:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            limit = int(PATIENCE * seconds) + 5
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            if site is not None:
                install(site, self.server)
            # Most mutants are caught by the first few tests: the others need not even be collected.
            status = pytest.ExitCode.OK  # what no test calls survives
            files = list(dict.fromkeys(test.partition("::")[0] for test in order[FIRST_TESTS:]))
            for tests in filter(None, (order[:FIRST_TESTS], files)):
                status = pytest.main([*OPTIONS, *tests], plugins=[Order(order)])
                if status != pytest.ExitCode.OK:
                    break
            return int(status)

        return _fork(child)


def _fork(run: Callable[[], int]) -> int:
    """Return the ID of a new silent process that runs a function and exits with its result."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        status = run()
    finally:
        os._exit(status)


def preload(modules: list[str]) -> None:
    """Import the modules of a run that neither are nor import a ruleset or a test."""
    for name in modules:
        if name.split(".")[0] in ("tests", "__main__", "conftest") or name.startswith("_"):
            continue
        if name.startswith("enfilade") and not name.startswith(BELOW):
            continue
        try:
            importlib.import_module(name)
        except ImportError:
            continue  # a name that a library made up at run time
    early = sorted(name for name in sys.modules if name.startswith("enfilade.rulesets."))
    if early:
        raise RuntimeError(f"Mutants of {early} would not be imported: a package in BELOW imports a ruleset.")


def passes_unchanged(suite: Suite, baseline: Baseline) -> bool:
    """Return whether the tests pass without a mutant in a process like those of the mutants."""
    pid = suite.start(None, list(baseline.profiles), baseline.seconds)
    return os.waitpid(pid, 0)[1] == 0


def order_for(site: Site, profiles: Mapping[str, Profile]) -> list[str]:
    """Return the tests that can notice a mutant, quick ones before slow ones.

    They are those that call the function around the site, and all tests for a site at the level of a module.
    A test that reads only what another test had worked out and kept is not among them. It could notice a
    mutant in this process order alone, so such a mutant counts as a survivor.
    """
    function = _function_at(str(site.path), site.line)

    def can_notice(profile: Profile) -> bool:
        calls = {_function_at(*call) for call in profile.calls if call[0] == str(site.path)}
        return function is None or function in calls

    found = [test for test, profile in profiles.items() if can_notice(profile)]
    return sorted(found, key=lambda test: profiles[test].seconds)


def _function_at(path: str, line: int) -> Function | None:
    """Return the innermost function around a line; None at the level of the module."""
    around = [lines for lines in _functions(path) if line in lines]
    return (path, around[-1].start) if around else None


_FUNCTIONS: dict[str, list[range]] = {}


def _functions(path: str) -> list[range]:
    if path not in _FUNCTIONS:
        _FUNCTIONS[path] = functions_of(Path(path))
    return _FUNCTIONS[path]


def run_mutants(
    suite: Suite, baseline: Baseline, sites: list[Site], jobs: int
) -> Iterator[tuple[Site, bool]]:
    """Yield each site with whether the tests catch its mutant, as they end."""
    waiting, running = list(reversed(sites)), dict[int, tuple[Site, float]]()
    while waiting or running:
        while waiting and len(running) < jobs:
            site = waiting.pop()
            pid = suite.start(site, order_for(site, baseline.profiles), baseline.seconds)
            running[pid] = site, time.monotonic() + WALL_SECONDS
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid in running:
            yield running.pop(pid)[0], status != 0
            continue
        for overdue in [one for one, (_, deadline) in running.items() if time.monotonic() > deadline]:
            os.killpg(overdue, signal.SIGKILL)
        time.sleep(0.01)
