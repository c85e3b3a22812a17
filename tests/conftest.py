"""Record the rules that tests name by `@pytest.mark.rule("CDG-040")`; `--write-coverage` stores the list.

tests/unit/rules/test_coverage.py compares the list of a whole run with the one that ships.

`--short`, as in `make test`, leaves out the tests of long.tsv. `--long`, as in `make long-tests`, runs them
alone. Without either all tests run.
"""

from __future__ import annotations

import csv
import gc
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from tests import fork_server

# How long an example takes says more of the machine than of the code: speed is measured in bench/. A test
# with no count of its own has 20 examples, and EXAMPLES in `make properties`.
settings.register_profile("steady", deadline=None, max_examples=int(os.environ.get("EXAMPLES", "20")))
settings.load_profile("steady")

ROOT = Path(__file__).parent.parent
SHIPPED = ROOT / "server" / "enfilade" / "rules" / "coverage.json"
with (Path(__file__).parent / "long.tsv").open(encoding="utf-8") as listed:
    LONG = {test for test, _ in list(csv.reader(listed, delimiter="\t"))[1:]}
"""The IDs of the tests that `make test` leaves to `make long-tests`."""
COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""All tests that were found, with those that are left out."""
PASSED = pytest.StashKey[set[str]]()
FAILED = pytest.StashKey[set[str]]()


def pytest_collection_finish() -> None:
    """Leave what was imported and found out of garbage collections: that took a sixth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


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
    parser.addoption("--short", action="store_true", help="leave out the tests of tests/long.tsv")
    parser.addoption("--long", action="store_true", help="run the tests of tests/long.tsv alone")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = list(items)
    is_short, is_long = config.getoption("--short"), config.getoption("--long")
    if is_short or is_long:
        config.hook.pytest_deselected(items=[item for item in items if (item.nodeid in LONG) == is_short])
        items[:] = [item for item in items if (item.nodeid in LONG) == is_long]


def pytest_configure(config: pytest.Config) -> None:
    config.stash[PASSED], config.stash[FAILED] = set(), set()
    if config.getoption("numprocesses", None):  # the workers share one, by their environment
        os.environ[fork_server.ADDRESS_VARIABLE] = fork_server.start_fork_server()


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
