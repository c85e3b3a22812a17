"""A package of another author with the game of examples/first_blood.py, found by its entry point."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GAME = ROOT / "examples" / "first_blood.py"
PAGE = ROOT / "docs" / "adding-a-ruleset.md"
SETUP = """[metadata]
name = first-blood
version = 1.0

[options]
py_modules = first_blood

"""


def write_package(folder: Path) -> Path:
    """Write the package into a new folder, as the page says; return the folder."""
    entry_points = re.search(r"^```ini\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert entry_points, "the page shows how to ship a ruleset"
    folder.mkdir(parents=True)
    (folder / "first_blood.py").write_text(GAME.read_text("utf-8"), encoding="utf-8")
    (folder / "setup.cfg").write_text(SETUP + entry_points[1], encoding="utf-8")
    (folder / "setup.py").write_text("from setuptools import setup\n\nsetup()\n", encoding="utf-8")
    return folder
