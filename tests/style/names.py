"""Check names and prose: `python -m tests.style.names`, or `make names`.

A name that stands in deny.tsv and not in kept.tsv may not be defined anywhere: as a class, function,
parameter, attribute, variable, file, folder or make target. A docstring may not open with a question word.
Prose may not hold the words of FORBIDDEN_WORDS. The command prints each finding with its place and exits
with 1 if there is any.
"""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DENY_LIST = Path(__file__).with_name("deny.tsv")
# Names of the deny-list that are used on purpose, each with the reason.
KEPT_LIST = Path(__file__).with_name("kept.tsv")

SUFFIXES = (".py", ".js", ".mjs", ".ts", ".c", ".h", ".mk", ".md", ".json")
OPENINGS = re.compile(r"\s*(who|what|how|whether|whoever|whatever|where|when|that|which)\b", re.I)
FORBIDDEN_WORDS = re.compile(r"\b(who|what|which)ever\b|\b(some|any|every|no)body\b", re.I)

SCRIPT_NAMES = re.compile(
    r"(?:^|[^\w.])(?:class|function\*?|const|let|var|get|set)\s+#?(\w+)"
    r"|^\s+(?:static\s+|async\s+|\*)*#?(\w+)\([^)]*\)\s*\{"
    r"|[,{]\s*(\w+)(?=[,}][^\n]*=\s)",
    re.M,
)
C_NAMES = re.compile(r"^\w[\w ]*[ *](\w+)\s*\([^;]*$|^\}\s*(\w+);|#define (\w+)", re.M)
MAKE_NAMES = re.compile(r"^([a-z][a-z-]*):|^([A-Z_]+)\s*[?:]?=", re.M)
SCRIPT_COMMENT = re.compile(r"/\*\*?(.*?)\*/|(?<![:\w'\"`])//(.*?)$", re.S | re.M)


class Finding(NamedTuple):
    """One thing to mend: a file, a line (0: the file's own name) and a sentence."""

    file: str
    line: int
    sentence: str


def tracked_files() -> list[str]:
    """Return the files that git tracks, as paths from the root."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def rows_of(path: Path) -> dict[str, str]:
    """Return the second column of a table by the first, without the heading."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:] if line]
    return {row[0]: row[1] for row in rows}


def deny_list() -> dict[str, str]:
    """Return each denied name with the name to use instead, without the names that are kept."""
    kept = rows_of(KEPT_LIST)
    return {name: instead for name, instead in rows_of(DENY_LIST).items() if name not in kept}


def python_names(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """Yield every name that the nodes of a Python module define, with its line."""
    for node in nodes:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node.lineno
            case ast.arg(arg=name):
                yield name, node.lineno
            case ast.Name(id=name, ctx=ast.Store()):
                yield name, node.lineno
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, node.lineno


def python_prose(text: str, nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int, bool]]:
    """Yield each docstring of a Python module and the comments of a suspect one, with the line.

    The third value is true for a docstring.
    """
    for node in nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found = ast.get_docstring(node)
            if found:
                yield found, node.body[0].lineno, True
    # To find the comments of all modules takes four seconds.
    if any("#" in line and FORBIDDEN_WORDS.search(line) for line in text.splitlines()):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.string.lstrip("# "), token.start[0], False


def names_by_pattern(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, int]]:
    """Yield what the groups of a pattern match, with the line."""
    for match in pattern.finditer(text):
        for name in filter(None, match.groups()):
            yield name, text.count("\n", 0, match.start()) + 1


def script_prose(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yield each comment of a script or C file, its line, and whether it documents a definition."""
    for match in SCRIPT_COMMENT.finditer(text):
        body = match.group(1) if match.group(1) is not None else match.group(2)
        is_doc = match.group().startswith("/**")
        yield re.sub(r"^\s*\*? ?", "", body or "", flags=re.M), text.count("\n", 0, match.start()) + 1, is_doc


def markdown_prose(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yield each line of a page outside its code blocks."""
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        is_code ^= line.startswith("```")
        if not is_code:
            yield line, number, False


def catalog_prose(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yield each line of a catalog of sentences."""
    json.loads(text)
    for number, line in enumerate(text.splitlines(), 1):
        yield line, number, False


def read(name: str, text: str) -> tuple[list[tuple[str, int]], list[tuple[str, int, bool]]]:
    """Return the names that a file defines and its prose."""
    suffix = Path(name).suffix
    if suffix == ".py":
        nodes = list(ast.walk(ast.parse(text)))
        return list(python_names(nodes)), list(python_prose(text, nodes))
    if suffix in (".js", ".mjs", ".ts"):
        return list(names_by_pattern(SCRIPT_NAMES, text)), list(script_prose(text))
    if suffix in (".c", ".h"):
        return list(names_by_pattern(C_NAMES, text)), list(script_prose(text))
    if suffix == ".mk" or name == "Makefile":
        return list(names_by_pattern(MAKE_NAMES, text)), []
    if suffix == ".md":
        return [], list(markdown_prose(text))
    if suffix == ".json" and "lang/" in name:
        return [], list(catalog_prose(text))
    return [], []


def findings_of(name: str, text: str, denied: dict[str, str]) -> Iterator[Finding]:
    """Yield all findings of one file."""
    parts = {Path(name).stem, *Path(name).parts[:-1]}
    for part in sorted(parts & denied.keys()):
        yield Finding(name, 0, f"the file or folder {part}: use {denied[part]}")
    names, prose = read(name, text)
    for found, line in names:
        plain = found.strip("_")
        if plain in denied:
            yield Finding(name, line, f"the name {found}: use {denied[plain]}")
    for words, line, is_docstring in prose:
        if is_docstring and OPENINGS.match(words):
            yield Finding(name, line, f"a docstring opens with a question word: {words.splitlines()[0][:60]}")
        if forbidden := FORBIDDEN_WORDS.search(words):
            yield Finding(name, line, f"the word {forbidden.group()}: name the actor")


def all_findings() -> list[Finding]:
    """Return the findings of every tracked file except this folder's own."""
    denied = deny_list()
    skipped = ("tests/style/", "CHANGELOG.md", "package-lock.json", "schemas/")
    found: list[Finding] = []
    for name in tracked_files():
        if not name.startswith(skipped):
            path = ROOT / name
            if path.suffix in SUFFIXES or name == "Makefile":
                found += findings_of(name, path.read_text(encoding="utf-8"), denied)
    return found


def main() -> int:
    """Print the findings and return the exit status."""
    found = all_findings()
    for file, line, sentence in found:
        print(f"{file}:{line}: {sentence}")
    print(f"names: {'FAIL' if found else 'PASS'} findings={len(found)} denied={len(deny_list())}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
