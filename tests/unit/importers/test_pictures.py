"""Pictures as maps: the header says the size, and the grid lies on the picture."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.importers.maps import jpeg, png, webp

from enfilade.errors import BadFile
from enfilade.importers import GridFit, picture_size, read_picture, token_picture
from enfilade.importers.pictures import board_in_cells
from enfilade.scene.model import Grid


def fit(**changes: object) -> GridFit:
    return GridFit(
        **{"kind": "square", "columns": 9, "rows": 7, "cell": 70.5, "left": 20, "top": 31, **changes}
    )  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [png, jpeg, webp])
def test_the_size_comes_from_the_header(make):
    assert picture_size(make(700, 560)) == (700, 560)


def test_a_picture_becomes_a_board_with_the_part_under_the_grid():
    imported = read_picture(png(700, 560), "The Old Mill.png", ruleset="torn", fit=fit())
    assert imported.scene.grid == Grid(kind="square", columns=9, rows=7)
    assert (imported.scene.name, imported.scene.walls) == ("The Old Mill", ())
    assert imported.image_area == "#xywh=pixel:20,31,634,494"


def test_hexes_lie_on_the_picture_by_their_own_size():
    assert board_in_cells("hex_odd_r", 10, 8) == pytest.approx((10.5, 7.2169), abs=1e-3)
    assert board_in_cells("hex_even_q", 8, 10) == pytest.approx((7.2169, 10.5), abs=1e-3)
    grid = fit(kind="hex_odd_r", columns=10, rows=8, cell=50, left=0, top=0)
    assert (
        read_picture(png(525, 361), "hexes", ruleset="torn", fit=grid).image_area == "#xywh=pixel:0,0,525,361"
    )


@pytest.mark.parametrize(
    "change",
    [{"columns": 10}, {"rows": 8}, {"left": -1}, {"top": -0.5}, {"cell": 7}, {"left": 90}, {"cell": 80}],
)
def test_a_grid_beside_the_picture_is_refused(change):
    with pytest.raises(BadFile, match="does not lie on the picture"):
        read_picture(png(700, 560), "map", ruleset="torn", fit=fit(**change))


def test_a_grid_may_end_a_quarter_of_a_cell_beyond_the_picture():
    grid = fit(columns=10, rows=8, cell=70, left=0, top=0)
    assert read_picture(png(683, 543), "map", ruleset="torn", fit=grid).scene.grid.columns == 10
    with pytest.raises(BadFile):
        read_picture(png(682, 543), "map", ruleset="torn", fit=grid)


def test_a_picture_with_too_many_pixels_is_refused_by_its_header():
    for size in ((16_385, 1), (1, 16_385), (11_000, 11_000)):
        with pytest.raises(BadFile, match="million"):
            picture_size(png(*size))


def test_a_unit_has_a_small_picture():
    assert token_picture(webp(256, 256)) == "image/webp"
    with pytest.raises(BadFile, match="1,024 pixels"):
        token_picture(png(1_025, 10))
    with pytest.raises(BadFile, match="512 KiB"):
        token_picture(png(10, 10) + bytes(512 * 1024))


@given(st.sampled_from([png, jpeg, webp]), st.integers(0, 60), st.binary(max_size=40))
def test_a_broken_header_is_a_typed_error_or_a_size(make, kept, rest):
    try:
        width, height = picture_size(make(700, 560)[:kept] + rest)
    except BadFile:
        return
    assert width > 0
    assert height > 0
