"""The overlay of a token: ranges, sight, zones, reactions, and each tile at each target."""

from __future__ import annotations

import pytest

from enfilade.rulesets.torn import TORN
from enfilade.tactics.overlays import overlay
from tests.unit.rulesets.torn.scenes import (
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
    with_condition,
)

TEN, NEXT = (10, 10), (11, 10)


def cells(area):
    return {(x, row) for row, first, last in area.runs for x in range(first, last + 1)}


def areas(board, token, layer):
    return {area.label: cells(area) for area in TORN.areas(board, board.token(token), layer)}


@pytest.mark.rule("TRN-007", "TRN-008")
def test_ranges_are_shown_in_hexes_and_in_hexons():
    found = areas(scene(ally("aldis", TEN, tiles=(SWORD, {**BOW, "range": 1}))), "aldis", "ranges")
    assert len(found["Sword Strike: 1 Hex"]) == 6
    assert len(found["Bowshot: 1 Hexon"]) == 7 * 7 - 1


@pytest.mark.rule("TRN-048")
def test_the_blind_zone_is_shown_hexon_by_hexon():
    at = next(cell for cell in hexon_cells((0, 0)) if cell == NEXT)
    board = scene(ally("aldis", at), terrain=[landscape((1, 0))])
    (zone,) = areas(board, "aldis", "blind").values()
    assert set(hexon_cells((2, 0))) <= zone
    assert not set(hexon_cells((-1, 0))) & zone


@pytest.mark.rule("TRN-055")
def test_a_huge_miniature_beside_landscape_has_no_blind_zone():
    board = scene(ally("giant", TEN, size="huge"), terrain=[landscape((1, 0))])
    assert not areas(board, "giant", "blind")
    assert areas(scene(ally("giant", TEN, size="large"), terrain=[landscape((1, 0))]), "giant", "blind")


@pytest.mark.rule("TRN-058")
def test_the_defense_zone_of_a_large_miniature_is_shown():
    board = scene(ally("otraak", TEN, size="large"), terrain=[landscape((1, 0))])
    assert set(hexon_cells((2, -1))) <= areas(board, "otraak", "defense")["Defense Zone: +1 Defense die"]
    assert not areas(scene(ally("aldis", TEN)), "aldis", "defense")


@pytest.mark.rule("TRN-039")
def test_the_sight_layer_shows_visible_and_hidden_miniatures():
    board = scene(
        ally("aldis", NEXT),
        foe("orc", hexon_cell((2, 0))),
        foe("elf", hexon_cell((0, 2))),
        terrain=[landscape((1, 0))],
    )
    labels = list(areas(board, "aldis", "sight"))
    assert labels[0].startswith("Does not see Orc: ")
    assert labels[1] == "Sees Elf"


@pytest.mark.rule("TRN-039")
def test_the_sight_layer_tells_of_each_one_where_nothing_else_is_in_the_way():
    board = scene(ally("aldis", TEN), foe("orc", (15, 10)), foe("ghost", (15, 15)))
    hidden = with_condition(board, "ghost", "unseen")
    labels = list(areas(hidden, "aldis", "sight"))
    assert labels[0] == "Sees Orc"
    assert labels[1].startswith("Does not see Ghost: ")
    assert next(iter(areas(hidden, "ghost", "sight"))) == "Sees Aldis, but is not seen by it"


@pytest.mark.rule("TRN-092")
def test_the_reactions_layer_shows_free_and_counter_attacks():
    board = scene(ally("aldis", TEN, tiles=(PLAIN, MOVE)), foe("orc", NEXT, is_fresh=True))
    assert list(areas(board, "aldis", "reactions")) == [
        "Move: Free Attack by Orc",
        "Melee Attack: Counter Attack by Orc",
    ]


@pytest.mark.rule("TRN-012")
def test_each_tile_is_offered_at_each_enemy_with_its_odds_or_its_refusal():
    board = scene(ally("aldis", TEN, tiles=(SWORD, BOW)), foe("orc", NEXT), foe("elf", hexon_cell((2, 0))))
    found = overlay(TORN, board, "aldis", 0)
    targets = {(p.label, p.target): (p.legal, p.why) for p in found.targets if p.target}
    assert targets["Sword Strike", "orc"] == (True, "")
    assert targets["Sword Strike", "elf"] == (
        False,
        "Elf is 6 Hexes away; Sword Strike has a range of 1 Hex.",
    )
    assert targets["Bowshot", "elf"] == (False, "Orc is in an adjacent Hex.")
    (sword,) = (p for p in found.targets if p.legal and p.target)
    assert sword.exact
    assert sum(n / d for n, d in (o.chance for o in sword.outcomes)) == pytest.approx(1)


def test_a_miniature_off_the_board_has_no_areas():
    board = scene(ally("aldis", None))
    assert all(not TORN.areas(board, board.token("aldis"), layer) for layer in ("sight", "blind", "defense"))
    assert TORN.reach(board, board.token("aldis")) is None
