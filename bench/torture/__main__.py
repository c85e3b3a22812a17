"""`python -m bench.torture`: every ordeal, a line each; the exit status is 1 where one does not pass."""

from __future__ import annotations

import argparse
import os
import sys

from bench.torture import disk, kill, power
from bench.torture.preload import NoCompilerError

ORDEALS = {"kill": (kill.run, 100), "power": (power.run, 5_000), "disk": (disk.run, 0)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.torture", description=__doc__)
    parser.add_argument("ordeals", nargs="*", choices=ORDEALS, help="all, where none is named")
    parser.add_argument("-n", type=int, help="cycles of kill, images of power")
    asked = parser.parse_args()
    passes = [_run(name, asked.n) for name in asked.ordeals or ORDEALS]
    sys.exit(0 if all(passes) else 1)


def _run(name: str, count: int | None) -> bool:
    ordeal, usual = ORDEALS[name]
    try:
        verdict = ordeal(count or usual)
    except NoCompilerError as problem:
        print(f"torture: {name} SKIPPED {problem}", flush=True)
        return "CI" not in os.environ
    print(verdict, flush=True)
    return verdict.passes


main()
