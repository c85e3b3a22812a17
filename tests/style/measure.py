"""Measure the layout: `python -m tests.style.measure` prints the figures of the table in CONTRIBUTING.

It counts the modules in each folder and the lines of files and functions. It also traces a stored move and an
attack, from the decoded message to the stored entry, and counts the server's files that they run through.
"""

from __future__ import annotations

import ast
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from enfilade import app as app_module
from enfilade.importers.demo import demo_battle
from enfilade.messages.load import load_command
from enfilade.rulesets import BUILT_IN
from enfilade.runtime.config import load_config
from enfilade.scene.seat import GM

SERVER = Path(app_module.__file__).parent
LARGEST_FOLDERS = 6
RUNS = 15


def modules() -> list[Path]:
    """Return the server's Python modules, without the database's migrations."""
    return [path for path in sorted(SERVER.rglob("*.py")) if "migrations" not in path.parts]


def function_lines(path: Path) -> Iterator[int]:
    """Yield the length of each function of a module, its docstring and decorators included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (node.end_lineno or node.lineno) - node.lineno + 1


def summary(lengths: Iterable[int]) -> str:
    """Return the count, the median and the 95th percentile of some lengths."""
    ordered = sorted(lengths)
    return (
        f"{len(ordered)} with a median of {statistics.median(ordered):.0f} lines, "
        f"95 in 100 below {ordered[int(len(ordered) * 0.95)]}"
    )


def traced_files(run: Any) -> set[str]:
    """Return the server's files that run during a call of `run`."""
    found: set[str] = set()

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(SERVER)):
            found.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return found


def trace(kind: str, body: dict[str, Any]) -> int:
    """Return the median number of files that a command runs through; an attack's depends on its dice."""
    with tempfile.TemporaryDirectory() as folder:
        app = app_module.create_app(load_config(data=Path(folder)))
        ruleset = next(ruleset for ruleset in BUILT_IN if ruleset.key == "coup_de_grace")
        links = app.tables.create(demo_battle(ruleset).scene)
        room = app.rooms.of(app.tables.enter(links.table, links.gm_key)[0])

        def send(name: str, kind: str = kind, body: dict[str, Any] = body) -> None:
            room.answer(GM, load_command({"v": 1, "id": name, "kind": kind, "body": body}))

        counts = []
        for number in range(RUNS):
            counts.append(len(traced_files(partial(send, f"measured-{number}"))))
            send(f"undo-{number}", "undo", {})
        return round(statistics.median(counts))


MOVE = ("token.move", {"token": "aldis", "at": [3, 3], "override": "measured"})
ATTACK = (
    "act",
    {
        "act": {"kind": "melee", "token": "goblin-1", "target": "ilvane", "weapon": "assassin's knife"},
        "override": "measured",
    },
)


def main() -> None:
    """Print all figures."""
    paths = modules()
    folders: dict[Path, int] = {}
    for path in paths:
        if path.name != "__init__.py":
            folders[path.parent] = folders.get(path.parent, 0) + 1
    largest = sorted(folders.items(), key=lambda item: -item[1])[:LARGEST_FOLDERS]
    print("modules in a folder:", ", ".join(f"{path.relative_to(SERVER)} {count}" for path, count in largest))
    files = [len(path.read_text(encoding="utf-8").splitlines()) for path in paths if path.stat().st_size]
    print("files:", summary(files))
    print("functions:", summary(length for path in paths for length in function_lines(path)))
    print("files that a stored move runs through:", trace(*MOVE))
    print("files that an attack runs through:", trace(*ATTACK))


if __name__ == "__main__":
    main()
