"""Attacks, lunges, pushes and sweeps (MNC-017 to MNC-023, MNC-084 to MNC-105)."""

from __future__ import annotations

import pytest

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    asked_of,
    asks,
    at_inches,
    facts,
    go,
    hero,
    model,
    orc,
    points,
    refused,
    rolled,
    scene,
    wall,
    with_conditions,
    with_points,
    with_tracks,
)


def ready(*foes, house_rules=None, walls=(), **sheet):
    """Build an active hero at 10, 10 with all its defenses made and three dice."""
    board = scene(
        hero("one", (10, 10), **sheet), hero("two", (50, 30)), *foes, house_rules=house_rules, walls=walls
    )
    board = activated(board, "one")
    notes = " ".join(f"{foe.id}=ok" for foe in foes)
    return with_conditions(board, "one", defended=notes)


OGRE = model("ogre", (11.5, 10), side="orcs", level=4)


@pytest.mark.rule("MNC-084")
@pytest.mark.parametrize(
    ("weapon", "gap", "rule"),
    [
        ("close", 0, None),
        ("close", 1 / 64, "MNC-084"),
        ("basic", 1, None),
        ("basic", 1 + 1 / 64, "MNC-084"),
        ("pole", 2, None),
        ("pole", 2 + 1 / 64, "MNC-084"),
    ],
)
def test_weapons_have_a_reach(weapon, gap, rule):
    board = ready(orc("orc", (11 + gap, 10)), weapon=weapon)
    assert refused(board, act("attack", "one", "orc")) == rule


@pytest.mark.rule("MNC-064")
def test_an_attack_needs_a_clear_line():
    blocked = ready(orc("a", (11.2, 10)), orc("b", (12.3, 10)), weapon="pole")
    assert refused(blocked, act("attack", "one", "b")) == "MNC-064"
    board = ready(orc("orc", (11.5, 10)), walls=[wall("w", 10.75, 9, 10.75, 11)])
    assert refused(board, act("attack", "one", "orc")) == "MNC-064"


@pytest.mark.rule("MNC-085")
def test_only_the_foe_attacked_must_be_defended_against_first():
    board = activated(scene(hero("one", (10, 10)), orc("a", (11.5, 10)), orc("b", (8.5, 10))), "one")
    assert refused(board, act("attack", "one", "a")) == "MNC-085"
    done = go(board, act("defend", "one", "a", dice=1)).scene
    assert refused(done, act("attack", "one", "a")) is None
    outreached = activated(scene(hero("one", (10, 10), weapon="pole"), orc("a", (12.5, 10))), "one")
    assert refused(outreached, act("attack", "one", "a")) is None


@pytest.mark.rule("MNC-086", "MNC-087")
@pytest.mark.parametrize(("faces", "hits"), [((4, 4), 0), ((5, 4), 1), ((6, 5), 2)])
def test_each_5_or_6_is_a_life_threatening_success(faces, hits):
    done = go(ready(OGRE), act("attack", "one", "ogre", dice=2), *faces)
    assert done.scene.token("ogre").track("hits") == hits
    assert done.scene.token("one").track("dice") == 1


@pytest.mark.rule("MNC-087")
def test_the_number_to_hit_is_a_house_rule():
    board = ready(OGRE, house_rules={"melee_success": 6})
    assert go(board, act("attack", "one", "ogre", dice=2), 5, 6).scene.token("ogre").track("hits") == 1


@pytest.mark.rule("MNC-066")
@pytest.mark.parametrize(("setting", "needed"), [(False, 5), (True, 6)])
def test_wounds_make_attacks_harder_only_by_a_house_rule(setting, needed):
    board = with_tracks(ready(OGRE, house_rules={"wounded_attacks": setting}), "one", wounds=1)
    assert facts(go(board, act("attack", "one", "ogre"), 1), "strike")[0]["needed"] == needed


@pytest.mark.rule("MNC-017")
def test_a_prone_target_gives_a_die_once():
    board = with_conditions(ready(OGRE), "ogre", prone="")
    done = go(board, act("attack", "one", "ogre", dice=1), 1, 1)
    assert facts(done, "strike")[0]["dice"] == 2
    assert len(rolled(go(done.scene, act("attack", "one", "ogre", dice=1), 1))[0][1]) == 1


@pytest.mark.rule("MNC-018")
def test_a_wounded_target_gives_a_die_for_each_wound():
    board = with_tracks(ready(OGRE), "ogre", wounds=2)
    assert facts(go(board, act("attack", "one", "ogre", dice=1), 1, 1, 1), "strike")[0]["dice"] == 3


@pytest.mark.rule("MNC-020")
def test_a_rider_has_a_die_against_foot():
    assert facts(go(ready(OGRE, mounted=True), act("attack", "one", "ogre"), 1, 1), "strike")[0]["dice"] == 2
    riders = ready(OGRE, orc("rider", (8.5, 10), mounted=True), mounted=True)
    assert facts(go(riders, act("attack", "one", "ogre"), 1), "strike")[0]["dice"] == 1


@pytest.mark.rule("MNC-023")
def test_a_heavy_weapon_gives_a_die_for_two_action_dice_on_a_target():
    board = ready(OGRE, two_handed=True)
    assert facts(go(board, act("attack", "one", "ogre", dice=2), 1, 1, 1), "strike")[0]["dice"] == 3
    one = go(board, act("attack", "one", "ogre", dice=1), 1)
    assert facts(one, "strike")[0]["dice"] == 1
    second = go(one.scene, act("attack", "one", "ogre", dice=1), 1, 1)
    assert facts(second, "strike")[0]["dice"] == 2
    third = go(second.scene, act("attack", "one", "ogre", dice=1), 1)
    assert facts(third, "strike")[0]["dice"] == 1


# Lunges


@pytest.mark.rule("MNC-091")
@pytest.mark.parametrize(("gap", "rule"), [(1, "MNC-091"), (1 + 1 / 64, None), (3, None), (3.1, "MNC-093")])
def test_a_lunge_starts_beyond_an_inch_and_ends_within_it(gap, rule):
    board = ready(orc("orc", (11 + gap, 10)))
    assert refused(board, act("lunge", "one", "orc")) == rule


@pytest.mark.rule("MNC-093")
def test_a_lunge_that_is_refused_says_whether_it_is_the_distance_or_what_stands_between():
    def reason(*foes, walls=()):
        board = ready(*foes, walls=walls)
        offers = MINIATURES_COMBAT.offers(board, board.token("one"))
        return next(one.why for one in offers if (one.act.kind, one.act.target) == ("lunge", "orc"))

    assert reason(orc("orc", (12, 10))) == "Orc is within 1 inch: a lunge needs more distance."
    assert reason(orc("orc", (14 + 1 / 64, 10))) == "Orc is too far away for a lunge of 2 inches."
    between = [orc("a", (12.5, 10)), orc("orc", (14, 10))]
    assert reason(*between) == "No clear line leads to Orc: A stands in it."
    assert reason(orc("orc", (14, 10)), walls=[wall("w", 12, 9, 12, 11)]) == (
        "A wall stands between One and Orc."
    )


@pytest.mark.rule("MNC-093")
def test_a_lunge_moves_straight_within_an_inch():
    board = with_conditions(ready(orc("orc", (13.5, 10))), "one", defended="")
    done = go(board, act("lunge", "one", "orc", dice=1, defense=1), 5)
    assert at_inches(done.scene, "one") == (11.5, 10)
    assert done.result.result == "slain"


@pytest.mark.rule("MNC-092")
def test_a_lunge_comes_after_the_defenses():
    board = ready(orc("near", (8.5, 10)), orc("orc", (13, 10)))
    assert refused(with_conditions(board, "one", defended=""), act("lunge", "one", "orc")) == "MNC-092"
    assert refused(board, act("lunge", "one", "orc")) is None


@pytest.mark.rule("MNC-093")
def test_a_lunge_is_blocked_by_a_model_or_a_wall_in_between():
    between = ready(orc("a", (11.9, 10)), orc("orc", (13.8, 10)), weapon="pole")
    assert refused(between, act("lunge", "one", "orc")) == "MNC-093"
    touching = ready(orc("a", (11.5, 10.95)), orc("orc", (13.5, 10)))
    assert refused(touching, act("lunge", "one", "orc")) == "MNC-093"
    walled = ready(orc("orc", (13, 10)), walls=[wall("w", 11.5, 9, 11.5, 11)])
    assert refused(walled, act("lunge", "one", "orc")) == "MNC-093"


@pytest.mark.rule("MNC-094")
def test_after_a_lunge_the_target_must_be_defended_against_at_once():
    board = with_conditions(ready(OGRE, orc("orc", (10, 13))), "one", defended="ogre=ok")
    done = go(board, act("lunge", "one", "orc", dice=1), 1, 6, answers=["0"])
    assert [(one["token"], one["act"]) for one in facts(done, "strike")] == [
        ("one", "lunge"),
        ("orc", "free attack"),
    ]
    defended = go(board, act("lunge", "one", "orc", dice=1, defense=1), 1)
    assert [one["act"] for one in facts(defended, "strike")] == ["lunge"]
    assert refused(board, act("lunge", "one", "orc", dice=3, defense=1)) == "MNC-012"
    prone = with_conditions(board, "orc", prone="")
    assert len(facts(go(prone, act("lunge", "one", "orc", dice=1), 1, 1), "strike")) == 1


@pytest.mark.rule("MNC-094")
def test_a_plain_lunge_with_dice_left_asks_for_the_dice_of_its_defense():
    # "the lunging model must make a defense roll against his target": without dice in the act it failed.
    board = ready(orc("orc", (13, 10)))
    asked = asks(board, act("lunge", "one", "orc", dice=1), 1)
    assert [answer.key for answer in asked.answers] == ["0", "1", "2"]
    assert asked.question == "One must defend against Orc, 1 or more: with how many dice?"
    done = go(board, act("lunge", "one", "orc", dice=1), 1)
    assert [one["act"] for one in facts(done, "strike")] == ["lunge"]
    assert done.scene.token("one").track("dice") == 1
    weak = go(with_tracks(board, "one", wounds=6), act("lunge", "one", "orc", dice=1), *[1] * 8)
    assert asked_of(weak) == []  # no die shows the 7 that it needs
    weak = go(with_tracks(board, "one", wounds=5), act("lunge", "one", "orc", dice=1), *[1] * 7)
    assert asked_of(weak) == [("heroes", "0")]
    for hits, default in ((1, "0"), (2, "1")):  # a die by default if a hit could defeat the model
        hurt = with_tracks(board, "one", wounds=1, hits=hits)
        assert asks(hurt, act("lunge", "one", "orc", dice=1), 1).default == default
    spent = go(board, act("lunge", "one", "orc", dice=3), 1, 1, 1, 1)
    assert [one["act"] for one in facts(spent, "strike")] == ["lunge", "free attack"]


@pytest.mark.rule("MNC-095")
@pytest.mark.parametrize(("setting", "needed"), [(0, 5), (-1, 6), (1, 4)])
def test_a_lunge_needs_5_and_its_modifiers_are_a_house_rule(setting, needed):
    board = ready(orc("orc", (13, 10)), house_rules={"lunge_modifier": setting})
    done = go(board, act("lunge", "one", "orc", dice=1), 6)
    assert facts(done, "strike")[0]["needed"] == needed


# Pushes


@pytest.mark.rule("MNC-096", "MNC-100")
def test_a_push_succeeds_on_5_and_does_no_damage():
    board = ready(OGRE)
    done = go(board, act("push", "one", "ogre", dice=2), 4, 5, answers=["no"])
    assert done.result.result == "pushed"
    assert at_inches(done.scene, "ogre") == (13.5, 10)
    assert done.scene.token("ogre").track("hits") == 0
    assert go(board, act("push", "one", "ogre", dice=2), 4, 4).result.result == "stood"


@pytest.mark.rule("MNC-096")
def test_a_push_needs_a_defense_and_an_enemy_within_an_inch():
    board = ready(OGRE, orc("far", (8, 10 + 1.5)))
    assert refused(with_conditions(board, "one", defended=""), act("push", "one", "ogre")) == "MNC-096"
    assert refused(board, act("push", "one", "far")) == "MNC-096"
    prone = with_conditions(board, "one", prone="")
    assert refused(prone, act("push", "one", "ogre")) == "MNC-096"


@pytest.mark.rule("MNC-096")
def test_a_push_needs_no_defense_against_an_enemy_that_cannot_reach():
    # "After having made a defense rolls against an enemy model": against a knife 0.5" away none can be made.
    knife = orc("knife", (11.5, 10), weapon="close")
    board = with_conditions(ready(knife), "one", defended="")
    assert refused(board, act("defend", "one", "knife")) == "MNC-062"
    assert refused(board, act("push", "one", "knife")) is None


@pytest.mark.rule("MNC-096")
def test_push_modifiers_are_a_house_rule():
    board = ready(orc("orc", (11.5, 10)), house_rules={"push_modifiers": True})
    assert facts(go(board, act("push", "one", "orc", dice=1), 1), "push")[0]["needed"] == 3
    mounted = ready(OGRE, house_rules={"push_modifiers": True}, mounted=True)
    assert facts(go(mounted, act("push", "one", "ogre", dice=1), 1), "push")[0]["needed"] == 5


@pytest.mark.rule("MNC-097")
def test_the_pusher_chooses_the_place_within_2_inches():
    board = ready(OGRE)
    done = go(board, act("push", "one", "ogre", at=(11.5, 12)), 5, answers=["no"])
    assert at_inches(done.scene, "ogre") == (11.5, 12)
    assert refused(board, act("push", "one", "ogre", at=(13.6, 10))) == "MNC-097"
    through = ready(OGRE, orc("friend", (12.6, 10)))
    done = go(through, act("push", "one", "ogre"), 5, answers=["no"])
    assert not done.scene.token("ogre").has("prone") or at_inches(done.scene, "friend") != (12.6, 10)


@pytest.mark.rule("MNC-098")
def test_without_room_the_pushed_model_is_prone_and_others_make_room():
    board = ready(OGRE, orc("friend", (13.2, 10)))
    done = go(board, act("push", "one", "ogre"), 5, answers=["no"]).scene
    assert done.token("ogre").has("prone")
    assert at_inches(done, "ogre") == (13.5, 10)
    ogre, friend = done.token("ogre").at, done.token("friend").at
    assert (ogre[0] - friend[0]) ** 2 + (ogre[1] - friend[1]) ** 2 >= 64**2
    free = go(ready(OGRE, orc("friend", (14.5, 10))), act("push", "one", "ogre"), 5, answers=["no"]).scene
    assert not free.token("ogre").has("prone")
    assert at_inches(free, "friend") == (14.5, 10)


@pytest.mark.rule("MNC-099")
def test_the_pusher_may_follow_up_without_contact():
    board = ready(OGRE)
    done = go(board, act("push", "one", "ogre"), 5, answers=["yes"]).scene
    assert at_inches(done, "one") == (12, 10)
    assert asked_of(go(board, act("push", "one", "ogre"), 5, answers=["no"])) == [("heroes", "no")]
    crowded = ready(OGRE, orc("other", (12, 10.9)))
    done = go(crowded, act("push", "one", "ogre"), 5, answers=["yes"]).scene
    assert at_inches(done, "one")[0] < 12


# Sweeps


def sweeper(*foes, **sheet):
    return ready(*foes, two_handed=True, **sheet)


@pytest.mark.rule("MNC-101")
def test_who_may_sweep():
    board = sweeper(OGRE)
    assert refused(board, act("sweep", "one")) is None
    assert refused(ready(OGRE), act("sweep", "one")) == "MNC-101"
    assert refused(with_conditions(board, "one", prone=""), act("sweep", "one")) == "MNC-101"
    assert refused(with_conditions(board, "one", defended=""), act("sweep", "one")) == "MNC-101"
    assert refused(sweeper(orc("far", (13, 10))), act("sweep", "one")) == "MNC-101"


@pytest.mark.rule("MNC-102", "MNC-103")
def test_each_success_sweeps_one_enemy_2_inches_back():
    board = sweeper(OGRE, orc("orc", (10, 11.5)))
    done = go(board, act("sweep", "one", dice=1), 5, 6, answers=["orc", "ogre"])
    assert at_inches(done.scene, "orc") == (10, 13.5)
    assert at_inches(done.scene, "ogre") == (13.5, 10)
    assert done.scene.token("orc").track("hits") == 0
    one = go(board, act("sweep", "one", dice=1), 4, 5, answers=["ogre"])
    assert at_inches(one.scene, "orc") == (10, 11.5)


@pytest.mark.rule("MNC-103")
def test_the_success_of_a_sweep_may_be_shortened_or_declined():
    # "For each success, an enemy model within 1" can be moved 2" straight back"
    board = sweeper(OGRE, orc("orc", (10, 11.5)))
    short = go(board, act("sweep", "one", dice=1), 5, 1, answers=["ogre 1"]).scene
    assert at_inches(short, "ogre") == (12.5, 10)
    declined = go(board, act("sweep", "one", dice=1), 5, 6, answers=["orc", "none"]).scene
    assert at_inches(declined, "orc") == (10, 13.5)
    assert at_inches(declined, "ogre") == (11.5, 10)


@pytest.mark.rule("MNC-104")
def test_a_swept_model_that_touches_another_is_prone():
    board = sweeper(OGRE, orc("friend", (12.7, 10.3)))
    done = go(board, act("sweep", "one", dice=1), 5, 1, answers=["ogre"]).scene
    assert done.token("ogre").has("prone")
    assert at_inches(done, "ogre") == (13.5, 10)
    free = go(sweeper(OGRE), act("sweep", "one", dice=1), 5, 1).scene
    assert not free.token("ogre").has("prone")


@pytest.mark.rule("MNC-105")
def test_wounds_make_a_sweep_harder_unless_story_dice_are_discarded():
    board = with_points(with_tracks(sweeper(OGRE), "one", wounds=1), "heroes", 2)
    assert go(board, act("sweep", "one", dice=1), 5, 5).result.result == "stood"
    done = go(board, act("sweep", "one", dice=1, ignored=1), 5, 1)
    assert done.result.result == "swept"
    assert points(done.scene, "heroes") == 1
    assert refused(board, act("sweep", "one", ignored=3)) == "MNC-105"


def test_friends_are_no_targets():
    board = activated(scene(hero("one", (10, 10)), hero("two", (11.5, 10)), orc("orc", (40, 10))), "one")
    for kind in ("attack", "push", "lunge"):
        assert refused(board, act(kind, "one", "two")) == "MNC-001"


@pytest.mark.rule("MNC-097")
def test_the_log_says_how_far_one_is_pushed():
    board = ready(OGRE)
    done = go(board, act("push", "one", "ogre", dice=2), 4, 5, answers=["no"])
    assert "Ogre is pushed back 2 inches." in MINIATURES_COMBAT.narrate(board, done.events)
