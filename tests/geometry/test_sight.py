import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.sight import Blocked, Blockers, blocked, visible
from enfilade.geometry.square import SquareBoard, box, centre
from tests.fuzz.oracle import visible_line_by_line

BOARD = SquareBoard(9, 7)
NUMBERS = st.sampled_from(
    [-64, -16, 0, 16, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 384, 400, 448, 512]
)
POINTS = st.tuples(NUMBERS, NUMBERS)
WALLS = st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
BOXES = st.builds(lambda p, w, h: (*p, p[0] + w, p[1] + h), POINTS, *[st.sampled_from([16, 64, 128])] * 2)
SCENES = st.builds(Blockers, st.lists(WALLS, max_size=6), st.lists(BOXES, max_size=6))


@settings(max_examples=300, deadline=None)
@given(POINTS, SCENES)
def test_the_shadow_raster_sees_what_line_by_line_sees(eye, blockers):
    assert visible(BOARD, eye, blockers) == visible_line_by_line(BOARD, eye, blockers)


@settings(max_examples=100, deadline=None)
@given(
    st.tuples(st.integers(0, 8), st.integers(0, 6)), st.tuples(st.integers(0, 8), st.integers(0, 6)), SCENES
)
def test_who_is_seen_sees(here, there, blockers):
    assert (there in visible(BOARD, centre(here), blockers)) == (
        here in visible(BOARD, centre(there), blockers)
    )


def test_an_empty_board_is_seen_whole():
    assert len(visible(BOARD, centre((4, 3)), Blockers())) == 9 * 7


def test_a_wall_blocks_the_line_that_touches_its_end():
    wall = (128, 32, 128, -64)
    assert blocked(centre((0, 0)), centre((5, 0)), Blockers([wall])) == Blocked(wall=0)


def test_a_wall_hides_what_lies_in_line_with_it():
    wall = (128, 32, 192, 32)
    assert (5, 0) not in visible(BOARD, centre((0, 0)), Blockers([wall]))
    assert (1, 0) in visible(BOARD, centre((0, 0)), Blockers([wall]))


def test_two_walls_that_meet_leave_no_gap():
    corner = [(128, 0, 128, 32), (128, 32, 128, 64)]
    assert (5, 0) not in visible(BOARD, centre((0, 0)), Blockers(corner))


def test_a_line_may_graze_the_corner_of_a_token():
    assert (2, 2) in visible(BOARD, centre((0, 0)), Blockers(boxes=[box((1, 0))]))


def test_no_line_passes_where_two_tokens_meet_at_a_corner():
    assert (2, 2) not in visible(BOARD, centre((1, 1)), Blockers(boxes=[box((2, 1)), box((1, 2))]))


def test_a_token_hides_what_is_behind_it_and_not_itself():
    seen = visible(BOARD, centre((0, 3)), Blockers(boxes=[box((3, 2), 2, 2)]))
    assert {(3, 2), (4, 2), (3, 3), (4, 3)} <= set(seen)
    assert (5, 3) not in seen


def test_nobody_hides_behind_himself():
    assert len(visible(BOARD, centre((4, 3)), Blockers(boxes=[box((4, 3))]))) == 9 * 7


@pytest.mark.parametrize("where", [(-1, 0), (0, -1), (9, 0), (0, 7)])
def test_a_token_off_the_board_still_throws_its_shadow(where):
    eye = (where[0] * 64 * 2 + 32, where[1] * 64 * 2 + 32)
    blockers = Blockers(boxes=[box(where)])
    assert visible(BOARD, eye, blockers) == visible_line_by_line(BOARD, eye, blockers)
