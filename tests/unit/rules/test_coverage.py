"""`enfilade rules` says which rules a passing test names; its list cannot go stale."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from tests.conftest import COLLECTED, named_by, rule_ids, rules_named

from enfilade.cli.main import main
from enfilade.rules.coverage import counts, load_coverage, untested


def is_whole(session):
    """Return whether this run has every test of the suite."""
    config = session.config
    from_testpaths = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    is_chosen = config.getoption("keyword") or config.getoption("markexpr") or config.getoption("--long")
    return from_testpaths and not is_chosen


def test_the_shipped_list_has_every_rule_of_the_catalog():
    assert {key: list(rules) for key, rules in load_coverage().items()} == {
        key: rule_ids(key) for key in load_coverage()
    }


def test_the_shipped_list_equals_the_rules_that_tests_name(request):
    if request.config.getoption("--write-coverage"):
        pytest.skip("it is being written")
    named = {rule for item in request.config.stash[COLLECTED] for rule in named_by(item)}
    now = rules_named(named)
    if is_whole(request.session):
        assert load_coverage() == now, "make rules writes it again"
    for key, rules in now.items():
        shown = {rule for rule, is_named in rules.items() if is_named}
        assert shown <= {rule for rule, is_named in load_coverage()[key].items() if is_named}


def test_every_rule_that_a_test_names_is_in_a_catalog(request):
    known = {rule for key in load_coverage() for rule in rule_ids(key)}
    prefixes = {rule[:3] for rule in known}
    for item in request.session.items:
        for rule in named_by(item):
            assert rule in known or rule[:3] not in prefixes, f"{item.name} names {rule}"


def test_the_command_prints_the_number_of_rules_and_of_tested_rules():
    printed = CliRunner().invoke(main, ["rules", "--json"])
    assert printed.exit_code == 0
    assert json.loads(printed.output) == counts()


def test_the_command_names_the_untested_rules():
    printed = CliRunner().invoke(main, ["rules"]).output
    for rules in untested().values():
        assert all(rule in printed for rule in rules)
