"""Doors in walls at any angle: an open door is a gap in its wall, and a closed door has no slit."""

from __future__ import annotations

from math import cos, hypot, pi, sin
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.unit.importers.maps import points, read, universal_vtt

from enfilade.geometry.board.base import Segment

Spot = tuple[float, float]


def portal(*bounds: Spot, **more: Any) -> dict[str, Any]:
    return {"position": {"x": 0, "y": 0}, "bounds": points(*bounds), "closed": True, **more}


def pieces(walls: list[list[Spot]], *doors: tuple[Spot, Spot]) -> list[Segment]:
    """The walls that are left behind doors."""
    raw = universal_vtt(
        line_of_sight=[points(*wall) for wall in walls], portals=[portal(*door) for door in doors]
    )
    return [wall.line for wall in read(raw).scene.walls if wall.door == "none"]


def is_crossed(line: Segment, start: Spot, end: Spot) -> bool:
    """Tell whether a sight line crosses a wall, in floating-point numbers of its own."""
    x1, y1, x2, y2 = line

    def side(a: Spot, b: Spot, c: Spot) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    a, b = (x1, y1), (x2, y2)
    return side(a, b, start) * side(a, b, end) < 0 and side(start, end, a) * side(start, end, b) < 0


@pytest.mark.parametrize("off", [0, 1 / 64, -1 / 64, 0.4 / 64, 0.02, -0.023])
def test_a_door_within_a_64th_of_a_wall_opens_it_and_its_ends_are_the_walls(off: float):
    left = pieces([[(3, 0), (3, 4)]], ((3 + off, 1.5), (3 + off, 2.5)))
    x = 192 + round(off * 64)
    assert left == [(192, 0, x, 96), (x, 160, 192, 256)]


@pytest.mark.parametrize("off", [2 / 64, -2 / 64, 0.2])
def test_a_door_further_off_leaves_the_wall_and_is_said(off: float):
    raw = universal_vtt(
        line_of_sight=[points((3, 0), (3, 4))], portals=[portal((3 + off, 1.5), (3 + off, 2.5))]
    )
    imported = read(raw)
    assert imported.scene.wall("w1").line == (192, 0, 192, 256)
    assert "1 door opens nothing: a wall stays behind it. Erase or move that wall." in imported.notes


def test_a_door_tilted_against_its_wall_by_a_64th_opens_it():
    assert pieces([[(3, 0), (3, 4)]], ((3, 1.5), (3 + 1 / 64, 2.5))) == [
        (192, 0, 192, 96),
        (193, 160, 192, 256),
    ]


def test_several_doors_of_one_slanted_wall_open_each_its_own_part():
    doors = [((1, 1), (2, 2)), ((5, 5), (4, 4)), ((3, 3), (3.5, 3.5))]
    assert pieces([[(0, 0), (6, 6)]], *doors) == [
        (0, 0, 64, 64),
        (128, 128, 192, 192),
        (224, 224, 256, 256),
        (320, 320, 384, 384),
    ]


def test_a_door_at_a_corner_opens_the_wall_that_it_lies_in_and_leaves_the_other():
    room = [[(1, 1), (4, 1), (4, 4)]]
    assert pieces(room, ((3, 1), (4, 1))) == [(64, 64, 192, 64), (256, 64, 256, 256)]
    assert pieces(room, ((4, 1), (4, 2))) == [(64, 64, 256, 64), (256, 128, 256, 256)]


def test_a_door_across_a_corner_of_a_right_angle_leaves_both_walls():
    assert len(pieces([[(1, 1), (4, 1), (4, 4)]], ((3, 1), (4, 2)))) == 2


def test_a_door_across_a_wall_leaves_it():
    assert pieces([[(0, 2), (6, 2)]], ((3, 1), (3, 3))) == [(0, 128, 384, 128)]


def test_a_wall_that_bends_behind_a_door_is_cut_between_the_doors_ends():
    bow = [(0, 2), (2, 2), (2.5, 2.125), (3, 2), (6, 2)]
    assert pieces([bow], ((2, 2), (3, 2))) == [(0, 128, 128, 128), (192, 128, 384, 128)]
    assert pieces([bow[::-1]], ((2, 2), (3, 2))) == [(384, 128, 192, 128), (128, 128, 0, 128)]
    assert pieces([bow], ((1, 2), (4, 2))) == [(0, 128, 64, 128), (256, 128, 384, 128)]


def test_a_round_tower_opens_at_its_door():
    tower = [(4 + 2 * cos(i * pi / 18), 4 + 2 * sin(i * pi / 18)) for i in range(37)]
    a, b = tower[3], tower[7]
    left = pieces([tower], (a, b))
    assert len(left) == 32
    middle = (64 * 4, 64 * 4)
    outside = (64 * (4 + 4 * cos(5 * pi / 18)), 64 * (4 + 4 * sin(5 * pi / 18)))
    assert not any(is_crossed(line, middle, outside) for line in left)
    assert any(is_crossed(line, middle, (64 * 3.8, 64 * 7.9)) for line in left)


def test_a_door_as_long_as_its_wall_and_longer_takes_it_away():
    assert pieces([[(2, 1), (3, 1.2)]], ((2, 1), (3, 1.2))) == []
    assert pieces([[(2, 1), (3, 1)]], ((1, 1), (4, 1))) == []


def test_a_door_of_no_length_opens_nothing():
    assert pieces([[(2, 1), (3, 1)]], ((2.5, 1), (2.5, 1))) == [(128, 64, 192, 64)]


def test_a_free_door_in_a_gap_opens_it_without_a_remark():
    walls = [points((0, 1), (2, 1)), points((3, 1), (6, 1))]
    imported = read(universal_vtt(line_of_sight=walls, portals=[portal((2, 1), (3, 1), closed=False)]))
    assert [wall.line for wall in imported.scene.walls] == [
        (0, 64, 128, 64),
        (192, 64, 384, 64),
        (128, 64, 192, 64),
    ]
    assert imported.notes == ()


places = st.floats(0.5, 7.5)
shares = st.floats(0, 1)


@given(st.tuples(places, places, places, places), st.tuples(shares, shares), shares, st.floats(0, 2 * pi))
def test_sight_through_a_door_in_a_slanted_wall_is_free_beside_it_not(
    ends: tuple[float, float, float, float], door: tuple[float, float], share: float, turn: float
):
    """Sight lines that pass the ends of the wall or the door within a 32nd of a cell are left out."""
    x1, y1, x2, y2 = ends
    length = hypot(x2 - x1, y2 - y1)
    start, end = sorted(door)
    assume(length > 1 and (end - start) * length > 0.25)

    def at(share: float) -> Spot:
        return x1 + share * (x2 - x1), y1 + share * (y2 - y1)

    x, y = at(share)
    across = abs(sin(turn) * (x2 - x1) - cos(turn) * (y2 - y1)) / length
    clear = 1 / 32 / max(across, 1e-9) / length
    assume(across > 0.2 and all(abs(share - stop) > clear for stop in (0, start, end, 1)))
    left = pieces([[(x1, y1), (x2, y2)]], (at(start), at(end)))
    ray = [(64 * (x + way * cos(turn)), 64 * (y + way * sin(turn))) for way in (-0.5, 0.5)]
    assert any(is_crossed(line, ray[0], ray[1]) for line in left) is not (start < share < end)
