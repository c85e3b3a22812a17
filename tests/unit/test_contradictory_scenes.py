"""The shell reads every scene that a table takes, and remarks what contradicts itself or the rules."""

from __future__ import annotations

import json

import msgspec
import pytest
from msgspec.structs import replace

from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.store.memory import MemoryStore
from tests.unit.cli.test_main import run, run_json
from tests.unit.rulesets.coup_de_grace import scenes as coup
from tests.unit.rulesets.knights_of_valour import scenes as knights
from tests.unit.rulesets.torn import scenes as torn

COUP = coup.battle(coup.mini("Ann", at=(5, 5)), coup.foe("Orc", at=(5, 4)), coup.foe("Rat", at=(9, 9)))
KNIGHTS = knights.scene(
    knights.hero("ann", (5, 5)), knights.monster("orc", (5, 4)), knights.monster("rat", (9, 9))
)
TORN = torn.scene(
    torn.ally("ann", (10, 10)),
    torn.foe("orc", torn.hexon_cell((1, 0)), size="large"),
    torn.foe("rat", torn.hexon_cell((3, 0))),
)
SCENES = {"coup_de_grace": COUP, "knights_of_valour": KNIGHTS, "torn": TORN}
OUT = {"at": None, "conditions": {"out": ""}}

IN_ONE_GAME = [
    ("coup_de_grace", {"tracks": {"hp": 4}}, "tracks.hp"),
    ("coup_de_grace", {"tracks": {"hp": 1}, "conditions": {"downed": ""}}, "conditions.downed"),
    ("coup_de_grace", {"tracks": {"hp": 1}, **OUT}, "conditions.out"),
    ("coup_de_grace", {"tracks": {"hp": 0}, **OUT}, "conditions.out"),
    ("coup_de_grace", {"tracks": {"hp": -1}, "conditions": {"out": ""}}, "conditions.out"),
    ("coup_de_grace", {"tracks": {"hp": -1}}, "at"),
    ("knights_of_valour", {"tracks": {"points": 21}}, "tracks.points"),
    ("knights_of_valour", {"tracks": {"points": 1}, **OUT}, "conditions.out"),
    ("knights_of_valour", {"tracks": {"points": 0}, "conditions": {"out": ""}}, "conditions.out"),
    ("knights_of_valour", {"tracks": {"points": 0}}, "tracks.points"),
    ("torn", {"tracks": {"wounds": 6}}, "tracks.wounds"),
    ("torn", {"tracks": {"wounds": 1}, **OUT}, "conditions.out"),
    ("torn", {"tracks": {"wounds": 0}, "conditions": {"out": ""}}, "conditions.out"),
    ("torn", {"tracks": {"wounds": 0}}, "tracks.wounds"),
]
"""Changes of the first token, and the field of it that is remarked."""

CONSISTENT = [
    ("coup_de_grace", {"tracks": {"hp": 3}}),
    ("coup_de_grace", {"tracks": {"hp": 0}, "conditions": {"downed": ""}}),
    ("coup_de_grace", {"tracks": {}, "conditions": {"downed": ""}}),
    ("coup_de_grace", {"tracks": {"hp": -1}, **OUT}),
    ("knights_of_valour", {"tracks": {"points": 20}}),
    ("knights_of_valour", {"tracks": {"points": 0}, **OUT}),
    ("torn", {"tracks": {"wounds": 5}}),
    ("torn", {"tracks": {"wounds": 0}, **OUT}),
]

SHARED = [
    ("coup_de_grace", (5, 4)),
    ("knights_of_valour", (5, 4)),
    *(("torn", cell) for cell in torn.hexon_cells((1, 0))),
]
"""Cells that another miniature fills; in Torn each Hex of the Hexon of a large one."""


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a scene in the shell, and returns its remark on each field."""

    def wrong_fields(scene):
        path = tmp_path / "scene.json"
        path.write_bytes(msgspec.json.encode(scene))
        arguments = ("overlay", path, "--token", "rat", "--layers", "targets")
        said = run(*arguments).stderr
        assert json.loads(run(*arguments, "--json").stdout)["token"] == "rat"
        remarks = [line.removeprefix("Remark: ").split(": ", 1) for line in said.splitlines()]
        return {field: [why] for field, why in remarks}

    return wrong_fields


def changed(game, **changes):
    scene = SCENES[game]
    first, *others = scene.tokens
    return replace(scene, tokens=(replace(first, **changes), *others))


@pytest.mark.parametrize("game", SCENES)
def test_a_consistent_scene_is_read(game, read):
    assert read(SCENES[game]) == {}


@pytest.mark.parametrize(("game", "changes"), CONSISTENT)
def test_the_edges_of_what_the_rules_allow_are_read(game, changes, read):
    assert read(changed(game, **changes)) == {}


@pytest.mark.rule("CDG-067", "CDG-068", "KOV-062", "TRN-033")
@pytest.mark.parametrize(("game", "changes", "field"), IN_ONE_GAME)
def test_a_state_that_no_miniature_can_be_in_is_remarked(game, changes, field, read):
    assert list(read(changed(game, **changes))) == [f"tokens[0].{field}"]


@pytest.mark.rule("CDG-001", "KOV-038")
@pytest.mark.parametrize(("game", "cell"), SHARED)
def test_two_miniatures_where_the_rules_allow_one_are_remarked(game, cell, read):
    wrong = read(changed(game, at=cell))
    assert list(wrong) == ["tokens[1].at"]
    assert "Ann" in wrong["tokens[1].at"][0]


@pytest.mark.parametrize("game", SCENES)
def test_an_unknown_track_or_condition_is_remarked_on_the_table_a_side_and_a_token(game, read):
    scene = SCENES[game]
    names = {"tracks": {"zeal": 1}, "conditions": {"sleepy": ""}}
    first, *others = scene.tokens
    token = replace(first, tracks={**first.tracks, "zeal": 1}, conditions={**first.conditions, "sleepy": ""})
    side, *sides = scene.sides
    wrong = read(replace(scene, tokens=(token, *others), sides=(replace(side, **names), *sides), **names))
    holders = ("", "sides[0].", "tokens[0].")
    assert sorted(wrong) == sorted(
        f"{at}{name}" for at in holders for name in ("tracks.zeal", "conditions.sleepy")
    )


@pytest.mark.parametrize("game", SCENES)
def test_each_contradiction_of_a_scene_is_named_at_once(game, read):
    place = SHARED[list(SCENES).index(game)][1]
    wrong = read(changed(game, at=place, conditions={"sleepy": ""}, tracks={"zeal": 1}))
    assert sorted(wrong) == ["tokens[0].conditions.sleepy", "tokens[0].tracks.zeal", "tokens[1].at"]


@pytest.mark.parametrize("game", SCENES)
def test_a_side_that_plays_by_itself_is_no_contradiction(game, read):
    side, *sides = SCENES[game].sides
    automatic = replace(side, conditions={"automatic": ""})
    assert read(replace(SCENES[game], sides=(automatic, *sides))) == {}


def test_without_a_map_creatures_may_share_a_place(read):
    board = changed("knights_of_valour", at=(5, 4))
    assert read(replace(board, house_rules={"knights_of_valour.map": False})) == {}


def test_a_creature_at_0_points_stands_by_a_house_rule(read):
    board = changed("knights_of_valour", tracks={"points": 0})
    rule = {"knights_of_valour.defeat": "below 0 points"}
    assert list(read(board)) == ["tokens[0].tracks.points"]
    assert read(replace(board, house_rules=rule)) == {}


def test_the_scene_after_an_act_is_consistent(tmp_path):
    path = tmp_path / "coup.json"
    board = changed("coup_de_grace", tracks={"hp": 1})
    path.write_bytes(msgspec.json.encode(board))
    blow = json.dumps({"kind": "melee", "token": "orc", "target": "ann", "weapon": "sword"})
    run("resolve", path, "--override", "--act", blow, "--faces", "6", "--out", path)
    assert run_json("overlay", path, "--token", "ann")["card"]


@pytest.mark.parametrize("game", SCENES)
def test_the_shell_and_a_table_take_the_same_scene(game, read):
    # A table got there when a player ended a move on a hidden unit; the shell refused its scene.
    scene = changed(game, at=SHARED[list(SCENES).index(game)][1], hidden=True, tracks={"zeal": 1})
    tables = Tables(MemoryStore(), load_rulesets(BUILT_IN), SeededDice(7))
    links = tables.create(scene)
    table, _ = tables.enter(links.table, links.gm_key)
    assert {token.id: token.at for token in table.scene.tokens}["ann"] == scene.token("ann").at
    assert read(scene)
