"""Names of cells."""

from __future__ import annotations

import pytest

from enfilade.geometry.board.units import cell_name


@pytest.mark.parametrize(
    ("cell", "name"),
    [((0, 0), "A1"), ((2, 6), "C7"), ((25, 9), "Z10"), ((26, 0), "AA1"), ((51, 0), "AZ1"), ((52, 0), "BA1")],
)
def test_a_cell_name_is_column_letters_and_a_row(cell, name):
    assert cell_name(cell) == name
