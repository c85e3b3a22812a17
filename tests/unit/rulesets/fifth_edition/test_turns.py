"""Initiative, budgets of a turn, actions, and what happens between turns (SRD-035 to SRD-070, SRD-183)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.fifth_edition import FIFTH_EDITION
from enfilade.rulesets.fifth_edition.laws import LAWS
from tests.unit.rulesets.fifth_edition.scenes import (
    ANN,
    BO,
    BOW,
    SWORD,
    act,
    battle,
    creature,
    hp,
    play,
    reasons,
    refused,
    with_token,
)

FAR = creature("bo", "red", (15, 5))
FIRE = ({"dice": 0, "sides": 0, "bonus": 9, "type": "fire"},)


def begun(*tokens, faces=(), **rules):
    return play(battle(*tokens, turn="", rules=rules), act("begin"), *faces).scene


def initiative(scene):
    return [one.track("initiative") for one in scene.tokens]


@pytest.mark.rule("SRD-043")
def test_initiative_has_bonuses_beside_dexterity_and_may_be_a_fixed_score():
    quick = creature("ann", "blue", (5, 5), abilities={"dex": 14}, initiative=3)
    assert initiative(begun(quick, BO, faces=(8, 9))) == [13, 9]
    slow = creature("bo", "red", (6, 5), "incapacitated")
    assert initiative(begun(quick, slow, initiative="score")) == [15, 5]


@pytest.mark.rule("SRD-043")
def test_a_battle_opens_with_initiative_where_this_game_has_the_turns():
    assert FIFTH_EDITION.turn(battle(ANN, BO, turn="")).opening == "begin"
    assert FIFTH_EDITION.turn(battle(ANN, BO)).opening == ""
    assert FIFTH_EDITION.turn(battle(ANN, BO, turn="", rules={"play": "assistant"})).opening == ""


@pytest.mark.rule("SRD-046")
def test_the_surprised_roll_initiative_with_disadvantage_or_lose_their_first_turn():
    surprised = creature("bo", "red", (6, 5), "surprised")
    scene = begun(ANN, surprised, faces=(10, 15, 4))
    assert initiative(scene) == [10, 4]
    assert not scene.token("bo").has("surprised")
    lost = begun(ANN, surprised, faces=(10, 15), surprise="lost turn")
    assert lost.conditions["turn"] == "bo"
    assert refused(lost, act("dash", token="bo"))[0] == "SRD-046"
    assert FIFTH_EDITION.reach(lost, lost.token("bo")).budget == 0
    assert play(lost, act("end", token="bo")).scene.token("bo").conditions == {}


@pytest.mark.rule("SRD-048")
def test_identical_creatures_of_a_side_may_share_one_roll():
    twins = [creature(key, "red", (x, 5)) for x, key in enumerate(("bo", "cy"), 6)]
    twins[1] = replace(twins[1], profile=twins[0].profile)
    assert initiative(begun(ANN, *twins, faces=(8, 12), shared_roll=True)) == [8, 12, 12]
    assert initiative(begun(ANN, *twins, faces=(8, 12, 3))) == [8, 12, 3]


@pytest.mark.rule("SRD-050")
def test_a_feature_makes_an_act_a_bonus_action_of_which_a_turn_has_one():
    spy = creature("ann", "blue", (5, 5), bonus_actions=("dash", "disengage"))
    away = play(battle(spy, BO), act("disengage")).scene
    assert (away.token("ann").has("bonus"), away.token("ann").has("acted")) == (True, False)
    dashed = play(away, act("dash")).scene
    assert dashed.token("ann").has("acted")
    assert refused(dashed, act("dash"))[0] == "SRD-049"
    plain = play(battle(ANN, BO), act("disengage")).scene
    assert plain.token("ann").has("acted")
    states = ("acted", "bonus", "lightly")
    spent = battle(creature("ann", "blue", (5, 5), *states, weapons=("Dagger", "Shortsword")), BO)
    told = [refused(spent, act(kind, "bo", "Dagger")) for kind in ("attack", "offhand")]
    assert [("bonus" in sentence, rule) for rule, sentence in told] == [(False, "SRD-049"), (True, "SRD-050")]


@pytest.mark.rule("SRD-052", "SRD-070")
def test_one_interaction_is_free_a_second_one_and_some_actions_do_nothing_else():
    once = play(battle(ANN, BO), act("interact")).scene
    assert not once.token("ann").has("acted")
    twice = play(once, act("interact")).scene
    assert twice.token("ann").has("acted")
    assert refused(twice, act("interact"))[0] == "SRD-049"
    for kind in ("utilize", "influence", "study"):
        done = play(battle(ANN, BO), act(kind)).scene
        assert done.token("ann").conditions == {"acted": ""}
    assert not play(twice, act("end")).scene.token("ann").has("interacted")


@pytest.mark.rule("SRD-053")
def test_who_is_at_turn_picks_which_of_two_things_comes_first():
    breath = {"name": "Breath", "shape": "cone", "size": 15, "recharge": 5}
    troll = creature(
        "bo", "red", (6, 5), notes={"spent": "Breath"}, regeneration=5, effects=(breath,), tracks={"hp": 9}
    )
    scene = battle(ANN, replace(troll, tracks={"hp": 9, "initiative": -5}))
    for first, kinds in (("recharge", ["recharge", "heals"]), ("regenerate", ["heals", "recharge"])):
        done = play(scene, act("end"), 3, decisions=[first])
        told = [event for event in done.events if hasattr(event, "facts")]
        assert [event.kind for event in told] == ["end", *kinds]
        assert next(event.facts["total"] for event in told if event.kind == "heals") == 5


@pytest.mark.rule("SRD-057")
def test_a_multiattack_with_a_list_has_each_of_its_attacks_once():
    claw, bite = replace(SWORD, name="Claw"), replace(SWORD, name="Bite")
    beast = creature("ann", "blue", (5, 5), attacks=(claw, bite), routine=("Claw", "Claw", "Bite"))
    scene = battle(beast, BO)
    for weapon in ("Claw", "Bite", "Claw"):
        assert refused(scene, act("attack", "bo", weapon)) == ("", "")
        scene = play(scene, act("attack", "bo", weapon), 2).scene
    assert refused(scene, act("attack", "bo", "Bite"))[0] == "SRD-049"
    mixed = play(battle(beast, BO), act("attack", "bo", "Bite"), 2).scene
    mixed = play(mixed, act("attack", "bo", "Claw"), 2).scene
    assert refused(mixed, act("attack", "bo", "Bite"))[0] == "SRD-057"
    twice = play(battle(beast, BO), act("attack", "bo", "Bite"), 2).scene
    assert refused(twice, act("attack", "bo", "Bite"))[0] == "SRD-057"
    other = play(battle(beast, BO), act("attack", "bo", "Unarmed strike"), 2).scene
    assert refused(other, act("attack", "bo", "Claw"))[0] == "SRD-049", "no part of the Multiattack"


@pytest.mark.rule("SRD-058")
def test_a_dash_adds_the_speed_or_a_special_speed():
    bird = creature("ann", "blue", (5, 5), speeds={"walk": 10, "fly": 40})
    walked = play(battle(bird, FAR), act("dash")).scene
    assert FIFTH_EDITION.reach(walked, walked.token("ann")).budget == 20
    flown = play(battle(bird, FAR), act("dash", weapon="fly")).scene
    assert FIFTH_EDITION.reach(flown, flown.token("ann")).budget == 50
    assert {o.act.weapon for o in FIFTH_EDITION.offers(flown, bird) if o.act.kind == "dash"} == {"", "fly"}
    tired = play(battle(creature("ann", "blue", (5, 5), "slowed"), FAR), act("dash")).scene
    assert FIFTH_EDITION.reach(tired, tired.token("ann")).budget == 40


@pytest.mark.rule("SRD-062")
def test_help_gives_an_ally_advantage_on_its_next_check():
    held = creature("cy", "blue", (5, 6), notes={"grappled": "bo"}, tracks={"initiative": -1})
    scene = play(battle(ANN, BO, held), act("aid", "cy")).scene
    assert scene.token("ann").has("acted")
    turn = replace(scene, conditions={"turn": "cy"})
    assert play(turn, act("escape", token="cy"), 2, 15).result.result == "free"
    assert not play(turn, act("escape", token="cy"), 2, 15).scene.token("cy").has("aided")
    assert refused(battle(ANN, BO), act("aid", "bo"))[0] == "SRD-062"


@pytest.mark.rule("SRD-068")
def test_a_readied_attack_is_a_reaction_to_one_that_comes_within_reach():
    waiting = play(battle(ANN, FAR), act("ready", weapon="Sword")).scene
    assert waiting.token("ann").conditions["readied"] == "Sword"
    turn = with_token(replace(waiting, conditions={"turn": "bo"}), "bo", at=(9, 5))
    done = play(turn, act("move", at=(6, 5), token="bo"), 12, 4, decisions=["yes"])
    assert hp(done) == 30 - 7
    assert (done.scene.token("ann").has("reacted"), done.scene.token("ann").has("readied")) == (True, False)
    assert hp(play(turn, act("move", at=(7, 5), token="bo"))) == 30, "that is not within reach"
    waived = play(turn, act("move", at=(6, 5), token="bo"), decisions=["no"]).scene
    assert waived.token("ann").has("readied")
    near = with_token(turn, "bo", at=(6, 5))
    assert play(near, act("release", "bo"), 12, 4).result.damage == 7
    assert refused(battle(ANN, BO, turn="bo"), act("release", "bo"))[0] == "SRD-068"
    back = play(turn, act("end", token="bo")).scene
    assert not back.token("ann").has("readied")


@pytest.mark.rule("SRD-068")
def test_one_who_was_taken_off_the_board_is_not_asked_about_a_readied_attack():
    waiting = play(battle(ANN, FAR), act("ready", weapon="Sword")).scene
    gone = with_token(
        with_token(replace(waiting, conditions={"turn": "bo"}), "bo", at=(9, 5)), "ann", at=None
    )
    assert play(gone, act("move", at=(6, 5), token="bo")).scene.token("bo").at == (6, 5)


@pytest.mark.rule("SRD-068")
def test_a_readied_move_is_made_outside_of_the_own_turn_and_takes_the_reaction():
    waiting = replace(play(battle(ANN, FAR), act("ready", weapon="move")).scene, conditions={"turn": "bo"})
    moved = play(waiting, act("move", at=(5, 8))).scene
    assert (moved.token("ann").at, moved.token("ann").has("reacted")) == ((5, 8), True)
    assert not moved.token("ann").has("readied")
    assert FIFTH_EDITION.reach(moved, moved.token("ann")).budget == 0


@pytest.mark.rule("SRD-035")
@pytest.mark.parametrize(
    ("own", "other", "is_down"),
    [("small", "small", True), ("tiny", "small", False), ("medium", "small", False)],
)
def test_who_ends_its_turn_in_the_space_of_another_falls_unless_tiny_or_larger(own, other, is_down):
    ann = creature("ann", "blue", (5, 5), size=own)
    scene = battle(ann, creature("bo", "red", (5, 5), "prone", size=other))
    after = play(scene, act("end")).scene.token("ann")
    rank = {"tiny": 0, "small": 1, "medium": 2}
    assert after.has("prone") is (is_down and rank[other] >= rank[own])
    free = replace(scene, house_rules={"fifth_edition.end_prone": False})
    assert not play(free, act("end")).scene.token("ann").has("prone")


@pytest.mark.rule("SRD-183")
def test_a_legendary_action_follows_the_turn_of_another_until_they_are_used():
    dragon = creature("bo", "red", (6, 5), legendary_actions=1, tracks={"initiative": -5})
    cy = creature("cy", "blue", (9, 9), tracks={"initiative": -1})
    ended = play(battle(ANN, dragon, cy), act("end"), 12, 4, decisions=["Sword|ann"])
    assert hp(ended, "ann") == 30 - 7
    assert ended.scene.token("bo").track("legendary") == 1
    second = play(ended.scene, act("end", token="cy"))
    assert second.scene.token("bo").track("legendary") == 0, "all are back at its own turn's start"
    assert hp(second, "ann") == 30 - 7, "it had none left"
    waived = play(battle(ANN, dragon, cy), act("end"), decisions=[""])
    assert hp(waived, "ann") == 30
    stunned = battle(ANN, creature("bo", "red", (6, 5), "stunned", legendary_actions=1), cy)
    assert hp(play(stunned, act("end")), "ann") == 30


@pytest.mark.rule("SRD-188")
def test_a_controlled_mount_has_no_turn_and_does_three_things_in_its_riders():
    horse = creature("bo", "blue", (6, 5), size="large")
    scene = battle(ANN, horse, creature("cy", "red", (15, 5)))
    ridden = play(scene, act("mount", "bo")).scene
    assert refused(ridden, act("dash", token="bo")) == ("", "")
    assert refused(ridden, act("attack", "cy", "Sword", token="bo"))[0] == "SRD-188"
    assert refused(scene, act("dash", token="bo"))[0] == "SRD-049"
    assert play(ridden, act("end")).scene.conditions["turn"] == "cy"
    assert "SRD-187" in LAWS.refusal(ridden, act("move"), {"moves"}).rule


def test_bow_and_sword_are_both_offered():
    archer = creature("ann", "blue", (5, 5), attacks=(SWORD, BOW))
    offered = {
        o.act.weapon for o in FIFTH_EDITION.offers(battle(archer, BO), archer) if o.act.kind == "attack"
    }
    assert offered == {"Sword", "Bow", "Unarmed strike"}
    assert reasons(battle(archer, BO), "Bow")[2] == ("Bo is within 5 feet",)


@pytest.mark.rule("SRD-069")
def test_a_readied_spell_is_spent_at_once_and_held_by_concentration():
    spell = {"name": "Burst", "shape": "sphere", "size": 5, "range": 60, "uses": 1, "damage": FIRE}
    mage = creature("ann", "blue", (5, 5), "concentrating", effects=(spell,))
    held = play(battle(mage, FAR), act("ready", weapon="Burst")).scene
    assert (held.token("ann").track("used"), held.token("ann").conditions["concentrating"]) == (1, "Burst")
    turn = with_token(replace(held, conditions={"turn": "bo"}), "bo", at=(9, 5))
    burst = act("effect", "bo", "Burst")
    done = play(turn, burst, 2)
    assert (hp(done), done.scene.token("ann").has("reacted")) == (30 - 9, True)
    assert not done.scene.token("ann").has("concentrating")
    assert not done.scene.token("ann").has("readied")
    lost = with_token(turn, "ann", conditions={"acted": "", "readied": "Burst"})
    assert refused(lost, burst)[0] == "SRD-069"
    assert (
        refused(replace(done.scene, conditions={"turn": "ann"}), act("ready", weapon="Burst"))[0] == "SRD-066"
    )
