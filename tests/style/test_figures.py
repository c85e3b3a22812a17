"""The figures in CONTRIBUTING are those of the code."""

from __future__ import annotations

from tests.style.measure import PATHS, SERVER, published, table, trace


def test_the_figures_in_contributing_are_those_of_the_code():
    assert published() == table(), "run `make figures` and look at what changed"


def test_a_path_begins_at_the_room_and_ends_in_the_store_or_with_the_overlay():
    ends = {"move": "store/sql/tables.py", "attack": "rules/fair.py", "overlay": "tactics/overlays.py"}
    assert ends.keys() == PATHS.keys()
    for name, end in ends.items():
        files = set.union(*trace(name))
        assert {str(SERVER / "transport/rooms.py"), str(SERVER / end)} <= files
