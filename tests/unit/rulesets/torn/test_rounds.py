"""Rounds and activations. All are house rules, because their chapter is missing."""

from __future__ import annotations

import pytest

from enfilade.rules.procedures import Act
from enfilade.rulesets.torn import TORN
from tests.unit.rulesets.torn.scenes import (
    BLUE,
    MOVE,
    PLAIN,
    RED,
    SWORD,
    ally,
    attack,
    do,
    foe,
    in_round,
    refused,
    rolls,
    scene,
    with_condition,
    wounds,
)

TEN, NEXT, FAR = (10, 10), (11, 10), (20, 20)


def start(board, faces=(6, 1)):
    return do(board, Act(kind="round", token="aldis"), faces).scene


def fresh():
    return scene(ally("aldis", TEN), ally("bran", (10, 12)), foe("orc", FAR, is_fresh=True))


def activate(token):
    return Act(kind="activate", token=token)


def end(token):
    return Act(kind="end", token=token)


def test_the_first_side_is_rolled_off_and_ties_are_rerolled():
    done = do(fresh(), Act(kind="round", token="aldis"), (3, 3, 2, 5))
    assert done.scene.conditions["first"] == "red"
    assert TORN.turn(done.scene).sides == ("red",)
    orderly = scene(ally("aldis", TEN), foe("orc", FAR), house_rules={"torn.initiative": "in order"})
    done = do(orderly, Act(kind="round", token="aldis"))
    assert (rolls(done), done.scene.conditions["first"]) == ([], "blue")


def test_players_alternate_and_each_miniature_is_activated_once():
    board = do(start(fresh()), activate("aldis")).scene
    assert TORN.turn(board).token == "aldis"
    board = do(board, end("aldis")).scene
    assert refused(board, activate("bran")) == "TRN-092"
    board = do(do(board, activate("orc")).scene, end("orc")).scene
    assert refused(board, activate("aldis")) == "TRN-092"
    board = do(do(board, activate("bran")).scene, end("bran")).scene
    assert TORN.turn(board).sides == ()
    assert start(board).track("round") == 2


def test_a_round_cannot_start_while_miniatures_have_not_been_activated():
    assert refused(start(fresh()), Act(kind="round", token="aldis")) == "TRN-092"


def test_two_actions_an_activation_and_each_tile_once():
    tiles = (SWORD, PLAIN, MOVE)
    board = in_round(scene(ally("aldis", TEN, tiles=tiles), foe("orc", NEXT)), "aldis")
    board = do(board, attack("aldis", "orc"), "--" + "-" + "-" + "--" + "-").scene
    assert refused(board, attack("aldis", "orc")) == "TRN-066"
    board = do(board, attack("aldis", "orc", "Strike"), "--" + "--" + "-").scene
    assert refused(board, attack("aldis", "orc", "Strike")) == "TRN-066"
    reach = TORN.reach(board, board.token("aldis"))
    assert (reach.budget, reach.cells) == (0, ())


def test_only_the_active_miniature_acts():
    board = in_round(scene(ally("aldis", TEN), ally("bran", (10, 9)), foe("orc", NEXT)), "bran")
    assert refused(board, attack("aldis", "orc")) == "TRN-092"


@pytest.mark.rule("TRN-089")
@pytest.mark.parametrize("marker", ["burning", "poisoned", "bleeding"])
def test_wounding_markers_cost_a_wound_at_the_end_of_the_activation_and_expire(marker):
    board = with_condition(in_round(fresh(), "aldis"), "aldis", marker)
    done = do(board, end("aldis"))
    assert wounds(done, "aldis") == 4
    assert not done.scene.token("aldis").has(marker)


@pytest.mark.rule("TRN-089")
def test_stunned_miniatures_do_nothing_in_their_next_activation():
    board = with_condition(in_round(scene(ally("aldis", TEN), foe("orc", NEXT)), "aldis"), "aldis", "stunned")
    assert refused(board, attack("aldis", "orc")) == "TRN-089"
    assert not do(board, end("aldis")).scene.token("aldis").has("stunned")


@pytest.mark.rule("TRN-089")
@pytest.mark.parametrize("condition", ["stunned", "panic"])
def test_before_the_first_round_markers_forbid_no_act(condition):
    board = with_condition(scene(ally("aldis", TEN), foe("orc", NEXT)), "aldis", condition)
    for early in (board, in_round(board, "aldis", round_number=0)):
        assert refused(early, attack("aldis", "orc")) == ""


@pytest.mark.rule("TRN-012", "TRN-089")
def test_a_stunned_miniature_off_the_board_is_refused_because_it_is_not_there():
    away = in_round(scene(ally("aldis", None), foe("orc", NEXT)), "aldis")
    assert refused(with_condition(away, "aldis", "stunned"), attack("aldis", "orc")) == "TRN-012"


@pytest.mark.rule("TRN-033")
def test_a_removed_miniature_is_not_activated():
    board = start(scene(ally("aldis", None), ally("bran", TEN), foe("orc", NEXT)), (6, 1))
    assert board.conditions["first"] == "blue"
    assert refused(with_condition(board, "aldis", "out"), activate("aldis")) == "TRN-033"
    assert refused(board, activate("bran")) == ""


@pytest.mark.rule("TRN-092")
def test_a_round_starts_only_after_the_last_activation_has_ended():
    board = start(scene(ally("aldis", TEN), foe("orc", NEXT)), (6, 1))
    board = do(do(board, activate("aldis")).scene, end("aldis")).scene
    last = do(board, activate("orc")).scene
    assert refused(last, Act(kind="round", token="")) == "TRN-092"
    assert refused(do(last, end("orc")).scene, Act(kind="round", token="")) == ""


def test_the_last_team_standing_has_won():
    board = scene(ally("aldis", TEN, tiles=(PLAIN,)), foe("orc", NEXT, wounds=1), sides=(BLUE, RED))
    done = do(board, attack("aldis", "orc", "Strike"), "S-" + "-")
    assert TORN.turn(done.scene).is_over
    assert TORN.turn(done.scene).winners == ("blue",)
    assert refused(done.scene, Act(kind="round", token="aldis")) == "TRN-033"
