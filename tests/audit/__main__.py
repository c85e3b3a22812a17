"""Runs audits (`python`, `javascript`) and ends with status 1 unless every one of them is a PASS."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.audit.verdicts import of_npm, of_pip_audit

ROOT = Path(__file__).parent.parent.parent
LOCKS = (".", "bench")


def run(*command, folder="."):
    return subprocess.run(command, cwd=ROOT / folder, capture_output=True, text=True, check=False)


def python():
    audit = Path(sys.prefix) / "audit" / "bin" / "pip-audit"
    # The pins as they stand, so that nothing is resolved anew; --strict, so that nothing is passed over.
    given = ("--strict", "--no-deps", "--disable-pip", "--format", "json", "-r", "constraints.txt")
    pins = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line]
    yield "pip-audit", of_pip_audit(run(str(audit), *given), len(pins))


def javascript():
    for folder in LOCKS:
        yield f"npm audit in {folder}", of_npm(run("npm", "audit", "--json", folder=folder))


AUDITS = {"python": python, "javascript": javascript}


def main(names):
    verdicts = [found for name in names for found in AUDITS[name]()]
    for name, (word, sentence) in verdicts:
        print(f"audit: {word} {name}: {sentence}")
    return any(word != "PASS" for _, (word, _) in verdicts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
