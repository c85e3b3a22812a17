"""The threat of many enemies at once against the simple way: each enemy, footprint and tile by itself."""

from __future__ import annotations

import itertools
import random

import pytest
from msgspec.structs import replace

from enfilade.geometry.board.hexon import hexon_distance
from enfilade.geometry.sight import zones
from enfilade.rules.conformance.skirmish import skirmish
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.rulesets.torn.battlefield import VOLUME, VORTEX, battlefield
from enfilade.rulesets.torn.overlays import engagements
from enfilade.rulesets.torn.positions import miniatures
from enfilade.rulesets.torn.profiles import read_miniature
from enfilade.rulesets.torn.routes import move_costs, reach_costs, reachable_hexes, reachable_with
from enfilade.rulesets.torn.sight import (
    blind_zone,
    closing_landscape,
    covered_hexes,
    plainly_seen,
    unseen_reason,
)
from enfilade.rulesets.torn.threat import hexes_in_range, threatened_after_move, threatened_now
from enfilade.scene.model import Grid, Terrain
from tests.seeds import seeds
from tests.unit.rulesets.torn.scenes import PLAIN, ally, foe, hexon_cell, hexon_cells, scene

TORN = load_rulesets(BUILT_IN)["torn"]


def battle(seed, side=9):
    scene = skirmish(TORN, seed, side, strength=4)
    kinds = (("volume", ((4, 4), (4, 5))), ("vortex", ((2, 6), (6, 2))), ("smoke", ((7, 7),)))
    terrain = tuple(Terrain(id=kind, name="", cells=cells, kind=kind) for kind, cells in kinds)
    return replace(scene, terrain=terrain)


def chaos(seed):
    """Return a battle on more Hexes, of miniatures anywhere, even upon each other, in any condition."""
    scene, chance = battle(seed, 16), random.Random(seed)
    conditions = [{}, {}, {"panic": ""}, {"slowed": ""}]
    tokens = [
        replace(
            token, at=(chance.randrange(16), chance.randrange(16)), conditions=dict(chance.choice(conditions))
        )
        for token in scene.tokens
    ]
    volumes = tuple((chance.randrange(16), chance.randrange(16)) for _ in range(chance.randrange(30)))
    marker = Terrain(id="marker", name="", cells=((9, 9), (9, 10)), kind="marker")
    volume = Terrain(id="more", name="", cells=volumes, kind="volume")
    return replace(scene, tokens=tuple(tokens), terrain=(*scene.terrain, marker, volume))


def simple_range(field, hexes, tile):
    columns, rows = range(field.board.columns), range(field.board.rows)
    hexons, cells = field.hexons_of(hexes), [(x, y) for x in columns for y in rows]
    if tile.unit == "hexon":
        steps = {cell: min(hexon_distance(field.hexon_at(cell), one) for one in hexons) for cell in cells}
    else:
        steps = {cell: min(field.board.distance(cell, one) for one in hexes) for cell in cells}
    return {cell for cell in cells if steps[cell] <= tile.range} - hexes


def simple_threat_after_move(scene, attackers):
    field, found = battlefield(scene), set()
    for miniature in attackers:
        tiles = miniature.profile.tiles
        melee = [tile for tile in tiles if tile.is_attack and tile.kind == "melee"]
        moves = [tile for tile in tiles if tile.is_movement] if melee else []
        for move in moves:
            for body in {field.body(miniature, cell) for cell in reachable_with(scene, miniature, move)}:
                for tile in melee:
                    found |= simple_range(field, body, tile)
    return found - field.terrain_cells(VOLUME)


def simple_covered_hexes(scene, viewer):
    field, closing = battlefield(scene), closing_landscape(scene, viewer).hexes
    hexons = field.hexons_of(field.body(viewer))
    for cell in sorted(
        (field.adjacent_hexes(closing) | field.terrain_cells(VORTEX)) - field.terrain_cells(VOLUME)
    ):
        touching = field.hexons_of(field.adjacent_hexes([cell]) & closing)
        if zones.infantry_blind_zone(field.board.axial(cell), touching, field.lattice).contains(hexons):
            yield cell


def simple_threat_now(scene, attackers):
    field, found = battlefield(scene), set()
    for miniature in attackers:
        hidden, zone = set(simple_covered_hexes(scene, miniature)), blind_zone(scene, miniature)
        for tile in miniature.profile.tiles:
            if tile.is_attack:
                near = simple_range(field, field.body(miniature), tile) - hidden
                found |= {cell for cell in near if field.hexon_at(cell) not in zone}
    return found - field.terrain_cells(VOLUME)


@pytest.mark.parametrize("make", [battle, chaos])
@pytest.mark.parametrize("seed", seeds(25))
def test_threat_is_that_of_each_enemy_by_itself(make, seed):
    scene = make(seed)
    attackers = list(miniatures(scene))
    for some in (attackers, attackers[:1], attackers[1:3]):
        assert set(threatened_now(scene, some)) == simple_threat_now(scene, some)
        assert set(threatened_after_move(scene, some)) == simple_threat_after_move(scene, some)


@pytest.mark.parametrize("seed", seeds(25))
def test_a_reach_costs_as_much_as_its_routes(seed):
    scene = battle(seed)
    for miniature in miniatures(scene):
        for tile in miniature.profile.tiles:
            if tile.is_movement:
                routes = reachable_with(scene, miniature, tile)
                assert reach_costs(scene, miniature, tile) == {at: one.cost for at, one in routes.items()}


@pytest.mark.parametrize("seed", seeds(25))
@pytest.mark.parametrize("condition", [None, "slowed", "panic"])
def test_a_move_costs_as_much_as_the_first_route_that_gets_there(seed, condition):
    scene = battle(seed)
    conditions = {condition: ""} if condition else {}
    scene = replace(scene, tokens=tuple(replace(token, conditions=conditions) for token in scene.tokens))
    for miniature in miniatures(scene):
        routes = reachable_hexes(scene, miniature)
        assert move_costs(scene, miniature) == {at: one.cost for at, one in routes.items()}


@pytest.mark.parametrize("seed", seeds(25))
def test_a_tile_has_the_same_routes_whatever_was_asked_before(seed):
    scene = battle(seed)
    for miniature in miniatures(scene):
        tiles = [tile for tile in miniature.profile.tiles if tile.is_movement]
        alone = {tile: _paths(reachable_with(replace(scene), miniature, tile)) for tile in tiles}
        for order in itertools.permutations(tiles):
            again = replace(scene)
            routes = [reachable_with(again, miniature, tile) for tile in order]
            for tile, found in zip(order, routes, strict=True):
                assert _paths(found) == alone[tile]
                assert len(found) == len(alone[tile])
                assert {at for at in itertools.product(range(9), range(9)) if found.get(at)} == set(found)


def _paths(routes):
    assert all(len(one.path) == one.cost + 1 for one in routes.values() if one.tile.unit == "hex")
    return {at: (one.cost, one.path) for at, one in routes.items()}


@pytest.mark.parametrize("seed", seeds(25))
def test_ranges_are_those_of_each_hex_by_itself(seed):
    scene = battle(seed)
    field = battlefield(scene)
    for miniature in miniatures(scene):
        body = field.body(miniature)
        for tile in miniature.profile.tiles:
            assert set(hexes_in_range(scene, miniature, tile)) == simple_range(field, body, tile)


@pytest.mark.parametrize("seed", seeds(25))
def test_cover_is_worked_out_once_for_all_viewers(seed):
    scene = battle(seed)
    for viewer in miniatures(scene):
        assert set(covered_hexes(scene, viewer)) == set(simple_covered_hexes(scene, viewer))


@pytest.mark.parametrize("seed", range(8))
def test_the_engagements_are_those_of_each_pair(seed):
    scene = battle(seed)
    field, pairs = battlefield(scene), itertools.combinations(miniatures(scene), 2)
    beside = [
        (a.id, b.id)
        for a, b in pairs
        if not scene.are_allies(a.token, b.token)
        and not field.adjacent_hexes(field.body(a)).isdisjoint(field.body(b))
    ]
    assert [one.tokens for one in TORN.engagements(scene)] == beside


def large(token_id, hexon, **card):
    stride = {"name": "Stride", "kind": "move", "range": 1, "unit": "hexon"}
    return foe(token_id, hexon_cell(hexon), tiles=(PLAIN, stride), **{"size": "large", **card})


def small(*tokens, **more):
    return replace(scene(*tokens, **more), grid=Grid("hex_odd_r", 22, 20))


def check_after_move(scene, *tokens):
    attackers = [read_miniature(scene.token(token)) for token in tokens]
    found = set(threatened_after_move(scene, attackers))
    assert found == simple_threat_after_move(scene, attackers)
    return found


def test_each_huge_miniature_of_a_side_threatens_where_its_own_base_can_go():
    long, bent = ((0, 0), (1, 0)), ((0, 0), (0, 1), (1, 0))
    ones = large("one", (0, 0), size="huge", hexons=long), large("two", (2, 1), size="huge", hexons=bent)
    board = small(*ones, ally("ann", (2, 2)))
    assert check_after_move(board, "one", "two") > check_after_move(board, "one")


@pytest.mark.parametrize("unit", ["hex", "hexon"])
@pytest.mark.parametrize("size", ["infantry", "large"])
def test_a_melee_attack_threatens_as_far_as_it_reaches_in_its_unit(size, unit):
    move = {"name": "Move", "kind": "move", "range": 1, "unit": "hexon"}
    board = small(foe("pike", (9, 10), tiles=({**PLAIN, "unit": unit}, move), size=size), ally("ann", (2, 2)))
    assert check_after_move(board, "pike")


@pytest.mark.rule("TRN-035")
@pytest.mark.parametrize("free", [0, 1, 2, 7, 14])
def test_a_base_threatens_over_infantry_only_if_that_has_room_to_step_out(free):
    left = {*hexon_cells((0, 0)), *hexon_cells((1, 0)), *((1, y) for y in range(free))}
    closed = tuple((x, y) for x in range(22) for y in range(20) if (x, y) not in left)
    rubble = Terrain(id="rubble", name="", cells=closed, kind="volume")
    imps = [ally(f"imp{i}", at) for i, at in enumerate(hexon_cells((1, 0))[:2])]
    found = check_after_move(small(large("troll", (0, 0)), *imps, terrain=[rubble]), "troll")
    assert bool(found) is (free > 1)


def test_a_miniature_off_the_board_has_nothing_in_range():
    away = scene(foe("orc", None), ally("ann", (10, 10)))
    orc = read_miniature(away.token("orc"))
    assert all(not set(hexes_in_range(away, orc, tile)) for tile in orc.attacks)


@pytest.mark.parametrize("seed", range(12))
def test_engagements_and_sight_are_those_of_each_pair(seed):
    scene = chaos(seed)
    if seed == 11:  # a tabletop may put one beside the board
        scene = replace(scene, tokens=(replace(scene.tokens[0], at=(16, 3)), *scene.tokens[1:]))
    ones = miniatures(scene)
    pairs = [(a, b) for a, b in itertools.combinations(ones, 2) if not scene.are_allies(a.token, b.token)]
    field = battlefield(scene)
    beside = [(a.id, b.id) for a, b in pairs if field.adjacent_hexes(field.body(a)) & field.body(b)]
    assert [one.tokens for one in engagements(scene)] == beside
    plain = plainly_seen(scene)
    for a, b in itertools.permutations(ones, 2):
        if {a.id, b.id} <= plain:
            assert not unseen_reason(scene, a, b)


def test_in_some_of_these_battles_somebody_is_hidden():
    scenes = [chaos(seed) for seed in range(12)]
    assert any(len(plainly_seen(scene)) < len(miniatures(scene)) for scene in scenes)
    assert any(plainly_seen(scene) for scene in scenes)
