"""Which catalogued rules are named by a passing test: what `enfilade rules` prints.

The list ships with the package as tested.json. `make rules` writes it from the catalogues in docs/rulesets
and from the tests' markers, and a test fails when it is out of date.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import TypedDict

Tested = dict[str, dict[str, bool]]
"""For each ruleset's key, every catalogued rule's ID and whether a passing test names it."""


class Count(TypedDict):
    """How many rules a ruleset has in its catalogue, and how many of them a passing test names."""

    rules: int
    tested: int


def shipped() -> Tested:
    """The list that ships with this package."""
    found: Tested = json.loads(resources.files("enfilade.rules").joinpath("tested.json").read_text())
    return found


def counts() -> dict[str, Count]:
    """The figures of every ruleset's catalogue."""
    return {key: Count(rules=len(rules), tested=sum(rules.values())) for key, rules in shipped().items()}


def untested() -> dict[str, list[str]]:
    """The IDs that no passing test names, for each ruleset that has such."""
    left = {key: [rule for rule in rules if not rules[rule]] for key, rules in shipped().items()}
    return {key: rules for key, rules in left.items() if rules}
