"""The guide's example: a reaction between steps, choices at the same time, an area act and turn orders."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.example import EXAMPLE, FIRST_BLOOD
from tests.unit.play.duel import SCENE

from enfilade.rules.exact.plain import expanded_act
from enfilade.rules.odds import Allowance, odds
from enfilade.rules.procedures import Act, Outcome
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rules.ruleset import Turn
from enfilade.scene.events import TokenMoved


def board(**house_rules):
    scene = replace(SCENE, house_rules={f"fbl.{key}": value for key, value in house_rules.items()})
    return replace(scene, tokens=tuple(FIRST_BLOOD.prepare_token(token) for token in scene.tokens))


def do(scene, act, faces=(), decisions=()):
    answers = Answers(tuple(faces), tuple(decisions))
    return resolve(scene, FIRST_BLOOD.acts[act.kind].procedure, (act,), answers)


def places(done):
    return [event.at for event in done.events if isinstance(event, TokenMoved)]


ANN = SCENE.token("ann")
AWAY = (ANN.at[0], 0) if ANN.at[1] > 2 else (ANN.at[0], ANN.at[1] + 3)
GO = Act(kind="move", token="ann", at=AWAY)


def test_a_move_is_not_disturbed_without_the_house_rule():
    assert places(do(board(), GO)) == [AWAY]


def test_with_it_an_enemy_that_is_left_strikes_before_the_step():
    scene = board(parting_blows=True)
    hurt = do(scene, GO, [6], ["yes"])
    assert hurt.scene.token("ann").track("hp") == scene.token("ann").track("hp") - 1
    assert places(do(scene, GO, [], ["no"])) == [AWAY]
    assert places(do(scene, GO, [1], ["yes"])) == [AWAY]


def test_a_mover_who_falls_stops_there():
    scene = board(parting_blows=True)
    frail = replace(scene, tokens=tuple(replace(t, tracks={"hp": 1}) for t in scene.tokens))
    done = do(frail, GO, [6], ["yes"])
    assert (done.result, places(done)) == (Outcome("stopped"), [None])


@pytest.mark.parametrize(("answers", "result"), [(("high", "low"), "hit"), (("low", "low"), "miss")])
def test_a_feint_hits_if_the_two_choose_differently(answers, result):
    scene = board()
    done = do(scene, Act(kind="feint", token="ann", target="orc"), [], answers)
    assert done.result.result == result
    lost = scene.token("orc").track("hp") - done.scene.token("orc").track("hp")
    assert lost == (result == "hit")


def test_the_odds_of_a_feint_take_both_defaults():
    act = Act(kind="feint", token="ann", target="orc")
    assert list(odds(board(), FIRST_BLOOD.acts["feint"].procedure, (act,)).chances) == [Outcome("miss")]


def crowd(**house_rules):
    """Three more orcs around the one that is struck."""
    scene = board(grenades=True, **house_rules)
    x, y = scene.token("orc").at
    more = tuple(
        replace(scene.token("orc"), id=f"orc-{i}", at=(x + dx, y + dy))
        for i, (dx, dy) in enumerate([(1, 0), (0, 1), (1, 1)])
    )
    return replace(scene, tokens=(*scene.tokens, *more))


@pytest.mark.parametrize(("kind", "target"), [("grenade", "orc"), ("flurry", "orc")])
def test_the_area_act_and_the_repeated_attack_have_the_odds_of_their_loops(kind, target):
    procedure, act = getattr(EXAMPLE, kind), Act(kind=kind, token="ann", target=target)
    found = odds(crowd(), procedure, (act,))
    assert not found.cost.is_expanded
    assert found.chances == odds(crowd(), expanded_act(procedure), (act,), 10**6, Allowance(10**7)).chances


THROW = Act(kind="grenade", token="ann", target="orc")


def test_a_grenade_hurts_all_that_fail_to_dodge():
    done = do(crowd(), THROW, [1, 6, 1, 6, 1, 1, 1])
    assert done.result == Outcome("hit", 4)


def test_a_grenade_names_those_that_it_catches_beside_its_target():
    assert sorted(FIRST_BLOOD.caught(crowd(), THROW)) == ["ann", "orc-0", "orc-1", "orc-2"]
    assert FIRST_BLOOD.caught(crowd(), replace(THROW, kind="strike")) == ()


def test_a_grenade_that_leaves_nobody_ends_the_battle_in_a_draw():
    scene = crowd()
    frail = [replace(t, tracks={"hp": 1}) for t in scene.tokens if t.id != "spy"]
    done = do(replace(scene, tokens=tuple(frail)), THROW, [6, 6, 1, 1, 1, 1, 1])
    turn = FIRST_BLOOD.turn(done.scene)
    assert (turn.is_over, turn.winners) == (True, ())


def refused(scene, act):
    found = refusal(scene, FIRST_BLOOD.acts[act.kind].procedure, act)
    return found and found.rule


def test_grenades_are_thrown_with_the_house_rule_alone_at_enemies_within_four_squares():
    assert refused(crowd(), THROW) is None
    assert refused(board(), THROW) == "FBL-007"
    assert refused(crowd(), replace(THROW, target="spy")) == "FBL-007"
    assert {offer.act.kind for offer in FIRST_BLOOD.offers(board(), ANN)} == {"strike", "feint", "pass"}
    assert "grenade" in {offer.act.kind for offer in FIRST_BLOOD.offers(crowd(), ANN)}


ROLL_INITIATIVE = Act(kind="begin", token="ann")


def test_before_the_first_round_the_only_act_is_to_roll_for_initiative():
    scene = board(initiative=True)
    assert FIRST_BLOOD.turn(scene).round == 0
    assert [offer.act for offer in FIRST_BLOOD.offers(scene, ANN)] == [ROLL_INITIATIVE]
    assert refused(scene, Act(kind="strike", token="ann", target="orc")) == "FBL-001"
    assert refused(board(), ROLL_INITIATIVE) == "FBL-008"


def test_the_highest_initiative_goes_first_and_of_equals_the_first_that_came():
    begun = do(board(initiative=True), ROLL_INITIATIVE, [4, 2, 4]).scene
    assert FIRST_BLOOD.turn(begun) == Turn(round=1, sides=("red",), token="orc")
    assert refused(begun, ROLL_INITIATIVE) == "FBL-008"
    assert refused(begun, Act(kind="pass", token="spy")) == "FBL-001"
    order = ["orc"]
    while FIRST_BLOOD.turn(begun).round == 1:
        begun = do(begun, Act(kind="pass", token=order[-1])).scene
        order.append(FIRST_BLOOD.turn(begun).token)
    assert order == ["orc", "spy", "ann", "orc"]


def test_who_is_out_has_no_turn():
    begun = do(board(initiative=True), ROLL_INITIATIVE, [3, 1, 2]).scene
    gone = tuple(replace(t, conditions={"out": ""}, at=None) if t.id == "spy" else t for t in begun.tokens)
    passed = do(replace(begun, tokens=gone), Act(kind="pass", token="orc")).scene
    assert FIRST_BLOOD.turn(passed).token == "ann"


def test_each_miniature_moves_in_its_own_turn():
    begun = do(board(initiative=True), ROLL_INITIATIVE, [3, 2, 1]).scene
    assert FIRST_BLOOD.reach(begun, begun.token("orc")).budget == 3
    assert FIRST_BLOOD.reach(begun, begun.token("spy")).budget == 0
    ruling = FIRST_BLOOD.judge(begun, begun.token("spy"), [(7, 6)], None)
    assert ruling.reasons == ("Not Silent Sam's turn (FBL-001).",)
