"""A ranged attack on a group: the failed dice are rerolled against a neighbor (TRN-061 to TRN-064)."""

from __future__ import annotations

import pytest

from enfilade.rules.resolve import ChoicePending
from enfilade.scene.model import Terrain
from tests.unit.rulesets.torn.scenes import (
    BOW,
    ally,
    asked,
    attack,
    do,
    explanation_facts,
    foe,
    rolls,
    scene,
    shoot,
    wounds,
)

MUSKET = {**BOW, "attack": 3, "skill": 1, "agility": 1}
FIRST = "S--" + "-" + "-" + "--" + "-"
"""One success; two blank attack dice, a blank skill and a blank agility die; no defense."""


def group(*others, tiles=(MUSKET,), **more):
    return scene(ally("musketeer", (4, 10), tiles=tiles), foe("soldier", (10, 10)), *others, **more)


@pytest.mark.rule("TRN-061")
def test_trn_t14_the_blanks_are_rerolled_against_the_closer_neighbor():
    board = group(foe("grenadier", (9, 10)), foe("hunter", (11, 10)))
    done = do(
        board, shoot("musketeer", "soldier"), FIRST + "SS" + "-" + "-" + "--" + "-", ("defend", "defend")
    )
    assert [facts["target"] for facts in explanation_facts(done, "group attack")] == ["grenadier"]
    assert rolls(done)[5:8] == ["attack SS", "skill -", "agility -"]
    assert (wounds(done, "soldier"), wounds(done, "grenadier"), wounds(done, "hunter")) == (4, 3, 5)


@pytest.mark.rule("TRN-061")
def test_the_neighbor_may_be_an_ally():
    board = group(ally("bran", (9, 10)))
    done = do(
        board, shoot("musketeer", "soldier"), FIRST + "SS" + "-" + "-" + "--" + "-", ("defend", "defend")
    )
    assert wounds(done, "bran") == 3


@pytest.mark.rule("TRN-061")
def test_without_a_neighbor_in_range_and_sight_no_dice_are_rerolled():
    done = do(group(), shoot("musketeer", "soldier"), FIRST, ("defend",))
    assert not explanation_facts(done, "group attack")
    hidden = group(foe("ghost", (9, 10), traits=("invisible",)))
    assert not explanation_facts(
        do(hidden, shoot("musketeer", "soldier"), FIRST, ("defend",)), "group attack"
    )


@pytest.mark.rule("TRN-061")
def test_a_melee_attack_never_hits_a_neighbor():
    sword = {"name": "Sword", "kind": "melee", "attack": 2, "damage": 1}
    board = scene(ally("aldis", (9, 10), tiles=(sword,)), foe("soldier", (10, 10)), foe("hunter", (11, 10)))
    done = do(board, attack("aldis", "soldier", "Sword"), "S-" + "--" + "-", ("defend",))
    assert not explanation_facts(done, "group attack")


@pytest.mark.rule("TRN-062")
def test_the_second_target_defends_and_agility_and_skill_count_as_usual():
    board = group(foe("grenadier", (9, 10)))
    faces = FIRST + "S-" + "S" + "S" + "S" + "S-" + "-"
    done = do(board, shoot("musketeer", "soldier"), faces, ("defend", "attack blank 1", "defend"))
    assert rolls(done)[8:] == ["attack reroll S", "defense S-", "agility -"]
    assert wounds(done, "grenadier") == 5 - 2


@pytest.mark.rule("TRN-043", "TRN-062")
def test_low_visibility_counts_for_the_second_target_alone():
    smoke = Terrain(id="smoke", name="Smoke", cells=((13, 10),), kind="smoke")
    board = scene(
        ally("musketeer", (7, 10), tiles=(MUSKET,)),
        foe("soldier", (11, 10)),
        foe("hunter", (12, 10)),
        terrain=[smoke],
    )
    faces = FIRST + "SS" + "-" + "-" + "-S" + "--" + "-"
    done = do(board, shoot("musketeer", "soldier"), faces, ("defend", "defend"))
    assert "low visibility reroll -S" in rolls(done)
    assert wounds(done, "hunter") == 4


@pytest.mark.rule("TRN-063")
def test_the_attacker_chooses_among_equally_close_neighbors():
    board = group(foe("a", (9, 9)), foe("b", (9, 11)))
    faces = FIRST + "SS" + "-" + "-" + "--" + "-"
    for name in "ab":
        done = do(board, shoot("musketeer", "soldier"), faces, ("defend", name, "defend"))
        assert ("Musketeer, Bowshot: which miniature do the failed dice attack?", name) in asked(done)
        assert wounds(done, name) == 3


@pytest.mark.rule("TRN-064")
def test_the_second_attack_spreads_no_further():
    board = group(foe("grenadier", (9, 10)), foe("hunter", (8, 10)))
    done = do(
        board, shoot("musketeer", "soldier"), FIRST + "S-" + "-" + "-" + "--" + "-", ("defend", "defend")
    )
    assert len(explanation_facts(done, "group attack")) == 1
    assert wounds(done, "hunter") == 5


@pytest.mark.rule("TRN-043", "TRN-061")
def test_dice_that_fail_only_in_the_reroll_of_low_visibility_do_not_attack_the_neighbor():
    bow = {**BOW, "attack": 2}
    smoke = Terrain(id="smoke", name="Smoke", cells=((13, 10),), kind="smoke")
    others = (foe("soldier", (12, 10)), foe("hunter", (11, 10)))
    board = scene(ally("musketeer", (7, 10), tiles=(bow,)), *others, terrain=[smoke])
    done = do(board, shoot("musketeer", "soldier"), "SS" + "--" + "--" + "-", ("defend",))
    assert "low visibility reroll --" in rolls(done)
    assert not explanation_facts(done, "group attack")


@pytest.mark.rule("TRN-061")
@pytest.mark.parametrize(("reach", "is_hit"), [(2, False), (3, True)])
def test_a_neighbor_out_of_range_of_the_tile_is_not_hit(reach, is_hit):
    bow = {**BOW, "range": 6 + reach - 2, "unit": "hex"}
    board = group(foe("hunter", (11, 10)), tiles=(bow,))
    faces = "S-" + "--" + "-" + ("-" + "--" + "-" if is_hit else "")
    done = do(board, shoot("musketeer", "soldier"), faces, ("defend",))
    assert bool(explanation_facts(done, "group attack")) is is_hit


@pytest.mark.rule("TRN-063")
def test_the_side_of_the_attacker_is_asked_which_neighbor_the_dice_attack():
    board = group(foe("a", (9, 9)), foe("b", (9, 11)))
    with pytest.raises(ChoicePending) as waiting:
        do(board, shoot("musketeer", "soldier"), FIRST, ("defend",), automatic=())
    assert waiting.value.choice.side == "blue"
    assert [answer.key for answer in waiting.value.choice.answers] == ["a", "b"]


@pytest.mark.rule("TRN-063")
@pytest.mark.parametrize(
    ("others", "chosen"),
    [
        ((ally("bran", (9, 9)), foe("orc", (9, 11))), "orc"),
        ((foe("orc", (9, 9)), ally("bran", (9, 11))), "orc"),
        ((foe("a", (9, 9), defense=0), foe("b", (9, 11), defense=3)), "a"),
        ((foe("a", (9, 9), defense=3), foe("b", (9, 11), defense=0)), "b"),
    ],
)
def test_by_default_the_failed_dice_attack_the_enemy_that_they_hurt_most(others, chosen):
    board = group(*others)
    with pytest.raises(ChoicePending) as waiting:
        do(board, shoot("musketeer", "soldier"), FIRST, ("defend",), automatic=())
    assert waiting.value.choice.default == chosen
