"""The board's regions, and the bodies of large tokens."""

from __future__ import annotations

from msgspec.structs import replace
from tests.example import FIRST_BLOOD
from tests.unit.play.duel import SCENE

from enfilade.importers.demo import demo_battle
from enfilade.play.command import ruleset_info
from enfilade.play.setup import prepare_scene
from enfilade.play.tables import Tables
from enfilade.rules.dice import SeededDice
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets.torn import TORN
from enfilade.scene.model import GM, SPECTATOR, Scene
from enfilade.store.memory import MemoryStore
from enfilade.tactics.board_info import MAX_CELLS, bodies, regions

FORD = prepare_scene(TORN, demo_battle(TORN).scene)


def _cells(runs):
    return {(column, row) for row, first, last in runs for column in range(first, last + 1)}


def _table(scene: Scene = FORD):
    tables = Tables(MemoryStore(), load_rulesets((TORN,)), SeededDice(1))
    links = tables.create(scene)
    return tables.enter(links.table, links.gm_key)[0]


def _with_rules(scene: Scene, **rules) -> Scene:
    return replace(scene, house_rules={f"torn.{name}": value for name, value in rules.items()})


def test_the_regions_of_torn_are_hexons_that_cover_every_hex_once():
    found = [_cells(area.runs) for area in regions(TORN, FORD)]
    assert sum(len(cells) for cells in found) == 22 * 16
    assert len(set().union(*found)) == 22 * 16
    assert max(len(cells) for cells in found) == 7


def test_house_rules_change_the_regions():
    here = {frozenset(_cells(area.runs)) for area in regions(TORN, FORD)}
    for rules in ({"hexon_chirality": "right"}, {"hexon_origin": 3}):
        there = {frozenset(_cells(area.runs)) for area in regions(TORN, _with_rules(FORD, **rules))}
        assert there != here


def test_a_board_too_large_to_draw_has_no_regions():
    assert regions(TORN, replace(FORD, grid=replace(FORD.grid, columns=MAX_CELLS))) == ()


def test_a_ruleset_without_regions_and_bodies_sends_none():
    assert (regions(FIRST_BLOOD, SCENE), bodies(FIRST_BLOOD, SCENE)) == ((), {})
    assert ruleset_info(FIRST_BLOOD)["faces"] == []


def test_the_body_of_a_large_miniature_is_its_hexon_and_infantry_has_none():
    found = bodies(TORN, FORD)
    assert set(found) == {"otraak"}
    assert len(_cells(found["otraak"])) == 7
    assert FORD.token("otraak").at in _cells(found["otraak"])


def test_a_snapshot_holds_regions_bodies_layers_and_faces():
    snapshot = _table().snapshot(GM)
    assert snapshot.regions == regions(TORN, FORD)
    assert snapshot.bodies == bodies(TORN, FORD)
    assert snapshot.ruleset["layers"] == ["reach", *TORN.layers, "targets"]
    assert {"threat", "cover", "engagement"} < set(TORN.layers)
    assert snapshot.ruleset["faces"] == ["S", "C", "-"]


def test_a_spectator_does_not_receive_the_body_of_a_hidden_token():
    hidden = tuple(replace(token, hidden=True) for token in FORD.tokens)
    table = _table(replace(FORD, tokens=hidden))
    assert table.snapshot(SPECTATOR).bodies == {}
    assert table.entries_after(SPECTATOR, 0).bodies == {}
    assert set(table.snapshot(GM).bodies) == {"otraak"}
