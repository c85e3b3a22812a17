"""`python -m tests.fault [SCENARIO ...]`: run scenarios, a verdict line each; exit status 1 if one fails."""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from importlib import import_module
from typing import NamedTuple

from tests import fork_server
from tests.fault.preload import NoCompilerError
from tests.fault.scenario import PROCESSES_VARIABLE, progress


class Scenario(NamedTuple):
    """A module with `run(count) -> Verdict`, and its counts: for a test run, by hand and for a release."""

    module: str
    short: int
    usual: int
    long: int
    unit: str


SIDE_BY_SIDE = 2
"""The scenarios of a short run at a time: some wait for the network while others compute."""

SCENARIOS = {
    "kill": Scenario("tests.fault.kill", 4, 100, 1_000, "kills of the server"),
    "power": Scenario("tests.fault.power", 50, 5_000, 100_000, "images of a power cut"),
    "disk": Scenario("tests.fault.disk", 18, 1, 1, "as stride: every nth write and sync fails"),
    "proxy": Scenario("tests.fault.proxy", 120, 20_000, 1_000_000, "commands over a faulty network"),
    "noninterference": Scenario(
        "tests.fault.noninterference", 21, 2_000, 100_000, "pairs of games that differ only in secrets"
    ),
    "worlds": Scenario(
        "tests.fault.board_worlds", 10, 1_000, 50_000, "pairs of games with secrets by the board's tools"
    ),
    "sealed": Scenario(
        "tests.fault.sealed", 10, 500, 10_000, "pairs of rounds that differ in sealed answers"
    ),
    "sealed-kill": Scenario("tests.fault.sealed_kill", 5, 20, 500, "kills of the server between commits"),
    "secrets": Scenario("tests.fault.secrets", 600, 50_000, 1_000_000, "frames searched for secrets"),
    "reconnects": Scenario("tests.fault.reconnects", 20, 1_000, 10_000, "reconnects under traffic"),
    "frames": Scenario("tests.fault.frames", 1_000, 500_000, 10_000_000, "malformed frames"),
    "hostile": Scenario("tests.fault.hostile", 1, 1, 20, "rounds of twelve attacks"),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fault", description=__doc__)
    parser.add_argument("scenarios", nargs="*", help=f"some of {', '.join(SCENARIOS)}; default: all")
    parser.add_argument("-n", type=int, help="the count, instead of the usual one")
    parser.add_argument("--long", action="store_true", help="the counts for a release; takes hours")
    parser.add_argument(
        "--short",
        action="store_true",
        help="the counts for a test run, two scenarios at a time; slowness is reported and fails nothing",
    )
    options = parser.parse_args()
    options.scenarios = [name for given in options.scenarios for name in given.split(",")]
    unknown = set(options.scenarios) - SCENARIOS.keys()
    if unknown:
        parser.error(f"unknown scenario {', '.join(sorted(unknown))}")
    names = options.scenarios or list(SCENARIOS)
    counts = {name: options.n or _count(SCENARIOS[name], options) for name in names}
    began = time.monotonic()
    if options.short and len(names) > 1:
        # A short run times no start. The other runs start each server as a user does.
        os.environ[fork_server.ADDRESS_VARIABLE] = fork_server.start_fork_server()
        passes = _run_side_by_side(counts)
    else:
        passes = [_run(name, count, is_untimed=options.short) for name, count in counts.items()]
    if len(names) > 1:
        print(f"torture: {sum(passes)} of {len(passes)} scenarios passed in {time.monotonic() - began:.0f}s")
    sys.exit(0 if all(passes) else 1)


def _run_side_by_side(counts: dict[str, int]) -> list[bool]:
    """Run each short scenario in a fork of this process, its games in that one process.

    Others run beside it, and each process of its own would import for a second. Nothing in this process has
    used gevent, whose event loop a fork would share.
    """
    os.environ[PROCESSES_VARIABLE] = "1"
    for name in counts:
        import_module(SCENARIOS[name].module)
    waiting, running, passes = list(counts), dict[int, str](), dict[str, bool]()
    while waiting or running:
        while waiting and len(running) < SIDE_BY_SIDE:
            name = waiting.pop(0)
            running[_fork(name, counts[name])] = name
        pid, status = os.wait()
        if pid in running:
            passes[running.pop(pid)] = status == 0
    return [passes[name] for name in counts]


def _fork(name: str, count: int) -> int:
    """Run a short scenario in a fork that exits with 0 if it passes; return the number of the process."""
    sys.stdout.flush()
    if pid := os.fork():
        return pid
    status = 1
    try:
        status = 0 if _run(name, count, is_untimed=True) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _count(scenario: Scenario, options: argparse.Namespace) -> int:
    return scenario.short if options.short else scenario.long if options.long else scenario.usual


def _run(name: str, count: int, *, is_untimed: bool) -> bool:
    began, scenario = time.monotonic(), SCENARIOS[name]
    progress(f"{name}: {count:,} {scenario.unit}, then the mutants")
    try:
        verdict = import_module(scenario.module).run(count)
    except NoCompilerError as problem:
        print(f"torture: {name} SKIPPED {problem}", flush=True)
        return "CI" not in os.environ
    if is_untimed:
        verdict = verdict.untimed()
    print(f"{verdict} took={time.monotonic() - began:.0f}s", flush=True)
    return bool(verdict.passes)


if __name__ == "__main__":
    main()
