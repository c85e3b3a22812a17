"""A refused attack or move says whether the distance or a wall is in its way (DBL-023, DBL-052)."""

from __future__ import annotations

import pytest

from enfilade.rules.resolve import refusal
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.double_life.offers import ACTS
from enfilade.scene.model import Wall
from tests.unit.rulesets.double_life.scenes import attack, fighter, foe, scene, second_life


@pytest.mark.rule("DBL-052")
def test_a_wall_is_not_named_as_a_distance():
    wall = Wall(id="w", line=(6 * 64, 5 * 64, 6 * 64, 6 * 64))
    pair = fighter("al", (5, 5)), foe("be", (6, 5))
    for board, has_wall in (
        (scene(*pair, walls=(wall,)), True),
        (scene(pair[0], foe("be", (8, 5))), False),
    ):
        refused = refusal(board, ACTS["attack"].procedure, attack("al", "be"))
        assert (refused.rule, "wall" in refused.sentence) == ("DBL-052", has_wall)


@pytest.mark.rule("DBL-023")
@pytest.mark.parametrize(("to", "has_wall"), [((6, 5), True), ((11, 5), False)])
def test_a_place_behind_a_wall_is_not_too_far(to, has_wall):
    wall = Wall(id="w", line=(6 * 64, 0, 6 * 64, 10 * 64))
    board = scene(fighter("al", (5, 5)), walls=(wall,) if has_wall else ())
    (reason,) = DOUBLE_LIFE.judge(board, board.token("al"), (to,), None).reasons
    assert ("wall" in reason, "within" in reason) == (has_wall, not has_wall)


@pytest.mark.rule("DBL-023")
def test_no_way_leads_onto_the_board_for_one_who_stands_beyond_its_edge():
    board = scene(fighter("al", (30, 5)))
    assert DOUBLE_LIFE.judge(board, board.token("al"), ((5, 5),), None).cost is None


@pytest.mark.parametrize("absent", ["al", "be"])
def test_a_second_life_reaches_nobody_off_the_board_and_nobody_from_there(absent):
    places = {"al": (5, 5), "be": (6, 5)} | {absent: None}
    board = scene(fighter("al", places["al"], mastery=3), foe("be", places["be"]))
    assert refusal(board, ACTS["second-life"].procedure, second_life("al", "be")) is not None


@pytest.mark.rule("DBL-023")
def test_a_drawn_path_costs_nothing_where_it_stays():
    board = scene(fighter("al", (5, 5)))
    ruling = DOUBLE_LIFE.judge(board, board.token("al"), ((5, 5), (6, 5)), None)
    assert (ruling.cost, ruling.path) == (1, ((5, 5), (5, 5), (6, 5)))
