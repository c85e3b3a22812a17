"""The reaction between steps and the choice at the same time of the guide's example."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.example import EXAMPLE, FIRST_BLOOD
from tests.unit.play.duel import SCENE

from enfilade.rules.exact.expanded import expanded_act
from enfilade.rules.odds import Allowance, odds
from enfilade.rules.procedures import Act, Outcome
from enfilade.rules.resolve import Answers, resolve
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


def crowd():
    """Three more orcs around the one that is struck."""
    scene = board()
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


def test_a_grenade_hurts_all_that_fail_to_dodge():
    act = Act(kind="grenade", token="ann", target="orc")
    done = resolve(crowd(), EXAMPLE.grenade, (act,), Answers(faces=[1, 6, 1, 6, 1, 1, 1]))
    assert done.result.damage == 4
