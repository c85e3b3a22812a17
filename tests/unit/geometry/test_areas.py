"""Areas of effect on squares and hexes: which cells are in."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from enfilade.geometry.board.areas import around_box, cone, cube, line, sphere
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.square import Diagonals, SquareBoard

BOARD = SquareBoard(16, 16, Diagonals.EQUIDISTANT)
EAST, SOUTH_EAST = (1, 0), (1, 1)


def cells(count):
    return round(64 * count)


def point(x, y):
    return cells(x), cells(y)


@pytest.mark.parametrize(("radius", "count"), [(4, 52), (2, 12), (1, 4)])
def test_a_sphere_at_a_corner_has_the_squares_whose_centers_are_within_its_radius(radius, count):
    assert len(sphere(BOARD, point(8, 8), cells(radius))) == count


def test_a_cone_is_as_wide_as_it_is_far_and_ends_flat():
    straight = cone(BOARD, point(1, 1.5), EAST, cells(3))
    assert set(straight) == {(1, 1), (2, 1), (3, 0), (3, 1), (3, 2)}
    aslant = cone(BOARD, point(1, 1), SOUTH_EAST, cells(3))
    assert set(aslant) == {(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2)}


def test_a_line_has_its_length_and_its_width():
    assert set(line(BOARD, point(1, 0.5), EAST, cells(6), cells(1))) == {(x, 0) for x in range(1, 7)}
    assert len(line(BOARD, point(1, 5), EAST, cells(6), cells(2))) == 12


@pytest.mark.parametrize(
    ("toward", "corner"), [((3, 1), (8, 6)), ((-1, 0), (4, 6)), ((1, 9), (6, 8)), ((0, -1), (6, 4))]
)
def test_a_cube_lies_before_the_face_of_its_origin(toward, corner):
    found = cube(BOARD, point(8, 8), toward, cells(4))
    assert set(found) == {(corner[0] + x, corner[1] + y) for x in range(4) for y in range(4)}


def test_around_a_space_corners_are_round():
    near = around_box(BOARD, (*point(5, 5), *point(6, 6)), cells(3))
    assert (2, 5) in near
    assert (2, 2) not in near
    assert {(5, 5), (8, 5)} <= set(near)


def test_hexes_are_measured_in_their_true_proportions():
    board = HexBoard(15, 15, "odd_r")
    ball = sphere(board, board.center((7, 7)), cells(1))
    assert len(ball) == 7
    assert len(sphere(board, board.center((7, 7)), cells(1.74))) == 13


@pytest.mark.parametrize("shape", [cone, cube])
def test_a_direction_needs_a_length(shape):
    with pytest.raises(ValueError, match="length"):
        shape(BOARD, point(1, 1), (0, 0), cells(3))


@given(st.integers(0, 16 * 64), st.integers(0, 16 * 64), st.integers(1, 500), st.integers(0, 359))
def test_each_area_is_that_of_the_plain_formula(x, y, length, angle):
    toward = round(1_000 * math.cos(math.radians(angle))), round(1_000 * math.sin(math.radians(angle)))
    size = math.hypot(*toward)
    ball, wedge, ray = (
        sphere(BOARD, (x, y), length),
        cone(BOARD, (x, y), toward, length),
        line(BOARD, (x, y), toward, length, 64),
    )
    for cell in ((a, b) for a in range(16) for b in range(16)):
        dx, dy = cell[0] * 64 + 32 - x, cell[1] * 64 + 32 - y
        along, aside = (dx * toward[0] + dy * toward[1]) / size, abs(dx * toward[1] - dy * toward[0]) / size
        margin = min(abs(math.hypot(dx, dy) - length), abs(along - length), abs(along), abs(aside - 32))
        if min(margin, abs(aside - along / 2)) < 1e-6:
            continue
        assert (cell in ball) == (math.hypot(dx, dy) <= length)
        assert (cell in wedge) == (0 < along <= length and aside <= along / 2)
        assert (cell in ray) == (0 < along <= length and aside <= 32)


@pytest.mark.parametrize("fill", ["center", "half", "touch"])
@pytest.mark.parametrize("board", [BOARD, HexBoard(15, 15, "odd_r")], ids=["squares", "hexes"])
def test_only_the_cells_that_are_wanted_are_tested(board, fill):
    wanted = Mask.of([(x, y) for x in range(0, 15, 2) for y in range(15)], board.rows)
    origin = point(7, 7)
    for shape, numbers in (
        (sphere, (cells(3),)),
        (cone, ((3, 1), cells(4))),
        (cube, (EAST, cells(3))),
        (line, (SOUTH_EAST, cells(5), cells(1))),
    ):
        some = shape(board, origin, *numbers, fill, wanted)
        assert some == shape(board, origin, *numbers, fill) & wanted
        assert some
