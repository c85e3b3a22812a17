"""Move and Run: Hexes and Hexons, passing, ejection, and landscape that huge miniatures destroy."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.rules.procedures import Act
from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.battlefield import battlefield
from enfilade.rulesets.torn.profiles import read_miniature
from enfilade.scene.model import Terrain
from tests.unit.rulesets.torn.scenes import (
    BOARD,
    MOVE,
    PLAIN,
    RUN,
    ally,
    do,
    explanation_facts,
    foe,
    hexon_cell,
    hexon_cells,
    in_round,
    landscape,
    refused,
    scene,
    text_of,
    with_condition,
)

TEN = (10, 10)
STRIDE = {"name": "Move", "kind": "move", "range": 2, "unit": "hexon"}


def reach(board, token_id):
    found = TORN.reach(board, board.token(token_id))
    return {(x, y): cost for x, y, cost in found.cells}


def judged(board, token_id, at):
    return TORN.judge(board, board.token(token_id), (at,), None)


def walker(*others, tiles=(MOVE,), **more):
    return scene(ally("aldis", TEN, tiles=tiles), *others, **more)


def strider(*others, terrain=(), house_rules=None, **card):
    settings = {"size": "large", "tiles": (STRIDE,), **card}
    return scene(ally("otraak", TEN, **settings), *others, terrain=terrain, house_rules=house_rules)


def test_infantry_moves_the_distance_on_the_tile():
    cells = reach(walker(), "aldis")
    assert len(cells) == 36
    assert max(cells.values()) == 3


def test_a_move_uses_the_first_tile_that_reaches_the_hex():
    board = in_round(walker(tiles=(MOVE, RUN)), "aldis")
    near = do(board, Act(kind="move", token="aldis", at=(12, 10)))
    assert near.scene.token("aldis").conditions["used"] == "Move"
    far = do(near.scene, Act(kind="move", token="aldis", at=(17, 10)))
    assert far.scene.token("aldis").conditions["used"] == "Move; Run"
    assert not reach(far.scene, "aldis")


def test_infantry_passes_allies_but_not_enemies_and_ends_on_a_free_hex():
    ring = [(9, 9), (10, 9), (9, 10), (11, 10), (9, 11), (10, 11)]
    friends = walker(*(ally(f"a{i}", at) for i, at in enumerate(ring)))
    assert (12, 10) in reach(friends, "aldis")
    assert not set(ring) & set(reach(friends, "aldis"))
    enemies = walker(*(foe(f"e{i}", at, tiles=()) for i, at in enumerate(ring)))
    assert not reach(enemies, "aldis")


def test_infantry_passes_neither_volume_landscape_nor_ends_on_a_marker():
    wall = landscape((1, 0))
    cells = reach(walker(terrain=[wall]), "aldis")
    assert not set(wall.cells) & set(cells)
    token = landscape((1, 0), kind="marker")
    cells = reach(walker(terrain=[token], tiles=({**MOVE, "range": 5},)), "aldis")
    assert not set(token.cells) & set(cells)
    assert set(cells) & {(14, 11), (14, 10), (15, 10)}


def test_infantry_may_move_in_hexons_too():
    cells = reach(walker(tiles=({**STRIDE, "range": 1},)), "aldis")
    assert cells[hexon_cell((1, 0))] == 1
    assert cells[hexon_cells((0, 0))[1]] == 0
    assert hexon_cell((2, 0)) not in cells


def test_a_large_miniature_moves_from_hexon_to_hexon():
    cells = reach(strider(), "otraak")
    assert cells[hexon_cell((1, 0))] == 1
    assert cells[hexon_cell((2, 0))] == 2
    assert all(cells[cell] == 1 for cell in hexon_cells((1, 0)))
    assert not set(hexon_cells((0, 0))) & set(cells)


@pytest.mark.parametrize("chirality", ["left", "right"])
def test_moves_follow_the_lattice_of_the_table(chirality):
    board = scene(ally("otraak", TEN, size="large", tiles=(STRIDE,)), chirality=chirality)
    cells = reach(board, "otraak")
    assert all(cells[cell] == 1 for cell in hexon_cells((1, 0), chirality))


def test_a_large_miniature_passes_allied_infantry_and_neither_allied_large_nor_landscape():
    line = {"range": 2}
    tiles = ({**STRIDE, **line},)
    beyond = hexon_cell((2, 0))
    around = [(0, 1), (1, -1)]
    walls = [landscape(*around)]
    over_infantry = strider(ally("bran", hexon_cell((1, 0))), terrain=walls, tiles=tiles)
    assert beyond in reach(over_infantry, "otraak")
    over_large = strider(ally("bran", hexon_cell((1, 0)), size="large", tiles=()), terrain=walls, tiles=tiles)
    assert beyond not in reach(over_large, "otraak")
    through_volume = strider(terrain=[landscape((1, 0), *around)], tiles=tiles)
    assert not {beyond, hexon_cell((1, 0))} & set(reach(through_volume, "otraak"))


def test_a_large_miniature_may_end_on_infantry_which_steps_out():
    board = strider(foe("orc", hexon_cell((1, 0)), tiles=()))
    done = do(board, Act(kind="move", token="otraak", at=hexon_cell((1, 0))))
    assert done.scene.token("otraak").at == hexon_cell((1, 0))
    assert done.scene.token("orc").at not in hexon_cells((1, 0))
    assert explanation_facts(done, "ejected") == [{"token": "orc"}]
    column, row = done.scene.token("orc").at
    assert f"Orc steps out of the way to {chr(ord('A') + column)}{row + 1}." in text_of(board, done)


def test_the_owner_chooses_among_the_nearest_hexes_to_step_out_to():
    board = strider(foe("orc", hexon_cell((1, 0)), tiles=()))
    act = Act(kind="move", token="otraak", at=hexon_cell((1, 0)))
    first = do(board, act).scene.token("orc").at
    (asked_for,) = [
        e for e in do(board, act).events if getattr(e, "question", "").startswith("To which Hex does Orc")
    ]
    assert (asked_for.side, asked_for.answer) == ("red", f"{first[0]},{first[1]}")
    elsewhere = do(board, act, decisions=("13,13",)).scene.token("orc").at
    assert elsewhere == (13, 13)


def test_without_ejection_a_large_miniature_cannot_end_on_infantry():
    board = strider(foe("orc", hexon_cell((1, 0)), tiles=()), house_rules={"torn.ejection": False})
    assert hexon_cell((1, 0)) not in reach(board, "otraak")


def test_a_large_miniature_may_end_on_enemy_infantry_but_not_pass_it():
    walls = [landscape((0, 1), (1, -1))]
    board = strider(foe("orc", hexon_cell((1, 0)), tiles=()), terrain=walls)
    assert hexon_cell((1, 0)) in reach(board, "otraak")
    assert hexon_cell((2, 0)) not in reach(board, "otraak")


def test_a_huge_miniature_destroys_the_volume_landscape_on_its_path():
    board = strider(terrain=[landscape((1, 0)), landscape((0, 3))], size="huge", hexons=((0, 0),))
    done = do(board, Act(kind="move", token="otraak", at=hexon_cell((2, 0))))
    left = {cell for patch in done.scene.terrain for cell in patch.cells}
    assert left == set(hexon_cells((0, 3)))


def test_a_huge_miniature_fills_all_its_hexons_and_leaves_none_of_them_off_the_board():
    board = scene(ally("colossus", TEN, size="huge", hexons=((0, 0), (1, 0)), tiles=(STRIDE,)))
    cells = reach(board, "colossus")
    assert hexon_cell((1, 0)) in cells
    near_edge = scene(ally("colossus", (28, 10), size="huge", hexons=((0, 0), (1, 0)), tiles=(STRIDE,)))
    field, colossus = battlefield(near_edge), read_miniature(near_edge.token("colossus"))
    covered = {h for cell in reach(near_edge, "colossus") for h in field.base(colossus, field.hexon_at(cell))}
    assert covered
    assert all(field.center(hexon) in field.board for hexon in covered)


def test_a_large_miniature_cannot_move_in_hexes():
    with pytest.raises(BadMessage, match="move in Hexons"):
        scene(ally("otraak", TEN, size="large", tiles=(MOVE,)))


@pytest.mark.rule("TRN-089")
def test_slowed_miniatures_move_one_less_but_at_least_one():
    assert judged(with_condition(walker(), "aldis", "slowed"), "aldis", (13, 10)).allowed is False
    assert judged(with_condition(walker(), "aldis", "slowed"), "aldis", (12, 10)).allowed
    short = with_condition(walker(tiles=({**MOVE, "range": 1},)), "aldis", "slowed")
    assert judged(short, "aldis", (11, 10)).allowed


@pytest.mark.rule("TRN-097")
def test_panicked_miniatures_only_move_away_from_the_nearest_enemy():
    board = with_condition(walker(foe("orc", (13, 10)), tiles=(MOVE, PLAIN)), "aldis", "panic")
    assert not judged(board, "aldis", (11, 10)).allowed
    assert judged(board, "aldis", (9, 10)).allowed
    fighting = in_round(
        with_condition(walker(foe("orc", (11, 10)), tiles=(MOVE, PLAIN)), "aldis", "panic"), "aldis"
    )
    assert refused(fighting, Act(kind="melee", token="aldis", target="orc", weapon="Strike")) == "TRN-097"


def test_an_illegal_move_has_a_reason_and_still_happens():
    board = walker(foe("orc", (12, 10)))
    ruling = judged(board, "aldis", (12, 10))
    assert ruling.reasons == ("Orc stands there. (TRN-066)",)
    done = do(board, Act(kind="move", token="aldis", at=(20, 20)))
    assert done.scene.token("aldis").at == (20, 20)
    assert TORN.narrate(board, done.events).startswith("Aldis moves against the rules")


def drawn(board, token_id, *path):
    return TORN.judge(board, board.token(token_id), path, None)


@pytest.mark.rule("TRN-066")
def test_a_move_that_is_refused_names_what_bars_its_way():
    ring = list(BOARD.neighbors(TEN))
    foes = [foe(f"orc{i}", at) for i, at in enumerate(ring)]
    rubble = Terrain("rubble", "", tuple(ring), kind="volume")
    near, far = (12, 10), (20, 10)
    reasons = {
        "foes": judged(walker(*foes), "aldis", near).reasons,
        "rubble": judged(walker(terrain=[rubble]), "aldis", near).reasons,
        "rubble, and too far": judged(walker(terrain=[rubble]), "aldis", far).reasons,
        "too far": judged(walker(), "aldis", far).reasons,
    }
    too_far = ("Out of reach of Aldis's remaining Move and Run tiles (TRN-066).",)
    assert reasons == {
        "foes": ("Orc0 stands in Aldis's way there. (TRN-066)",),
        "rubble": ("The ground bars Aldis's way there. (TRN-066)",),
        "rubble, and too far": too_far,
        "too far": too_far,
    }


def test_infantry_walks_a_drawn_path_hex_by_hex_and_not_through_an_enemy():
    board = walker(foe("orc", (11, 10)))
    around = drawn(board, "aldis", (10, 9), (11, 9), (12, 10))
    assert (around.cost, around.path) == (3, (TEN, (10, 9), (11, 9), (12, 10)))
    below = drawn(board, "aldis", (10, 11), (11, 11), (12, 10))
    assert below.path == (TEN, (10, 11), (11, 11), (12, 10))
    assert not drawn(board, "aldis", (11, 10), (12, 10)).allowed
    assert not drawn(board, "aldis", (9, 10), (10, 10), (10, 9), (11, 9)).allowed  # 4 Hexes with a Move of 3
    assert drawn(board, "aldis", (11, 9), (12, 10)).cost == 3


def test_a_drawn_path_may_name_the_hex_it_starts_from_but_must_lead_away_from_it():
    assert drawn(walker(), "aldis", TEN, (11, 10)).path == (TEN, (11, 10))
    assert not drawn(walker(), "aldis", TEN, TEN).allowed


def test_infantry_that_counts_hexons_pays_a_drawn_path_by_its_borders():
    board = walker(tiles=(STRIDE,))
    inside, beside = hexon_cells((0, 0)), hexon_cell((1, 0))
    assert drawn(board, "aldis", *inside[1:3]).cost == 0
    assert drawn(board, "aldis", inside[1], beside).cost == 1


@pytest.mark.parametrize("via", [(1, 0), (0, 1)])
def test_a_huge_miniature_crushes_what_stands_on_the_path_that_was_drawn_and_nothing_else(via):
    # Both ways are two Hexons long; the search took the same one for both.
    volumes = landscape((1, 0)), landscape((0, 1), kind="volume")
    patches = tuple(replace(patch, id=f"v{place}") for place, patch in enumerate(volumes))
    board = in_round(strider(terrain=patches, size="huge"), "otraak")
    path = (hexon_cell(via), hexon_cell((1, 1)))
    done = do(board, Act(kind="move", token="otraak", at=path[-1], path=path))
    left_over = {cell for patch in done.scene.terrain for cell in patch.cells}
    spared = {(1, 0): (0, 1), (0, 1): (1, 0)}[via]
    assert not left_over & set(hexon_cells(via))
    assert left_over == set(hexon_cells(spared)) - crushed_by("otraak", done, board, path[-1])


def crushed_by(token_id, done, board, at):
    """Return the Hexes under a miniature at the end of its move."""
    return battlefield(board).body(read_miniature(board.token(token_id)), at)


def test_a_large_miniature_walks_no_drawn_path_through_a_volume():
    board = strider(terrain=(landscape((1, 0)),))
    assert not drawn(board, "otraak", hexon_cell((1, 0)), hexon_cell((2, 0))).allowed
    assert drawn(board, "otraak", hexon_cell((0, 1)), hexon_cell((1, 1))).allowed


def test_who_panics_ends_a_drawn_path_farther_from_its_enemies():
    board = with_condition(walker(foe("orc", (12, 10))), "aldis", "panic")
    assert drawn(board, "aldis", (9, 10), (8, 10)).allowed
    assert not drawn(board, "aldis", (9, 10), (10, 10)).allowed


@pytest.mark.rule("TRN-033")
def test_a_miniature_comes_on_before_the_first_round_to_a_free_hex_and_later_by_the_gm():
    # It came on onto an enemy, by its player, in the enemy's activation.
    board = scene(ally("al", None, tiles=(MOVE,)), foe("be", (11, 10)), terrain=(landscape((2, 0)),))
    assert judged(board, "al", TEN).allowed
    assert not judged(board, "al", (11, 10)).allowed
    assert not judged(board, "al", hexon_cell((2, 0))).allowed
    assert not judged(board, "al", (40, 40)).allowed
    late = in_round(board, "be")
    assert judged(late, "al", TEN).reasons[0].startswith("Al is off the board")
