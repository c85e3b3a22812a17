"""Attack rolls: needed, reasons that cancel, cover, critical hits (SRD-055 to SRD-104)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from enfilade.rules.sheets import Attack, Damage
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.scene.model import Wall
from enfilade.tactics.verdicts import verdict
from tests.unit.rulesets.fifth_edition.scenes import (
    ANN,
    BO,
    BOW,
    GLAIVE,
    HIT,
    SPEAR,
    SWORD,
    act,
    battle,
    chances,
    creature,
    play,
    reasons,
    refused,
)


def why(scene, **more):
    _, for_it, against = reasons(scene, **more)
    return for_it, against


@pytest.mark.rule("SRD-083", "SRD-085")
def test_5_against_15_hits_with_10_and_a_20_is_critical():
    found = chances(battle(ANN, BO), HIT)
    assert found["critical"] == Fraction(1, 20)
    assert found["hit"] + found["critical"] == Fraction(11, 20)
    sure = battle(creature("ann", "blue", (5, 5), attacks=(replace(SWORD, bonus=30),)), BO)
    assert chances(sure, HIT)["miss"] == Fraction(1, 20)
    hopeless = battle(ANN, creature("bo", "red", (6, 5), armor_class=40))
    assert chances(hopeless, HIT)["critical"] == Fraction(1, 20)
    assert chances(battle(creature("ann", "blue", (5, 5), critical=19), BO), HIT)["critical"] == Fraction(
        1, 10
    )


@pytest.mark.rule("SRD-086")
def test_advantage_and_disadvantage_in_any_number_cancel_to_one_die():
    better = battle(ANN, creature("bo", "red", (6, 5), "restrained", "stunned"))
    assert chances(better, HIT)["critical"] == Fraction(39, 400)
    worse = battle(creature("ann", "blue", (5, 5), "poisoned"), BO)
    assert chances(worse, HIT)["critical"] == Fraction(1, 400)
    both = battle(
        creature("ann", "blue", (5, 5), "poisoned"), creature("bo", "red", (6, 5), "restrained", "stunned")
    )
    assert chances(both, HIT)["critical"] == Fraction(1, 20)


@pytest.mark.rule("SRD-088")
def test_the_log_names_each_reason_also_those_that_cancel_and_each_modifier():
    scene = battle(creature("ann", "blue", (5, 5), "poisoned"), creature("bo", "red", (6, 5), "restrained"))
    done = play(scene, HIT, 12, 4)
    sentences, detail = FIFTH_EDITION.narrate(scene, done.events).split("\n")
    assert sentences == "Ann attacks Bo with Sword. It hits: Bo takes 7 damage."
    for armor, needed in ((40, 20), (1, 2)):
        tough = battle(ANN, creature("bo", "red", (6, 5), armor_class=armor))
        told = FIFTH_EDITION.narrate(tough, play(tough, HIT, 1).events)
        assert f"Needs {needed} on the d20" in told, "a 20 always hits and a 1 never does"
    for part in ("Needs 10", "bonus +5", "armor class 15", "Bo is restrained", "Ann is poisoned", "12 4"):
        assert part in detail


@pytest.mark.rule("SRD-090")
@pytest.mark.parametrize(
    ("column", "expected"), [(5 + 4, ((), ())), (5 + 5, ((), ("beyond the normal range",)))]
)
def test_beyond_the_normal_range_there_is_disadvantage_and_beyond_the_long_one_no_attack(column, expected):
    ann = creature("ann", "blue", (5, 5), attacks=(SPEAR,))
    assert why(battle(ann, creature("bo", "red", (column, 5))), weapon="Spear") == expected
    far = battle(ann, creature("bo", "red", (5 + 13, 5)))
    assert refused(far, act("attack", "bo", "Spear"))[0] == "SRD-090"


@pytest.mark.rule("SRD-091", "SRD-154", "SRD-155")
def test_an_archer_beside_an_enemy_shoots_at_one_that_lies_restrained_with_one_die():
    archer = creature("ann", "blue", (5, 5), attacks=(BOW,))
    target = creature("bo", "red", (11, 5), "prone", "restrained")
    for_it, against = why(battle(archer, target, creature("cy", "red", (5, 6))), weapon="Bow")
    assert for_it == ("Bo is restrained",)
    assert against == ("Bo lies prone", "Cy is within 5 feet")
    stunned = creature("cy", "red", (5, 6), "stunned")
    assert "Cy is within 5 feet" not in why(battle(archer, target, stunned), weapon="Bow")[1]


@pytest.mark.rule("SRD-092")
def test_a_melee_attack_needs_its_target_within_reach():
    far = battle(ANN, creature("bo", "red", (7, 5)))
    assert refused(far, HIT) == ("SRD-092", "Bo is 10 feet away; the attack goes 5 feet.")
    long = battle(creature("ann", "blue", (5, 5), attacks=(GLAIVE,)), creature("bo", "red", (7, 5)))
    assert refused(long, act("attack", "bo", "Glaive")) == ("", "")
    assert (
        refused(battle(ANN, creature("bo", "blue", (6, 5)), creature("cy", "red", (9, 9))), HIT)[0]
        == "SRD-055"
    )
    assert refused(battle(ANN, BO), act("attack", "bo", "Spoon"))[0] == "SRD-055"


@pytest.mark.rule("SRD-154")
@pytest.mark.parametrize(
    ("own", "weapon", "at", "expected"),
    [
        ((), SWORD, (6, 5), (("Bo lies prone",), ())),
        ((), GLAIVE, (7, 5), ((), ("Bo lies prone",))),
        (("prone",), SWORD, (6, 5), (("Bo lies prone",), ("Ann lies prone",))),
    ],
)
def test_who_lies_is_easier_to_hit_from_beside_and_harder_from_afar(own, weapon, at, expected):
    scene = battle(
        creature("ann", "blue", (5, 5), *own, attacks=(weapon,)), creature("bo", "red", at, "prone")
    )
    assert why(scene, weapon=weapon.name) == expected


@pytest.mark.rule("SRD-145")
def test_the_blinded_strike_and_are_struck_at_the_worse():
    assert why(battle(creature("ann", "blue", (5, 5), "blinded"), BO)) == ((), ("Ann is blinded",))
    assert why(battle(ANN, creature("bo", "red", (6, 5), "blinded"))) == (("Bo is blinded",), ())


@pytest.mark.rule("SRD-094", "SRD-109", "SRD-150")
def test_the_unseen_have_advantage_and_are_hard_to_hit_unless_blindsight_reaches_them():
    ghost = creature("ann", "blue", (5, 5), "invisible")
    assert why(battle(ghost, BO)) == (("Ann is not seen",), ())
    assert why(battle(ANN, creature("bo", "red", (6, 5), "invisible"))) == ((), ("Bo is not seen",))
    bat = creature("bo", "red", (6, 5), senses={"blindsight": 30})
    assert why(battle(ghost, bat)) == ((), ())
    far = creature("bo", "red", (5 + 7, 5), senses={"blindsight": 30})
    shot = creature("ann", "blue", (5, 5), "invisible", attacks=(BOW,))
    assert why(battle(shot, far), weapon="Bow")[0] == ("Ann is not seen",)


@pytest.mark.rule("SRD-153")
def test_the_poisoned_attack_with_disadvantage():
    assert why(battle(creature("ann", "blue", (5, 5), "poisoned"), BO)) == ((), ("Ann is poisoned",))


@pytest.mark.rule("SRD-151", "SRD-156")
@pytest.mark.parametrize("state", ["paralyzed", "petrified", "stunned", "unconscious"])
def test_the_helpless_are_easy_to_hit_and_hits_from_beside_may_be_critical(state):
    scene = battle(ANN, creature("bo", "red", (6, 5), state))
    assert f"Bo is {state}" in why(scene)[0]
    is_always = state in ("paralyzed", "unconscious")
    assert ("hit" not in chances(scene, HIT)) is is_always
    far = battle(creature("ann", "blue", (5, 5), attacks=(GLAIVE,)), creature("bo", "red", (7, 5), state))
    assert "hit" in chances(far, act("attack", "bo", "Glaive"))


@pytest.mark.rule("SRD-060")
def test_a_dodger_is_hard_to_hit_for_those_it_sees_until_its_next_turn():
    dodger = creature("bo", "red", (6, 5), "dodging")
    assert why(battle(ANN, dodger)) == ((), ("Bo dodges",))
    assert why(battle(creature("ann", "blue", (5, 5), "invisible"), dodger))[1] == ()
    assert why(battle(ANN, creature("bo", "red", (6, 5), "dodging", "grappled")))[1] == ()
    own = play(battle(ANN, BO), act("dodge")).scene
    after = play(own, act("end")).scene
    assert after.token("ann").has("dodging")
    assert not play(after, act("end", token="bo")).scene.token("ann").has("dodging")


@pytest.mark.rule("SRD-061")
def test_help_gives_the_next_attack_of_an_ally_advantage():
    cy = creature("cy", "blue", (6, 6))
    helped = play(battle(ANN, BO, cy), act("help", "bo")).scene
    assert why(helped, token="cy")[0] == ("an ally helps",)
    assert why(helped)[0] == (), "not the helper's own"
    turn_of_cy = replace(helped, conditions={"turn": "cy"})
    done = play(turn_of_cy, act("attack", "bo", "Sword", token="cy"), 2, 3).scene
    assert not done.token("bo").has("helped")
    assert refused(battle(ANN, creature("bo", "red", (8, 5))), act("help", "bo"))[0] == "SRD-061"
    foe, gone = (
        battle(creature("bo", "red", (6, 5), notes={"helped": helper}), ANN, cy) for helper in ("bo", "di")
    )
    assert (why(foe, token="cy")[0], why(gone, token="cy")[0]) == ((), ()), "by an ally on the board alone"


def wall(x, top, bottom):
    return Wall("w", (x * 64, top * 64, x * 64, bottom * 64))


@pytest.mark.rule("SRD-097", "SRD-098", "SRD-099", "SRD-100", "SRD-101", "SRD-102")
@pytest.mark.parametrize(
    ("target", "between", "walls", "needed"),
    [
        ((4, 0), (2, 0), (), 12),
        ((4, 0), (2, 1), (), 10),
        ((3, 2), None, (wall(2, 1, 9),), 15),
        ((4, 0), (2, 0), (wall(3, 1, 9),), 12),
    ],
    ids=["a creature between", "beside the line", "a wall before 3 of 4 corners", "half by the creature"],
)
def test_cover_by_corners_adds_to_armor_class_and_does_not_add_up(target, between, walls, needed):
    archer = creature("ann", "blue", (0, 0), attacks=(BOW,))
    others = [creature("cy", "red", between)] if between else []
    scene = battle(archer, creature("bo", "red", target), *others, walls=walls)
    assert reasons(scene, "Bow")[0] == needed
    plain = battle(
        archer, creature("bo", "red", target), *others, walls=walls, rules={"creature_cover": False}
    )
    assert reasons(plain, "Bow")[0] == (15 if needed == 15 else 10)


@pytest.mark.rule("SRD-096", "SRD-104")
def test_total_cover_forbids_the_attack_and_the_line_says_what_blocks_it():
    archer = creature("ann", "blue", (0, 5), attacks=(BOW,))
    scene = battle(archer, creature("bo", "red", (6, 5)), walls=(wall(3, 0, 14),))
    assert refused(scene, act("attack", "bo", "Bow"))[0] == "SRD-096"
    assert FIFTH_EDITION.sight(scene, *scene.tokens).why == "Blocked by a wall between you and Bo."


@pytest.mark.rule("SRD-049", "SRD-056")
def test_a_multiattack_has_several_attacks_in_one_action_with_moves_between():
    two = creature("ann", "blue", (5, 5), multiattack=2)
    once = play(battle(two, BO), HIT, 2).scene
    assert (once.token("ann").has("acted"), once.token("ann").track("attacks")) == (True, 1)
    moved = play(once, act("move", at=(6, 4))).scene
    twice = play(moved, HIT, 2).scene
    assert refused(twice, HIT)[0] == "SRD-049"
    assert refused(once, act("dash"))[0] == "SRD-049"
    assert refused(play(battle(ANN, BO), HIT, 2).scene, HIT)[0] == "SRD-049"


@pytest.mark.rule("SRD-192")
def test_flanking_is_a_house_rule():
    three = (ANN, BO, creature("cy", "blue", (7, 5)))
    assert why(battle(*three))[0] == ()
    assert why(battle(*three, rules={"flanking": "advantage"}))[0] == ("flanking",)
    assert reasons(battle(*three, rules={"flanking": "+2"}))[0] == 8
    archer = creature("ann", "blue", (5, 5), attacks=(BOW,))
    assert why(battle(archer, *three[1:], rules={"flanking": "advantage"}), weapon="Bow")[0] == ()


def test_pack_tactics_need_an_ally_that_can_act_beside_the_target():
    wolf = creature("ann", "blue", (5, 5), has_pack_tactics=True)
    assert why(battle(wolf, BO, creature("cy", "blue", (7, 6))))[0] == ("Pack Tactics of Ann",)
    assert why(battle(wolf, BO, creature("cy", "blue", (7, 6), "stunned")))[0] == ()


def test_fear_counts_while_its_source_is_in_sight_and_a_grip_against_others():
    afraid = creature("ann", "blue", (5, 5), notes={"frightened": "cy"})
    source = creature("cy", "red", (9, 5))
    assert why(battle(afraid, BO, source))[1] == ("Ann is frightened",)
    assert why(battle(afraid, BO, source, walls=(wall(8, 0, 14),)))[1] == ()
    held = creature("ann", "blue", (5, 5), notes={"grappled": "cy"})
    assert why(battle(held, BO, source))[1] == ("Ann is grappled by another",)
    assert why(battle(creature("ann", "blue", (5, 5), notes={"grappled": "bo"}), BO))[1] == ()


@pytest.mark.rule("SRD-071", "SRD-072")
def test_a_grapple_and_a_shove_are_saved_against_with_the_better_of_two_abilities():
    strong = creature("ann", "blue", (5, 5), abilities={"str": 16})
    nimble = creature("bo", "red", (6, 5), abilities={"str": 10, "dex": 14})
    for kind, state in (("grapple", "grappled"), ("shove", "prone")):
        scene = battle(strong, nimble)
        assert chances(scene, act(kind, "bo"))["hit"] == Fraction(1, 2)
        done = play(scene, act(kind, "bo"), 10).scene
        assert done.token("bo").has(state)
        assert not play(scene, act(kind, "bo"), 11).scene.token("bo").has(state)
    huge = battle(strong, creature("bo", "red", (6, 5), size="huge"))
    assert refused(huge, act("grapple", "bo"))[0] == "SRD-072"
    assert refused(battle(strong, creature("bo", "red", (7, 5))), act("shove", "bo"))[0] == "SRD-071"
    fist = play(battle(strong, nimble), act("attack", "bo", "Unarmed strike"), 18).scene
    assert fist.token("bo").track("hp") == 30 - 4


def test_one_that_is_grappled_escapes_with_an_action():
    held = creature("bo", "red", (6, 5), notes={"grappled": "ann"}, abilities={"dex": 14})
    scene = battle(creature("ann", "blue", (5, 5), abilities={"str": 16}), held, turn="bo")
    assert not play(scene, act("escape", token="bo"), 11).scene.token("bo").has("grappled")
    assert play(scene, act("escape", token="bo"), 10).scene.token("bo").has("grappled")
    assert refused(battle(ANN, BO), act("escape"))[0] == "SRD-075"


def test_a_weapon_with_two_parts_of_damage_rolls_each():
    poison = Attack(
        name="Bite",
        kind="melee",
        bonus=5,
        reach=5,
        damage=(Damage(1, 4, 3, "piercing"), Damage(2, 6, 0, "poison")),
    )
    scene = battle(creature("ann", "blue", (5, 5), attacks=(poison,)), BO)
    assert play(scene, act("attack", "bo", "Bite"), 15, 1, 2, 3).result.damage == 4 + 5


@pytest.mark.rule("SRD-088", "SRD-097")
def test_a_preview_has_the_reasons_and_the_sight_the_cover_for_programs():
    scene = battle(creature("ann", "blue", (5, 5), "poisoned"), creature("bo", "red", (6, 5), "restrained"))
    found = verdict(FIFTH_EDITION, scene, "ann", "bo", 0)
    sword = next(one for one in found.acts if one.act.weapon == "Sword")
    assert sword.advantages == ("Bo is restrained",)
    assert sword.disadvantages == ("Ann is poisoned",)
    assert (found.sight.cover_level, found.sight.cover_bonus) == ("", 0)
    far = battle(ANN, creature("cy", "blue", (6, 5)), creature("bo", "red", (7, 5)))
    found = verdict(FIFTH_EDITION, far, "ann", "bo", 0)
    assert (found.sight.cover_level, found.sight.cover_bonus) == ("half", 2)
    walled = replace(far, walls=(Wall("w", (6 * 64, 0, 6 * 64, 20 * 64)),))
    found = verdict(FIFTH_EDITION, walled, "ann", "bo", 0)
    assert (found.sight.cover_level, found.sight.cover_bonus) == ("total", None)
