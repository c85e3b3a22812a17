"""The ruleset of docs/adding-a-ruleset.md, as the page builds it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

PAGE = Path(__file__).parent.parent / "docs" / "adding-a-ruleset.md"


def built() -> ModuleType:
    """The page's Python blocks, one after the other, as a module."""
    module = ModuleType("first_blood")
    # A struct's annotations are looked up in its module.
    sys.modules["first_blood"] = module
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL))
    exec(compile(code, str(PAGE), "exec"), module.__dict__)
    return module


EXAMPLE = built()
FIRST_BLOOD = EXAMPLE.FIRST_BLOOD
