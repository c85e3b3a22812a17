"""The outlook of a model: its dice before its turn, its moves, and the attacks within its range."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.outlook import acting, arrive, attacks, has_near, ready
from tests.unit.rulesets.miniatures_combat.scenes import (
    activated,
    at_inches,
    hero,
    inches,
    orc,
    scene,
    with_conditions,
    with_tracks,
)


def test_a_model_is_foreseen_with_its_dice_and_all_its_defenses_made():
    board = scene(hero("one", (10, 10)), hero("two", (14, 10)), orc("a", (30, 10)), orc("b", (32, 10)))
    board = with_tracks(board, "two", dice=2)
    foreseen = ready(with_tracks(board, "one", stumble=1), ("one",))
    one = foreseen.token("one")
    assert one.track("dice") == 2
    assert one.has("active")
    assert one.conditions["defended"] == "one=yes two=yes a=yes b=yes"
    assert not foreseen.token("two").has("active")
    assert "dice" not in foreseen.token("two").tracks
    assert ready(with_tracks(board, "one", stumble=5), ("one",)).token("one").track("dice") == 0


@pytest.mark.rule("MNC-109")
@pytest.mark.parametrize(("sheet", "mean"), [({}, 256), ({"athletic": True}, 288), ({"short": True}, 202)])
def test_a_foreseen_move_is_as_long_as_one_die_on_average(sheet, mean):
    board = ready(scene(hero("one", (10, 10), **sheet), orc("o", (40, 30))), ("one",))
    assert MINIATURES_COMBAT.reach(board, board.token("one")).budget == mean


@pytest.mark.rule("MNC-010")
@pytest.mark.parametrize(
    ("foes", "tokens", "state"),
    [
        ([orc("o", (12, 10))], ("one", "two"), "engaged"),
        ([orc("o", (12 + 1 / 64, 10))], ("one", "two"), "unengaged"),
        ([orc("o", (12, 10))], ("two",), "unengaged"),
    ],
)
def test_a_foreseen_group_is_engaged_if_one_of_it_is(foes, tokens, state):
    board = scene(hero("one", (10, 10)), hero("two", (10, 13)), *foes)
    assert ready(board, tokens).conditions["activated"] == state


def test_the_table_of_a_foreseen_group_keeps_all_notes_but_those_of_another_activation():
    noted = {"side": "orcs", "begins": "orcs", "activated": "engaged", "movement over": "2"}
    board = replace(scene(hero("one", (10, 10)), orc("o", (30, 10))), conditions=noted)
    assert ready(board, ("one",)).conditions == {
        "side": "heroes",
        "begins": "orcs",
        "activated": "unengaged",
        "rolled": "",
    }
    nobody = ready(activated(scene(*board.tokens), "one"), ())
    assert nobody.conditions["side"] == "heroes"
    assert "rolled" not in nobody.conditions
    assert not nobody.token("one").has("active")


@pytest.mark.rule("MNC-109")
def test_a_foreseen_arrival_pays_for_its_way_and_none_where_it_stands():
    board = ready(scene(hero("one", (10, 10)), orc("o", (40, 30))), ("one",))
    one = board.token("one")
    there = arrive(board, one, inches(13, 10), None, 0)
    assert at_inches(there, "one") == (13, 10)
    assert there.token("one").track("allowance") == 64
    assert arrive(board, one, one.at, None, 0) is board


@pytest.mark.parametrize(
    ("weapon", "gap", "kinds"),
    [
        ("close", 0, ["attack", "push"]),
        ("close", 1 / 64, ["push"]),
        ("basic", 1, ["attack", "push"]),
        ("basic", 1 + 1 / 64, ["lunge"]),
        ("pole", 2, ["attack", "lunge"]),
        ("pole", 2 + 1 / 64, ["lunge"]),
        ("basic", 3, ["lunge"]),
        ("basic", 3 + 1 / 64, []),
    ],
)
def test_the_attacks_foreseen_are_those_that_the_distance_allows(weapon, gap, kinds):
    board = ready(scene(hero("one", (10, 10), weapon=weapon), orc("o", (11 + gap, 10))), ("one",))
    found = attacks(board, board.token("one"), board.token("o"))
    assert [one.kind for one in found] == kinds


def test_no_attack_is_foreseen_on_a_friend_by_an_idle_model_or_on_one_out_of_the_fight():
    board = scene(hero("one", (10, 10)), hero("two", (11.5, 10)), orc("o", (10, 11.5)))
    active = ready(board, ("one",))
    assert attacks(active, active.token("one"), active.token("o"))
    assert not attacks(active, active.token("one"), active.token("two"))
    assert not attacks(board, board.token("one"), board.token("o"))
    gone = with_conditions(active, "o", out="")
    assert not attacks(gone, gone.token("one"), gone.token("o"))
    fallen = with_conditions(active, "one", out="")
    assert not attacks(fallen, fallen.token("one"), fallen.token("o"))


@pytest.mark.rule("MNC-006")
def test_of_a_side_the_active_group_acts_and_before_it_anyone():
    board = scene(hero("one", (10, 10)), hero("two", (20, 10)), orc("o", (40, 30)))
    side = [board.token("one"), board.token("two")]
    assert acting(board, side) == side
    assert [one.id for one in acting(activated(board, "two"), side)] == ["two"]


@pytest.mark.rule("MNC-106")
def test_the_places_of_a_foreseen_move_are_those_of_its_reach():
    board = scene(hero("one", (10, 10)), orc("o", (12, 10)))
    cells, may_move = MINIATURES_COMBAT.outlook.cells, MINIATURES_COMBAT.outlook.may_move
    assert cells(board, board.token("one")) == ()
    assert not may_move(board, board.token("one"))
    board = ready(board, ("one",))
    places = cells(board, board.token("one"))
    assert len(places) > 20
    assert places == [(x, y) for x, y, _ in MINIATURES_COMBAT.reach(board, board.token("one")).cells]
    gone = with_conditions(board, "one", out="")
    assert cells(gone, gone.token("one")) == ()
    assert not may_move(gone, gone.token("one"))


@pytest.mark.rule("MNC-109")
@pytest.mark.parametrize(("left", "may"), [(0, False), (1, True)])
def test_a_model_may_move_while_a_64th_of_an_inch_is_left(left, may):
    board = ready(scene(hero("one", (10, 10)), orc("o", (40, 30))), ("one",))
    board = with_tracks(board, "one", allowance=left)
    assert MINIATURES_COMBAT.outlook.may_move(board, board.token("one")) is may


@pytest.mark.rule("MNC-093")
def test_an_enemy_is_near_up_to_the_reach_of_a_lunge():
    # The bases are an inch across: between them is an inch less than between their centers.
    near = scene(hero("one", (10, 10)), orc("o", (14, 10)))
    assert has_near(near, near.token("one"))
    far = scene(hero("one", (10, 10)), orc("o", (14.1, 10)), hero("two", (12, 10)))
    assert not has_near(far, far.token("one"))
    gone = with_conditions(near, "one", out="")
    assert not has_near(gone, gone.token("one"))


def test_a_model_without_dice_has_no_attacks():
    board = ready(scene(hero("one", (10, 10)), orc("o", (11, 10))), ("one",))
    assert attacks(board, board.token("one"), board.token("o"))
    spent = with_tracks(board, "one", dice=0)
    assert attacks(spent, spent.token("one"), spent.token("o")) == ()
