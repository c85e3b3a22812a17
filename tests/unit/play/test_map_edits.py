"""The GM changes the map and keeps units of the table's own; other seats learn what they see."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.play.duel import SCENE, Duel

from enfilade.errors import BadMessage, Forbidden, NotFound
from enfilade.messages.load import load_command
from enfilade.play.view import view
from enfilade.scene.model import GM, SPECTATOR

WALL = {"id": "w1", "line": [64, 0, 64, 128]}
MUD = {"id": "mud", "name": "Mud", "cells": [[1, 1]], "cost": 2}


def edit(duel, **body):
    return duel.do("map.edit", **{"walls": [], "terrain": [], "remove": [], **body})


def test_walls_doors_and_terrain_are_put_changed_and_removed_and_undone(duel):
    before = duel.table.scene
    edit(duel, walls=[WALL, {**WALL, "id": "d1", "door": "door"}], terrain=[MUD])
    assert [(wall.id, wall.door) for wall in duel.table.scene.walls[2:]] == [("d1", "door"), ("w1", "none")]
    edit(duel, walls=[{**WALL, "sight": "none"}], remove=["mud"])
    assert [(wall.id, wall.sight) for wall in duel.table.scene.walls[2:]] == [
        ("w1", "none"),  # walls are by their place and kind, not by when they came
        ("d1", "normal"),
    ]
    assert duel.table.scene.terrain == ()
    for _ in range(2):
        duel.do("undo")
    assert duel.table.scene == before


def test_an_edit_of_nothing_or_of_too_much_is_refused_and_changes_nothing(duel):
    before = duel.table.scene
    with pytest.raises(NotFound, match="no 'w7'"):
        edit(duel, remove=["w7"])
    with pytest.raises(BadMessage, match="at most"):
        edit(
            duel,
            terrain=[
                {**MUD, "cells": [[x, y] for x in range(500) for y in range(500)]},
                {**MUD, "id": "more"},
            ],
        )
    with pytest.raises(Forbidden):
        duel.do("map.edit", SPECTATOR, walls=[WALL])
    assert duel.table.scene == before


def test_players_read_of_what_they_see_alone(duel):
    edit(duel, walls=[WALL])
    edit(duel, walls=[{**WALL, "door": "secret"}])
    edit(duel, terrain=[{**MUD, "hidden": True}])
    assert duel.table.number(SPECTATOR) == 1
    assert view(duel.table.scene, SPECTATOR).walls[2].door == "none"
    edit(duel, terrain=[MUD])
    assert duel.table.number(SPECTATOR) == 2


def test_the_tables_own_units_are_the_gms_secret(duel):
    unit = {"key": "boss", "name": "The Boss", "profile": {}}
    before = duel.table.snapshot(SPECTATOR)
    duel.do("units.set", units=[unit])
    assert [one.name for one in duel.table.snapshot(GM).scene.units] == ["The Boss"]
    assert duel.table.snapshot(SPECTATOR) == before
    assert duel.table.number(SPECTATOR) == 0
    duel.do("undo")
    assert duel.table.scene.units == ()
    with pytest.raises(BadMessage, match="same key"):
        duel.do("units.set", units=[unit, unit])


def test_own_units_change_nothing_for_the_rules():
    duel, other = Duel(), Duel(scene=replace(SCENE))
    other.do("units.set", units=[{"key": "boss", "name": "The Boss", "profile": {}}])
    first, second = duel.strike(faces=[6], command_id="same"), other.strike(faces=[6], command_id="same")
    assert first.entry.events == second.entry.events


def test_a_command_may_leave_out_what_it_does_not_change():
    assert load_command({"v": 1, "id": "c1", "kind": "map.edit", "body": {}}).body["remove"] == []
