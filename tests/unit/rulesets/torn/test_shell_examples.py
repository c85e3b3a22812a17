"""More worked examples of Torn, asked through the command line: zones, targets and rolls."""

from __future__ import annotations

import json

import pytest

from tests.unit.rulesets.torn.scenes import (
    BOW,
    PLAIN,
    ally,
    foe,
    hexon_cell,
    hexon_cells,
    landscape,
    scene,
)
from tests.unit.rulesets.torn.test_effects import GUST, ROAR
from tests.unit.rulesets.torn.test_seven_steps import NINE
from tests.unit.rulesets.torn.test_shell import act, targets
from tests.unit.rulesets.torn.test_sight import rim_hex
from tests.unit.rulesets.torn.test_targets import HALBERD

TEN, NEXT = (10, 10), (11, 10)


@pytest.fixture
def resolve(ask):
    def resolved(board, asked, faces, *answers):
        options = ("--faces", ",".join(faces), "--answers", json.dumps(answers))
        return ask(board, "resolve", "--act", asked, *options)

    return resolved


def rolls(found):
    return [f"{roll['label']} {''.join(roll['faces'])}" for roll in found["facts"]["rolls"]]


def token(found, name):
    return next(t for t in found["scene"]["tokens"] if t["id"] == name)


def blind_cells(ask, board, name):
    found = ask(board, "overlay", "--token", name, "--layers", "blind")
    return {
        (x, row)
        for area in found["areas"]
        for row, first, last in area["runs"]
        for x in range(first, last + 1)
    }


@pytest.mark.rule("TRN-017")
def test_trn_t03_the_shield_icon_is_two_defense_dice_and_one_agility_die(resolve):
    board = scene(ally("aldis", TEN), foe("orc", NEXT))
    found = resolve(board, act("aldis", "orc", "Sword Strike"), "SS-----", "defend")
    assert rolls(found)[3:] == ["defense --", "agility -"]


@pytest.mark.rule("TRN-014")
def test_trn_t04_two_agility_successes_reroll_two_blanks(resolve):
    board = scene(ally("rogue", TEN, tiles=(NINE,)), foe("noctis", NEXT))
    asked = act("rogue", "noctis", "Dagger Strike")
    found = resolve(board, asked, "SS--S-SS-C----", "attack blank 2", "defend")
    assert rolls(found)[3] == "attack reroll C-"


@pytest.mark.rule("TRN-036")
def test_trn_t07_a_halberd_strikes_the_closest_only(ask):
    others = (foe("returned", NEXT), foe("soldier", (12, 10)), foe("grenadier", (13, 10)))
    found = ask(scene(ally("guard", TEN, tiles=(HALBERD,)), *others), "overlay", "--token", "guard")
    assert targets(found) == {"returned": True, "soldier": False, "grenadier": False}


@pytest.mark.rule("TRN-038")
def test_trn_t08_no_shot_with_an_enemy_beside_the_musketeer(ask):
    board = scene(ally("musketeer", TEN, tiles=(BOW, PLAIN)), foe("returned", NEXT), foe("soldier", (15, 10)))
    found = ask(board, "overlay", "--token", "musketeer")
    legal = {(t["act"]["weapon"], t["target"]) for t in found["targets"] if t["target"] and t["legal"]}
    assert legal == {("Strike", "returned")}


@pytest.mark.rule("TRN-051")
@pytest.mark.parametrize("chirality", ["left", "right"])
def test_trn_t11_two_landscapes_make_one_zone_up_to_a_straight_border(ask, chirality):
    at = rim_hex((1, 0), (1, -1), chirality=chirality)
    terrain = [landscape((1, 0), (1, -1), chirality=chirality)]
    blind = blind_cells(ask, scene(ally("a", at), terrain=terrain, chirality=chirality), "a")
    for hexon in [(1, 0), (1, -1), (2, -1), (2, 1)]:
        assert set(hexon_cells(hexon, chirality)) <= blind
    for hexon in [(0, 0), (0, 2), (0, -2), (-1, 1)]:
        assert not set(hexon_cells(hexon, chirality)) & blind


@pytest.mark.rule("TRN-053", "TRN-054")
def test_trn_t12_a_large_miniature_is_blind_along_the_line_through_the_landscape(ask):
    board = scene(ally("a", TEN, size="large"), terrain=[landscape((1, 0))])
    blind = blind_cells(ask, board, "a")
    assert set(hexon_cells((3, 0))) <= blind
    assert not (set(hexon_cells((2, 1))) | set(hexon_cells((3, -1)))) & blind


@pytest.mark.rule("TRN-057")
@pytest.mark.parametrize(("at", "has_advantage"), [((2, -1), True), ((1, 1), True), ((0, 2), False)])
def test_trn_t13_an_attacker_in_the_defense_zone_meets_one_more_die(ask, at, has_advantage):
    large, shooter = foe("a", TEN, size="large"), ally("d", hexon_cell(at), tiles=(BOW,))
    board = scene(large, shooter, terrain=[landscape((1, 0))])
    found = ask(board, "odds", "--act", act("d", "a", "Bowshot", "ranged"))
    assert ("TRN-057" in {m["rule"] for m in found["defenses"]}) == has_advantage


@pytest.mark.rule("TRN-078")
def test_trn_t15_scary_roar_tests_every_enemy_in_the_hexon(resolve):
    there = hexon_cells((1, 0))
    board = scene(ally("otraak", TEN, tiles=(ROAR,), size="large"), foe("a", there[0]), foe("b", there[1]))
    found = resolve(board, act("otraak", "a", "Scary Roar", "ranged"), "-S")
    assert rolls(found) == ["panic test -", "panic test S"]
    assert ["panic" in token(found, name)["conditions"] for name in "ab"] == [True, False]


@pytest.mark.rule("TRN-079")
def test_trn_t16_wind_gust_shifts_and_a_dexterity_test_chooses_the_hex(resolve):
    board = scene(ally("sister", TEN, tiles=(GUST,)), foe("orc", (13, 10)))
    asked = act("sister", "orc", "Wind Gust", "ranged")
    assert token(resolve(board, asked, "---"), "orc")["at"] == [13, 10]
    assert token(resolve(board, asked, "S---"), "orc")["at"] == [14, 10]
    assert token(resolve(board, asked, "S--S", "12,10"), "orc")["at"] == [12, 10]


@pytest.mark.rule("TRN-097", "TRN-098", "TRN-099")
@pytest.mark.parametrize(
    ("traits", "faces", "panics"),
    [
        ((), "S", False),
        ((), "C", False),
        ((), "-", True),
        (("veteran",), "-S", False),
        (("careful",), "", True),
    ],
)
def test_trn_t19_panic_after_the_loss_of_the_leader(resolve, traits, faces, panics):
    leader = foe("chief", NEXT, wounds=1, defense=0, agility=0, traits=("leader",))
    board = scene(ally("aldis", TEN, tiles=(PLAIN,)), leader, foe("soldier", (20, 20), traits=traits))
    found = resolve(board, act("aldis", "chief", "Strike"), "S-" + faces)
    assert ("panic" in token(found, "soldier")["conditions"]) == panics
