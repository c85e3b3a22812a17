"""The threat layer of a ruleset that has none of its own, as of an outside author."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace
from tests.fixtures.fifth_edition import CATALOG, FIFTH_EDITION

from enfilade.rules import registry
from enfilade.rules.default_threat import with_threat
from enfilade.rulesets import BUILT_IN
from enfilade.scene.model import Grid, Scene, Side, Token, Wall
from enfilade.tactics.overlays import overlay

GAME = with_threat(FIFTH_EDITION)


def token(key, unit, side, at, **changes):
    profile = next(one.profile for one in CATALOG if one.key == unit)
    made = Token(id=key, name=key, side=side, at=at, profile={**profile, **changes})
    return GAME.prepare_token(made)


def board(*tokens, walls=()):
    sides = (Side(id="blue", name="Blue"), Side(id="red", name="Red"))
    grid = Grid("square", 40, 12, 5, "ft")
    return Scene(ruleset=GAME.key, grid=grid, sides=sides, tokens=tokens, walls=walls, tracks={"round": 1})


def threat(scene, key="hero"):
    areas = overlay(GAME, scene, key, 0, ["threat"]).areas
    return [{(x, row) for row, first, last in area.runs for x in range(first, last + 1)} for area in areas]


def test_a_ruleset_with_ranges_gets_a_threat_layer_and_one_with_its_own_keeps_it():
    assert "threat" not in FIFTH_EDITION.layers
    assert "threat" in GAME.layers
    assert all(with_threat(ruleset) is ruleset for ruleset in BUILT_IN)
    other = dataclasses.replace(FIFTH_EDITION, key="outside")
    assert "threat" in registry.load_rulesets([*BUILT_IN, other])["outside"].layers


def test_a_swordsman_threatens_what_is_beside_it_and_what_it_can_walk_to():
    goblin = token("goblin", "goblin", "red", (20, 6))
    scene = board(token("hero", "fighter", "blue", (0, 0)), goblin)
    now, after = threat(scene)
    around = {(x, y) for x in range(19, 22) for y in range(5, 8)} - {(20, 6)}
    assert now == around
    reach = GAME.reach(scene, replace(goblin, conditions={})) or pytest.fail("It has a reach.")
    ends = {(x, y) for x, y, _ in reach.cells}
    beside = {(x + dx, y + dy) for x, y in ends for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    assert after == {(x, y) for x, y in beside if 0 <= x < 40 and 0 <= y < 12} - around


def test_a_wall_hides_cells_in_range_and_stops_blows():
    hero, archer = token("hero", "fighter", "blue", (0, 0)), token("archer", "archer", "red", (20, 6))
    wall = Wall(id="w", line=(19 * 64, 0, 19 * 64, 12 * 64))
    now, after = threat(board(hero, archer))
    assert (10, 6) in now
    assert not after  # it shoots, and a shot from anywhere tells nothing
    now, _ = threat(board(hero, archer, walls=(wall,)))
    assert (10, 6) not in now
    assert (30, 6) in now
    goblin = token("goblin", "goblin", "red", (20, 6))
    _, after = threat(board(hero, goblin, walls=(wall,)))
    assert after
    assert all(x >= 19 for x, _ in after)


def test_nobody_threatens_a_token_without_enemies_or_off_the_board():
    hero = token("hero", "fighter", "blue", (0, 0))
    assert threat(board(hero)) == []
    assert threat(board(replace(hero, at=None), token("goblin", "goblin", "red", (20, 6)))) == []
