"""Turns, groups and their dice (MNC-001 to MNC-023, MNC-049)."""

from __future__ import annotations

import pytest

from enfilade.errors import IllegalAct
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.attack_rolls import bonus_dice
from enfilade.rulesets.miniatures_combat.groups import nearby_group
from enfilade.rulesets.miniatures_combat.profiles import read_fighter
from enfilade.scene.model import Terrain
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    at_inches,
    facts,
    go,
    hero,
    inches,
    model,
    moved,
    orc,
    refused,
    scene,
    with_conditions,
    with_tracks,
)


def fighter(board, key):
    return read_fighter(board.token(key))


@pytest.mark.rule("MNC-001")
def test_only_the_active_group_is_shot_at_and_meets_free_attacks():
    board = activated(
        scene(hero("conan", (10, 10)), hero("valeria", (30, 10)), orc("orc", (31.5, 10))), "conan"
    )
    for kind in ("defend", "attack"):
        assert refused(board, act(kind, "valeria", "orc")) == "MNC-001"
    ended = go(board, act("end", "conan"))
    assert not facts(ended, "strike")


@pytest.mark.rule("MNC-002")
@pytest.mark.parametrize(("level", "dice"), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)])
def test_a_model_has_dice_by_its_level(level, dice):
    board = activated(scene(model("one", (10, 10), level=level), orc("orc", (40, 10))), "one")
    assert board.token("one").track("dice") == dice


@pytest.mark.rule("MNC-004")
def test_bonus_dice_serve_only_their_purpose():
    board = activated(scene(hero("one", (10, 10), shield="shield"), orc("orc", (11.5, 10))), "one")
    assert refused(board, act("defend", "one", "orc", dice=0, bonus=3)) == "MNC-004"
    done = go(board, act("defend", "one", "orc", dice=0, bonus=1)).scene
    assert done.token("one").track("dice") == 3
    assert refused(done, act("attack", "one", "orc", dice=4)) == "MNC-012"


@pytest.mark.rule("MNC-006")
def test_sides_alternate_with_one_group_a_turn():
    board = scene(hero("one", (10, 10)), hero("two", (30, 10)), orc("orc", (40, 30)))
    assert refused(board, act("activate", "orc")) == "MNC-006"
    assert refused(board, act("end", "one")) == "MNC-006"
    board = activated(board, "one")
    assert refused(board, act("activate", "two")) == "MNC-006"
    board = go(board, act("end", "one")).scene
    assert MINIATURES_COMBAT.turn(board).sides == ("orcs",)
    assert MINIATURES_COMBAT.turn(board).round == 1
    board = go(activated(board, "orc"), act("end", "orc")).scene
    assert MINIATURES_COMBAT.turn(board).sides == ("heroes",)
    assert MINIATURES_COMBAT.turn(board).round == 2


@pytest.mark.rule("MNC-007")
def test_a_group_is_within_8_inches_pairwise_from_base_to_base():
    board = scene(hero("one", (10, 10)), hero("two", (19, 10)), hero("far", (25, 10)), orc("orc", (50, 10)))
    assert refused(board, act("activate", "one", members=("two",))) is None
    assert refused(board, act("activate", "one", members=("two", "far"))) == "MNC-007"
    chain = scene(*board.tokens, house_rules={"coherency": "chain"})
    assert refused(chain, act("activate", "one", members=("two", "far"))) is None
    apart = scene(hero("one", (10, 10)), hero("two", (19 + 1 / 64, 10)), orc("orc", (50, 10)))
    assert refused(apart, act("activate", "one", members=("two",))) == "MNC-007"
    assert nearby_group(board, fighter(board, "one")) == ("one", "two")


def test_a_chain_has_no_gap():
    board = scene(
        hero("one", (10, 10)), hero("far", (30, 10)), orc("orc", (50, 10)), house_rules={"coherency": "chain"}
    )
    assert refused(board, act("activate", "one", members=("far",))) == "MNC-007"


@pytest.mark.rule("MNC-008")
def test_an_unengaged_model_is_shifted_2_inches_to_join():
    board = scene(hero("one", (10, 10)), hero("two", (20.5, 10)), orc("orc", (19.5, 17)))
    shift = ("two", *inches(18.5, 10))
    assert refused(board, act("activate", "one", members=("two",))) == "MNC-007"
    done = go(board, act("activate", "one", members=("two",), shifts=(shift,))).scene
    assert at_inches(done, "two") == (18.5, 10)
    assert done.token("two").has("active")
    too_far = ("two", *inches(18.4, 10))
    assert refused(board, act("activate", "one", members=("two",), shifts=(too_far,))) == "MNC-008"
    stranger = act("activate", "one", shifts=(shift,))
    assert refused(board, stranger) == "MNC-008"


@pytest.mark.rule("MNC-008")
def test_a_shift_neither_leaves_nor_begins_an_engagement():
    engaged = scene(hero("one", (10, 10)), hero("two", (12, 10)), orc("orc", (13.5, 10)))
    distant = act("activate", "one", members=("two",), shifts=(("two", *inches(11.5, 10)),))
    assert refused(engaged, distant) == "MNC-008"
    free = scene(hero("one", (10, 10)), hero("two", (12, 10)), orc("orc", (15.5, 10)))
    into = act("activate", "one", members=("two",), shifts=(("two", *inches(13.5, 10)),))
    assert refused(free, into) == "MNC-008"
    onto = act("activate", "one", members=("two",), shifts=(("two", *inches(10.5, 10)),))
    assert refused(free, onto) == "MNC-008"


@pytest.mark.rule("MNC-009")
def test_a_model_is_engaged_within_an_inch_of_an_enemy():
    board = scene(hero("one", (10, 10)), orc("orc", (12, 10)))
    assert battlefield(board).is_engaged(fighter(board, "one"))
    board = scene(hero("one", (10, 10)), orc("orc", (12 + 1 / 64, 10), weapon="pole"))
    assert not battlefield(board).is_engaged(fighter(board, "one"))
    board = scene(*board.tokens, house_rules={"engagement": "reach of either"})
    assert battlefield(board).is_engaged(fighter(board, "one"))
    assert [pair.tokens for pair in MINIATURES_COMBAT.engagements(board)] == [("one", "orc")]


@pytest.mark.rule("MNC-010", "MNC-106")
def test_one_engaged_member_makes_the_whole_group_engaged():
    board = scene(hero("one", (10, 10)), hero("two", (14, 10)), orc("orc", (15.5, 10)))
    both = activated(board, "one", "two")
    assert both.conditions["activated"] == "engaged"
    assert refused(both, act("roll_movement", "one")) == "MNC-109"
    alone = activated(board, "one")
    assert alone.conditions["activated"] == "unengaged"
    assert refused(alone, act("roll_movement", "one")) is None


@pytest.mark.rule("MNC-011")
def test_the_same_models_are_activated_again_and_none_must_act():
    board = activated(scene(hero("one", (10, 10)), hero("two", (12, 10)), orc("orc", (40, 10))), "one")
    board = go(board, act("end", "one")).scene
    board = go(activated(board, "orc"), act("end", "orc")).scene
    assert refused(board, act("activate", "one")) is None


@pytest.mark.rule("MNC-012")
def test_dice_are_held_back_and_used_after_earlier_results():
    board = activated(scene(hero("one", (10, 10)), orc("orc", (11.5, 10)), orc("other", (8.5, 10))), "one")
    done = go(board, act("defend", "one", "orc", dice=1)).scene
    assert done.token("one").track("dice") == 2
    done = go(done, act("attack", "one", "orc", dice=1), 4).scene
    assert done.token("one").track("dice") == 1
    assert refused(done, act("defend", "one", "other", dice=2)) == "MNC-012"
    assert refused(done, act("defend", "one", "other", dice=1)) is None


@pytest.mark.rule("MNC-013", "MNC-062")
def test_every_member_defends_against_every_enemy_in_range():
    board = scene(
        hero("one", (10, 10)),
        hero("two", (11, 11.5)),
        orc("orc", (11.5, 10)),
        orc("other", (8.5, 10)),
    )
    ended = go(activated(board, "one", "two"), act("end", "one"), 1, 1, 1)
    pairs = {(strike["target"], strike["token"]) for strike in facts(ended, "strike")}
    assert pairs == {("one", "orc"), ("one", "other"), ("two", "orc")}


@pytest.mark.rule("MNC-014", "MNC-015")
@pytest.mark.parametrize(("shield", "dice"), [("", 0), ("buckler", 1), ("shield", 2)])
def test_bucklers_and_shields_give_defense_dice(shield, dice):
    board = activated(scene(hero("one", (10, 10), shield=shield), orc("orc", (40, 10))), "one")
    assert board.token("one").track("defense dice") == dice


@pytest.mark.rule("MNC-015")
def test_a_shield_gives_one_die_after_a_move():
    board = activated(scene(hero("one", (10, 10), shield="shield"), orc("orc", (40, 10))), "one")
    board = go(board, act("roll_movement", "one"), 6).scene
    board = moved(board, "one", (12, 10))
    assert board.token("one").track("defense dice") == 1
    board = moved(board, "one", (13, 10))
    assert board.token("one").track("defense dice") == 1


@pytest.mark.rule("MNC-016", "MNC-019", "MNC-112")
@pytest.mark.parametrize(
    ("sheet", "dice"),
    [
        ({"mounted": True}, 2),
        ({"level": 1, "minion": True}, 1),
        ({"level": 1, "minion": True, "mounted": True}, 2),
        ({"level": 2, "minion": True}, 1),
        ({"level": 1}, 1),
        ({"level": 2}, 0),
    ],
)
def test_riders_and_minions_have_free_movement_dice(sheet, dice):
    board = activated(scene(model("one", (10, 10), **sheet), orc("orc", (40, 10))), "one")
    assert board.token("one").track("movement dice") == dice


@pytest.mark.rule("MNC-019")
def test_by_a_house_rule_only_minions_have_the_free_die():
    rules = {"free_die": "minions only"}
    board = scene(model("one", (10, 10), level=1), orc("orc", (40, 10)), house_rules=rules)
    assert activated(board, "one").token("one").track("movement dice") == 0


@pytest.mark.rule("MNC-021")
def test_cover_that_a_base_touches_gives_a_defense_die_once():
    hedge = Terrain(id="hedge", name="Hedge", cells=((9, 12),), kind="cover")
    # The cell reaches from y = 12 to 13; the base's edge touches it at y = 12.
    board = scene(hero("one", (9.5, 11.5)), orc("orc", (11, 11.5)), orc("b", (8, 11.5)), terrain=[hedge])
    board = activated(board, "one")
    assert bonus_dice(board, fighter(board, "one")) == 1
    done = go(board, act("defend", "one", "orc", bonus=1)).scene
    assert bonus_dice(done, fighter(done, "one")) == 0
    distant = activated(scene(hero("one", (9.5, 11.4)), orc("orc", (11, 11.4)), terrain=[hedge]), "one")
    assert bonus_dice(distant, fighter(distant, "one")) == 0


@pytest.mark.rule("MNC-020")
def test_standing_higher_than_all_opponents_gives_a_defense_die():
    board = activated(scene(hero("one", (10, 10), mounted=True), orc("orc", (11.5, 10))), "one")
    assert bonus_dice(board, fighter(board, "one")) == 1
    both = scene(
        hero("one", (10, 10), mounted=True), orc("orc", (11.5, 10)), orc("rider", (8.5, 10), mounted=True)
    )
    both = activated(both, "one")
    assert bonus_dice(both, fighter(both, "one")) == 0
    hill = Terrain(id="hill", name="Hill", cells=((10, 10),), kind="hill", height=3)
    raised = activated(scene(hero("one", (10.5, 10.5)), orc("orc", (12, 10.5)), terrain=[hill]), "one")
    assert bonus_dice(raised, fighter(raised, "one")) == 1
    done = go(raised, act("defend", "one", "orc", bonus=1)).scene
    assert bonus_dice(done, fighter(done, "one")) == 0


@pytest.mark.rule("MNC-037")
def test_a_model_that_stumbled_has_a_die_less_once():
    board = with_tracks(scene(hero("one", (10, 10)), orc("orc", (40, 10))), "one", stumble=1)
    board = activated(board, "one")
    assert board.token("one").track("dice") == 2
    assert "stumble" not in board.token("one").tracks


@pytest.mark.rule("MNC-038", "MNC-049")
def test_a_named_model_must_be_in_the_next_group():
    board = scene(hero("one", (10, 10)), hero("two", (13, 10)), hero("far", (40, 10)), orc("orc", (50, 30)))
    board = with_conditions(board, "far", named="")
    assert refused(board, act("activate", "one", members=("two",))) == "MNC-049"
    assert refused(board, act("activate", "far")) is None
    assert not activated(board, "far").token("far").has("named")


def test_only_own_models_in_the_fight_join_a_group():
    board = scene(hero("one", (10, 10)), hero("two", None), orc("orc", (13, 10)))
    assert refused(board, act("activate", "one", members=("orc",))) == "MNC-006"
    assert refused(board, act("activate", "one", members=("two",))) == "MNC-006"
    with pytest.raises(IllegalAct):
        go(board, act("activate", "two"))


@pytest.mark.rule("MNC-008")
def test_a_shift_off_the_board_is_refused_and_not_made_on_the_tabletop():
    board = scene(hero("one", (3, 10)), hero("two", (1, 10)), hero("off"), orc("orc", (40, 10)))
    shift = act("activate", "one", members=("two",), shifts=(("two", *inches(0.25, 10)),))
    sentence = "Two must be unengaged before and after the shift, on free ground."
    assert why(board, shift) == ("MNC-008", sentence)
    done = go(board, shift, overrides=True)
    assert at_inches(done.scene, "two") == (1, 10)
    assert facts(done, "activated")[0]["shifted"] == []
    # Nor does it bring a model onto the board.
    absent = act("activate", "one", members=("off",), shifts=(("off", *inches(5, 10)),))
    done = go(board, absent, overrides=True)
    assert at_inches(done.scene, "off") is None
    assert facts(done, "activated")[0]["shifted"] == []
    within = act("activate", "one", members=("two",), shifts=(("two", *inches(1, 11)),))
    assert facts(go(board, within), "activated")[0]["shifted"] == ["two"]


def why(board, asked):
    """Return the rule that refuses an act, and its sentence."""
    with pytest.raises(IllegalAct) as refused_:
        go(board, asked)
    return refused_.value.rule, refused_.value.sentence


@pytest.mark.rule("MNC-008")
def test_a_shift_ends_on_free_ground():
    board = scene(hero("one", (10, 10)), hero("two", (12.5, 10)), orc("orc", (40, 10)))
    for x, is_free in ((11.1, True), (11, True), (10.9, False)):
        shift = act("activate", "one", members=("two",), shifts=(("two", *inches(x, 10)),))
        assert refused(board, shift) == (None if is_free else "MNC-008")


@pytest.mark.rule("MNC-013", "MNC-062")
@pytest.mark.parametrize(
    ("distance", "weapon", "owes"),
    [(1, "basic", True), (1.1, "basic", False), (2, "pole", True), (2.1, "pole", False)],
)
def test_a_member_in_the_reach_of_a_pike_must_defend_though_it_is_not_engaged(distance, weapon, owes):
    foe = orc("orc", (11 + distance, 10), weapon=weapon)
    board = activated(scene(hero("one", (10, 10)), foe), "one")
    assert board.conditions["activated"] == ("engaged" if distance <= 1 else "unengaged")
    assert board.token("one").has("must defend") is owes
    ended = go(board, act("end", "one"), *[1] * owes)
    assert len(facts(ended, "strike")) == owes


@pytest.mark.rule("MNC-013")
def test_who_is_engaged_with_a_knife_out_of_its_reach_owes_a_defense_to_the_next_enemy():
    knife, orc_ = orc("knife", (11.5, 10), weapon="close"), orc("orc", (8, 13))
    board = activated(scene(hero("one", (10, 10)), knife, orc_), "one")
    board = moved(board, "one", (9, 11.8))
    assert [strike["token"] for strike in facts(go(board, act("end", "one"), 1), "strike")] == ["orc"]
