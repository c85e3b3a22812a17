"""Mutate a ruleset at random and run its tests: `make mutants RULESET=torn N=200 SEED=1`.

The tests run in a copy of the tree. A mutant that the ruleset's own tests do not notice is a survivor. The
command prints each survivor with its place, kind and line, and the percentage caught. With LEAST it
exits with 1 if fewer are caught.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.mutation.sites import Site, find_sites, mutate

ROOT = Path(__file__).parents[2]
COPIED = ("server", "tests", "docs", "schemas", "setup.cfg")
TIME_LIMIT = 120
"""The seconds after which a mutant counts as caught: it does not end."""


def main() -> int:
    """Run the mutants that the command line asks for; return the exit status."""
    parser = argparse.ArgumentParser(prog="make mutants")
    parser.add_argument("ruleset")
    parser.add_argument("number", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=int, default=0, help="the percentage that must be caught")
    options = parser.parse_args()
    folder = ROOT / "server" / "enfilade" / "rulesets" / options.ruleset
    tests = f"tests/unit/rulesets/{options.ruleset}"
    sites = [site for path in sorted(folder.rglob("*.py")) for site in find_sites(path)]
    if not sites:
        parser.error(f"There is no ruleset '{options.ruleset}'.")
    chosen = random.Random(options.seed).sample(sites, min(options.number, len(sites)))
    with tempfile.TemporaryDirectory() as copy:
        survivors = _run(Path(copy), tests, chosen)
    caught = len(chosen) - len(survivors)
    print(f"{caught} of {len(chosen)} mutants caught ({100 * caught / len(chosen):.1f} in 100).")
    return int(100 * caught < options.least * len(chosen))


def _run(copy: Path, tests: str, chosen: list[Site]) -> list[Site]:
    for name in COPIED:
        _copy(ROOT / name, copy / name)
    if not _passes(copy, tests):
        sys.exit(f"The tests in {tests} fail without a mutation.")
    survivors = []
    for number, site in enumerate(chosen, 1):
        target = copy / site.path.relative_to(ROOT)
        target.write_text(mutate(site), encoding="utf-8")
        if _passes(copy, tests):
            survivors.append(site)
            line = site.path.read_text(encoding="utf-8").splitlines()[site.line - 1].strip()
            print(f"{site.path.relative_to(ROOT)}:{site.line}: {site.kind} in: {line}", flush=True)
        shutil.copyfile(site.path, target)
        if number % 20 == 0:
            print(f"... {number} of {len(chosen)}, {len(survivors)} survivors", file=sys.stderr, flush=True)
    return survivors


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    else:
        shutil.copyfile(source, target)


def _passes(copy: Path, tests: str) -> bool:
    """Return whether the tests pass in the copy."""
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", tests]
    environment = {**os.environ, "PYTHONPATH": str(copy / "server")}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=TIME_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
