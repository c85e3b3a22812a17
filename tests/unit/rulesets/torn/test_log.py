"""The log text: each step in a plain sentence, house values marked as such (TRN-032, TRN-104)."""

from __future__ import annotations

import pytest

from enfilade.rules.procedures import Act
from enfilade.rulesets.torn import TORN
from enfilade.scene.events import ChoiceMade
from tests.unit.rulesets.torn.scenes import (
    MOVE,
    PLAIN,
    SWORD,
    ally,
    attack,
    do,
    explanation_facts,
    foe,
    scene,
    shoot,
    text_of,
)

TEN, NEXT = (10, 10), (11, 10)


@pytest.mark.rule("TRN-104")
def test_the_log_has_each_step_of_an_attack():
    tile = {**SWORD, "marker": "bleeding"}
    board = scene(ally("aldis", TEN, tiles=(tile,)), foe("orc", NEXT, tiles=({**PLAIN, "damage": 2},)))
    faces = "C-" + "S" + "S" + "S" + "C-" + "S" + "-"
    done = do(board, attack("aldis", "orc"), faces, ("attack blank 1", "defend", "blank 1", "0", "1"))
    assert text_of(board, done) == (
        "Aldis attacks Orc with Sword Strike. "
        "Aldis takes 2 wounds, 3 left. Orc takes 2 wounds, 3 left. Orc gets Bleeding.\n"
        "2 Attack, 1 Skill, 1 Agility; damage 1 physical. "
        "Blue: Aldis, Sword Strike → Orc: Reroll with Agility? Reroll 1 blank Attack die. "
        "Attack: attack C -, skill S, agility S, attack reroll S; 1 success, 1 critical, 1 Skill. "
        "Red: Aldis, Sword Strike → Orc: Defend or Evade? Defend with all dice in the shield. "
        "Red: Aldis, Sword Strike → Orc: Reroll with Agility? Reroll 1 blank Defense die. "
        "Red: Aldis, Sword Strike → Orc: How many Defense criticals cancel criticals? "
        "(The rest cancel successes and strike back.) 0. "
        "Blue: Aldis, Sword Strike → Orc: How many Skill dice are used? 1. "
        "Defense: defense C -, agility S, defense reroll -; 0 successes, 1 critical (0 on criticals), "
        "1 Skill used; 2 wounds, 2 back."
    )


@pytest.mark.rule("TRN-011", "TRN-104")
def test_the_log_names_each_miniature_that_an_area_attack_hits_beside_its_target():
    sweep = {**PLAIN, "name": "Sweep", "area": True}
    board = scene(ally("aldis", TEN, tiles=(sweep,)), foe("orc", NEXT), foe("imp", (10, 9)))
    done = do(board, attack("aldis", "orc", "Sweep"), "S-" + "--" + "-" + "--" + "-")
    hit = [(one["token"], one["target"], one["act"]) for one in explanation_facts(done, "area attack")]
    assert hit == [("aldis", "imp", "Sweep")]


@pytest.mark.rule("TRN-032", "TRN-104")
def test_the_log_has_a_removal_and_a_victory():
    board = scene(ally("aldis", TEN, tiles=(PLAIN,)), foe("orc", NEXT, wounds=1))
    done = do(board, attack("aldis", "orc", "Strike"), "S-" + "-")
    text = text_of(board, done)
    assert "Orc takes 1 wound, 0 left. Orc is removed from the battlefield." in text
    assert text.split("\n")[0].endswith("Blue wins the battle!")


def test_the_log_calls_a_hex_as_the_board_labels_it():
    made = ChoiceMade(side="blue", question="Where to?", answer="12,3", automatic=False)
    assert TORN.narrate(scene(ally("aldis", TEN)), [made]) == "Blue: Where to? M4."


def test_the_log_names_the_tile_of_a_move():
    board = scene(ally("aldis", TEN, tiles=(MOVE,)))
    assert (
        text_of(board, do(board, Act(kind="move", token="aldis", at=(12, 10)))) == "Aldis uses Move: 2 Hexes."
    )


def test_the_card_marks_dice_faces_as_house_values():
    board = scene(ally("aldis", TEN))
    lines = {line.label: line for line in TORN.card(board, board.token("aldis"))}
    assert lines["Dice"].value == "Attack SSSC--, Defense SSC---, Skill SSS---, Agility SSS---"
    assert "house values" in lines["Dice"].note
    assert all("house value" in rule.sentence for rule in TORN.house_rules if rule.key.endswith("_die"))


@pytest.mark.rule("TRN-066", "TRN-076")
def test_the_log_tells_no_way_for_one_that_a_free_attack_removes():
    board = scene(ally("aldis", TEN, tiles=(PLAIN, MOVE), wounds=1), foe("orc", NEXT))
    done = do(board, Act(kind="move", token="aldis", at=(7, 10)), "SS" + "-", ("Strike",))
    assert done.scene.token("aldis").at is None
    text = text_of(board, done)
    assert text.startswith("Aldis begins to move with Move. Orc makes a Free Attack on Aldis")
    assert "Hexes" not in text.split("\n")[0]


def test_the_log_says_where_one_comes_on_and_who_stays():
    board = scene(ally("aldis", None, tiles=(MOVE,)))
    entered = do(board, Act(kind="move", token="aldis", at=(12, 10)))
    assert text_of(board, entered).startswith("Aldis comes on at ")
    stays = do(scene(ally("aldis", TEN)), Act(kind="move", token="aldis", at=TEN))
    assert text_of(scene(ally("aldis", TEN)), stays) == "Aldis stays where it is."


@pytest.mark.rule("TRN-081", "TRN-088")
def test_an_attack_does_not_take_effect_before_the_log_says_that_its_target_is_immune():
    gust = {"name": "Wind Gust", "kind": "ranged", "range": 4, "unit": "hexon", "attack": 2}
    gust |= {"agility": 1, "effect": "shift", "type": "mental"}
    board = scene(ally("sister", TEN, tiles=(gust,)), foe("orc", (13, 10), immune=("mental",)))
    text = text_of(board, do(board, shoot("sister", "orc", "Wind Gust"), "SS" + "-"))
    assert "Orc is immune to mental damage." in text
    assert "takes effect" not in text


@pytest.mark.rule("TRN-031", "TRN-033")
def test_a_battle_in_which_the_last_two_remove_each_other_ends_with_a_word():
    blade = {**PLAIN, "damage": 9}
    board = scene(ally("aldis", TEN, tiles=(blade,)), foe("orc", NEXT, tiles=(blade,), is_fresh=True))
    done = do(board, attack("aldis", "orc", "Strike"), "SS" + "-" + "SS" + "-", ("Strike",))
    assert not done.scene.on_board()
    assert "No miniature is left: the battle ends without a winner." in text_of(board, done)
