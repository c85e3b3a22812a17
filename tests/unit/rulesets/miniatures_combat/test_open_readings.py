"""House rules for sentences of the text that can be read in two ways (C-37 to C-45)."""

from __future__ import annotations

import pytest

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.combat.damage import Gain
from enfilade.rulesets.miniatures_combat.combat.flight import flight_places
from enfilade.rulesets.miniatures_combat.combat.story import Roller, possible_events
from enfilade.rulesets.miniatures_combat.profiles import free_movement_dice
from enfilade.scene.model import Terrain
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    asked_of,
    asks,
    at_inches,
    facts,
    fighter,
    go,
    hero,
    inches,
    judged,
    model,
    moved,
    orc,
    points,
    refused,
    scene,
    with_conditions,
    with_points,
    with_token,
)

BOWS = {"missiles": True}


def rules(**chosen):
    return {"house_rules": chosen}


def rolling(board, *keys, dice=2):
    """Activate a group and roll its movement with sixes."""
    board = activated(board, *keys)
    number = dice + board.token(keys[0]).track("movement dice")
    return go(board, act("roll_movement", keys[0], dice=dice), *[6] * number).scene


# "Have line-of-sight at some point during the movement"; "he clears a line of sight for the archers"


@pytest.mark.rule("MNC-076")
@pytest.mark.parametrize("blocks", [False, True])
def test_c37_bases_block_arrows_by_a_house_rule(blocks):
    tokens = (hero("one", (10, 10)), orc("bow", (20, 10), **BOWS), orc("mate", (15, 10.4)))
    board = scene(*tokens, **rules(bases_block_arrows=blocks))
    assert activated(board, "one").token("bow").has("in sight") is not blocks
    found = MINIATURES_COMBAT.sight(board, board.token("bow"), board.token("one"))
    assert found.is_seen is not blocks
    if blocks:
        assert (found.blocker.kind, found.blocker.id, found.why) == (
            "token",
            "mate",
            "Mate stands on the line of sight.",
        )
    aside = with_token(board, "mate", at=inches(15, 10.5))
    assert activated(aside, "one").token("bow").has("in sight")
    # What a model leaves behind it is not between.
    behind = with_token(board, "mate", at=inches(22, 10))
    assert activated(behind, "one").token("bow").has("in sight")


# "Opponents may fire with missile weapons at them if they are ... also unengaged"


@pytest.mark.rule("MNC-076")
@pytest.mark.parametrize(("setting", "fires"), [("does not fire", False), ("fires", True)])
def test_c38_an_archer_that_the_group_has_charged(setting, fires):
    board = scene(hero("one", (10, 10)), orc("bow", (20, 10), **BOWS), **rules(charged_archer=setting))
    charged = moved(rolling(board, "one"), "one", (18.5, 10))
    done = go(charged, act("defend", "one", "bow", dice=1), *((1,) if fires else ()))
    assert bool(facts(done, "arrows")) is fires
    # One that another enemy engages does not fire in any case.
    held = scene(
        hero("one", (10, 10)),
        hero("two", (20, 8.5)),
        orc("bow", (20, 10), **BOWS),
        **rules(charged_archer=setting),
    )
    held = moved(rolling(held, "one"), "one", (18.5, 10))
    assert not facts(go(held, act("defend", "one", "bow", dice=1)), "arrows")


# "Roll 2 more dice in the current attack"


def volley_of(setting):
    archers = [orc(f"bow{i}", (20, 8 + 1.2 * i), **BOWS) for i in range(2)]
    board = scene(hero("one", (10, 10)), *archers, **rules(more_arrows=setting))
    return activated(with_points(board, "orcs", 2), "one")


@pytest.mark.rule("MNC-039", "MNC-043", "MNC-046")
def test_c39_more_dice_after_missiles_are_more_arrows_by_a_house_rule():
    # 2 hits bring 2 points; three dice of 5, 4 and 3 make 12, of which 9+ is taken.
    board = volley_of(True)
    answers = ["yes", "3", "2 dice"]
    done = go(board, act("end", "one"), 6, 6, 5, 4, 3, 6, 1, answers=answers)
    assert [one["dice"] for one in facts(done, "arrows")] == [2, 2]
    assert done.scene.token("one").has("out")
    gain = Gain("orcs", 1, "", "one", is_arrows=True)
    for setting in (True, False):
        found = [e.key for e in possible_events(volley_of(setting), Roller("orcs", "heroes", gain), 21)]
        assert [key for key in found if "dice" in key] == (["2 dice", "3 dice", "4 dice"] if setting else [])


# "The opposing model stumbles"


@pytest.mark.rule("MNC-037")
@pytest.mark.parametrize(
    ("setting", "may"), [("any enemy", ["a", "b"]), ("an enemy of the current attack", ["a"])]
)
def test_c40_who_may_stumble(setting, may):
    board = scene(hero("one", (10, 10)), orc("a", (11.5, 10)), orc("b", (30, 30)), **rules(stumbles=setting))
    for gain in (Gain("heroes", 1, "one", "a"), Gain("heroes", 1, "a", "one")):
        found = Roller("heroes", "orcs", gain)
        assert [one.id for one in found.may_stumble(board)] == may
    away = Roller("heroes", "orcs", Gain("heroes", 1))
    assert ("stumble" in [e.key for e in possible_events(board, away, 5)]) is (len(may) > 1)


@pytest.mark.rule("MNC-037")
def test_c40_the_question_names_only_who_may_stumble():
    target = model("ogre", (11.5, 10), side="orcs", level=4)
    board = scene(
        hero("one", (10, 10)),
        target,
        orc("far", (50, 30)),
        **rules(stumbles="an enemy of the current attack"),
    )
    board = with_conditions(activated(with_points(board, "heroes", 1), "one"), "one", defended="ogre=ok")
    asked = asks(board, act("attack", "one", "ogre", dice=1), 5, 5, answers=["1", "stumble"])
    assert [answer.key for answer in asked.answers] == ["ogre"]


# "A volley ... may be fired at the opposing group regardless of engagement status"


@pytest.mark.rule("MNC-042")
@pytest.mark.parametrize(("setting", "dice"), [("unengaged", 1), ("all", 2)])
def test_c41_the_archers_of_a_volley(setting, dice):
    target = model("ogre", (11.5, 10), side="orcs", level=4)
    bows = [model("bow", (20, 12), level=2, **BOWS), model("busy", (25, 12), level=2, **BOWS)]
    tokens = (hero("one", (10, 10)), target, *bows, orc("foe", (26.5, 12)))
    board = scene(*tokens, **rules(volley_archers=setting))
    board = with_conditions(activated(with_points(board, "heroes", 2), "one"), "one", defended="ogre=ok")
    answers = ["3", "volley", "ogre"]
    done = go(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, *[1] * dice, answers=answers)
    assert facts(done, "arrows")[0]["dice"] == dice


# "Characters who start their turn mounted on a horse receive 2 free movement dice. Minions get 1"


@pytest.mark.rule("MNC-016", "MNC-019")
@pytest.mark.parametrize("dice", [2, 3, 1])
def test_c42_the_free_dice_of_a_mounted_minion(dice):
    rider, walker, knight = (
        orc("a", (20, 10), mounted=True),
        orc("b", (22, 10)),
        hero("c", (5, 5), mounted=True),
    )
    board = scene(rider, walker, knight, **rules(mounted_minion_dice=dice))
    found = [free_movement_dice(board, fighter(board, key)) for key in "abc"]
    assert found == [dice, 1, 2]
    on_foot = with_conditions(board, "a", dismounted="")
    assert free_movement_dice(on_foot, fighter(on_foot, "a")) == 1


# "They cannot use shield bonus dice for this"

HEDGE = Terrain(id="hedge", name="Hedge", cells=((10, 11),), kind="cover")


@pytest.mark.rule("MNC-070")
@pytest.mark.parametrize(("setting", "rule"), [("none", "MNC-070"), ("height and cover", None)])
def test_c43_the_bonus_dice_of_a_fall_back(setting, rule):
    tokens = (hero("one", (10.5, 10.5), shield="shield"), orc("orc", (12, 10.5)))
    board = activated(scene(*tokens, terrain=[HEDGE], **rules(fall_back_bonus=setting)), "one")
    assert refused(board, act("fall_back", "one", "orc", dice=0, bonus=1)) == rule
    assert refused(board, act("fall_back", "one", "orc", dice=0, bonus=2)) == "MNC-070"
    if rule is None:
        done = go(board, act("fall_back", "one", "orc", dice=0, bonus=1), 3)
        assert done.result.result == "fell back"
        assert done.scene.token("one").has("cover used")
        assert done.scene.token("one").track("dice") == 3
        # After a failure the die of the place is offered beside the general ones, and used first.
        added = go(board, act("fall_back", "one", "orc", dice=1), 1, 3, answers=["1"])
        assert added.scene.token("one").track("dice") == 2
        assert added.scene.token("one").has("cover used")


@pytest.mark.rule("MNC-070")
def test_c43_a_buckler_alone_uses_no_die_of_the_place():
    tokens = (hero("one", (10.5, 10.5), shield="buckler"), orc("orc", (12, 10.5)))
    board = activated(scene(*tokens, terrain=[HEDGE], **rules(buckler_fall_back=True)), "one")
    after = go(board, act("fall_back", "one", "orc", dice=0, bonus=1), 3).scene.token("one")
    assert (after.has("cover used"), after.track("defense dice")) == (False, 0)


@pytest.mark.rule("MNC-070")
@pytest.mark.parametrize(("shield", "is_on"), [("shield", True), ("buckler", False)])
def test_c43_only_a_buckler_helps_and_only_by_its_house_rule(shield, is_on):
    tokens = (hero("one", (10, 10), shield=shield), orc("orc", (11.5, 10)))
    board = activated(scene(*tokens, **rules(buckler_fall_back=is_on)), "one")
    assert refused(board, act("fall_back", "one", "orc", dice=0, bonus=1)) == "MNC-070"


# "At some point during the movement": when is it over?


def pair(setting, *more):
    tokens = (hero("one", (10, 10)), hero("two", (10, 14)), orc("foe", (18, 10)), *more)
    board = rolling(scene(*tokens, **rules(movement_ends=setting)), "one", "two")
    return moved(board, "one", (16.5, 10))


@pytest.mark.rule("MNC-076")
@pytest.mark.parametrize(
    ("setting", "moves"), [("with the first fight", False), ("for each model by itself", True)]
)
def test_c44_whether_others_move_after_the_first_fight(setting, moves):
    after = go(pair(setting), act("defend", "one", "foe", dice=1)).scene
    assert judged(after, "two", (14, 14)).allowed is moves
    assert not judged(after, "one", (15, 10)).allowed


@pytest.mark.rule("MNC-076", "MNC-077")
def test_c44_archers_who_see_a_later_move_fire_at_the_end_with_what_the_cap_leaves():
    hidden = Terrain(id="wood", name="Wood", cells=tuple((x, 17) for x in range(60)), blocks_sight=True)
    late = [orc(f"late{i}", (10 + 1.2 * i, 22), **BOWS) for i in range(7)]
    early = [orc("early", (24, 6), **BOWS)]
    tokens = (hero("one", (10, 10)), hero("two", (10, 14)), orc("foe", (18, 10)), *early, *late)
    board = scene(*tokens, terrain=[hidden], **rules(movement_ends="for each model by itself"))
    board = moved(rolling(board, "one", "two"), "one", (16.5, 10))
    first = go(board, act("defend", "one", "foe", dice=1), 1)
    assert [one["dice"] for one in facts(first, "arrows")] == [1]
    board = moved(first.scene, "two", (10, 19))
    done = go(board, act("end", "one"), *[1] * 5)
    assert [one["dice"] for one in facts(done, "arrows")] == [5]
    assert not any(token.has("in sight") for token in done.scene.tokens)


@pytest.mark.rule("MNC-076")
@pytest.mark.parametrize(
    ("setting", "note", "sight"),
    [("with the first fight", "", ""), ("for each model by itself", "5", "fired")],
)
def test_c44_archers_who_fired_at_the_first_fight_do_not_fire_again(setting, note, sight):
    board = pair(setting, orc("early", (24, 6), **BOWS))
    first = go(board, act("defend", "one", "foe", dice=1), 1)
    assert first.scene.conditions["movement over"] == note
    assert first.scene.token("early").conditions["in sight"] == sight
    assert facts(go(first.scene, act("end", "one")), "arrows") == []


# "If straight back is not the safest route, they can be moved into better defensive terrain instead"


@pytest.mark.rule("MNC-053")
@pytest.mark.parametrize(
    ("degrees", "ways"),
    [
        (45, ["straight", "left", "right"]),
        (90, ["straight", "left", "right", "far left", "far right"]),
        (0, ["straight"]),
    ],
)
def test_c45_how_far_a_flight_turns_aside(degrees, ways):
    board = scene(orc("a", (20, 20)), hero("one", (20, 28)), **rules(flight_turn=degrees))
    places = flight_places(board, fighter(board, "a"), 8 * 64)
    assert list(places) == ways
    assert places["straight"] == inches(20, 12)
    if degrees == 90:
        assert (places["far left"], places["far right"]) == (inches(12, 20), inches(28, 20))


@pytest.mark.rule("MNC-053")
def test_c45_a_flight_to_the_side_leads_into_cover():
    hedge = Terrain(id="hedge", name="Hedge", cells=((20, 18),), kind="cover")
    target = model("ogre", (11.5, 10), side="orcs", level=4)
    tokens = (hero("one", (10, 10)), target, orc("a", (20, 10)))
    board = scene(*tokens, terrain=[hedge], **rules(flight_turn=90))
    board = with_conditions(activated(with_points(board, "heroes", 3), "one"), "one", defended="ogre=ok")
    answers = ["4", "minions flee", "a", "no", "far right"]
    done = go(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, answers=answers)
    assert at_inches(done.scene, "a") == (20, 18)
    assert asked_of(done)[-1] == ("orcs", "far right")
    assert points(done.scene, "heroes") == 0


# "None of the fleeing troops can voluntarily move from unengaged to engaged status"


@pytest.mark.rule("MNC-060", "MNC-099")
@pytest.mark.parametrize("has_fled", [True, False])
def test_who_fled_does_not_follow_up_a_push_into_a_new_engagement(has_fled):
    tokens = (hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4))
    board = with_conditions(activated(scene(*tokens), "one"), "one", defended="ogre=ok")
    board = with_conditions(board, "one", fled="") if has_fled else board
    pushed = act("push", "one", "ogre")
    if has_fled:
        done = go(board, pushed, 5)
        assert asked_of(done) == []
        assert at_inches(done.scene, "one") == (10, 10)
    else:
        assert at_inches(go(board, pushed, 5, answers=["yes"]).scene, "one") == (12, 10)
    # To a place away from enemies it may go; among others it stays engaged and may follow too.
    other = with_conditions(
        activated(scene(*tokens, orc("near", (10, 11.5))), "one"), "one", defended="ogre=ok near=ok"
    )
    other = with_conditions(other, "one", fled="") if has_fled else other
    assert [answer for _, answer in asked_of(go(other, pushed, 5))] == ["no"]
