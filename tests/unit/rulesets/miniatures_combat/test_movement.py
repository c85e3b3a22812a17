"""Movement of unengaged and engaged groups, other actions, captives (MNC-106 to MNC-114)."""

from __future__ import annotations

import pytest

from enfilade.errors import IllegalAct
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.movement_dice import die_modifier, moved_by_die
from enfilade.rulesets.miniatures_combat.profiles import read_fighter
from enfilade.scene.model import Grid, Terrain, Token
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    at_inches,
    facts,
    go,
    hero,
    inches,
    judged,
    model,
    moved,
    orc,
    refused,
    scene,
    wall,
    with_conditions,
    with_token,
    with_tracks,
)


def rolled_board(*faces, dice=1, **sheet):
    """Build an unengaged hero whose movement is rolled, far from an orc."""
    board = activated(scene(hero("one", (10, 10), **sheet), orc("orc", (30, 10))), "one")
    return go(board, act("roll_movement", "one", dice=dice), *faces).scene


@pytest.mark.rule("MNC-109")
def test_an_unengaged_group_moves_by_the_roll_of_its_slowest_member():
    board = scene(
        hero("fast", (10, 10), athletic=True), hero("slow", (12, 10), short=True), orc("orc", (40, 10))
    )
    done = go(activated(board, "fast", "slow"), act("roll_movement", "fast", dice=2), 6, 4)
    assert facts(done, "movement dice")[0]["slowest"] == "slow"
    assert {key: done.scene.token(key).track("allowance") for key in ("fast", "slow")} == {
        "fast": 7 * 64,
        "slow": 7 * 64,
    }


@pytest.mark.rule("MNC-109")
@pytest.mark.parametrize(("face", "inches_"), [(1, 3), (2, 3), (3, 3), (4, 4), (6, 6)])
def test_each_movement_die_counts_at_least_3(face, inches_):
    assert rolled_board(face).token("one").track("allowance") == inches_ * 64


@pytest.mark.rule("MNC-109")
def test_a_group_rolls_once_and_spends_the_dice_of_every_member():
    pair = (hero("one", (10, 10)), orc("two", (12, 10), side="heroes"))
    board = activated(scene(*pair, orc("x", (40, 10))), "one")
    board = go(board, act("roll_movement", "one", dice=2), 3, 3).scene
    assert board.token("one").track("dice") == 1
    assert refused(board, act("roll_movement", "one")) == "MNC-109"
    group = activated(scene(*pair, orc("x", (40, 10))), "one", "two")
    assert refused(group, act("roll_movement", "one", dice=3)) == "MNC-012"
    free = go(group, act("roll_movement", "one", dice=0))
    # The hero has no free movement die, so the group does not move at all.
    assert free.result.damage == 0


@pytest.mark.rule("MNC-019", "MNC-109")
@pytest.mark.parametrize(("actor", "dice"), [("conan", 2), ("bandit0", 1)])
def test_each_member_pays_its_own_dice_for_a_sprint_free_ones_first(actor, dice):
    # "Conan (good fighter with a shield), gathers a collection of 6 bandits around him and decides to make a
    # sprint": he pays two action dice, each bandit its free die and its action die. It was refused.
    bandits = [model(f"bandit{i}", (12 + 1.2 * i, 10), level=1, minion=True) for i in range(6)]
    board = scene(hero("conan", (10, 10), shield="shield"), *bandits, orc("x", (40, 10)))
    board = activated(board, "conan", *[one.id for one in bandits])
    done = go(board, act("roll_movement", actor, dice=dice), 4, 5)
    assert done.result.damage == 9
    pools = {key: done.scene.token(key).track("dice") for key in ("conan", "bandit0", "bandit5")}
    assert pools == {"conan": 1, "bandit0": 0, "bandit5": 0}


@pytest.mark.rule("MNC-109")
def test_an_unengaged_model_moves_within_the_allowance():
    board = rolled_board(5)
    assert judged(board, "one", (15, 10)).allowed
    assert not judged(board, "one", (15 + 1 / 64, 10)).allowed
    board = moved(board, "one", (13, 10))
    assert board.token("one").track("allowance") == 2 * 64
    assert not judged(board, "one", (13, 12.5)).allowed


@pytest.mark.rule("MNC-113")
@pytest.mark.parametrize(
    ("sheet", "wounds", "modifier"),
    [
        ({}, 0, 0),
        ({"athletic": True}, 0, 1),
        ({"short": True}, 0, -2),
        ({"short": True}, 1, -3),
        ({"athletic": True}, 2, -1),
    ],
)
def test_modifiers_apply_to_each_die(sheet, wounds, modifier):
    board = with_tracks(scene(hero("one", (10, 10), **sheet), orc("orc", (40, 10))), "one", wounds=wounds)
    assert die_modifier(board, read_fighter(board.token("one"))) == modifier


@pytest.mark.rule("MNC-113")
def test_difficult_ground_slows_and_a_die_never_exceeds_6():
    mud = Terrain(id="mud", name="Mud", cells=((10, 10),), cost=2)
    board = scene(hero("one", (10.5, 10.5)), orc("orc", (40, 10)), terrain=[mud])
    assert die_modifier(board, read_fighter(board.token("one"))) == -1
    assert moved_by_die(6, 1) == 6
    assert moved_by_die(1, -3) == 3


@pytest.mark.rule("MNC-106", "MNC-108")
def test_an_engaged_model_moves_2_inches_for_each_die():
    board = activated(scene(hero("one", (10, 10)), orc("orc", (11.5, 10))), "one")
    board = go(board, act("defend", "one", "orc", dice=1)).scene
    assert judged(board, "one", (6, 10)).allowed
    assert not judged(board, "one", (6 - 1 / 64, 10)).allowed
    assert moved(board, "one", (8, 10)).token("one").track("dice") == 1
    assert moved(board, "one", (8 - 1 / 64, 10)).token("one").track("dice") == 0


@pytest.mark.rule("MNC-019", "MNC-108")
def test_free_movement_dice_are_spent_first():
    board = scene(orc("orc", (10, 10), side="heroes"), hero("one", (11.5, 10), side="orcs"))
    board = activated(board, "orc")
    board = go(board, act("defend", "orc", "one", dice=1), 3).scene
    board = moved(board, "orc", (8, 10))
    assert (board.token("orc").track("movement dice"), board.token("orc").track("dice")) == (0, 0)


@pytest.mark.rule("MNC-107")
def test_an_engaged_model_moves_only_after_all_its_defenses():
    board = activated(scene(hero("one", (10, 10)), orc("a", (11.5, 10)), orc("b", (8.5, 10))), "one")
    done = go(board, act("defend", "one", "a", dice=1)).scene
    assert "MNC-107" in judged(done, "one", (10, 12)).reasons[0]
    done = go(done, act("defend", "one", "b", dice=1)).scene
    assert judged(done, "one", (10, 12)).allowed


@pytest.mark.rule("MNC-107")
@pytest.mark.parametrize(
    ("setting", "face", "allowed"),
    [
        ("all defenses succeeded", 1, False),
        ("not hit", 1, True),
        ("not hit", 5, False),
    ],
)
def test_a_failed_defense_ends_the_movement(setting, face, allowed):
    board = scene(hero("one", (10, 10)), orc("a", (11.5, 10)), house_rules={"move_after": setting})
    done = go(activated(board, "one"), act("defend", "one", "a"), face).scene
    assert judged(done, "one", (10, 12)).allowed is allowed


@pytest.mark.rule("MNC-107")
def test_after_a_failed_defense_the_cause_of_the_refusal_is_that_failure():
    # "(may only be spent after successfully defending from all attackers": "must first defend" was said to
    # one who had defended and failed.
    board = activated(scene(hero("one", (10, 10)), orc("a", (11.5, 10))), "one")
    assert "must first defend" in judged(board, "one", (10, 12)).reasons[0]
    failed = go(board, act("defend", "one", "a"), 1).scene
    assert judged(failed, "one", (10, 12)).reasons == (
        "One failed a defense and moves no more in this activation (MNC-107).",
    )
    assert refused(failed, act("action", "one", weapon="use")) == "MNC-107"


@pytest.mark.rule("MNC-106")
def test_moves_avoid_walls_and_enemies_and_end_on_free_ground():
    board = activated(
        scene(
            hero("one", (10, 10)),
            hero("friend", (12, 10)),
            orc("orc", (10, 15)),
            walls=[wall("w", 8, 0, 8, 40)],
        ),
        "one",
    )
    board = go(board, act("roll_movement", "one"), 6).scene
    assert judged(board, "one", (14, 10)).allowed
    assert not judged(board, "one", (12.5, 10)).allowed
    assert not judged(board, "one", (6, 10)).allowed
    assert judged(board, "one", (10, 14)).allowed
    assert not judged(board, "one", (10, 15.5)).allowed
    assert not judged(board, "one", (10, 16), path=[(10, 16)]).allowed
    assert not judged(board, "one", (10, 5), path=[(10, 0), (10, 5)]).allowed


@pytest.mark.rule("MNC-106")
def test_a_move_needs_a_roll_and_a_model_on_its_feet():
    board = activated(scene(hero("one", (10, 10)), orc("orc", (30, 10))), "one")
    assert "MNC-109" in judged(board, "one", (11, 10)).reasons[0]
    prone = with_conditions(go(board, act("roll_movement", "one"), 6).scene, "one", prone="")
    assert not judged(prone, "one", (11, 10)).allowed


def test_a_move_against_the_rules_is_recorded_as_it_is():
    board = scene(hero("one", (10, 10)), orc("orc", (30, 10)))
    done = go(board, act("move", "one", at=(20, 10)))
    assert at_inches(done.scene, "one") == (20, 10)
    assert facts(done, "move")[0]["allowed"] is False
    with pytest.raises(IllegalAct):
        go(board, act("move", "one", at=(60, 10)))


@pytest.mark.rule("MNC-111")
@pytest.mark.parametrize("action", ["use", "climb"])
def test_other_actions_cost_a_die(action):
    board = rolled_board(3)
    done = go(board, act("action", "one", weapon=action)).scene
    assert done.token("one").track("dice") == 1
    spent = with_tracks(board, "one", dice=0)
    assert refused(spent, act("action", "one", weapon=action)) == "MNC-111"


@pytest.mark.rule("MNC-107", "MNC-111")
def test_standing_up_costs_a_die_and_needs_defenses():
    board = scene(hero("one", (10, 10)), orc("orc", (11.5, 10)))
    board = activated(with_conditions(board, "one", prone=""), "one")
    assert refused(board, act("action", "one", weapon="stand")) == "MNC-107"
    board = go(board, act("defend", "one", "orc", dice=1)).scene
    done = go(board, act("action", "one", weapon="stand")).scene
    assert not done.token("one").has("prone")
    assert done.token("one").track("dice") == 1
    assert refused(done, act("action", "one", weapon="stand")) == "MNC-111"


@pytest.mark.rule("MNC-112")
def test_the_dice_of_a_horse_are_used_before_dismounting():
    board = activated(scene(hero("one", (10, 10), mounted=True), orc("orc", (30, 10))), "one")
    done = go(board, act("action", "one", weapon="dismount")).scene
    assert done.token("one").has("dismounted")
    assert done.token("one").track("movement dice") == 0
    assert refused(done, act("action", "one", weapon="dismount")) == "MNC-111"
    back = with_tracks(done, "one", dice=1)
    assert not go(back, act("action", "one", weapon="mount")).scene.token("one").has("dismounted")


def captive_board(*carriers, level=3, **sheet):
    """Build carriers of the heroes around a captured orc."""
    prisoner = orc("prisoner", (10, 10), level=level, **sheet)
    board = scene(*carriers, prisoner, orc("orc", (50, 30)))
    return with_conditions(board, "prisoner", captured="heroes")


@pytest.mark.rule("MNC-114")
def test_a_captive_needs_as_many_carriers_as_its_level():
    around = [(11.2, 10), (8.8, 10), (10, 11.2)]
    carriers = [hero(f"h{i}", at) for i, at in enumerate(around)]
    board = activated(captive_board(*carriers), "h0", "h1", "h2")
    assert refused(board, act("carry", "h0", "prisoner", members=("h1",))) == "MNC-114"
    assert refused(board, act("carry", "h0", "orc", members=("h1", "h2"))) == "MNC-114"
    done = go(board, act("carry", "h0", "prisoner", members=("h1", "h2"))).scene
    assert die_modifier(done, read_fighter(done.token("h1"))) == -1
    done = go(done, act("roll_movement", "h0"), 6).scene
    done = moved(done, "h0", (11.2, 13))
    assert at_inches(done, "prisoner") == (10, 13)


@pytest.mark.rule("MNC-114")
def test_smaller_captives_are_no_load_and_carriers_stand_close():
    board = activated(captive_board(hero("h0", (11.2, 10)), level=1, short=True), "h0")
    done = go(board, act("carry", "h0", "prisoner")).scene
    assert die_modifier(done, read_fighter(done.token("h0"))) == 0
    far = activated(captive_board(hero("h0", (13, 10)), level=1), "h0")
    assert refused(far, act("carry", "h0", "prisoner")) == "MNC-114"


def test_a_reach_lists_places_an_inch_apart_and_contacts():
    board = rolled_board(6, athletic=True)
    reach = MINIATURES_COMBAT.reach(board, board.token("one"))
    assert reach.budget == 6 * 64
    assert (*inches(16, 10), 6 * 64) in reach.cells
    assert all(cost <= reach.budget for _, _, cost in reach.cells)
    assert MINIATURES_COMBAT.reach(board, board.token("orc")).cells == ()


@pytest.mark.parametrize(
    ("distance", "units", "inches_"), [(1, "squares", 1), (2, "inches", 2), (5, "feet", 1), (2.54, "cm", 1)]
)
def test_the_units_of_a_squared_map_are_converted(distance, units, inches_):
    squared = scene(
        Token(id="one", name="One", side="heroes", at=(2, 2), profile={"level": 3}), orc("orc", None)
    )
    squared = with_token(squared, "orc", at=(18, 9))
    board = type(squared)(
        ruleset="miniatures_combat",
        grid=Grid("square", 20, 10, distance=distance, units=units),
        sides=squared.sides,
        tokens=squared.tokens,
        conditions=squared.conditions,
    )
    board = go(activated(board, "one"), act("roll_movement", "one", dice=2), 6, 6).scene
    reach = MINIATURES_COMBAT.reach(board, board.token("one"))
    assert max(x for x, y, _ in reach.cells if y == 2) == 2 + 12 // inches_
    for x, y, cost in reach.cells:
        ruling = MINIATURES_COMBAT.judge(board, board.token("one"), ((x, y),), None)
        assert ruling.allowed
        assert ruling.cost == cost


@pytest.mark.rule("MNC-060")
def test_a_fled_model_may_not_engage():
    board = with_conditions(rolled_board(6), "one", fled="")
    board = with_token(board, "orc", at=inches(16, 10))
    assert "MNC-060" in judged(board, "one", (14.5, 10)).reasons[0]
    assert judged(board, "one", (13, 10)).allowed


@pytest.mark.rule("MNC-002", "MNC-025")
@pytest.mark.parametrize("level", [6, 12])
def test_a_monster_may_have_more_than_five_dice(level):
    # "monsters to have 4 or 5 dice/toughness", and 4 "or more": a larger monster was no sheet.
    board = activated(scene(hero("wyrm", (10, 10), level=level), orc("orc", (11.5, 10))), "wyrm")
    board = go(board, act("defend", "wyrm", "orc", dice=1), 6).scene
    done = go(board, act("attack", "wyrm", "orc", dice=level - 1), *[1] * (level - 1))
    assert done.scene.token("wyrm").track("dice") == 0


def test_a_model_of_level_1_has_one_general_die():
    board = activated(scene(model("one", (10, 10), level=1), orc("orc", (30, 10))), "one")
    assert board.token("one").track("dice") == 1
