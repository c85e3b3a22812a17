"""Advice about a miniature foresees the damage of its acts and of those of its enemies."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.outlook import NO_ATTACK
from tests.property.advice.positions import check, positions
from tests.unit.rulesets.torn.scenes import (
    BOW,
    MOVE,
    PLAIN,
    ally,
    foe,
    hexon_cell,
    hexon_cells,
    in_round,
    scene,
)

COUNT = 24


def test_the_damage_that_advice_foresees_is_that_of_the_acts():
    chance = random.Random(11)
    found = [check(TORN, board, token, chance) for board, token in positions(TORN, COUNT)]
    assert sum(map(bool, found)) > COUNT // 4


def test_shots_of_infantry_at_infantry_that_depend_on_the_same_share_a_situation():
    bows = [{**BOW, "range": 2}]
    board = scene(
        ally("ann", (10, 10), tiles=bows),
        foe("orc", (14, 10)),
        foe("imp", (13, 6)),
        foe("rat", (25, 25)),
        foe("elf", None),
        foe("bat", (50, 2)),
        foe("troll", hexon_cell((-3, 0)), size="large"),
    )
    situation = {
        foe_: TORN.outlook.situation(board, board.token("ann"), board.token(foe_))
        for foe_ in ("orc", "imp", "rat", "elf", "bat", "troll")
    }
    assert situation["orc"] == situation["imp"] == ("Bowshot", False)
    assert situation["rat"] == NO_ATTACK
    assert (situation["elf"], situation["bat"], situation["troll"]) == (None, None, None)


@pytest.mark.parametrize(
    "tile",
    [{**PLAIN, "range": 4}, {**BOW, "name": "Blast", "area": True}, {**PLAIN, "range": 4, "area": True}],
    ids=["melee", "area", "melee of an area"],
)
def test_melee_and_area_attacks_depend_on_others_than_shooter_and_target(tile):
    board = scene(ally("ann", (10, 10), tiles=[BOW, tile]), foe("orc", (14, 10)))
    assert TORN.outlook.situation(board, board.token("ann"), board.token("orc")) is None


def test_infantry_under_a_base_is_where_the_base_can_be_attacked_from_and_attacks():
    troll = foe("troll", hexon_cell((1, 0)), size="large")
    board = scene(ally("ann", (3, 3)), troll)
    contacts = TORN.outlook.contacts(board, board.token("ann"), ["troll"])
    for at in hexon_cells((1, 0)):
        assert (list(contacts.attackable(at, None)), list(contacts.attackers(at))) == (["troll"], ["troll"])


def test_one_miniature_is_ready_in_its_activation_and_several_as_before_the_first_round():
    board = scene(ally("ann", (10, 10)), ally("bo", (4, 4)), foe("orc", (12, 10)))
    for number, tokens, found in ((0, ("ann",), 1), (3, ("ann",), 3), (3, ("ann", "bo"), 0)):
        now = TORN.outlook.ready(replace(board, tracks={"round": number}), tokens)
        assert now.track("round") == found
        assert now.conditions.get("active") == ("ann" if len(tokens) == 1 else None)


def arrived(board, token, at):
    return TORN.outlook.arrive(board, board.token(token), at, None, 0)


def test_who_stays_spends_no_action_and_before_the_first_round_nobody_does():
    board = scene(ally("ann", (10, 10), tiles=[MOVE]), foe("orc", (20, 20)))
    for there, at, used in (
        (board, (18, 18), None),
        (in_round(board, "ann"), (10, 10), None),
        (in_round(board, "ann"), (11, 10), "Move"),
    ):
        ann = arrived(there, "ann", at).token("ann")
        assert (ann.at, ann.conditions.get("used")) == (at, used)
    assert arrived(in_round(board, "ann"), "ann", (18, 18)) is None


def test_an_enemy_beside_the_board_is_in_contact_with_nobody():
    board = scene(ally("ann", (10, 10)), foe("elf", None), foe("bat", (50, 2)), foe("orc", (11, 10)))
    contacts = TORN.outlook.contacts(board, board.token("ann"), ["elf", "bat", "orc"])
    assert list(contacts.attackable((10, 10), None)) == list(contacts.attackers((10, 10))) == ["orc"]


def test_a_large_miniature_that_arrives_moves_infantry_out_unless_a_free_attack_comes_first():
    stride = {"name": "Stride", "kind": "move", "range": 2, "unit": "hexon"}
    troll, rat = ally("troll", (10, 10), size="large", tiles=(stride,)), foe("rat", hexon_cell((2, 0)))
    board = in_round(scene(troll, rat), "troll")
    there = arrived(board, "troll", hexon_cell((2, 0)))
    assert there.token("troll").at == hexon_cell((2, 0))
    assert there.token("rat").at not in {None, *hexon_cells((2, 0))}
    engaged = in_round(scene(troll, rat, foe("imp", (8, 10))), "troll")
    assert arrived(engaged, "troll", hexon_cell((2, 0))).token("rat").at == hexon_cell((2, 0))


def test_an_attack_needs_both_on_the_board():
    bow = [{**BOW, "range": 9}]
    board = scene(
        ally("ann", (10, 10), tiles=bow), foe("orc", (14, 10)), foe("elf", None), foe("imp", (50, 2))
    )
    legal = {
        name: TORN.outlook.attacks(board, board.token("ann"), board.token(name))
        for name in ("orc", "elf", "imp")
    }
    assert {name: [act.weapon for act in acts] for name, acts in legal.items()} == {
        "orc": ["Bowshot"],
        "elf": [],
        "imp": [],
    }
