"""The best sight line and its obstruction, compared with both kernels."""

import pytest

from enfilade.geometry.board.shapes import Wall, box_body
from enfilade.geometry.board.square import box, center
from enfilade.geometry.kernel import python_sight
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.cover import box_corners, cover
from enfilade.geometry.sight.line_of_sight import Obstruction, best_sight_line, visible
from enfilade.geometry.sight.raster import lattices, visible_mask
from tests.property.geometry.scenes import sight_scene
from tests.seeds import seeds

HERE, THERE = center((0, 0)), center((4, 0))
UPRIGHT = (128, -64, 128, 128)


@pytest.mark.parametrize("seed", seeds(60))
def test_a_line_is_clear_exactly_if_each_kernel_sees_the_cell(seed):
    board, blockers, eye, heights = sight_scene(seed)
    seen = visible(board, eye, blockers, heights)
    cast = visible_mask(
        board, [python_sight.cast_shadows(lattice, eye, heights, blockers) for lattice in lattices(board)]
    )
    # What is seen beside what no kernel casts is the cell of an eye that stands on a wall.
    assert {board.center(cell) for cell in seen - cast} <= {eye}
    assert not cast - seen
    for cell in [(x, y) for x in range(board.columns) for y in range(board.rows)]:
        found = best_sight_line([eye], [board.center(cell)], blockers, heights)
        assert (found.obstruction is None) == (cell in seen), (seed, cell)


@pytest.mark.parametrize("seed", seeds(30))
def test_the_best_line_between_corners_is_clear_unless_all_lines_are_blocked(seed):
    board, blockers, _, heights = sight_scene(seed)
    here, there = box_corners(box((0, 0))), box_corners(box((board.columns - 1, board.rows - 1)))
    found = best_sight_line(here, there, blockers, heights)
    assert (found.obstruction is None) == (cover(here, there, blockers, heights).fraction < 1)


def test_an_obstruction_names_the_wall_box_or_body_and_its_point():
    beside = (128, 128, 192, 192)
    assert best_sight_line([HERE], [THERE], Blockers([UPRIGHT])) == ((*HERE, *THERE), Obstruction(wall=0))
    assert best_sight_line([HERE], [THERE], Blockers([UPRIGHT])).obstruction.at == (128, 32)
    assert best_sight_line([HERE], [THERE], Blockers((), [beside, box((2, 0))])).obstruction == Obstruction(
        box=1
    )
    assert best_sight_line(
        [HERE], [THERE], Blockers((), [beside], [box_body(box((2, 0)))])
    ).obstruction == Obstruction(body=0)


def test_a_clear_line_is_better_than_a_blocked_one():
    low = (128, 0, 128, 32)
    found = best_sight_line([(32, 16), (32, 48)], [(288, 16)], Blockers([low]))
    assert found == ((32, 48, 288, 16), None)


def test_the_best_blocked_line_is_the_one_that_gets_farthest():
    near, far = Wall((64, 0, 64, 32)), Wall((256, -64, 256, 128))
    found = best_sight_line([(32, 16), (32, 48)], [(288, 16)], Blockers([near, far]))
    assert found == ((32, 48, 288, 16), Obstruction(wall=1))


def test_a_line_needs_an_eye_and_a_point():
    with pytest.raises(ValueError, match="an eye and a point"):
        best_sight_line([], [THERE], Blockers())
