"""Ends of activations at their limits: whose turn follows, which round it is, and what distances allow."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.miniatures_combat.offers import attacks_in_range
from enfilade.scene.model import Side
from tests.unit.rulesets.miniatures_combat.scenes import (
    HEROES,
    ORCS,
    act,
    activated,
    fighter,
    go,
    hero,
    model,
    orc,
    scene,
    with_conditions,
)

SIDES = (HEROES, ORCS, Side(id="elves", name="Elves"), Side(id="dwarves", name="Dwarves"))


def battle(turn):
    """A model of each of four sides far from the others."""
    tokens = [
        hero("heroes", (10, 10)),
        orc("orcs", (50, 10)),
        model("elves", (10, 30), side="elves"),
        model("dwarves", (50, 30), side="dwarves"),
    ]
    return scene(*tokens, turn=turn, sides=SIDES)


@pytest.mark.rule("MNC-006")
@pytest.mark.parametrize(
    ("turn", "gone", "following"),
    [
        ("heroes", (), "orcs"),
        ("orcs", (), "elves"),
        ("elves", (), "dwarves"),
        ("dwarves", (), "heroes"),
        ("heroes", ("orcs",), "elves"),
        ("heroes", ("orcs", "elves"), "dwarves"),
        ("elves", ("dwarves",), "heroes"),
        ("elves", ("dwarves", "heroes"), "orcs"),
    ],
)
def test_the_turn_passes_to_the_next_side_that_fights(turn, gone, following):
    board = activated(battle(turn), turn)
    for key in gone:
        board = with_conditions(board, key, out="")
    assert go(board, act("end", turn)).scene.conditions["side"] == following


@pytest.mark.rule("MNC-006")
def test_a_battle_whose_rounds_were_not_counted_is_in_its_second_once_each_side_has_had_its_turn():
    board = activated(battle("dwarves"), "dwarves")
    named = {key: note for key, note in board.conditions.items() if key != "begins"}
    after = go(replace(board, tracks={}, conditions=named), act("end", "dwarves")).scene
    assert (after.track("round"), after.track("turn")) == (2, 2)


@pytest.mark.rule("MNC-084", "MNC-091", "MNC-096")
@pytest.mark.parametrize(
    ("gap", "kinds"), [(64, ["attack", "push"]), (65, ["lunge"]), (192, ["lunge"]), (193, [])]
)
def test_the_distance_allows_a_lunge_beyond_an_inch_and_other_strikes_up_to_it(gap, kinds):
    board = scene(hero("one", (10, 10)), orc("o", (12, 10)))
    found = attacks_in_range(fighter(board, "one"), fighter(board, "o"), gap)
    assert [one.kind for one in found] == kinds
