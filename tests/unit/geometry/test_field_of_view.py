"""Field of view agrees with lines of sight past boxes of one cell."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.board.mask import Mask
from enfilade.geometry.board.square import SquareBoard, box, center
from enfilade.geometry.sight.blockers import Blockers, TouchRule
from enfilade.geometry.sight.line_of_sight import OpaqueCells, visible
from tests.seeds import examples

CELLS = st.tuples(st.integers(0, 9), st.integers(0, 7))
BOARD = SquareBoard(10, 8)


@settings(max_examples=examples(150), deadline=None)
@given(st.sets(CELLS, max_size=30), CELLS)
def test_field_of_view_agrees_with_lines_of_sight(opaque, cell):
    seen = OpaqueCells(BOARD, Mask.of(opaque, BOARD.rows)).visible_from(cell)
    blockers = Blockers(boxes=[box(one) for one in opaque], touch_rule=TouchRule(corner="passes"))
    assert seen == visible(BOARD, center(cell), blockers)


def test_the_face_of_a_block_is_visible_and_the_cells_behind_it_are_not():
    seen = OpaqueCells(BOARD, Mask.of([(4, 3), (5, 3)], BOARD.rows)).visible_from((0, 3))
    assert (4, 3) in seen
    assert not {(5, 3), (6, 3)} & set(seen)


def test_a_view_from_off_the_board_is_a_value_error():
    with pytest.raises(ValueError, match="not on the board"):
        OpaqueCells(BOARD, Mask.of([], BOARD.rows)).visible_from((10, 0))


def test_a_board_too_wide_for_the_kernel_is_left_to_python():
    wide = SquareBoard(600, 1)
    assert len(OpaqueCells(wide, Mask.of([(550, 0)], 1)).visible_from((0, 0))) == 551
