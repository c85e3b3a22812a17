"""Attacks, pushes, sweeps and lunges of Miniatures combat at their limits (MNC-061, MNC-090 to MNC-105)."""

from __future__ import annotations

import pytest

from enfilade.rules.odds import odds
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.offers import ACTS
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    asked_of,
    at_inches,
    facts,
    go,
    hero,
    model,
    moved,
    orc,
    rolled,
    scene,
    with_conditions,
    with_points,
)
from tests.unit.rulesets.miniatures_combat.test_attacks import OGRE, ready, sweeper


@pytest.mark.rule("MNC-099")
@pytest.mark.parametrize(
    ("foe_at", "pushed_to", "follower_at"),
    [
        ((11.5, 10), (13.5, 10), (12, 10)),
        ((8.5, 10), (6.5, 10), (8, 10)),
        ((10, 11.5), (10, 13.5), (10, 12)),
        ((10, 8.5), (10, 6.5), (10, 8)),
    ],
)
def test_the_pusher_follows_up_in_the_direction_of_the_push(foe_at, pushed_to, follower_at):
    board = ready(model("ogre", foe_at, side="orcs", level=4))
    done = go(board, act("push", "one", "ogre"), 5, answers=["yes"])
    assert at_inches(done.scene, "ogre") == pushed_to
    assert at_inches(done.scene, "one") == follower_at


@pytest.mark.rule("MNC-096")
@pytest.mark.parametrize(
    ("pusher", "target", "needed"),
    [({}, {}, 5), ({"mounted": True}, {}, 4), ({}, {"mounted": True}, 6), ({"level": 5}, {"level": 2}, 2)],
)
def test_the_push_modifiers_are_levels_and_horses(pusher, target, needed):
    foe = model("foe", (11.5, 10), side="orcs", **{"level": 3, **target})
    board = ready(foe, house_rules={"push_modifiers": True}, **pusher)
    assert facts(go(board, act("push", "one", "foe", dice=1), 1), "push")[0]["needed"] == needed


@pytest.mark.rule("MNC-096")
@pytest.mark.parametrize(("faces", "succeeds"), [((4, 4), False), ((4, 5), True), ((5, 5), True)])
def test_the_log_says_who_stands_after_a_push(faces, succeeds):
    board = ready(OGRE)
    done = go(board, act("push", "one", "ogre", dice=2), *faces)
    assert [fact["is_success"] for fact in facts(done, "push roll")] == [succeeds]
    assert ("Ogre stands." in MINIATURES_COMBAT.narrate(board, done.events)) is not succeeds


@pytest.mark.rule("MNC-102")
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_a_sweep_rolls_two_dice_for_each_action_die(dice):
    board = sweeper(OGRE)
    done = go(board, act("sweep", "one", dice=dice), *[1] * 2 * dice)
    assert len(rolled(done)[0][1]) == 2 * dice
    assert [facts(done, kind)[0]["dice"] for kind in ("sweep", "sweep roll")] == [2 * dice] * 2
    assert done.scene.token("one").track("dice") == 3 - dice


@pytest.mark.rule("MNC-094")
def test_a_lunge_that_names_general_and_bonus_dice_asks_for_none():
    board = ready(orc("orc", (13, 10)), shield="shield", level=2)
    done = go(board, act("lunge", "one", "orc", dice=1, defense=1, bonus=1), 1, 1, 2)
    assert asked_of(done) == []
    assert [(one["dice"], one["bonus"]) for one in facts(done, "defense")] == [(1, 1)]
    assert done.result.result == "miss"


@pytest.mark.rule("MNC-090")
@pytest.mark.parametrize("kind", ["attack", "lunge"])
def test_the_odds_of_an_attack_are_exact_whatever_its_points_may_bring(kind):
    foe = model("foe", (11.5, 10) if kind == "attack" else (13, 10), side="orcs", level=4, shield="shield")
    board = with_points(with_points(ready(foe), "heroes", 12), "orcs", 12)
    found = odds(board, ACTS[kind].procedure, (act(kind, "one", "foe", dice=1),))
    assert found.is_exact
    assert {result.result: float(chance) for result, chance in found.chances.items()} == pytest.approx(
        {"miss": 2 / 3, "negated": 1 / 3}
    )


@pytest.mark.rule("MNC-061")
@pytest.mark.parametrize("asked", ["attack", "lunge", "fall_back", "defend"])
def test_who_flees_from_the_board_as_arrows_come_is_not_fought(asked):
    # The archers gain a point and roll a six for it, which lets the heroes roll: the minions are removed.
    bow = orc("bow", (25, 6), missiles=True, level=2, minion=False)
    foe = orc("foe", (16, 10), level=2, weapon="pole")
    board = scene(hero("one", (10, 10)), foe, bow, house_rules={"fleeing_minions": "removed"})
    board = with_points(activated(board, "one"), "heroes", 3)
    board = go(board, act("roll_movement", "one", dice=1), 5).scene
    board = moved(board, "one", (13.5 if asked == "lunge" else 14.5, 10))
    if asked in ("attack", "lunge"):
        board = with_conditions(board, "one", defended="foe=ok")
    answers = ["yes", "1", "nothing", "4", "minions flee", "foe", "no"]
    fields = {} if asked == "defend" else {"dice": 1}
    done = go(board, act(asked, "one", "foe", **fields), 6, 6, 5, 5, 5, 5, answers=answers)
    assert done.scene.token("foe").has("out")
    assert done.result.result == ("defended" if asked == "defend" else "fell")
    assert facts(done, "strike") == facts(done, "defense") == []
