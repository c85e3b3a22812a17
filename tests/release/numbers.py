"""The version: setup.cfg has it, all other files copy it, and the changelog has its section.

Only the standard library is imported, so that a release job can run this without an environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

SOURCE = ("setup.cfg", r"^version = (\S+)$")
"""The file that has the version, and where in it."""

COPIES: Mapping[str, str] = {
    "package.json": r'^  "version": "([^"]+)"',
    "package-lock.json": (
        r'^ +"version": "([^"]+)",\n +"(?:lockfile|license": "MIT",\n +"dependencies": {\n +"@font)'
    ),
    "plugin_manifest/module.json": r'^  "version": "([^"]+)"',
    "plugin_manifest/owlbear/manifest.json": r'^  "version": "([^"]+)"',
    "plugin_manifest/planarally/mod.toml": r'^version = "([^"]+)"',
}
"""The files that copy it, with the pattern of each place."""

UNRELEASED = "not yet released"
_HEADING = re.compile(r"^## (\S+) \(([^)]+)\)$", re.MULTILINE)
_VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Section(NamedTuple):
    """The changelog's section of a version: its heading's version and day, and its text."""

    version: str
    day: str
    text: str


def version_of(root: Path) -> str:
    """Return the version in setup.cfg."""
    name, pattern = SOURCE
    found = re.search(pattern, (root / name).read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise SystemExit(f"{name} has no version")
    return found[1]


def write_version(root: Path, version: str) -> None:
    """Write a version into setup.cfg and its copies. Raises SystemExit if it is none."""
    if not _VERSION.fullmatch(version):
        raise SystemExit(f"'{version}' is no version like 0.2.0 or 0.2.0rc1")
    for name, pattern in (SOURCE, *COPIES.items()):
        path = root / name
        text = path.read_text("utf-8")
        for found in reversed(list(re.finditer(pattern, text, re.MULTILINE))):
            text = text[: found.start(1)] + version + text[found.end(1) :]
        path.write_text(text, "utf-8")


def newest_section(root: Path) -> Section:
    """Return the changelog's first section. Raises SystemExit if there is none."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    headings = list(_HEADING.finditer(text))
    if not headings:
        raise SystemExit("CHANGELOG.md has no heading like '## 0.1.0 (2026-01-31)'")
    end = headings[1].start() if len(headings) > 1 else len(text)
    return Section(headings[0][1], headings[0][2], text[headings[0].end() : end].strip())


def wrong_numbers(root: Path, tag: str = "") -> Iterator[str]:
    """Yield a sentence for each thing that keeps a version from being released.

    Without a tag it is a dry run, in which the changelog may say that the version is not yet released.
    """
    version = version_of(root)
    for name, pattern in COPIES.items():
        copies = re.findall(pattern, (root / name).read_text("utf-8"), re.MULTILINE)
        if not copies or set(copies) != {version}:
            yield f"{name} says {', '.join(copies) or 'nothing'}, and setup.cfg {version}: make version"
    if tag and tag != f"v{version}":
        yield f"The tag is {tag}, and setup.cfg has {version}."
    section = newest_section(root)
    if section.version != version:
        yield f"The newest section of CHANGELOG.md is about {section.version}, and setup.cfg has {version}."
    if not any(line.startswith("- ") for line in section.text.splitlines()):
        yield f"The section of {section.version} in CHANGELOG.md has no changes."
    if not _DAY.fullmatch(section.day) and (tag or section.day != UNRELEASED):
        yield f"The section of {section.version} in CHANGELOG.md has no day, but says '{section.day}'."
