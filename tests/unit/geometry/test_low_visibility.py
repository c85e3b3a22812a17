"""Zones of low visibility dim their inside and the cells behind them, and stop no line."""

from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.shapes import box_body, hex_body
from enfilade.geometry.board.square import SquareBoard, box, center
from enfilade.geometry.sight.zones import low_visibility_cells, zones_on_line
from tests.seeds import examples

BOARD = SquareBoard(9, 7)
CELLS = st.tuples(st.integers(0, 8), st.integers(0, 6))
SMOKE = box_body(box((4, 3)))


def test_smoke_dims_its_own_cell_and_the_cells_behind_it():
    dim = low_visibility_cells(BOARD, center((0, 3)), [SMOKE])
    assert {(4, 3), (5, 3), (8, 3)} <= set(dim)
    assert not {(3, 3), (4, 2), (4, 4)} & set(dim)


def test_all_cells_are_dim_from_inside_smoke():
    assert len(low_visibility_cells(BOARD, center((4, 3)), [SMOKE])) == 9 * 7


def test_every_zone_on_a_line_is_listed():
    other = box_body(box((6, 3)))
    assert zones_on_line(center((0, 3)), center((8, 3)), [SMOKE, other]) == [0, 1]
    assert zones_on_line(center((0, 3)), center((4, 3)), [SMOKE, other]) == [0]
    assert zones_on_line(center((0, 0)), center((8, 0)), [SMOKE, other]) == []


def test_a_high_line_passes_over_low_smoke():
    low = box_body(box((4, 3)), top=32)
    assert zones_on_line(center((0, 3)), center((8, 3)), [low], (64, 64)) == []


def test_all_hexes_of_a_hexon_of_smoke_are_dim():
    board = HexBoard(9, 9, "odd_r")
    hexon = [(4, 4), *board.neighbors((4, 4))]
    assert set(hexon) <= set(low_visibility_cells(board, board.center((0, 4)), [hex_body(board, hexon)]))


@settings(max_examples=examples(40), deadline=None)
@given(CELLS, st.lists(CELLS, max_size=4))
def test_dim_cells_are_those_with_a_zone_on_their_line(eye, places):
    zones = [box_body(box(place)) for place in places]
    dim = low_visibility_cells(BOARD, center(eye), zones)
    for cell in [(x, y) for x in range(9) for y in range(7)]:
        assert (cell in dim) == bool(zones_on_line(center(eye), center(cell), zones))


def test_smoke_over_the_edge_fills_only_cells_on_the_board():
    dim = low_visibility_cells(
        BOARD, center((8, 6)), [box_body(box((-1, -1), 2, 2)), box_body(box((20, 20)))]
    )
    assert set(dim) == {(0, 0)}
