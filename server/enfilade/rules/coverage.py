"""Coverage of the rule catalog: which rules a passing test names. `enfilade rules` prints it."""

from __future__ import annotations

import json
from importlib import resources
from typing import TypedDict

Tested = dict[str, dict[str, bool]]
"""For each ruleset's key: the ID of each rule, and whether a passing test names it."""


class Count(TypedDict):
    """The number of rules in a ruleset's catalog, and the number that a passing test names."""

    rules: int
    tested: int


def load_coverage() -> Tested:
    """Return the list that ships with this package."""
    found: Tested = json.loads(resources.files("enfilade.rules").joinpath("coverage.json").read_text())
    return found


def counts() -> dict[str, Count]:
    """Return the figures of each ruleset."""
    return {
        key: Count(rules=len(rules), tested=sum(rules.values())) for key, rules in load_coverage().items()
    }


def untested() -> dict[str, list[str]]:
    """Return the IDs that no passing test names, for each ruleset that has any."""
    left = {key: [rule for rule in rules if not rules[rule]] for key, rules in load_coverage().items()}
    return {key: rules for key, rules in left.items() if rules}
