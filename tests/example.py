"""The games of docs/adding-a-ruleset.md: the one that the page builds, and the example that it links to."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "adding-a-ruleset.md"


def guide() -> ModuleType:
    """The page's Python blocks, one after the other, as a module."""
    module = ModuleType("last_stand")
    # A struct's annotations are looked up in its module.
    sys.modules["last_stand"] = module
    code = "\n".join(re.findall(r"^```python[^\n]*\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL))
    exec(compile(code, str(PAGE), "exec"), module.__dict__)
    return module


def example() -> ModuleType:
    """The game in examples/ that writes every part itself, as a module."""
    spec = importlib.util.spec_from_file_location("first_blood", ROOT / "examples" / "first_blood.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["first_blood"] = module
    spec.loader.exec_module(module)
    return module


EXAMPLE = example()
FIRST_BLOOD = EXAMPLE.FIRST_BLOOD
