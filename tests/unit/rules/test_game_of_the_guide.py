"""The game that the guide builds: its push, its laws, its grenade and its order of turns."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.example import guide

from enfilade.rules.procedures import Act, Outcome
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.scene.model import Grid, Scene, Side, Token

GAME = guide().LAST_STAND
ANN, ROB = (
    Token(id="ann", name="Ann", side="blue", at=(1, 1)),
    Token(id="rob", name="Rob", side="red", at=(1, 2)),
)


def battle(*tokens, turn="ann"):
    """A battle that has begun, in the turn of one miniature."""
    tokens = tokens or (ANN, ROB)
    side = next(token.side for token in tokens if token.id == turn)
    return Scene(
        ruleset="last_stand",
        grid=Grid("square", 6, 6),
        sides=(Side(id="blue", name="Blue"), Side(id="red", name="Red")),
        tokens=tuple(GAME.prepare_token(token) for token in tokens),
        tracks={"round": 1},
        conditions={"active": turn, "next": side},
    )


def do(scene, act, faces=(), decisions=()):
    answers = Answers(tuple(faces), tuple(decisions))
    return resolve(scene, GAME.acts[act.kind].procedure, (act,), answers)


STRIKE = Act(kind="strike", token="ann", target="rob")


def test_a_hit_pushes_its_target_one_cell_back_but_not_off_the_board():
    assert do(battle(), STRIKE, [4]).scene.token("rob").at == (1, 3)
    at_edge = battle(replace(ANN, at=(1, 4)), replace(ROB, at=(1, 5)))
    assert do(at_edge, STRIKE, [4]).scene.token("rob").at == (1, 5)


def test_one_that_is_braced_is_not_pushed_and_does_not_brace_again_until_it_strikes():
    braced = do(battle(turn="rob"), Act(kind="brace", token="rob")).scene
    assert do(braced, STRIKE, [4]).scene.token("rob").at == (1, 2)
    again = battle(ANN, replace(ROB, conditions={"braced": ""}), turn="rob")
    refused = refusal(again, GAME.acts["brace"].procedure, Act(kind="brace", token="rob"))
    assert (refused.rule, refused.sentence) == ("LAS-010", "Rob is braced already.")
    struck = do(again, Act(kind="strike", token="rob", target="ann"), [1], ["no"])
    assert not struck.scene.token("rob").has("braced")


@pytest.mark.parametrize(("answer", "faces", "hit_points"), [("yes", [6], 1), ("no", [], 2)])
def test_an_enemy_that_is_left_may_strike(answer, faces, hit_points):
    go = Act(kind="move", token="ann", at=(1, 0), path=((1, 0),))
    beside = battle(ANN, replace(ROB, at=(1, 2)))
    assert do(beside, go, faces, [answer]).scene.token("ann").track("hp") == hit_points


def test_a_grenade_hurts_all_that_fail_and_ends_the_turn():
    thrown = do(battle(), Act(kind="grenade", token="ann", target="rob"), [6, 6, 1, 6])
    assert thrown.result == Outcome("hit", 2)
    assert [token.track("hp") for token in thrown.scene.tokens] == [1, 1]
    assert GAME.turn(thrown.scene).token == "rob"


def test_before_the_battle_the_only_legal_act_rolls_initiative():
    scene = replace(battle(), tracks={}, conditions={})
    assert (GAME.turn(scene).round, GAME.turn(scene).opening) == (0, "begin")
    assert [one.act.kind for one in GAME.offers(scene, ANN) if one.is_legal] == ["begin"]
    begun = do(scene, Act(kind="begin", token="ann"), [2, 5]).scene
    assert GAME.turn(begun).token == "rob"
    assert GAME.turn(do(begun, Act(kind="pass", token="rob")).scene).token == "ann"
