"""Cover, threat and engagement as they are shown, compared with the rules of attacks."""

import random

import pytest
from msgspec.structs import replace

from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.combat.attack_setup import target_refusal
from enfilade.rulesets.torn.positions import distance
from enfilade.rulesets.torn.profiles import read_miniature
from enfilade.rulesets.torn.sight import covered_hexes, find_blocker, unseen_reason
from enfilade.rulesets.torn.threat import hexes_in_range
from tests.seeds import seeds
from tests.unit.rulesets.torn.scenes import BOW, MOVE, PLAIN, SWORD, ally, foe, hexon_cell, landscape, scene

TEN = (10, 10)
NOW = "Enemies can attack here now"
AFTER = "Enemies can attack here in melee after a move"
SIZES = ("infantry", "infantry", "large", "huge")
BEHIND = [(i, j) for i in range(-2, 3) for j in range(-2, 3) if (i, j) != (0, 0)]


def sight(board, viewer="a", target="b"):
    return TORN.sight(board, board.token(viewer), board.token(target))


def areas(board, token, layer):
    found = TORN.areas(board, board.token(token), layer)
    return {
        area.label: {(x, row) for row, f, last in area.runs for x in range(f, last + 1)} for area in found
    }


def random_board(seed, *tokens, **more):
    """Build a board with landscape, smoke and miniatures of all sizes at random places."""
    chance = random.Random(seed)
    hidden = landscape(*chance.sample(BEHIND, 5), kind=chance.choice(["volume", "vortex"]))
    smoke = landscape(chance.choice(BEHIND), kind="smoke")
    free = {(x, y) for x in range(4, 17) for y in range(4, 17)} - set(hidden.cells)
    board = scene(terrain=[hidden, smoke], **more)
    for make in tokens:
        token = make(chance.choice(sorted(free)), size=chance.choice(SIZES))
        free -= battlefield(board).body(read_miniature(token))
        board = replace(board, tokens=(*board.tokens, TORN.prepare_token(token)))
    return board


def a(at, **more):
    return ally("a", at, tiles=(SWORD, MOVE) if more["size"] == "infantry" else (SWORD,), **more)


def infantry(at, size):
    del size
    return ally("a", at)


def b(at, **more):
    return foe("b", at, tiles=(BOW, PLAIN), **more)


@pytest.mark.rule("TRN-039", "TRN-041", "TRN-050")
@pytest.mark.parametrize("seed", seeds(80))
def test_sight_agrees_with_the_rules_and_names_the_cover(seed):
    board = random_board(seed, a, b)
    found = sight(board)
    assert found.is_seen == (not unseen_reason(board, *map(read_miniature, board.tokens)))
    assert (found.blocker is None) == found.is_seen
    if found.blocker:
        (patch,) = [patch for patch in board.terrain if patch.id == found.blocker.id]
        assert patch.kind in ("volume", "vortex")
        assert found.why.endswith(f"Cover: {patch.name}.")


@pytest.mark.rule("TRN-046")
@pytest.mark.parametrize("seed", seeds(12))
def test_covered_hexes_are_those_in_which_infantry_has_cover(seed):
    board = random_board(seed, b)
    viewer = read_miniature(board.token("b"))
    drawn = set(covered_hexes(board, viewer))
    filled = battlefield(board).body(viewer)
    for cell in [(x, y) for x in range(2, 19) for y in range(2, 19) if (x, y) not in filled]:
        there = replace(board, tokens=(*board.tokens, ally("a", cell)))
        hidden = unseen_reason(there, viewer, read_miniature(there.token("a")))
        if cell not in battlefield(board).terrain_cells("volume") and "behind landscape" not in hidden:
            assert (cell in drawn) == ("in cover" in hidden), cell


@pytest.mark.rule("TRN-009", "TRN-012")
@pytest.mark.parametrize("seed", seeds(80))
def test_infantry_is_threatened_exactly_where_it_is_a_legal_target(seed):
    board = random_board(seed, b, infantry)
    enemy, one = map(read_miniature, board.tokens)
    refused = [target_refusal(board, enemy, tile, one) for tile in enemy.profile.tiles]
    is_beside = any(
        why is not None and why.rule == "TRN-038" for why in refused
    )  # it would attack in melee instead
    assert (one.token.at in areas(board, "a", "threat")[NOW]) == (None in refused or is_beside)


def test_threat_after_a_move_lies_beside_each_hex_in_reach():
    board = scene(ally("a", (20, 20)), foe("b", TEN, tiles=(PLAIN, {**MOVE, "range": 2})))
    measure = battlefield(board).board.distance
    drawn = areas(board, "a", "threat")
    assert all(measure(TEN, cell) == 1 for cell in drawn[NOW])
    far = {cell for cell in drawn[AFTER] if cell != TEN}
    assert {measure(TEN, cell) for cell in far} == {2, 3}
    assert len(far) == 12 + 18
    assert not areas(board, "b", "threat")[AFTER]  # without a Move there is no threat after a move


@pytest.mark.rule("TRN-007", "TRN-008")
@pytest.mark.parametrize("length", ["hex", "hexon"])
def test_hexes_in_range_agree_with_the_distance(length):
    board = scene(ally("a", TEN))
    tile = read_miniature(ally("a", TEN, tiles=({**BOW, "unit": length, "range": 2},))).profile.tiles[0]
    field = battlefield(board)
    near = hexes_in_range(board, read_miniature(board.token("a")), tile)
    for cell in [(x, y) for x in range(board.grid.columns) for y in range(board.grid.rows)]:
        other = read_miniature(ally("b", cell))
        steps = distance(board, read_miniature(ally("a", TEN)), other, length)
        assert (cell in near) == (steps <= 2 and cell != TEN), (cell, field.hexon_at(cell))


@pytest.mark.rule("TRN-043", "TRN-057")
def test_the_cover_of_a_visible_target_is_described():
    beside = landscape((1, 0))
    board = scene(ally("a", hexon_cell((3, -1))), foe("b", TEN, size="large"), terrain=[beside])
    says = "B has advantage of landscape: +1 Defense die against ranged attacks."
    assert (sight(board).is_seen, sight(board).cover) == (True, says)
    assert says in areas(board, "a", "cover")
    smoke = scene(ally("a", TEN), foe("b", hexon_cell((2, 0))), terrain=[landscape((2, 0), kind="smoke")])
    assert "stands in smoke" in sight(smoke).cover


@pytest.mark.rule("TRN-055", "TRN-056")
def test_a_huge_miniature_that_gives_cover_is_named():
    at = next(
        cell
        for cell in battlefield(scene()).hexes_in(battlefield(scene()).hexon_at(TEN))
        if set(battlefield(scene()).adjacent_hexes([cell])) & set(_filled((1, 0)))
    )
    board = scene(ally("a", hexon_cell((3, 0))), foe("b", at), foe("c", hexon_cell((1, 0)), size="huge"))
    assert (sight(board).blocker.kind, sight(board).blocker.id) == ("token", "c")
    assert find_blocker(board, *map(read_miniature, board.tokens[:2]))[0].name == "C"


def _filled(hexon):
    return battlefield(scene()).hexes_in(battlefield(scene()).hexon_at(hexon_cell(hexon)))


def test_an_invisible_miniature_is_unseen_without_a_blocker():
    board = scene(ally("a", TEN), foe("b", hexon_cell((3, 0)), traits=("invisible",)))
    assert (sight(board).why, sight(board).blocker) == ("B is invisible.", None)
    assert sight(board).distance == "9 Hexes (3 Hexons)"


@pytest.mark.rule("TRN-065")
def test_enemies_in_neighboring_hexes_are_engaged():
    board = scene(ally("a", TEN), ally("d", (9, 10)), foe("b", (11, 10)), foe("c", (20, 20)))
    assert [(one.tokens, one.label) for one in TORN.engagements(board)] == [
        (("a", "b"), "A and B are Engaged")
    ]
