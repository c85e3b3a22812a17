"""The states and the acts of the tables of combinations (see tests.unit.rulesets.combinations)."""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.rules.procedures import Act
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.scene.model import Terrain, Wall
from tests.unit.rulesets.combinations import Combinations
from tests.unit.rulesets.double_life.scenes import attack, fighter, foe, go, scene, second_life, with_token

BETWEEN = Wall(id="w", line=(0, 3 * 64, 12 * 64, 3 * 64))


def board(orc=(5, 2), number=1, conditions=None, **more):
    sheet = {"mastery": 3, "conditions": conditions or {}, **more.pop("sheet", {})}
    return scene(
        fighter("ann", (5, 3), **sheet), fighter("bo", (1, 8)), foe("orc", orc), number=number, **more
    )


STATES = {
    "beside an enemy": board,
    "4 cases from an enemy": lambda: board((5, 7)),
    "an enemy out of sight": lambda: board(
        (5, 7), terrain=[Terrain("w", "Wood", ((5, 5),), blocks_sight=True)]
    ),
    "a wall between": lambda: board(walls=[BETWEEN]),
    "a closed door between": lambda: board(walls=[replace(BETWEEN, door="door")]),
    "an open door between": lambda: board(walls=[replace(BETWEEN, door="door", state="open")]),
    "a gnome beside an enemy": lambda: board(sheet={"race": "gnome"}),
    "fallen": lambda: board(conditions={"fallen": "1"}),
    "controls a second-life": lambda: board(conditions={"second-life": ""}),
    "out": lambda: board(conditions={"out": ""}),
    "before the first round": lambda: board(number=0),
    "an enemy off the board": lambda: with_token(board(), "orc", at=None),
    "off the board": lambda: with_token(board(), "ann", at=None),
    "after victory": lambda: replace(board(), conditions={"won": "blue"}),
    "after the end of combat": lambda: replace(board(), conditions={"won": "blue", "ended": ""}),
}

ACTS = {
    "attack": attack("ann", "orc"),
    "attack an ally": attack("ann", "bo"),
    "attack with another's weapon": attack("ann", "orc", "Club"),
    "second-life": second_life("ann", "orc"),
    "move 1 case": go("ann", 6, 4),
    "move onto the enemy": go("ann", 5, 2),
    "move off the board": go("ann", 40, 40),
    "move too far": go("ann", 11, 9),
    "round": Act(kind="round", token=""),
    "end": Act(kind="end", token=""),
}

# What is unfinished as a round, or the combat, ends

THROW_OF_10 = 9
"""The place of a ten on a D20: an attack of 10 succeeds barely."""


def last_round(**more):
    return board(number=2, **more)


UNFINISHED = {
    "nothing": last_round,
    "fell in this round": lambda: last_round(conditions={"fallen": "2"}),
    "fell in an earlier round": lambda: last_round(conditions={"fallen": "1"}),
    "controls a second-life": lambda: last_round(conditions={"second-life": ""}),
    "has a stance": lambda: last_round(conditions={"stance": "defends the front"}),
    "no poise left": lambda: last_round(sheet={"tracks": {"poise": 0}}),
    "one Health left": lambda: last_round(sheet={"tracks": {"health": 1}}),
    "no Energy left": lambda: last_round(sheet={"tracks": {"energy": 0}}),
    "a gnome on an enemy's case": lambda: with_token(last_round(sheet={"race": "gnome"}), "ann", at=(5, 2)),
    "off the board": lambda: with_token(last_round(), "ann", at=None),
    "won": lambda: replace(last_round(), conditions={"won": "blue"}),
    "won, one fallen": lambda: replace(
        last_round(conditions={"fallen": "2", "second-life": "", "stance": "focuses"}),
        conditions={"won": "blue"},
    ),
    "ended": lambda: replace(last_round(), conditions={"won": "blue", "ended": ""}),
}

ENDS = {"round": ACTS["round"], "end": ACTS["end"]}

TABLES = {
    "combinations": Combinations(DOUBLE_LIFE, STATES, ACTS),
    "ends": Combinations(DOUBLE_LIFE, UNFINISHED, ENDS, THROW_OF_10),
}
