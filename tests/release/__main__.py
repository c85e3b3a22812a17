"""The release of a version: `make version`, `make release-check`, and what the workflow on a tag runs.

    python -m tests.release version 0.2.0       write the version into setup.cfg and its copies
    python -m tests.release notes               print the changelog's newest section
    python -m tests.release check release       build a release from a fresh clone and try it

`check` takes `--tag v0.2.0`, which must fit the version and the changelog, and `--releases URL`, where the
release will be. It uploads nothing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.release import numbers

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(prog="tests.release")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("version").add_argument("version")
    commands.add_parser("notes")
    check = commands.add_parser("check")
    check.add_argument("target", type=Path)
    check.add_argument("--tag", default="")
    check.add_argument("--releases", default="https://example.org/releases")
    given = parser.parse_args()
    if given.command == "version":
        numbers.write_version(ROOT, given.version)
    elif given.command == "notes":
        print(numbers.newest_section(ROOT).text)
    else:
        from tests.release.dry_run import run  # only this command needs an environment

        run(ROOT, given.target.resolve(), given.tag, given.releases)
    return 0


if __name__ == "__main__":
    sys.exit(main())
