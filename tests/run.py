"""Run every check: `python -m tests.run`, or `make test`.

The parts run in groups, two parts of a group at a time, and the output of each follows when it ends. The
browser's part often waits, so the others run beside it, at a lower priority: they take what it leaves. The
profile stands at the end: the time of each part, and the processor time of it and its processes, which other
work on the machine changes less. The command stops after the first group with a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple


class Part(NamedTuple):
    """A make target, what it checks in a few words, and whether it goes before others on a busy processor."""

    target: str
    purpose: str
    goes_first: bool = False


GROUPS: tuple[tuple[Part, ...], ...] = (
    (
        # The longest first, here and below: the last one leaves a core idle.
        Part("test-js", "types and unit tests of the page and the Foundry module"),
        Part("collect-python", "every Python test can be imported, and is compiled for the workers"),
        Part("docs", "the documentation's site, with its links"),
        Part("types", "types of the Python code"),
        Part("lint", "style, names and prose"),
        Part("imports", "imports point one way"),
    ),
    (
        Part("e2e-short", "the board and the Foundry module in a real browser", goes_first=True),
        Part("test-python", "unit and property tests of the rules and the server"),
        Part("torture-test", "kills, power cuts, full disks and a lying network"),
        Part("dist-short", "wheels that play without the checkout, with the kernel and without it"),
        Part("fuzz-short", "geometry against independent oracles"),
        Part("smoke-short", "a short game over the real server"),
    ),
)
LOW_PRIORITY = ("nice", "-n", "10") if shutil.which("nice") else ()


class Result(NamedTuple):
    """The end of one part: its seconds, those of the processors, its exit status, and its output."""

    part: Part
    seconds: float
    processor: float
    status: int
    output: str


def run(part: Part) -> Result:
    """Run one make target and measure its time."""
    start = time.monotonic()
    priority = () if part.goes_first else LOW_PRIORITY
    with subprocess.Popen(
        [*priority, sys.executable, "-m", "tests.measured", "make", "--no-print-directory", part.target],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        output = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Result(part, time.monotonic() - start, used.ru_utime + used.ru_stime, process.returncode, output)


def run_group(number: int, parts: tuple[Part, ...]) -> list[Result]:
    """Run the parts of a group, two at a time, and show each one's output."""
    for part in parts:
        print(f"[{number}/{len(GROUPS)}] {part.target}: {part.purpose}", flush=True)
    results = []
    with ThreadPoolExecutor(2) as pool:
        for done in as_completed([pool.submit(run, part) for part in parts]):
            result = done.result()
            print(f"--- {result.part.target}, {result.seconds:.0f} s\n{result.output.rstrip()}", flush=True)
            results.append(result)
    return results


def profile(results: list[Result], seconds: float) -> Iterator[str]:
    """Yield the lines of the profile: each part, the longest work first, and how busy the processors were."""
    yield f"{'part':<16}{'':<4}{'time':>9}{'processor':>12}"
    for part, took, processor, status, _ in sorted(results, key=lambda result: -result.processor):
        yield f"{part.target:<16}{'FAIL' if status else 'pass'}{took:>7.0f} s{processor:>10.0f} s"
    processor = sum(result.processor for result in results)
    cores = os.cpu_count() or 1
    busy = f"{processor / seconds / cores:.0%} of {cores} cores"
    yield f"{'in all':<20}{seconds:>7.0f} s{processor:>10.0f} s, {busy}"


def main() -> int:
    """Run all groups, print the profile, and return the exit status."""
    start = time.monotonic()
    results: list[Result] = []
    for number, parts in enumerate(GROUPS, 1):
        results += run_group(number, parts)
        if any(result.status for result in results):
            break
    seconds = time.monotonic() - start
    print("", *profile(results, seconds), sep="\n")
    failed = [result.part.target for result in results if result.status]
    total = f"{seconds / 60:.1f} min"
    print(f"test: FAIL {' '.join(failed)} {total}" if failed else f"test: PASS parts={len(results)} {total}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
