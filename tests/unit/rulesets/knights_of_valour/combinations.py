"""The states and the acts of the tables of combinations (see tests.unit.rulesets.combinations)."""

from __future__ import annotations

from msgspec.structs import replace

from enfilade.rules.procedures import Act
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.scene.model import Wall
from tests.unit.rulesets.combinations import Combinations
from tests.unit.rulesets.knights_of_valour.scenes import (
    go,
    hero,
    in_round,
    melee,
    monster,
    patch,
    scene,
    shoot,
    with_condition,
    with_token,
    with_tracks,
)


def board(orc=(6, 5), **more):
    ann = hero("ann", (5, 5), hands=["Sword", "Throwing spear"], carried=["Dagger"], **more.pop("sheet", {}))
    return in_round(scene(ann, monster("orc", orc), hero("bo", (1, 1)), **more), "ann")


def wall():
    return board(walls=[Wall(id="w", line=(6 * 64, 0, 6 * 64, 12 * 64))])


STATES = {
    "beside an enemy": board,
    "2 squares from an enemy": lambda: board((7, 5)),
    "beyond the longest range": lambda: board((15, 11), sheet={"strength": -4}),
    "a wall between": wall,
    "a closed door between": lambda: board(
        walls=[Wall(id="d", line=(6 * 64, 0, 6 * 64, 12 * 64), door="door")]
    ),
    "an open door between": lambda: board(
        walls=[Wall(id="d", line=(6 * 64, 0, 6 * 64, 12 * 64), door="door", state="open")]
    ),
    "an enemy 10 feet above": lambda: board(terrain=[patch("raised", (6, 5), height=10)]),
    "an enemy that flies 10 feet up": lambda: with_token(board(), "orc", elevation=128),
    "hangs on a climb": lambda: with_condition(
        with_tracks(board(terrain=[patch("raised", (4, 5), height=20)]), "ann", hanging=4, climb_paid=8),
        "ann",
        "climbing",
        "4,5",
    ),
    "moved": lambda: with_tracks(board(), "ann", moves_used=1),
    "used its Combat Action": lambda: with_tracks(board(), "ann", combat_actions_used=1),
    "acted": lambda: with_condition(board(), "ann", "acted"),
    "out": lambda: with_condition(board(), "ann", "out"),
    "overloaded": lambda: board(sheet={"load": 400}),
    "another's turn": lambda: in_round(board(), "orc"),
    "before the first round": lambda: replace(board(), tracks={}),
    "an enemy off the board": lambda: with_token(board(), "orc", at=None),
    "off the board": lambda: with_token(board(), "ann", at=None),
    "no proficiency": lambda: board(sheet={"proficiency": {}}),
    "after victory": lambda: replace(board(), conditions={"won": "heroes"}),
}

ACTS = {
    "move away": go("ann", 5, 8),
    "move onto the enemy": go("ann", 6, 5),
    "move off the board": go("ann", 40, 40),
    "melee": melee("ann", "orc"),
    "melee at an ally": melee("ann", "bo"),
    "ranged": shoot("ann", "orc", "Throwing spear"),
    **{kind: Act(kind=kind, token="ann", target="orc") for kind in ("shove", "grapple")},
    "draw": Act(kind="draw", token="ann", weapon="Dagger"),
    **{kind: Act(kind=kind, token="ann") for kind in ("throw", "release", "spell", "search", "use")},
    "intent": Act(kind="intent", token="ann"),
    "end": Act(kind="end", token="ann"),
    "round": Act(kind="round", token=""),
}

# What is unfinished as a turn or a round ends

MIDDLE = 3
"""The place of the face that all dice show: a four."""


def hanging(scene):
    return with_condition(with_tracks(scene, "ann", hanging=4, climb_paid=8), "ann", "climbing", "4,5")


def high_ground():
    return board(terrain=[patch("raised", (4, 5), height=20)])


def last_of_round(scene):
    return with_condition(with_condition(scene, "orc", "acted"), "bo", "acted")


def all_acted(scene):
    return with_condition(last_of_round(scene), "ann", "acted")


def counted(scene):
    scene = with_tracks(scene, "ann", moves_used=1, combat_actions_used=1, movement=5, diagonals=1)
    scene = with_condition(scene, "ann", "provoked", "orc")
    return with_condition(scene, "orc", "free attack", "ann")


UNFINISHED = {
    "nothing done": board,
    "moved": lambda: with_tracks(board(), "ann", moves_used=1),
    "a part of a move left": lambda: with_tracks(
        board(house_rules={"split_moves": True}), "ann", moves_used=1, movement=10
    ),
    "half of a diagonal counted": lambda: with_tracks(
        board(house_rules={"diagonals": "5 and 10 feet by turns"}), "ann", diagonals=1
    ),
    "used its Combat Action": lambda: with_tracks(board(), "ann", combat_actions_used=1),
    "a second Move Action left": lambda: with_tracks(
        board(sheet={"buffs": [{"name": "Haste", "kind": "move action", "value": 1}]}), "ann", moves_used=1
    ),
    "hangs on a climb": lambda: hanging(high_ground()),
    "announced an intent": lambda: with_condition(board(), "ann", "intent", "charge"),
    "made a free attack": lambda: with_condition(board(), "orc", "free attack", "ann"),
    "provoked": lambda: with_condition(board(), "ann", "provoked", "orc"),
    "lowered its initiative": lambda: with_tracks(board(), "ann", initiative=-1),
    "on one damage point": lambda: with_tracks(board(), "ann", points=1),
    "an enemy off the board": lambda: with_token(board(), "orc", at=None),
    "off the board": lambda: with_token(board(), "ann", at=None),
    "the last of a round": lambda: last_of_round(board()),
    "all acted": lambda: all_acted(board()),
    "all acted, one hangs": lambda: hanging(all_acted(high_ground())),
    "all acted, intents left": lambda: with_condition(all_acted(board()), "bo", "intent", "wait"),
    "all acted, counts left": lambda: counted(all_acted(board())),
    "defeated in its turn": lambda: with_token(with_condition(board(), "ann", "out"), "ann", at=None),
    "after victory": lambda: replace(board(), conditions={"won": "heroes"}),
}

ENDS = {
    "end": Act(kind="end", token="ann"),
    "end for an enemy": Act(kind="end", token="orc"),
    "act for an enemy": melee("orc", "ann", "Dagger"),
    "round": Act(kind="round", token=""),
}

TABLES = {
    "combinations": Combinations(KNIGHTS_OF_VALOUR, STATES, ACTS),
    "ends": Combinations(KNIGHTS_OF_VALOUR, UNFINISHED, ENDS, MIDDLE),
}
