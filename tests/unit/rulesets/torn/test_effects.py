"""Attacks without damage, Evade, damage types, conditions, ethereal attacks (TRN-078 to TRN-091, TRN-096)."""

from __future__ import annotations

import pytest

from enfilade.rules.procedures import Act
from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.profiles import read_miniature
from enfilade.scene.model import Terrain
from tests.unit.rulesets.torn.scenes import (
    PLAIN,
    ally,
    asked,
    attack,
    do,
    explanation_facts,
    foe,
    hexon_cell,
    hexon_cells,
    landscape,
    rolls,
    scene,
    shoot,
    text_of,
    with_condition,
    with_token,
    wounds,
)

TEN, NEXT = (10, 10), (11, 10)
ROAR = {
    "name": "Scary Roar",
    "kind": "ranged",
    "range": 2,
    "unit": "hexon",
    "type": "mental",
    "area": True,
    "effect": "panic test",
}
GUST = {
    "name": "Wind Gust",
    "kind": "ranged",
    "range": 3,
    "unit": "hexon",
    "attack": 2,
    "agility": 1,
    "effect": "shift",
}


def roaring(*others):
    return scene(ally("otraak", TEN, tiles=(ROAR,), size="large"), *others)


@pytest.mark.rule("TRN-078")
def test_trn_t15_scary_roar_rolls_no_dice_and_tests_every_enemy_in_the_hexon():
    there = hexon_cells((1, 0))
    board = roaring(
        foe("a", there[0]), foe("b", there[1]), ally("bran", there[2]), foe("c", hexon_cell((2, 0)))
    )
    done = do(board, shoot("otraak", "a", "Scary Roar"), "-" + "S")
    assert rolls(done) == ["panic test -", "panic test S"]
    assert [facts["token"] for facts in explanation_facts(done, "panic test")] == ["a", "b"]
    assert done.scene.token("a").has("panic")
    assert not done.scene.token("b").has("panic")


def blown(faces, decisions=(), **card):
    board = scene(ally("sister", TEN, tiles=(GUST,)), foe("orc", (13, 10), **card))
    return do(board, shoot("sister", "orc", "Wind Gust"), faces, decisions)


@pytest.mark.rule("TRN-079")
def test_trn_t16_wind_gust_needs_one_attack_success_and_shifts_straight_away():
    assert blown("--" + "-").scene.token("orc").at == (13, 10)
    for faces in ("S-" + "-" + "-", "C-" + "-" + "-"):
        done = blown(faces)
        assert done.scene.token("orc").at == (14, 10)
        assert done.result.result == "effect"


@pytest.mark.rule("TRN-079")
@pytest.mark.parametrize("size", ["large", "huge"])
def test_wind_gust_takes_effect_on_a_large_miniature_but_says_that_it_is_too_large_to_be_shifted(size):
    # "The attack takes effect" was all that was written, and nothing had happened.
    board = scene(ally("sister", TEN, tiles=(GUST,)), foe("orc", hexon_cell((1, 0)), size=size))
    done = do(board, shoot("sister", "orc", "Wind Gust"), "S-" + "-")
    assert done.scene.token("orc").at == hexon_cell((1, 0))
    assert "Orc is too large to be shifted." in text_of(board, done)


@pytest.mark.rule("TRN-079")
def test_agility_helps_an_effect_to_succeed():
    done = blown("--" + "S" + "S" + "-", ("attack blank 1",))
    assert done.scene.token("orc").at == (14, 10)


@pytest.mark.rule("TRN-079")
def test_trn_t16_after_a_dexterity_test_the_owner_chooses_the_hex():
    done = blown("S-" + "-" + "S", ("12,10",))
    assert rolls(done)[-1] == "dexterity test S"
    assert done.scene.token("orc").at == (12, 10)


@pytest.mark.rule("TRN-080")
def test_the_target_of_an_attack_without_damage_never_defends():
    assert "defense" not in " ".join(rolls(blown("SS" + "-" + "-")))


@pytest.mark.rule("TRN-081", "TRN-088")
def test_a_miniature_immune_to_the_type_ignores_the_effect():
    board = roaring(foe("a", hexon_cell((1, 0)), immune=("mental",)))
    done = do(board, shoot("otraak", "a", "Scary Roar"))
    assert not rolls(done)
    assert explanation_facts(done, "immune") == [{"token": "a", "to": "mental"}]


def duel(tile=PLAIN, **card):
    return scene(ally("aldis", TEN, tiles=(tile,)), foe("orc", NEXT, **card))


def strike(board, faces, decisions=("defend",)):
    return do(board, attack("aldis", "orc", "Strike"), faces, decisions)


@pytest.mark.rule("TRN-082")
def test_the_defender_may_evade_with_agility_dice_alone():
    done = strike(duel(), "SS" + "S", ("evade",))
    assert rolls(done)[1:] == ["evade S"]
    assert wounds(done, "orc") == 4


@pytest.mark.rule("TRN-083", "TRN-084")
def test_each_evade_success_cancels_a_success_and_never_a_critical():
    assert wounds(strike(duel(agility=3), "SS" + "SSS", ("evade",)), "orc") == 5
    assert wounds(strike(duel(agility=3), "CC" + "SSS", ("evade",)), "orc") == 3


@pytest.mark.rule("TRN-085")
@pytest.mark.parametrize(("damage", "questions", "roll"), [(5, 0, "evade S"), (4, 1, "defense --")])
def test_trn_t17_damage_of_the_maximum_wounds_leaves_only_evade(damage, questions, roll):
    board = duel({**PLAIN, "damage": damage})
    done = strike(board, "S-" + ("S" if damage == 5 else "--" + "-"), ("defend",) * questions)
    assert [question for question, _ in asked(done)] == ["Aldis, Strike → Orc: Defend or Evade?"] * questions
    assert rolls(done)[1] == roll


@pytest.mark.rule("TRN-085")
def test_crushing_damage_is_compared_with_the_maximum_wounds():
    board = duel({**PLAIN, "damage": 4})
    wounded = with_token(board, "orc", tracks={"wounds": 1})
    assert "Aldis, Strike → Orc: Defend or Evade?" in [
        question for question, _ in asked(strike(wounded, "S-" + "--" + "-"))
    ]


@pytest.mark.rule("TRN-086")
@pytest.mark.parametrize("damage_type", ["physical", "fire", "cold", "electrical", "poison", "mental"])
def test_the_log_names_the_damage_type_of_an_attack(damage_type):
    done = strike(duel({**PLAIN, "type": damage_type}), "S-" + "--" + "-")
    assert explanation_facts(done, "declared")[0]["type"] == damage_type


@pytest.mark.rule("TRN-087")
@pytest.mark.parametrize(
    ("card", "dice"),
    [({"protected": ("fire",)}, 3), ({"vulnerable": ("fire",)}, 1), ({"protected": ("cold",)}, 2)],
)
def test_protection_adds_and_vulnerability_removes_a_defense_die_against_its_type(card, dice):
    done = strike(duel({**PLAIN, "type": "fire"}, **card), "S-" + "-" * dice + "-")
    assert rolls(done)[1] == "defense " + "-" * dice


@pytest.mark.rule("TRN-087")
def test_vulnerability_never_removes_more_dice_than_the_shield_has():
    done = strike(duel({**PLAIN, "type": "fire"}, vulnerable=("fire",), defense=0), "S-" + "-")
    assert rolls(done)[1] == "agility -"


@pytest.mark.rule("TRN-088")
def test_an_immune_miniature_takes_no_damage_and_no_marker():
    tile = {**PLAIN, "type": "fire", "marker": "burning"}
    done = strike(duel(tile, immune=("fire",)), "CC" + "--" + "-")
    assert wounds(done, "orc") == 5
    assert not done.scene.token("orc").has("burning")


@pytest.mark.rule("TRN-088")
def test_an_immune_attacker_takes_no_damage_back():
    board = scene(
        ally("aldis", TEN, tiles=(PLAIN,), immune=("cold",)),
        foe("orc", NEXT, tiles=({**PLAIN, "type": "cold"},)),
    )
    assert wounds(strike(board, "S-" + "C-" + "-"), "aldis") == 5


@pytest.mark.rule("TRN-089")
@pytest.mark.parametrize("marker", ["burning", "slowed", "poisoned", "stunned", "bleeding", "panic"])
def test_a_critical_that_hurts_gives_the_tiles_condition_and_a_success_does_not(marker):
    board = duel({**PLAIN, "marker": marker})
    assert strike(board, "C-" + "--" + "-").scene.token("orc").has(marker)
    assert not strike(board, "SS" + "--" + "-").scene.token("orc").has(marker)
    assert not strike(board, "C-" + "C-" + "-", ("defend", "1")).scene.token("orc").has(marker)


@pytest.mark.rule("TRN-090")
def test_a_defense_critical_gives_no_condition():
    board = scene(
        ally("aldis", TEN, tiles=(PLAIN,)), foe("orc", NEXT, tiles=({**PLAIN, "marker": "bleeding"},))
    )
    done = strike(board, "S-" + "C-" + "-")
    assert wounds(done, "aldis") == 4
    assert not done.scene.token("aldis").has("bleeding")


@pytest.mark.rule("TRN-091")
def test_a_second_marker_of_one_condition_is_not_applied():
    board = with_condition(duel({**PLAIN, "marker": "burning"}), "orc", "burning")
    done = strike(board, "C-" + "--" + "-")
    assert not [e for e in done.events if getattr(e, "condition", "") == "burning"]
    assert done.scene.token("orc").has("burning")


@pytest.mark.rule("TRN-096")
def test_ether_protection_adds_a_defense_die_against_ethereal_attacks_only():
    card = {"traits": ("ether protection",)}
    ethereal = strike(duel({**PLAIN, "ethereal": True}, **card), "S-" + "---" + "-")
    assert rolls(ethereal)[1] == "defense ---"
    assert rolls(strike(duel(**card), "S-" + "--" + "-"))[1] == "defense --"


@pytest.mark.rule("TRN-089")
def test_of_two_criticals_the_canceled_one_gives_no_marker_and_the_other_does():
    board = duel({**PLAIN, "marker": "burning"})
    canceled = strike(board, "CS" + "C-" + "-", ("defend", "1"))
    assert wounds(canceled, "orc") == 4
    assert not canceled.scene.token("orc").has("burning")
    left = strike(board, "CC" + "C-" + "-", ("defend", "1"))
    assert wounds(left, "orc") == 4
    assert left.scene.token("orc").has("burning")


@pytest.mark.rule("TRN-043", "TRN-079")
@pytest.mark.parametrize(("face", "result"), [("-", "no effect"), ("S", "effect")])
def test_low_visibility_rerolls_the_successes_of_an_attack_without_damage(face, result):
    # "Reroll all successful rolls of attack dice": a gust into smoke took effect as in clear air.
    smoke = landscape((1, 0), kind="smoke")
    board = scene(ally("al", TEN, tiles=(GUST,)), foe("be", hexon_cell((1, 0))), terrain=(smoke,))
    moved = "" if face == "-" else "-"
    done = do(board, shoot("al", "be", "Wind Gust"), "S-" + "-" + face + moved)
    assert done.result.result == result


@pytest.mark.rule("TRN-043")
def test_low_visibility_rerolls_each_success_and_critical_of_an_attack_without_damage():
    smoke = landscape((1, 0), kind="smoke")
    board = scene(ally("al", TEN, tiles=(GUST,)), foe("be", hexon_cell((1, 0))), terrain=(smoke,))
    assert do(board, shoot("al", "be", "Wind Gust"), "SC" + "-" + "--").result.result == "no effect"


BEAST = {
    "size": "large",
    "wounds": 8,
    "tiles": [{"name": "Move", "kind": "move", "range": 2, "unit": "hexon"}],
}


@pytest.mark.rule("TRN-102")
def test_who_becomes_larger_gets_room_and_infantry_steps_out():
    # The beast of seven Hexes stood in its neighbor, and the scene was refused afterwards.
    board = scene(
        ally("al", TEN, tiles=(PLAIN,), wounds=1, becomes=BEAST),
        foe("be", NEXT, tiles=(PLAIN,)),
        foe("cy", (2, 2)),
    )
    board = with_token(board, "al", tracks={"wounds": 1})
    done = do(board, Act(kind="transform", token="al"))
    assert read_miniature(done.scene.token("al")).profile.size == "large"
    assert TORN.contradictions(done.scene) == {}
    assert [one["token"] for one in explanation_facts(done, "ejected")] == ["be"]


@pytest.mark.rule("TRN-102")
def test_who_becomes_larger_moves_only_infantry_out_and_only_where_there_is_room():
    giant = {"size": "huge", "wounds": 9, "hexons": [[0, 0], [1, 0]]}
    al = ally("al", TEN, tiles=(PLAIN,), becomes=giant)
    troll, be = foe("troll", hexon_cell((1, 0)), size="large"), foe("be", NEXT)
    grow = Act(kind="transform", token="al")
    done = do(scene(al, troll, be), grow)
    assert [one["token"] for one in explanation_facts(done, "ejected")] == ["be"]
    assert done.scene.token("troll").at == troll.at
    closed = tuple((x, y) for x in range(31) for y in range(31) if (x, y) not in hexon_cells((0, 0)))
    full = do(scene(al, be, terrain=[Terrain("rubble", "", closed, kind="marker")]), grow)
    assert full.scene.token("be").at == be.at


@pytest.mark.rule("TRN-102")
def test_who_becomes_other_infantry_moves_nobody_not_even_from_its_own_hex():
    al = ally("al", TEN, tiles=(PLAIN,), becomes={"wounds": 3})
    done = do(scene(al, ally("bo", TEN), foe("be", NEXT)), Act(kind="transform", token="al"))
    assert [done.scene.token(one).at for one in ("al", "bo", "be")] == [TEN, TEN, NEXT]
