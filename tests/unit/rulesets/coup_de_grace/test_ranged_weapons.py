"""The effects of ranged weapons: CDG-008 and CDG-063."""

import pytest

from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    act,
    active,
    after,
    battle,
    chances,
    do,
    foe,
    hp,
    log_text,
    mini,
    modifiers,
    why_not,
)

pytestmark = pytest.mark.rule("CDG-008", "CDG-063")


def range_(weapon, *others, at=(5, 5), race="elf", orc=(), **more):
    """Ann with a ranged weapon, looking at an orc four squares away."""
    hands = (weapon,) if weapon == "bow" else (weapon, "fist")
    ann = mini("Ann", at=(5, 9), hands=hands, race=race, armor="unarmored")
    return battle(ann, foe("Orc", at=at, **dict(orc)), *others, **more)


def shot(weapon):
    return act("ranged", "ann", "orc", weapon)


def test_a_bow_takes_both_hands_and_is_plain():
    assert modifiers(range_("bow"), shot("bow")) == {}
    assert hp(after(range_("bow"), shot("bow"), 6), "orc") == 2


def test_a_crossbow_rolls_a_2_again_once_a_round():
    scene = active(range_("crossbow"), "ann")
    done = do(scene, shot("crossbow"), 2, 5)
    assert done.result.result == "hit"
    assert done.scene.token("ann").conditions["rerolled"] == "crossbow"
    assert do(scene, shot("crossbow"), 1).result.result == "miss"


def test_a_human_with_a_crossbow_may_roll_a_1_and_then_a_2_again():
    scene = active(range_("crossbow", race="human"), "ann")
    done = do(scene, shot("crossbow"), 1, 2, 6)
    assert done.result.result == "hit"
    assert done.scene.token("ann").conditions["rerolled"] == "human, crossbow"


def test_a_re_roll_that_would_throw_away_a_hit_is_not_the_default():
    thin = range_("crossbow", race="goblin", orc={"armor": "unarmored", "hp": 0})
    assert do(thin, shot("crossbow"), 2).result.result == "hit"
    assert do(thin, shot("crossbow"), 2, 1, answers=("yes",)).result.result == "miss"


def test_a_grappling_hook_hauls_its_target_in_without_harm():
    scene = range_("grappling hook", mini("Bo", at=(0, 0)), at=(7, 6))
    done = after(scene, shot("grappling hook"), 6)
    assert done.token("orc").at == (5, 8)
    assert hp(done, "orc") == 3
    assert "is pulled to F9" in log_text(scene, shot("grappling hook"), 6)
    assert after(scene, shot("grappling hook"), 3).token("orc").at == (7, 6)


def test_a_grappling_hook_does_nothing_where_the_square_in_front_is_taken():
    scene = range_("grappling hook", mini("Bo", at=(5, 8)), at=(8, 6))
    assert after(scene, shot("grappling hook"), 6).token("orc").at == (8, 6)


def test_a_pistol_pushes_its_target_back_unless_the_square_is_taken():
    assert after(range_("pistol"), shot("pistol"), 6).token("orc").at == (5, 4)
    crowded = range_("pistol", foe("Cur", at=(5, 4)))
    assert after(crowded, shot("pistol"), 6).token("orc").at == (5, 5)
    assert after(crowded, shot("pistol"), 6).token("orc").facing == 180


def test_a_pistol_pushes_the_way_the_shot_goes():
    scene = battle(
        mini("Ann", at=(2, 6), facing=EAST, hands=("pistol", "fist"), race="elf"), foe("Orc", at=(6, 5))
    )
    assert after(scene, shot("pistol"), 6).token("orc").at == (7, 5)


def test_a_pistol_does_not_push_a_target_that_is_out_of_action():
    done = after(range_("pistol", foe("Cur", at=(0, 0)), orc={"hp": 0}), shot("pistol"), 6)
    assert done.token("orc").at is None


def test_shuriken_fly_thrice_and_lose_1_a_square():
    scene = active(range_("shuriken"), "ann")
    assert modifiers(scene, shot("shuriken")) == {"range 4": -4}
    near = active(range_("shuriken", at=(5, 8)), "ann")
    done = do(near, shot("shuriken"), 5, 5, 2)
    assert done.result.damage == 2
    assert why_not(active(done.scene, "ann"), shot("shuriken")) == "CDG-021"
    assert done.scene.token("ann").track("mp") == 9 - 2 * 4


def test_a_throwing_knife_is_thrown_or_used_at_hand():
    assert do(range_("throwing knife"), shot("throwing knife"), 4).result.result == "hit"
    near = range_("throwing knife", at=(5, 8))
    assert do(near, act("melee", "ann", "orc", "throwing knife"), 4).result.result == "hit"


def test_the_odds_of_three_shuriken_add_up():
    found = chances(range_("shuriken", at=(5, 8)), shot("shuriken"))
    assert sum(found.values()) == 1
    assert max(outcome.damage for outcome in found) == 3
