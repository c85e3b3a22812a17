"""The figures in CONTRIBUTING and the page of the ruleset interface are those of the code."""

from __future__ import annotations

import re

from tests.style import interface
from tests.style.measure import PATHS, SERVER, published, table, trace


def test_the_figures_in_contributing_are_those_of_the_code():
    assert published() == table(), "run `make figures` and look at what changed"


def test_the_page_of_the_ruleset_interface_says_what_the_docstrings_say():
    assert interface.published() == interface.page(), "run `make figures` and look at what changed"


def test_the_page_of_the_ruleset_interface_describes_each_part_that_it_names():
    empty = re.findall(r"^\| `.*` \| *\|$", interface.page(), re.M)
    assert empty == []


def test_a_path_begins_at_the_room_and_ends_in_the_store_or_with_the_overlay():
    ends = {"move": "store/sql/tables.py", "attack": "rules/fair.py", "overlay": "tactics/overlays.py"}
    assert ends.keys() == PATHS.keys()
    for name, end in ends.items():
        files = set.union(*trace(name))
        assert {str(SERVER / "transport/rooms.py"), str(SERVER / end)} <= files
