"""Straight ways: back, away, into contact, and where others make room; and the corridors that are drawn."""

from __future__ import annotations

import math

import pytest

from enfilade.rules.battle.displace import displace
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.displacement import (
    MOST_ROOM,
    ForcedMoves,
    away_from,
    contact_place,
    free_place,
    lunge_place,
    nearest_free_place,
    straight,
    straight_back,
    touches_on_way,
)
from enfilade.rulesets.miniatures_combat.profiles import read_fighter
from tests.unit.rulesets.miniatures_combat.scenes import (
    activated,
    hero,
    inches,
    model,
    orc,
    scene,
    wall,
    with_conditions,
)

TWO = 2 * 64


def fighter(board, key):
    return read_fighter(board.token(key))


def free(board, direction, distance=TWO, **more):
    x, y = free_place(battlefield(board), fighter(board, "one"), direction, distance, **more)
    return x / 64, y / 64


def test_a_free_way_is_as_long_as_the_distance():
    board = scene(hero("one", (10, 10)), orc("orc", (8, 10)))
    assert free(board, (1, 0)) == (12, 10)
    assert free(board, (0, -3)) == (10, 8)
    assert free(board, (0, 0)) == (10, 10)
    assert free(board, (1, 0), distance=0) == (10, 10)
    x, y = free(board, (1, 1))
    assert x == y
    assert 2 - 1 / 32 <= math.hypot(x - 10, y - 10) <= 2 + 1 / 32


@pytest.mark.parametrize(
    ("at", "end"),
    [
        ((13, 10), 12 - 1 / 64),  # a 64th short of contact
        ((13.1, 10), 12),
        ((12, 11), 12),  # beside the way: the bases would only pass each other at an inch
        ((11, 10.9), 10.56),  # it would touch the corner of the way
        ((10.9, 10.5), 10),
        ((9, 10), 12),  # behind
    ],
)
def test_a_way_ends_before_a_model(at, end):
    board = scene(hero("one", (10, 10)), hero("two", at))
    x, y = free(board, (1, 0))
    assert y == 10
    assert x == pytest.approx(end, abs=1 / 20)


def test_a_way_ends_before_a_wall_and_at_the_edge():
    board = scene(hero("one", (10, 10)), walls=[wall("w", 12, 8, 12, 12)])
    assert free(board, (1, 0)) == (11.5, 10)
    edge = scene(hero("one", (1, 10)))
    assert free(edge, (-1, 0)) == (0.5, 10)


def test_a_way_may_keep_from_enemies_and_pass_friends():
    board = scene(hero("one", (10, 10)), orc("orc", (14, 10)))
    assert free(board, (1, 0), keeps=64) == (12 - 1 / 64, 10)
    passed = scene(hero("one", (10, 10)), hero("two", (11.2, 10)))
    assert free(passed, (1, 0)) == pytest.approx((10.2 - 1 / 64, 10), abs=1 / 60)
    assert free(passed, (1, 0), distance=4 * 64, may_pass=["two"]) == (14, 10)
    # It may pass, but not end on its friend.
    assert free(passed, (1, 0), may_pass=["two"])[0] < 10.21


def test_straight_ignores_models_and_stays_on_the_board():
    board = scene(hero("one", (10, 10)), hero("two", (12, 10)))
    field = battlefield(board)
    assert straight(field, board.token("one"), (5, 0), TWO) == inches(12, 10)
    assert straight(field, board.token("one"), (-1, 0), 20 * 64) == inches(0.5, 10)
    assert straight(field, board.token("one"), (0, 1), 50 * 64) == inches(10, 39.5)
    assert straight(field, board.token("one"), (3, 4), 5 * 64) == inches(13, 14)


def test_away_is_from_the_middle_of_points_and_up_from_the_same_place():
    field = battlefield(scene(hero("one", (10, 10))))
    token = field.scene.token("one")
    assert away_from(field, token, [inches(9, 10), inches(10, 9)]) == (32, 32)
    assert away_from(field, token, [inches(10, 10)]) == (0, -1)


def test_the_nearest_free_place_is_straight_back_or_to_the_side():
    board = scene(hero("one", (10, 10)), hero("two", (10, 10)))
    field = battlefield(board)
    at = nearest_free_place(field, board.token("two"), (1, 0), TWO)
    assert at == inches(11, 10)
    crowd = scene(hero("one", (10, 10)), hero("two", (10, 10)), hero("three", (11, 10)))
    x, y = nearest_free_place(battlefield(crowd), crowd.token("two"), (1, 0), TWO)
    assert math.dist((x, y), inches(10, 10)) <= 72
    assert (x, y) != inches(11, 10)
    # The first turn to a side is the clockwise one, half of a quarter turn.
    assert y > 10 * 64
    assert nearest_free_place(field, board.token("two"), (1, 0), 32) is None


def test_contact_is_where_bases_touch_on_the_straight_line():
    board = scene(hero("one", (10, 10)), orc("orc", (14, 13)))
    x, y = contact_place(battlefield(board), fighter(board, "one"), fighter(board, "orc"))
    assert 64 <= math.dist((x, y), inches(14, 13)) <= 65.5
    same = scene(hero("one", (10, 10)), orc("orc", (10, 10)))
    assert contact_place(battlefield(same), fighter(same, "one"), fighter(same, "orc")) == inches(10, 10)


@pytest.mark.parametrize(
    ("at", "touches"),
    [
        ((11, 11), True),
        ((11, 10.5), True),
        ((11, 11 + 1 / 64), False),
        ((13, 10), True),
        ((13 + 1 / 64, 10), False),
        ((9, 10), False),
        ((10, 11), False),
    ],
)
def test_a_swept_model_touches_those_that_it_meets_and_not_those_behind(at, touches):
    board = scene(hero("one", (10, 10)), hero("two", at))
    assert touches_on_way(battlefield(board), fighter(board, "one"), inches(12, 10)) is touches


@pytest.mark.parametrize(
    ("at", "weapon", "end"),
    [
        ((13, 10), "basic", (11, 10)),
        ((13, 10), "pole", (11, 10)),
        ((13, 10), "close", (12 - 1 / 64, 10)),
        ((14, 10), "basic", (12, 10)),
        ((14 + 1 / 64, 10), "basic", None),
    ],
)
def test_a_lunge_goes_no_farther_than_it_must(at, weapon, end):
    board = scene(hero("one", (10, 10), weapon=weapon), orc("orc", at))
    found = lunge_place(board, fighter(board, "one"), fighter(board, "orc"))
    assert found == (None if end is None else inches(*end))


def test_a_lunge_in_any_direction_ends_within_an_inch():
    for turn in range(0, 360, 7):
        x, y = 10 + 4 * math.cos(math.radians(turn)), 10 + 4 * math.sin(math.radians(turn))
        board = scene(hero("one", (10, 10)), orc("orc", (x, y)))
        field = battlefield(board)
        if field.gap("one", "orc") > 3 * 64:
            continue
        at = lunge_place(board, fighter(board, "one"), fighter(board, "orc"))
        assert at is not None, turn
        assert field.gap_at(board.token("one"), at, "orc") <= 64
        assert math.dist(at, inches(10, 10)) <= TWO + 1


def test_back_is_away_from_the_pusher():
    board = scene(hero("one", (10, 10)), orc("orc", (11.5, 10)))
    assert straight_back(board, fighter(board, "one"), fighter(board, "orc"), TWO) == inches(13.5, 10)


def test_models_make_room_away_from_the_displaced_one():
    board = scene(hero("one", (10, 10)), orc("a", (10.5, 10)), orc("b", (10, 20)))
    steps = displace(board, "one", inches(10, 10), "push", ForcedMoves, crowd="make room", most=MOST_ROOM)
    moved = [request.event for request in run(steps, board)]
    assert [(event.token, event.at) for event in moved] == [("a", inches(11, 10))]


def run(steps, board):
    """Collect the changes of steps whose scenes do not matter here."""
    found, answer = [], None
    while True:
        try:
            found.append(steps.send(answer))
        except StopIteration:
            return found
        answer = board


# The outlines that are drawn


def areas(board, key, layer):
    return {area.label: area for area in MINIATURES_COMBAT.areas(board, board.token(key), layer)}


def test_the_way_back_is_a_corridor_with_a_round_end():
    board = activated(scene(hero("one", (10, 10)), orc("orc", (11.5, 10))), "one")
    (back,) = areas(board, "one", "defense").values()
    assert back.layer == "defense"
    assert back.rings == ((640, 608, 640, 672, 512, 672, 489, 662, 480, 640, 489, 617, 512, 608),)
    assert back.lines == ((*back.rings[0], 640, 608),)
    other = activated(scene(hero("one", (10, 10)), orc("orc", (10, 11.5))), "one")
    (up,) = areas(other, "one", "defense").values()
    assert up.rings == ((672, 640, 608, 640, 608, 512, 617, 489, 640, 480, 662, 489, 672, 512),)


def test_no_corridor_leads_where_there_is_no_room():
    board = activated(scene(hero("one", (10, 10)), orc("orc", (11.5, 10)), hero("two", (9, 10))), "one")
    assert areas(board, "one", "defense") == {}


def test_the_corridor_of_a_lunge_and_the_lines_of_a_spear():
    board = scene(
        hero("one", (10, 10), weapon="pole"),
        orc("near", (11.5, 10)),
        orc("far", (10, 13)),
        orc("off", (20, 10)),
    )
    found = areas(activated(board, "one"), "one", "ranges")
    assert list(found) == ['Reach of the weapon: 2"', "Lunge at Far", "Free lines of the spear"]
    assert max(found["Lunge at Far"].rings[0][1::2]) == (11 * 64 + 32)
    assert found["Free lines of the spear"].lines == (
        (*inches(10, 10), *inches(11.5, 10)),
        (*inches(10, 10), *inches(10, 13)),
    )
    blocked = scene(hero("one", (10, 10), weapon="pole"), hero("two", (11.2, 10)), orc("orc", (12.4, 10)))
    assert "Free lines of the spear" not in areas(blocked, "one", "ranges")
    sword = scene(hero("one", (10, 10)), orc("near", (11.5, 10)))
    assert list(areas(sword, "one", "ranges")) == ['Reach of the weapon: 1"']


def test_the_threat_of_enemies_is_drawn_once_for_each_distance():
    board = scene(
        hero("one", (10, 10)),
        orc("sword", (20, 10)),
        model("spear", (30, 10), side="orcs", weapon="pole"),
        model("fist", (40, 10), side="orcs", weapon="close"),
    )
    found = areas(board, "one", "threat")
    assert list(found) == ['Enemies within 0"', 'Enemies within 1"', 'Enemies within 2"']
    extents = {
        label: (
            min(x for ring in area.rings for x in ring[::2]),
            max(x for ring in area.rings for x in ring[::2]),
        )
        for label, area in found.items()
    }
    assert extents['Enemies within 0"'] == (40 * 64 - 32, 40 * 64 + 32)
    assert extents['Enemies within 1"'] == (20 * 64 - 96, 40 * 64 + 96)  # all engage
    assert extents['Enemies within 2"'] == (30 * 64 - 160, 30 * 64 + 160)
    alone = scene(hero("one", (10, 10)), hero("two", (20, 10)))
    assert areas(alone, "one", "threat") == {}


def test_missiles_have_a_range_of_18_inches_from_the_base():
    board = scene(hero("one", (30, 20), missiles=True), orc("orc", (50, 20)))
    found = areas(board, "one", "ranges")
    assert list(found) == ['Reach of the weapon: 1"', "Missile range"]
    ring = found["Missile range"].rings[0]
    assert (min(ring[::2]), max(ring[::2])) == (30 * 64 - 18 * 64 - 32, 30 * 64 + 18 * 64 + 32)


def test_a_model_that_is_helpless_or_asked_for_another_layer_has_no_areas():
    board = scene(hero("one", (10, 10)), orc("orc", (11.5, 10)))
    assert areas(board, "one", "cover") == {}
    assert areas(with_conditions(board, "one", captured=""), "one", "ranges") == {}
