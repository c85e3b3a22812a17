"""Each test of tests/long.tsv exists, and is run before a release."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import COLLECTED, LONG

ROOT = Path(__file__).parents[2]


def test_each_test_that_the_build_leaves_out_exists(request):
    collected = request.config.stash[COLLECTED]
    found = {item.nodeid for item in collected}
    files = {item.nodeid.partition("::")[0] for item in collected}
    assert {test for test in LONG if test.partition("::")[0] in files} <= found
    assert [test for test in LONG if not (ROOT / test.partition("::")[0]).is_file()] == []


def test_each_such_test_has_others_of_its_kind_in_the_build(request):
    """A test of the list is a case of a test, of which other cases remain."""
    collected = request.config.stash[COLLECTED]
    remain = {item.nodeid.partition("[")[0] for item in collected if item.nodeid not in LONG}
    files = {item.nodeid.partition("::")[0] for item in collected}
    kinds = {test.partition("[")[0] for test in LONG if test.partition("::")[0] in files}
    assert kinds <= remain


def test_they_are_run_before_a_release():
    release = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    assert re.search(r"run: make .*\blong-tests\b", release)
