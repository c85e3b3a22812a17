"""Defensive fighting, falling back and free attacks (MNC-022, MNC-062 to MNC-075)."""

from __future__ import annotations

import pytest

from enfilade.rules.resolve import Answers, ChoicePending, resolve
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.attack_rolls import best_split, success_chance
from enfilade.rulesets.miniatures_combat.offers import ACTS
from enfilade.rulesets.miniatures_combat.profiles import defense_difficulty, read_fighter
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    asked_of,
    at_inches,
    facts,
    go,
    hero,
    model,
    moved,
    orc,
    refused,
    rolled,
    scene,
    wall,
    with_conditions,
    with_tracks,
)


def duel(level=3, foe=None, **sheet):
    """Build an active hero half an inch from an orc."""
    board = scene(hero("one", (10, 10), level=level, **sheet), foe or orc("orc", (11.5, 10)))
    return activated(board, "one")


@pytest.mark.rule("MNC-063")
@pytest.mark.parametrize(
    ("weapon", "gap", "is_in_range"),
    [
        ("basic", 1, True),
        ("basic", 1 + 1 / 64, False),
        ("pole", 2, True),
        ("pole", 2 + 1 / 64, False),
        ("close", 0, True),
        ("close", 1 / 64, False),
    ],
)
def test_melee_range_is_the_reach_of_the_enemy(weapon, gap, is_in_range):
    board = scene(hero("one", (10, 10)), orc("orc", (11 + gap, 10), weapon=weapon))
    attackers = battlefield(board).attackers(read_fighter(board.token("one")))
    assert [one.id for one in attackers] == (["orc"] if is_in_range else [])


@pytest.mark.rule("MNC-064")
def test_second_rank_spears_must_be_staggered():
    front = (orc("left", (11.2, 9.4)), orc("right", (11.2, 10.6)))
    behind = scene(hero("one", (10, 10)), orc("front", (11.2, 10)), orc("spear", (12.3, 10), weapon="pole"))
    staggered = scene(hero("one", (10, 10)), *front, orc("spear", (12.3, 10), weapon="pole"))
    for board, can in ((behind, False), (staggered, True)):
        attackers = battlefield(board).attackers(read_fighter(board.token("one")))
        assert ("spear" in [one.id for one in attackers]) is can


@pytest.mark.rule("MNC-064")
def test_a_wall_between_the_centers_stops_melee():
    board = scene(hero("one", (10, 10)), orc("orc", (11.5, 10)), walls=[wall("w", 10.75, 9, 10.75, 11)])
    assert battlefield(board).attackers(read_fighter(board.token("one"))) == []


@pytest.mark.rule("MNC-065")
@pytest.mark.parametrize(("level", "needed"), [(1, 3), (2, 2), (3, 1), (4, 2), (5, 2)])
def test_the_difficulty_of_defense_is_by_level(level, needed):
    board = duel(level)
    assert defense_difficulty(board, read_fighter(board.token("one"))) == needed


@pytest.mark.rule("MNC-065")
def test_the_defense_of_monsters_is_a_house_rule():
    board = scene(model("troll", (10, 10), level=4), orc("orc", (40, 10)), house_rules={"monster_defense": 3})
    assert defense_difficulty(board, read_fighter(board.token("troll"))) == 3


@pytest.mark.rule("MNC-065")
def test_a_very_good_fighter_succeeds_with_one_die_and_no_roll():
    done = go(duel(), act("defend", "one", "orc", dice=1))
    assert done.result.result == "defended"
    assert rolled(done) == []


@pytest.mark.rule("MNC-066")
def test_each_wound_raises_the_difficulty():
    board = with_tracks(duel(), "one", wounds=2)
    assert go(board, act("defend", "one", "orc", dice=1), 2, 1, 1, 1, answers=["0"]).result.result == "failed"
    assert go(board, act("defend", "one", "orc", dice=1), 3).result.result == "defended"


@pytest.mark.rule("MNC-067")
def test_the_skill_of_the_attacker_does_not_matter():
    weak, strong = duel(2), duel(2, orc("orc", (11.5, 10), level=5, minion=False))
    for board in (weak, strong):
        assert facts(go(board, act("defend", "one", "orc", dice=1), 2), "defense")[0]["needed"] == 2


@pytest.mark.rule("MNC-068")
def test_one_success_among_the_dice_is_enough():
    board = duel(2, shield="shield")
    assert go(board, act("defend", "one", "orc", dice=1, bonus=2), 1, 1, 2).result.result == "defended"
    done = go(board, act("defend", "one", "orc", dice=1, bonus=2), 1, 1, 1, 4, answers=["0"])
    assert done.result.result == "failed"


@pytest.mark.rule("MNC-069")
def test_no_die_is_a_failure_and_an_instant_attack():
    done = go(duel(), act("defend", "one", "orc"), 6)
    assert [(label, len(faces)) for label, faces in rolled(done)] == [("attack", 1)]
    assert done.scene.token("one").track("hits") == 1
    assert done.result.result == "failed"


@pytest.mark.rule("MNC-070")
@pytest.mark.parametrize(("level", "needed"), [(3, 3), (2, 4), (1, 5)])
def test_falling_back_is_2_harder_and_moves_2_inches(level, needed):
    board = duel(level)
    done = go(board, act("fall_back", "one", "orc"), needed)
    assert done.result.result == "fell back"
    assert at_inches(done.scene, "one") == (8, 10)
    failed = go(board, act("fall_back", "one", "orc"), needed - 1, 1, answers=["0"] if level > 1 else [])
    assert failed.result.result == "failed"
    assert at_inches(failed.scene, "one") == (10, 10)


@pytest.mark.rule("MNC-070")
def test_shields_do_not_help_to_fall_back():
    board = duel(shield="shield")
    assert refused(board, act("fall_back", "one", "orc", dice=1, bonus=1)) == "MNC-070"
    failed = go(board, act("fall_back", "one", "orc", dice=3), 1, 1, 2, 1)
    assert failed.result.result == "failed"
    assert failed.scene.token("one").track("defense dice") == 2


@pytest.mark.rule("MNC-070")
def test_a_buckler_helps_to_fall_back_by_a_house_rule():
    rules = {"buckler_fall_back": True}
    board = scene(hero("one", (10, 10), shield="buckler"), orc("orc", (11.5, 10)), house_rules=rules)
    board = activated(board, "one")
    assert go(board, act("fall_back", "one", "orc", dice=0, bonus=1), 3).result.result == "fell back"


@pytest.mark.rule("MNC-070")
def test_a_model_falls_back_only_as_far_as_it_touches_no_other():
    board = scene(hero("one", (10, 10)), hero("two", (8, 10)), orc("orc", (11.5, 10)))
    done = go(activated(board, "one"), act("fall_back", "one", "orc"), 3)
    # The bases would touch an inch farther; a 64th before that the model stops.
    assert at_inches(done.scene, "one") == (9 + 1 / 64, 10)
    shut_in = scene(hero("one", (10, 10)), hero("two", (9, 10)), orc("orc", (11.5, 10)))
    done = go(activated(shut_in, "one"), act("fall_back", "one", "orc"), 3)
    assert done.result.result == "fell back"
    assert at_inches(done.scene, "one") == (10, 10)


@pytest.mark.rule("MNC-070")
def test_a_model_may_fall_back_less_far():
    done = go(duel(), act("fall_back", "one", "orc", inches=0.5), 3)
    assert at_inches(done.scene, "one") == (9.5, 10)


@pytest.mark.rule("MNC-022", "MNC-071")
def test_a_failed_defense_brings_a_free_attack_with_one_die_and_advantages():
    board = with_tracks(duel(2), "one", wounds=1)
    done = go(board, act("defend", "one", "orc", dice=1), 1, 5, 4, answers=["0"])
    strike = facts(done, "strike")[0]
    assert (strike["token"], strike["target"], strike["act"]) == ("orc", "one", "free attack")
    assert strike["dice"] == 2
    assert done.scene.token("one").track("hits") == 1


@pytest.mark.rule("MNC-072")
def test_a_defense_is_made_once_and_before_the_attack():
    board = duel()
    assert refused(board, act("attack", "one", "orc")) == "MNC-085"
    done = go(board, act("defend", "one", "orc", dice=1)).scene
    assert refused(done, act("attack", "one", "orc")) is None
    assert refused(done, act("defend", "one", "orc", dice=1)) == "MNC-072"


@pytest.mark.rule("MNC-072")
def test_defenses_are_taken_in_any_order_and_those_left_fail_at_the_end():
    board = activated(scene(hero("one", (10, 10)), orc("a", (11.5, 10)), orc("b", (8.5, 10))), "one")
    done = go(board, act("defend", "one", "b", dice=1)).scene
    ended = go(done, act("end", "one"), 2)
    assert [strike["token"] for strike in facts(ended, "strike")] == ["a"]


@pytest.mark.rule("MNC-073", "MNC-110")
def test_a_direct_charge_without_an_attack_owes_no_defense():
    board = activated(scene(hero("one", (10, 10)), orc("orc", (16, 10))), "one")
    board = go(board, act("roll_movement", "one"), 4).scene
    board = moved(board, "one", (14, 10))
    assert not facts(go(board, act("end", "one")), "strike")


@pytest.mark.rule("MNC-110")
def test_a_charge_that_attacks_owes_its_defenses():
    board = activated(scene(hero("one", (10, 10)), orc("orc", (16, 10)), orc("b", (14, 11.5))), "one")
    board = go(board, act("roll_movement", "one"), 4).scene
    board = moved(board, "one", (14, 10))
    assert refused(board, act("attack", "one", "orc")) == "MNC-085"
    board = go(board, act("defend", "one", "orc", dice=1)).scene
    board = go(board, act("attack", "one", "orc", dice=1), 1).scene
    ended = go(board, act("end", "one"), 1)
    assert [strike["token"] for strike in facts(ended, "strike")] == ["b"]


@pytest.mark.rule("MNC-110")
@pytest.mark.parametrize(("setting", "strikes"), [("direct and no attack", 1), ("no attack", 0)])
def test_a_charge_by_a_detour_owes_its_defenses(setting, strikes):
    board = scene(hero("one", (10, 10)), orc("orc", (16, 10)), house_rules={"charge_exemption": setting})
    board = go(activated(board, "one"), act("roll_movement", "one", dice=2), 4, 4).scene
    board = moved(board, "one", (14, 10), path=[(12, 12), (14, 10)])
    ended = go(board, act("end", "one"), *[1] * strikes)
    assert len(facts(ended, "strike")) == strikes


@pytest.mark.rule("MNC-110")
@pytest.mark.parametrize(
    ("steps", "strikes"),
    [
        ([(12, 10), (14, 10)], 0),
        ([(11, 10), (12, 10), (13, 10), (14, 10)], 0),
        ([(12, 12), (14, 10)], 1),
        ([(10, 12), (10, 10), (14, 10)], 1),
    ],
)
def test_the_most_direct_route_is_that_of_the_whole_activation_in_one_move_or_in_several(steps, strikes):
    # "if they do not move into that 1" range by the most direct route": a detour in two moves was direct.
    board = scene(hero("one", (10, 10)), orc("orc", (16, 10)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=2), 6, 6).scene
    for step in steps:
        board = moved(board, "one", step)
    ended = go(board, act("end", "one"), *[1] * strikes)
    assert len(facts(ended, "strike")) == strikes


@pytest.mark.rule("MNC-110")
def test_a_way_around_a_wall_is_direct_in_several_moves_too():
    board = scene(hero("one", (10, 10)), orc("orc", (16, 10)), walls=[wall("w", 12, 9.2, 12, 20)])
    board = go(activated(board, "one"), act("roll_movement", "one", dice=2), 6, 6).scene
    # The base touches the end of the wall on the shortest way.
    touching, wide = (749 / 64, 562 / 64), (11, 8)
    for corner, owes in ((touching, False), (wide, True)):
        charged = moved(moved(board, "one", corner), "one", (14, 10))
        assert charged.token("one").has("must defend") is owes


@pytest.mark.rule("MNC-074")
def test_a_fall_back_on_the_first_roll_may_end_all_defenses():
    board = scene(hero("one", (10, 10)), orc("a", (11.5, 10)), orc("pole", (11.5, 11.5), weapon="pole"))
    board = activated(board, "one")
    done = go(board, act("fall_back", "one", "a"), 3).scene
    assert not facts(go(done, act("end", "one")), "strike")
    other = go(board, act("defend", "one", "a", dice=1)).scene
    assert facts(go(other, act("end", "one"), 1), "strike")


@pytest.mark.rule("MNC-075")
def test_dice_in_the_pool_are_added_to_a_failure_before_the_free_attack():
    board = duel(2)
    done = go(board, act("defend", "one", "orc", dice=1), 1, 2, answers=["1"])
    assert done.result.result == "defended"
    assert done.scene.token("one").track("dice") == 0
    assert not facts(done, "strike")


@pytest.mark.rule("MNC-075")
def test_a_model_that_a_hit_would_kill_adds_a_die_by_default():
    board = duel(1, shield="shield")
    done = go(board, act("defend", "one", "orc", bonus=2), 1, 1, 3)
    assert done.result.result == "defended"
    assert done.scene.token("one").track("dice") == 0


@pytest.mark.rule("MNC-012", "MNC-062")
def test_a_split_of_the_pool_over_all_enemies_is_asked_with_its_chances():
    board = activated(scene(hero("one", (10, 10), level=2), orc("a", (11.5, 10)), orc("b", (8.5, 10))), "one")
    asked = act("defend", "one")
    with pytest.raises(ChoicePending) as waiting:
        resolve(board, ACTS["defend"].procedure, (asked,), Answers(automatic=()))
    request = waiting.value.choice
    assert request.pool == 2
    assert [slot.key for slot in request.slots] == ["a", "b"]
    assert request.chances[0] == ((0, 1), (5, 6), (35, 36))
    done = go(board, asked, 1, 3, 1, answers=[{"a": 2}])
    assert [facts["dice"] for facts in facts(done, "defense")] == [2, 0]
    assert done.result.result == "failed"


def test_the_default_split_holds_with_the_best_chance():
    assert best_split(["a", "b"], 2, 5, 2) == {"a": 1, "b": 1}
    assert best_split(["a", "b"], 3, 5, 3) == {"a": 2, "b": 1}
    assert best_split(["a", "b", "c"], 2, 2, 0) == {"a": 1, "b": 1, "c": 0}
    assert best_split(["a", "b"], 1, 5, 5) == {"a": 1, "b": 1}
    assert best_split(["a"], 7, 3, 0) == {}
    assert best_split([], 2, 3, 3) == {}


@pytest.mark.parametrize(
    ("needed", "dice", "chance"), [(1, 1, (6, 6)), (3, 2, (32, 36)), (7, 2, (0, 36)), (2, 0, (0, 1))]
)
def test_the_chance_of_a_defense(needed, dice, chance):
    assert success_chance(needed, dice) == chance


@pytest.mark.rule("MNC-075")
@pytest.mark.parametrize(("wounds", "questions"), [(5, [("heroes", "0")]), (6, [])])
def test_no_more_dice_are_asked_for_once_a_defense_needs_a_7(wounds, questions):
    board = with_tracks(duel(), "one", wounds=wounds)
    done = go(board, act("defend", "one", "orc", dice=1), *[1] * 7)
    assert [asked for asked in asked_of(done) if asked[0] == "heroes"] == questions


def test_a_difficulty_above_6_is_impossible():
    board = with_tracks(duel(), "one", wounds=6)
    done = go(board, act("defend", "one", "orc", dice=3), 1, *[1] * 6)
    assert done.result.result == "failed"
    assert [label for label, _ in rolled(done)] == ["attack"]


def test_a_prone_model_cannot_fall_back():
    board = with_conditions(duel(), "one", prone="")
    assert refused(board, act("fall_back", "one", "orc")) == "MNC-070"
