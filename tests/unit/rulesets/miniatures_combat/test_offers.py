"""The acts that a model is offered, and its card."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.offers import acts_of_kind
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    go,
    hero,
    model,
    orc,
    scene,
    with_conditions,
    with_points,
    with_token,
    with_tracks,
)


def offered(board, key):
    """Return (kind, target, weapon, rule that refuses) of each offer."""
    return [
        (one.act.kind, one.act.target, one.act.weapon, one.rule)
        for one in MINIATURES_COMBAT.offers(board, board.token(key))
    ]


def bodies(board, key, kind):
    """Return the bodies of the offers of a kind."""
    return [one.act.body for one in MINIATURES_COMBAT.offers(board, board.token(key)) if one.act.kind == kind]


def test_before_the_turn_a_model_can_be_activated_alone_or_with_those_near_it():
    board = scene(hero("one", (10, 10)), hero("two", (12, 10)), hero("far", (40, 30)), orc("orc", (30, 10)))
    assert offered(board, "one") == [
        ("activate", "", "", ""),
        ("activate", "", "", ""),
        ("roll_movement", "", "", "MNC-001"),
        ("action", "", "stand", "MNC-001"),
        ("action", "", "mount", "MNC-001"),
        ("action", "", "dismount", "MNC-001"),
        ("action", "", "use", "MNC-001"),
        ("action", "", "climb", "MNC-001"),
        ("end", "", "", "MNC-006"),
    ]
    labels = [one.label for one in MINIATURES_COMBAT.offers(board, board.token("one"))]
    assert labels == [
        "Activate alone",
        "Activate a group of 2",
        "Roll for movement",
        "Stand up",
        "Mount",
        "Dismount",
        "Use or hand over",
        "Climb or jump",
        "End the turn",
    ]
    assert [body.members for body in bodies(board, "one", "activate")] == [(), ("one", "two")]
    assert [kind for kind, *_ in offered(board, "far")].count("activate") == 1


def test_a_group_is_offered_with_models_of_the_same_players_only():
    board = scene(hero("one", (10, 10)), hero("two", (12, 10)), hero("three", (14, 10)), orc("orc", (30, 10)))
    for key, owners in (("one", ("anna", "cleo")), ("two", ("ben",)), ("three", ("cleo",))):
        board = with_token(board, key, owners=owners)
    assert [body.members for body in bodies(board, "one", "activate")] == [(), ("one", "three")]
    assert [body.members for body in bodies(board, "two", "activate")] == [()]


def test_an_active_model_is_offered_its_fights_with_dice_that_suit():
    board = scene(
        hero("one", (10, 10), shield="shield", two_handed=True),
        orc("a", (11.5, 10)),
        orc("b", (10, 8.6)),
        orc("far", (10, 13)),
    )
    board = activated(board, "one")
    found = offered(board, "one")
    assert found[:14] == [
        ("defend", "", "", ""),
        ("defend", "b", "", ""),
        ("fall_back", "b", "", ""),
        ("defend", "a", "", ""),
        ("fall_back", "a", "", ""),
        ("attack", "a", "", "MNC-085"),
        ("lunge", "a", "", "MNC-091"),
        ("push", "a", "", "MNC-096"),
        ("attack", "b", "", "MNC-085"),
        ("lunge", "b", "", "MNC-091"),
        ("push", "b", "", "MNC-096"),
        ("attack", "far", "", "MNC-084"),
        ("lunge", "far", "", "MNC-092"),
        ("push", "far", "", "MNC-096"),
    ]
    assert found[14] == ("sweep", "", "", "MNC-101")
    # A shield die where there is one; without any, a general die.
    assert [(body.dice, body.bonus) for body in bodies(board, "one", "defend")] == [(0, 0), (0, 1), (0, 1)]
    bare = with_tracks(board, "one", defense_dice=0)
    assert [(body.dice, body.bonus) for body in bodies(bare, "one", "defend")] == [(0, 0), (1, 0), (1, 0)]
    spent = with_tracks(bare, "one", dice=0)
    assert [(body.dice, body.bonus) for body in bodies(spent, "one", "defend")] == [(0, 0), (0, 0), (0, 0)]
    # All dice for an attack or a sweep, at least one.
    assert {body.dice for body in bodies(board, "one", "attack")} == {3}
    assert [body.dice for body in bodies(board, "one", "sweep")] == [3]
    assert {body.dice for body in bodies(spent, "one", "attack")} == {1}
    plain = activated(scene(hero("one", (10, 10)), orc("a", (11.5, 10))), "one")
    assert "sweep" not in [kind for kind, *_ in offered(plain, "one")]


def test_a_model_defends_in_the_order_of_distance_and_may_carry_captives_of_its_side():
    prisoner = model("prisoner", (10, 11.2), side="orcs", level=1)
    board = scene(hero("one", (10, 10)), prisoner, orc("a", (30, 10)))
    board = activated(with_conditions(board, "prisoner", captured="heroes"), "one")
    assert ("carry", "prisoner", "", "") in offered(board, "one")
    other = with_conditions(board, "prisoner", captured="orcs")
    assert "carry" not in [kind for kind, *_ in offered(other, "one")]
    gone = with_token(board, "prisoner", at=None)
    assert "carry" not in [kind for kind, *_ in offered(gone, "one")]


def test_the_roll_that_is_offered_costs_a_die_that_each_member_has():
    board = activated(scene(hero("one", (10, 10)), hero("two", (12, 10)), orc("orc", (30, 10))), "one", "two")
    assert [body.dice for body in bodies(board, "one", "roll_movement")] == [1]
    last = with_tracks(board, "two", dice=1)
    assert [body.dice for body in bodies(last, "one", "roll_movement")] == [1]
    tired = with_tracks(board, "two", dice=0)
    assert [body.dice for body in bodies(tired, "one", "roll_movement")] == [0]
    assert ("roll_movement", "", "", "") in offered(tired, "one")


def test_a_model_out_of_the_fight_is_offered_nothing_legal():
    board = with_conditions(
        scene(hero("one", (10, 10)), hero("two", (12, 10)), orc("o", (30, 10))), "one", out=""
    )
    offers = MINIATURES_COMBAT.offers(board, board.token("one"))
    assert [one.act.kind for one in offers].count("activate") == 1
    assert not any(one.is_legal for one in offers)


def card(board, key):
    return [(line.label, line.value, line.note) for line in MINIATURES_COMBAT.card(board, board.token(key))]


def test_the_card_of_a_model_before_its_turn():
    board = scene(
        model("one", (10, 10), level=1, minion=True, weapon="pole", shield="buckler", athletic=True),
        orc("orc", (30, 10)),
    )
    assert card(with_points(board, "heroes", 2), "one") == [
        ("Level", "1", "minion"),
        ("Hits", "0 of 1", ""),
        ("Defense", "3+", "fall back 5+"),
        ("Weapon", 'pole, reach 2"', "buckler"),
        ("Movement", "1 free die", "+1 to each die"),
        ("Story points", "2", ""),
    ]


def test_the_card_names_all_gear_wounds_and_states():
    board = scene(
        hero(
            "one",
            (10, 10),
            two_handed=True,
            missiles=True,
            shield="shield",
            heavy_armor=True,
            mounted=True,
            story_protected=True,
        ),
        orc("orc", (30, 10)),
    )
    board = with_tracks(board, "one", hits=1, wounds=2)
    assert card(board, "one") == [
        ("Level", "3", ""),
        ("Hits", "1 of 3", "2 wounds"),
        ("Defense", "3+", "fall back 5+"),
        (
            "Weapon",
            'basic, reach 1"',
            "heavy two-handed weapon, missiles, shield, heavy armor, mounted, story protection",
        ),
        ("Movement", "2 free dice", "-2 to each die"),
        ("Story points", "0", ""),
    ]
    states = dict.fromkeys(("prone", "dismounted", "endangered", "fled", "named"), "")
    lines = card(with_conditions(board, "one", **states), "one")
    assert [line[0] for line in lines[6:]] == [
        "Prone.",
        "Off its horse.",
        "Endangered, with the turn in which it happened.",
        "Fled, and may not engage the next time.",
        "Named by the opponent: the next group must include it.",
    ]
    assert "mounted" not in lines[3][2]
    helpless = card(with_conditions(board, "one", captured="orcs", incapacitated=""), "one")
    assert [line[0] for line in helpless] == [
        "Level",
        "Hits",
        "Defense",
        "Weapon",
        "Story points",
        "Captured, with the captor's side.",
        "Incapacitated.",
    ]
    assert helpless[5][1] == "orcs"


def test_the_card_of_an_active_model_counts_its_dice():
    board = activated(scene(hero("one", (10, 10), shield="shield"), orc("orc", (11.5, 10))), "one")
    assert ("Dice left", "3 general, 2 defense, 0 movement", "must defend: Orc") in card(board, "one")
    done = go(board, act("defend", "one", "orc", bonus=1)).scene
    assert ("Dice left", "3 general, 1 defense, 0 movement", "") in card(done, "one")
    assert "Dice left" not in [label for label, *_ in card(done, "orc")]
    asleep = replace(
        done, conditions={key: note for key, note in done.conditions.items() if key != "activated"}
    )
    assert "Dice left" not in [label for label, *_ in card(asleep, "one")]


@pytest.mark.parametrize("is_active", [False, True])
def test_the_acts_of_a_kind_are_those_of_the_offers(is_active):
    board = scene(hero("one", (10, 10)), hero("two", (12, 10)), orc("o", (11, 11.2)), orc("p", (9, 8.8)))
    board = activated(board, "one") if is_active else board
    for key in ("one", "o"):
        offers = [one.act for one in MINIATURES_COMBAT.offers(board, board.token(key))]
        kinds = {one.kind for one in offers}
        assert {"activate", "roll_movement", "end", "action"} <= kinds
        for kind in (*kinds, "victory"):
            expected = [one for one in offers if one.kind == kind]
            assert list(acts_of_kind(board, board.token(key), kind)) == expected
