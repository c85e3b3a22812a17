"""Cover by lines, for one target, for many, and for every cell."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.geometry.board.base import CELL
from enfilade.geometry.board.hex import HexBoard
from enfilade.geometry.board.shapes import Wall, box_body
from enfilade.geometry.board.square import SquareBoard, box, center
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.cover import (
    Cover,
    blocked_layers,
    blocked_lines,
    box_corners,
    cover,
    cover_map,
    covers,
    hex_corners,
)
from tests.seeds import examples

BOARD = SquareBoard(9, 7)
ATTACKER, TARGET = box((0, 3)), box((6, 3))


def between(blockers, attacker=ATTACKER, target=TARGET):
    return cover(box_corners(attacker), box_corners(target), blockers)


def test_a_target_in_the_open_has_no_cover():
    assert between(Blockers()).fraction == 0


def test_a_target_behind_a_wide_wall_has_full_cover():
    assert between(Blockers([(320, 0, 320, 448)])).by_walls == 1


def test_attacker_and_target_give_no_cover_themselves():
    assert between(Blockers(boxes=[ATTACKER, TARGET])).fraction == 0


def test_a_token_between_them_gives_cover_by_bodies():
    found = between(Blockers(boxes=[box((3, 3))]))
    assert found.by_walls == 0
    assert found.by_bodies == found.fraction == 1


def test_lines_that_a_wall_blocks_are_not_counted_again_for_bodies():
    found = between(Blockers([(320, 0, 320, 224)], [box((3, 3))]))
    assert 0 < found.by_walls < 1
    assert found.by_walls + found.by_bodies == found.fraction == 1


def test_a_wall_that_hides_the_lower_half_blocks_the_lines_to_the_lower_corners():
    found = between(Blockers([(380, 225, 380, 300)]))
    assert found.walls == (2, 2, 2, 2)
    assert found.fraction == Fraction(1, 2)
    assert found.from_best_corner == Fraction(1, 2)


def test_the_best_corner_has_the_fewest_blocked_lines():
    assert Cover((4, 1, 2, 3), (0, 1, 0, 0), 4).from_best_corner == Fraction(1, 2)


def test_cover_can_be_counted_from_the_center():
    found = cover([center((0, 3))], box_corners(TARGET), Blockers([(380, 225, 380, 300)]))
    assert found.fraction == Fraction(1, 2)


def test_no_points_give_no_cover():
    assert cover([], [], Blockers()).fraction == 0
    assert cover([(0, 0)], [], Blockers()).fraction == 0


def test_limited_and_one_way_walls_count_as_they_do_for_sight():
    line = (320, 0, 320, 448)
    assert between(Blockers([Wall(line, sight="limited")])).fraction == 0
    assert between(Blockers([Wall(line, sight="limited"), Wall(line, sight="limited")])).fraction == 1
    assert between(Blockers([Wall(line, one_way="right")])).fraction == 1
    assert between(Blockers([Wall(line, one_way="left")])).fraction == 0


def test_a_low_wall_gives_cover_only_below_its_top():
    low = Blockers([Wall((320, 0, 320, 448), top=32)])
    corners = box_corners(ATTACKER), box_corners(TARGET)
    assert cover(*corners, low, heights=(0, 0)).fraction == 1
    assert cover(*corners, low, heights=(40, 40)).fraction == 0


@settings(max_examples=examples(40), deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 9).map(lambda n: 64 * n)] * 4), max_size=5),
    st.sets(st.tuples(st.integers(0, 8), st.integers(0, 6)), max_size=5),
)
def test_a_cover_map_agrees_with_cover_for_every_cell(walls, tokens):
    blockers = Blockers(walls, [box(cell) for cell in sorted(tokens)])
    attacker = box_corners(ATTACKER)
    drawn = cover_map(BOARD, attacker, blockers)
    cells = [(x, y) for x in range(9) for y in range(7)]
    found = covers(attacker, [box_corners(box(cell)) for cell in cells], blockers)
    for cell, one in zip(cells, found, strict=True):
        assert (drawn.by_walls(cell), drawn.by_bodies(cell)) == (one.by_walls, one.by_bodies)
    for blocked in (0, 1, 8, 16, 17):
        expected = {cell for cell, one in zip(cells, found, strict=True) if one.fraction * 16 >= blocked}
        assert set(drawn.with_at_least(blocked)) == expected


@pytest.mark.parametrize("offset", [-48, -32, -16, 1, 16, 31, 48])
def test_a_cover_map_agrees_with_cover_for_cells_that_a_body_fills_in_part(offset):
    left, top, right, bottom = TARGET
    blockers = Blockers(boxes=[(left + offset, top + offset // 2, right + offset, bottom)])
    drawn = cover_map(BOARD, box_corners(ATTACKER), blockers)
    for cell in [(x, y) for x in range(4, 9) for y in range(7)]:
        assert drawn.fraction(cell) == between(blockers, target=box(cell)).fraction


@pytest.mark.parametrize("layout", ["odd_r", "odd_q"])
def test_a_cover_map_of_hexes_counts_six_corners(layout):
    board = HexBoard(6, 5, layout)
    blockers = Blockers([(160, 0, 160, 400)])
    drawn = cover_map(board, hex_corners(board, (0, 2)), blockers)
    for cell in ((5, 2), (1, 1), (2, 4)):
        found = cover(hex_corners(board, (0, 2)), hex_corners(board, cell), blockers)
        assert drawn.fraction(cell) == found.fraction


def test_layers_of_blockers_block_what_all_of_them_block_together():
    board, chance = SquareBoard(12, 10), random.Random(5)
    walls = [
        (x * CELL, y * CELL, x * CELL + CELL, y * CELL)
        for x, y in [(chance.randrange(11), chance.randrange(9)) for _ in range(9)]
    ]
    bodies = [
        box_body((x * CELL, y * CELL, x * CELL + CELL, y * CELL + CELL)) for x, y in [(2, 3), (3, 4), (7, 5)]
    ]
    points = box_corners(box((5, 5)))
    first, both = Blockers(walls), Blockers(walls, bodies=bodies)
    found = blocked_layers(board, points, (first, Blockers(bodies=bodies)))
    assert found == [blocked_lines(board, points, first), blocked_lines(board, points, both)]
    assert found[0] != found[1]
