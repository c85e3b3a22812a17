"""Combinations that no sentence settles: each is a house rule, and both of its readings play."""

from __future__ import annotations

import pytest

from tests.unit.rulesets.coup_de_grace.scenes import (
    NORTH,
    act,
    active,
    after,
    battle,
    do,
    foe,
    hp,
    mini,
    modifiers,
    why_not,
)

HIT = act("melee", "ann", "orc")
BLAST = act("spell", "ann", "orc", "blast staff")


def lying(*hands, rules=None, orc_at=(5, 4), race="elf", **more):
    """Ann is downed and active."""
    ann = mini("Ann", at=(5, 5), hands=hands, race=race, hp=0)
    return active(battle(ann, foe("Orc", at=orc_at, **more), foe("Az", at=(0, 0)), rules=rules), "ann", 0)


@pytest.mark.rule("CDG-071")
def test_one_act_of_a_downed_miniature_is_all_attacks_of_its_weapon_or_the_first():
    claw, throw = act("melee", "ann", "orc", "claw"), act("ranged", "ann", "orc", "shuriken")
    alone = {"downed_attack_again": False}
    assert hp(after(lying("claw", "fist", armor="unarmored"), claw, 5, 5, 2), "orc") == 1
    assert hp(after(lying("claw", "fist", armor="unarmored", rules=alone), claw, 5), "orc") == 2
    far = {"orc_at": (5, 4), "armor": "unarmored"}
    assert hp(after(lying("shuriken", "fist", **far), throw, 6, 6, 6), "orc") == 0
    assert hp(after(lying("shuriken", "fist", rules=alone, **far), throw, 6), "orc") == 2


@pytest.mark.rule("CDG-063")
def test_a_downed_vampire_feeds_and_a_downed_zombie_only_by_choice():
    def fed(race, rules=None):
        scene = after(lying("fist", "sword", race=race, rules=rules, hp=0, armor="unarmored"), HIT, 6)
        return scene.token("ann")

    assert fed("vampire").track("gained") == 1
    assert fed("zombie").track("hp") == 0
    assert fed("vampire", {"downed_feed": "none"}).track("gained") == 0
    risen = fed("zombie", {"downed_feed": "both"})
    assert risen.track("hp") == 1
    assert not risen.has("downed")
    assert risen.facing is not None


@pytest.mark.rule("CDG-070")
def test_a_downed_mage_may_be_let_attack_at_minus_2_and_for_nothing_but_cast_no_other_spell():
    assert why_not(lying("blast staff", "fist"), BLAST) == "CDG-070"
    board = lying("blast staff", "fist", rules={"downed_cast": True})
    assert why_not(board, BLAST) is None
    assert -2 in modifiers(board, BLAST).values()
    assert after(board, BLAST, 1).token("ann").has("acted")
    ward = act("spell", "ann", weapon="mage left open hand")
    warded = lying("mage left open hand", "fist", rules={"downed_cast": True})
    assert why_not(warded, ward) == "CDG-070"


@pytest.mark.rule("CDG-064")
@pytest.mark.parametrize(
    ("hands", "kind"),
    [(("hammer", "fist"), "melee"), (("pistol", "fist"), "ranged"), (("blast staff", "fist"), "spell")],
)
def test_who_is_just_downed_is_pushed_like_any_other_or_falls_where_it_stands(hands, kind):
    strike = act(kind, "ann", "orc", hands[0])

    def where(**rules):
        ann = mini("Ann", at=(5, 6), facing=NORTH, hands=hands, armor="unarmored")
        board = battle(ann, foe("Orc", at=(5, 5), hp=1), rules=rules)
        return after(board, strike, 6).token("orc").at

    assert where() == (5, 4)
    assert where(downed_pushed=False) == (5, 5)


@pytest.mark.rule("CDG-064")
def test_who_is_just_downed_is_not_turned_and_one_downed_before_is_out_at_once():
    ann = mini("Ann", at=(5, 1), hands=("hammer", "fist"))
    board = battle(ann, foe("Orc", at=(5, 0), hp=1), rules={"downed_pushed": False})
    assert after(board, act("melee", "ann", "orc", "hammer"), 6).token("orc").facing is None


@pytest.mark.rule("CDG-063")
@pytest.mark.parametrize("left", [1, 0])
def test_a_victim_stays_entangled_when_its_captor_falls_or_comes_free(left):
    def held(**rules):
        orc = foe("Orc", at=(5, 4), hp=left)
        bo = mini("Bo", at=(7, 4), conditions={"entangled": "orc"})
        scene = battle(mini("Ann", at=(5, 5)), bo, orc, foe("Az", at=(0, 0)), rules=rules)
        return after(scene, HIT, 6).token("bo").has("entangled")

    assert held()
    assert not held(captor_falls="freed")


def test_only_the_victims_of_who_falls_come_free():
    bo = mini("Bo", at=(7, 4), conditions={"entangled": "az"})
    az, orc = foe("Az", at=(8, 4)), foe("Orc", at=(5, 4), hp=1)
    scene = battle(mini("Ann", at=(5, 5)), bo, orc, az, rules={"captor_falls": "freed"})
    assert after(scene, HIT, 6).token("bo").has("entangled")


@pytest.mark.rule("CDG-063")
def test_an_orcs_six_adds_its_damage_to_a_hook_or_a_hook_never_does_any():
    hook = act("ranged", "ann", "orc", "grappling hook")

    def left(face, **rules):
        ann = mini("Ann", at=(5, 8), race="orc", hands=("grappling hook", "fist"))
        return hp(do(battle(ann, foe("Orc", at=(5, 4)), rules=rules), hook, face).scene, "orc")

    assert [left(5), left(6)] == [3, 2]
    assert [left(5, hook_damage=False), left(6, hook_damage=False)] == [3, 3]
