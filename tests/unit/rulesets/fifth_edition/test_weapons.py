"""Weapons: their numbers, hands, properties, masteries; water (SRD-055, SRD-084, SRD-114 to SRD-131)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.rules.sheets import Attack, Damage, Rider
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.battlefield import defenses
from enfilade.rulesets.fifth_edition.profiles import read_creature
from enfilade.scene.model import Grid, Terrain
from tests.unit.rulesets.fifth_edition.scenes import (
    BO,
    BOW,
    SWORD,
    act,
    battle,
    chances,
    creature,
    hp,
    play,
    reasons,
    refused,
    with_token,
)

STRONG = {"str": 16, "dex": 14}


def armed(*weapons, **more):
    """Return Ann with weapons of the table, Strength +3, Dexterity +2, and all masteries."""
    given = {"abilities": STRONG, "has_mastery": True, "attacks": (), **more}
    return creature("ann", "blue", (5, 5), weapons=weapons, **given)


def attack_of(one, name):
    return read_creature(one).attacks[name]


def hit(weapon, target="bo"):
    return act("attack", target, weapon)


@pytest.mark.rule("SRD-084", "SRD-115")
@pytest.mark.parametrize(
    ("weapon", "training", "bonus", "damage"),
    [
        ("Longsword", "martial", 5, 3),
        ("Longsword", "simple", 3, 3),
        ("Mace", "simple", 5, 3),
        ("Mace", "none", 3, 3),
        ("Longbow", "martial", 4, 2),
        ("Rapier", "martial", 5, 3),
    ],
)
def test_an_attack_adds_the_ability_and_the_proficiency_of_who_is_trained(weapon, training, bonus, damage):
    found = attack_of(armed(weapon, training=training), weapon)
    assert (found.bonus, found.damage[0].bonus) == (bonus, damage)


@pytest.mark.rule("SRD-115")
def test_finesse_takes_the_better_of_strength_and_dexterity_for_attack_and_damage():
    nimble = armed("Rapier", "Longsword", abilities={"str": 10, "dex": 18})
    assert (attack_of(nimble, "Rapier").bonus, attack_of(nimble, "Rapier").damage[0].bonus) == (6, 4)
    assert attack_of(nimble, "Longsword").bonus == 2


def test_a_weapon_that_is_not_in_the_table_is_refused():
    with pytest.raises(BadMessage):
        read_creature(armed("Spoon"))


@pytest.mark.rule("SRD-119", "SRD-120")
def test_reach_adds_5_feet_and_a_thrown_weapon_flies_with_the_ability_of_its_melee_attack():
    halberd, javelin = attack_of(armed("Halberd"), "Halberd"), attack_of(armed("Javelin"), "Javelin")
    assert (halberd.reach, attack_of(armed("Mace"), "Mace").reach) == (10, 5)
    assert (javelin.kind, javelin.normal, javelin.long, javelin.bonus) == ("both", 30, 120, 5)
    far = creature("bo", "red", (11, 5))
    thrown = play(battle(armed("Javelin", "Mace"), far), hit("Javelin"), 15, 4).scene
    assert thrown.token("ann").conditions["wielding"] == "", "it has left the hand"


@pytest.mark.rule("SRD-055", "SRD-121")
def test_with_each_attack_one_weapon_is_drawn_or_put_away_and_one_more_by_the_interaction():
    ann = armed("Greatsword", "Longbow", "Mace", multiattack=3)
    first = play(battle(ann, BO), hit("Greatsword"), 2).scene
    assert first.token("ann").conditions["wielding"] == "Greatsword"
    assert not first.token("ann").has("interacted")
    second = play(first, hit("Mace"), 2).scene
    assert second.token("ann").conditions["wielding"] == "Mace"
    assert second.token("ann").has("interacted"), "one put away, one drawn"
    assert refused(second, hit("Greatsword"))[0] == "SRD-055"
    fists = play(second, hit("Unarmed strike"), 2).scene
    assert fists.token("ann").conditions["wielding"] == "Mace"
    assert refused(battle(armed("Greatsword", hands=1), BO), hit("Greatsword"))[0] == "SRD-073"


@pytest.mark.rule("SRD-121")
def test_a_versatile_weapon_has_its_larger_die_if_the_other_hand_is_free():
    both = play(battle(armed("Longsword"), BO), hit("Longsword"), 15, 10)
    assert both.result.damage == 10 + 3
    one = battle(armed("Longsword", hands=1), BO)
    damage = {o.damage for o in all_outcomes(one, hit("Longsword")) if o.result == "hit"}
    assert damage == set(range(4, 12))
    holding = battle(armed("Longsword", notes={"grappling": "bo"}), BO)
    assert {o.damage for o in all_outcomes(holding, hit("Longsword")) if o.result == "hit"} == damage


@pytest.mark.rule("SRD-117")
def test_the_off_hand_is_offered_light_weapons_alone():
    scene = battle(armed("Dagger", "Longsword"), BO)
    offered = FIFTH_EDITION.offers(scene, scene.token("ann"))
    assert {one.act.weapon for one in offered if one.act.kind == "offhand"} == {"Dagger"}


@pytest.mark.rule("SRD-120")
def test_an_attack_of_the_catalog_that_is_also_thrown_reaches_5_feet():
    attacks = [attack for unit in FIFTH_EDITION.catalog for attack in unit.profile["attacks"]]
    assert {one["reach"] for one in attacks if one["kind"] == "both"} == {5}
    assert {one["reach"] for one in attacks if one["kind"] == "ranged"} == {0}


def all_outcomes(scene, one):
    from enfilade.rules.odds import odds

    return odds(scene, FIFTH_EDITION.acts[one.kind].procedure, (one,)).chances


@pytest.mark.rule("SRD-114")
def test_a_ranged_attack_spends_a_piece_of_ammunition_and_a_hand_to_load():
    archer = armed("Shortbow", "Sling", ammunition=1, multiattack=4)
    far = creature("bo", "red", (11, 5))
    once = play(battle(archer, far), hit("Shortbow"), 2).scene
    assert refused(once, hit("Shortbow"))[0] == "SRD-114"
    both = play(once, hit("Sling"), 2).scene
    assert read_creature(both.token("ann")).shots == {"Shortbow": 1, "Sling": 1}
    assert refused(both, hit("Sling"))[0] == "SRD-114", "each weapon has pieces of its own"
    assert refused(battle(armed("Pistol", hands=1), far), hit("Pistol"))[0] == "SRD-073"
    assert refused(battle(armed("Pistol"), far), hit("Pistol")) == ("", "")


@pytest.mark.rule("SRD-116")
def test_a_heavy_weapon_hinders_who_is_too_weak_for_it():
    def why(weapon, target, abilities, rules=None, size="medium"):
        one = armed(weapon, abilities=abilities, size=size)
        return reasons(battle(one, target, rules=rules or {}), weapon)[2]

    far = creature("bo", "red", (11, 5))
    heavy = ("the weapon is too heavy for Ann",)
    assert why("Maul", BO, {"str": 12, "dex": 18}) == heavy
    assert why("Maul", BO, {"str": 13}) == ()
    assert why("Longbow", far, {"str": 18, "dex": 12}) == heavy
    assert why("Longbow", far, {"dex": 13}) == ()
    assert why("Maul", BO, {"str": 13}, {"heavy": "small"}, "small") == heavy
    assert why("Maul", BO, {"str": 12}, {"heavy": "small"}) == ()


@pytest.mark.rule("SRD-117")
def test_after_a_light_weapon_another_one_attacks_as_a_bonus_action_without_the_ability():
    ann = armed("Scimitar", "Handaxe", "Mace", has_mastery=False)
    scene = battle(ann, BO)
    assert refused(scene, act("offhand", "bo", "Handaxe"))[0] == "SRD-117"
    first = play(scene, hit("Scimitar"), 2).scene
    assert refused(first, act("offhand", "bo", "Scimitar"))[0] == "SRD-117"
    assert refused(first, act("offhand", "bo", "Mace"))[0] == "SRD-117"
    second = play(first, act("offhand", "bo", "Handaxe"), 15, 3)
    assert second.result.damage == 3
    assert second.scene.token("ann").has("bonus")
    assert refused(second.scene, act("offhand", "bo", "Handaxe"))[0] == "SRD-050"
    weak = armed("Scimitar", "Handaxe", abilities={"str": 6, "dex": 6}, has_mastery=False)
    poor = play(battle(weak, BO), hit("Scimitar"), 2).scene
    assert play(poor, act("offhand", "bo", "Handaxe"), 15, 3).result.damage == 3 - 2
    pair = play(battle(armed("Shortsword", "Shortsword", has_mastery=False), BO), hit("Shortsword"), 2).scene
    assert refused(pair, act("offhand", "bo", "Shortsword")) == ("", "")
    shot = armed("Scimitar", "Hand Crossbow", has_mastery=False)
    drawn = play(battle(shot, BO, rules={"two_weapons": "bonus"}), hit("Scimitar"), 2).scene
    assert refused(drawn, act("offhand", "bo", "Hand Crossbow"))[0] == "SRD-117"
    by_now = play(battle(shot, BO), hit("Scimitar"), 2).scene
    assert refused(by_now, act("offhand", "bo", "Hand Crossbow")) == ("", ""), "light is enough"


@pytest.mark.rule("SRD-118")
def test_a_weapon_to_load_shoots_once_in_an_action():
    far = creature("bo", "red", (11, 5))
    crossbow = armed("Light Crossbow", multiattack=2)
    once = play(battle(crossbow, far), hit("Light Crossbow"), 2).scene
    assert refused(once, hit("Light Crossbow"))[0] == "SRD-118"
    bow = play(battle(armed("Longbow", multiattack=2), far), hit("Longbow"), 2).scene
    assert refused(bow, hit("Longbow")) == ("", "")


@pytest.mark.rule("SRD-122")
def test_an_improvised_weapon_deals_1d4_without_proficiency_and_flies_20_and_60_feet():
    found = attack_of(armed("Mace"), "Improvised weapon")
    assert (found.bonus, found.normal, found.long) == (3, 20, 60)
    assert found.damage == (Damage(1, 4, 3, "bludgeoning"),)
    assert "Improvised weapon" not in read_creature(armed("Mace", hands=0)).attacks


@pytest.mark.rule("SRD-123", "SRD-125")
def test_a_mastery_needs_its_feature_and_a_grazing_miss_deals_the_ability_modifier():
    scene = battle(armed("Glaive"), BO)
    missed = play(scene, hit("Glaive"), 2)
    assert (missed.result.result, missed.result.damage, hp(missed)) == ("miss", 3, 27)
    assert play(battle(armed("Glaive", has_mastery=False), BO), hit("Glaive"), 2).result.damage == 0
    off = battle(armed("Glaive"), BO, rules={"mastery": False})
    assert play(off, hit("Glaive"), 2).result.damage == 0
    tough = battle(armed("Glaive"), creature("bo", "red", (6, 5), resistances=("slashing",)))
    assert play(tough, hit("Glaive"), 2).result.damage == 1


@pytest.mark.rule("SRD-124")
def test_a_cleaving_hit_strikes_a_second_enemy_beside_the_first_once_a_turn():
    cy, dee = creature("cy", "red", (6, 6)), creature("dee", "red", (8, 5))
    scene = battle(armed("Greataxe", multiattack=2), BO, cy, dee)
    done = play(scene, hit("Greataxe"), 15, 6, 15, 5, decisions=["cy"])
    assert (hp(done), hp(done, "cy"), hp(done, "dee")) == (30 - 9, 30 - 5, 30)
    again = play(done.scene, hit("Greataxe"), 15, 6)
    assert hp(again, "cy") == 30 - 5
    assert hp(play(scene, hit("Greataxe"), 2), "cy") == 30, "a miss does not cleave"
    waived = play(scene, hit("Greataxe"), 15, 6, decisions=[""])
    assert hp(waived, "cy") == 30
    alone = battle(armed("Greataxe"), BO, dee)
    assert play(alone, hit("Greataxe"), 15, 6).result.damage == 9


@pytest.mark.rule("SRD-126")
def test_a_nick_needs_no_bonus_action_once_a_turn():
    scene = play(battle(armed("Scimitar", "Dagger"), BO), hit("Scimitar"), 2).scene
    second = play(scene, act("offhand", "bo", "Dagger"), 15, 3).scene
    assert (second.token("ann").has("bonus"), second.token("ann").has("nicked")) == (False, True)
    again = with_token(second, "ann", conditions={**second.token("ann").conditions, "lightly": "Scimitar"})
    third = play(again, act("offhand", "bo", "Dagger"), 2).scene
    assert third.token("ann").has("bonus")


@pytest.mark.rule("SRD-127")
def test_a_pushing_hit_drives_the_target_10_feet_away_unless_it_is_huge():
    assert play(battle(armed("Warhammer"), BO), hit("Warhammer"), 15, 4).scene.token("bo").at == (8, 5)
    large = creature("bo", "red", (6, 5), size="large")
    assert play(battle(armed("Warhammer"), large), hit("Warhammer"), 15, 4).scene.token("bo").at == (8, 6)
    huge = creature("bo", "red", (6, 5), size="huge")
    assert play(battle(armed("Warhammer"), huge), hit("Warhammer"), 15, 4).scene.token("bo").at == (6, 5)


@pytest.mark.rule("SRD-128")
def test_a_sapped_creature_has_disadvantage_on_its_next_attack():
    hit_scene = play(battle(armed("Mace"), BO), hit("Mace"), 15, 4).scene
    turn = replace(hit_scene, conditions={"turn": "bo"})
    assert reasons(turn, target="ann", token="bo")[2] == ("Bo is sapped",)
    assert not play(turn, act("attack", "ann", "Sword", token="bo"), 2, 3).scene.token("bo").has("sapped")
    back = play(play(hit_scene, act("end")).scene, act("end", token="bo")).scene
    assert not back.token("bo").has("sapped"), "it ends when the wielder's turn starts"


@pytest.mark.rule("SRD-129", "SRD-014")
def test_a_slowed_creature_loses_10_feet_of_all_its_speeds_until_the_wielders_turn():
    bird = creature("bo", "red", (11, 5), speeds={"walk": 30, "fly": 60})
    slowed = play(battle(armed("Longbow"), bird), hit("Longbow"), 15, 4).scene
    assert read_creature(slowed.token("bo")).speeds == {"walk": 20, "fly": 50}
    tired = replace(bird, tracks={"exhaustion": 1})
    assert read_creature(tired).speeds == {"walk": 25, "fly": 55}
    assert read_creature(replace(bird, conditions={"grappled": ""})).speeds == {"walk": 0, "fly": 0}
    back = play(play(slowed, act("end")).scene, act("end", token="bo")).scene
    assert read_creature(back.token("bo")).speed == 30
    immune = creature("bo", "red", (11, 5), immunities=("piercing",))
    unhurt = play(battle(armed("Longbow"), immune), hit("Longbow"), 15, 4).scene
    assert not unhurt.token("bo").has("slowed")


@pytest.mark.rule("SRD-130")
def test_a_toppling_hit_asks_for_a_constitution_save_or_fells():
    scene = battle(armed("Maul"), BO)
    assert play(scene, hit("Maul"), 15, 1, 1, 12).scene.token("bo").has("prone")
    assert not play(scene, hit("Maul"), 15, 1, 1, 13).scene.token("bo").has("prone")


@pytest.mark.rule("SRD-131")
def test_a_vexing_hit_gives_the_wielder_advantage_on_its_next_attack_there():
    scene = battle(armed("Rapier", multiattack=2), BO, creature("cy", "blue", (6, 6)))
    vexed = play(scene, hit("Rapier"), 15, 4).scene
    assert reasons(vexed, "Rapier")[1] == ("the hit before",)
    assert reasons(vexed, token="cy")[1] == ()
    assert not play(vexed, hit("Rapier"), 2, 3).scene.token("bo").has("vexed")
    ended = play(vexed, act("end")).scene
    assert ended.token("bo").conditions["vexed"] == "ann"
    again = play(play(ended, act("end", token="bo")).scene, act("end", token="cy")).scene
    assert reasons(again, "Rapier")[1] == ("the hit before",), "to the end of the wielder's next turn"
    assert not play(again, act("end")).scene.token("bo").has("vexed")


@pytest.mark.rule("SRD-087")
def test_who_is_inspired_rolls_one_die_of_a_miss_again():
    inspired = creature("ann", "blue", (5, 5), "inspired")
    once = play(battle(inspired, BO), hit("Sword"), 2, 15, 4, decisions=["yes"])
    assert (once.result.result, once.scene.token("ann").has("inspired")) == ("hit", False)
    worse = creature("ann", "blue", (5, 5), "inspired", "poisoned")
    kept = play(battle(worse, BO), hit("Sword"), 2, 12, 15, 4, decisions=["yes"])
    assert kept.result.result == "hit", "the lower die is rolled again, the other stays"
    both = play(battle(worse, BO), hit("Sword"), 2, 3, 20, decisions=["yes"])
    assert both.result.result == "miss"
    better = battle(inspired, creature("bo", "red", (6, 5), "restrained"))
    assert chances(better, hit("Sword"))["miss"] == Fraction(9, 20) ** 3
    assert play(better, hit("Sword"), 2, 15, 4).scene.token("ann").has("inspired"), "the higher die hits"
    assert play(battle(inspired, BO), hit("Sword"), 12, 4).scene.token("ann").has("inspired")


SEA = Terrain("sea", "Sea", tuple((x, y) for x in range(20) for y in range(14)), 1, kind="water")


@pytest.mark.rule("SRD-190")
def test_under_water_only_piercing_weapons_strike_well_without_a_swimming_speed():
    def why(one, weapon):
        return reasons(battle(one, BO, terrain=(SEA,)), weapon)[2]

    assert why(armed("Longsword"), "Longsword") == ("under water",)
    assert why(armed("Rapier"), "Rapier") == ()
    assert why(armed("Longsword", speeds={"walk": 30, "swim": 30}), "Longsword") == ()
    above = replace(armed("Longsword"), elevation=10)
    assert "under water" not in reasons(battle(above, BO, terrain=(SEA,)), "Longsword")[2]


@pytest.mark.rule("SRD-191")
def test_under_water_shots_miss_beyond_their_normal_range_and_all_resist_fire():
    archer = creature("ann", "blue", (0, 5), attacks=(replace(BOW, normal=30, long=90),))
    near = battle(archer, creature("bo", "red", (6, 5)), terrain=(SEA,))
    assert reasons(near, "Bow")[2] == ("under water",)
    far = battle(archer, creature("bo", "red", (7, 5)), terrain=(SEA,))
    assert refused(far, hit("Bow"))[0] == "SRD-090"
    assert "fire" in defenses(near, read_creature(near.token("bo"))).resistances
    torch = replace(SWORD, damage=(Damage(0, 0, 9, "fire"),))
    wet = battle(creature("ann", "blue", (5, 5), attacks=(torch,), speeds={"swim": 30}), BO, terrain=(SEA,))
    assert play(wet, hit("Sword"), 15).result.damage == 4


@pytest.mark.rule("SRD-090", "SRD-191")
def test_only_shots_under_water_end_at_the_normal_range():
    wide = Grid("square", 50, 14, distance=5, units="feet")
    archer = creature("ann", "blue", (5, 5), attacks=(BOW,))
    assert refused(battle(archer, creature("bo", "red", (45, 5)), grid=wide), hit("Bow")) == ("", "")
    assert refused(battle(creature("ann", "blue", (5, 5)), BO, terrain=(SEA,)), hit("Sword")) == ("", "")


@pytest.mark.rule("SRD-071")
def test_an_unarmed_strike_deals_1_and_the_strength_modifier_but_never_less_than_nothing():
    blows = [attack_of(armed(abilities={"str": score}), "Unarmed strike") for score in (16, 6)]
    assert [one.damage for one in blows] == [(Damage(0, 0, bonus, "bludgeoning"),) for bonus in (4, 0)]


def test_a_card_has_the_attacks_of_a_creature_without_those_that_all_have():
    scene = battle(armed("Dagger"), BO)
    labels = [one.label for one in FIFTH_EDITION.card(scene, scene.token("ann"))]
    assert "Dagger" in labels
    parts = (Damage(2, 6, 3, "slashing"), Damage(0, 0, 2, "fire"), Damage(1, 8, -1, "cold"))
    scene = battle(creature("ann", "blue", (5, 5), attacks=(replace(SWORD, damage=parts),)), BO)
    values = {one.label: (one.value, one.note) for one in FIFTH_EDITION.card(scene, scene.token("ann"))}
    assert values["Sword"] == ("2d6+3 slashing, 2 fire, 1d8-1 cold", "+5")
    assert not {"Unarmed strike", "Improvised weapon"} & set(labels)


@pytest.mark.rule("SRD-193")
def test_facing_is_a_house_rule_by_which_one_attacked_from_behind_does_not_see():
    turned = replace(BO, facing=90)
    assert reasons(battle(creature("ann", "blue", (5, 5)), turned))[1] == ()
    assert reasons(battle(creature("ann", "blue", (5, 5)), turned, rules={"facing": True}))[1]
    ahead = replace(BO, facing=270)
    assert (
        reasons(battle(replace(creature("ann", "blue", (5, 5)), facing=90), ahead, rules={"facing": True}))[1]
        == ()
    )


@pytest.mark.rule("SRD-186")
def test_parts_of_an_attack_add_damage_at_advantage_and_conditions_up_to_a_size():
    goblin = replace(SWORD, edge_damage=(Damage(1, 4, 0, "slashing"),))
    ann = creature("ann", "blue", (5, 5), attacks=(goblin,))
    assert play(battle(ann, BO), hit("Sword"), 15, 4).result.damage == 7
    held = creature("bo", "red", (6, 5), "restrained")
    assert play(battle(ann, held), hit("Sword"), 15, 2, 4, 3).result.damage == 10
    assert play(battle(ann, held), hit("Sword"), 20, 2, 4, 4, 3, 3).result.damage == 8 + 3 + 6
    bite = replace(SWORD, riders=(Rider("prone", size="medium"),))
    wolf = creature("ann", "blue", (5, 5), attacks=(bite,))
    assert play(battle(wolf, BO), hit("Sword"), 15, 4).scene.token("bo").has("prone")
    large = creature("bo", "red", (6, 5), size="large")
    assert not play(battle(wolf, large), hit("Sword"), 15, 4).scene.token("bo").has("prone")
    venom = replace(SWORD, riders=(Rider("poisoned", "con", 13),))
    spider = battle(creature("ann", "blue", (5, 5), attacks=(venom,)), BO)
    assert play(spider, hit("Sword"), 15, 4, 12).scene.token("bo").conditions["poisoned"] == "ann"
    assert not play(spider, hit("Sword"), 15, 4, 13).scene.token("bo").has("poisoned")
    charm = replace(SWORD, riders=(Rider("tickled"),))
    imp = play(battle(creature("ann", "blue", (5, 5), attacks=(charm,)), BO), hit("Sword"), 15, 4).scene
    assert not imp.token("bo").has("tickled"), "no condition of the game"
    sick = creature("bo", "red", (6, 5), notes={"poisoned": "cy"})
    sicker = play(
        battle(creature("ann", "blue", (5, 5), attacks=(venom,)), sick), hit("Sword"), 15, 4, 12
    ).scene
    assert sicker.token("bo").conditions["poisoned"] == "cy", "it is had once"
    grab = replace(SWORD, riders=(Rider("grappled", difficulty=19),))
    worm = play(battle(creature("ann", "blue", (5, 5), attacks=(grab,)), BO), hit("Sword"), 15, 4).scene
    assert worm.token("bo").conditions["grappled"] == "ann"
    assert worm.token("ann").conditions["grappling"] == "bo"


def test_an_attack_of_a_profile_without_properties_needs_no_hands():
    claw = Attack(name="Claw", kind="melee", bonus=5, reach=5, damage=(Damage(1, 4, 3, "slashing"),))
    beast = creature("ann", "blue", (5, 5), attacks=(claw,), hands=0)
    done = play(battle(beast, BO), hit("Claw"), 15, 2).scene
    assert "wielding" not in done.token("ann").conditions


TABLE = """
club d4B lgt slow; dagger d4P fin lgt thr 20/60 nick; greatclub d8B two push; handaxe d6S lgt thr
20/60 vex; javelin d6P thr 30/120 slow; light hammer d4B lgt thr 20/60 nick; mace d6B sap;
quarterstaff d6B ver d8 topple; sickle d4S lgt nick; spear d6P thr 20/60 ver d8 sap; dart d4P fin
thr 20/60 vex; light crossbow d8P amm lod two 80/320 slow; shortbow d6P amm two 80/320 vex; sling
d4B amm 30/120 slow; battleaxe d8S ver d10 topple; flail d8B sap; glaive d10S hvy rch two graze;
greataxe d12S hvy two cleave; greatsword 2d6S hvy two graze; halberd d10S hvy rch two cleave; lance
d10P hvy rch two topple; longsword d8S ver d10 sap; maul 2d6B hvy two topple; morningstar d8P sap;
pike d10P hvy rch two push; rapier d8P fin vex; scimitar d6S fin lgt nick; shortsword d6P fin lgt
vex; trident d8P thr 20/60 ver d10 topple; war pick d8P ver d10 sap; warhammer d8B ver d10 push;
whip d4S fin rch slow; blowgun 1P amm lod 25/100 vex; hand crossbow d6P amm lgt lod 30/120 vex;
heavy crossbow d10P amm hvy lod two 100/400 push; longbow d8P amm hvy two 150/600 slow; musket d12P
amm lod two 40/120 slow; pistol d10P amm lod 30/90 vex
"""
SIMPLE = 14
RANGED = {"dart", "light crossbow", "shortbow", "sling", "blowgun", "hand crossbow", "heavy crossbow"} | {
    *("longbow", "musket", "pistol"),
}


def written(name):
    """Return a weapon of the table as the page of rules writes it."""
    one = attack_of(armed(name, abilities={}), name)
    (part,) = one.damage
    die = f"{part.dice if part.dice > 1 else ''}d{part.sides}" if part.sides else str(part.bonus)
    words = [f"{die}{part.type[0].upper()}"]
    for code in one.properties:
        words.append(code)
        words += [f"d{one.two_handed}"] if code == "ver" else []
        words += [f"{one.normal:g}/{one.long:g}"] if code == "thr" else []
    words += [f"{one.normal:g}/{one.long:g}"] if one.kind == "ranged" and "thr" not in one.properties else []
    return f"{name.lower()} {' '.join(words)} {one.mastery}"


def test_the_table_of_weapons_is_that_of_the_rules():
    from enfilade.rulesets.fifth_edition.weapons import WEAPONS

    lines = [line.strip() for line in TABLE.replace("\n", " ").split(";")]
    assert [written(name) for name in WEAPONS] == lines
    simple = [name for name, one in WEAPONS.items() if not one.is_martial]
    assert simple == list(WEAPONS)[:SIMPLE]
    assert {name.lower() for name, one in WEAPONS.items() if one.is_ranged} == RANGED


@pytest.mark.rule("SRD-080")
def test_only_a_weapon_at_hand_threatens():
    polearm = creature("bo", "red", (2, 2), attacks=(), weapons=("Halberd", "Mace"))
    mover = creature("ann", "blue", (3, 2))

    def provoked(one, to):
        scene = battle(mover, one)
        steps = FIFTH_EDITION.judge(scene, scene.token("ann"), (to,), None).steps
        return [step.at[0] for step in steps if step.provokes]

    assert provoked(polearm, (5, 2)) == [5]
    mace = replace(polearm, conditions={"wielding": "Mace"})
    assert provoked(mace, (5, 2)) == [4]
    done = play(battle(mover, mace), act("move", at=(5, 2)), 15, 4, decisions=["yes"])
    assert [
        event.facts["weapon"] for event in done.events if getattr(event, "kind", "") == "opportunity"
    ] == ["Mace"]
    holding = replace(polearm, conditions={"wielding": "Halberd", "grappling": "cy"})
    assert provoked(holding, (5, 2)) == [4], "it needs both hands"


@pytest.mark.rule("SRD-082", "SRD-127")
def test_a_mover_that_a_reaction_pushes_ends_its_move_there():
    given = {"attacks": (), "weapons": ("Warhammer",), "has_mastery": True}
    scene = battle(creature("ann", "blue", (5, 5)), creature("bo", "red", (6, 5), **given))
    done = play(scene, act("move", at=(1, 5)), 15, 4, decisions=["yes"])
    assert (done.result.result, done.scene.token("ann").at) == ("stopped", (3, 5))
    assert done.scene.token("ann").track("moved") == 0


@pytest.mark.rule("SRD-077")
def test_who_is_out_of_reach_above_is_not_provoked():
    above = creature("bo", "red", (6, 5), elevation=20)
    scene = battle(creature("ann", "blue", (5, 5)), above)
    assert FIFTH_EDITION.reach(scene, scene.token("ann")).provokes == ()
    near = battle(creature("ann", "blue", (5, 5)), replace(above, elevation=0))
    assert FIFTH_EDITION.reach(near, near.token("ann")).provokes != ()


def test_without_an_answer_a_cleaving_blow_strikes_the_first_of_those_in_reach():
    scene = battle(armed("Greataxe"), BO, creature("cy", "red", (6, 6)))
    assert hp(play(scene, hit("Greataxe"), 15, 6, 15, 5), "cy") == 30 - 5


def test_advice_knows_the_numbers_of_attacks_alone():
    scene = battle(armed("Longsword"), BO)
    assert FIFTH_EDITION.outlook.damage_key(scene, hit("Longsword")).needed == 10
    assert FIFTH_EDITION.outlook.damage_key(scene, act("shove", "bo")) is None
