"""Describing the minis: CDG-001 to CDG-010."""

import pytest

from enfilade.errors import BadMessage
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.rulesets.coup_de_grace.profiles import Profile
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    act,
    active,
    after,
    aim,
    battle,
    card,
    cells,
    foe,
    judge,
    mini,
    modifiers,
    notes,
    why_not,
)


@pytest.mark.rule("CDG-001")
def test_a_miniature_has_two_hands_and_stands_on_exactly_one_square():
    with pytest.raises(BadMessage, match="two hands"):
        battle(mini("Ann", hands=("bow", "sword")))
    with pytest.raises(BadMessage):
        battle(mini("Ann", hands=("sword", "sword", "sword")))
    scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(3, 2)), foe("Far", at=(5, 2)))
    assert not judge(scene, "ann", (3, 2)).allowed
    assert judge(scene, "ann", (4, 2)).allowed


@pytest.mark.rule("CDG-002")
def test_a_miniature_has_one_of_three_armor_classes():
    assert set(Profile.__annotations__) >= {"armor"}
    with pytest.raises(BadMessage, match="armor"):
        battle(mini("Ann", armor="mithril"))
    for armor, defenses in (
        ("unarmored", {"unarmored": 3}),
        ("light", {"light armor": 4}),
        ("heavy", {"heavy armor": 5}),
    ):
        scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1), armor=armor))
        assert aim(scene, act("melee", "ann", "orc"))[2] == defenses


@pytest.mark.rule("CDG-003")
def test_the_unarmored_have_defense_3_and_movement_8():
    shown = card(battle(mini("Ann", armor="unarmored")), "ann")
    assert (shown["Defense"], shown["Movement"]) == ("3", "8")


@pytest.mark.rule("CDG-004")
def test_the_lightly_armored_have_defense_4_and_movement_6():
    shown = card(battle(mini("Ann", armor="light")), "ann")
    assert (shown["Defense"], shown["Movement"]) == ("4", "6")


@pytest.mark.rule("CDG-005")
def test_the_heavily_armored_have_defense_5_and_movement_4():
    shown = card(battle(mini("Ann", armor="heavy")), "ann")
    assert (shown["Defense"], shown["Movement"]) == ("5", "4")


@pytest.mark.rule("CDG-006")
def test_a_miniature_starts_with_3_hit_points_and_is_healed_to_no_more():
    scene = battle(
        mini("Ann", at=(2, 2), hands=("holy symbol", "sword")),
        mini("Bo", at=(2, 3)),
        mini("Cy", at=(2, 4), hp=1),
    )
    assert scene.token("ann").track("hp") == 3
    healed = after(scene, act("spell", "ann", "bo", "holy symbol"), 5)
    assert healed.token("bo").track("hp") == 3


@pytest.mark.rule("CDG-006")
def test_a_miniature_that_comes_with_hit_points_keeps_them_and_the_state_they_mean():
    scene = battle(
        mini("Ann", at=(1, 1), hp=2),
        mini("Bo", at=(2, 2), hp=0),
        mini("Cy", at=(3, 3), hp=-1),
        mini("Di", at=(4, 4), conditions={"downed": ""}),
    )
    assert scene.token("ann").track("hp") == 2
    assert scene.token("bo").has("downed")
    assert scene.token("bo").facing is None
    assert scene.token("cy").has("out")
    assert scene.token("cy").at is None
    assert scene.token("di").track("hp") == 0


@pytest.mark.rule("CDG-007")
def test_each_race_has_one_special_quality_and_the_card_tells_it():
    races = (
        "human",
        "dwarf",
        "elf",
        "orc",
        "goblin",
        "gnoll",
        "gnome",
        "halfling",
        "kobold",
        "drow",
        "beastman",
    )
    for race in (*races, "living construct", "lizardman", "skeleton", "vampire", "zombie"):
        assert notes(battle(mini("Ann", race=race)), "ann")[3], race
    with pytest.raises(BadMessage, match="race"):
        battle(mini("Ann", race="hobbit"))


@pytest.mark.rule("CDG-008")
def test_only_held_items_can_attack():
    scene = battle(mini("Ann", at=(2, 2), hands=("axe", "shield")), foe("Orc", at=(2, 1)))
    assert why_not(scene, act("melee", "ann", "orc", "axe")) is None
    assert why_not(scene, act("melee", "ann", "orc", "sword")) == "CDG-008"
    assert why_not(scene, act("ranged", "ann", "orc", "axe")) == "CDG-008"
    assert why_not(scene, act("melee", "ann", "orc", "shield")) == "CDG-008"


@pytest.mark.rule("CDG-008")
def test_two_of_a_kind_are_two_weapons():
    scene = active(battle(mini("Ann", at=(2, 2), hands=("axe", "axe")), foe("Orc", at=(2, 1))), "ann")
    once = after(scene, act("melee", "ann", "orc", "axe"), 1, 2)
    assert why_not(once, act("melee", "ann", "orc", "axe")) == "CDG-021"
    assert why_not(once, act("melee", "ann", "orc", "axe 2")) is None


@pytest.mark.rule("CDG-009")
def test_an_empty_hand_is_a_fist_or_an_open_hand():
    scene = battle(
        mini("Ann", at=(2, 2), hands=("fist", "sword")),
        mini("Bo", at=(8, 8), hands=("open hand", "sword")),
        foe("Thin", at=(2, 1), armor="unarmored"),
    )
    _, _, defenses = aim(scene, act("melee", "ann", "thin", "fist"))
    assert defenses == {"unarmored": 3, "fist against unarmored": -1}
    assert card(scene, "bo")["Movement"] == "7"


@pytest.mark.rule("CDG-009")
def test_a_fist_finds_armor_harder():
    scene = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1), armor="heavy"))
    assert aim(scene, act("melee", "ann", "orc", "fist"))[0] == 6


@pytest.mark.rule("CDG-009")
def test_open_hands_that_leave_nothing_to_attack_with_are_fists():
    scene = battle(mini("Ann", at=(2, 2), hands=("open hand", "shield")), foe("Orc", at=(2, 1)))
    assert card(scene, "ann")["Movement"] == "6"
    assert why_not(scene, act("melee", "ann", "orc", "fist")) is None


@pytest.mark.rule("CDG-010")
def test_the_card_shows_defense_movement_hit_points_race_and_both_hands():
    scene = battle(mini("Ann", armor="heavy", race="dwarf", hands=("hammer", "shield"), hp=2))
    lines = COUP_DE_GRACE.card(scene, scene.token("ann"))
    assert [(line.label, line.value) for line in lines] == [
        ("Defense", "5"),
        ("Movement", "4"),
        ("Hit points", "2 of 4"),
        ("Race", "Dwarf"),
        ("Hand", "Hammer"),
        ("Hand", "Shield"),
    ]
    assert "front arc" in lines[5].note


@pytest.mark.rule("CDG-010")
def test_every_unit_of_the_catalog_has_a_card():
    for unit in COUP_DE_GRACE.catalog:
        scene = battle(mini("Ann", facing=EAST, **unit.profile, at=(1, 1)))
        assert len(notes(scene, "ann")) >= 5
        assert cells(scene, "ann", "arc")


@pytest.mark.rule("CDG-063")
def test_a_modifier_is_named_after_the_race_or_weapon_it_comes_from():
    scene = battle(mini("Ann", at=(2, 2), race="drow"), foe("Orc", at=(2, 1)))
    assert modifiers(scene, act("melee", "ann", "orc")) == {"drow": 1}


@pytest.mark.rule("CDG-013")
def test_a_standing_miniature_always_has_a_facing_and_a_downed_one_has_none():
    scene = battle(mini("Ann", at=(2, 2), facing=None), mini("Bo", at=(4, 4), facing=EAST, hp=0))
    assert (scene.token("ann").facing, scene.token("bo").facing) == (0, None)
    assert (
        why_not(
            battle(mini("Ann", at=(2, 2), facing=None), foe("Orc", at=(2, 1))), act("melee", "ann", "orc")
        )
        is None
    )


@pytest.mark.rule("CDG-002")
def test_a_miniature_without_an_armor_class_or_with_two_is_refused():
    for armor in (None, "", ["light", "heavy"]):
        with pytest.raises(BadMessage, match="armor"):
            battle(mini("Ann", armor=armor))
    bare = mini("Ann")
    del bare.profile["armor"]
    with pytest.raises(BadMessage, match="armor"):
        battle(bare)
