"""Read what the documentation tells people to fetch and to run: files, paths of a server, commands."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

PAGES = ("README.md", "docs/*.md", "docs/*/*.md", "deploy/*", "deploy/*/*")
"""Where people read addresses; the decisions are about the past."""

_FILE = re.compile(
    r"\benfilade[A-Za-z0-9_.{}*-]*\.(?:whl|zip|pam|tar\.gz)\b|`(module\.json|foundry-readme\.md|CHANGELOG\.md)`"
)
_SERVER = re.compile(r"https?://(?:127\.0\.0\.1:8090|YOUR-SERVER)(/[A-Za-z0-9_./-]*[A-Za-z0-9_/-])?")
_COMMAND = re.compile(
    r"(?:^|(?:uvx|run|server|whl|exec|\|\||&&|[A-Z_]+=\S*) |/)enfilade ([a-z][a-z-]+)(?=[\s|)]|$)",
    re.MULTILINE,
)
_SHELL = re.compile(r"^```(?:sh|shell|bash)?\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)


def pages(root: Path) -> Iterator[Path]:
    """Yield the pages that people read."""
    for pattern in PAGES:
        for path in sorted(root.glob(pattern)):
            if path.is_file() and "decisions" not in path.parts and path.suffix != ".png":
                yield path


def named_files(root: Path, version: str) -> dict[str, str]:
    """Return the release files that pages name, each with the first page; VERSION is filled in."""
    found: dict[str, str] = {}
    for page in pages(root):
        text = page.read_text("utf-8").replace("VERSION", version)
        for name in (found[1] or found[0] for found in _FILE.finditer(text)):
            found.setdefault(name, page.relative_to(root).as_posix())
    return found


def server_paths(root: Path) -> dict[str, str]:
    """Return the paths of a server that pages name, and the first page that does."""
    found: dict[str, str] = {}
    for page in pages(root):
        for path in _SERVER.findall(page.read_text("utf-8")):
            found.setdefault(path or "/", page.relative_to(root).as_posix())
    return found


def commands(root: Path) -> dict[str, str]:
    """Return the subcommands of `enfilade` that pages name, and the first page that does."""
    found: dict[str, str] = {}
    for page in pages(root):
        for block, line in _SHELL.findall(page.read_text("utf-8")):
            for name in _COMMAND.findall(textwrap.dedent(block) or line):
                found.setdefault(name, page.relative_to(root).as_posix())
    return found


def missing_files(named: dict[str, str], built: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each file that a page names and the release has not."""
    names = list(built)
    for name, page in named.items():
        pattern = re.escape(name).replace(r"\*", ".*")
        if not any(re.fullmatch(pattern, one) for one in names):
            yield f"{page} names {name}, which the release has not."


def unnamed_files(named: dict[str, str], built: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each file of the release that no page names."""
    patterns = [re.escape(name).replace(r"\*", ".*") for name in named]
    for name in built:
        if not any(re.fullmatch(pattern, name) for pattern in patterns):
            yield f"No page says what {name} is for."
