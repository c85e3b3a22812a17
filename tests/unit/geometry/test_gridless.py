"""Gridless boards: distances from edge to edge, and the shortest paths of a round base."""

import math
import random
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from enfilade.errors import TooSlow
from enfilade.geometry.board.arcs import is_in_arc
from enfilade.geometry.board.shapes import Wall
from enfilade.geometry.movement.gridless import GridlessField, outline
from enfilade.geometry.movement.round_bases import GridlessBoard, RoundBase, SquareBase, gap
from enfilade.runtime.time_budget import TimeBudget, time_limited
from tests.property.geometry.engines import use_engine
from tests.property.geometry.gridless_cases import _is_inside
from tests.seeds import examples
from tests.unit.geometry.oracles import shortest_round_polygons, to_segment

BOARD = GridlessBoard(24 * 64, 24 * 64)
INCH = 64


def test_the_gap_of_round_bases_is_the_distance_of_centers_minus_the_radii():
    assert gap(RoundBase((0, 0), 32), RoundBase((300, 400), 32)) == 500 - 64
    assert gap(RoundBase((0, 0), 32), RoundBase((40, 0), 32)) == 0


def test_a_fractional_distance_is_rounded_up():
    assert gap(RoundBase((0, 0), 0), RoundBase((1, 1), 0)) == 2
    assert gap(RoundBase((0, 0), 10), RoundBase((100, 1), 10)) == 81


def test_square_bases_are_measured_from_their_nearest_edges_or_corners():
    one = SquareBase((0, 0), 32)
    assert gap(one, SquareBase((164, 0), 32)) == 100
    assert gap(one, SquareBase((64 + 30, 64 + 40), 32)) == 50
    assert gap(one, RoundBase((32 + 30, 32 + 40), 10)) == 40
    assert gap(one, SquareBase((10, 10), 4)) == 0


def test_a_square_base_at_45_degrees_stands_on_its_corner():
    assert sorted(SquareBase((0, 0), 70, 45).corners) == [(-99, 0), (0, -99), (0, 99), (99, 0)]


def test_rotated_squares_with_crossing_edges_touch():
    assert gap(SquareBase((0, 0), 50), SquareBase((69, 0), 28, 45)) == 0


@given(st.integers(-500, 500), st.integers(-500, 500), st.integers(0, 359), st.integers(1, 60))
def test_the_gap_to_a_square_is_the_least_distance_to_its_outline(x, y, facing, half):
    square, point = SquareBase((0, 0), half, facing), RoundBase((x, y), 0)
    if square.contains((x, y)):
        assert gap(square, point) == 0
        return
    along = [k / 400 for k in range(401)]
    least = min(
        math.dist((x, y), (x1 + t * (x2 - x1), y1 + t * (y2 - y1)))
        for x1, y1, x2, y2 in square.edges
        for t in along
    )
    assert gap(square, point) - 1.001 <= least <= gap(square, point) + 0.2


def test_arcs_work_without_cells_at_any_angle():
    assert is_in_arc(BOARD, (100, 100), 37, 90, (150, 50))
    assert not is_in_arc(BOARD, (100, 100), 37, 90, (50, 100))


# ---- paths -------------------------------------------------------------------------------------------


def test_a_path_in_the_open_is_a_straight_line():
    found = GridlessField(BOARD, RoundBase((640, 640), 32), 6 * INCH)
    assert found.cost((640 + 300, 640)) == pytest.approx(300)
    assert found.cost((640 + 300, 640 + 300)) is None
    assert found.cost((640, 640)) == 0


def test_a_path_around_the_end_of_a_wall_is_two_tangents_and_an_arc():
    """The wall ends halfway between start and goal, so the tangents and the arc have closed forms."""
    wall = Wall((640, 0, 640, 640))
    found = GridlessField(BOARD, RoundBase((440, 640), 32), 12 * INCH, [wall])
    lean = math.acos(32 / 200)
    tangents, arc = 2 * math.sqrt(200**2 - 32**2), 32 * (math.pi - 2 * lean)
    assert found.cost((840, 640)) == pytest.approx(tangents + arc, abs=1e-6)
    legs = found.legs((840, 640))
    assert [leg.center for leg in legs] == [None, (640, 640), None]
    assert sum(leg.length for leg in legs) == pytest.approx(found.cost((840, 640)))
    assert not legs[1].is_clockwise


def test_a_base_passes_a_gap_of_its_own_width_and_none_narrower():
    for width, is_passed in ((64, True), (63, False)):
        walls = [Wall((640, 0, 640, 600)), Wall((640, 600 + width, 640, 24 * 64))]
        found = GridlessField(BOARD, RoundBase((540, 632), 32), 8 * INCH, walls)
        assert (found.cost((740, 632)) is not None) is is_passed


def test_an_open_door_is_not_an_obstacle():
    door = Wall((640, 0, 640, 24 * 64), is_open=True)
    assert GridlessField(BOARD, RoundBase((540, 640), 32), 384, [door]).cost((740, 640)) == pytest.approx(200)


def test_a_base_moves_around_another_and_never_onto_it():
    other = RoundBase((640, 640), 32)
    found = GridlessField(BOARD, RoundBase((540, 640), 32), 8 * INCH, others=[other])
    lean = math.acos(64 / 100)
    around = 2 * math.sqrt(100**2 - 64**2) + 64 * (math.pi - 2 * lean)
    assert found.cost((740, 640)) == pytest.approx(around, abs=1e-6)
    assert found.cost((600, 640)) is None


def test_a_path_goes_around_the_corners_of_a_square_base():
    found = GridlessField(BOARD, RoundBase((500, 640), 20), 8 * INCH, others=[SquareBase((640, 640), 40)])
    cost = found.cost((780, 640))
    assert cost is not None
    assert cost > 280
    assert {leg.center for leg in found.legs((780, 640))} <= {
        None,
        (600, 600),
        (680, 600),
        (680, 680),
        (600, 680),
    }


def test_no_base_moves_over_the_edge_of_the_board():
    found = GridlessField(BOARD, RoundBase((40, 640), 32), 4 * INCH)
    assert found.cost((32, 700)) is not None
    assert found.cost((31, 700)) is None
    assert found.cost((-10, 640)) is None


def test_a_base_that_overlaps_a_wall_may_move_away():
    found = GridlessField(BOARD, RoundBase((660, 640), 32), 4 * INCH, [Wall((640, 0, 640, 24 * 64))])
    assert found.cost((800, 640)) == pytest.approx(140)
    assert found.cost((650, 640)) is None


def test_a_path_out_of_reach_is_a_key_error():
    with pytest.raises(KeyError):
        GridlessField(BOARD, RoundBase((640, 640), 32), 64).legs((900, 640))


points = st.tuples(st.integers(500, 800), st.integers(500, 800))


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.tuples(points, points), max_size=4),
    st.lists(st.tuples(points, st.integers(5, 40)), max_size=2),
    st.sampled_from([8, 16, 32]),
    st.lists(points, min_size=4, max_size=4),
)
@example([((500, 531), (733, 600)), ((653, 500), (753, 575))], [], 16, [(745, 589)])
@example([((529, 500), (528, 522))], [], 8, [(537, 501)])
@example([((500, 500), (529, 500))], [], 8, [(537, 500)])
def test_paths_are_shortest_and_keep_their_distance(lines, others, radius, goals):
    """Polygons around the circles give legal paths, and ours is never longer.

    Points all along our path keep clear of the obstacles, so it is not too short either.
    """
    start = (520, 520)
    walls = [Wall((*a, *b)) for a, b in lines if a != b]
    bases = [RoundBase(at, size) for at, size in others]
    edges = [(*w.line, radius) for w in walls] + [(*b.at, *b.at, radius + b.radius) for b in bases]
    if any(to_segment(start, edge[:2], edge[2:4]) < edge[4] for edge in edges):
        return
    found = GridlessField(BOARD, RoundBase(start, radius), 700, walls, bases)
    for goal, rough in zip(goals, shortest_round_polygons(edges, start, goals, 700), strict=True):
        exact = found.cost(goal)
        assert rough is None or (exact is not None and exact <= rough + 1e-6)
        if exact is not None:
            legs = found.legs(goal)
            assert sum(leg.length for leg in legs) == pytest.approx(exact)
            trail = [point for leg in legs for point in along(leg)]
            assert math.dist(trail[0], start) + math.dist(trail[-1], goal) < 1e-4 if trail else goal == start
            assert all(math.dist(a, b) < 8 for a, b in pairwise(trail))
            assert all(to_segment(p, e[:2], e[2:4]) >= e[4] - 1e-4 for p in trail for e in edges)


def along(leg):
    """Return points along a leg with both ends, a few units apart."""
    count = max(2, int(leg.length / 4) + 2)
    if leg.center is None:
        (x1, y1), (x2, y2) = leg.start, leg.end
        return [(x1 + (x2 - x1) * k / count, y1 + (y2 - y1) * k / count) for k in range(count + 1)]
    (x, y), radius = leg.center, math.dist(leg.center, leg.start)
    first = math.atan2(leg.start[1] - y, leg.start[0] - x)
    turn = leg.length / radius * (1 if leg.is_clockwise else -1)
    angles = [first + turn * k / count for k in range(count + 1)]
    points_ = [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]
    assert math.dist(points_[-1], leg.end) < 1e-4
    return points_


# ---- outlines ----------------------------------------------------------------------------------------


def area(ring):
    """The area inside a ring, positive if it goes clockwise on the board."""
    points_ = list(zip(ring[::2], ring[1::2], strict=True))
    return sum(
        x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(points_, points_[1:] + points_[:1], strict=True)
    )


def test_the_outline_in_the_open_is_a_circle():
    found = GridlessField(BOARD, RoundBase((768, 768), 32), 256).outline()
    assert len(found.rings) == len(found.lines) == 1
    assert area(found.rings[0]) / 2 == pytest.approx(math.pi * 256**2, rel=0.005)
    (line,) = found.lines
    radii = [math.dist(point, (768, 768)) for point in zip(line[::2], line[1::2], strict=True)]
    assert all(abs(radius - 256) < 1 for radius in radii)


def test_the_outline_has_a_line_where_the_length_ends_and_none_along_a_wall():
    wall = Wall((800, 0, 800, 24 * 64))
    found = GridlessField(BOARD, RoundBase((700, 768), 32), 256, [wall]).outline()
    (ring,), lines = found
    assert max(ring[::2]) == 768
    assert all(max(line[::2]) <= 768 for line in lines)
    along_wall = [y for line in lines for x, y in zip(line[::2], line[1::2], strict=True) if x >= 767]
    assert all(abs(y - 768) > 200 for y in along_wall)


def test_the_outline_goes_around_the_end_of_a_wall():
    wall = Wall((800, 768, 800, 24 * 64))
    found = GridlessField(BOARD, RoundBase((700, 800), 32), 384, [wall]).outline()
    behind = [x for ring in found.rings for x, y in zip(ring[::2], ring[1::2], strict=True) if y > 820]
    assert max(behind) > 900


def test_the_outlines_of_a_group_are_one_region():
    two = [GridlessField(BOARD, RoundBase((700 + 64 * n, 768), 32), 256) for n in range(2)]
    found = outline(two)
    assert len(found.rings) == 2
    outside = [point for line in found.lines for point in zip(line[::2], line[1::2], strict=True)]
    assert all(max(math.dist(p, (700, 768)), math.dist(p, (764, 768))) >= 255 for p in outside)
    assert all(min(math.dist(p, (700, 768)), math.dist(p, (764, 768))) >= 254 for p in outside)


def test_the_outline_of_a_group_with_different_budgets_is_that_of_each():
    with use_engine("python"):
        wall = Wall((800, 700, 800, 24 * 64))
        one = GridlessField(BOARD, RoundBase((700, 768), 32), 256, [wall])
        other = GridlessField(BOARD, RoundBase((640, 800), 32), 300, [wall])
        group, alone = outline([one, other]).rings, [*one.outline().rings, *other.outline().rings]
    assert max(x for ring in group for x in ring[::2]) == max(x for ring in alone for x in ring[::2])
    for x in range(300, 1000, 20):
        for y in range(400, 1200, 20):
            assert _is_inside(group, (x, y)) == _is_inside(alone, (x, y))


def test_the_outline_of_bases_of_two_sizes_some_of_which_overlap_a_wall_is_that_of_each():
    walls = [Wall((800, 700, 800, 900)), Wall((900, 800, 1000, 640)), Wall((600, 560, 700, 600))]
    starts = [(700, 768), (640, 800), (790, 660), (760, 840), (720, 690), (805, 950), (620, 640)]
    with use_engine("python"):
        fields = [
            GridlessField(BOARD, RoundBase(at, radius), 256, walls)
            for at, radius in zip(starts, (32, 32, 32, 16, 16, 16, 32), strict=True)
        ]
        group, alone = outline(fields).rings, [ring for field in fields for ring in field.outline().rings]
    for x in range(340, 1100, 12):
        for y in range(400, 1200, 12):
            if _is_inside(group, (x, y)) != _is_inside(alone, (x, y)):
                near = {_is_inside(alone, (x + dx, y + dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
                assert near == {True, False}


def test_an_outline_without_a_budget_is_empty():
    assert GridlessField(BOARD, RoundBase((700, 768), 32), 0).outline().rings == ()


def test_too_many_obstacles_for_a_search_are_refused():
    chance = random.Random(1)

    def place():
        return tuple(chance.randint(0, 24 * 64) for _ in range(2))

    walls = [Wall((*at, at[0] + 3, at[1] + 2)) for at in (place() for _ in range(6_000))]
    budget = TimeBudget(1.0, rest=lambda: None)
    with time_limited(budget), pytest.raises(TooSlow):
        GridlessField(BOARD, RoundBase((768, 768), 0), 24 * 64, walls).outline()
