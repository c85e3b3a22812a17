"""House rules that a table picks for its own taste: heights, ties, jumps, opportunity attacks (section C)."""

from __future__ import annotations

import pytest

from enfilade.rules.resolve import Answers, ChoicePending, resolve
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.battlefield import feet_apart, travel
from enfilade.scene.model import Terrain
from tests.unit.rulesets.fifth_edition.scenes import (
    ANN,
    BO,
    GLAIVE,
    act,
    battle,
    creature,
    play,
    procedure,
    refused,
)

FAR = creature("bo", "red", (19, 13))


@pytest.mark.rule("SRD-010")
@pytest.mark.parametrize(("choice", "feet"), [("greater", 20), ("sum", 35)])
def test_height_is_the_greater_of_two_or_is_added(choice, feet):
    hawk = creature("bo", "red", (9, 5), elevation=15, speeds={"walk": 10, "fly": 60})
    scene = battle(ANN, hawk, rules={"vertical": choice})
    assert feet_apart(scene, scene.token("ann"), scene.token("bo")) == feet


@pytest.mark.rule("SRD-010", "SRD-077")
def test_added_heights_make_the_reach_of_one_above_smaller():
    hawk = creature("bo", "red", (7, 5), attacks=(GLAIVE,), elevation=5, speeds={"fly": 60})
    zones = [
        travel(battle(ANN, hawk, rules={"vertical": choice}), "ann", 30).zones()["bo"]
        for choice in ("greater", "sum")
    ]
    assert (5, 5) in zones[0]
    assert (5, 5) not in zones[1]
    assert (6, 5) in zones[1]


TIED = (
    creature("ann", "blue", (5, 5), abilities={"dex": 12}, is_character=True),
    creature("bo", "red", (9, 5), abilities={"dex": 16}, initiative=-2),
)


@pytest.mark.rule("SRD-045")
@pytest.mark.parametrize(
    ("choice", "faces", "order"),
    [
        ("characters", (10, 10), ["ann", "bo"]),
        ("dexterity", (10, 10), ["bo", "ann"]),
        ("roll", (10, 10, 15, 4), ["ann", "bo"]),
        ("roll", (10, 10, 4, 15), ["bo", "ann"]),
        ("roll", (10, 10, 7, 7), ["bo", "ann"]),
        ("roll", (11, 10), ["ann", "bo"]),
    ],
)
def test_a_tie_is_broken_as_the_table_says(choice, faces, order):
    scene = battle(*TIED, turn="", rules={"ties": choice})
    begun = play(scene, act("begin", token=""), *faces).scene
    assert [one.token for one in FIFTH_EDITION.turn(begun).order] == order
    ended = play(begun, act("end", token=order[0])).scene
    assert ended.conditions["turn"] == order[1]


@pytest.mark.rule("SRD-027")
@pytest.mark.parametrize(("choice", "rule"), [("squares", "SRD-026"), ("gap", "")])
def test_a_long_jump_may_count_only_the_squares_between(choice, rule):
    gap = Terrain("g", "Gap", tuple((x, y) for x in (8, 9, 10) for y in range(14)), 0, kind="gap")
    strong = creature("ann", "blue", (5, 5), abilities={"str": 16}, speeds={"walk": 40})
    ran = play(battle(strong, FAR, terrain=(gap,), rules={"jump": choice}), act("move", at=(7, 5))).scene
    over = act("jump", at=(11, 5))
    assert refused(ran, over)[0] == rule
    if not rule:
        assert play(ran, over).scene.token("ann").track("moved") == 30, "all squares are paid for"
        assert over.at in {one.act.at for one in FIFTH_EDITION.offers(ran, ran.token("ann"))}


def first_question(scene):
    """Return what Ann's move away asks first; None if it asks nothing."""
    away = act("move", at=(5, 8))
    try:
        resolve(scene, procedure(away), (away,), Answers(automatic=()))
    except ChoicePending as pending:
        return pending.choice
    return None


@pytest.mark.rule("SRD-077")
@pytest.mark.parametrize(
    ("rules", "asked"),
    [
        ({}, {"bo"}),
        ({"oa": "hostile"}, {"bo"}),
        ({"ask_oa": "everyone"}, {"bo", "cid"}),
        ({"ask_oa": "everyone", "oa": "hostile"}, {"bo"}),
        ({"ask_oa": "everyone", "edition": "5.1"}, {"bo"}),
        ({"ask_oa": "never"}, set()),
    ],
)
def test_the_table_says_who_is_asked_for_opportunity_attacks(rules, asked):
    scene = battle(ANN, BO, creature("cid", "blue", (4, 5)), rules=rules)
    assert travel(scene, "ann", 30).zones().keys() == asked
    ruling = FIFTH_EDITION.judge(scene, scene.token("ann"), ((5, 8),), None)
    assert {one.token for step in ruling.steps for one in step.provokes} == asked
    assert {first_question(scene).token} <= asked if asked else first_question(scene) is None


@pytest.mark.rule("SRD-077")
def test_an_ally_that_is_asked_lets_the_mover_go_if_no_one_answers():
    scene = battle(ANN, creature("cid", "blue", (4, 5)), FAR, rules={"ask_oa": "everyone"})
    asked = first_question(scene)
    assert (asked.token, asked.default) == ("cid", "no")
    assert play(scene, act("move", at=(5, 8))).scene.token("ann").at == (5, 8)
