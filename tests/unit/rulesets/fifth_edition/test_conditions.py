"""Conditions, hiding and unseen targets (SRD-006, SRD-041, SRD-063 to SRD-065, SRD-093, SRD-146 to 159)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, resolve
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.battlefield import can_see
from enfilade.rulesets.fifth_edition.checks import check, save_edge
from enfilade.rulesets.fifth_edition.profiles import read_creature
from enfilade.scene.model import Terrain, Wall
from tests.unit.rulesets.fifth_edition.scenes import (
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
    settled,
    with_token,
)

BO = creature("bo", "red", (8, 5))
WALL = Wall("w", (7 * 64, 0, 7 * 64, 14 * 64))


def checked(scene, *faces, bonus=0):
    """Return whether Ann makes a check of 15."""
    return resolve(scene, check, ("ann", "stealth", bonus, 15), Answers(faces=list(faces))).result[1]


@pytest.mark.rule("SRD-006")
def test_four_tiny_creatures_end_their_moves_in_one_square():
    def tiny(key, side, at):
        return creature(key, side, at, size="tiny")

    three = [tiny(f"t{i}", "blue", (8, 5)) for i in range(3)]
    assert cost(battle(tiny("ann", "blue", (5, 5)), *three, BO), (8, 5)) is None, "Bo is no Tiny creature"
    scene = battle(tiny("ann", "blue", (5, 5)), *three, creature("bo", "red", (12, 5)))
    assert cost(scene, (8, 5)) == 15
    assert FIFTH_EDITION.may_share(scene, scene.token("ann"), scene.token("t0"))
    full = battle(
        tiny("ann", "blue", (5, 5)), *three, tiny("t3", "blue", (8, 5)), creature("bo", "red", (12, 5))
    )
    assert cost(full, (8, 5)) is None
    assert cost(battle(creature("ann", "blue", (5, 5)), *three, BO), (8, 5)) is None


@pytest.mark.rule("SRD-041")
def test_the_frightened_take_no_step_that_brings_them_nearer_to_what_they_fear():
    scene = battle(creature("ann", "blue", (5, 5), notes={"frightened": "bo"}), BO)
    near = [cell for cell in ((6, 5), (6, 4), (6, 6)) if cost(scene, cell) is not None]
    assert near == []
    assert cost(scene, (4, 5)) == 5
    assert cost(scene, (5, 8)) == 15, "beside it at the same distance"
    of_another = battle(creature("ann", "blue", (5, 5), notes={"frightened": "cy"}), BO)
    assert cost(of_another, (6, 5)) == 5


@pytest.mark.rule("SRD-146")
def test_the_charmed_do_not_attack_their_charmer_and_the_deaf_fight_as_ever():
    scene = battle(creature("ann", "blue", (7, 5), notes={"charmed": "cy|bo; end bo"}), BO)
    assert refused(scene, HIT)[0] == "SRD-146"
    other = battle(creature("ann", "blue", (7, 5), "deafened", notes={"charmed": "cy"}), BO)
    assert refused(other, HIT) == ("", "")
    assert reasons(other) == (10, (), ())


@pytest.mark.rule("SRD-147")
def test_fear_is_a_disadvantage_on_attacks_and_checks_while_its_source_is_in_sight():
    scene = battle(creature("ann", "blue", (7, 5), notes={"frightened": "bo"}), BO)
    assert reasons(scene)[2] == ("Ann is frightened",)
    assert not checked(scene, 16, 3)
    unseen = battle(creature("ann", "blue", (5, 5), notes={"frightened": "bo"}), BO, walls=(WALL,))
    assert checked(unseen, 16)
    assert "Ann is frightened" not in reasons(unseen)[2]


@pytest.mark.rule("SRD-148")
def test_the_grappled_stay_and_have_a_disadvantage_against_all_but_their_grappler():
    held = creature("ann", "blue", (7, 5), notes={"grappled": "bo"})
    scene = battle(held, BO, creature("cy", "red", (7, 6)))
    assert read_creature(held).speed == 0
    assert reasons(scene)[2] == ()
    assert reasons(scene, target="cy")[2] == ("Ann is grappled by another",)


@pytest.mark.rule("SRD-149")
def test_the_incapacitated_do_nothing_but_may_move_and_hold_nothing():
    ann = creature("ann", "blue", (7, 5), "incapacitated", "concentrating")
    scene = battle(ann, BO)
    for one in (HIT, act("dash"), act("dodge"), act("hide")):
        assert refused(scene, one)[0] == "SRD-149"
    assert cost(scene, (6, 5)) == 5
    assert not settled(scene).token("ann").has("concentrating")
    passed = battle(creature("ann", "blue", (9, 5)), creature("bo", "red", (8, 5), "incapacitated"))
    assert FIFTH_EDITION.judge(passed, passed.token("ann"), ((10, 5),), None).steps == (), "nor does it react"


@pytest.mark.rule("SRD-152")
def test_the_petrified_resist_all_and_no_poison_reaches_them():
    stone = battle(creature("ann", "blue", (7, 5)), creature("bo", "red", (8, 5), "petrified"))
    assert play(stone, HIT, 15, 15, 5).scene.token("bo").track("hp") == 30 - 4
    assert reasons(stone)[1] == ("Bo is petrified",)
    assert read_creature(stone.token("bo")).speed == 0
    assert save_edge(stone, stone.token("bo"), "dex", 10)[1] > 100
    from enfilade.rulesets.fifth_edition.damage import afflict

    for condition, taken in (("poisoned", False), ("blinded", True)):
        done = resolve(stone, afflict, ("bo", condition, ""), Answers()).scene
        assert done.token("bo").has(condition) is taken


@pytest.mark.rule("SRD-157")
def test_the_unconscious_lie_are_hit_hard_from_beside_and_stay_prone_when_they_wake():
    scene = battle(creature("ann", "blue", (7, 5)), BO)
    from enfilade.rulesets.fifth_edition.damage import afflict, wake

    asleep = resolve(scene, afflict, ("bo", "unconscious", ""), Answers()).scene
    assert asleep.token("bo").has("prone")
    one = read_creature(asleep.token("bo"))
    assert (one.speed, one.can_act) == (0, False)
    assert play(asleep, HIT, 12, 12, 3, 3).result.result == "critical"
    woken = resolve(asleep, wake, ("bo", 5), Answers()).scene.token("bo")
    assert (woken.has("unconscious"), woken.has("prone")) == (False, True)


@pytest.mark.rule("SRD-158")
def test_a_level_of_exhaustion_takes_2_from_each_d20_and_5_feet_and_the_sixth_kills():
    tired = creature("ann", "blue", (7, 5), tracks={"exhaustion": 3})
    one = read_creature(tired)
    assert (one.speed, one.save("con")) == (15, -6)
    assert reasons(battle(tired, BO))[0] == 10 + 6
    assert checked(battle(tired, BO), 15, bonus=6)
    assert not checked(battle(tired, BO), 14, bonus=6)
    for level, dead in ((5, False), (6, True)):
        scene = battle(
            creature("ann", "blue", (7, 5)), creature("bo", "red", (8, 5), tracks={"exhaustion": level})
        )
        assert settled(scene).token("bo").has("out") is dead


@pytest.mark.rule("SRD-159")
def test_fire_burns_at_the_start_of_each_turn_until_one_lies_down_to_put_it_out():
    scene = battle(creature("ann", "blue", (5, 5)), creature("bo", "red", (8, 5), "burning"))
    burnt = play(scene, act("end"), 3).scene
    assert burnt.token("bo").track("hp") == 27
    out = play(burnt, act("douse", token="bo")).scene.token("bo")
    assert (out.has("burning"), out.has("prone"), out.has("acted")) == (False, True, True)


def sneaking(*states, stealth=4, at=(5, 5), **more):
    return creature("ann", "blue", at, *states, skills={"stealth": stealth}, attacks=(SWORD, BOW), **more)


@pytest.mark.rule("SRD-063")
def test_hiding_needs_15_and_darkness_or_good_cover_and_its_total_is_what_finds_it():
    behind = battle(sneaking(), BO, walls=(WALL,))
    assert not play(behind, act("hide"), 10).scene.token("ann").has("invisible"), "14"
    hidden = play(behind, act("hide"), 11).scene.token("ann")
    assert (hidden.conditions["invisible"], hidden.track("hidden")) == ("hiding", 15)
    assert refused(battle(sneaking(), BO), act("hide"))[0] == "SRD-063"
    dark = (Terrain(id="d", name="Dark", cells=((5, 5),), kind="dark"),)
    assert refused(battle(sneaking(), BO, terrain=dark), act("hide")) == ("", "")
    owl = creature("bo", "red", (8, 5), senses={"darkvision": 60.0})
    assert refused(battle(sneaking(), owl, terrain=dark), act("hide"))[0] == "SRD-063"


@pytest.mark.rule("SRD-064", "SRD-095")
@pytest.mark.parametrize("face", [2, 15])
def test_an_attack_from_hiding_has_advantage_and_gives_the_place_away_hit_or_miss(face):
    scene = battle(sneaking(notes={"invisible": "hiding"}, tracks={"hidden": 20}), BO)
    assert reasons(scene, "Bow")[1] == ("Ann is not seen",)
    done = play(scene, act("attack", "bo", "Bow"), face, 1, *([4] if face == 15 else []))
    assert not done.scene.token("ann").has("invisible")


@pytest.mark.rule("SRD-065")
def test_a_passive_score_at_or_above_the_total_finds_one_and_a_search_may():
    def sees(passive, rules=None):
        bo = creature("bo", "red", (8, 5), skills={"perception": passive - 10})
        scene = battle(sneaking(notes={"invisible": "hiding"}, tracks={"hidden": 17}), bo, rules=rules or {})
        return can_see(scene, scene.token("bo"), scene.token("ann"))

    assert (sees(16), sees(17)) == (False, True)
    assert not sees(17, {"passive": False})
    scene = battle(sneaking(notes={"invisible": "hiding"}, tracks={"hidden": 17}), BO, turn="bo")
    for face, hidden in ((16, True), (17, False)):
        done = play(scene, act("search", token="bo"), face).scene
        assert done.token("ann").has("invisible") is hidden
        assert done.token("bo").has("acted")
    dim = (Terrain(id="d", name="Dim", cells=((5, 5),), kind="dim"),)
    dusk = replace(scene, terrain=dim)
    assert play(dusk, act("search", token="bo"), 17, 16).scene.token("ann").has("invisible"), "SRD-105"


@pytest.mark.rule("SRD-093")
def test_an_unseen_target_is_hit_with_a_disadvantage_and_not_at_all_where_it_is_not():
    bo = creature("bo", "red", (8, 5), notes={"invisible": "hiding"}, tracks={"hidden": 20})
    scene = battle(creature("ann", "blue", (7, 5)), bo)
    assert reasons(scene)[2] == ("Bo is not seen",)
    wrong = Act(kind="attack", token="ann", target="bo", weapon="Sword", at=(8, 4))
    missed = play(scene, wrong)
    assert missed.result.result == "miss"
    assert missed.scene.token("ann").has("acted")
    right = play(scene, Act(kind="attack", token="ann", target="bo", weapon="Sword", at=(8, 5)), 15, 14, 3)
    assert right.result.result == "hit"
    seen = with_token(scene, "bo", conditions={})
    assert play(seen, wrong, 15, 3).result.result == "hit", "one that is seen is hit where it is"
