"""Hits, their negation, death and story protection."""

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
    scene,
    with_conditions,
    with_tracks,
)


def strike(target, *faces, answers=(), house_rules=None, dice=None, **state):
    """Resolve an attack of a hero of level 5 on a model, with all defenses made."""
    board = scene(hero("one", (10, 10), level=5), target, orc("far", (50, 30)), house_rules=house_rules)
    board = with_conditions(activated(board, "one"), "one", defended=f"{target.id}=ok")
    board = with_tracks(board, target.id, **state) if state else board
    return go(board, act("attack", "one", target.id, dice=dice or len(faces)), *faces, answers=answers)


def foe(level, **sheet):
    return model("foe", (11.5, 10), side="orcs", level=level, **sheet)


@pytest.mark.rule("MNC-003", "MNC-024", "MNC-025", "MNC-088")
@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_hits_equal_to_the_level_slay(level):
    alive = strike(foe(level), *[5] * (level - 1), *[1] * (6 - level)) if level > 1 else None
    if alive:
        assert alive.result.result == "hit"
        assert alive.scene.token("foe").at is not None
    slain = strike(foe(level), *[5] * level)
    assert slain.result.result == "slain"


@pytest.mark.rule("MNC-028")
def test_a_slain_model_is_removed_at_once():
    done = strike(foe(1), 6).scene
    assert done.token("foe").at is None
    assert done.token("foe").has("out")


@pytest.mark.rule("MNC-003", "MNC-031")
def test_hits_do_not_last_beyond_the_turn():
    done = strike(foe(3), 5, 5, 1).scene
    assert done.token("foe").track("hits") == 2
    ended = go(done, act("end", "one")).scene
    assert ended.token("foe").track("hits") == 0


@pytest.mark.rule("MNC-024", "MNC-030")
def test_later_hits_of_the_turn_add_up():
    assert strike(foe(3), 5, hits=2).result.result == "slain"


@pytest.mark.rule("MNC-026", "MNC-090")
@pytest.mark.parametrize(
    ("sheet", "negated"),
    [
        ({"shield": "shield"}, ["shield"]),
        ({"heavy_armor": True}, ["armor"]),
        ({"shield": "shield", "heavy_armor": True}, ["shield", "armor"]),
        ({"shield": "buckler"}, []),
    ],
)
def test_shield_and_heavy_armor_negate_a_hit_each(sheet, negated):
    done = strike(foe(3, **sheet), 5, 5, 1)
    assert facts(done, "harm")[0]["negated"] == negated
    assert done.scene.token("foe").track("hits") == 2 - len(negated)


@pytest.mark.rule("MNC-026")
def test_an_item_negates_once_in_an_activation():
    done = strike(foe(4, shield="shield"), 5, 1).scene
    assert done.token("foe").has("shield used")
    again = go(done, act("attack", "one", "foe", dice=1), 5)
    assert again.scene.token("foe").track("hits") == 1
    ended = go(again.scene, act("end", "one")).scene
    assert not ended.token("foe").has("shield used")


@pytest.mark.rule("MNC-026")
def test_by_a_house_rule_only_one_item_negates():
    target = foe(3, shield="shield", heavy_armor=True)
    done = strike(target, 5, 5, 1, house_rules={"negation": "one item"}, answers=["armor"])
    assert facts(done, "harm")[0]["negated"] == ["armor"]
    again = go(done.scene, act("attack", "one", "foe", dice=1), 5)
    assert facts(again, "harm")[0]["negated"] == []


@pytest.mark.rule("MNC-090")
def test_negation_is_a_choice_and_useless_when_it_does_not_save():
    assert facts(strike(foe(3, shield="shield"), 5, 1, answers=["none"]), "harm")[0]["negated"] == []
    lethal = strike(foe(1, shield="shield"), 5, 5)
    assert asked_of(lethal)[0] == ("orcs", "none")
    assert lethal.result.result == "slain"
    saved = strike(foe(1, shield="shield"), 5, 1)
    assert asked_of(saved)[0] == ("orcs", "shield")
    assert saved.result.result == "negated"


@pytest.mark.rule("MNC-027", "MNC-090")
def test_each_negation_gives_the_other_side_a_story_point():
    done = strike(foe(3, shield="shield", heavy_armor=True), 5, 5, 1)
    assert points(done.scene, "heroes") == 2


@pytest.mark.rule("MNC-005", "MNC-029", "MNC-089")
def test_each_hit_that_does_not_kill_gives_a_story_point():
    assert points(strike(foe(4), 5, 6, 1).scene, "heroes") == 2
    assert points(strike(foe(1), 5).scene, "heroes") == 0
    assert points(strike(foe(4), 1, 1).scene, "heroes") == 0


@pytest.mark.rule("MNC-089")
def test_by_a_house_rule_a_model_gives_one_point_in_an_activation():
    rules = {"points_for_hits": "each model and activation"}
    done = strike(foe(4), 5, 6, 1, house_rules=rules)
    assert points(done.scene, "heroes") == 1
    again = go(done.scene, act("attack", "one", "foe", dice=1), 5)
    assert points(again.scene, "heroes") == 1


@pytest.mark.rule("MNC-115")
def test_story_protection_turns_death_into_danger_and_gives_a_point():
    done = strike(foe(1, story_protected=True), 6)
    assert done.result.result == "endangered"
    assert done.scene.token("foe").at is not None
    assert points(done.scene, "heroes") == 1


@pytest.mark.rule("MNC-118")
def test_an_endangered_model_that_would_be_killed_is_incapacitated():
    first = strike(foe(1, story_protected=True), 6).scene
    done = go(first, act("attack", "one", "foe", dice=1), 6)
    assert done.result.result == "incapacitated"
    assert done.scene.token("foe").at is not None
    # "Anytime a character is hit but not killed (including a character protected by story protection), a
    # story point is awarded": there was none for this hit.
    assert points(done.scene, "heroes") == 2


def endangered(captor_at):
    board = scene(model("merry", (10, 10), level=1, story_protected=True), orc("orc", captor_at))
    return with_conditions(board, "merry", endangered="0")


@pytest.mark.rule("MNC-116")
@pytest.mark.parametrize("incapacitated", [True, False])
def test_an_endangered_model_with_an_enemy_within_an_inch_is_captured(incapacitated):
    board = activated(endangered((11.5, 10)), "merry")
    answer = "yes" if incapacitated else "no"
    done = go(board, act("end", "merry"), 1, answers=["0", answer][-1:])
    assert done.scene.token("merry").conditions["captured"] == "orcs"
    assert done.scene.token("merry").has("incapacitated") is incapacitated
    assert asked_of(done)[-1] == ("orcs", answer)


@pytest.mark.rule("MNC-116")
def test_an_endangered_model_away_from_enemies_is_free():
    board = activated(endangered((13, 10)), "merry")
    assert not go(board, act("end", "merry")).scene.token("merry").has("captured")


@pytest.mark.rule("MNC-116")
def test_the_activation_that_endangers_does_not_capture():
    board = scene(model("merry", (10, 10), level=1, story_protected=True), orc("orc", (11.5, 10)))
    board = go(activated(board, "merry"), act("defend", "merry", "orc"), 6).scene
    assert board.token("merry").has("endangered")
    assert not go(board, act("end", "merry")).scene.token("merry").has("captured")


@pytest.mark.rule("MNC-116")
def test_only_active_enemies_capture():
    board = with_conditions(endangered((11.5, 10)), "orc", incapacitated="")
    board = activated(scene(*board.tokens, orc("far", (40, 10))), "merry")
    assert not go(board, act("end", "merry")).scene.token("merry").has("captured")


@pytest.mark.rule("MNC-028")
def test_the_last_side_in_the_fight_wins():
    board = scene(hero("one", (10, 10)), orc("orc", (11.5, 10)))
    board = with_conditions(activated(board, "one"), "one", defended="orc=ok")
    done = go(board, act("attack", "one", "orc"), 6).scene
    assert MINIATURES_COMBAT.turn(done).winners == ("heroes",)
    assert at_inches(done, "orc") is None


def test_a_free_attack_meets_the_shield_too():
    board = scene(hero("one", (10, 10), shield="shield"), orc("a", (11.5, 10)), orc("b", (8.5, 10)))
    board = activated(board, "one")
    first = go(board, act("defend", "one", "a"), 6)
    assert facts(first, "harm")[0]["negated"] == ["shield"]
    second = go(first.scene, act("defend", "one", "b"), 6)
    assert facts(second, "harm")[0]["negated"] == []


@pytest.mark.rule("MNC-116")
@pytest.mark.parametrize(("gap", "is_captured"), [(1, True), (1 + 1 / 64, False)])
def test_an_enemy_captures_within_an_inch_whatever_its_reach(gap, is_captured):
    board = activated(endangered((11 + gap, 10)), "merry")
    done = go(board, act("end", "merry"), *[1] * is_captured)
    assert done.scene.token("merry").has("captured") is is_captured
    assert done.scene.token("merry").has("incapacitated") is is_captured


@pytest.mark.rule("MNC-116")
def test_only_endangered_models_of_the_active_group_are_captured():
    merry, pippin, sam = (
        model(key, (10, y), level=1, story_protected=True) for key, y in (("m", 10), ("p", 14), ("s", 18))
    )
    orcs = [orc(f"o{i}", (11.5, 10 + 4 * i), weapon="close") for i in range(3)]
    board = scene(merry, pippin, sam, *orcs)
    board = with_conditions(with_conditions(board, "m", endangered="0"), "s", endangered="0")
    done = go(activated(board, "m", "p"), act("end", "m"))
    assert [key for key in "mps" if done.scene.token(key).has("captured")] == ["m"]
    assert asked_of(done) == [("orcs", "yes")]


@pytest.mark.rule("MNC-090")
@pytest.mark.parametrize(
    ("setting", "hits", "answers"),
    [
        ("each item", 1, ["none", "shield", "armor"]),
        ("each item", 3, ["none", "shield", "armor", "shield+armor"]),
        ("one item", 3, ["none", "shield", "armor"]),
    ],
)
@pytest.mark.parametrize("protected", [False, True])
def test_the_items_asked_for_are_no_more_than_the_hits(setting, hits, answers, protected):
    foe_ = foe(4, shield="shield", heavy_armor=True, story_protected=protected)
    board = scene(hero("one", (10, 10), level=5), foe_, house_rules={"negation": setting})
    board = with_conditions(activated(board, "one"), "one", defended="foe=ok")
    asked = asks(board, act("attack", "one", "foe", dice=3), *[5] * hits, *[1] * (3 - hits))
    assert [answer.key for answer in asked.answers] == answers
    assert asked.side == "orcs"


@pytest.mark.rule("MNC-089")
def test_a_killing_blow_on_a_protected_model_is_one_point_and_each_negated_hit_another():
    target = foe(1, story_protected=True, shield="shield")
    done = strike(target, 5, 5, 5, answers=["shield"])
    assert (done.result.result, done.result.damage, done.result.leaves) == ("endangered", 2, "endangered")
    assert points(done.scene, "heroes") == 2


@pytest.mark.rule("MNC-119")
def test_the_log_counts_the_hits_of_the_turn_and_those_that_gear_negated():
    done = strike(foe(4, shield="shield"), 5, 6, 1, hits=1)
    assert facts(done, "harm") == [
        {
            "token": "one",
            "target": "foe",
            "hits": 2,
            "negated": ["shield"],
            "total": 2,
            "toughness": 4,
            "result": "hit",
        }
    ]
    assert facts(strike(foe(4), 1, 1), "harm") == []
    assert strike(foe(4), 1, 1).result.result == "miss"
