"""The shell command refuses illegal moves, and lists the dice and answers that an act may ask for."""

from __future__ import annotations

import json

import msgspec
import pytest

from enfilade.cli.scene import REFUSAL_BUDGET
from enfilade.rules import questions
from enfilade.rules.resolve import resolve
from tests.unit.cli.test_main import act, mini, profile, run, run_json, scene_file
from tests.unit.rulesets.knights_of_valour import scenes as knights
from tests.unit.rulesets.torn import scenes as torn
from tests.unit.rulesets.torn.test_area_odds import battle

__all__ = ["scene_file"]


def refuse(*arguments):
    """Return the error of a command with --json, which ends with exit status 2."""
    result = run(*arguments, "--json", code=2)
    assert result.stderr == ""
    return json.loads(result.stdout)["error"]


@pytest.fixture
def duel(scene_file):
    return scene_file(mini("bran", "a", [5, 5]), mini("foe", "b", [5, 4], 180))


@pytest.fixture
def board_file(tmp_path):
    def write(board):
        path = tmp_path / "board.json"
        path.write_bytes(msgspec.json.encode(board))
        return path

    return write


FAR = act("move", "bran", at=[20, 20])


@pytest.mark.parametrize("enforcement", ["advise", "enforce"])
@pytest.mark.parametrize("command", ["resolve", "odds"])
@pytest.mark.rule("CDG-033")
def test_a_move_beyond_the_allowance_is_refused_with_its_rule(scene_file, command, enforcement):
    scene = scene_file(mini("bran", "a", [5, 5]), enforcement=enforcement)
    error = refuse(command, scene, "--act", FAR)
    assert (error["code"], error["rule"]) == ("illegal-act", "CDG-033")
    assert "movement points" in error["sentence"]
    assert "illegal-act: It costs" in run(command, scene, "--act", FAR, code=2).stderr


def test_a_move_of_torn_into_a_miniature_is_refused(board_file):
    scene = board_file(
        torn.scene(torn.ally("aldis", (10, 10), tiles=(torn.MOVE,)), torn.foe("orc", (11, 10)))
    )
    for at in ([11, 10], [25, 25]):
        assert refuse("resolve", scene, "--act", act("move", "aldis", at=at))["code"] == "illegal-act"
    assert run_json("resolve", scene, "--act", act("move", "aldis", at=[9, 10]), "--answers", '["no"]')


def test_the_override_of_a_gm_resolves_what_the_rules_forbid(duel):
    moved = run_json("resolve", duel, "--override", "--act", FAR)
    assert moved["scene"]["tokens"][0]["at"] == [20, 20]
    far = act("melee", "foe", "bran", "sword")
    assert run_json("resolve", duel, "--override", "--act", far, "--faces", "6")["outcome"]["result"] == "hit"


@pytest.mark.parametrize(
    ("more", "field"), [({}, "act.at"), ({"at": [40, 5]}, "act.at"), ({"at": [5, 40]}, "act.at")]
)
def test_a_move_to_nowhere_names_the_field(scene_file, more, field):
    scene = scene_file(mini("bran", "a", None))
    assert list(refuse("resolve", scene, "--act", act("move", "bran", **more))["fields"]) == [field]


def test_a_refused_attack_is_json_with_its_rule(duel):
    error = refuse("odds", duel, "--act", act("melee", "bran", "bran", "sword"))
    assert error == {"code": "illegal-act", "sentence": error["sentence"], "rule": "CDG-052"}


def test_an_unknown_act_lists_the_acts(duel):
    (sentences,) = refuse("odds", duel, "--act", act("dance", "bran"))["fields"].values()
    assert "melee, ranged" in sentences[1]


@pytest.mark.parametrize(("faces", "answers"), [("", "[]"), ("9", "[]"), ("2,2", "[]"), ("2", '["yes"]')])
def test_every_error_about_dice_lists_the_faces_and_answers(scene_file, faces, answers):
    human = profile("light", "human")
    scene = scene_file(mini("bran", "a", [5, 5], 0, human), mini("foe", "b", [5, 4], 180))
    arguments = ("resolve", scene, "--act", act("melee", "bran", "foe", "sword"))
    given = ("--faces", faces, "--answers", answers)
    found = refuse(*arguments, *given)["questions"]
    assert [(roll["label"], roll["faces"]) for roll in found["rolls"]] == [
        ("attack", [1, 2, 3, 4, 5, 6]),
        ("attack, reroll", [1, 2, 3, 4, 5, 6]),
    ]
    assert [[answer["key"] for answer in one["answers"]] for one in found["questions"]] == [["yes", "no"]]
    assert '  "yes"  Yes' in run(*arguments, *given, code=2).stderr


@pytest.mark.rule("TRN-014", "TRN-019")
def test_odds_list_the_faces_and_all_answer_keys_of_torn(board_file):
    board = torn.scene(torn.ally("aldis", (10, 10)), torn.foe("orc", (11, 10), is_fresh=True))
    asked = act("melee", "aldis", "orc", "Sword Strike")
    found = run_json("odds", board_file(board), "--questions", "--act", asked)["questions"]
    assert found["is_complete"]
    assert {tuple(roll["faces"]) for roll in found["rolls"]} == {("S", "C", "-"), ("S", "-")}
    keys = {
        (one["side"], one["question"]): [answer["key"] for answer in one["answers"]]
        for one in found["questions"]
    }
    assert keys["red", "Orc: Counter Attack on Aldis?"] == ["Strike", "no"]
    first, counter = "Aldis, Sword Strike → Orc: ", "Orc, Strike → Aldis: "
    assert keys["red", first + "Defend or Evade?"] == ["defend", "evade"]
    assert keys["blue", counter + "Defend or Evade?"] == ["defend", "evade"]
    assert {"keep", "attack blank 1", "skill blank 1", "attack success 1"} <= {
        *keys["blue", first + "Reroll with Agility?"]
    }
    assert "blank 1" in keys["red", first + "Reroll with Agility?"]
    text = run("odds", board_file(board), "--questions", "--act", asked).output
    assert "attack: 2 Attack at most, with the faces S C -" in text


def test_an_act_without_dice_says_so(duel):
    assert "rolls no dice" in run("odds", duel, "--questions", "--act", act("move", "bran", at=[5, 6])).output


@pytest.mark.rule("TRN-066", "TRN-092")
def test_odds_of_acts_that_draw_reactions_show_wounds(board_file):
    strike = {"name": "Strike", "kind": "melee", "attack": 1, "damage": 1}
    card = {"defense": 0, "agility": 0}
    roar = {"name": "Roar", "kind": "melee", "effect": "panic test"}
    board = torn.scene(
        torn.ally("aldis", (10, 10), tiles=(torn.MOVE, roar), **card),
        torn.foe("orc", (11, 10), tiles=(strike,), is_fresh=True),
    )
    moved = run_json("odds", board_file(board), "--act", act("move", "aldis", at=[9, 10]))
    assert {o["outcome"]: o["chance"] for o in moved["outcomes"]} == {
        "moved, loses 1": [2, 3],
        "moved": [1, 3],
    }
    roared = run_json("odds", board_file(board), "--act", act("melee", "aldis", "orc", "Roar"))
    assert {o["outcome"]: o["chance"] for o in roared["outcomes"]} == {
        "effect, attacker loses 1": [2, 3],
        "effect": [1, 3],
    }


def test_odds_of_a_round_show_who_begins(board_file, scene_file):
    board = torn.scene(torn.ally("aldis", (10, 10)), torn.foe("orc", (14, 10)))
    found = run_json("odds", board_file(board), "--act", act("round", ""))
    assert found["exact"]
    assert {o["outcome"] for o in found["outcomes"]} == {
        "round, Blue activates first",
        "round, Red activates first",
    }
    scene = scene_file(mini("bran", "a", [5, 5]), mini("ann", "a", [6, 5]), mini("foe", "b", [5, 4], 180))
    (only,) = run_json("odds", scene, "--act", act("round", ""))["outcomes"]
    assert only == {"outcome": "round, A activates first", "chance": [1, 1]}
    heroes = knights.scene(knights.hero("slow", (1, 1)), knights.monster("quick", (9, 9), agility=3))
    (only,) = run_json("odds", board_file(heroes), "--act", act("round", ""))["outcomes"]
    assert only == {"outcome": "round, Quick has the first turn", "chance": [1, 1]}


def test_the_overlay_of_torn_names_chances_and_needs_no_number(board_file):
    board = torn.scene(torn.ally("aldis", (10, 10)), torn.foe("orc", (11, 10)))
    output = run("overlay", board_file(board), "--token", "aldis").output
    assert "Sword Strike at orc: " in output
    assert "None" not in output


@pytest.mark.parametrize("command", ["odds", "resolve"])
@pytest.mark.parametrize(
    ("given", "field"),
    [({"kind": "end"}, "act.token"), ({"kind": "melee", "token": "bran", "weapon": "sword"}, "act.target")],
)
def test_an_act_without_the_token_that_it_needs_names_the_field(duel, command, given, field):
    error = refuse(command, duel, "--act", json.dumps(given))
    assert error["fields"] == {field: [f"The act {given['kind']} needs the ID of a token here."]}


def test_a_token_that_is_not_there_is_named(duel):
    error = refuse("odds", duel, "--act", act("melee", "bran", "ghost", "sword"))
    assert error["code"] == "not-found"
    assert "ghost" in error["sentence"]


def test_the_overlay_tells_apart_the_directions_of_a_spell(scene_file):
    mage = profile("unarmored", "human", "air staff")
    scene = scene_file(mini("wren", "a", [5, 5], 0, mage), mini("foe", "b", [5, 1], 180))
    lines = run("overlay", scene, "--token", "wren", "--layers", "targets").output.splitlines()
    spells = [line for line in lines if line.startswith("air staff, spell")]
    assert spells == [f"air staff, spell, facing {facing}: possible" for facing in (0, 90, 180, 270)]


def tied_heroes():
    tied = [knights.hero(f"h{place}", (place, 5)) for place in range(8)]
    return knights.scene(*tied, knights.monster("orc", (9, 9))), act("round", "")


def area_attack():
    return battle(5, 6), act("melee", "giant", target="foe0", weapon="Sweep")


@pytest.mark.parametrize("made", [tied_heroes, area_attack])
def test_a_wrong_number_of_dice_is_answered_after_a_few_runs(monkeypatch, board_file, made):
    # The list of all questions of an act took up to 40 seconds.
    (board, asked), runs = made(), []

    def counted(*arguments):
        runs.append(1)
        return resolve(*arguments)

    monkeypatch.setattr(questions, "resolve", counted)
    given = ("resolve", board_file(board), "--act", asked, "--faces", ",".join("1" * 40))
    assert refuse(*given)["questions"]["questions"]
    assert 1 <= len(runs) <= REFUSAL_BUDGET
