"""Places and lines of Miniatures combat at their limits."""

from __future__ import annotations

import pytest

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.displacement import (
    contact_place,
    free_place,
    nearest_free_place,
    touches_on_way,
)
from enfilade.rulesets.miniatures_combat.movement import is_direct_route, way_points
from enfilade.scene.model import Grid
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    at_inches,
    fighter,
    go,
    hero,
    inches,
    moved,
    orc,
    scene,
    wall,
    with_conditions,
    with_token,
    with_tracks,
)


def test_a_place_in_squares_is_the_nearest_cell():
    board = scene(hero("one"))
    field = battlefield(type(board)(ruleset=board.ruleset, grid=Grid("square", 10, 8), sides=board.sides))
    one = board.token("one")
    for column in range(10):
        for off in (-32, -31, 0, 31):
            assert field.place(one, (column * 64 + 32 + off, 4 * 64 + 32)) == (column, 4)
            assert field.place(one, (4 * 64 + 32, min(7, column) * 64 + 32 + off)) == (4, min(7, column))
    assert field.place(one, (-500, 9_999)) == (0, 7)
    big = with_token(board, "one", size=(2, 3)).token("one")
    assert field.place(big, (9_999, 9_999)) == (8, 5)
    assert field.place(big, (3 * 64, 4 * 64 + 32)) == (2, 3)


def test_a_base_that_touches_a_line_does_not_block_it():
    for at, is_clear in (((11.5, 10.5), True), ((11.5, 10.5 - 1 / 64), False), ((11.5, 9.5), True)):
        board = scene(hero("one", (10, 10)), hero("two", at), orc("o", (13, 10)))
        assert battlefield(board).has_clear_line("one", "o") is is_clear


def test_ways_in_all_directions_end_before_models():
    for (dx, dy), at in (
        ((0, 1), (10, 12.5)),
        ((0, -1), (10, 7.5)),
        ((-1, 0), (7.5, 10)),
        ((1, 1), (12, 12)),
    ):
        board = scene(hero("one", (10, 10)), hero("two", at))
        field = battlefield(board)
        x, y = free_place(field, fighter(board, "one"), (dx, dy), 4 * 64)
        assert field.gap_at(board.token("one"), (x, y), "two") in (1, 2)
        past = free_place(field, fighter(board, "one"), (dx, dy), 7 * 64)
        assert past == (x, y)
        beside = scene(hero("one", (10, 10)), hero("two", (at[0] + 2 * dy, at[1] + 2 * dx)))
        if dx * dy == 0:
            end = free_place(battlefield(beside), fighter(beside, "one"), (dx, dy), 4 * 64)
            assert end == inches(10 + 4 * dx, 10 + 4 * dy)


def test_a_model_may_leave_one_that_it_touches():
    board = scene(hero("one", (10, 10)), orc("o", (11, 10)))
    field = battlefield(board)
    assert free_place(field, fighter(board, "one"), (-1, 0), 128) == inches(8, 10)
    assert free_place(field, fighter(board, "one"), (0, 1), 128) == inches(10, 12)
    assert free_place(field, fighter(board, "one"), (1, 0), 128) == inches(10, 10)


@pytest.mark.rule("MNC-070")
def test_a_straight_way_leads_past_a_model_abreast_but_not_past_one_a_64th_ahead():
    for ahead, at in ((0, (12, 10)), (1 / 64, (10, 10))):
        board = scene(hero("one", (10, 10)), orc("o", (10 + ahead, 11)))
        assert free_place(battlefield(board), fighter(board, "one"), (1, 0), 128) == inches(*at)


def test_a_vertical_sweep_touches_what_it_meets():
    board = scene(hero("one", (10, 10)), hero("below", (10.5, 11)), hero("above", (10, 8)))
    field, one = battlefield(board), fighter(board, "one")
    assert touches_on_way(field, one, inches(10, 12))
    assert touches_on_way(field, one, inches(10, 9))
    assert not touches_on_way(field, one, inches(8, 10))
    left = scene(hero("one", (10, 10)), hero("two", (8, 10)), hero("three", (12, 10.5)))
    assert touches_on_way(battlefield(left), fighter(left, "one"), inches(9, 10))
    assert touches_on_way(battlefield(left), fighter(left, "one"), inches(12, 10))
    assert not touches_on_way(battlefield(left), fighter(left, "one"), inches(10, 12))


def test_room_is_looked_for_within_the_distance():
    board = scene(hero("one", (10, 10)), hero("two", (10, 10)))
    field, two = battlefield(board), board.token("two")
    assert nearest_free_place(field, two, (1, 0), 64) == inches(11, 10)
    assert nearest_free_place(field, two, (1, 0), 63) is None
    assert nearest_free_place(field, two, (0, -1), 64) == inches(10, 9)


@pytest.mark.parametrize(("start", "target"), [((10, 12), (14, 15)), ((3, 20), (3, 10)), ((30, 5), (20, 9))])
def test_contact_is_on_the_line_between_any_centers(start, target):
    board = scene(hero("one", start), orc("o", target))
    x, y = contact_place(battlefield(board), fighter(board, "one"), fighter(board, "o"))
    (ax, ay), (bx, by) = inches(*start), inches(*target)
    far = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    assert x == pytest.approx(ax + (bx - ax) * (far - 64) / far, abs=1)
    assert y == pytest.approx(ay + (by - ay) * (far - 64) / far, abs=1)


def test_archers_look_every_half_inch_of_the_way():
    board = scene(hero("one", (10, 10)), orc("o", (40, 30)))
    assert way_points(board, fighter(board, "one"), [inches(10, 11)]) == [
        inches(10, 10),
        inches(10, 10.5),
        inches(10, 11),
    ]
    assert way_points(board, fighter(board, "one"), [inches(11, 10), inches(11, 10.2)]) == [
        inches(10, 10),
        inches(10.5, 10),
        inches(11, 10),
        inches(11, 10.2),
    ]
    absent = with_conditions(board, "one", out="")
    assert way_points(absent, fighter(absent, "one"), [inches(11, 10)]) == []


def test_an_archer_may_see_a_model_in_the_middle_of_a_vertical_way_only():
    slit = [wall("above", 15, 0, 15, 9.8), wall("below", 15, 10.2, 15, 40)]
    board = scene(hero("one", (10, 7)), orc("bow", (20, 10), missiles=True), walls=slit)
    board = go(activated(board, "one"), act("roll_movement", "one", dice=2), 3, 3).scene
    assert not board.token("bow").has("in sight")
    board = moved(board, "one", (10, 13))
    assert board.token("bow").has("in sight")


def test_a_reach_is_around_the_model_wherever_it_stands():
    board = scene(hero("one", (10, 14)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 3).scene
    places = {(x, y) for x, y, _ in MINIATURES_COMBAT.reach(board, board.token("one")).cells}
    assert {inches(13, 14), inches(7, 14), inches(10, 17), inches(10, 11), inches(10, 14)} <= places
    assert inches(12, 16) in places
    assert inches(13, 15) not in places
    assert len(places) == 29


def test_the_gm_moves_a_helpless_model_along_a_path():
    board = with_conditions(scene(hero("one", (10, 10)), orc("o", (40, 30))), "one", captured="orcs")
    done = go(board, act("move", "one", at=(12, 12), path=((12, 10), (12, 12))))
    assert at_inches(done.scene, "one") == (12, 12)


def test_a_detour_of_a_64th_is_the_most_direct_route():
    board = scene(hero("one", (10, 10)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    one = fighter(board, "one")
    assert is_direct_route(board, one, [inches(14, 10)], 6 * 64)
    assert is_direct_route(board, one, [inches(12, 10), inches(14, 10)], 6 * 64)
    assert is_direct_route(board, one, [inches(12, 10.1), inches(14, 10)], 6 * 64)
    assert not is_direct_route(board, one, [inches(12, 10.5), inches(14, 10)], 6 * 64)


@pytest.mark.parametrize(
    "note", ["", "yes", "1,2", "9999,9999,1.00,1", "640,640,-5.00,1", "640,640,1e9,1", "640,640,1.00,1,1"]
)
def test_a_note_that_is_no_route_of_an_activation_counts_from_where_the_model_stands(note):
    board = with_conditions(scene(hero("one", (10, 10)), orc("o", (40, 30))), "one", moved=note)
    board = with_tracks(activated(board, "one"), "one", allowance=6 * 64)
    assert is_direct_route(board, fighter(board, "one"), [inches(12, 10), inches(14, 10)], 6 * 64)
    assert not is_direct_route(board, fighter(board, "one"), [inches(12, 11), inches(14, 10)], 6 * 64)
