"""Each act of a character in each state: the verdicts of combinations.tsv, cell by cell."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from enfilade.rules.procedures import Act
from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.scene.model import Terrain, Wall
from tests.unit.rulesets.combinations import Combinations, cells, read_table
from tests.unit.rulesets.double_life.scenes import attack, fighter, foe, go, scene, second_life, with_token

FILE = Path(__file__).parent / "combinations.tsv"
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

TABLE = Combinations(DOUBLE_LIFE, STATES, ACTS)


@pytest.mark.parametrize("state", STATES)
def test_each_act_has_the_verdict_of_its_cell(state):
    made = list(cells(TABLE._replace(states={state: STATES[state]})))
    assert made == [cell for cell in read_table(FILE) if cell.state == state]


def test_the_table_has_every_cell_and_a_rule_for_each_refusal():
    table = read_table(FILE)
    assert {(cell.state, cell.act) for cell in table} == {(state, act) for state in STATES for act in ACTS}
    assert all((cell.verdict == "legal") == (cell.rule == "") for cell in table)
    assert not [cell for cell in table if cell.rule == "-"]
