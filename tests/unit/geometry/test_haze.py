"""Zones of low visibility dim what lies in and behind them, and stop nothing."""

from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.board.bodies import box_body, hex_body
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.square import SquareBoard, box, centre
from enfilade.geometry.sight.low_visibility import dim_cells, zones_in_the_way

BOARD = SquareBoard(9, 7)
CELLS = st.tuples(st.integers(0, 8), st.integers(0, 6))
SMOKE = box_body(box((4, 3)))


def test_smoke_dims_itself_and_what_is_behind_it():
    dim = dim_cells(BOARD, centre((0, 3)), [SMOKE])
    assert {(4, 3), (5, 3), (8, 3)} <= set(dim)
    assert not {(3, 3), (4, 2), (4, 4)} & set(dim)


def test_from_inside_smoke_everything_is_dim():
    assert len(dim_cells(BOARD, centre((4, 3)), [SMOKE])) == 9 * 7


def test_each_zone_in_the_way_is_named():
    other = box_body(box((6, 3)))
    assert zones_in_the_way(centre((0, 3)), centre((8, 3)), [SMOKE, other]) == [0, 1]
    assert zones_in_the_way(centre((0, 3)), centre((4, 3)), [SMOKE, other]) == [0]
    assert zones_in_the_way(centre((0, 0)), centre((8, 0)), [SMOKE, other]) == []


def test_low_smoke_is_looked_over():
    low = box_body(box((4, 3)), top=32)
    assert zones_in_the_way(centre((0, 3)), centre((8, 3)), [low], (64, 64)) == []


def test_a_hexon_of_smoke_is_dim_as_a_whole():
    board = HexBoard(9, 9, "odd_r")
    hexon = [(4, 4), *board.neighbours((4, 4))]
    assert set(hexon) <= set(dim_cells(board, board.centre((0, 4)), [hex_body(board, hexon)]))


@settings(max_examples=40, deadline=None)
@given(CELLS, st.lists(CELLS, max_size=4))
def test_the_map_and_the_line_agree(eye, places):
    zones = [box_body(box(place)) for place in places]
    dim = dim_cells(BOARD, centre(eye), zones)
    for cell in [(x, y) for x in range(9) for y in range(7)]:
        assert (cell in dim) == bool(zones_in_the_way(centre(eye), centre(cell), zones))


def test_smoke_beyond_the_edge_of_the_board_fills_only_what_is_on_it():
    dim = dim_cells(BOARD, centre((8, 6)), [box_body(box((-1, -1), 2, 2)), box_body(box((20, 20)))])
    assert set(dim) == {(0, 0)}
