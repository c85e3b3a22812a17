"""Displacement at its limits: ways of a 64th of an inch, oblique ways, and where models find room."""

from __future__ import annotations

import math

import pytest

from enfilade.rules.battle.displace import Landing
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.displacement import (
    MOST_ROOM,
    ForcedMoves,
    away_from,
    free_place,
    lunge_place,
    nearest_free_place,
    straight_back,
    touches_on_way,
)
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    at_inches,
    fighter,
    go,
    hero,
    inches,
    orc,
    scene,
    wall,
    with_conditions,
    with_token,
)

PART = 1 / 64
"""A 64th of an inch, in inches."""


@pytest.mark.rule("MNC-097")
@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_a_model_is_pushed_until_it_touches_the_wall(left):
    board = scene(hero("one", (10, 12)), walls=[wall("w", 10.5 + left * PART, 0, 10.5 + left * PART, 40)])
    landing = ForcedMoves(board).way(board.token("one"), inches(12, 12))
    assert landing == Landing(inches(10 + left * PART, 12), "wall")


@pytest.mark.rule("MNC-098")
def test_a_model_pushed_against_a_wall_that_it_touches_is_prone():
    board = scene(hero("one", (10, 10)), orc("o", (11.5, 10)), walls=[wall("w", 12, 0, 12, 40)])
    board = with_conditions(activated(board, "one"), "one", defended="o=ok")
    after = go(board, act("push", "one", "o"), 6).scene
    assert (at_inches(after, "o"), after.token("o").has("prone")) == ((11.5, 10), True)
    stays = go(board, act("push", "one", "o", at=(11.5, 10)), 6).scene
    assert not stays.token("o").has("prone")


@pytest.mark.rule("MNC-098")
@pytest.mark.parametrize(
    ("at", "to", "end"),
    [
        ((58, 20), (61, 21), (59.5, 21)),
        ((58, 20), (61, 20), (59.5, 20)),
        ((20, 38), (21, 41), (21, 39.5)),
        ((2, 20), (-1, 21), (0.5, 21)),
        ((20, 2), (21, -1), (21, 0.5)),
    ],
)
def test_a_way_over_the_edge_ends_at_the_edge(at, to, end):
    board = scene(hero("one", at))
    assert ForcedMoves(board).way(board.token("one"), inches(*to)) == Landing(inches(*end), "edge")


@pytest.mark.rule("MNC-070")
@pytest.mark.parametrize("gap", [1, 2, 3, 4])
def test_who_moves_back_stops_a_64th_before_a_friend_and_an_enemy(gap):
    for behind in (hero("two", (12, 11 + gap * PART)), orc("two", (12, 11 + gap * PART))):
        board = scene(hero("one", (12, 10)), behind)
        end = free_place(battlefield(board), fighter(board, "one"), (0, 1), 128)
        assert end == inches(12, 10 + (gap - 1) * PART)


@pytest.mark.rule("MNC-070")
def test_who_moves_back_obliquely_moves_no_farther_than_its_distance():
    board = scene(hero("one", (20, 12)))
    field, one = battlefield(board), fighter(board, "one")
    for turn in range(0, 360, 5):
        direction = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        x, y = free_place(field, one, direction, 128)
        assert 126.5 <= math.dist((x, y), inches(20, 12)) <= 128
        assert (x - 20 * 64, y - 12 * 64) == pytest.approx((128 * direction[0], 128 * direction[1]), abs=1.5)


OBLIQUE = [(3, 4), (4, 3), (-4, 3), (-3, 4), (3, -4), (-4, -3), (5, 12), (12, -5)]


@pytest.mark.rule("MNC-070")
@pytest.mark.parametrize(("x", "y"), OBLIQUE)
def test_an_oblique_way_ends_before_a_model_on_it_and_leads_past_one_beside_it(x, y):
    far = math.hypot(x, y)
    ahead, aside = (x / far, y / far), (-y / far, x / far)
    for off in (-0.9, -0.4, 0, 0.4, 0.9, 1.1, -1.1):
        at = [20 + 3 * ahead[0] + off * aside[0], 14 + 3 * ahead[1] + off * aside[1]]
        board = scene(hero("one", (20, 14)), hero("two", at))
        end = free_place(battlefield(board), fighter(board, "one"), (x, y), 6 * 64)
        gone = math.dist(end, inches(20, 14)) / 64
        if abs(off) > 1:
            assert gone == pytest.approx(6, abs=0.03)
        else:
            assert gone == pytest.approx(3 - math.sqrt(1 - off * off), abs=0.08)
            assert battlefield(board).gap_at(board.token("one"), end, "two") in (1, 2)


@pytest.mark.rule("MNC-104")
@pytest.mark.parametrize(
    ("end", "at", "touches"),
    [
        ((12, 14), (11, 13), True),
        ((12, 14), (11, 13 - PART), False),
        ((12, 14), (13, 14), True),
        ((12, 14), (13 + PART, 14), False),
        ((12, 14), (9, 14), False),
        ((10, 12), (11, 13), True),
        ((10, 12), (11 + PART, 13), False),
        ((10, 12), (10, 15), False),
        ((10, 16), (9, 15), True),
        ((10, 16), (9, 13.9), False),
        ((13, 18), (11.5, 16), True),
        ((13, 18), (8, 16), False),
        ((7, 18), (8.5, 16), True),
        ((7, 10), (8.5, 12), True),
        ((7, 10), (11, 14.5), False),
        ((10 + PART, 14), (10 + PART, 15), True),
        ((10 + PART, 14), (10, 15), False),
    ],
)
def test_a_sweep_touches_what_is_on_the_way_ahead(end, at, touches):
    board = scene(hero("one", (10, 14)), hero("two", at))
    assert touches_on_way(battlefield(board), fighter(board, "one"), inches(*end)) is touches


@pytest.mark.rule("MNC-052")
def test_away_is_from_the_middle_of_points_that_lie_unevenly():
    board = scene(hero("one", (10, 14)))
    points = [inches(8, 11), inches(9, 12), inches(7, 10)]
    assert away_from(battlefield(board), board.token("one"), points) == inches(2, 3)
    right = away_from(battlefield(board), board.token("one"), [(10 * 64 - 1, 14 * 64)])
    assert right == (1, 0)


@pytest.mark.rule("MNC-103")
@pytest.mark.parametrize(("x", "y"), OBLIQUE)
def test_straight_back_is_oblique_from_an_oblique_pusher(x, y):
    far = math.hypot(x, y)
    board = scene(hero("one", (20, 14)), orc("o", (20 + x / far * 1.25, 14 + y / far * 1.25)))
    at = straight_back(board, fighter(board, "one"), fighter(board, "o"), 128)
    assert at == pytest.approx((20 * 64 + x / far * 208, 14 * 64 + y / far * 208), abs=1.5)


@pytest.mark.rule("MNC-093")
@pytest.mark.parametrize(("x", "y"), OBLIQUE)
def test_an_oblique_lunge_ends_as_soon_as_it_is_within_an_inch(x, y):
    far = math.hypot(x, y)
    for apart in (2.1, 2.5, 3.3, 3.7):
        board = scene(hero("one", (20, 14)), orc("o", (20 + x / far * apart, 14 + y / far * apart)))
        at = lunge_place(board, fighter(board, "one"), fighter(board, "o"))
        assert battlefield(board).gap_at(board.token("one"), at, "o") in (63, 64)


@pytest.mark.rule("MNC-097")
@pytest.mark.parametrize(("x", "y"), OBLIQUE)
def test_an_oblique_way_that_a_wall_ends_keeps_its_direction(x, y):
    far = math.hypot(x, y)
    ahead, aside = (x / far, y / far), (-y / far, x / far)
    ends = [(20 + 2 * ahead[0] + off * aside[0], 14 + 2 * ahead[1] + off * aside[1]) for off in (-3, 3)]
    board = scene(hero("one", (20, 14)), walls=[wall("w", *ends[0], *ends[1])])
    landing = ForcedMoves(board).way(board.token("one"), inches(20 + 4 * ahead[0], 14 + 4 * ahead[1]))
    assert landing.by == "wall"
    assert landing.at == pytest.approx((20 * 64 + 96 * ahead[0], 14 * 64 + 96 * ahead[1]), abs=2)


@pytest.mark.rule("MNC-052")
def test_a_flight_does_not_pass_an_enemy_within_an_inch():
    board = scene(hero("one", (10, 10)), orc("o", (13, 11.5)))
    end = free_place(battlefield(board), fighter(board, "one"), (1, 0), 8 * 64, keeps=64)
    assert end == pytest.approx(inches(13 - math.sqrt(2**2 - 1.5**2), 10), abs=2)
    assert battlefield(board).gap_at(board.token("one"), end, "o") > 64


@pytest.mark.rule("MNC-104")
@pytest.mark.parametrize(("y", "is_prone"), [(11, True), (11 + PART, False)])
def test_a_swept_model_that_touches_another_on_its_way_to_free_ground_is_prone(y, is_prone):
    board = scene(hero("one", (10, 10), two_handed=True), orc("o", (11.5, 10)), orc("other", (12.5, y)))
    board = with_conditions(activated(board, "one"), "one", defended="o=ok")
    after = go(board, act("sweep", "one", dice=1), 6, 1).scene
    assert (at_inches(after, "o"), after.token("o").has("prone")) == ((13.5, 10), is_prone)


# Room


@pytest.mark.rule("MNC-098")
@pytest.mark.parametrize("turn", range(-7, 9))
def test_room_is_looked_for_in_sixteen_directions(turn):
    # The 15 other directions are full of models, the nearest places ahead too.
    begun = math.atan2(1, 2)
    taken = [
        (
            20 + far / 64 * math.cos(begun + part * math.pi / 8),
            14 + far / 64 * math.sin(begun + part * math.pi / 8),
        )
        for part in range(-7, 9)
        if part != turn
        for far in (64, 128, 172)
    ]
    crowd = [hero(f"h{number}", at) for number, at in enumerate(taken)]
    board = scene(hero("one", (20, 14)), orc("o", (20, 14)), *crowd)
    found = nearest_free_place(battlefield(board), board.token("o"), (2, 1), 172)
    assert found is not None
    angle = math.atan2(found[1] - 14 * 64, found[0] - 20 * 64) - begun - turn * math.pi / 8
    assert math.cos(angle) > math.cos(math.radians(1))


@pytest.mark.rule("MNC-098")
@pytest.mark.parametrize(("size", "end"), [(11, inches(26, 20)), (12, None)])
def test_a_model_is_moved_back_at_most_6_inches_to_make_room(size, end):
    board = with_token(scene(orc("o", (20, 20)), hero("wyrm", (20, 20))), "wyrm", size=(size, size))
    assert nearest_free_place(battlefield(board), board.token("o"), (1, 0), MOST_ROOM) == end
