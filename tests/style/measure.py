"""Measure the layout: `python -m tests.style.measure` prints the table of figures in CONTRIBUTING.

With `--write` (`make figures`) it puts the table there, and writes the page of the ruleset interface; tests
compare. It counts the modules in each folder
and the lines of files and functions. It also traces a stored move, an attack and an overlay, from the decoded
message to the stored entry or the written answer, and counts the server's files that they run through: a
reader of that path opens so many. No two files are to be merged for the figure.

`python -m tests.style.measure move` (or attack, overlay) lists the files of one of them.
"""

from __future__ import annotations

import ast
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from enfilade import app as app_module
from enfilade.importers.demo import demo_battle
from enfilade.messages.load import load_command
from enfilade.play.dice import Chains
from enfilade.play.tables import Tables
from enfilade.rulesets import BUILT_IN
from enfilade.runtime.config import load_config
from enfilade.scene.model import GM
from enfilade.store.dice_secrets import MemoryDiceSecrets
from tests.style import interface

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"
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
    """Return the median and the 95th percentile of some lengths."""
    ordered = sorted(lengths)
    return f"median {statistics.median(ordered):.0f}, 95 in 100 below {ordered[int(len(ordered) * 0.95)]}"


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


MOVE = ("token.move", {"token": "aldis", "at": [3, 3], "override": "measured"})
ATTACK = (
    "act",
    {
        "act": {"kind": "melee", "token": "goblin-1", "target": "ilvane", "weapon": "assassin's knife"},
        "override": "measured",
    },
)
OVERLAY = ("overlay.show", {"token": "aldis", "layers": None})
Sent = tuple[str, dict[str, Any]]

PATHS: dict[str, tuple[Sequence[Sent], Sent]] = {
    "move": ((), MOVE),
    "attack": ((), ATTACK),
    "overlay": ((MOVE,), OVERLAY),
}
"""The traced commands by name, each with what is sent before it."""


def trace(name: str) -> list[set[str]]:
    """Return the files of a path in each of some runs; the dice are the same in all measurements."""
    before, (kind, body) = PATHS[name]
    with tempfile.TemporaryDirectory() as folder:
        app = app_module.create_app(load_config(data=Path(folder)))
        ruleset = next(ruleset for ruleset in BUILT_IN if ruleset.key == "coup_de_grace")
        dice = Chains(MemoryDiceSecrets(), draw=bytes)
        tables = Tables(app.store, app.tables.rulesets, dice)
        links = tables.create(demo_battle(ruleset).scene, table="measured")
        room = app.rooms.of(tables.enter(links.table, links.gm_key)[0])

        def send(sender: str, kind: str, body: dict[str, Any]) -> None:
            room.answer(GM, load_command({"v": 1, "id": sender, "kind": kind, "body": body}))

        runs = []
        for number in range(RUNS):
            for place, earlier in enumerate(before):
                send(f"before-{number}-{place}", *earlier)
            runs.append(traced_files(partial(send, f"measured-{number}", kind, body)))
            send(f"undo-{number}", "undo", {})
        return runs


def files_of(name: str) -> int:
    """Return the median number of files of a path; an attack's depends on its dice."""
    return round(statistics.median(map(len, trace(name))))


def table() -> str:
    """Return the table of all figures."""
    paths = modules()
    folders: dict[Path, int] = {}
    for path in paths:
        if path.name != "__init__.py":
            folders[path.parent] = folders.get(path.parent, 0) + 1
    largest = sorted(folders.items(), key=lambda item: (-item[1], item[0]))[:LARGEST_FOLDERS]
    named = ", ".join(f"{path.relative_to(SERVER)} {count}" for path, count in largest)
    files = [len(path.read_text(encoding="utf-8").splitlines()) for path in paths if path.stat().st_size]
    functions = [length for path in paths for length in function_lines(path)]
    rows = [
        ("largest folders (modules beside their sub-packages)", "geometry 38, transport 35", named),
        ("modules", "273", str(len(files))),
        ("lines of a file", "median 104, 95 in 100 below 267", summary(files)),
        ("lines of a function", "median 5, 95 in 100 below 15", summary(functions)),
        ("files of a stored move", "61", str(files_of("move"))),
        ("files of an attack", "63", str(files_of("attack"))),
        ("files of an overlay", "64", str(files_of("overlay"))),
    ]
    lines = ["| figure | before | now |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines) + "\n"


def published() -> str:
    """Return the table in CONTRIBUTING."""
    return CONTRIBUTING.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]


def main() -> None:
    """Print all figures, write them, or list the files of a path."""
    asked = sys.argv[1:]
    if asked and asked[0] in PATHS:
        every = sorted(set().union(*trace(asked[0])))
        print("\n".join(str(Path(name).relative_to(SERVER)) for name in every))
    elif asked == ["--write"]:
        text = CONTRIBUTING.read_text(encoding="utf-8")
        start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
        CONTRIBUTING.write_text(text[:start] + table() + text[end:], encoding="utf-8")
        interface.write()
    else:
        print(table(), end="")


if __name__ == "__main__":
    main()
