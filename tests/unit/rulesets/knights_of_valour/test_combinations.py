"""Each act of a creature in each state: the verdicts of combinations.tsv, cell by cell."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from enfilade.rules.procedures import Act
from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from enfilade.scene.model import Wall
from tests.unit.rulesets.combinations import Cell, Combinations, cells, read_table
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

FILE = Path(__file__).parent / "combinations.tsv"


def board(orc=(6, 5), **more):
    ann = hero("ann", (5, 5), hands=["Sword", "Throwing spear"], **more.pop("sheet", {}))
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
    **{kind: Act(kind=kind, token="ann") for kind in ("throw", "release", "spell", "search", "use")},
    "intent": Act(kind="intent", token="ann"),
    "end": Act(kind="end", token="ann"),
    "round": Act(kind="round", token=""),
}

TABLE = Combinations(KNIGHTS_OF_VALOUR, STATES, ACTS)


@pytest.mark.parametrize("state", STATES)
def test_each_act_has_the_verdict_of_its_cell(state):
    made = list(cells(TABLE._replace(states={state: STATES[state]})))
    assert made == [cell for cell in read_table(FILE) if cell.state == state]


def test_the_table_has_every_cell_and_a_rule_for_each_refusal():
    table = read_table(FILE)
    assert {(cell.state, cell.act) for cell in table} == {(state, act) for state in STATES for act in ACTS}
    assert all(isinstance(cell, Cell) and (cell.verdict == "legal") == (cell.rule == "") for cell in table)
    assert not [cell for cell in table if cell.rule == "-"]
