"""Mutants: where they are found, what they change, and which tests run first for them."""

from __future__ import annotations

import ast

import pytest

from tests.mutation.plugin import Profile
from tests.mutation.processes import order_for
from tests.mutation.sites import find_sites, functions_of, mutate

MODULE = '''"""Holds 1 docstring."""

from functools import lru_cache
from typing import Annotated, Literal

LIMIT: Annotated[int, 5] = 3


def is_over(value: Literal[1, 2]) -> bool:
    """Return whether 2 values are over."""
    return value > LIMIT and not value == 7


@lru_cache(maxsize=64)
def total(values):
    return sum(value * 2 for value in values if value) + 1
'''


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(MODULE)
    return path


def changed(site):
    """The lines of the module that a mutant changes."""
    before, after = (ast.unparse(tree).splitlines() for tree in (ast.parse(MODULE), mutate(site)))
    return [new for old, new in zip(before, after, strict=True) if old != new]


def test_sites_are_what_is_run_and_no_annotations_docstrings_or_decorators(module):
    found = [(site.line, site.change) for site in find_sites(module)]
    assert sorted(found) == [
        (6, "3 to 4"),
        (11, "7 to 8"),
        (11, "And to Or"),
        (11, "Eq to NotEq"),
        (11, "Gt to GtE"),
        (16, "1 to 2"),
        (16, "2 to 3"),
        (16, "Add to Sub"),
        (16, "Mult to Add"),
        (16, "branch negated"),
    ]


def test_a_mutant_differs_in_one_place(module):
    mutants = {site.change: changed(site) for site in find_sites(module)}
    assert mutants["Gt to GtE"] == ["    return value >= LIMIT and (not value == 7)"]
    assert mutants["And to Or"] == ["    return value > LIMIT or not value == 7"]
    assert mutants["branch negated"] == ["    return sum((value * 2 for value in values if not value)) + 1"]
    assert mutants["3 to 4"] == ["LIMIT: Annotated[int, 5] = 4"]
    assert all(len(lines) == 1 for lines in mutants.values())


def test_the_functions_of_a_module_have_their_lines(module):
    assert functions_of(module) == [range(9, 12), range(14, 17)]


def test_tests_that_call_the_function_run_and_quick_ones_before_slow_ones(module):
    over, total = (str(module), 9), (str(module), 14)
    profiles = {
        "slow": Profile(2.0, frozenset({over})),
        "other": Profile(0.1, frozenset({total})),
        "quick": Profile(1.0, frozenset({over, total})),
    }
    sites = {site.change: site for site in find_sites(module)}
    assert order_for(sites["Gt to GtE"], profiles) == ["quick", "slow"]
    assert order_for(sites["1 to 2"], profiles) == ["other", "quick"]
    assert order_for(sites["3 to 4"], profiles) == ["other", "quick", "slow"]
