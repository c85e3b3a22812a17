"""A creature beside its numbers: its place in the order, the budgets of its turn, its conditions."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rules.battle.lasting import Lasting, note_of
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.tactics.overlays import overlay
from tests.unit.rulesets.fifth_edition.scenes import (
    battle,
    creature,
    with_token,
)

ANN, BO = creature("ann", "blue", (5, 5)), creature("bo", "red", (8, 5))


def budgets(scene, key="ann"):
    found = overlay(FIFTH_EDITION, scene, key, 0, ()).budgets
    return {one.label: (one.left, one.of) for one in found}


@pytest.mark.rule("SRD-044", "SRD-049")
def test_the_order_has_each_creature_with_its_initiative():
    scene = battle(ANN, BO)
    scene = with_token(scene, "ann", tracks={**scene.token("ann").tracks, "initiative": 7})
    scene = with_token(scene, "bo", tracks={**scene.token("bo").tracks, "initiative": 15})
    order = FIFTH_EDITION.turn(scene).order
    assert [(one.token, one.number) for one in order] == [("bo", 15), ("ann", 7)]
    assert FIFTH_EDITION.turn(replace(scene, tracks={})).order == ()


@pytest.mark.rule("SRD-049", "SRD-050", "SRD-051")
def test_the_budgets_of_a_turn_are_its_action_bonus_action_reaction_and_feet():
    scene = battle(ANN, BO)
    whole = {"Action": (1, 1), "Bonus action": (1, 1), "Reaction": (1, 1), "Feet": (30, 30)}
    assert budgets(scene) == whole
    spent = with_token(
        scene,
        "ann",
        conditions={"acted": "", "reacted": ""},
        tracks={**scene.token("ann").tracks, "moved": 20, "attacks": 1},
    )
    assert budgets(spent) == {
        **{"Action": (0, 1), "Bonus action": (1, 1), "Reaction": (0, 1)},
        **{"Attacks": (1, 1), "Feet": (10, 30)},
    }
    assistant = replace(scene, house_rules={**scene.house_rules, "fifth_edition.play": "assistant"})
    assert budgets(assistant) == {}


def test_conditions_have_their_sources_and_ends_in_words_and_those_of_the_turn_are_left_out():
    held = Lasting("bo", "start", "bo", is_held=True, save="wis", difficulty=13, effect="Fear")
    also = Lasting("cy")
    scene = with_token(
        battle(ANN, BO), "ann", conditions={"frightened": note_of((held, also)), "acted": "", "prone": ""}
    )
    found = overlay(FIFTH_EDITION, scene, "ann", 0, ()).states
    assert [(one.condition, one.source, one.ends) for one in found] == [
        (
            "frightened",
            f"{scene.token('bo').name} Fear",
            "until the start of Bo's turn, while Bo concentrates, until a wis save of 13",
        ),
        ("frightened", "cy", ""),
        ("prone", "", ""),
    ]
