"""Mutate a ruleset at random and run its tests: `make mutants RULESET=torn N=200 SEED=1`.

A mutant that the ruleset's own tests do not notice is a survivor. The command prints each survivor with its
place, line and change, and the percentage caught. With LEAST it exits with 1 if fewer are caught.
Survivors that change nothing are judged in equivalent.tsv, each with the reason; they count as survivors.
Do not edit the ruleset or its tests during a run.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from pathlib import Path

from tests.mutation.processes import Suite, passes_unchanged, preload, run_mutants
from tests.mutation.sites import Site, find_sites
from tests.seeds import ALL, SEEDS_VARIABLE

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "server"
RULESETS = SERVER / "enfilade" / "rulesets"
JUDGED = Path(__file__).parent / "equivalent.tsv"


def main() -> int:
    """Run the mutants that the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(prog="make mutants")
    parser.add_argument("ruleset")
    parser.add_argument("number", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=int, default=0, help="the percentage that must be caught")
    parser.add_argument(
        "--only",
        default="",
        help="mutate only files whose path contains this, or one of several parts with commas between",
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    suite = Suite(RULESETS / options.ruleset, f"tests/unit/rulesets/{options.ruleset}", SERVER)
    files = [
        path
        for path in sorted(suite.folder.rglob("*.py"))
        if any(part in str(path) for part in options.only.split(","))
    ]
    sites = [site for path in files for site in find_sites(path)]
    if not sites:
        parser.error(f"There is no ruleset '{options.ruleset}' with '{options.only}'.")
    chosen = random.Random(options.seed).sample(sites, min(options.number, len(sites)))
    os.chdir(ROOT)
    os.environ[SEEDS_VARIABLE] = ALL
    sys.path[:0] = [str(SERVER), str(ROOT)]
    survivors = _run(suite, chosen, options.jobs)
    return _report(chosen, survivors, options.least)


def _run(suite: Suite, chosen: list[Site], jobs: int) -> list[Site]:
    """Print and return the survivors."""
    start, baseline = time.monotonic(), suite.measure()
    preload(baseline.modules)
    if not (baseline.passes and passes_unchanged(suite, baseline)):
        sys.exit(f"The tests in {suite.tests} fail without a mutation.")
    survivors, judged = list[Site](), _read_judged()
    for number, (site, is_caught) in enumerate(run_mutants(suite, baseline, chosen, jobs), 1):
        if not is_caught:
            survivors.append(site)
            place = f"{site.path.relative_to(RULESETS)}:{site.line}"
            reason = judged.get(_key(site), "not judged")
            print(f"{place}: {site.change} in: {site.text}\n    {reason}", flush=True)
        if number % 20 == 0:
            passed = time.monotonic() - start
            progress = f"... {number} of {len(chosen)}, {len(survivors)} survivors, {passed:.0f} seconds"
            print(progress, file=sys.stderr, flush=True)
    return survivors


def _report(chosen: list[Site], survivors: list[Site], least: int) -> int:
    """Print the percentage caught; return the exit status."""
    judged = _read_judged()
    caught = len(chosen) - len(survivors)
    equivalent = sum(_key(site) in judged for site in survivors)
    print(
        f"{caught} of {len(chosen)} mutants caught ({100 * caught / len(chosen):.1f} in 100); "
        f"{equivalent} of {len(survivors)} survivors are judged equivalent."
    )
    return int(100 * caught < least * len(chosen))


def _key(site: Site) -> tuple[str, str, str]:
    return str(site.path.relative_to(RULESETS)), site.change, site.text


def _read_judged() -> dict[tuple[str, str, str], str]:
    """Return the reason why each judged mutant is equivalent, by file, change and line."""
    rows = (line.split("\t") for line in JUDGED.read_text(encoding="utf-8").splitlines()[1:])
    return {(file, change, text): reason for file, change, text, reason in rows}


if __name__ == "__main__":
    sys.exit(main())
