"""The odds of every act that rolls dice are those of 20,000 resolutions."""

from __future__ import annotations

import pytest

from enfilade.rules.conformance import check_preview
from enfilade.rules.odds import odds
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.offers import ACTS
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    go,
    hero,
    inches,
    model,
    moved,
    orc,
    scene,
    with_conditions,
    with_points,
    with_tracks,
)

HOUSE_RULES = {
    "as printed": {},
    "with the other options": {
        "melee_success": 6,
        "negation": "one item",
        "push_modifiers": True,
        "wounded_attacks": True,
        "points_for_hits": "each model and activation",
        "lunge_modifier": 1,
    },
}


def melee(house_rules):
    """Build a wounded axeman of level 3 in the middle of orcs, with a defense behind and one ahead."""
    board = scene(
        hero("one", (10, 10), two_handed=True, shield="shield"),
        orc("a", (11.5, 10), shield="shield"),
        model("b", (8.5, 10), side="orcs", level=2, heavy_armor=True),
        orc("c", (10, 13)),
        house_rules=house_rules,
    )
    board = activated(with_tracks(board, "one", wounds=1), "one")
    return with_conditions(board, "one", defended="a=ok")


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_the_odds_of_every_offered_act_are_those_of_the_resolver(name):
    board = melee(HOUSE_RULES[name])
    legal = [one.act for one in MINIATURES_COMBAT.offers(board, board.token("one")) if one.is_legal]
    kinds = {(asked.kind, asked.target) for asked in legal}
    assert {("defend", ""), ("defend", "b"), ("fall_back", "b"), ("attack", "a"), ("push", "a")} <= kinds
    done = with_conditions(board, "one", defended="a=ok b=ok")
    legal += [one.act for one in MINIATURES_COMBAT.offers(done, done.token("one")) if one.act.kind == "sweep"]
    for asked in legal:
        scene_ = done if asked.kind == "sweep" else board
        assert odds(scene_, ACTS[asked.kind].procedure, (asked,)).is_exact
        check_preview(MINIATURES_COMBAT, (scene_, asked))


def test_the_odds_of_a_lunge_and_of_a_split():
    board = with_conditions(melee({}), "one", defended="a=ok b=ok")
    for asked in (act("lunge", "one", "c", dice=2), act("lunge", "one", "c", dice=1, defense=1)):
        check_preview(MINIATURES_COMBAT, (board, asked))


def test_the_odds_of_a_charge_count_the_arrows_first():
    board = scene(hero("one", (10, 10)), orc("a", (16, 10)), orc("bow", (20, 4), missiles=True))
    board = go(activated(board, "one"), act("roll_movement", "one"), 5).scene
    board = moved(board, "one", (14.5, 10))
    check_preview(MINIATURES_COMBAT, (board, act("defend", "one", "a", dice=0)))
    check_preview(MINIATURES_COMBAT, (board, act("end", "one")))


def test_the_odds_with_many_story_points_are_those_of_the_resolver():
    board = with_points(melee({}), "heroes", 3)
    check_preview(MINIATURES_COMBAT, (board, act("attack", "one", "a", dice=2)))
    check_preview(MINIATURES_COMBAT, (with_points(board, "orcs", 4), act("defend", "one", "b")))


def test_movement_rolls_are_previewed():
    board = activated(scene(hero("one", (10, 10), athletic=True), orc("a", (30, 10))), "one")
    found = odds(board, ACTS["roll_movement"].procedure, (act("roll_movement", "one", dice=2),))
    assert sum(outcome.damage * float(chance) for outcome, chance in found.chances.items()) == pytest.approx(
        2 * (3 + 3 + 4 + 5 + 6 + 6) / 6
    )


def test_the_odds_of_a_movement_roll_are_those_of_the_resolver():
    board = activated(scene(hero("one", (10, 10), athletic=True), orc("a", (30, 10))), "one")
    check_preview(MINIATURES_COMBAT, (board, act("roll_movement", "one", dice=2)))


ROLLED = {"roll_movement", "defend", "fall_back", "attack", "lunge", "push", "sweep", "end"}


def certain():
    """Yield a battlefield and an act for each kind that rolls nothing."""
    board = scene(hero("one", (10, 10)), hero("two", (10, 11.5)), orc("a", (30, 10)))
    yield board, act("activate", "one", members=("two",))
    yield board, act("turn", "", side="orcs")
    yield board, act("event", "", text="It rains.")
    yield board, act("victory", "", side="heroes")
    board = go(activated(board, "one", "two"), act("roll_movement", "one", dice=1), 6).scene
    yield board, act("move", "one", at=(12, 10))
    paths = ((inches(12, 10),), (inches(12, 11.5),))
    yield board, act("move_group", "one", members=("one", "two"), paths=paths)
    yield board, act("action", "one", weapon="use")
    prisoner = scene(hero("one", (10, 10)), model("p", (11, 10), side="orcs", level=1), orc("a", (30, 10)))
    yield activated(with_conditions(prisoner, "p", captured="heroes"), "one"), act("carry", "one", "p")


def test_an_act_without_dice_has_one_outcome_and_it_is_the_resolvers():
    kinds = set()
    for board, asked in certain():
        found = odds(board, ACTS[asked.kind].procedure, (asked,))
        assert found.chances == {go(board, asked).result: 1}
        kinds.add(asked.kind)
    assert kinds | ROLLED == set(ACTS), "the odds of every kind of act are compared"


@pytest.mark.parametrize(
    "asked",
    [
        act("attack", "one", "a", dice=1),
        act("lunge", "one", "c", dice=1, defense=1),
        act("fall_back", "one", "b", dice=1),
        act("defend", "one", "b", dice=1),
    ],
)
def test_the_odds_of_a_fight_are_exact_however_many_story_points_it_may_bring_into_play(asked):
    board = with_points(with_points(melee({}), "heroes", 12), "orcs", 12)
    if asked.kind == "lunge":
        board = with_conditions(board, "one", defended="a=ok b=ok")
    assert odds(board, ACTS[asked.kind].procedure, (asked,)).is_exact
