"""Grapples, wounds, healing, objects, monsters (SRD-073 to SRD-076, SRD-136 to SRD-144, SRD-181)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rules.sheets import Damage, Rider
from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.checks import save
from enfilade.rulesets.fifth_edition.combat import Strike
from enfilade.rulesets.fifth_edition.damage import afflict, heal, hurt
from enfilade.rulesets.fifth_edition.masteries import push
from enfilade.rulesets.fifth_edition.profiles import Effect, read_creature
from tests.unit.rulesets.fifth_edition.scenes import (
    ANN,
    BO,
    FIELD,
    GLAIVE,
    HIT,
    SWORD,
    act,
    battle,
    chances,
    creature,
    hp,
    play,
    reasons,
    refused,
    run,
    with_token,
)

CY = creature("cy", "red", (12, 12))


# Grapples


@pytest.mark.rule("SRD-072", "SRD-073")
def test_a_grapple_needs_a_free_hand_which_then_holds_and_strikes_no_more():
    strong = creature("ann", "blue", (5, 5), abilities={"str": 16}, weapons=("Greatsword",), multiattack=3)
    nimble = creature("bo", "red", (6, 5), abilities={"dex": 14})
    scene = battle(strong, nimble, CY)
    held = play(scene, act("grapple", "bo"), 10).scene
    assert (held.token("bo").conditions["grappled"], held.token("ann").conditions["grappling"]) == (
        "ann",
        "bo",
    )
    assert not play(scene, act("grapple", "bo"), 11).scene.token("bo").has("grappled")
    assert chances(scene, act("grapple", "bo"))["hit"] * 2 == 1
    assert refused(held, act("attack", "bo", "Greatsword"))[0] == "SRD-073", "it needs two hands"
    assert refused(held, act("grapple", "bo"))[0] == "SRD-073"
    full = with_token(scene, "ann", conditions={"wielding": "Greatsword"})
    assert refused(full, act("grapple", "bo"))[0] == "SRD-073"
    handless = battle(creature("ann", "blue", (5, 5), hands=0), BO)
    assert refused(handless, act("grapple", "bo"))[0] == "SRD-073"


@pytest.mark.rule("SRD-074")
def test_a_shove_pushes_5_feet_or_fells():
    away = play(battle(ANN, BO), act("shove_away", "bo"), 9).scene
    assert (away.token("bo").at, away.token("bo").has("prone")) == ((7, 5), False)
    down = play(battle(ANN, BO), act("shove", "bo"), 9).scene
    assert (down.token("bo").at, down.token("bo").has("prone")) == ((6, 5), True)
    for kind in ("shove", "shove_away"):
        saved = play(battle(ANN, BO), act(kind, "bo"), 10).scene
        assert (saved.token("bo").at, saved.token("bo").has("prone")) == ((6, 5), False)
    huge = creature("bo", "red", (6, 5), size="huge")
    assert refused(battle(ANN, huge), act("shove_away", "bo"))[0] == "SRD-072"


def grappled(**more):
    ann = creature("ann", "blue", (5, 5), notes={"grappling": "bo"})
    return battle(ann, creature("bo", "red", (6, 5), notes={"grappled": "ann"}, **more), CY)


@pytest.mark.rule("SRD-075")
def test_an_escape_is_an_action_against_the_difficulty_of_the_grapple():
    scene = replace(grappled(abilities={"str": 12, "dex": 14}), conditions={"turn": "bo"})
    free = play(scene, act("escape", token="bo"), 8).scene
    assert (free.token("bo").has("grappled"), free.token("ann").has("grappling")) == (False, False)
    assert free.token("bo").has("acted")
    assert play(scene, act("escape", token="bo"), 7).scene.token("bo").has("grappled")
    claw = replace(SWORD, riders=(Rider("grappled", difficulty=14),))
    tight = with_token(scene, "ann", profile=creature("ann", "blue", (5, 5), attacks=(claw,)).profile)
    assert play(tight, act("escape", token="bo"), 11).scene.token("bo").has("grappled")
    assert refused(battle(ANN, BO), act("escape"))[0] == "SRD-075"


@pytest.mark.rule("SRD-076")
def test_a_grapple_ends_with_its_holder_its_range_or_its_will():
    assert not play(grappled(), act("let_go", "bo")).scene.token("bo").has("grappled")
    stunned = run(grappled(), lambda scene: afflict(scene, "ann", "stunned"))
    assert (stunned.token("bo").has("grappled"), stunned.token("ann").has("grappling")) == (False, False)
    pushed = run(grappled(), lambda scene: push(scene, scene.token("ann"), "bo", 10))
    assert not pushed.token("bo").has("grappled")
    dead = run(grappled(), lambda scene: hurt(scene, "ann", 99, False, ("fire",)))
    assert not dead.token("bo").has("grappled")
    assert refused(battle(ANN, BO), act("let_go", "bo"))[0] == "SRD-076"


# Wounds


def blow(amount, kind="slashing", **more):
    weapon = replace(SWORD, damage=(Damage(0, 0, amount, kind),))
    return creature("ann", "blue", (5, 5), attacks=(weapon,), **more)


@pytest.mark.rule("SRD-076", "SRD-040")
@pytest.mark.parametrize("grid", [FIELD, replace(FIELD, kind="hex_odd_r")], ids=["squares", "hexes"])
def test_one_that_dies_in_a_grip_or_leaves_the_board_is_dragged_no_farther(grid):
    held = creature("bo", "red", (6, 5), notes={"grappled": "ann"}, tracks={"hp": 1})
    holder = creature("ann", "blue", (5, 5), notes={"grappling": "bo"})
    scene = battle(holder, held, creature("cy", "red", (12, 12)), grid=grid)
    dead = play(scene, act("attack", "bo", "Sword"), 15, 4).scene
    assert not dead.token("ann").has("grappling")
    for one in (dead, with_token(scene, "bo", at=None)):
        gone = play(one, act("move", at=(3, 5))).scene
        assert (gone.token("ann").at, gone.token("bo").at) == ((3, 5), None)
        assert not gone.token("ann").has("grappling")


@pytest.mark.rule("SRD-136")
@pytest.mark.parametrize(("amount", "left"), [(9, 30), (10, 20)])
def test_below_a_damage_threshold_a_hit_does_nothing(amount, left):
    tough = creature("bo", "red", (6, 5), threshold=10)
    done = play(battle(blow(amount), tough), HIT, 15)
    assert (hp(done), done.result.damage) == (left, 30 - left)
    burst = Effect(name="Burst", shape="sphere", size=5, range=60, damage=(Damage(0, 0, amount, "fire"),))
    caster = creature("ann", "blue", (1, 5), effects=(burst,))
    assert hp(play(battle(caster, tough), act("effect", "bo", "Burst"), 1)) == left


@pytest.mark.rule("SRD-137")
def test_temporary_hit_points_go_first_and_are_no_healing():
    shielded = creature("bo", "red", (6, 5), tracks={"temp": 5})
    some = play(battle(blow(3), shielded), HIT, 15).scene.token("bo")
    assert (some.track("temp"), some.track("hp")) == (2, 30)
    more = play(battle(blow(9), shielded), HIT, 15).scene.token("bo")
    assert (more.track("temp"), more.track("hp")) == (0, 26)
    hero = creature("bo", "red", (6, 5), hit_points=10, is_character=True, tracks={"temp": 5})
    assert play(battle(blow(24), hero), HIT, 15).scene.token("bo").has("dying"), "9 are left over"
    assert play(battle(blow(25), hero), HIT, 15).scene.token("bo").has("out")


@pytest.mark.rule("SRD-138")
def test_healing_stops_at_the_maximum_and_half_is_bloodied():
    hurt_one = creature("bo", "red", (6, 5), tracks={"hp": 15})
    scene = battle(ANN, hurt_one)
    assert run(scene, lambda now: heal(now, "bo", 99)).token("bo").track("hp") == 30
    assert run(scene, lambda now: heal(now, "bo", 4)).token("bo").track("hp") == 19
    for points, is_bloodied in ((16, False), (15, True), (0, False)):
        one = creature("bo", "red", (6, 5), tracks={"hp": points})
        assert read_creature(one).is_bloodied is is_bloodied
    assert any("Bloodied" in line.value for line in FIFTH_EDITION.card(scene, hurt_one))


def dying(**tracks):
    states = ("unconscious", "prone", "dying")
    return creature("bo", "blue", (6, 5), *states, is_character=True, tracks={"hp": 0, **tracks})


@pytest.mark.rule("SRD-141")
def test_first_aid_stabilizes_a_dying_ally_with_medicine_of_10():
    wise = creature("ann", "blue", (5, 5), abilities={"wis": 14})
    scene = battle(wise, dying(failures=2), CY)
    made = play(scene, act("first_aid", "bo"), 8).scene.token("bo")
    assert (made.has("stable"), made.has("dying"), made.track("failures")) == (True, False, 0)
    assert play(scene, act("first_aid", "bo"), 7).scene.token("bo").has("dying")
    assert play(scene, act("first_aid", "bo"), 7).scene.token("ann").has("acted")
    well = battle(wise, creature("bo", "blue", (6, 5)), CY)
    assert refused(well, act("first_aid", "bo"))[0] == "SRD-141"
    far = with_token(scene, "bo", at=(8, 5))
    assert refused(far, act("first_aid", "bo"))[0] == "SRD-141"
    stable = play(scene, act("first_aid", "bo"), 8).scene
    assert play(stable, act("end")).events, "a Stable one makes no death save"


@pytest.mark.rule("SRD-142")
@pytest.mark.parametrize(("damage", "face", "failures"), [(2, 15, 1), (2, 20, 2)])
def test_damage_at_0_is_a_failure_or_two_and_healing_clears_them(damage, face, failures):
    glaive = replace(GLAIVE, damage=(Damage(0, 0, damage, "slashing"),))
    ann = creature("ann", "red", (4, 5), attacks=(glaive,))
    scene = battle(ann, dying(), creature("dee", "blue", (12, 12)))
    struck = play(scene, act("attack", "bo", "Glaive"), face).scene
    assert struck.token("bo").track("failures") == failures
    woken = run(struck, lambda now: heal(now, "bo", 3)).token("bo")
    assert (woken.track("hp"), woken.track("failures"), woken.has("dying")) == (3, 0, False)
    assert (woken.has("unconscious"), woken.has("prone")) == (False, True)
    heavy = creature("ann", "red", (4, 5), attacks=(replace(glaive, damage=(Damage(0, 0, 30, "slashing"),)),))
    dead = play(with_token(scene, "ann", profile=heavy.profile), act("attack", "bo", "Glaive"), 15).scene
    assert dead.token("bo").has("out")


@pytest.mark.rule("SRD-142")
def test_a_stable_one_begins_to_die_again():
    stable = replace(dying(), conditions={"unconscious": "", "prone": "", "stable": ""})
    hit_again = run(battle(ANN, stable, CY), lambda now: hurt(now, "bo", 2, False, ("fire",))).token("bo")
    assert (hit_again.has("stable"), hit_again.has("dying"), hit_again.track("failures")) == (False, True, 1)


@pytest.mark.rule("SRD-143")
def test_a_melee_blow_may_knock_out_until_healing_or_first_aid():
    spare = replace(HIT, body=Strike(spares=True))
    out = play(battle(blow(40), BO, CY), spare, 15).scene
    assert (out.token("bo").track("hp"), out.token("bo").has("unconscious")) == (1, True)
    assert not out.token("bo").has("dying")
    stable = play(battle(blow(40), BO, CY, rules={"knock_out": "stable"}), spare, 15).scene.token("bo")
    assert (stable.track("hp"), stable.has("stable"), stable.has("unconscious")) == (0, True, True)
    assert not run(out, lambda now: heal(now, "bo", 1)).token("bo").has("unconscious")
    medic = replace(with_token(out, "cy", at=(7, 5)), conditions={"turn": "cy"})
    assert not play(medic, act("first_aid", "bo", token="cy"), 10).scene.token("bo").has("unconscious")
    javelin = replace(
        SWORD, kind="ranged", reach=0, normal=30, long=120, damage=(Damage(0, 0, 40, "piercing"),)
    )
    thrower = creature("ann", "blue", (1, 5), attacks=(javelin,))
    assert play(battle(thrower, BO, CY), spare, 15).scene.token("bo").has("out"), "not from afar"
    weak = play(battle(blow(10), BO, CY), spare, 15).scene.token("bo")
    assert (weak.track("hp"), weak.has("unconscious")) == (20, False)


@pytest.mark.rule("SRD-144")
def test_objects_have_the_armor_class_of_their_material_and_fail_all_saves():
    for material, armor in {"cloth": 11, "glass": 13, "wood": 15, "stone": 17, "iron": 19}.items():
        door = creature("bo", "red", (6, 5), material=material)
        assert reasons(battle(ANN, door, CY))[0] == armor - 5
    crate = creature("bo", "red", (6, 5), material="wood")
    for kind in ("poison", "psychic"):
        venom = battle(blow(9, kind), crate, CY)
        assert play(venom, HIT, 15).result.damage == 0
    burst = Effect(name="Burst", shape="sphere", size=5, range=60, damage=(Damage(0, 0, 9, "fire"),))
    caster = creature("ann", "blue", (1, 5), effects=(burst,))
    assert hp(play(battle(caster, crate, CY), act("effect", "bo", "Burst"), 20)) == 30 - 9
    assert not read_creature(crate).can_act
    begun = play(battle(ANN, crate, CY, turn=""), act("begin"), 9, 8).scene
    assert play(begun, act("end")).scene.conditions["turn"] == "cy"
    alone = battle(ANN, crate)
    assert FIFTH_EDITION.turn(alone).is_over


# Monsters


@pytest.mark.rule("SRD-181")
def test_a_spent_effect_is_rolled_for_at_the_start_of_each_turn():
    breath = Effect(name="Breath", shape="cone", size=15, damage=(Damage(0, 0, 1, "fire"),), recharge=5)
    dragon = creature("ann", "blue", (5, 5), effects=(breath,))
    spent = play(battle(dragon, BO), act("effect", "bo", "Breath"), 1).scene
    assert spent.token("ann").conditions["spent"] == "Breath"
    fresh = with_token(spent, "ann", conditions={"spent": "Breath"})
    assert refused(fresh, act("effect", "bo", "Breath"))[0] == "SRD-181"
    turn = play(fresh, act("end")).scene
    assert play(turn, act("end", token="bo"), 4).scene.token("ann").has("spent")
    back = play(turn, act("end", token="bo"), 5).scene
    assert not back.token("ann").has("spent")
    assert play(back, act("end")).scene.token("ann").conditions == {}, "it is rolled only if spent"


@pytest.mark.rule("SRD-182")
def test_a_legendary_resistance_makes_a_failed_save_so_many_times():
    dragon = creature("bo", "red", (6, 5), legendary_resistance=1)
    scene = battle(ANN, dragon)

    def saved(now, *faces, decisions=()):
        found = []

        def steps(scene):
            found.append((yield from save(scene, "bo", "con", 15)))

        after = run(now, steps, *faces, decisions=decisions)
        return found[0][1], after

    made, after = saved(scene, 2, decisions=["yes"])
    assert (made, after.token("bo").track("resisted")) == (True, 1)
    assert saved(after, 2)[0] is False
    assert saved(scene, 2, decisions=["no"])[0] is False
    assert saved(scene, 15)[1].token("bo").track("resisted") == 0


@pytest.mark.rule("SRD-184")
def test_pack_tactics_and_bloodied_frenzy_are_traits():
    wolf = creature("ann", "blue", (5, 5), has_pack_tactics=True)
    ally = creature("cy", "blue", (7, 6))
    assert reasons(battle(wolf, BO, ally))[1] == ("Pack Tactics of Ann",)
    assert reasons(battle(wolf, BO, replace(ally, conditions={"stunned": ""})))[1] == ()
    assert reasons(battle(wolf, BO, replace(ally, at=(8, 5))))[1] == ()
    assert reasons(battle(ANN, BO, ally))[1] == ()
    raging = creature("ann", "blue", (5, 5), has_frenzy=True, tracks={"hp": 15})
    assert reasons(battle(raging, BO))[1] == ("Bloodied Frenzy of Ann",)
    calm = creature("ann", "blue", (5, 5), has_frenzy=True, tracks={"hp": 16})
    assert reasons(battle(calm, BO))[1] == ()
    burst = Effect(name="Burst", shape="sphere", size=5, range=60, damage=(Damage(0, 0, 8, "fire"),))
    caster = creature("bo", "red", (9, 5), effects=(burst,))
    turn = replace(battle(raging, caster), conditions={"turn": "bo"})
    assert hp(play(turn, act("effect", "ann", "Burst", token="bo"), 2, 15), "ann") == 15 - 4


@pytest.mark.rule("SRD-185")
def test_regeneration_heals_at_the_start_of_the_turn_unless_it_was_burnt():
    troll = creature("bo", "red", (6, 5), regeneration=15, unhealing=("fire", "acid"), tracks={"hp": 10})
    assert hp(play(battle(ANN, troll), act("end"))) == 25
    burnt = play(battle(blow(3, "fire"), troll), HIT, 15).scene
    assert burnt.token("bo").has("burnt")
    after = play(burnt, act("end"))
    assert (hp(after), after.scene.token("bo").has("burnt")) == (7, False)
    later = play(after.scene, act("end", token="bo")).scene
    assert hp(play(later, act("end"))) == 22


@pytest.mark.rule("SRD-185")
def test_undead_fortitude_saves_a_zombie_but_not_from_radiant_or_critical_hits():
    zombie = creature("bo", "red", (6, 5), hit_points=15, has_undead_fortitude=True, abilities={"con": 16})
    scene = battle(blow(15), zombie)
    assert hp(play(scene, HIT, 15, 17)) == 1
    assert play(scene, HIT, 15, 16).scene.token("bo").has("out")
    assert play(scene, HIT, 20).scene.token("bo").has("out")
    assert play(battle(blow(15, "radiant"), zombie), HIT, 15).scene.token("bo").has("out")


@pytest.mark.rule("SRD-185")
def test_a_parry_turns_a_narrow_melee_hit_into_a_miss_for_the_reaction():
    knight = creature("bo", "red", (6, 5), parry=2)
    scene = battle(ANN, knight)
    for face, result in ((9, "miss"), (10, "miss"), (11, "miss"), (12, "hit"), (20, "critical")):
        dice = (face,) if result == "miss" else (face, *(4,) * (2 if face == 20 else 1))
        choices = ["yes"] if face in (10, 11) else []
        done = play(scene, HIT, *dice, decisions=choices)
        assert done.result.result == result
        assert done.scene.token("bo").has("reacted") is (face in (10, 11))
    assert play(scene, HIT, 10, 4, decisions=["no"]).result.result == "hit"
    spent = battle(ANN, creature("bo", "red", (6, 5), "reacted", parry=2))
    assert play(spent, HIT, 10, 4).result.result == "hit"
    assert chances(scene, HIT)["miss"] * 20 == 11
