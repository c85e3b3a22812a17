"""The example of play of the text as one battle, from the first charge to the fall of Pippin.

The printed dice are thrown. The positions of the text do not fit one map (C-13), so the battle departs from
it where a comment says so; test_example_of_play.py has each fight alone, as it is printed.
"""

from __future__ import annotations

import pytest

from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    at_inches,
    facts,
    go,
    hero,
    judged,
    model,
    moved,
    orc,
    points,
    scene,
)

SWORDS = ("x", "y", "first", "second", "north", "south")


class Battle:
    """The scene of a battle that goes on, and the last act in it."""

    def __init__(self, board):
        self.board, self.done = board, None

    def act(self, kind, token, target="", *faces, answers=(), **fields):
        """Do an act with the printed dice; return its result."""
        self.done = go(self.board, act(kind, token, target, **fields), *faces, answers=answers)
        self.board = self.done.scene
        return self.done.result.result

    def activate(self, *tokens):
        self.board = activated(self.board, *tokens)

    def go_to(self, token, *places):
        for at in places:
            self.board = moved(self.board, token, at)

    def has(self, token, condition):
        return self.board.token(token).has(condition)


def opening():
    """Six swordsmen start 12" from Boromir and the halflings, the bowmen behind them; the orcs begin."""

    def uruk(name, at, **sheet):
        return orc(name, at, **{"shield": "shield", "athletic": True, **sheet})

    def halfling(name, at):
        return model(name, at, level=1, short=True, story_protected=True)

    starts = [(10.2, 10.6), (10.2, 9.4), (11.3, 12.75), (11, 13.75), (11, 16.9), (11.1, 17.95)]
    swordsmen = [uruk(name, at) for name, at in zip(SWORDS, starts, strict=True)]
    bowmen = [uruk(f"bow{i}", (20, 28 + 1.1 * i), shield="", missiles=True) for i in range(6)]
    heroes = (
        hero("boromir", (23, 10), shield="shield", athletic=True),
        halfling("merry", (24, 13.5)),
        halfling("pippin", (24, 17.4)),
    )
    return Battle(scene(*heroes, *swordsmen, *bowmen, turn="orcs", size=(28, 40)))


def orc_turn_1(battle):
    battle.activate(*SWORDS)
    battle.act("roll_movement", "x", "", 5, 5, dice=1)
    assert battle.done.result.damage == 12
    contacts = [(22.1, 10.55), (22.1, 9.45), (23.3, 12.75), (23, 13.75), (23, 16.9), (23.1, 17.95)]
    for name, at in zip(SWORDS, contacts, strict=True):
        battle.go_to(name, at)
    battle.act("end", "x")
    assert not facts(battle.done, "strike")  # direct contact and no attack


def hero_turn_1(battle):
    battle.activate("boromir")
    battle.act("defend", "boromir", "x", bonus=1)
    assert battle.act("attack", "boromir", "x", 5, 6, dice=2) == "slain"
    battle.act("defend", "boromir", "y", bonus=1)
    battle.go_to("boromir", (22.5, 11.9))  # to both orcs on Merry, without a die left
    battle.act("end", "boromir", "", 4, 4)
    struck = {one["token"] for one in facts(battle.done, "strike")}
    assert struck == {"first", "second"}
    assert points(battle.board, "orcs") == 0


def orc_turn_2(battle):
    battle.activate("south", "north", "first", "second", "y")
    for name, faces, missed in (("south", (5, 5), 2), ("north", (5, 1), 1)):
        assert battle.act("defend", name, "pippin", *faces, bonus=2) == "defended"
        assert battle.act("attack", name, "pippin", missed, dice=1) == "miss"
    battle.act("defend", "first", "merry", 5, bonus=1)
    battle.act("defend", "first", "boromir", 3, bonus=1)
    battle.act("defend", "second", "merry", 3, bonus=1)
    # The shield fails against Boromir; the action die saves the orc before he attacks.
    assert battle.act("defend", "second", "boromir", 1, 3, bonus=1, answers=["1"]) == "defended"
    assert not facts(battle.done, "strike")
    battle.go_to("second", (21.2, 14.6))  # the free die: 2"
    battle.go_to("first", (22.6, 14.6), (21.5, 16.2))  # the free die and the action die: 4"
    battle.act("end", "y")
    assert not facts(battle.done, "strike")


def hero_turn_2(battle):
    battle.activate("boromir")
    battle.act("roll_movement", "boromir", "", 6, dice=1)
    assert battle.done.result.damage == 6
    # Three orcs, not four, are within an inch: the text has one of the four far away in the next turn.
    battle.go_to("boromir", (22.4, 15.6))
    battle.act("defend", "boromir", "first", 6, 1, 2, 3, 4, bonus=1)
    assert facts(battle.done, "arrows")[0]["dice"] == 5
    assert facts(battle.done, "harm")[0]["negated"] == ["shield"]
    assert points(battle.board, "orcs") == 1
    assert battle.act("attack", "boromir", "first", 1, 2, dice=2) == "miss"
    battle.act("end", "boromir", "", 5, 1)
    assert len(facts(battle.done, "strike")) == 2
    assert points(battle.board, "orcs") == 2


def orc_turn_3(battle):
    battle.activate("south", "north", "first", "second", "y")
    assert battle.act("defend", "south", "pippin", 3, 3, bonus=2) == "defended"
    assert battle.act("attack", "south", "pippin", 1, dice=1) == "miss"
    battle.go_to("y", (22.5, 11.4), (23, 13.3))  # the distant one walks up to Merry
    assert battle.board.token("y").track("dice") == 0
    battle.act("defend", "second", "boromir", 4, bonus=1)
    assert battle.act("attack", "second", "boromir", 2, dice=1) == "miss"
    # The last orc splits its dice; Pippin attacks for no effect.
    battle.act("defend", "north", "pippin", 2, 1, bonus=1, answers=["0"])
    assert len(facts(battle.done, "strike")) == 1
    battle.act("defend", "north", "boromir", 5, bonus=1)
    assert battle.act("attack", "north", "boromir", 1, dice=1) == "miss"
    # A hit, the third point, 15 on the table, and three arrows hit.
    battle.act("defend", "first", "boromir", 3, bonus=1)
    volley = ["none", "3", "volley", "boromir", "alone"]
    battle.act("attack", "first", "boromir", 5, *(5, 5, 5), *(6, 6, 6, 1, 1), dice=1, answers=volley)
    assert facts(battle.done, "story roll")[0]["total"] == 15
    assert battle.has("boromir", "out")
    battle.act("end", "first")
    assert points(battle.board, "orcs") == 0


def hero_turn_3(battle):
    battle.activate("pippin", "merry")
    assert battle.act("fall_back", "pippin", "north", 5, dice=1) == "fell back"
    battle.go_to("pippin", (27, 16.8))
    battle.act("defend", "merry", "y", 5, answers=["0"])
    assert battle.has("merry", "endangered")
    assert not judged(battle.board, "merry", (25, 12.5)).allowed  # he failed in his defense
    battle.act("attack", "merry", "y", 6, dice=1, answers=["shield", "0"])
    battle.act("end", "merry")
    # The text does not book the orcs' point for the endangered halfling (C-14).
    assert (points(battle.board, "heroes"), points(battle.board, "orcs")) == (1, 1)


def orc_turn_4(battle):
    battle.activate("south", "north", "first", "second")
    battle.act("roll_movement", "south", "", 2, dice=0)
    assert battle.done.result.damage == 3
    battle.go_to("south", (26.05, 18.05))
    battle.go_to("north", (25.85, 16.05))
    battle.go_to("second", (23.2, 14.4))
    battle.go_to("first", (24, 17.8))
    # Two of three shield dice fail, both halflings hit, and both hits go to shields.
    battle.act("defend", "south", "pippin", 2, 5, bonus=1, answers=["0", "shield", "0"])
    battle.act("defend", "north", "pippin", 3, bonus=1)
    assert points(battle.board, "heroes") == 2
    lucky = ["0", "shield", "3", "2 dice"]
    battle.act("defend", "second", "merry", 1, 5, *(4, 3, 2), *(4, 4), bonus=1, answers=lucky)
    assert facts(battle.done, "story roll")[0]["total"] == 9
    assert not battle.has("second", "out")
    for name, target in (("south", "pippin"), ("north", "pippin"), ("second", "merry")):
        assert battle.act("attack", name, target, 1, dice=1) == "miss"
    battle.act("end", "south")
    assert points(battle.board, "heroes") == 0


def hero_turn_4(battle):
    battle.activate("merry")
    # Two orcs are near, the text has one; the first roll takes him away from both, so it is the only one.
    assert battle.act("fall_back", "merry", "y", 5, dice=1) == "fell back"
    battle.go_to("merry", (27, 12.2))
    battle.act("end", "merry")
    assert not facts(battle.done, "strike")
    assert not battle.has("merry", "captured")
    assert battle.has("merry", "endangered")


def orc_turn_5(battle):
    battle.activate("south", "north", "first", "second", "y")
    battle.go_to("y", (24.9, 13), (25.8, 12.7))  # one chases Merry down
    # The edge of the board closes the ring. The fourth orc walks 4", so that three attacks rain down.
    battle.go_to("second", (24.9, 14.9), (26.6, 15.3))
    battle.go_to("first", (25.65, 17.08))
    battle.act("defend", "south", "pippin", 1, 2, 5, bonus=2, answers=["0", "shield", "0"])
    assert points(battle.board, "heroes") == 1  # Pippin saves it
    battle.act("defend", "north", "pippin", 3, 3, bonus=2)
    assert battle.act("attack", "south", "pippin", 1, dice=1) == "miss"
    assert battle.act("attack", "north", "pippin", 5, dice=1, answers=["0"]) != "miss"
    assert battle.has("pippin", "endangered")
    # Who walked up attacks too, and so defends first.
    battle.act("defend", "first", "pippin", 4, bonus=1)
    assert battle.act("attack", "first", "pippin", 2, dice=1) == "miss"
    battle.act("end", "south")
    assert not battle.has("pippin", "captured")


def hero_turn_5(battle):
    battle.activate("pippin")
    x, _ = at_inches(battle.board, "pippin")
    assert battle.act("fall_back", "pippin", "north", 5, dice=1) == "fell back"
    assert at_inches(battle.board, "pippin")[0] - x <= 0.5  # there is no room for 2"


@pytest.mark.rule("MNC-006", "MNC-073", "MNC-074", "MNC-116")
def test_the_example_of_play_is_one_battle():
    battle = opening()
    for turn in (
        orc_turn_1,
        hero_turn_1,
        orc_turn_2,
        hero_turn_2,
        orc_turn_3,
        hero_turn_3,
        orc_turn_4,
        hero_turn_4,
        orc_turn_5,
        hero_turn_5,
    ):
        turn(battle)
    assert [name for name in SWORDS if battle.has(name, "out")] == ["x"]
