"""Run every check: `python -m tests.run`, or `make test`.

The parts run in groups, two parts of a group at a time, and the output of each follows when it ends. The time
of each part stands at the end. The command stops after the first group with a failure.
"""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple


class Part(NamedTuple):
    """A make target, and what it checks in a few words."""

    target: str
    purpose: str


GROUPS: tuple[tuple[Part, ...], ...] = (
    (
        Part("types", "types of the Python code"),
        Part("test-js", "types and unit tests of the page and the Foundry module"),
        Part("collect-python", "every Python test can be imported, and is compiled for the workers"),
        Part("lint", "style, names and prose"),
        Part("imports", "imports point one way"),
        Part("docs", "the documentation's site, with its links"),
    ),
    (
        # The longest first.
        Part("test-python", "unit and property tests of the rules and the server"),
        Part("torture-test", "kills, power cuts, full disks and a lying network"),
        Part("dist-short", "wheels that play without the checkout, with the kernel and without it"),
        Part("fuzz-short", "geometry against independent oracles"),
        Part("fair-dice", "dice logs verify, and edits of them are caught"),
        Part("smoke-short", "a short game over the real server"),
    ),
    # Alone: a browser beside busy processors shows the load, not the page.
    (Part("e2e-short", "the board and the Foundry module in a real browser"),),
)


class Result(NamedTuple):
    """The end of one part: its seconds, its exit status, and its output."""

    part: Part
    seconds: float
    status: int
    output: str


def run(part: Part) -> Result:
    """Run one make target and measure its time."""
    start = time.monotonic()
    done = subprocess.run(
        ["make", "--no-print-directory", part.target],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Result(part, time.monotonic() - start, done.returncode, done.stdout)


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


def main() -> int:
    """Run all groups, print the time of each part, and return the exit status."""
    start = time.monotonic()
    results: list[Result] = []
    for number, parts in enumerate(GROUPS, 1):
        results += run_group(number, parts)
        if any(result.status for result in results):
            break
    print()
    for part, seconds, status, _ in results:
        print(f"{part.target:<16}{'FAIL' if status else 'pass'}{seconds:>7.0f} s")
    failed = [result.part.target for result in results if result.status]
    total = f"{(time.monotonic() - start) / 60:.1f} min"
    print(f"test: FAIL {' '.join(failed)} {total}" if failed else f"test: PASS parts={len(results)} {total}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
