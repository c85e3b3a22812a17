"""Limits of the rules: the last foot, the last hit point, who is just near enough, and what the log says."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.errors import BadMessage
from enfilade.rules.resolve import WrongAnswer
from enfilade.rules.sheets import Damage, Rider
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.areas import Aimed, area_of, caught_in
from enfilade.rulesets.fifth_edition.battlefield import can_see, is_in_water, may_share
from enfilade.rulesets.fifth_edition.damage import burn, death_save, heal, hurt
from enfilade.rulesets.fifth_edition.expected import attack_numbers
from enfilade.rulesets.fifth_edition.hands import free_hands
from enfilade.rulesets.fifth_edition.profiles import Effect, Profile, read_creature
from enfilade.rulesets.fifth_edition.unarmed import difficulty_of
from enfilade.rulesets.fifth_edition.weapons import attack_with
from enfilade.scene.model import Grid, Terrain, Token, Wall
from tests.unit.rulesets.fifth_edition.scenes import (
    ANN,
    BO,
    BOW,
    HIT,
    SWORD,
    act,
    battle,
    cost,
    creature,
    play,
    reasons,
    refused,
    run,
    with_token,
)

FINE = Grid("square", 40, 28, distance=1, units="feet")
"""A map on which a cell is one foot."""
ROW = Grid("square", 20, 1, distance=5, units="feet")
FAR = creature("cy", "red", (19, 13))


def narrated(scene, one, *faces, decisions=()):
    done = play(scene, one, *faces, decisions=decisions)
    return FIFTH_EDITION.narrate(scene, done.events).split("\n")[0]


@pytest.mark.rule("SRD-002")
@pytest.mark.parametrize(("feet", "is_near"), [(5, True), (6, False)])
def test_what_needs_another_within_5_feet_has_it_at_5_feet_and_not_at_6(feet, is_near):
    foe, friend = creature("bo", "red", (5 + feet, 5)), creature("bo", "blue", (5 + feet, 5), "dying")
    fallen = replace(friend, tracks={"hp": 0})
    lying = replace(foe, conditions={"prone": ""})
    hostile = battle(creature("ann", "blue", (5, 5)), foe, FAR, grid=FINE)
    allied = battle(creature("ann", "blue", (5, 5)), fallen, FAR, grid=FINE)
    for scene, kind in ((hostile, "grapple"), (hostile, "help"), (allied, "aid"), (allied, "first_aid")):
        assert (refused(scene, act(kind, "bo"))[0] == "") is is_near, kind
    found = reasons(battle(creature("ann", "blue", (5, 5)), lying, FAR, grid=FINE))
    assert found[1:] == ((("Bo lies prone",), ()) if is_near else ((), ("Bo lies prone",)))


@pytest.mark.rule("SRD-141", "SRD-143")
def test_first_aid_makes_the_dying_stable_and_wakes_the_knocked_out_at_1_hit_point():
    dying = creature("bo", "blue", (6, 5), "dying", "unconscious", "prone", tracks={"hp": 0})
    out = creature("bo", "blue", (6, 5), notes={"unconscious": "knocked out", "prone": ""}, tracks={"hp": 1})
    for patient, result, left in ((dying, "stable", 0), (out, "awake", 1)):
        done = play(battle(ANN, patient, FAR), act("first_aid", "bo"), 10)
        assert (done.result.result, done.scene.token("bo").track("hp")) == (result, left)
    assert play(battle(ANN, dying, FAR), act("first_aid", "bo"), 9).result.result == "failed"


@pytest.mark.rule("SRD-068", "SRD-069")
def test_a_spell_of_any_level_is_readied_and_a_released_attack_spares_no_one():
    bolt = Effect(name="Bolt", shape="single", range=60, level=2)
    mage = battle(creature("ann", "blue", (5, 5), effects=(bolt,)), BO)
    assert refused(mage, act("ready", weapon="Bolt")) == ("", "")
    waiting = battle(creature("ann", "blue", (5, 5), notes={"readied": "Sword"}), BO, turn="bo")
    weak = with_token(waiting, "bo", tracks={"hp": 1})
    assert play(weak, act("release", "bo"), 15, 8).scene.token("bo").has("out")


@pytest.mark.rule("SRD-171", "SRD-173", "SRD-174")
def test_areas_lie_where_they_are_aimed_from_any_place():
    ann, bo = creature("ann", "blue", (4, 7)), creature("bo", "red", (4, 10))
    scene = battle(ann, bo)

    def cells(at=None, target=None, **effect):
        one = Effect(**{"name": "One", "size": 15, **effect})
        return set(area_of(scene, Aimed(scene.token("ann"), one, target and scene.token(target), at)))

    assert cells(target="bo", shape="line") == {(4, 8), (4, 9), (4, 10)}
    assert cells(target="bo", shape="line", width=15) == {(x, y) for x in (3, 4, 5) for y in (8, 9, 10)}
    assert cells(at=(7, 7), shape="line") == {(5, 7), (6, 7), (7, 7)}
    assert cells(at=(7, 7), shape="cube") == {(x, y) for x in (5, 6, 7) for y in (6, 7, 8)}
    assert cells(at=(9, 4), shape="cube", range=60) == {(x, y) for x in (8, 9, 10) for y in (3, 4, 5)}
    assert cells(at=(9, 4), shape="cube", range=60, size=10) == {(9, 4), (10, 4), (9, 5), (10, 5)}
    lone = Effect(name="Lone", shape="single", range=60)
    assert caught_in(scene, Aimed(scene.token("ann"), lone, None, (4, 9))) == []
    assert caught_in(scene, Aimed(scene.token("ann"), lone, scene.token("bo"))) == ["bo"]


@pytest.mark.rule("SRD-190")
def test_under_water_is_who_is_in_it_with_all_of_its_space_and_not_above():
    pond = (Terrain("w", "Water", ((5, 5), (6, 5), (5, 6)), 1, kind="water"),)
    for size, at, height, is_under in (
        ("medium", (5, 5), 0, True),
        ("medium", (5, 5), 1, False),
        ("medium", (7, 5), 0, False),
        ("large", (5, 5), 0, False),
        ("medium", None, 0, False),
    ):
        ann = creature("ann", "blue", at, size=size, elevation=height)
        scene = battle(ann, FAR, terrain=pond)
        assert is_in_water(scene, scene.token("ann")) is is_under, (size, at, height)


@pytest.mark.rule("SRD-193")
@pytest.mark.parametrize("facing", [0, 90, 180, 270])
def test_by_the_house_rule_one_sees_the_half_before_it_with_both_its_sides(facing):
    around = [(5, 3), (7, 3), (7, 5), (7, 7), (5, 7), (3, 7), (3, 5), (3, 3)]
    ann = replace(creature("ann", "blue", (5, 5)), facing=facing)
    for turn, at in enumerate(around):
        scene = battle(ann, creature("bo", "red", at), rules={"facing": True})
        apart = abs((turn * 45 - facing + 180) % 360 - 180)
        assert can_see(scene, ann, scene.token("bo")) is (apart <= 90), at


@pytest.mark.rule("SRD-034", "SRD-187")
def test_who_shares_a_space_rides_or_one_of_the_two_lies():
    horse, rider = (
        creature("bo", "blue", (5, 5), notes={"ridden": "ann"}, size="large"),
        creature("ann", "blue", (5, 5), notes={"riding": "bo"}),
    )
    scene = battle(horse, rider, FAR)
    pairs = [(scene.token(a), scene.token(b)) for a, b in (("ann", "bo"), ("bo", "ann"), ("ann", "cy"))]
    assert [may_share(scene, *pair) for pair in pairs] == [True, True, False]
    lying = with_token(scene, "cy", conditions={"prone": ""})
    assert may_share(lying, lying.token("ann"), lying.token("cy"))


@pytest.mark.rule("SRD-097", "SRD-103", "SRD-168")
def test_a_drawn_area_tells_who_is_in_it_with_their_cover_from_its_origin():
    wall = Wall("w", (2 * 64, 64, 2 * 64, 9 * 64))
    scene = battle(ANN, creature("bo", "red", (3, 1)), creature("cy", "red", (0, 6)), walls=(wall,))
    square = [(0, 0), (4 * 64, 0), (4 * 64, 8 * 64), (0, 8 * 64)]
    caught = FIFTH_EDITION.outlined(scene, square, (32, 32))
    found = {one.token: (one.cover, one.cover_bonus) for one in caught}
    assert found == {"bo": ("Half cover (+2 to AC and Dexterity saves).", 2), "cy": ("", 0)}


@pytest.mark.rule("SRD-088")
def test_the_log_says_whether_a_grip_is_resisted():
    assert narrated(battle(ANN, BO), act("grapple", "bo"), 9) == "Ann grapples Bo. Bo fails the save."
    assert narrated(battle(ANN, BO), act("grapple", "bo"), 12) == "Ann grapples Bo. Bo saves."


@pytest.mark.rule("SRD-044", "SRD-139")
def test_the_battle_is_over_when_the_last_enemy_has_no_hit_point_left():
    for left, is_over in ((1, False), (0, True)):
        scene = battle(ANN, creature("bo", "red", (6, 5), tracks={"hp": left}))
        assert FIFTH_EDITION.turn(scene).is_over is is_over
    thing = battle(ANN, creature("bo", "red", (6, 5), material="wood"))
    assert FIFTH_EDITION.turn(thing).is_over, "a thing is no enemy"


@pytest.mark.rule("SRD-132")
def test_a_hit_for_0_does_nothing():
    feather = replace(SWORD, damage=(Damage(0, 0, 0, "slashing"),))
    mage = replace(BO, conditions={"concentrating": "Fog"})
    done = play(battle(creature("ann", "blue", (5, 5), attacks=(feather,)), mage), HIT, 15)
    assert (done.result.damage, done.scene.token("bo").track("hp")) == (0, 30)
    assert done.scene.token("bo").has("concentrating"), "no save is asked for"


@pytest.mark.rule("SRD-090", "SRD-092")
def test_the_overlay_of_ranges_has_the_attacks_of_a_creature_and_none_that_all_have():
    scene = battle(creature("ann", "blue", (5, 5), attacks=(SWORD, BOW)), BO)
    labels = [one.label for one in FIFTH_EDITION.areas(scene, scene.token("ann"), "ranges")]
    assert labels == ["Sword: reach 5 feet", "Bow: range 150 feet", "Bow: long range 600 feet"]


@pytest.mark.rule("SRD-040")
def test_one_dragged_by_a_large_creature_follows_into_the_nearest_square_that_it_left():
    holder = creature("ann", "blue", (5, 5), size="large", notes={"grappling": "bo"}, speeds={"walk": 90})
    held = creature("bo", "red", (7, 7), notes={"grappled": "ann"})
    for at in ((4, 5), (5, 4)):
        assert play(battle(holder, held, FAR), act("move", at=at)).scene.token("bo").at == (6, 6)


@pytest.mark.rule("SRD-185")
def test_one_that_is_whole_does_not_regenerate():
    for left, is_told in ((30, False), (29, True)):
        troll = creature("bo", "red", (6, 5), regeneration=5, tracks={"hp": left})
        done = play(battle(ANN, troll), act("end"))
        assert any(getattr(event, "kind", "") == "heals" for event in done.events) is is_told


@pytest.mark.rule("SRD-054", "SRD-058")
def test_the_end_of_a_turn_takes_what_is_left_of_it():
    left = {"moved": 10, "extra": 30, "run": 10, "attacks": 1}
    ended = play(battle(creature("ann", "blue", (5, 5), tracks=left), BO), act("end")).scene.token("ann")
    assert [ended.track(name) for name in left] == [0, 0, 0, 0]


@pytest.mark.rule("SRD-062")
def test_help_and_first_aid_are_offered_at_allies_beside_alone():
    friend, far = creature("di", "blue", (5, 6)), creature("ed", "blue", (5, 9))
    scene = battle(ANN, BO, friend, far)
    offers = FIFTH_EDITION.offers(scene, scene.token("ann"))
    assert {one.act.target for one in offers if one.act.kind == "aid"} == {"di"}
    horse = creature("fi", "blue", (3, 5), size="large")
    offers = FIFTH_EDITION.offers(battle(ANN, BO, friend, horse), ANN)
    assert {one.act.target for one in offers if one.act.kind == "mount"} == {"fi"}


def test_one_off_the_board_attacks_no_one_and_is_attacked_by_no_one():
    away = creature("ann", "blue", None)
    scene = battle(away, BO)
    ann, bo = scene.token("ann"), scene.token("bo")
    assert FIFTH_EDITION.outlook.attacks(scene, ann, bo) == ()
    assert FIFTH_EDITION.outlook.attacks(scene, bo, ann) == ()
    assert FIFTH_EDITION.areas(scene, ann, "ranges") == ()


@pytest.mark.rule("SRD-022")
def test_a_flier_crosses_gaps_and_water_and_no_rock():
    bird = creature("ann", "blue", (5, 0), speeds={"fly": 60}, elevation=10)
    for kind, cost_, passes in (
        ("gap", 0, True),
        ("water", 0, True),
        ("rock", 0, False),
        ("mud", 3, True),
        ("lawn", 1, True),
    ):
        patch = Terrain("t", "Terrain", ((6, 0),), cost_, kind=kind)
        scene = battle(
            bird, replace(FAR, at=(19, 0)), terrain=(patch,), grid=Grid("square", 20, 1, 5, "feet")
        )
        assert (cost(scene, (7, 0)) == 10) is passes, kind


@pytest.mark.rule("SRD-144")
def test_a_thing_has_no_attacks_and_no_reach():
    thing = read_creature(battle(ANN, creature("bo", "red", (6, 5), material="stone")).token("bo"))
    assert (thing.attacks, thing.reach, thing.armor_class, thing.speed) == ({}, 0, 17, 0)


def test_advice_refreshes_those_who_begin_their_turns_and_no_others():
    spent = {"acted": "", "reacted": ""}
    scene = battle(creature("ann", "blue", (5, 5), notes=spent), creature("bo", "red", (6, 5), notes=spent))
    ready = FIFTH_EDITION.outlook.ready(scene, ["ann"])
    assert [set(one.conditions) for one in ready.tokens] == [set(), {"acted", "reacted"}]
    assert (ready.conditions["turn"], ready.track("round")) == ("ann", 1)
    assert FIFTH_EDITION.outlook.ready(scene, []).conditions == scene.conditions


@pytest.mark.rule("SRD-108", "SRD-109")
def test_without_a_sense_one_sees_not_even_a_foot_into_the_dark():
    night = (Terrain("n", "Night", tuple((x, y) for x in range(40) for y in range(28)), 1, kind="dark"),)
    scene = battle(ANN, BO, terrain=night, grid=FINE)
    assert not can_see(scene, ANN, BO)
    hidden = battle(ANN, replace(BO, conditions={"invisible": ""}), grid=FINE)
    assert not can_see(hidden, ANN, hidden.token("bo"))


@pytest.mark.rule("SRD-043", "SRD-158")
def test_initiative_has_dexterity_bonuses_and_exhaustion():
    tired = creature("ann", "blue", (5, 5), abilities={"dex": 14}, initiative=3, tracks={"exhaustion": 2})
    begun = play(battle(tired, BO, turn=""), act("begin"), 10, 5).scene
    assert [one.track("initiative") for one in begun.tokens] == [10 + 2 + 3 - 4, 5]


@pytest.mark.rule("SRD-055")
def test_a_weapon_in_hand_is_not_drawn_again():
    ann = creature("ann", "blue", (5, 5), attacks=(), weapons=("Longsword", "Dagger"), multiattack=3)
    scene = battle(ann, BO)
    for faces in ((2,), (2,)):
        scene = play(scene, act("attack", "bo", "Longsword"), *faces).scene
    assert scene.token("ann").conditions["wielding"] == "Longsword"
    scene = play(scene, act("attack", "bo", "Dagger"), 2).scene
    assert scene.token("ann").conditions["wielding"] == "Longsword|Dagger"


@pytest.mark.rule("SRD-125")
def test_a_grazing_weapon_without_damage_of_its_own_grazes_no_one():
    steel = (Damage(1, 8, 3, "slashing"),)
    for parts, strength, dealt in (((), 16, 0), (steel, 16, 3), (steel, 10, 0), (steel, 6, 0)):
        blade = replace(SWORD, mastery="graze", damage=parts)
        ann = creature("ann", "blue", (5, 5), attacks=(blade,), has_mastery=True, abilities={"str": strength})
        done = play(battle(ann, BO), HIT, 2)
        assert (done.result.result, done.result.damage) == ("miss", dealt)


@pytest.mark.rule("SRD-073")
@pytest.mark.parametrize(
    ("held", "rule"), [("Longsword", ""), ("Longsword|Dagger", "SRD-073"), ("Pike", "SRD-073")]
)
def test_a_grapple_takes_the_last_free_hand(held, rule):
    weapons = ("Longsword", "Dagger", "Pike")
    ann = creature("ann", "blue", (5, 5), weapons=weapons, notes={"wielding": held})
    assert refused(battle(ann, BO), act("grapple", "bo"))[0] == rule


@pytest.mark.rule("SRD-072")
def test_the_difficulty_of_a_grapple_is_that_of_the_attack_that_grapples_and_of_no_other():
    def difficulty(*riders):
        attack = replace(SWORD, riders=riders)
        return difficulty_of(read_creature(creature("ann", "blue", (5, 5), attacks=(attack,))))

    assert difficulty() == 10
    assert difficulty(Rider("grappled", difficulty=19)) == 19
    assert difficulty(Rider("prone", difficulty=19), Rider("grappled", "str", 18)) == 10


@pytest.mark.rule("SRD-049", "SRD-137")
def test_a_dash_and_temporary_hit_points_are_shown():
    ann = creature("ann", "blue", (5, 5), tracks={"extra": 30, "moved": 10, "temp": 7})
    scene = battle(ann, FAR)
    feet = FIFTH_EDITION.budgets(scene, scene.token("ann"))[-1]
    assert (feet.left, feet.of) == (50, 60)
    lines = {one.label: one.value for one in FIFTH_EDITION.card(scene, scene.token("ann"))}
    assert (lines["Temporary hit points"], lines["Feet left"]) == ("7", "50")
    bare = {one.label for one in FIFTH_EDITION.card(battle(ANN, FAR), ANN)}
    assert not {"Temporary hit points", "Conditions", "Failed death saves."} & bare


@pytest.mark.rule("SRD-181")
def test_a_recharge_is_rolled_with_a_d6():
    breath = Effect(name="Breath", shape="cone", size=15, recharge=5)
    scene = battle(ANN, creature("bo", "red", (6, 5), effects=(breath,), notes={"spent": "Breath"}))
    with pytest.raises(WrongAnswer):
        play(scene, act("end"), 7)


@pytest.mark.rule("SRD-047", "SRD-063")
def test_the_invisible_roll_initiative_with_advantage_and_by_the_older_rule_not_those_who_hide():
    def first(note, **rules):
        ann = creature("ann", "blue", (5, 5), notes={"invisible": note})
        faces = (4, 12, 3) if not (note and rules) else (4, 3)
        return play(battle(ann, BO, turn="", rules=rules), act("begin"), *faces).scene.token("ann")

    found = [first("hiding"), first("", hide="contest"), first("hiding", hide="contest")]
    assert [one.track("initiative") for one in found] == [12, 12, 4]


def test_advice_counts_only_what_may_hurt():
    hold = Effect(name="Hold", shape="single", range=60, condition="restrained")
    bolt = Effect(name="Bolt", shape="single", range=60, damage=(Damage(1, 6, 0, "fire"),))
    scene = battle(creature("ann", "blue", (5, 5), effects=(hold, bolt)), creature("bo", "red", (10, 5)))
    found = FIFTH_EDITION.outlook.attacks(scene, scene.token("ann"), scene.token("bo"))
    assert [one.weapon for one in found] == ["Bolt"]


@pytest.mark.rule("SRD-079")
@pytest.mark.parametrize(
    ("first", "second", "best"),
    [
        ((Damage(2, 6, 0, "x"),), (Damage(1, 12, 0, "x"),), 0),
        ((Damage(1, 4, 4, "x"),), (Damage(1, 12, 1, "x"),), 1),
        ((Damage(1, 4, 0, "x"), Damage(0, 0, 6, "y")), (Damage(1, 12, 1, "x"),), 0),
        ((Damage(1, 8, 1, "x"),), (Damage(2, 4, 0, "x"),), 0),
    ],
)
def test_an_opportunity_attack_is_made_with_what_deals_most(first, second, best):
    attacks = tuple(replace(SWORD, name=f"No {i}", damage=parts) for i, parts in enumerate((first, second)))
    scene = battle(ANN, creature("bo", "red", (6, 5), attacks=attacks))
    done = play(scene, act("move", at=(3, 5)), 1)
    (told,) = [event.facts for event in done.events if getattr(event, "kind", "") == "opportunity"]
    assert told["weapon"] == f"No {best}"


@pytest.mark.rule("SRD-117")
def test_two_light_weapons_of_one_kind_are_enough_for_the_extra_attack():
    for weapons, rule in (
        (("Dagger", "Dagger"), ""),
        (("Dagger",), "SRD-117"),
        (("Dagger", "Mace"), "SRD-117"),
    ):
        ann = creature("ann", "blue", (5, 5), attacks=(), weapons=weapons)
        struck = play(battle(ann, BO), act("attack", "bo", "Dagger"), 2).scene
        assert refused(struck, act("offhand", "bo", "Dagger"))[0] == rule, weapons
        assert struck.token("ann").has("lightly") is (not rule)


@pytest.mark.rule("SRD-140", "SRD-142")
def test_no_more_than_three_failures_are_counted_and_healing_of_nothing_is_none():
    dying = creature(
        "bo", "red", (6, 5), "dying", "prone", is_character=True, tracks={"hp": 0, "failures": 2}
    )
    scene = battle(ANN, replace(dying, conditions={**dying.conditions, "unconscious": ""}))
    dead = run(scene, lambda now: hurt(now, "bo", 1, True, ("cold",))).token("bo")
    assert (dead.track("failures"), dead.has("out")) == (3, True)
    one = with_token(scene, "bo", tracks={"hp": 0, "failures": 0})
    with pytest.raises(WrongAnswer):
        run(one, lambda now: death_save(now, "bo"), 21)
    assert run(one, lambda now: burn(now, "bo"), 2).token("bo").track("failures") == 1, (
        "fire is no critical hit"
    )
    still = run(scene, lambda now: heal(now, "bo", 0)).token("bo")
    assert (still.track("hp"), still.has("dying")) == (0, True)


@pytest.mark.rule("SRD-075")
def test_a_skill_without_a_bonus_of_its_own_is_its_ability():
    one = read_creature(
        creature("ann", "blue", (5, 5), abilities={"str": 16, "dex": 8, "wis": 14}, skills={"stealth": 7})
    )
    names = ("athletics", "acrobatics", "stealth", "perception", "medicine")
    assert [one.skill(name) for name in names] == [3, -1, 7, 2, 2]
    assert one.agility() == 3
    quick = read_creature(creature("ann", "blue", (5, 5), abilities={"dex": 18}, skills={"athletics": 1}))
    assert quick.agility() == 4


@pytest.mark.rule("SRD-042", "SRD-139")
def test_one_that_a_system_prepares_is_out_at_no_hit_points_and_not_at_one():
    for points, is_out in ((1, False), (0, True)):
        one = creature("ann", "blue", (5, 5), tracks={"hp": points}, is_prepared=True)
        assert ("out" in read_creature(one).states) is is_out


def test_what_a_creature_does_not_have_it_does_not_use():
    assert (Profile().regeneration, Profile().parry, Profile().ammunition) == (0, 0, 20)
    assert FIFTH_EDITION.bar(Token(id="x", name="X", side="red")).most == 4, "a creature without a profile"
    blows = [attack_with(name, lambda _: 0, 2, "simple") for name in ("Mace", "Whip", "Maul")]
    assert {(one.normal, one.long, one.two_handed) for one in blows} == {(0, 0, 0)}
    spell = Effect(name="Word", shape="single")
    assert (spell.size, spell.height, spell.range, spell.level, spell.uses, spell.recharge) == (0,) * 6
    assert refused(battle(ANN, BO), act("attack", "bo", "Axe")) == ("SRD-055", "Ann has no Axe.")
    assert refused(battle(ANN, BO), act("effect", "bo", "Fire"))[1] == "Ann has no Fire."


def test_a_profile_names_nothing_that_the_game_does_not_know():
    for unknown in ({"luck": 3}, {"effects": [{"name": "Fire", "shape": "cone", "luck": 3}]}):
        with pytest.raises(BadMessage):
            read_creature(Token(id="x", name="X", side="red", profile=unknown))


def test_a_profile_that_tokens_share_cannot_be_changed():
    with pytest.raises(AttributeError):
        read_creature(ANN).profile.size = "large"


@pytest.mark.rule("SRD-138", "SRD-142")
def test_healing_wakes_who_is_at_0_and_no_one_who_sleeps_with_more():
    for left, is_awake in ((0, True), (1, False)):
        sleeper = creature("bo", "red", (6, 5), "unconscious", is_character=True, tracks={"hp": left})
        healed = run(battle(ANN, sleeper), lambda now: heal(now, "bo", 5)).token("bo")
        assert (healed.track("hp"), healed.has("unconscious")) == (left + 5, not is_awake)


def test_two_on_the_board_fight_and_no_one_fights_itself():
    away = creature("bo", "red", None)
    assert refused(battle(ANN, away), act("attack", "bo", "Sword"))[0] == "SRD-092"
    assert refused(battle(creature("ann", "blue", None), BO), act("attack", "bo", "Sword"))[0] == "SRD-092"
    assert refused(battle(ANN, BO), act("attack", "ann", "Sword"))[0] == "SRD-092"


def test_a_move_turns_its_creature_only_if_it_says_so():
    turned = replace(ANN, facing=90)
    for facing, expected in ((None, 90), (180, 180), (0, 0)):
        moved = play(battle(turned, FAR), replace(act("move", at=(5, 6)), facing=facing)).scene
        assert moved.token("ann").facing == expected


@pytest.mark.rule("SRD-073", "SRD-121")
def test_each_creature_that_is_held_takes_a_hand():
    held = {"wielding": "Longsword", "grappling": "bo"}
    ann = creature("ann", "blue", (5, 5), weapons=("Longsword",), notes=held)
    other = creature("di", "red", (5, 6))
    scene = battle(ann, creature("bo", "red", (6, 5), notes={"grappled": "ann"}), other)
    assert free_hands(read_creature(scene.token("ann"))) == 0
    assert refused(scene, act("grapple", "di"))[0] == "SRD-073"


@pytest.mark.rule("SRD-096", "SRD-121")
def test_advice_has_no_attack_through_a_wall_and_counts_both_hands():
    wall = Wall("w", (6 * 64, 0, 6 * 64, 14 * 64))
    scene = battle(ANN, BO, walls=(wall,))
    assert FIFTH_EDITION.outlook.attacks(scene, scene.token("ann"), scene.token("bo")) == ()
    ann = creature("ann", "blue", (5, 5), attacks=(), weapons=("Spear",))
    for at, sides in ((6, 8), (8, 6)):
        scene = battle(ann, creature("bo", "red", (at, 5)))
        found = attack_numbers(scene, act("attack", "bo", "Spear"))
        assert found.parts[0].sides == sides, "in both hands in melee, and one die when thrown"


@pytest.mark.rule("SRD-146", "SRD-180")
def test_an_effect_that_hurts_is_for_enemies_and_no_charmer_is_its_target():
    bless = Effect(name="Bless", shape="single", range=60, condition="inspired")
    bolt = replace(bless, name="Bolt", damage=(Damage(1, 6, 0, "fire"),), condition="")
    friend = creature("di", "blue", (5, 6))
    for effect_, target, notes, rule in (
        (bless, "di", {}, ""),
        (bolt, "di", {}, "SRD-180"),
        (bless, "bo", {}, ""),
        (bless, "bo", {"charmed": "bo"}, "SRD-146"),
        (bolt, "bo", {"charmed": "bo"}, "SRD-146"),
    ):
        ann = creature("ann", "blue", (5, 5), effects=(bless, bolt), notes=notes)
        found = refused(battle(ann, BO, friend), act("effect", target, effect_.name))
        assert found[0] == rule, (effect_.name, target, notes)


@pytest.mark.rule("SRD-181")
def test_the_log_says_how_many_effects_are_back():
    breath = Effect(name="Breath", shape="cone", size=15, recharge=5)
    gaze = replace(breath, name="Gaze", recharge=6)
    drake = creature("bo", "red", (6, 5), effects=(breath, gaze), notes={"spent": "Breath|Gaze"})
    done = play(battle(ANN, drake), act("end"), 5, 5)
    assert "Bo regains effects: 1." in FIFTH_EDITION.narrate(battle(ANN, drake), done.events)
    assert done.scene.token("bo").conditions["spent"] == "Gaze"


@pytest.mark.rule("SRD-065", "SRD-105")
def test_in_dim_light_a_passive_score_is_5_less():
    dim = (Terrain("d", "Dusk", tuple((x, y) for x in range(20) for y in range(14)), 1, kind="dim"),)
    for terrain, total, is_found in (((), 12, True), ((), 13, False), (dim, 7, True), (dim, 8, False)):
        hidden = creature("bo", "red", (8, 5), notes={"invisible": "hiding"}, tracks={"hidden": total})
        ann = creature("ann", "blue", (5, 5), skills={"perception": 2})
        assert can_see(battle(ann, hidden, terrain=terrain), ann, hidden) is is_found, total


@pytest.mark.rule("SRD-068")
def test_a_readied_attack_is_offered_to_those_who_have_readied_one():
    for notes, is_offered in (({}, False), ({"readied": "Sword"}, True)):
        scene = battle(creature("ann", "blue", (5, 5), notes=notes), BO, turn="bo")
        kinds = {one.act.kind for one in FIFTH_EDITION.offers(scene, scene.token("ann"))}
        assert ("release" in kinds) is is_offered


@pytest.mark.rule("SRD-013")
def test_no_feet_are_left_to_one_that_has_moved_by_a_faster_speed():
    scene = battle(creature("ann", "blue", (5, 5), tracks={"moved": 35}), FAR)
    assert FIFTH_EDITION.budgets(scene, scene.token("ann"))[-1].left == 0
    lines = {one.label: one.value for one in FIFTH_EDITION.card(scene, scene.token("ann"))}
    assert lines["Feet left"] == "0"


@pytest.mark.rule("SRD-054", "SRD-160")
def test_one_that_saves_again_is_free_and_the_others_of_the_same_effect_are_not():
    note = "cy; wis 13; by Hold"
    held = [
        creature(key, "blue", at, notes={"restrained": note}) for key, at in (("ann", (5, 5)), ("bo", (5, 6)))
    ]
    ended = play(battle(*held, FAR), act("end"), 13).scene
    assert [ended.token(key).has("restrained") for key in ("ann", "bo")] == [False, True]


@pytest.mark.rule("SRD-014", "SRD-129")
def test_no_speed_is_less_than_0():
    for walk, slowed, left in ((5, True, 0), (10, True, 0), (15, True, 5), (5, False, 5)):
        notes = {"slowed": "bo"} if slowed else {}
        one = read_creature(creature("ann", "blue", (5, 5), speeds={"walk": walk, "fly": 40}, notes=notes))
        assert one.speeds == {"walk": left, "fly": 30 if slowed else 40}


@pytest.mark.rule("SRD-055", "SRD-120")
def test_drawing_a_thrown_weapon_is_a_part_of_its_attack():
    weapons = ("Longsword", "Mace", "Javelin")
    for at, rule in ((7, ""), (6, "SRD-055")):
        notes = {"wielding": "Longsword|Mace", "interacted": ""}
        ann = creature("ann", "blue", (5, 5), weapons=weapons, notes=notes)
        scene = battle(ann, creature("bo", "red", (at, 5)))
        assert refused(scene, act("attack", "bo", "Javelin"))[0] == rule


@pytest.mark.rule("SRD-088", "SRD-176")
def test_the_log_names_those_whom_an_area_catches_or_no_creature():
    ball = Effect(name="Ball", shape="sphere", size=5, range=60)
    ann = creature("ann", "blue", (5, 5), effects=(ball,))
    for at, names, faces in (((10, 10), "no creature", ()), ((11, 5), "Bo", (20,))):
        scene = battle(ann, creature("bo", "red", (11, 5)))
        told = narrated(scene, act("effect", weapon="Ball", at=at), *faces)
        assert told.startswith(f"Ann creates Ball, which catches {names}.")


@pytest.mark.rule("SRD-026", "SRD-030")
def test_a_jump_uses_the_run_up():
    ann = creature("ann", "blue", (5, 5), abilities={"str": 16}, tracks={"run": 10, "moved": 10})
    jumped = play(battle(ann, FAR), act("high_jump")).scene.token("ann")
    assert (jumped.track("run"), jumped.track("moved")) == (0, 16)


@pytest.mark.rule("SRD-185")
@pytest.mark.parametrize(("kind", "is_burnt"), [("slashing", False), ("fire", True)])
def test_only_certain_damage_stops_regeneration(kind, is_burnt):
    blade = replace(SWORD, damage=(Damage(0, 0, 4, kind),))
    troll = creature("bo", "red", (6, 5), regeneration=5, unhealing=("acid", "fire"))
    struck = play(battle(creature("ann", "blue", (5, 5), attacks=(blade,)), troll), HIT, 15).scene
    assert struck.token("bo").has("burnt") is is_burnt
    assert play(struck, act("end")).scene.token("bo").track("hp") == (26 if is_burnt else 30)


@pytest.mark.rule("SRD-068")
def test_advice_knows_an_attack_that_is_readied():
    ann = creature("ann", "blue", (5, 5), notes={"readied": "Sword"})
    scene = battle(ann, BO, turn="bo")
    found = FIFTH_EDITION.outlook.attacks(scene, scene.token("ann"), scene.token("bo"))
    assert [(one.kind, one.target) for one in found] == [("release", "bo")]
    plain = battle(ANN, BO, turn="bo")
    assert FIFTH_EDITION.outlook.attacks(plain, plain.token("ann"), plain.token("bo")) == []
