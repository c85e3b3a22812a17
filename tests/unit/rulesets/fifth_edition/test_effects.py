"""Spells and effects: aims, slots, concentration, durations, teleports (SRD-039, SRD-161 to SRD-180)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rules.battle.lasting import lasting
from enfilade.rules.odds import forget, odds
from enfilade.rules.procedures import Act
from enfilade.rules.sheets import Damage
from enfilade.rulesets.fifth_edition import FIFTH_EDITION, effects
from enfilade.rulesets.fifth_edition.areas import Aimed, aim, area_of, caught_in, cover_from
from enfilade.rulesets.fifth_edition.effects import Cast
from enfilade.rulesets.fifth_edition.motions import Ride
from enfilade.rulesets.fifth_edition.profiles import Effect, read_creature
from enfilade.scene.model import Terrain, Wall
from enfilade.tactics.overlays import overlay
from tests.unit.rulesets.fifth_edition.scenes import (
    BOW,
    act,
    battle,
    creature,
    hp,
    play,
    procedure,
    reasons,
    refused,
    settled,
    with_token,
)

BALL = Effect(
    name="Ball", shape="sphere", size=20, range=150, difficulty=15, damage=(Damage(0, 0, 10, "fire"),)
)
HOLD = Effect(
    name="Hold", shape="single", range=60, save="wis", difficulty=15, condition="paralyzed", half=False
)  # fmt: skip
BO = creature("bo", "red", (10, 5))


def caster(*effects, at=(3, 5), **more):
    return creature("ann", "blue", at, effects=effects, **more)


def cast(name, target="bo", *, at=None, slot=0, token="ann"):
    return Act(kind="effect", token=token, target=target, weapon=name, at=at, body=Cast(slot))


def noted(scene, key, **conditions):
    """Return the scene in which a creature has these conditions alone."""
    return with_token(scene, key, conditions=conditions)


def at(done, key):
    return done.scene.token(key).at


@pytest.mark.rule("SRD-066", "SRD-180")
def test_a_spell_is_one_action_or_bonus_action_with_its_numbers():
    quick = replace(BALL, name="Quick", is_bonus=True)
    scene = battle(caster(BALL, quick), BO)
    done = play(scene, cast("Ball"), 5).scene
    assert done.token("ann").has("acted")
    assert refused(done, cast("Ball"))[0] == "SRD-049"
    assert play(scene, cast("Quick"), 5).scene.token("ann").has("bonus")
    assert refused(scene, cast("Nothing"))[0] == "SRD-180"
    more = replace(BALL, level=3, higher=(Damage(0, 0, 4, "fire"),))
    stronger = play(battle(caster(more), BO), cast("Ball", slot=5), 5).scene
    assert stronger.token("bo").track("hp") == 30 - 18
    assert refused(battle(caster(more), BO), cast("Ball", slot=2))[0] == "SRD-180"


@pytest.mark.rule("SRD-067")
def test_one_slot_is_spent_in_a_turn():
    first, second = replace(BALL, level=1), replace(HOLD, level=2, is_bonus=True)
    cantrip = replace(HOLD, name="Cantrip", is_bonus=True)
    scene = play(battle(caster(first, second, cantrip), BO), cast("Ball"), 5).scene
    assert refused(scene, cast("Hold"))[0] == "SRD-067"
    assert refused(scene, cast("Cantrip")) == ("", "")
    later = play(play(scene, act("end")).scene, act("end", token="bo")).scene
    assert refused(later, cast("Hold")) == ("", "")


@pytest.mark.rule("SRD-161", "SRD-177")
def test_a_save_is_a_d20_and_its_bonus_against_8_and_the_bonuses_of_the_caster():
    spell = replace(HOLD, difficulty=0)
    scene = battle(
        caster(spell, abilities={"int": 16}, proficiency=3), creature("bo", "red", (10, 5), saves={"wis": 2})
    )
    assert read_creature(scene.token("ann")).difficulty(spell) == 14
    for face, held in ((12, False), (11, True)):
        assert play(scene, cast("Hold"), face).scene.token("bo").has("paralyzed") is held
    lucky = battle(caster(replace(HOLD, difficulty=30)), BO)
    assert play(lucky, cast("Hold"), 20).scene.token("bo").has("paralyzed"), "a 20 means nothing"
    by_wisdom = creature("ann", "blue", (3, 5), casting="wis", abilities={"wis": 12}, effects=(spell,))
    assert read_creature(by_wisdom).difficulty(spell) == 11


@pytest.mark.rule("SRD-177")
def test_a_ranged_spell_attack_follows_the_rules_of_ranged_attacks():
    bolt = replace(BOW, name="Bolt", normal=120, long=0)
    near = battle(creature("ann", "blue", (3, 5), attacks=(bolt,)), creature("bo", "red", (4, 5)))
    assert reasons(near, "Bolt")[2] == ("Bo is within 5 feet",)


@pytest.mark.rule("SRD-178")
def test_a_target_that_must_be_seen_is_and_one_in_total_cover_is_none():
    seen = replace(HOLD, needs_sight=True)
    dark = (Terrain(id="d", name="Dark", cells=((10, 5),), kind="dark"),)
    assert refused(battle(caster(seen), BO, terrain=dark), cast("Hold"))[0] == "SRD-178"
    assert refused(battle(caster(HOLD), BO, terrain=dark), cast("Hold")) == ("", "")
    far = battle(caster(HOLD), creature("bo", "red", (16, 5)))
    assert refused(far, cast("Hold"))[0] == "SRD-178"


@pytest.mark.rule("SRD-163", "SRD-165")
def test_one_concentrates_on_one_effect_and_what_hangs_on_it_ends_with_it():
    held = replace(HOLD, concentrates=True)
    web = replace(held, name="Web", condition="restrained", is_bonus=True)
    scene = play(battle(caster(held, web), BO), cast("Hold"), 1).scene
    assert (scene.token("ann").conditions["concentrating"], scene.token("bo").has("paralyzed")) == (
        "Hold",
        True,
    )
    second = play(scene, cast("Web"), 1).scene
    assert second.token("ann").conditions["concentrating"] == "Web"
    assert not second.token("bo").has("paralyzed")
    assert second.token("bo").has("restrained")
    at_will = play(scene, act("unfocus")).scene
    assert not at_will.token("bo").has("paralyzed")
    assert refused(at_will, act("unfocus"))[0] == "SRD-165"
    stunned = noted(scene, "ann", stunned="", concentrating="Hold")
    assert not settled(stunned, scene).token("bo").has("paralyzed"), "nor by one that is Incapacitated"


@pytest.mark.rule("SRD-054")
@pytest.mark.parametrize(
    ("until", "ends"), [("start", "start of its next turn"), ("end", "end of its next turn")]
)
def test_an_effect_until_the_next_turn_ends_at_exactly_that_moment(until, ends):
    scene = play(battle(caster(replace(HOLD, until=until)), BO), cast("Hold"), 1).scene
    scene = play(scene, act("end")).scene
    assert scene.token("bo").has("paralyzed"), "not at the end of the turn in which it began"
    scene = play(scene, act("end", token="bo")).scene
    assert scene.token("bo").has("paralyzed") is (until == "end"), ends
    assert not play(scene, act("end")).scene.token("bo").has("paralyzed")


@pytest.mark.rule("SRD-054", "SRD-161")
def test_a_repeated_save_is_rolled_at_the_end_of_each_turn_of_its_bearer():
    scene = play(battle(caster(replace(HOLD, repeats=True)), BO), cast("Hold"), 1).scene
    scene = play(scene, act("end")).scene
    assert play(scene, act("end", token="bo"), 14).scene.token("bo").has("paralyzed")
    assert not play(scene, act("end", token="bo"), 15).scene.token("bo").has("paralyzed")


@pytest.mark.rule("SRD-160")
def test_a_condition_of_two_sources_lasts_until_both_have_ended():
    scene = play(battle(caster(replace(HOLD, until="start")), BO), cast("Hold"), 1).scene
    note = scene.token("bo").conditions["paralyzed"]
    scene = noted(scene, "bo", paralyzed=f"{note}|cy")
    scene = play(play(scene, act("end")).scene, act("end", token="bo")).scene
    assert scene.token("bo").conditions == {"paralyzed": "cy"}


@pytest.mark.rule("SRD-179")
def test_of_the_same_spell_twice_the_stronger_counts_and_of_equals_the_latest():
    scene = battle(caster(replace(HOLD, repeats=True)), BO, creature("cy", "blue", (3, 7)))
    for old, kept in (
        ("cy; wis 17; by Hold", "cy"),
        ("cy; wis 15; by Hold", "ann"),
        ("cy; by Other", "cy ann"),
    ):
        held = noted(scene, "bo", paralyzed=old)
        done = play(held, cast("Hold"), 1).scene.token("bo").conditions["paralyzed"]
        assert " ".join(one.source for one in lasting(done)) == kept


@pytest.mark.rule("SRD-167")
def test_an_origin_behind_an_obstacle_comes_into_being_on_its_near_side():
    wall = Wall("w", (8 * 64, 0, 8 * 64, 14 * 64))
    scene = battle(caster(BALL), BO, creature("cy", "red", (6, 5)), walls=(wall,))
    aimed = Aimed(scene.token("ann"), BALL, None, (10, 5))
    origin, _ = aim(scene, aimed)
    assert origin == (7 * 64, 6 * 64)
    assert caught_in(scene, aimed) == ["ann", "cy"]
    free = replace(scene, walls=())
    assert aim(free, Aimed(free.token("ann"), BALL, None, (10, 5)))[0] == (11 * 64, 6 * 64)
    assert refused(scene, cast("Ball", "", at=(10, 5))) == ("", ""), "a square needs not be seen"
    done = play(scene, cast("Ball", "", at=(10, 5)), 1, 1)
    assert (done.scene.token("cy").track("hp"), done.scene.token("bo").track("hp")) == (20, 30)
    assert refused(battle(caster(replace(BALL, range=30)), BO), cast("Ball", "", at=(12, 5)))[0] == "SRD-178"


@pytest.mark.rule("SRD-170")
def test_a_cylinder_has_the_squares_of_a_sphere_up_to_its_height():
    strike = replace(BALL, shape="cylinder", size=10, height=40)
    low = creature("bo", "red", (10, 5), elevation=35, speeds={"fly": 60.0})
    high = creature("cy", "red", (11, 5), elevation=40, speeds={"fly": 60.0})
    scene = battle(caster(strike), low, high)
    aimed = Aimed(scene.token("ann"), strike, scene.token("bo"))
    assert len(area_of(scene, aimed)) == 12
    assert caught_in(scene, aimed) == ["bo"]


@pytest.mark.rule("SRD-176")
def test_allies_are_caught_too_unless_the_creator_chooses():
    friend = creature("cy", "blue", (11, 5))
    for spares, names in ((False, ["bo", "cy"]), (True, ["bo"])):
        ball = replace(BALL, spares_allies=spares, size=10)
        scene = battle(caster(ball), BO, friend)
        assert caught_in(scene, Aimed(scene.token("ann"), ball, scene.token("bo"))) == names


@pytest.mark.rule("SRD-039")
def test_a_teleport_costs_no_movement_provokes_nothing_and_lands_beside_one_that_is_there():
    step = Effect(name="Step", shape="teleport", size=30, is_bonus=True)
    ann = creature("ann", "blue", (5, 5), effects=(step,))
    wall = Wall("w", (4 * 64, 4 * 64, 4 * 64, 7 * 64))
    scene = battle(ann, creature("bo", "red", (6, 5)), creature("cy", "red", (5, 9)), walls=(wall,))
    done = play(scene, cast("Step", "", at=(5, 8)))
    assert (at(done, "ann"), done.scene.token("ann").track("moved")) == ((5, 8), 0)
    assert not done.scene.token("bo").has("reacted")
    taken = at(play(scene, cast("Step", "", at=(5, 9))), "ann")
    assert taken != (5, 9)
    assert max(abs(taken[0] - 5), abs(taken[1] - 9)) == 1
    assert refused(scene, cast("Step", "", at=(2, 5)))[0] == "SRD-039", "behind the wall"
    assert refused(scene, cast("Step", "", at=(12, 5)))[0] == "SRD-178"
    assert refused(scene, cast("Step", "bo"))[0] == "SRD-178", "it needs a square"


@pytest.mark.rule("SRD-039", "SRD-187")
@pytest.mark.parametrize("key", ["ann", "bo"])
def test_a_teleport_parts_a_rider_and_its_mount(key):
    step = Effect(name="Step", shape="teleport", size=30, is_bonus=True)
    ann = creature("ann", "blue", (5, 5), effects=(step,))
    mount = creature("bo", "blue", (6, 5), size="large", effects=(step,))
    free = replace(act("mount", "bo"), body=Ride(controls=False))
    ridden = play(battle(ann, mount, creature("cy", "red", (19, 13))), free).scene
    own_turn = replace(ridden, conditions={**ridden.conditions, "turn": key})
    done = play(own_turn, replace(cast("Step", "", at=(10, 9)), token=key)).scene
    other = "bo" if key == "ann" else "ann"
    assert (done.token(key).at, done.token(other).at) == ((10, 9), (6, 5))
    assert not any(one.has("riding") or one.has("ridden") for one in done.tokens)


@pytest.mark.rule("SRD-039", "SRD-187", "SRD-031")
@pytest.mark.parametrize(("key", "lost"), [("ann", 0), ("bo", 6)])
def test_a_rider_teleports_to_the_ground_and_falls_if_its_mount_in_the_air_teleports(key, lost):
    step = Effect(name="Step", shape="teleport", size=60, is_bonus=True)
    ann = creature("ann", "blue", (5, 5), effects=(step,))
    mount = creature("bo", "blue", (6, 5), size="large", speeds={"walk": 30, "fly": 80}, effects=(step,))
    free = replace(act("mount", "bo"), body=Ride(controls=False))
    ridden = play(battle(ann, mount, creature("cy", "red", (19, 13))), free).scene
    high = tuple(replace(one, elevation=30) if one.side == "blue" else one for one in ridden.tokens)
    own_turn = replace(ridden, tokens=high, conditions={**ridden.conditions, "turn": key})
    faces = (1, 2, 3) if lost else ()
    done = play(own_turn, replace(cast("Step", "", at=(10, 9)), token=key), *faces).scene
    assert (done.token("ann").elevation, 30 - done.token("ann").track("hp")) == (0, lost)
    assert done.token("bo").elevation == 30


@pytest.mark.rule("SRD-064")
def test_a_spell_with_a_word_ends_hiding_and_a_silent_one_does_not():
    for verbal in (True, False):
        ann = creature(
            "ann", "blue", (3, 5), notes={"invisible": "hiding"}, effects=(replace(HOLD, is_verbal=verbal),)
        )
        done = play(battle(ann, BO), cast("Hold"), 20).scene
        assert done.token("ann").has("invisible") is not verbal


def placed(*effects, **rules):
    """Return the previews of a caster's acts that may be aimed at any square, by name."""
    found = overlay(FIFTH_EDITION, battle(caster(*effects), BO, rules=rules), "ann", 0).targets
    return {one.label: one for one in found if one.is_placed}


def test_an_area_and_a_teleport_may_be_aimed_at_any_square_and_begin_at_the_own_one():
    step = Effect(name="Step", shape="teleport", range=30)
    ring = Effect(name="Ring", shape="emanation", size=15, damage=BALL.damage)
    found = placed(BALL, HOLD, step, ring)
    assert set(found) == {"Ball", "Step"}
    assert all(one.legal and not one.is_elsewhere and one.act.at == (3, 5) for one in found.values())
    assert placed(BALL, play="assistant")["Ball"].is_elsewhere
    moved = play(battle(caster(step), BO), replace(found["Step"].act, at=(6, 6)))
    assert moved.scene.token("ann").at == (6, 6)


@pytest.mark.rule("SRD-103")
def test_cover_counts_from_the_origin_of_an_area_and_from_the_caster_of_what_has_none():
    wall = (Wall("w", (8 * 64, 0, 8 * 64, 5 * 64 + 32)),)
    scene = battle(caster(BALL, at=(3, 5)), creature("bo", "red", (10, 5)), walls=wall)
    ann, single, ring = scene.token("ann"), replace(BALL, shape="single"), replace(BALL, shape="emanation")
    assert cover_from(scene, Aimed(ann, BALL, None, (11, 9)), "bo") == ""
    assert cover_from(scene, Aimed(ann, single, scene.token("bo")), "bo") == "half"
    assert cover_from(scene, Aimed(ann, ring), "bo") == "half"
    assert cover_from(scene, Aimed(ann, ring), "ann") == ""


@pytest.mark.rule("SRD-166")
def test_an_effect_hits_if_its_target_is_in_it_or_without_one_if_anyone_is():
    scene = battle(caster(BALL), BO)
    assert play(scene, cast("Ball"), 2).result.result == "hit"
    assert play(scene, cast("Ball", "", at=(10, 5)), 2).result.result == "hit"
    assert play(scene, cast("Ball", "", at=(10, 12))).result.result == "miss"
    cone = Effect(name="Cone", shape="cone", size=15, damage=BALL.damage)
    assert play(battle(caster(cone), creature("bo", "red", (6, 5))), cast("Cone"), 2).result.result == "hit"


@pytest.mark.rule("SRD-139")
def test_the_outcome_of_an_effect_says_what_it_leaves_its_target_as():
    weak = creature("bo", "red", (10, 5), tracks={"hp": 3})
    fallen = creature("bo", "red", (10, 5), tracks={"hp": 3}, is_character=True)
    left = [play(battle(caster(BALL), one), cast("Ball"), 2).result.leaves for one in (weak, fallen, BO)]
    assert left == ["out", "dying", ""]


@pytest.mark.rule("SRD-180")
def test_only_a_slot_above_that_of_a_spell_adds_to_its_damage():
    bolt = replace(BALL, level=2, higher=(Damage(0, 0, 3, "fire"),))
    dealt = [play(battle(caster(bolt), BO), cast("Ball", slot=slot), 2).result.damage for slot in (0, 2, 4)]
    assert dealt == [10, 10, 16]


@pytest.mark.parametrize("rules", [{}, {"monsters_die": False}])
@pytest.mark.parametrize("half", [True, False])
@pytest.mark.rule("SRD-135", "SRD-139")
def test_damage_beyond_what_kills_changes_nothing_that_odds_count(half, rules, monkeypatch):
    """Each creature would be killed by another amount, or by none."""
    ball = replace(BALL, damage=(Damage(4, 6, 0, "fire"),), half=half)
    crowd = [
        creature("plain", "red", (9, 5), hit_points=5),
        creature("shielded", "red", (9, 6), tracks={"temp": 3}, hit_points=5),
        creature("tough", "red", (10, 6), hit_points=4, is_character=True),
        creature("cold", "red", (11, 5), hit_points=3, resistances=("fire",)),
        creature("ash", "red", (11, 6), hit_points=3, immunities=("fire",)),
        creature("risen", "red", (10, 4), hit_points=4, has_undead_fortitude=True),
        creature("dying", "red", (9, 4), "dying", "unconscious", tracks={"hp": 0}, hit_points=6),
        creature("calm", "red", (11, 4), notes={"concentrating": "x"}, hit_points=9),
    ]
    scene = battle(caster(ball), replace(BO, tracks={"hp": 9}), *crowd, rules=rules)
    wanted = cast("Ball")

    def ends():
        forget()
        found = odds(scene, procedure(wanted), (wanted,), has_aftermath=True)
        states = {
            one.id: {
                (str(token.tracks), str(token.conditions)): chance
                for token, chance in found.aftermath.states(one.id)
            }
            for one in crowd
        }
        return found.chances, states, found.cost.runs

    less = ends()
    monkeypatch.setattr(effects, "_fatal", lambda _, item, __: item)
    plain = ends()
    assert less[:2] == plain[:2]
    assert less[2] < plain[2]


WORD = Effect(
    name="Healing Word",
    shape="single",
    range=60,
    healing=(Damage(2, 4, 3),),
    higher=(Damage(2, 4),),
    level=1,
    is_bonus=True,
)


def healer(*, turn="ann", rules=None, walls=()):
    tokens = (
        creature("ann", "blue", (5, 5), effects=(WORD,), tracks={"hp": 4}),
        creature("cy", "blue", (9, 5), "dying", "unconscious", "prone", tracks={"hp": 0}, is_character=True),
        creature("di", "blue", (17, 5), tracks={"hp": 29}),
        creature("ed", "blue", (5, 6), "out", tracks={"hp": 0}),
        BO,
        creature("fy", "blue", (18, 12)),
    )
    return battle(*tokens, turn=turn, rules=rules or {}, walls=walls)


@pytest.mark.rule("SRD-066", "SRD-138", "SRD-142", "SRD-178", "SRD-180")
def test_a_spell_that_heals_is_for_the_own_side_in_range_and_takes_the_bonus_action():
    scene = healer()
    word = cast("Healing Word", "cy")
    done = play(scene, word, 1, 4).scene
    assert done.token("cy").track("hp") == 8
    assert [done.token("cy").has(state) for state in ("dying", "unconscious", "prone")] == [
        False,
        False,
        True,
    ]
    assert (done.token("ann").has("bonus"), done.token("ann").has("acted")) == (True, False)
    assert refused(done, word)[0] == "SRD-050"
    assert hp(play(scene, cast("Healing Word", "ann"), 1, 1), "ann") == 9, "oneself too"
    assert hp(play(scene, cast("Healing Word", "di"), 4, 4), "di") == 30, "not beyond the maximum"
    assert refused(scene, cast("Healing Word", "fy"))[0] == "SRD-178"
    assert refused(scene, cast("Healing Word", "bo"))[0] == "SRD-180"
    assert refused(scene, cast("Healing Word", "ed"))[0] == "SRD-139"
    assert refused(healer(walls=(Wall("w", (512, 0, 512, 896)),)), word)[0] == "SRD-178"
    offered = [
        one.act.target for one in FIFTH_EDITION.offers(scene, scene.token("ann")) if "Word" in one.label
    ]
    assert sorted(set(offered) - {""}) == ["ann", "cy", "di", "fy"]


@pytest.mark.rule("SRD-180")
@pytest.mark.parametrize(
    ("edition", "slot", "faces", "healed"),
    [("5.2", 0, (3, 4), 10), ("5.2", 2, (1, 1, 2, 2), 9), ("5.1", 0, (4,), 7), ("5.1", 3, (4, 2, 2), 11)],
)
def test_a_slot_above_heals_more_and_the_older_edition_rolls_one_die_for_each(edition, slot, faces, healed):
    scene = healer(rules={"edition": edition})
    word = cast("Healing Word", "cy", slot=slot)
    assert hp(play(scene, word, *faces), "cy") == healed
    balm = replace(WORD, name="Balm")
    other = with_token(scene, "ann", profile=creature("ann", "blue", (5, 5), effects=(balm,)).profile)
    assert hp(play(other, cast("Balm", "cy"), 3, 4), "cy") == 10, "other spells have their own dice"


@pytest.mark.rule("SRD-176", "SRD-180")
def test_an_area_that_heals_leaves_enemies_as_they_are():
    blessing = Effect(name="Balm", shape="emanation", size=60, healing=(Damage(0, 0, 5),))
    scene = battle(
        creature("ann", "blue", (5, 5), effects=(blessing,)),
        creature("cy", "blue", (7, 5), tracks={"hp": 3}),
        creature("bo", "red", (6, 5), tracks={"hp": 3}),
    )
    done = play(scene, cast("Balm", "cy"))
    assert (hp(done, "cy"), hp(done, "bo")) == (8, 3)
