"""Defenses of Miniatures combat at their limits: splits, dice added later, and free attacks."""

from __future__ import annotations

import pytest

from enfilade.rulesets.miniatures_combat.combat.attack_rolls import success_chance
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
    refused,
    scene,
    with_conditions,
    with_points,
    with_tracks,
)
from tests.unit.rulesets.miniatures_combat.test_defense import duel


@pytest.mark.parametrize(
    ("needed", "dice", "chance"), [(0, 1, (6, 6)), (6, 1, (1, 6)), (8, 2, (0, 36)), (4, 3, (189, 216))]
)
def test_the_chance_of_a_defense_beyond_the_faces_of_a_die(needed, dice, chance):
    assert success_chance(needed, dice) == chance


@pytest.mark.rule("MNC-065")
@pytest.mark.parametrize(("level", "shown"), [(3, 1), (2, 2), (1, 3)])
def test_the_question_for_a_split_names_the_difficulty(level, shown):
    board = scene(hero("one", (10, 10), level=level), orc("a", (11.5, 10)), orc("b", (8.5, 10)))
    asked = asks(activated(board, "one"), act("defend", "one"))
    assert f"{shown} or more" in asked.question
    assert asked.limits == ((0, level), (0, level))
    assert [len(chances) for chances in asked.chances] == [level + 1] * 2


@pytest.mark.rule("MNC-004", "MNC-012")
def test_a_split_uses_bonus_dice_first_and_holds_general_dice_back():
    board = scene(hero("one", (10, 10), level=2, shield="shield"), orc("a", (11.5, 10)), orc("b", (8.5, 10)))
    asked = asks(activated(board, "one"), act("defend", "one"))
    assert (asked.pool, asked.default) == (4, {"a": 1, "b": 1})
    done = go(activated(board, "one"), act("defend", "one"), 2, 1, 2, answers=[{"a": 1, "b": 2}])
    assert [(one["dice"], one["bonus"]) for one in facts(done, "defense")] == [(0, 1), (1, 1)]
    one = done.scene.token("one")
    assert (one.track("dice"), one.track("defense dice")) == (1, 0)
    assert done.result.result == "defended"


@pytest.mark.rule("MNC-062", "MNC-071")
def test_a_split_that_fails_counts_the_hits_of_all_free_attacks():
    board = scene(hero("one", (10, 10), level=4), orc("a", (11.5, 10)), orc("b", (8.5, 10)))
    done = go(activated(board, "one"), act("defend", "one"), 5, 6, answers=[{}])
    assert (done.result.result, done.result.damage) == ("failed", 2)
    assert done.scene.token("one").track("hits") == 2
    one = go(activated(board, "one"), act("defend", "one"), 2, 6, answers=[{"a": 1}])
    assert (one.result.result, one.result.damage) == ("failed", 1)


@pytest.mark.rule("MNC-028", "MNC-062")
def test_a_model_that_a_free_attack_slays_defends_no_more():
    board = scene(hero("one", (10, 10), level=1), orc("a", (11.5, 10)), orc("b", (8.5, 10)), hero("two"))
    done = go(activated(board, "one"), act("defend", "one"), 5, answers=[{}])
    assert done.scene.token("one").has("out")
    assert [one["token"] for one in facts(done, "strike")] == ["a"]


@pytest.mark.rule("MNC-075")
@pytest.mark.parametrize(
    ("hits", "wounds", "default"), [(0, 1, "0"), (1, 1, "0"), (2, 1, "1"), (2, 0, None), (2, 6, None)]
)
def test_dice_after_a_failure_are_asked_for_and_added_by_default_if_a_hit_could_kill(hits, wounds, default):
    board = with_tracks(duel(3, shield="shield"), "one", hits=hits, wounds=wounds)
    asked = act("defend", "one", "orc", dice=1, bonus=1)
    if default is None:
        assert asked_of(go(board, asked, *[1] * (1 + wounds if wounds else 0))) == []
        return
    choice = asks(board, asked, 1, 1)
    assert [answer.key for answer in choice.answers] == ["0", "1", "2", "3"]
    assert choice.default == default


@pytest.mark.rule("MNC-075")
def test_dice_are_asked_for_again_until_a_defense_holds_or_none_are_left():
    board = duel(2)
    done = go(board, act("defend", "one", "orc", dice=0), 1)
    assert asked_of(done) == []  # without any die the defense has failed
    board = activated(scene(model("one", (10, 10), level=4), orc("orc", (11.5, 10))), "one")
    done = go(board, act("defend", "one", "orc", dice=1), 1, 1, 1, 2, answers=["1", "2"])
    assert (done.result.result, done.scene.token("one").track("dice")) == ("defended", 0)


@pytest.mark.rule("MNC-023", "MNC-086")
def test_only_who_acts_notes_the_dice_used_on_a_target():
    board = activated(scene(hero("one", (10, 10), level=4), orc("orc", (11.5, 10), level=2)), "one")
    done = go(board, act("defend", "one", "orc"), 5).scene
    assert not done.token("orc").has("attacked")
    assert go(done, act("attack", "one", "orc"), 1).scene.token("one").conditions["attacked"] == "orc=1"
    far = with_conditions(
        activated(scene(hero("one", (10, 10)), orc("orc", (13, 10))), "one"), "one", defended=""
    )
    lunged = go(far, act("lunge", "one", "orc", dice=2, defense=1), 1, 1).scene
    assert lunged.token("one").conditions["attacked"] == "orc=2"


@pytest.mark.rule("MNC-039")
@pytest.mark.parametrize("is_rider", [False, True])
def test_the_dice_of_a_lucky_strike_have_no_advantages_and_are_not_noted(is_rider):
    foe = orc("orc", (11.5, 10), level=2, two_handed=True, mounted=is_rider)
    board = activated(scene(hero("one", (10, 10), level=4), foe), "one")
    board = with_points(with_tracks(board, "one", wounds=1), "orcs", 1)
    faces = [5, *[1] * (1 + is_rider), 5, 4, 1, 1]
    done = go(board, act("defend", "one", "orc"), *faces, answers=["2", "2 dice"])
    free, lucky = facts(done, "strike")
    assert [(one["act"], one["dice"]) for one in (free, lucky)] == [
        ("free attack", 2 + is_rider),
        ("lucky strike", 2),
    ]
    assert not lucky["modifiers"]
    assert not done.scene.token("orc").has("attacked")


@pytest.mark.rule("MNC-023")
@pytest.mark.parametrize(("first", "second", "dice"), [(1, 1, 2), (1, 2, 3), (2, 1, 1), (3, 1, 1)])
def test_the_die_of_a_heavy_weapon_comes_with_the_second_action_die(first, second, dice):
    ogre = model("ogre", (11.5, 10), side="orcs", level=8)
    board = activated(scene(hero("one", (10, 10), level=5, two_handed=True), ogre), "one")
    board = with_conditions(board, "one", defended="ogre=ok")
    board = go(board, act("attack", "one", "ogre", dice=first), *[1] * (first + (first > 1))).scene
    done = go(board, act("attack", "one", "ogre", dice=second), *[1] * dice)
    assert facts(done, "strike")[0]["dice"] == dice


@pytest.mark.rule("MNC-074")
@pytest.mark.parametrize(
    ("others", "is_first", "owes"),
    [([], True, False), ([(8, 11.5)], True, True), ([(8, 12 + 1 / 64)], True, False), ([], False, True)],
)
def test_a_fall_back_ends_the_defenses_only_as_the_first_roll_and_away_from_all_enemies(
    others, is_first, owes
):
    foes = [orc(f"o{i}", at, weapon="close") for i, at in enumerate(others)]
    board = activated(scene(hero("one", (10, 10)), orc("a", (11.5, 10)), *foes), "one")
    if not is_first:
        board = with_conditions(board, "one", defended="b=ok")
    done = go(board, act("fall_back", "one", "a"), 3).scene
    assert at_inches(done, "one") == (8, 10)
    assert done.token("one").has("must defend") is owes


@pytest.mark.rule("MNC-004", "MNC-070")
def test_bonus_dice_beyond_those_left_are_refused():
    board = duel(shield="shield")
    assert refused(board, act("defend", "one", "orc", bonus=2)) is None
    assert refused(board, act("defend", "one", "orc", bonus=3)) == "MNC-004"
    assert refused(board, act("fall_back", "one", "orc", dice=3)) is None
    assert refused(board, act("fall_back", "one", "orc", dice=4)) == "MNC-012"
    assert refused(board, act("defend", "one", "one")) == "MNC-062"
    assert refused(board, act("fall_back", "one", "one")) == "MNC-062"
