"""Boards: cells, neighbors, distances, arcs and rings, on squares, hexes and hexons."""

from __future__ import annotations

import math
from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from enfilade.geometry.board.arcs import angle_between, arc, is_in_arc, nearest_facing
from enfilade.geometry.board.footprint import ONE_CELL, ONE_HEXON, SHARED_CELL, block, hexons, reach, ring
from enfilade.geometry.board.hex import FLAT_FACINGS, POINTY_FACINGS, HexBoard
from enfilade.geometry.board.hexon import (
    HexonBoard,
    HexonLattice,
    are_in_line,
    hexon_distance,
    hexon_line,
    hexon_neighbors,
)
from enfilade.geometry.board.square import Diagonals, SquareBoard

LAYOUTS = ("odd_r", "even_r", "odd_q", "even_q")
CHIRALITIES = ("left", "right")

hex_boards = st.builds(HexBoard, st.integers(1, 9), st.integers(1, 9), st.sampled_from(LAYOUTS))
boards = st.one_of(
    hex_boards,
    st.builds(SquareBoard, st.integers(1, 9), st.integers(1, 9), st.sampled_from(Diagonals)),
)
far_hexes = st.tuples(st.integers(-50, 50), st.integers(-50, 50))


def cells_of(board):
    return [(x, y) for y in range(board.rows) for x in range(board.columns)]


def steps_by_walking(board, start):
    """Search breadth-first for the distances from a cell."""
    steps, queue = {start: 0}, deque([start])
    while queue:
        cell = queue.popleft()
        for other in board.neighbors(cell):
            if other not in steps:
                steps[other] = steps[cell] + 1
                queue.append(other)
    return steps


def test_a_square_has_four_neighbors_and_eight_with_legal_diagonals():
    assert list(SquareBoard(3, 3).neighbors((1, 1))) == [(1, 0), (2, 1), (1, 2), (0, 1)]
    assert len(list(SquareBoard(3, 3, Diagonals.EXACT).neighbors((1, 1)))) == 8


@pytest.mark.parametrize(
    ("rule", "points"),
    [
        (Diagonals.EQUIDISTANT, 3),
        (Diagonals.EXACT, 3 * 99),
        (Diagonals.APPROXIMATE, 9),
        (Diagonals.RECTILINEAR, 6),
        (Diagonals.ALTERNATING_1, 1 + 2 + 1),
        (Diagonals.ALTERNATING_2, 2 + 1 + 2),
        (Diagonals.ILLEGAL, 6),
    ],
)
def test_each_diagonal_rule_counts_three_diagonals_its_own_way(rule, points):
    assert SquareBoard(9, 9, rule).distance((1, 1), (4, 4)) == points


def test_each_hex_layout_has_its_own_neighbors():
    around = {layout: set(HexBoard(3, 3, layout).neighbors((1, 1))) for layout in LAYOUTS}
    straight_row, straight_column = {(0, 1), (2, 1)}, {(1, 0), (1, 2)}
    assert around["odd_r"] == straight_row | {(1, 0), (2, 0), (1, 2), (2, 2)}
    assert around["even_r"] == straight_row | {(0, 0), (1, 0), (0, 2), (1, 2)}
    assert around["odd_q"] == straight_column | {(0, 1), (2, 1), (0, 2), (2, 2)}
    assert around["even_q"] == straight_column | {(0, 0), (2, 0), (0, 1), (2, 1)}


@given(hex_boards, st.data())
def test_hex_distance_is_the_number_of_steps(board, data):
    start = data.draw(st.sampled_from(cells_of(board)))
    for cell, steps in steps_by_walking(board, start).items():
        if board.columns > 1 and board.rows > 1:
            assert board.distance(start, cell) == steps


@given(hex_boards)
def test_axial_coordinates_and_cells_convert_both_ways(board):
    for cell in cells_of(board):
        assert board.offset(board.axial(cell)) == cell
        assert {board.distance(cell, other) for other in board.neighbors(cell)} <= {1}


@given(hex_boards)
def test_adjacent_hexes_share_exactly_two_corners(board):
    for cell in cells_of(board):
        for other in board.neighbors(cell):
            assert len(set(board.corners(cell)) & set(board.corners(other))) == 2


@given(hex_boards)
def test_the_hex_ahead_is_exactly_along_the_facing(board):
    for cell in cells_of(board):
        for facing in board.facings:
            ahead = board.ahead(cell, facing)
            if ahead:
                (x1, y1), (x2, y2), (dx, dy) = (
                    board.center(cell),
                    board.center(ahead),
                    board.direction(facing),
                )
                assert dx * (y2 - y1) == dy * (x2 - x1)
                assert dx * (x2 - x1) + dy * (y2 - y1) > 0


@given(boards)
def test_scanlines_list_every_cell_once_at_its_center(board):
    seen = {}
    for line in board.scanlines():
        for k in range(line.length):
            cell = (line.first + line.stride * k, line.row)
            assert cell not in seen
            seen[cell] = (line.x + line.pitch * k, line.y)
    assert seen == {cell: board.center(cell) for cell in cells_of(board)}


@given(boards, st.data())
def test_an_arc_mask_contains_exactly_the_cells_in_the_arc(board, data):
    at = board.center(data.draw(st.sampled_from(cells_of(board))))
    facing, width = data.draw(st.integers(0, 359)), data.draw(st.integers(1, 360))
    inside = [cell for cell in cells_of(board) if is_in_arc(board, at, facing, width, board.center(cell))]
    assert list(arc(board, at, facing, width)) == inside


def test_the_front_sixty_degrees_of_a_hex_are_rows_of_one_three_and_three():
    board = HexBoard(9, 9, "odd_r")
    front = arc(board, board.center((4, 4)), 90, 60)
    ranges = [board.distance((4, 4), cell) for cell in front]
    assert [ranges.count(n) for n in (1, 2, 3)] == [1, 3, 3]


def test_the_front_half_of_a_square_includes_its_row_but_not_its_cell():
    front = arc(SquareBoard(3, 3), (96, 96), 0, 180)
    assert list(front) == [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("angle", range(0, 360, 15))
def test_a_direction_on_hexes_is_a_compass_angle_of_the_real_board(layout, angle):
    board, squeeze = HexBoard(3, 3, layout), math.sqrt(3) / 2
    across, down = board.direction(angle)
    across, down = (across, down / squeeze) if board.is_pointy else (across / squeeze, down)
    assert math.degrees(math.atan2(across, -down)) % 360 == pytest.approx(angle, abs=1e-6)


def test_ninety_degrees_of_flat_hexes_end_at_45_degrees():
    board = HexBoard(40, 40, "odd_q")
    x, y = board.center((20, 20))
    expected = {
        cell
        for cell in cells_of(board)
        if abs(board.center(cell)[0] - x) / (math.sqrt(3) / 2) <= y - board.center(cell)[1]
    }
    assert set(arc(board, (x, y), 0, 90)) == expected - {(20, 20)}


def test_an_arc_of_width_zero_is_a_value_error():
    with pytest.raises(ValueError, match="above 0 degrees"):
        arc(SquareBoard(3, 3), (96, 96), 0, 0)


def test_facings_compare_by_the_smaller_angle_and_snap_to_the_nearest():
    assert (angle_between(350, 10), angle_between(90, 270)) == (20, 180)
    assert nearest_facing(350, (0, 90, 180, 270)) == 0
    assert nearest_facing(100, FLAT_FACINGS) == 120
    assert nearest_facing(100, POINTY_FACINGS) == 90


def test_a_troll_has_a_ring_of_twelve_cells_and_a_man_of_eight():
    board = SquareBoard(9, 9)
    assert len(ring(board, block(2, 2).cells(board, (3, 3)))) == 12
    assert len(ring(board, block(4, 4).cells(board, (3, 3)))) == 20
    assert len(reach(board, (3, 3), ONE_CELL)) == 8
    assert len(reach(board, (3, 3), ONE_CELL, corners=False)) == 4


def test_a_gnome_reaches_only_its_own_cell():
    assert reach(SquareBoard(9, 9), (3, 3), SHARED_CELL) == {(3, 3)}


def test_a_ring_ends_at_the_edge_and_a_troll_must_fit_on_the_board():
    board = SquareBoard(4, 4)
    assert len(ring(board, [(0, 0)])) == 3
    assert block(2, 2).fits(board, (2, 2))
    assert not block(2, 2).fits(board, (3, 2))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_hexon_is_a_hex_with_six_neighbors_and_a_ring_of_twelve(layout):
    board = HexBoard(9, 9, layout)
    cells = ONE_HEXON.cells(board, (4, 4))
    assert set(cells) == {(4, 4), *board.neighbors((4, 4))}
    assert len(ring(board, cells)) == 12


def test_two_hexons_fill_fourteen_hexes():
    pair = hexons(HexonLattice(), [(0, 0), (1, 0)])
    assert len(set(pair.offsets)) == 14


@pytest.mark.parametrize("chirality", CHIRALITIES)
@given(hex_=far_hexes, origin=far_hexes)
def test_every_hex_belongs_to_exactly_one_hexon(chirality, hex_, origin):
    lattice = HexonLattice(chirality, origin)
    hexon = lattice.hexon_of(hex_)
    assert hex_ in lattice.hexes(hexon)
    assert all(hex_ not in lattice.hexes(other) for other in hexon_neighbors(hexon))


@pytest.mark.parametrize("chirality", CHIRALITIES)
def test_a_rim_hex_is_adjacent_to_two_hexons_and_a_center_hex_to_none(chirality):
    lattice = HexonLattice(chirality)
    center, *rim = lattice.hexes((2, -3))
    assert lattice.adjacent_hexons(center) == set()
    for hex_ in rim:
        one, other = lattice.adjacent_hexons(hex_)
        assert hexon_distance(one, other) == 1
        assert hexon_distance((2, -3), one) == 1


def test_the_two_lattices_are_mirror_images():
    left, right = HexonLattice("left"), HexonLattice("right")
    mirrored = {(r, q) for hexon in [(0, 0), *hexon_neighbors((0, 0))] for q, r in [left.center_hex(hexon)]}
    assert mirrored == {right.center_hex(hexon) for hexon in [(0, 0), *hexon_neighbors((0, 0))]}


def test_a_hexon_line_is_straight_and_a_bow_reaches_four_hexons():
    line = hexon_line((0, 0), (1, -1), 5)
    assert [hexon_distance((0, 0), hexon) for hexon in line] == [1, 2, 3, 4, 5]
    assert all(hexon_distance(a, b) == 1 for a, b in pairwise(line))
    assert all(are_in_line((0, 0), hexon) for hexon in line)
    assert not are_in_line((0, 0), (1, 1))


@pytest.mark.parametrize("chirality", CHIRALITIES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_board_of_hexons_contains_the_whole_ones_with_their_neighbors(layout, chirality):
    hexes = HexBoard(17, 15, layout)
    hexon_board = HexonBoard(hexes, HexonLattice(chirality, (3, 4)))
    seen = [cell for hexon in hexon_board.hexons for cell in hexon_board.hexes_of(hexon_board.cell_of(hexon))]
    assert len(seen) == len(set(seen)) == 7 * len(hexon_board.hexons)
    assert all(cell in hexes for cell in seen)
    for hexon in hexon_board.hexons:
        cell = hexon_board.cell_of(hexon)
        assert hexon_board.hexon_at(cell) == hexon
        assert hexon_board.is_whole(cell)
        around = {hexon_board.hexon_at(other) for other in hexon_board.board.neighbors(cell)}
        assert around <= set(hexon_neighbors(hexon))
        assert {there for there in hexon_neighbors(hexon) if there in hexon_board.hexons} <= around
