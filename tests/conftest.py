"""Record the rules that tests name by `@pytest.mark.rule("CDG-040")`; `--write-coverage` stores the list.

tests/unit/rules/test_coverage.py compares the list of a whole run with the one that ships.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN

# How long an example takes says more of the machine than of the code: speed is measured in bench/. A test
# with no count of its own has 50 examples, and EXAMPLES in `make properties`.
settings.register_profile("steady", deadline=None, max_examples=int(os.environ.get("EXAMPLES", "50")))
settings.load_profile("steady")

ROOT = Path(__file__).parent.parent
SHIPPED = ROOT / "server" / "enfilade" / "rules" / "coverage.json"
PASSED = pytest.StashKey[set[str]]()
FAILED = pytest.StashKey[set[str]]()


def rule_ids(key: str) -> list[str]:
    """Return the rule IDs of a ruleset, which docs/rulesets lists one a line."""
    page = ROOT / "docs" / "rulesets" / f"{key.replace('_', '-')}.md"
    text = page.read_text() if page.exists() else ""
    return sorted(set(re.findall(r"^- \*\*([A-Z]{3}-\d{3})\*\*", text, re.MULTILINE)))


def rules_named(named: set[str]) -> dict[str, dict[str, bool]]:
    return {key: {rule: rule in named for rule in rule_ids(key)} for key in sorted(load_rulesets(BUILT_IN))}


def named_by(item: pytest.Item) -> Iterator[str]:
    for marker in item.iter_markers("rule"):
        yield from marker.args


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-coverage", action="store_true", help="write server/enfilade/rules/coverage.json"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[PASSED], config.stash[FAILED] = set(), set()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    report = yield
    if report.failed:
        item.config.stash[FAILED].update(named_by(item))
    elif report.passed and call.when == "call":
        item.config.stash[PASSED].update(named_by(item))
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.getoption("--write-coverage"):
        named = session.config.stash[PASSED] - session.config.stash[FAILED]
        SHIPPED.write_text(json.dumps(rules_named(named), indent=1) + "\n")
