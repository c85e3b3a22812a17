"""The segments and boxes that a line may meet: none that it touches is missing, in either engine."""

from __future__ import annotations

import random
from array import array

import pytest

from enfilade.geometry.board.predicates import misses, touches
from enfilade.geometry.board.shapes import corners_of
from enfilade.geometry.kernel import python_sight, sight
from enfilade.geometry.sight.near_lines import NearBoxes, NearLines

SIDE = 40


def a_point(chance):
    return chance.randrange(SIDE), chance.randrange(SIDE)


@pytest.mark.parametrize("seed", range(20))
def test_every_segment_that_a_line_touches_is_near(seed):
    chance = random.Random(seed)
    lines = [(*a_point(chance), *a_point(chance)) for _ in range(60)]
    near = NearLines(lines)
    for _ in range(60):
        a, b = a_point(chance), a_point(chance)
        found = near.near(a, b)
        touched = [i for i, line in enumerate(lines) if touches(a, b, line[:2], line[2:])]
        assert set(touched) <= set(found)
        assert found == sorted(found)
        assert len(found) < len(lines)


@pytest.mark.parametrize("seed", range(10))
def test_both_engines_find_the_same_segments(seed):
    chance = random.Random(seed)
    lines = array("i", [chance.randrange(-SIDE, SIDE) for _ in range(4 * 80)])
    for _ in range(60):
        a, b = a_point(chance), a_point(chance)
        spans = (min(lines), max(lines))
        assert sight.lines_near(lines, spans, a, b) == python_sight.lines_near(lines, spans, a, b)


def test_coordinates_too_large_for_the_kernel_are_answered_too():
    far = 1 << 40
    assert NearLines([(0, 0, far, far), (0, 5, 1, 4)]).near((0, 12), (10, 2)) == [0]


@pytest.mark.parametrize("seed", range(20))
def test_every_box_that_a_line_touches_is_near(seed):
    chance = random.Random(seed)
    corners = [a_point(chance) for _ in range(40)]
    boxes = [(x, y, x + chance.randrange(1, 9), y + chance.randrange(1, 9)) for x, y in corners]
    near = NearBoxes(boxes)
    for _ in range(60):
        a, b = a_point(chance), a_point(chance)
        touched = [i for i, box in enumerate(boxes) if not misses(a, b, corners_of(box), 0)]
        assert set(touched) <= set(near.near(a, b))


def test_nothing_is_near_on_an_empty_board():
    assert NearLines([]).near((0, 0), (9, 9)) == []
    assert NearBoxes([]).near((0, 0), (9, 9)) == []
