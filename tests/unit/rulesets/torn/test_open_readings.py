"""Combinations that no sentence settles: each is a house rule, and both of its readings play."""

from __future__ import annotations

import pytest

from enfilade.rules.procedures import Act, ChooseAll
from enfilade.rules.resolve import Answers, ChoicePending, refusal, resolve
from enfilade.rulesets.torn import TORN
from enfilade.rulesets.torn.combat.reactions import counter_tiles, free_attackers
from enfilade.rulesets.torn.profiles import read_miniature
from tests.unit.rulesets.torn.scenes import (
    MOVE,
    PLAIN,
    RUN,
    ally,
    attack,
    do,
    explanation_facts,
    foe,
    in_round,
    rolls,
    scene,
    with_condition,
    with_token,
    wounds,
)

TEN, NEXT, OTHER, AWAY = (10, 10), (11, 10), (9, 10), (10, 13)
HOWL = {"name": "Howl", "kind": "melee", "effect": "panic test", "type": "mental"}
SHOVE = {"name": "Shove", "kind": "melee", "effect": "shift"}
BITE = {**PLAIN, "name": "Bite", "type": "poison", "marker": "bleeding"}
SWEEP = {**PLAIN, "name": "Sweep", "area": True}
STEP = Act(kind="move", token="ann", at=AWAY)


def board(*foes, rules=None, ann=None, **more):
    """Ann is active beside her foes."""
    chosen = {f"torn.{key}": value for key, value in (rules or {}).items()}
    mine = ally("ann", TEN, tiles=(PLAIN, SWEEP, MOVE, RUN), **(ann or {}))
    made = scene(mine, ally("bo", (20, 20)), *foes, house_rules=chosen, **more)
    return in_round(made, "ann")


@pytest.mark.rule("TRN-101", "TRN-102")
def test_a_leader_that_transforms_at_its_last_wound_leads_on_or_by_its_new_card():
    def fallen(**rules):
        card = {"traits": ["leader"], "wounds": 1, "becomes": {"wounds": 1}}
        made = with_condition(board(foe("orc", NEXT), rules=rules, ann=card), "ann", "burning")
        end = Act(kind="end", token="ann")
        once = do(made, end)
        again = do(in_round(with_condition(once.scene, "ann", "burning"), "ann"), end, "-")
        return explanation_facts(once, "panic test"), explanation_facts(again, "panic test")

    assert fallen() == ([], [{"token": "bo", "passes": False}])


@pytest.mark.rule("TRN-101", "TRN-102")
def test_by_its_new_card_what_a_leader_has_become_is_lost_without_a_test():
    card = {"traits": ["leader"], "wounds": 1, "becomes": {"wounds": 1}}
    rules = {"leader_transforms": "by its new card"}
    made = with_condition(board(foe("orc", NEXT), rules=rules, ann=card), "ann", "burning")
    end = Act(kind="end", token="ann")
    once = do(made, end).scene
    assert not once.token("ann").has("leads")
    assert (
        explanation_facts(do(in_round(with_condition(once, "ann", "burning"), "ann"), end), "panic test")
        == []
    )


@pytest.mark.rule("TRN-103")
def test_a_leader_that_is_transformed_from_outside_is_lost_and_leads_no_longer():
    card = {"becomes": {"wounds": 1}}
    led = with_condition(board(foe("orc", NEXT), ann=card), "ann", "leads")
    done = do(led, Act(kind="transform", token="ann"), "S")
    assert explanation_facts(done, "panic test") == [{"token": "bo", "passes": True}]
    assert not done.scene.token("ann").has("leads")


@pytest.mark.rule("TRN-102")
def test_by_hand_a_leader_at_its_last_wound_transforms_and_leads_on():
    card = {"traits": ["leader"], "becomes": {"wounds": 1}}
    before = board(foe("orc", NEXT), ann=card)
    fallen = with_token(before, "ann", tracks={"wounds": 0})
    done = resolve(fallen, lambda scene_: TORN.settle(scene_, before), (), Answers())
    assert done.scene.token("ann").has("leads")


@pytest.mark.rule("TRN-074", "TRN-075")
def test_a_free_attack_without_damage_has_its_effect_on_the_mover_alone_if_it_is_allowed():
    howler = foe("orc", NEXT, tiles=[{**HOWL, "area": True}])
    assert not free_attackers(board(howler), read_miniature(board(howler).token("ann")))
    made = board(howler, rules={"harmless_reactions": True})
    made = with_token(made, "bo", at=(10, 9))
    done = do(made, STEP, "-", decisions=("Howl",))
    assert explanation_facts(done, "panic test") == [{"token": "ann", "passes": False}]
    assert done.scene.token("ann").at == AWAY
    assert done.scene.token("orc").conditions["free attack"] == "ann"
    assert TORN.reach(made, made.token("ann")).provocations[0].act == "Howl"


def test_by_default_nobody_reacts_without_damage():
    made = board(foe("orc", NEXT, tiles=[HOWL], is_fresh=True), rules={"harmless_reactions": True})
    assert explanation_facts(do(made, STEP), "panic test") == []


@pytest.mark.rule("TRN-076")
def test_who_is_shoved_by_a_free_attack_moves_on_from_there_if_its_tile_gets_it_so_far():
    def end(rules, to):
        made = board(foe("orc", NEXT, tiles=[SHOVE]), rules=rules)
        made = with_token(made, "ann", conditions={"used": "Run"})
        return do(made, Act(kind="move", token="ann", at=to), "-", decisions=("Shove",)).scene.token("ann").at

    rules = {"harmless_reactions": True}
    assert end(rules, (7, 10)) == (7, 10)
    assert end(rules, (12, 12)) == (9, 10)  # one Hex farther west, beyond the reach of the Move


@pytest.mark.rule("TRN-076", "TRN-102")
def test_who_is_shoved_by_a_free_attack_moves_on_by_the_tile_of_the_move_alone():
    made = board(foe("orc", NEXT, tiles=[SHOVE]), rules={"harmless_reactions": True})
    move = Act(kind="move", token="ann", at=(12, 12), weapon="Move")  # a Run would get there
    done = do(made, move, "-", decisions=("Shove",))
    assert done.scene.token("ann").at == (9, 10)


@pytest.mark.rule("TRN-093", "TRN-095")
def test_a_counter_attack_without_damage_comes_at_the_same_time_and_uses_the_activation():
    howler = foe("orc", NEXT, tiles=[HOWL], is_fresh=True, wounds=1, defense=0, agility=0)
    hit = attack("ann", "orc", "Strike")
    target = read_miniature(board(howler).token("orc"))
    assert not counter_tiles(board(howler), target, read_miniature(board(howler).token("ann")))
    made = board(howler, foe("elf", (20, 5)), rules={"harmless_reactions": True})
    done = do(made, hit, "SS" + "-", decisions=("Howl",))
    assert done.scene.token("orc").has("out")
    assert done.scene.token("ann").has("panic")
    alive = do(made, hit, "--" + "-", decisions=("Howl",))
    assert alive.scene.token("orc").has("activated")
    shout = with_token(made, "ann", profile={**made.token("ann").profile, "tiles": [HOWL]})
    both = do(shout, attack("ann", "orc", "Howl"), "--", decisions=("Howl",))
    assert both.scene.token("ann").has("panic")
    assert both.scene.token("orc").has("panic")


@pytest.mark.rule("TRN-091")
def test_immunity_keeps_off_the_marker_that_is_paired_with_a_type_or_those_of_attacks_of_that_type():
    def bleeds(immune, **rules):
        made = board(foe("orc", NEXT, immune=immune, defense=0), rules=rules, ann={})
        made = with_token(made, "ann", profile={**made.token("ann").profile, "tiles": [BITE]})
        return do(made, attack("ann", "orc", "Bite"), "C--").scene.token("orc").has("bleeding")

    other = {"marker_types": "of the attack"}
    assert [bleeds([]), bleeds(["physical"]), bleeds([], **other), bleeds(["physical"], **other)] == [
        True,
        False,
        True,
        True,
    ]


@pytest.mark.rule("TRN-100")
def test_who_is_immune_to_mental_damage_never_panics():
    marker = {**PLAIN, "name": "Bite", "marker": "panic"}
    made = board(foe("orc", NEXT, immune=["mental"], defense=0), rules={"marker_types": "of the attack"})
    made = with_token(made, "ann", profile={**made.token("ann").profile, "tiles": [marker]})
    done = do(made, attack("ann", "orc", "Bite"), "C--")
    assert wounds(done, "orc") == 4
    assert not done.scene.token("orc").has("panic")


@pytest.mark.rule("TRN-094")
def test_reactions_are_declared_one_after_the_other_or_all_at_once():
    def first_question(act, **rules):
        made = board(foe("orc", NEXT, is_fresh=True), foe("elf", OTHER, is_fresh=True), rules=rules)
        with pytest.raises(ChoicePending) as waiting:
            resolve(made, TORN.acts[act.kind].procedure, (act,), Answers(automatic=()))
        return waiting.value.choice

    sweep = attack("ann", "orc", "Sweep")
    assert not isinstance(first_question(STEP), ChooseAll)
    assert not isinstance(first_question(sweep), ChooseAll)
    at_once = {"reactions": "all at once"}
    for act in (STEP, sweep):
        asked = first_question(act, **at_once)
        assert sorted(choice.token for choice in asked.choices) == ["elf", "orc"]


@pytest.mark.rule("TRN-072", "TRN-094")
def test_free_attacks_that_were_declared_at_once_come_one_after_the_other():
    made = board(foe("orc", NEXT), foe("elf", OTHER), rules={"reactions": "all at once"}, ann={"defense": 0})
    both = do(made, STEP, "SS-" + "SS-", decisions=("Strike", "Strike"))
    assert wounds(both, "ann") == 1
    one = do(made, STEP, "SS" + "-", decisions=("no", "Strike"))
    assert wounds(one, "ann") == 3
    assert [one.scene.token(key).has("free attack") for key in ("orc", "elf")].count(True) == 1


@pytest.mark.rule("TRN-011")
def test_an_area_attack_hits_allies_or_spares_them():
    def hurt(**rules):
        made = board(foe("orc", NEXT, defense=0, agility=0), rules=rules)
        made = with_token(
            made, "bo", at=(10, 9), profile={**made.token("bo").profile, "defense": 0, "agility": 0}
        )
        return wounds(do(made, attack("ann", "orc", "Sweep"), "SS"), "bo")

    assert hurt() == 3
    assert hurt(area_allies=False) == 5


@pytest.mark.rule("TRN-092")
def test_a_stunned_miniature_counters_or_does_not():
    def tiles(**rules):
        made = with_condition(board(foe("orc", NEXT, is_fresh=True), rules=rules), "orc", "stunned")
        return counter_tiles(made, read_miniature(made.token("orc")), read_miniature(made.token("ann")))

    assert [tile.name for tile in tiles()] == ["Strike"]
    assert not tiles(stunned_counter=False)
    awake = board(foe("orc", NEXT, is_fresh=True), rules={"stunned_counter": False})
    assert counter_tiles(awake, read_miniature(awake.token("orc")), read_miniature(awake.token("ann")))


def test_a_tile_named_like_the_refusal_is_no_reaction():
    sly = foe("orc", NEXT, tiles=[{**PLAIN, "name": "no"}])
    assert refusal(board(sly), TORN.acts["move"].procedure, STEP) is None
    assert rolls(do(board(sly), STEP, decisions=("no",))) == []


@pytest.mark.rule("TRN-033", "TRN-095")
def test_no_act_is_left_when_the_last_two_miniatures_kill_each_other():
    made = board(foe("orc", NEXT, wounds=1, defense=0, agility=0, is_fresh=True), ann={"wounds": 1})
    alone = with_token(made, "bo", at=None, tracks={"wounds": 0}, conditions={"out": ""})
    bare = {**alone.token("ann").profile, "defense": 0, "agility": 0}
    alone = with_token(alone, "ann", profile=bare)
    both = do(alone, attack("ann", "orc", "Strike"), "SSSS", decisions=("Strike",)).scene
    assert TORN.turn(both).is_over
    assert not TORN.turn(both).winners
    assert not [offer for token in both.tokens for offer in TORN.offers(both, token) if offer.is_legal]
