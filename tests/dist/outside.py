"""A package of another author with the ruleset of docs/adding-a-ruleset.md, found by its entry point."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-ruleset.md"
SETUP = """[metadata]
name = first-blood
version = 1.0

[options]
py_modules = first_blood

"""


def write_package(folder: Path) -> Path:
    """Write the package into a new folder, as the page says; return the folder."""
    page = PAGE.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    entry_points = re.search(r"^```ini\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert entry_points, "the page shows how to ship a ruleset"
    folder.mkdir(parents=True)
    (folder / "first_blood.py").write_text(code, encoding="utf-8")
    (folder / "setup.cfg").write_text(SETUP + entry_points[1], encoding="utf-8")
    (folder / "setup.py").write_text("from setuptools import setup\n\nsetup()\n", encoding="utf-8")
    return folder
