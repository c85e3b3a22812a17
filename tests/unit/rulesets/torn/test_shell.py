"""The worked examples of Torn, asked through the command line."""

from __future__ import annotations

import json

import pytest

from tests.unit.rulesets.torn.scenes import (
    BOARD,
    BOW,
    MOVE,
    PLAIN,
    SWORD,
    ally,
    foe,
    hexon_cell,
    hexon_cells,
    landscape,
    scene,
)

TEN, NEXT = (10, 10), (11, 10)


def act(token, target, weapon, kind="melee"):
    return json.dumps({"kind": kind, "token": token, "target": target, "weapon": weapon})


def targets(found):
    return {t["target"]: t["legal"] for t in found["targets"] if t["target"]}


@pytest.mark.rule("TRN-006", "TRN-007")
def test_trn_t01_and_t02_legal_targets_of_sword_strike_and_bowshot(ask):
    board = scene(ally("aldis", TEN, tiles=(SWORD,)), foe("near", NEXT), foe("far", (12, 10)))
    assert targets(ask(board, "overlay", "--token", "aldis")) == {"near": True, "far": False}
    board = scene(
        ally("wren", TEN, tiles=(BOW,)), foe("four", hexon_cell((4, 0))), foe("five", hexon_cell((5, 0)))
    )
    assert targets(ask(board, "overlay", "--token", "wren")) == {"four": True, "five": False}


@pytest.mark.rule("TRN-024")
def test_trn_t05_noctis_cancels_two_successes_and_strikes_back_with_a_critical(ask):
    dagger = {"name": "Dagger Strike", "kind": "melee", "attack": 4, "skill": 2, "agility": 3, "damage": 1}
    mace = {**PLAIN, "name": "Mace", "damage": 3}
    board = scene(
        ally("rogue", TEN, tiles=(dagger,), wounds=4),
        foe("noctis", NEXT, tiles=(mace,), defense=2, agility=1),
    )
    faces = "S,S,-,-,S,-,S,S,-,C,-,-,C,S,S"
    answers = json.dumps(["attack blank 2", "defend", "blank 1", "0", "1"])
    found = ask(
        board,
        "resolve",
        "--act",
        act("rogue", "noctis", "Dagger Strike"),
        "--faces",
        faces,
        "--answers",
        answers,
    )
    assert found["outcome"] == {"result": "hit", "damage": 2, "leaves": "attacker loses 3"}


@pytest.mark.rule("TRN-048")
@pytest.mark.parametrize("chirality", ["left", "right"])
def test_trn_t10_the_blind_zone_on_the_overlay(ask, chirality):
    terrain = [landscape((1, 0), chirality=chirality)]
    rim = sorted(hexon_cells((0, 0), chirality))
    beside = next(cell for cell in rim if cell != TEN and _touches(cell, terrain[0].cells))
    board = scene(ally("a", beside), terrain=terrain, chirality=chirality)
    found = ask(board, "overlay", "--token", "a", "--layers", "blind")
    (zone,) = found["areas"]
    cells = {(x, row) for row, first, last in zone["runs"] for x in range(first, last + 1)}
    for hexon in [(1, 0), (2, 0), (2, -1), (1, 1)]:
        assert set(hexon_cells(hexon, chirality)) <= cells
    for hexon in [(0, 0), (1, -1), (0, 1), (-1, 0)]:
        assert not set(hexon_cells(hexon, chirality)) & cells


def _touches(cell, others):
    return any(other in others for other in BOARD.neighbors(cell))


@pytest.mark.rule("TRN-061")
def test_trn_t14_odds_of_a_shot_into_a_group_are_exact(ask):
    board = scene(ally("wren", (4, 10), tiles=(BOW,)), foe("soldier", TEN), foe("grenadier", (9, 10)))
    found = ask(board, "odds", "--act", act("wren", "soldier", "Bowshot", "ranged"))
    assert found["exact"]


@pytest.mark.rule("TRN-085")
def test_trn_t17_crushing_through_the_shell(ask):
    board = scene(
        ally("faceless", TEN, tiles=({**PLAIN, "damage": 5},)), foe("swordsman", NEXT, wounds=5, agility=2)
    )
    found = ask(board, "resolve", "--act", act("faceless", "swordsman", "Strike"), "--faces", "S,-,S,-")
    assert found["outcome"]["result"] == "miss"
    assert "Evade" in found["text"]


@pytest.mark.rule("TRN-066")
def test_free_attacks_are_named_before_the_move(ask):
    board = scene(ally("aldis", TEN, tiles=(MOVE,)), foe("orc", NEXT))
    found = ask(board, "overlay", "--token", "aldis", "--layers", "reactions")
    assert [area["label"] for area in found["areas"]] == ["Move: Free Attack by Orc"]
