"""Sight: lines, visible cells, kinds of walls, heights and touch rules, on squares and hexes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.mask import Mask, full_mask
from enfilade.geometry.board.shapes import Body, Wall, box_body, hex_body
from enfilade.geometry.board.square import SquareBoard, box, center
from enfilade.geometry.sight import line_of_sight
from enfilade.geometry.sight.blockers import POINTY_HEXES, Blockers, TouchRule
from enfilade.geometry.sight.line_of_sight import (
    Obstruction,
    best_sight_line,
    first_obstruction,
    seen_by_any,
    visible,
)
from tests.property.geometry.oracle import visible_line_by_line
from tests.seeds import examples

BOARD = SquareBoard(9, 7)
NUMBERS = st.sampled_from([-64, -16, 0, 16, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 384, 448, 512])
CELLS = st.tuples(st.integers(0, 8), st.integers(0, 6))
POINTS = st.tuples(NUMBERS, NUMBERS)
WALLS = st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
BOXES = st.builds(lambda p, w, h: (*p, p[0] + w, p[1] + h), POINTS, *[st.sampled_from([16, 64, 128])] * 2)
SCENES = st.builds(Blockers, st.lists(WALLS, max_size=6), st.lists(BOXES, max_size=6))
UPRIGHT = (128, -64, 128, 512)
"""A wall across the whole board between its second and third column."""


def sees(wall, start=(0, 3), end=(5, 3), heights=(0, 0)):
    return first_obstruction(center(start), center(end), Blockers([wall]), heights) is None


def agrees_with_oracle(eye, blockers, heights=(0, 0), board=BOARD):
    return visible(board, eye, blockers, heights) == visible_line_by_line(board, eye, blockers, heights)


@settings(max_examples=examples(200), deadline=None)
@given(POINTS, SCENES)
def test_visible_cells_agree_with_the_oracle(eye, blockers):
    assert agrees_with_oracle(eye, blockers)


@settings(max_examples=examples(100), deadline=None)
@given(CELLS, CELLS, SCENES)
def test_sight_is_symmetric(here, there, blockers):
    seen_from_here = visible(BOARD, center(here), blockers)
    assert (there in seen_from_here) == (here in visible(BOARD, center(there), blockers))


@settings(max_examples=examples(60), deadline=None)
@given(CELLS, CELLS, SCENES)
def test_visible_cells_agree_with_single_lines(here, there, blockers):
    clear = first_obstruction(center(here), center(there), blockers) is None
    assert (there in visible(BOARD, center(here), blockers)) == clear


def test_every_cell_of_an_empty_board_is_visible():
    assert len(visible(BOARD, center((4, 3)), Blockers())) == 9 * 7


# ---- touch rules ---------------------------------------------------------------------------------------


def test_a_wall_blocks_the_line_that_touches_its_end():
    wall = (128, 32, 128, -64)
    assert first_obstruction(center((0, 0)), center((5, 0)), Blockers([wall])) == Obstruction(wall=0)


def test_a_wall_hides_cells_in_line_with_it():
    wall = (128, 32, 192, 32)
    assert (5, 0) not in visible(BOARD, center((0, 0)), Blockers([wall]))
    assert (1, 0) in visible(BOARD, center((0, 0)), Blockers([wall]))


def test_two_walls_that_meet_leave_no_gap():
    corner = [(128, 0, 128, 32), (128, 32, 128, 64)]
    assert (5, 0) not in visible(BOARD, center((0, 0)), Blockers(corner))


def test_a_touch_rule_lets_lines_through_the_joints_of_walls():
    joint = Blockers([(128, 0, 128, 32), (128, 32, 128, 64)], touch_rule=TouchRule(wall="passes"))
    assert (5, 0) in visible(BOARD, center((0, 0)), joint)
    assert (5, 1) not in visible(
        BOARD, center((0, 0)), Blockers([UPRIGHT], touch_rule=TouchRule(wall="passes"))
    )


def test_an_eye_on_a_wall_sees_nothing():
    assert len(visible(BOARD, (128, 100), Blockers([UPRIGHT]))) == 0


def test_the_touch_rule_decides_whether_a_line_may_graze_a_token():
    grazing = Blockers(boxes=[box((1, 0))])
    assert (2, 2) in visible(BOARD, center((0, 0)), grazing)
    strict = Blockers(boxes=[box((1, 0))], touch_rule=TouchRule(body="blocks"))
    assert (2, 2) not in visible(BOARD, center((0, 0)), strict)


def test_a_vertical_line_agrees_with_visible_cells_beside_a_touched_body():
    low = Body((((32, -32), (160, -32), (160, 32), (32, 32)),), (), top=0)
    strict, eye, down = Blockers(bodies=[low], touch_rule=TouchRule(body="blocks")), center((0, 0)), (128, 0)
    assert first_obstruction(eye, eye, strict, down)
    assert (0, 0) not in visible(BOARD, eye, strict, down)
    assert (0, 0) in visible(BOARD, eye, strict, (128, 64))


def test_the_touch_rule_decides_whether_a_line_passes_between_two_corners():
    pair = [box((2, 1)), box((1, 2))]
    assert (2, 2) not in visible(BOARD, center((1, 1)), Blockers(boxes=pair))
    assert (2, 2) in visible(
        BOARD, center((1, 1)), Blockers(boxes=pair, touch_rule=TouchRule(corner="passes"))
    )


def test_the_touch_rule_decides_whether_a_line_runs_between_adjacent_tokens():
    pair, eye = [box((3, 2)), box((3, 3))], (0, 192)
    point = (512, 192)
    assert first_obstruction(eye, point, Blockers(boxes=pair)) is None
    assert (
        first_obstruction(eye, point, Blockers(boxes=pair, touch_rule=TouchRule(edge="blocks")))
        == Obstruction()
    )


@settings(max_examples=examples(60), deadline=None)
@given(POINTS, SCENES, *[st.sampled_from(["blocks", "passes"])] * 4)
def test_visible_cells_agree_with_the_oracle_under_every_touch_rule(eye, scene, wall, body, corner, edge):
    touch_rule = TouchRule(wall, body, corner, edge)
    assert agrees_with_oracle(eye, Blockers(scene.walls, scene.boxes, touch_rule=touch_rule))


# ---- bodies --------------------------------------------------------------------------------------------


def test_a_token_hides_the_cells_behind_it_and_not_its_own():
    seen = visible(BOARD, center((0, 3)), Blockers(boxes=[box((3, 2), 2, 2)]))
    assert {(3, 2), (4, 2), (3, 3), (4, 3)} <= set(seen)
    assert (5, 3) not in seen


def test_a_token_does_not_block_its_own_view():
    assert len(visible(BOARD, center((4, 3)), Blockers(boxes=[box((4, 3))]))) == 9 * 7


@pytest.mark.parametrize("where", [(-1, 0), (0, -1), (9, 0), (0, 7)])
def test_a_token_off_the_board_casts_a_shadow(where):
    assert agrees_with_oracle((where[0] * 128 + 32, where[1] * 128 + 32), Blockers(boxes=[box(where)]))


def test_an_obstruction_is_the_nearest_blocker_with_its_point():
    far, near = (320, 0, 320, 448), box((2, 3))
    stop = first_obstruction(center((0, 3)), center((8, 3)), Blockers([far], [near]))
    assert stop == Obstruction(box=0)
    assert stop.at == (128, 224)
    assert first_obstruction(center((3, 3)), center((8, 3)), Blockers([far], [near])).at == (320, 224)


@pytest.mark.parametrize("layout", ["odd_r", "even_r", "odd_q", "even_q"])
def test_a_hexon_is_one_body_without_seams(layout):
    board = HexBoard(9, 9, layout)
    hexon = [(4, 4), *board.neighbors((4, 4))]
    blockers = Blockers(bodies=[hex_body(board, hexon)])
    for cell in [(0, 0), (4, 0), (0, 4), (8, 8), (1, 7)]:
        assert agrees_with_oracle(board.center(cell), blockers, board=board)
        assert set(hexon) <= set(visible(board, board.center(cell), blockers))


def test_a_line_along_the_edge_of_two_hexes_passes_between_tokens_but_not_through_one():
    board = HexBoard(5, 5, "odd_r")
    above, below = (2, 1), (2, 3)
    pair = [(1, 2), (2, 2)]
    assert board.center(above)[0] == board.center(below)[0] == 64 * 3
    eye, point = (128, 0), (128, 300)
    separate = Blockers(bodies=[hex_body(board, [cell]) for cell in pair])
    assert first_obstruction(eye, point, separate) is None
    assert first_obstruction(eye, point, Blockers(bodies=[hex_body(board, pair)])) == Obstruction()


# ---- kinds of walls ------------------------------------------------------------------------------------


def test_a_wall_without_sight_and_an_open_door_hide_nothing():
    assert sees(Wall(UPRIGHT, sight="none"))
    assert sees(Wall(UPRIGHT, is_open=True))
    assert not sees(Wall(UPRIGHT))


def test_the_second_limited_wall_stops_the_line():
    bushes = [Wall(UPRIGHT, sight="limited"), Wall((256, -64, 256, 512), sight="limited")]
    seen = visible(BOARD, center((0, 3)), Blockers(bushes))
    assert {(2, 3), (3, 0)} <= set(seen)
    assert not {(4, 3), (8, 6)} & set(seen)
    assert first_obstruction(center((0, 3)), center((8, 3)), Blockers(bushes)) == Obstruction(wall=1)


def test_a_one_way_wall_stops_only_from_its_side():
    down = Wall(UPRIGHT, one_way="right")  # its right side, seen down the board, is the west
    assert not sees(down, (0, 3), (5, 3))
    assert sees(down, (5, 3), (0, 3))


def test_a_proximity_wall_is_transparent_from_near_and_a_distance_wall_from_far():
    window = Wall(UPRIGHT, sight="proximity", threshold=64)
    assert sees(window, (1, 3))
    assert not sees(window, (0, 3))
    veil = Wall(UPRIGHT, sight="distance", threshold=64)
    assert not sees(veil, (1, 3))
    assert sees(veil, (0, 3))
    assert not sees(Wall(UPRIGHT, sight="distance"), (0, 3))


def test_thresholds_on_hexes_are_measured_on_the_real_board():
    wall = Wall((0, 100, 64, 100), sight="proximity", threshold=64)
    eye, point = (32, 44), (32, 200)  # 56 units of the squeezed board, 64.7 of the real one
    assert first_obstruction(eye, point, Blockers([wall])) is None
    assert first_obstruction(eye, point, Blockers([wall], proportions=POINTY_HEXES)) == Obstruction(wall=0)


# ---- heights -------------------------------------------------------------------------------------------


def test_an_eye_above_a_low_wall_sees_over_it():
    low = Wall(UPRIGHT, top=32)
    assert not sees(low, heights=(0, 0))
    assert not sees(low, heights=(32, 32))
    assert sees(low, heights=(33, 33))


def test_the_shadow_of_a_low_wall_ends_at_the_line_over_its_top():
    seen = visible(BOARD, center((0, 3)), Blockers([Wall(UPRIGHT, top=32)]), heights=(64, 0))
    row = [x for x in range(9) if (x, 3) in seen]
    assert row == [0, 1, 4, 5, 6, 7, 8]


def test_a_low_line_passes_under_a_bridge():
    bridge = Wall(UPRIGHT, bottom=64)
    assert sees(bridge, heights=(0, 0))
    assert not sees(bridge, heights=(64, 64))


def test_a_high_eye_sees_over_a_low_token():
    low = box_body(box((3, 3)), top=32)
    assert (8, 3) not in visible(BOARD, center((0, 3)), Blockers(bodies=[low]), (0, 0))
    seen = visible(BOARD, center((0, 3)), Blockers(bodies=[low]), (64, 0))
    assert (4, 3) not in seen
    assert (8, 3) in seen


TALL = st.sampled_from([None, 0, 32, 64, 128])
WALL_KINDS = st.builds(
    Wall,
    WALLS,
    sight=st.sampled_from(["none", "limited", "normal", "proximity", "distance"]),
    one_way=st.sampled_from(["both", "left", "right"]),
    bottom=TALL,
    top=TALL,
    threshold=st.sampled_from([0, 64, 200]),
)
TALL_BODIES = st.builds(box_body, BOXES, TALL, TALL)


@settings(max_examples=examples(200), deadline=None)
@given(POINTS, st.lists(WALL_KINDS, max_size=6), st.lists(TALL_BODIES, max_size=4), st.data())
def test_visible_cells_agree_with_the_oracle_for_all_walls_and_heights(eye, walls, bodies, data):
    heights = data.draw(st.tuples(*[st.sampled_from([0, 32, 50, 96])] * 2))
    assert agrees_with_oracle(eye, Blockers(walls, bodies=bodies), heights)


# ---- hostile sizes -------------------------------------------------------------------------------------


def test_numbers_too_large_for_the_kernel_are_still_exact():
    wall = (1 << 40, -(1 << 40), (1 << 40) + 1, 1 << 40)
    assert len(visible(BOARD, center((0, 0)), Blockers([wall]))) == 9 * 7
    assert len(visible(BOARD, center((0, 0)), Blockers([(128, -(1 << 40), 128, 1 << 40)]))) == 2 * 7


def test_a_board_too_wide_for_the_kernel_is_exact():
    wide = SquareBoard(600, 1)
    assert len(visible(wide, center((0, 0)), Blockers([(64 * 500, 0, 64 * 500, 64)]))) == 500


@pytest.mark.parametrize("wall", [(0, 0, 64, 64), (32, 32, 96, 32), (32, 0, 32, 32)])
def test_a_wall_through_the_middle_of_a_cell_does_not_hide_that_cell_from_an_eye_there(wall):
    # A token on such a wall saw not even where it stands.
    board, eye = SquareBoard(3, 3), center((0, 0))
    blockers = Blockers([wall])
    seen = visible(board, eye, blockers)
    assert (0, 0) in seen
    assert seen == seen_by_any(board, [(eye, full_mask(board))], blockers)
    assert (0, 0) not in seen_by_any(board, [(eye, Mask.of([(1, 1)], 3))], blockers)
    assert first_obstruction(eye, eye, blockers) is None
    assert best_sight_line([eye], [eye], blockers).obstruction is None
    assert first_obstruction(eye, center((2, 2)), blockers) is not None
    from_outside = visible(board, center((2, 1)), blockers)
    assert ((0, 0) in from_outside) is (first_obstruction(center((2, 1)), eye, blockers) is None)


def test_the_walls_at_an_eye_are_looked_at_only_if_its_cell_is_wanted_and_not_seen(monkeypatch):
    # The threat of forty archers asked for the bodies at each of them, and each time built their tables anew.
    asked, board, blockers = [], SquareBoard(3, 3), Blockers([(0, 0, 64, 64)], [(128, 0, 192, 64)])
    first_hits = line_of_sight.sight.first_hits

    def noted(eye, points, bodies, heights):
        asked.append(bodies)
        return first_hits(eye, points, bodies, heights)

    monkeypatch.setattr(line_of_sight.sight, "first_hits", noted)
    ahead = Mask.of([(1, 1), (2, 2)], 3)
    seen_by_any(board, [(center((0, 0)), ahead), (center((0, 2)), full_mask(board))], blockers)
    assert not asked
    for _ in range(2):
        assert (0, 0) in seen_by_any(board, [(center((0, 0)), full_mask(board))], blockers)
    assert len(asked) == 2
    assert asked[0] is asked[1]


def test_on_hexes_too_the_cell_of_an_eye_on_a_wall_is_seen():
    board = HexBoard(4, 4, "odd_r")
    for cell in ((1, 1), (2, 1), (3, 2)):
        eye = board.center(cell)
        wall = (eye[0], eye[1] - 40, eye[0], eye[1] + 40)
        assert list(visible(board, eye, Blockers([wall]))) == [cell]
