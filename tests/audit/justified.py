"""Findings of bandit that stay, each kind with the reason; what matches none of these fails the audit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatch


@dataclass(frozen=True)
class Justified:
    """Findings of one test, in some files, in lines of some shape."""

    test: str
    path: str
    shape: str
    why: str

    def covers(self, finding):
        numbered = f"{finding['line_number']} "
        line = next(text for text in finding["code"].splitlines() if text.startswith(numbered))
        return (
            finding["test_id"] == self.test
            and fnmatch(finding["filename"], f"*server/enfilade/{self.path}")
            and re.search(self.shape, line) is not None
        )


JUSTIFIED = (
    Justified(
        "B404", "cluster/workers.py", r"import subprocess", "A server of several processes starts them."
    ),
    Justified(
        "B603",
        "cluster/workers.py",
        r"Popen",
        "It starts Enfilade itself, without a shell, by Python's own path.",
    ),
    Justified(
        "B101",
        "*",
        r"assert \S+ is not None(, \"[^\"]*\")?$|assert isinstance\(",
        "It tells the type checker what is known; without it the next line would fail by itself.",
    ),
    Justified("B101", "rules/conformance/*", r"assert ", "The suite for rulesets: its checks are asserts."),
    Justified("B105", "messages/examples.py", r"token", "A token is a miniature here, and no password."),
    Justified("B105", "messages/examples.py", r'"secret": True', "It says that an act is done in secret."),
    Justified(
        "B106",
        "rulesets/double_life/outlook.py",
        r"_replace\(token=",
        "A token is a miniature here, and no password.",
    ),
    Justified("B107", "rules/procedures.py", r"token: str", "A token is a miniature here, and no password."),
    Justified(
        "B311", "client/live.py", r"random\.uniform", "How long to wait, so that not all come again at once."
    ),
    Justified(
        "B311",
        "rules/*",
        r"random\.Random\(seed\)",
        "To be repeatable is what it is for: tests, samples of odds. Dice at a table come from secrets.",
    ),
    Justified(
        "B311",
        "tactics/forecast.py",
        r"random\.Random\(\)",
        "To be repeatable from a seed is what it is for: imagined continuations, never dice at a table.",
    ),
    Justified(
        "B608",
        "store/sql/migrations/versions/v0002_chain_and_epoch.py",
        r"\{name\}",
        "The names are those in the file itself; every value is bound.",
    ),
)
