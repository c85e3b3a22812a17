"""Damage, dying, saves, effects and turns (SRD-043 to SRD-051, SRD-132 to SRD-142, SRD-161 to SRD-178)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from enfilade.rules.sheets import Damage
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.areas import Aimed, aim, area_of
from enfilade.rulesets.fifth_edition.checks import save_edge
from enfilade.rulesets.fifth_edition.profiles import Effect, read_creature
from enfilade.scene.model import Wall
from tests.unit.rulesets.fifth_edition.scenes import (
    ANN,
    BO,
    HIT,
    SWORD,
    act,
    battle,
    chances,
    creature,
    hp,
    play,
    refused,
)

FIRE = (Damage(8, 6, 0, "fire"),)
FIREBALL = Effect(name="Fireball", shape="sphere", size=20, range=150, difficulty=15, damage=FIRE)


@pytest.mark.rule("SRD-132")
def test_a_critical_hit_rolls_every_die_twice_and_adds_modifiers_once():
    knife = replace(SWORD, damage=(Damage(1, 4, 3, "piercing"), Damage(2, 6, 0, "piercing")))
    scene = battle(creature("ann", "blue", (5, 5), attacks=(knife,)), BO)
    assert play(scene, HIT, 20, 1, 4, 2, 3, 5, 6).result.damage == 24


@pytest.mark.rule("SRD-133", "SRD-134")
def test_each_type_is_settled_by_itself_halved_before_it_is_doubled():
    both = replace(SWORD, damage=(Damage(0, 0, 9, "slashing"), Damage(0, 0, 9, "fire")))
    ann = creature("ann", "blue", (5, 5), attacks=(both,))
    for profile, dealt in (
        ({"resistances": ("slashing", "fire")}, 8),
        ({"resistances": ("fire",), "vulnerabilities": ("fire",)}, 9 + 8),
        ({"immunities": ("fire",)}, 9),
        ({"vulnerabilities": ("slashing",)}, 27),
    ):
        assert play(battle(ann, creature("bo", "red", (6, 5), **profile)), HIT, 15).result.damage == dealt
    stone = battle(ann, creature("bo", "red", (6, 5), "petrified"))
    assert play(stone, HIT, 15, 15).result.damage == 8


@pytest.mark.rule("SRD-139")
def test_a_monster_dies_at_0_and_a_character_falls_unless_the_rest_reaches_its_maximum():
    blow = replace(SWORD, damage=(Damage(0, 0, 17, "slashing"),))
    ann = creature("ann", "blue", (5, 5), attacks=(blow,))
    monster = play(battle(ann, creature("bo", "red", (6, 5), hit_points=12)), HIT, 15)
    assert (monster.scene.token("bo").has("out"), monster.result.leaves) == (True, "out")
    hero = creature("bo", "red", (6, 5), hit_points=12, is_character=True, tracks={"hp": 6})
    fallen = play(battle(ann, hero), HIT, 15).scene.token("bo")
    assert {"unconscious", "prone", "dying"} <= fallen.conditions.keys()
    harder = creature("ann", "blue", (5, 5), attacks=(replace(blow, damage=(Damage(0, 0, 18, "slashing"),)),))
    assert play(battle(harder, hero), HIT, 15).scene.token("bo").has("out")
    spared = battle(ann, creature("bo", "red", (6, 5), hit_points=12), rules={"monsters_die": False})
    assert play(spared, HIT, 15).scene.token("bo").has("dying")


def dying(**tracks):
    state = {"hp": 0, "initiative": -9, **tracks}
    return creature("bo", "red", (6, 5), "unconscious", "prone", "dying", is_character=True, tracks=state)


CY = creature("cy", "red", (9, 9), tracks={"initiative": -10})


@pytest.mark.rule("SRD-140")
@pytest.mark.parametrize(
    ("tracks", "face", "expected"),
    [
        ({}, 9, {"failures": 1}),
        ({}, 1, {"failures": 2}),
        ({}, 10, {"successes": 1}),
        ({"failures": 1}, 1, "out"),
        ({"successes": 2}, 12, "stable"),
        ({"failures": 2, "successes": 1}, 20, "awake"),
    ],
)
def test_a_death_save_is_rolled_at_the_start_of_the_turn(tracks, face, expected):
    after = play(battle(ANN, dying(**tracks), CY), act("end"), face).scene
    token = after.token("bo")
    if expected == "awake":
        assert (token.track("hp"), token.has("prone"), token.has("unconscious")) == (1, True, False)
        assert (token.track("failures"), token.track("successes")) == (0, 0)
    elif isinstance(expected, str):
        assert token.has(expected)
    else:
        assert {name: token.track(name) for name in expected} == expected


def test_a_blow_at_0_fails_a_save_two_if_critical_and_wakes_the_stable_ones_dying():
    weak = creature("ann", "blue", (5, 5), attacks=(replace(SWORD, damage=(Damage(0, 0, 2, "slashing"),)),))
    hurt = play(battle(weak, dying(), creature("cy", "red", (9, 9))), HIT, 19, 12).scene.token("bo")
    assert hurt.track("failures") == 2, "a hit from beside is critical"
    stable = creature(
        "bo", "red", (6, 5), "unconscious", "prone", "stable", is_character=True, tracks={"hp": 0}
    )
    again = play(battle(weak, stable, creature("cy", "red", (9, 9))), HIT, 19, 12).scene.token("bo")
    assert (again.has("stable"), again.has("dying")) == (False, True)


@pytest.mark.rule("SRD-164")
@pytest.mark.parametrize(("dealt", "least"), [(21, 10), (27, 13), (80, 30)])
def test_damage_asks_for_a_save_to_concentrate_of_at_most_30(dealt, least):
    blow = replace(SWORD, damage=(Damage(0, 0, dealt, "slashing"),))
    mage = creature("bo", "red", (6, 5), "concentrating", hit_points=200, saves={"con": least - 10})
    scene = battle(creature("ann", "blue", (5, 5), attacks=(blow,)), mage)
    assert play(scene, HIT, 15, 10).scene.token("bo").has("concentrating")
    assert not play(scene, HIT, 15, 9).scene.token("bo").has("concentrating")
    if least == 30:
        free = replace(scene, house_rules={"fifth_edition.concentration_cap": 0})
        assert not play(free, HIT, 15, 19).scene.token("bo").has("concentrating")


def test_undead_fortitude_keeps_a_zombie_up_but_not_against_radiant_or_critical_hits():
    zombie = creature("bo", "red", (6, 5), hit_points=15, has_undead_fortitude=True, abilities={"con": 16})
    blow = replace(SWORD, damage=(Damage(0, 0, 15, "slashing"),))
    scene = battle(creature("ann", "blue", (5, 5), attacks=(blow,)), zombie)
    assert hp(play(scene, HIT, 15, 17)) == 1
    assert play(scene, HIT, 15, 16).scene.token("bo").has("out")
    assert play(scene, HIT, 20).scene.token("bo").has("out")


@pytest.mark.rule("SRD-162")
def test_saves_have_reasons_too_and_the_helpless_fail_those_of_strength_and_dexterity():
    def edge(*states):
        return save_edge(battle(), creature("bo", "red", (6, 5), *states), "dex", 15)

    assert (edge(), edge("dodging"), edge("restrained")) == ((0, 15), (1, 15), (-1, 15))
    assert edge("dodging", "restrained") == (-1, 15), "no one dodges at Speed 0"
    for state in ("paralyzed", "petrified", "stunned", "unconscious"):
        assert edge(state)[1] > 100
    assert read_creature(creature("bo", "red", (6, 5), abilities={"dex": 14})).save("dex") == 2
    assert read_creature(creature("bo", "red", (6, 5), saves={"dex": 5})).save("dex") == 5


def burning(*others, effect=FIREBALL, **more):
    caster = creature("ann", "blue", (1, 5), effects=(effect,))
    return battle(caster, creature("bo", "red", (10, 5)), *others, **more)


BURN = act("effect", "bo", "Fireball")


@pytest.mark.rule("SRD-135")
def test_a_fireball_rolls_its_damage_once_and_a_save_halves_it_before_resistance():
    resists = creature("cy", "red", (11, 6), resistances=("fire",))
    scene = burning(resists, creature("dee", "red", (11, 4), resistances=("fire",)))
    dice = (6, 6, 6, 6, 1, 1, 1, 0 + 1)
    done = play(scene, BURN, *dice, 5, 20, 5)
    assert sum(dice) == 28
    assert [hp(done, key) for key in ("bo", "cy", "dee")] == [30 - 28, 30 - 7, 30 - 14]


@pytest.mark.rule("SRD-103", "SRD-162")
def test_cover_from_the_origin_of_an_area_adds_to_dexterity_saves_alone():
    """The wall is between the origin, the lower right corner of Bo's square, and three corners of Cy's."""
    wall = Wall("w", (12 * 64, 5 * 64, 12 * 64, 6 * 64 + 48))
    cy = creature("cy", "red", (12, 6))
    only = replace_effect(damage=(Damage(0, 0, 10, "fire"),))
    open_field, covered = burning(cy, effect=only), burning(cy, effect=only, walls=(wall,))
    assert hp(play(open_field, BURN, 15, 15), "cy") == 30 - 5
    assert hp(play(open_field, BURN, 15, 13), "cy") == 30 - 10
    assert hp(play(covered, BURN, 15, 13), "cy") == 30 - 5
    by_body = burning(cy, effect=replace(only, save="con"), walls=(wall,))
    assert hp(play(by_body, BURN, 15, 13), "cy") == 30 - 10


@pytest.mark.rule("SRD-168", "SRD-169", "SRD-176")
def test_a_sphere_of_20_feet_at_a_corner_has_52_squares_and_catches_friends():
    friend = creature("cy", "blue", (12, 7))
    scene = burning(friend, creature("dee", "red", (16, 5)))
    assert len(area_of(scene, Aimed(scene.token("ann"), FIREBALL, scene.token("bo")))) == 52
    assert FIFTH_EDITION.caught(scene, BURN) == ["cy"]


@pytest.mark.rule("SRD-166")
def test_squares_in_total_cover_from_the_origin_are_out():
    wall = Wall("w", (12 * 64, 0, 12 * 64, 14 * 64))
    hidden = creature("cy", "red", (13, 6))
    assert FIFTH_EDITION.caught(burning(hidden), BURN) == ["cy"]
    assert FIFTH_EDITION.caught(burning(hidden, walls=(wall,)), BURN) == []


@pytest.mark.rule("SRD-171", "SRD-172", "SRD-173", "SRD-174", "SRD-175")
@pytest.mark.parametrize(
    ("shape", "size", "cells"),
    [
        ("cone", 15, {(6, 5), (7, 5), (8, 4), (8, 5), (8, 6)}),
        ("line", 30, {(x, 5) for x in range(6, 12)}),
        ("cube", 15, {(x, y) for x in range(6, 9) for y in range(4, 7)}),
        ("emanation", 5, {(x, y) for x in range(4, 7) for y in range(4, 7)} - {(5, 5)}),
    ],
)
def test_cones_lines_and_cubes_begin_at_the_side_of_the_space_and_emanations_surround_it(shape, size, cells):
    effect = Effect(name="Breath", shape=shape, size=size)
    scene = battle(ANN, creature("bo", "red", (8, 5)))
    assert set(area_of(scene, Aimed(scene.token("ann"), effect, scene.token("bo")))) == cells
    if shape != "emanation":
        assert set(area_of(scene, Aimed(scene.token("ann"), effect, None, (5, 5)))) == cells, "to the east"


@pytest.mark.rule("SRD-174")
@pytest.mark.parametrize(
    ("at", "origin", "toward"),
    [
        *(((9, 5), (6, 5.5), (3.5, 0)), ((9, 6), (6, 5.5), (3.5, 1)), ((9, 9), (6, 6), (3.5, 3.5))),
        *(((5, 9), (5.5, 6), (0, 3.5)), ((1, 9), (5, 6), (-3.5, 3.5)), ((1, 5), (5, 5.5), (-3.5, 0))),
        *(((1, 1), (5, 5), (-3.5, -3.5)), ((5, 1), (5.5, 5), (0, -3.5)), ((9, 1), (6, 5), (3.5, -3.5))),
        ((5, 5), (6, 5.5), (0.5, 0)),
    ],
)
def test_a_cone_begins_at_the_side_or_the_corner_that_faces_where_it_is_aimed(at, origin, toward):
    scene = battle(ANN, creature("bo", "red", (19, 13)))
    cone = Effect(name="Breath", shape="cone", size=15)
    found = aim(scene, Aimed(scene.token("ann"), cone, None, at))
    assert found == tuple(tuple(round(64 * value) for value in pair) for pair in (origin, toward))


@pytest.mark.rule("SRD-174")
def test_a_cone_at_one_whose_middle_is_at_its_origin_goes_away_from_its_caster():
    large = creature("ann", "blue", (4, 4), size="large")
    scene = battle(large, creature("bo", "red", (5, 4), "prone", size="large"))
    cone = Effect(name="Breath", shape="cone", size=15)
    assert aim(scene, Aimed(scene.token("ann"), cone, scene.token("bo"))) == ((6 * 64, 5 * 64), (64, 0))


@pytest.mark.rule("SRD-175")
def test_the_emanation_of_a_large_creature_has_60_squares():
    large = creature("ann", "blue", (8, 6), size="large")
    scene = battle(large, BO)
    effect = Effect(name="Aura", shape="emanation", size=15)
    assert len(area_of(scene, Aimed(scene.token("ann"), effect, scene.token("bo")))) == 60
    small = battle(creature("ann", "blue", (8, 6)), BO)
    assert len(area_of(small, Aimed(small.token("ann"), effect, small.token("bo")))) == 48


@pytest.mark.rule("SRD-178")
def test_an_effect_needs_range_a_clear_path_and_uses():
    assert refused(burning(effect=replace_effect(range=30)), BURN)[0] == "SRD-178"
    wall = Wall("w", (6 * 64, 0, 6 * 64, 14 * 64))
    assert refused(burning(walls=(wall,)), BURN)[0] == "SRD-178"
    once = play(burning(effect=replace_effect(uses=1)), BURN, *(1,) * 8, 10).scene
    again = replace(once, tokens=tuple(replace(one, conditions={}) for one in once.tokens))
    assert refused(again, BURN)[0] == "SRD-066"


def replace_effect(**changes):
    return replace(FIREBALL, **changes)


def test_a_failed_save_may_leave_a_condition_and_a_made_one_may_leave_nothing():
    acid = (Damage(0, 0, 5, "acid"),)
    web = replace_effect(name="Web", shape="cube", range=60, condition="restrained", half=False, damage=acid)
    scene = battle(creature("ann", "blue", (5, 5), effects=(web,)), creature("bo", "red", (7, 5)))
    failed = play(scene, act("effect", "bo", "Web"), 5)
    assert (failed.scene.token("bo").has("restrained"), hp(failed)) == (True, 25)
    saved = play(scene, act("effect", "bo", "Web"), 18)
    assert (saved.scene.token("bo").has("restrained"), hp(saved)) == (False, 30)


def test_the_odds_of_a_fireball_at_eight_are_exact():
    crowd = [creature(f"c{i}", "red", (9 + i % 4, 3 + i // 4)) for i in range(7)]
    assert sum(chances(burning(*crowd), BURN).values()) == 1


# Turns


@pytest.mark.rule("SRD-044", "SRD-045", "SRD-047")
def test_initiative_is_a_d20_and_dexterity_and_the_highest_acts_first():
    ann = creature("ann", "blue", (5, 5), abilities={"dex": 12}, is_character=True)
    bo = creature("bo", "red", (6, 5), abilities={"dex": 16})
    begun = play(battle(ann, bo, turn=""), act("begin"), 13, 11).scene
    assert [one.track("initiative") for one in begun.tokens] == [14, 14]
    assert begun.conditions["turn"] == "ann", "a character acts before a monster of equal Initiative"
    later = play(begun, act("end")).scene
    assert (later.conditions["turn"], later.track("round")) == ("bo", 1)
    assert play(later, act("end", token="bo")).scene.track("round") == 2
    slow = battle(creature("ann", "blue", (5, 5), "incapacitated"), BO, turn="")
    assert play(slow, act("begin"), 13, 4, 9).scene.token("ann").track("initiative") == 4
    hidden = battle(creature("ann", "blue", (5, 5), "invisible"), BO, turn="")
    assert play(hidden, act("begin"), 13, 4, 9).scene.token("ann").track("initiative") == 13
    assert refused(begun, act("begin"))[0] == "SRD-043"


@pytest.mark.rule("SRD-049", "SRD-051")
def test_a_reaction_comes_back_at_the_start_of_the_own_turn_and_others_do_not_act():
    scene = battle(ANN, creature("bo", "red", (6, 5), "reacted"))
    assert refused(scene, act("dash", token="bo"))[0] == "SRD-049"
    assert not play(scene, act("end")).scene.token("bo").has("reacted")
    assert refused(scene, act("attack", "bo", "Sword")) == ("", "")


@pytest.mark.parametrize("state", ["incapacitated", "stunned", "paralyzed", "petrified", "unconscious"])
def test_the_incapacitated_take_no_action(state):
    scene = battle(creature("ann", "blue", (5, 5), state), BO)
    assert refused(scene, HIT) == ("SRD-149", "Ann is incapacitated.")
    assert refused(scene, act("end")) == ("", "")


def test_the_charmed_do_not_strike_their_charmer():
    scene = battle(creature("ann", "blue", (5, 5), notes={"charmed": "bo"}), BO)
    assert refused(scene, HIT)[0] == "SRD-146"


def test_the_battle_ends_when_only_allies_stand():
    over = battle(ANN, dying())
    turn = FIFTH_EDITION.turn(over)
    assert (turn.is_over, turn.winners) == (True, ("blue",))
    assert refused(over, act("end"))[0] == "SRD-049"


def test_hiding_needs_cover_from_every_enemy_that_sees_and_ends_with_an_attack():
    open_field = battle(ANN, BO)
    assert refused(open_field, act("hide"))[0] == "SRD-063"
    wall = Wall("w", (6 * 64, 0, 6 * 64, 14 * 64))
    behind = battle(ANN, creature("bo", "red", (9, 5)), walls=(wall,))
    hidden = play(behind, act("hide"), 15).scene
    assert hidden.token("ann").conditions["invisible"] == "hiding"
    assert not play(behind, act("hide"), 14).scene.token("ann").has("invisible")
    ready = replace(hidden, walls=(), conditions={"turn": "ann"})
    close = replace(ready, tokens=tuple(
        replace(one, conditions={k: v for k, v in one.conditions.items() if k != "acted"},
                at=(6, 5) if one.id == "bo" else one.at) for one in ready.tokens))  # fmt: skip
    assert not play(close, HIT, 2, 2).scene.token("ann").has("invisible")


def test_the_chance_to_save_a_spell_is_that_of_the_die():
    scene = burning(effect=Effect(name="Fireball", shape="sphere", size=5, range=150, difficulty=15,
                                  damage=(Damage(0, 0, 10, "fire"),)))  # fmt: skip
    by_damage = {}
    from enfilade.rules.odds import odds

    for outcome, chance in odds(scene, FIFTH_EDITION.acts["effect"].procedure, (BURN,)).chances.items():
        by_damage[outcome.damage] = chance
    assert by_damage == {10: Fraction(14, 20), 5: Fraction(6, 20)}
