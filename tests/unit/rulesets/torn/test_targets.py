"""Step one: the legal targets of an attack (TRN-006 to TRN-012, TRN-034 to TRN-038)."""

from __future__ import annotations

import pytest

from enfilade.rules.procedures import Act
from enfilade.rules.resolve import refusal
from enfilade.rulesets.torn import TORN
from tests.unit.rulesets.torn.scenes import (
    BOW,
    MOVE,
    PLAIN,
    SWORD,
    ally,
    attack,
    do,
    foe,
    hexon_cell,
    hexon_cells,
    landscape,
    refused,
    scene,
    shoot,
    with_token,
    wounds,
)

TEN, NEXT = (10, 10), (11, 10)
HALBERD = {"name": "Halberd", "kind": "melee", "range": 3, "attack": 3, "damage": 2}
MAW = {"name": "Maw", "kind": "melee", "range": 1, "unit": "hexon", "attack": 3, "damage": 2}
ROAR = {"name": "Roar", "kind": "ranged", "range": 2, "unit": "hexon", "area": True, "effect": "panic test"}
GUST = {"name": "Gust", "kind": "ranged", "range": 2, "unit": "hexon", "attack": 1, "effect": "shift"}


@pytest.mark.rule("TRN-006", "TRN-007")
def test_trn_t01_a_range_of_one_hex_means_a_neighboring_hex():
    assert refused(scene(ally("aldis", TEN), foe("orc", NEXT)), attack("aldis", "orc")) == ""
    assert refused(scene(ally("aldis", TEN), foe("orc", (12, 10))), attack("aldis", "orc")) == "TRN-006"


@pytest.mark.rule("TRN-006", "TRN-008")
def test_trn_t02_four_hexons_are_counted_from_hexon_to_hexon():
    near = scene(ally("wren", TEN, tiles=(BOW,)), foe("orc", hexon_cell((4, 0))))
    far = scene(ally("wren", TEN, tiles=(BOW,)), foe("orc", hexon_cell((5, 0))))
    assert refused(near, shoot("wren", "orc")) == ""
    assert refused(far, shoot("wren", "orc")) == "TRN-006"


@pytest.mark.rule("TRN-008")
@pytest.mark.parametrize("chirality", ["left", "right"])
def test_hexons_count_the_same_from_any_of_their_hexes(chirality):
    bow = {**BOW, "range": 1}
    for start in hexon_cells((0, 0), chirality):
        for end in hexon_cells((1, 0), chirality):
            board = scene(ally("wren", start, tiles=(bow,)), foe("orc", end), chirality=chirality)
            assert refused(board, shoot("wren", "orc")) in {"", "TRN-038"}


@pytest.mark.rule("TRN-009", "TRN-041")
def test_a_target_in_cover_may_not_be_chosen():
    at = next(cell for cell in hexon_cells((0, 0)) if cell == (11, 10))
    hidden = scene(
        ally("wren", hexon_cell((2, 0)), tiles=(BOW,)), foe("orc", at), terrain=[landscape((1, 0))]
    )
    assert refused(hidden, shoot("wren", "orc")) == "TRN-009"


@pytest.mark.rule("TRN-010")
def test_an_attack_that_does_damage_may_not_choose_an_ally():
    board = scene(ally("aldis", TEN, tiles=(SWORD, GUST)), ally("bran", NEXT), foe("orc", (20, 20)))
    assert refused(board, attack("aldis", "bran")) == "TRN-010"
    assert refused(board, attack("aldis", "bran", "Gust", "ranged")) == ""


@pytest.mark.rule("TRN-011")
def test_an_area_attack_must_choose_an_enemy_even_without_damage():
    board = scene(ally("otraak", TEN, tiles=(ROAR,)), ally("bran", NEXT), foe("orc", (12, 10)))
    assert refused(board, attack("otraak", "bran", "Roar", "ranged")) == "TRN-011"
    assert refused(board, attack("otraak", "orc", "Roar", "ranged")) == ""


@pytest.mark.rule("TRN-012")
def test_a_legal_target_is_on_the_battlefield_in_range_and_visible():
    board = scene(ally("wren", TEN, tiles=(BOW,)), foe("orc", hexon_cell((2, 0))), foe("gone", None))
    assert refused(board, shoot("wren", "orc")) == ""
    assert refused(board, shoot("wren", "gone")) == "TRN-012"


@pytest.mark.rule("TRN-035")
def test_melee_attacks_may_reach_several_hexes_or_a_hexon():
    guard = scene(ally("guard", TEN, tiles=(HALBERD,)), foe("orc", (13, 10)))
    assert refused(guard, attack("guard", "orc", "Halberd")) == ""
    big = scene(ally("colossus", TEN, tiles=(MAW,), size="large"), foe("orc", hexon_cell((1, 0))))
    assert refused(big, attack("colossus", "orc", "Maw")) == ""


@pytest.mark.rule("TRN-036")
def test_trn_t07_with_a_halberd_only_the_closest_of_three_is_legal():
    board = scene(
        ally("guard", TEN, tiles=(HALBERD,)),
        foe("returned", NEXT),
        foe("soldier", (12, 10)),
        foe("grenadier", (13, 10)),
    )
    legal = [
        name
        for name in ("returned", "soldier", "grenadier")
        if not refused(board, attack("guard", name, "Halberd"))
    ]
    assert legal == ["returned"]
    assert refused(board, attack("guard", "soldier", "Halberd")) == "TRN-036"


@pytest.mark.rule("TRN-034", "TRN-036")
def test_being_the_closest_matters_to_melee_and_not_to_ranged_attacks():
    spear = {**HALBERD, "name": "Throw", "kind": "ranged"}
    board = scene(ally("guard", TEN, tiles=(HALBERD, spear)), foe("near", (12, 10)), foe("far", (13, 10)))
    assert refused(board, attack("guard", "far", "Halberd")) == "TRN-036"
    assert refused(board, attack("guard", "far", "Throw", "ranged")) == ""


@pytest.mark.rule("TRN-036")
def test_an_enemy_in_the_same_hex_is_closer_than_one_beside():
    # No move puts two into one Hex; a tabletop may.
    board = scene(ally("guard", TEN), foe("inside", TEN), foe("beside", NEXT))
    assert refused(board, attack("guard", "beside")) == "TRN-036"
    assert refused(board, attack("guard", "inside")) == ""
    allied = scene(ally("guard", TEN), ally("bran", TEN), foe("beside", NEXT))
    assert refused(allied, attack("guard", "beside")) == ""


@pytest.mark.rule("TRN-036")
def test_among_equally_close_enemies_the_choice_is_free():
    board = scene(ally("guard", TEN, tiles=(HALBERD,)), foe("a", (12, 10)), foe("b", (8, 10)))
    assert [refused(board, attack("guard", name, "Halberd")) for name in "ab"] == ["", ""]


@pytest.mark.rule("TRN-038")
def test_trn_t08_a_musketeer_beside_the_returned_may_only_strike_at_it():
    board = scene(ally("musketeer", TEN, tiles=(BOW, PLAIN)), foe("returned", NEXT), foe("soldier", (15, 10)))
    assert refused(board, shoot("musketeer", "soldier")) == "TRN-038"
    assert refused(board, attack("musketeer", "returned", "Strike")) == ""


@pytest.mark.rule("TRN-038")
def test_an_ally_beside_the_shooter_does_not_stop_it_and_assault_shoots_anyway():
    calm = scene(ally("musketeer", TEN, tiles=(BOW,)), ally("bran", NEXT), foe("soldier", (15, 10)))
    assert refused(calm, shoot("musketeer", "soldier")) == ""
    tiles = ({**BOW, "assault": True},)
    board = scene(ally("musketeer", TEN, tiles=tiles), foe("returned", NEXT), foe("soldier", (15, 10)))
    assert refused(board, shoot("musketeer", "soldier")) == ""
    strict = scene(
        ally("musketeer", TEN, tiles=tiles),
        foe("returned", NEXT),
        foe("soldier", (15, 10)),
        house_rules={"torn.assault_beside_enemy": False},
    )
    assert refused(strict, shoot("musketeer", "soldier")) == "TRN-038"


@pytest.mark.rule("TRN-037")
def test_a_defense_critical_against_a_ranged_attack_deals_no_damage():
    near = {**BOW, "assault": True}
    board = scene(ally("wren", TEN, tiles=(near,)), foe("orc", NEXT))
    done = do(board, shoot("wren", "orc"), "S-" + "CC" + "-", ("defend",))
    assert wounds(done, "wren") == 5


@pytest.mark.rule("TRN-011")
def test_an_area_attack_hits_allies_in_the_hexon_of_the_enemy_that_it_chose_and_no_others():
    sweep = {
        "name": "Sweep",
        "kind": "ranged",
        "range": 3,
        "unit": "hexon",
        "attack": 2,
        "damage": 1,
        "area": True,
    }
    inside, outside = hexon_cells((2, 0)), hexon_cells((3, 0))
    board = scene(
        ally("otraak", TEN, tiles=(sweep,)),
        foe("orc", inside[0]),
        ally("bran", inside[1]),
        ally("cara", outside[0]),
    )
    faces = "SS" + "--" + "-" + "--" + "-"
    done = do(board, attack("otraak", "orc", "Sweep", "ranged"), faces, ("defend", "defend"))
    assert [wounds(done, name) for name in ("orc", "bran", "cara", "otraak")] == [3, 3, 5, 5]
    assert refused(board, attack("otraak", "bran", "Sweep", "ranged")) == "TRN-011"


@pytest.mark.rule("TRN-002", "TRN-012")
def test_what_an_offer_refuses_is_what_the_attack_itself_refuses():
    board = scene(
        ally("aldis", TEN, tiles=(HALBERD, ROAR, BOW)),
        ally("bran", (9, 9)),
        foe("orc", NEXT),
        foe("elf", (13, 10)),
        foe("ghost", (9, 10), traits=("invisible",)),
        foe("away", None),
    )
    for target in ("aldis", "bran", "orc", "elf", "ghost", "away"):
        for weapon, kind in (("Halberd", "melee"), ("Roar", "ranged"), ("Bowshot", "ranged")):
            act = attack("aldis", target, weapon, kind)
            quick = TORN.acts[kind].refusal(board, act)
            found = refusal(board, TORN.acts[kind].procedure, act)
            if target in ("aldis", "away"):  # the attack itself knows whom it is
                assert (quick, found.rule) == (None, "TRN-002" if target == "aldis" else "TRN-012")
            else:
                assert (type(quick), str(quick)) == (type(found), str(found))


@pytest.mark.rule("TRN-001", "TRN-012")
@pytest.mark.parametrize("at", [TEN, None, (40, 2)])
def test_an_act_that_is_no_attack_is_refused_by_the_attack_itself(at):
    board = scene(ally("aldis", TEN, tiles=(SWORD, BOW, MOVE)), foe("orc", NEXT))
    board = with_token(board, "aldis", at=at)
    wrong = {
        attack("aldis", "orc", "Claw"): "TRN-001",
        attack("aldis", "orc", "Move"): "TRN-001",
        attack("aldis", "orc", "Bowshot"): "TRN-001",
        attack("aldis", "orc"): "" if at == TEN else "TRN-012",
    }
    for act, rule in wrong.items():
        assert TORN.acts[act.kind].refusal(board, act) is None
        assert refused(board, act) == rule


@pytest.mark.rule("TRN-011")
def test_only_an_area_attack_with_a_target_catches_others():
    sweep = {**PLAIN, "name": "Sweep", "area": True}
    board = scene(ally("aldis", TEN, tiles=(sweep, PLAIN)), foe("orc", NEXT), foe("imp", (10, 9)))
    acts = {
        "Sweep": attack("aldis", "orc", "Sweep"),
        "at nobody yet": attack("aldis", "", "Sweep"),
        "Strike": attack("aldis", "orc", "Strike"),
        "a move": Act(kind="move", token="aldis", at=(9, 9)),
    }
    assert {name: list(TORN.caught(board, act)) for name, act in acts.items()} == {
        "Sweep": ["imp"],
        "at nobody yet": [],
        "Strike": [],
        "a move": [],
    }
