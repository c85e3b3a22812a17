"""0 HP, dramatic recovery and coup-de-grace: CDG-067 to CDG-080."""

import pytest

from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.events import Explained
from tests.unit.rulesets.coup_de_grace.scenes import (
    EAST,
    NORTH,
    SOUTH,
    TEAMS,
    WEST,
    act,
    active,
    after,
    aim,
    battle,
    do,
    facts,
    foe,
    hp,
    judge,
    log_text,
    mini,
    modifiers,
    reach,
    wall,
    why_not,
)

HIT = act("melee", "ann", "orc")
ROUND = act("round", "")


def fight(hit_points, *others, hands=("sword", "fist"), **more):
    """Ann before an orc with so many hit points."""
    ann, orc = mini("Ann", at=(5, 5), hands=hands), foe("Orc", at=(5, 4), hp=hit_points)
    return battle(ann, orc, *others, **more)


def lying(*others, **more):
    """Ann, downed in the middle of her activation."""
    hands = more.pop("hands", ("sword", "fist"))
    return active(battle(mini("Ann", at=(5, 5), hp=0, hands=hands), *others, **more), "ann")


@pytest.mark.rule("CDG-067")
def test_t13_at_0_hit_points_a_miniature_is_downed_without_a_facing_where_it_stood():
    done = do(fight(1), HIT, 6)
    orc = done.scene.token("orc")
    assert (orc.track("hp"), orc.has("downed"), orc.facing, orc.at) == (0, True, None, (5, 4))
    assert done.result.leaves == "downed"
    assert (5, 4) not in reach(done.scene, "ann")


@pytest.mark.rule("CDG-068")
def test_below_0_a_miniature_is_out_of_action_and_off_the_board_for_good():
    scene = fight(0, foe("Cur", at=(0, 0)))
    done = after(scene, HIT, 6)
    orc = done.token("orc")
    assert (orc.track("hp"), orc.at, orc.has("out"), orc.has("downed")) == (-1, None, True, False)
    assert why_not(done, act("melee", "orc", "ann")) == "CDG-068"
    assert why_not(active(done, "orc"), act("activate", "orc")) is not None
    assert not judge(done, "orc", (3, 3)).allowed


@pytest.mark.rule("CDG-068")
def test_whose_token_is_put_back_on_the_board_is_still_out_of_the_battle():
    scene = battle(mini("Ann", at=(5, 5)), foe("Cur", at=(9, 9)), foe("Orc", hp=-1))
    scene = after(scene, act("move", "orc", at=(5, 4)))
    assert scene.token("orc").at == (5, 4)
    assert judge(scene, "ann", (5, 5), SOUTH).cost == 1
    assert why_not(scene, HIT) == "CDG-068"
    assert why_not(scene, act("melee", "orc", "ann")) == "CDG-068"


@pytest.mark.rule("CDG-070")
def test_the_downed_are_activated_without_movement_points():
    scene = after(battle(mini("Ann", at=(5, 5), hp=0), mini("Bo", at=(0, 0)), foe("Orc", at=(9, 9))), ROUND)
    assert log_text(scene, act("activate", "ann")) == "Ann is activated."
    assert after(scene, act("activate", "ann")).token("ann").track("mp") == 0


@pytest.mark.rule("CDG-069")
def test_t12_2_damage_take_a_miniature_from_1_hit_point_straight_out_of_action():
    done = do(fight(1, hands=("axe", "fist")), act("melee", "ann", "orc", "axe"), 6)
    assert hp(done.scene, "orc") == -1
    assert done.result.leaves == "out"
    assert "downed" not in [e.condition for e in done.events if hasattr(e, "condition")]


@pytest.mark.rule("CDG-070")
def test_the_downed_are_activated_but_neither_walk_nor_turn():
    scene = lying(foe("Orc", at=(9, 9)))
    assert reach(scene, "ann") is None
    assert not judge(scene, "ann", (5, 4)).allowed
    assert "can only crawl" in judge(scene, "ann", (5, 4)).reasons[0]
    started = after(
        battle(mini("Ann", at=(5, 5), hp=0), mini("Bo", at=(0, 0)), foe("Orc", at=(9, 9))), act("round", "")
    )
    assert why_not(started, act("activate", "ann")) is None


@pytest.mark.rule("CDG-070")
def test_the_downed_cast_no_spells():
    scene = lying(foe("Orc", at=(5, 1)), hands=("crystal", "skull"))
    assert why_not(scene, act("spell", "ann", "orc", "crystal")) == "CDG-070"
    assert why_not(scene, act("spell", "ann", "orc", "skull")) == "CDG-070"


@pytest.mark.rule("CDG-071")
@pytest.mark.parametrize(
    "first",
    [
        act("crawl", "ann", at=(5, 6)),
        HIT,
        act("ranged", "ann", "orc", "throwing knife"),
        act("recover", "ann"),
    ],
    ids=lambda a: a.kind,
)
def test_the_downed_do_one_thing_only(first):
    scene = lying(foe("Orc", at=(5, 4)), hands=("sword", "throwing knife"))
    scene = after(scene, first, *([2] if first.kind != "crawl" else []))
    assert why_not(scene, act("crawl", "ann", at=(4, 5))) in ("CDG-071", "CDG-072")
    assert why_not(scene, HIT) == "CDG-071"
    assert why_not(scene, act("ranged", "ann", "orc", "throwing knife")) == "CDG-071"
    assert why_not(scene, act("recover", "ann")) == "CDG-071"


@pytest.mark.rule("CDG-071")
def test_the_next_round_brings_another_act():
    scene = after(
        battle(mini("Ann", at=(5, 5), hp=0), mini("Bo", at=(0, 0)), foe("Orc", at=(9, 9))), act("round", "")
    )
    for what in (act("activate", "ann"), act("crawl", "ann", at=(5, 6)), act("end", "ann")):
        scene = after(scene, what)
    for other in ("orc", "bo"):
        scene = after(after(scene, act("activate", other)), act("end", other))
    scene = after(after(scene, act("round", "")), act("activate", "ann"))
    assert why_not(scene, act("crawl", "ann", at=(5, 5))) is None


@pytest.mark.rule("CDG-072")
def test_a_crawl_is_one_square_to_an_empty_one_beside_and_costs_nothing():
    scene = lying(mini("Bo", at=(5, 4)), foe("Orc", at=(4, 5)))
    legal = [
        (x, y) for x in range(12) for y in range(12) if why_not(scene, act("crawl", "ann", at=(x, y))) is None
    ]
    assert legal == [(5, 6), (6, 5)]
    done = after(scene, act("crawl", "ann", at=(6, 5)))
    assert (done.token("ann").at, done.token("ann").facing) == ((6, 5), None)
    assert done.token("ann").track("mp") == scene.token("ann").track("mp")
    assert log_text(scene, act("crawl", "ann", at=(6, 5))) == "Ann crawls one square."


@pytest.mark.rule("CDG-072")
def test_only_a_downed_miniature_crawls_and_not_through_walls():
    walled = lying(foe("Orc", at=(9, 9)), walls=(wall(4, 5, 7, 5),))
    assert why_not(walled, act("crawl", "ann", at=(5, 4))) == "CDG-072"
    assert why_not(walled, act("crawl", "ann", at=(5, 6))) is None
    state = active(battle(mini("Ann", at=(5, 5))), "ann")
    assert why_not(state, act("crawl", "ann", at=(5, 6))) == "CDG-072"


@pytest.mark.rule("CDG-073")
def test_the_downed_strike_an_adjacent_opponent_in_any_direction_at_minus_2():
    for at in ((5, 4), (6, 5), (5, 6), (4, 5)):
        scene = lying(foe("Orc", at=at))
        assert why_not(scene, HIT) is None
        assert modifiers(scene, HIT)["attacker is downed"] == -2
    assert why_not(lying(foe("Orc", at=(6, 6))), HIT) == "CDG-049"


@pytest.mark.rule("CDG-074")
def test_the_downed_shoot_without_an_arc_at_minus_2_for_nothing():
    for at in ((5, 1), (1, 5), (5, 9), (8, 9)):
        scene = lying(foe("Orc", at=at), hands=("bow",))
        shot = act("ranged", "ann", "orc", "bow")
        assert why_not(scene, shot) is None
        assert modifiers(scene, shot)["attacker is downed"] == -2
        assert after(scene, shot, 2).token("ann").track("mp") == scene.token("ann").track("mp")


@pytest.mark.rule("CDG-074")
def test_the_downed_still_need_range_and_a_line_of_sight():
    hook = lying(foe("Orc", at=(5, 12)), hands=("grappling hook", "sword"), size=(14, 14))
    assert why_not(hook, act("ranged", "ann", "orc", "grappling hook")) == "CDG-038"
    hidden = lying(foe("Orc", at=(5, 2)), mini("Bo", at=(5, 4)), hands=("bow",))
    assert why_not(hidden, act("ranged", "ann", "orc", "bow")) == "CDG-051"


@pytest.mark.rule("CDG-075")
def test_t14_a_recovery_on_5_stands_up_with_1_hit_point_and_on_4_does_nothing():
    scene = lying(foe("Orc", at=(4, 5)))
    done = do(scene, act("recover", "ann"), 5, answers=("180",))
    ann = done.scene.token("ann")
    assert (ann.track("hp"), ann.has("downed"), ann.facing) == (1, False, SOUTH)
    failed = after(scene, act("recover", "ann"), 4).token("ann")
    assert (failed.track("hp"), failed.has("downed"), failed.facing) == (0, True, None)
    assert log_text(scene, act("recover", "ann"), 5) == (
        "Ann recovers and stands up with 1 hit point.\nDie 5, needs 5."
    )


@pytest.mark.rule("CDG-075")
def test_a_miniature_that_stands_up_faces_an_adjacent_enemy_by_default():
    assert after(lying(foe("Orc", at=(4, 5))), act("recover", "ann"), 6).token("ann").facing == WEST
    assert after(lying(foe("Orc", at=(6, 5))), act("recover", "ann"), 6).token("ann").facing == EAST


@pytest.mark.rule("CDG-075")
def test_only_the_downed_recover():
    assert why_not(active(battle(mini("Ann", at=(5, 5), hp=1)), "ann"), act("recover", "ann")) == "CDG-075"


@pytest.mark.rule("CDG-075")
def test_a_recovery_uses_the_activation():
    scene = after(lying(foe("Orc", at=(4, 5))), act("recover", "ann"), 6)
    scene = after(scene, act("end", "ann"))
    assert why_not(scene, act("activate", "ann")) == "CDG-019"


@pytest.mark.rule("CDG-075")
def test_a_recovered_miniature_does_nothing_else_in_that_activation():
    scene = after(lying(foe("Orc", at=(5, 4))), act("recover", "ann"), 6)
    assert why_not(scene, HIT) == "CDG-071"
    assert not judge(scene, "ann", (5, 6)).allowed


@pytest.mark.rule("CDG-076")
def test_an_attack_on_the_downed_is_called_a_coup_de_grace():
    assert log_text(fight(0, foe("Cur", at=(0, 0))), HIT, 6).startswith("Ann gives the coup de grace to Orc")
    assert log_text(fight(1), HIT, 6).startswith("Ann hits Orc")
    kinds = [e.kind for e in do(fight(0), HIT, 2).events if isinstance(e, Explained)]
    assert kinds == ["declared", "coup_de_grace"]


@pytest.mark.rule("CDG-077")
def test_a_hit_on_the_downed_takes_it_out_of_action():
    done = do(fight(0), HIT, 3)
    assert (hp(done.scene, "orc"), done.result.leaves) == (-1, "out")
    assert "Orc is out of action." in log_text(fight(0), HIT, 3)


@pytest.mark.rule("CDG-078")
def test_the_last_side_with_combatants_wins():
    scene = fight(0)
    done = after(scene, HIT, 6)
    assert done.conditions["won"] == "blue"
    assert "The battle is over: Blue won.\n" in log_text(scene, HIT, 6)
    assert COUP_DE_GRACE.turn(done).winners == ("blue",)
    assert why_not(done, act("round", "")) == "CDG-078"


@pytest.mark.rule("CDG-078")
def test_the_downed_and_the_undeployed_still_fight_on():
    assert not after(fight(0, foe("Cur", at=(0, 0), hp=0)), HIT, 6).has("won")
    assert not after(fight(0, foe("Late")), HIT, 6).has("won")


@pytest.mark.rule("CDG-078")
def test_a_team_wins_together():
    scene = fight(0, mini("Gil", "green", at=(0, 0)), sides=TEAMS)
    assert "The battle is over: Blue and Green won.\n" in log_text(scene, HIT, 6)
    assert COUP_DE_GRACE.turn(after(scene, HIT, 6)).winners == ("blue", "green")


@pytest.mark.rule("CDG-079")
def test_a_scenario_replaces_the_victory_of_the_last_standing():
    scene = fight(0, rules={"victory": "scenario"})
    done = after(scene, HIT, 6)
    assert not done.has("won")
    won = after(done, act("victory", "ann"))
    assert COUP_DE_GRACE.turn(won).winners == ("blue",)
    assert (
        log_text(done, act("victory", "ann")) == "The battle is over: Blue won. The scenario is won by Blue."
    )
    assert why_not(won, act("victory", "ann")) == "CDG-078"


@pytest.mark.rule("CDG-079")
def test_without_a_scenario_no_victory_can_be_declared():
    assert why_not(fight(2), act("victory", "ann")) == "CDG-079"


@pytest.mark.rule("CDG-080")
def test_the_log_shows_die_modifiers_total_defense_result_and_hit_points():
    scene = battle(
        mini("Ann", at=(5, 5)),
        foe("Orc", at=(5, 4), facing=NORTH, hands=("sword", "shield")),
        foe("Cur", at=(4, 5), facing=EAST),
        mini("Bo", at=(4, 4), facing=EAST),
    )
    assert log_text(scene, HIT, 4) == (
        "Ann hits Orc with the sword: 1 damage.\n"
        "Die 4, +1 coordinated with Bo, +1 backstab, -1 distracted by Cur, "
        "5 against defense 4; 3 to 2 hit points."
    )
    assert log_text(scene, HIT, 2).endswith("3 against defense 4.")
    found = facts(scene, HIT, 4)
    assert (found["total"], found["needed"], found["result"], found["hit_points"]) == (5, 3, "hit", [3, 2])
    assert found["rolls"][0]["faces"] == [4]
    assert [m["rule"] for m in found["modifiers"]] == ["CDG-053", "CDG-054", "CDG-055"]


@pytest.mark.rule("CDG-080")
def test_the_log_shows_a_die_that_was_rolled_again():
    assert "Die 1, then 5" in log_text(fight(3), HIT, 1, 5)


@pytest.mark.rule("CDG-080")
def test_the_shown_defense_is_the_one_that_counted():
    scene = battle(mini("Ann", at=(5, 5)), foe("Orc", at=(5, 4), hands=("sword", "shield"), armor="heavy"))
    assert aim(scene, HIT)[2] == {"heavy armor": 5, "shield": 1}
    assert "against defense 6;" in log_text(scene, HIT, 6)
