"""`python -m tests.fault`: every ordeal, a line each; the exit status is 1 where one does not pass."""

from __future__ import annotations

import argparse
import os
import sys
import time
from importlib import import_module
from typing import NamedTuple

from tests.fault.preload import NoCompilerError


class Ordeal(NamedTuple):
    """A module with `run(count) -> Verdict`, and how much of it: in `make test`, and for a release."""

    module: str
    usual: int
    long: int


ORDEALS = {
    "kill": Ordeal("tests.fault.kill", 100, 1_000),
    "power": Ordeal("tests.fault.power", 5_000, 100_000),
    "disk": Ordeal("tests.fault.disk", 0, 0),
    "proxy": Ordeal("tests.fault.proxy", 20_000, 1_000_000),
    "worlds": Ordeal("tests.fault.worlds", 2_000, 100_000),
    "secrets": Ordeal("tests.fault.secrets", 50_000, 1_000_000),
    "reconnects": Ordeal("tests.fault.reconnects", 1_000, 10_000),
    "frames": Ordeal("tests.fault.frames", 500_000, 10_000_000),
    "hostile": Ordeal("tests.fault.hostile", 1, 20),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fault", description=__doc__)
    parser.add_argument("ordeals", nargs="*", help=f"some of {', '.join(ORDEALS)}; all, where none is named")
    parser.add_argument("-n", type=int, help="how often, instead of the usual")
    parser.add_argument("--long", action="store_true", help="for a release")
    parser.add_argument(
        "--untimed", action="store_true", help="for a build: what was slow is told and fails nothing"
    )
    asked = parser.parse_args()
    unknown = set(asked.ordeals) - ORDEALS.keys()
    if unknown:
        parser.error(f"there is no ordeal {', '.join(sorted(unknown))}")
    wanted = {name: ORDEALS[name] for name in asked.ordeals or ORDEALS}
    passes = [
        _run(n, asked.n or (one.long if asked.long else one.usual), asked.untimed)
        for n, one in wanted.items()
    ]
    sys.exit(0 if all(passes) else 1)


def _run(name: str, count: int, is_untimed: bool) -> bool:
    began = time.monotonic()
    try:
        verdict = import_module(ORDEALS[name].module).run(count)
    except NoCompilerError as problem:
        print(f"torture: {name} SKIPPED {problem}", flush=True)
        return "CI" not in os.environ
    if is_untimed:
        verdict = verdict.untimed()
    print(f"{verdict} took={time.monotonic() - began:.0f}s", flush=True)
    return bool(verdict.passes)


if __name__ == "__main__":
    main()
