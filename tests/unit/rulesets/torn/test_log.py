"""The log: every step in plain sentences, house values named as such (TRN-032, TRN-104)."""

from __future__ import annotations

import pytest

from enfilade.rules.procedures import Act
from enfilade.rulesets.torn import TORN
from tests.unit.rulesets.torn.scenes import MOVE, PLAIN, SWORD, attack, do, foe, mini, scene, text_of

TEN, NEXT = (10, 10), (11, 10)


@pytest.mark.rule("TRN-104")
def test_an_attack_is_told_step_by_step():
    tile = {**SWORD, "marker": "bleeding"}
    board = scene(mini("aldis", TEN, tiles=(tile,)), foe("orc", NEXT, tiles=({**PLAIN, "damage": 2},)))
    faces = "C-" + "S" + "S" + "S" + "C-" + "S" + "-"
    done = do(board, attack("aldis", "orc"), faces, ("attack blank 1", "defend", "blank 1", "0", "1"))
    assert text_of(board, done) == (
        "Aldis attacks Orc with Sword Strike (2 Attack, 1 Skill, 1 Agility; damage 1 physical). "
        "Blue decides: Re-roll with Agility: attack blank 1. "
        "Attack: attack C -, skill S, agility S, attack, again S; 1 success, 1 critical, 1 Skill. "
        "Red decides: Defend or Evade: defend. "
        "Red decides: Re-roll with Agility: blank 1. "
        "Red decides: How many Defence criticals cancel criticals? "
        "The others cancel successes and strike back: 0. "
        "Blue decides: How many Skill dice are used: 1. "
        "Defence: defence C -, agility S, defence, again -; 0 successes, 1 critical, 0 of them on criticals, "
        "1 Skill used; 2 wounds, 2 back. "
        "Aldis takes 2 wound markers, 3 left. Orc takes 2 wound markers, 3 left. Orc gets Bleeding."
    )


@pytest.mark.rule("TRN-032", "TRN-104")
def test_a_removal_and_a_victory_are_told():
    board = scene(mini("aldis", TEN, tiles=(PLAIN,)), foe("orc", NEXT, wounds=1))
    done = do(board, attack("aldis", "orc", "Strike"), "S-" + "-")
    text = text_of(board, done)
    assert "Orc takes 1 wound marker, 0 left. Orc is removed from the battlefield." in text
    assert text.endswith("Blue wins the battle!")


def test_a_move_is_told_with_the_action_that_made_it():
    board = scene(mini("aldis", TEN, tiles=(MOVE,)))
    assert (
        text_of(board, do(board, Act(kind="move", token="aldis", at=(12, 10)))) == "Aldis does Move: 2 Hexes."
    )


def test_faces_and_conditions_are_shown_as_house_values():
    board = scene(mini("aldis", TEN))
    lines = {line.label: line for line in TORN.card(board, board.token("aldis"))}
    assert lines["Dice"].value == "Attack SSSC--, Defence SSC---, Skill SSS---, Agility SSS---"
    assert "house values" in lines["Dice"].note
    assert all("house value" in rule.sentence for rule in TORN.house_rules if rule.key.endswith("_die"))
