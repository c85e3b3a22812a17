"""Initiative and activation: CDG-019 to CDG-032."""

import pytest
from msgspec.structs import replace

from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.events import ChoiceMade
from tests.unit.rulesets.coup_de_grace.scenes import (
    TEAMS,
    act,
    active,
    after,
    battle,
    do,
    facts,
    foe,
    judge,
    log_text,
    mini,
    reach,
    why_not,
)

ROUND = act("round", "")


def turn(scene):
    return COUP_DE_GRACE.turn(scene)


def first(scene, *faces):
    """The side with the first activation of a new round."""
    return turn(after(scene, ROUND, *faces)).sides[0]


def activated(scene, token_id):
    """The scene after a whole activation in which nothing is done."""
    return after(after(scene, act("activate", token_id)), act("end", token_id))


def order(scene, tokens_of):
    """Return the order of activations if each side activates its miniatures in the given order."""
    sides = []
    while turn(scene).sides:
        (side,) = turn(scene).sides
        sides.append(side)
        scene = activated(scene, tokens_of[side].pop(0))
    return sides


@pytest.mark.rule("CDG-019")
def test_each_miniature_is_activated_exactly_once_a_round():
    scene = after(battle(mini("Ann", at=(1, 1)), mini("Bo", at=(2, 2)), foe("Orc", at=(9, 9))), ROUND)
    scene = activated(scene, "ann")
    scene = activated(scene, "orc")
    assert why_not(scene, act("activate", "ann")) == "CDG-019"
    assert why_not(scene, act("activate", "bo")) is None


@pytest.mark.rule("CDG-019")
def test_no_miniature_is_activated_before_the_first_round():
    scene = battle(mini("Ann", at=(1, 1)), foe("Orc", at=(9, 9)))
    assert why_not(scene, act("activate", "ann")) == "CDG-019"
    assert turn(scene).round == 0


@pytest.mark.rule("CDG-020")
def test_an_activated_miniature_may_spend_its_movement_allowance():
    scene = after(
        battle(mini("Ann", at=(1, 1), armor="heavy"), mini("Bo", at=(0, 0)), foe("Orc", at=(9, 9))), ROUND
    )
    scene = after(scene, act("activate", "ann"))
    assert scene.token("ann").track("mp") == 4
    assert judge(scene, "ann", (1, 5)).allowed
    assert not judge(scene, "ann", (1, 6)).allowed
    assert not judge(scene, "bo", (0, 1)).allowed


@pytest.mark.rule("CDG-021")
def test_each_weapon_attacks_once_a_round_though_it_costs_nothing():
    scene = active(battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1), armor="heavy")), "ann")
    scene = after(scene, act("melee", "ann", "orc"), 2)
    assert why_not(scene, act("melee", "ann", "orc")) == "CDG-021"
    assert why_not(scene, act("melee", "ann", "orc", "fist")) is None


@pytest.mark.rule("CDG-021")
def test_a_throwing_knife_is_one_weapon_thrown_or_not():
    knife = ("throwing knife", "fist")
    scene = active(
        battle(mini("Ann", at=(2, 2), hands=knife, armor="unarmored"), foe("Orc", at=(2, 1))), "ann"
    )
    thrown = after(scene, act("ranged", "ann", "orc", "throwing knife"), 2)
    assert why_not(thrown, act("melee", "ann", "orc", "throwing knife")) == "CDG-021"


@pytest.mark.rule("CDG-021")
def test_a_new_round_gives_the_weapons_back():
    scene = after(battle(mini("Ann", at=(2, 2)), mini("Bo", at=(9, 0)), foe("Orc", at=(2, 1))), ROUND)
    scene = after(after(scene, act("activate", "ann")), act("melee", "ann", "orc"), 2)
    scene = activated(activated(after(scene, act("end", "ann")), "orc"), "bo")
    scene = after(after(scene, ROUND), act("activate", "ann"))
    assert why_not(scene, act("melee", "ann", "orc")) is None


@pytest.mark.rule("CDG-022")
def test_the_cost_of_an_attack_is_taken_from_the_movement_points():
    archer = mini("Ann", at=(5, 9), hands=("bow",), armor="unarmored")
    scene = active(battle(archer, foe("Orc", at=(5, 5))), "ann")
    assert after(scene, act("ranged", "ann", "orc", "bow"), 2).token("ann").track("mp") == 4


@pytest.mark.rule("CDG-023")
def test_the_first_activation_goes_to_the_side_with_most_miniatures():
    assert first(battle(mini("Ann", at=(1, 1)), mini("Bo", at=(2, 2)), foe("Orc", at=(9, 9)))) == "blue"
    assert first(battle(mini("Ann", at=(1, 1)), foe("Orc", at=(9, 9)), foe("Cur", at=(8, 8)))) == "red"


@pytest.mark.rule("CDG-024")
def test_miniatures_yet_to_be_deployed_count_for_initiative():
    scene = battle(mini("Ann", at=(1, 1)), mini("Late"), foe("Orc", at=(9, 9)))
    assert first(scene) == "blue"


@pytest.mark.rule("CDG-025")
def test_the_downed_count_for_initiative():
    scene = battle(mini("Ann", at=(1, 1)), mini("Bo", at=(2, 2), hp=0), foe("Orc", at=(9, 9)))
    assert first(scene) == "blue"


@pytest.mark.rule("CDG-026")
def test_those_out_of_action_do_not_count_for_initiative():
    scene = battle(
        mini("Ann", at=(1, 1)),
        mini("Bo", hp=-1),
        mini("Cy", hp=-1),
        foe("Orc", at=(9, 9)),
        foe("Cur", at=(8, 8)),
    )
    assert first(scene) == "red"


@pytest.mark.rule("CDG-023", "CDG-024", "CDG-025")
def test_t15_five_and_one_off_board_and_one_downed_are_seven_against_six():
    blues = [mini(f"B{i}", at=(i, 0)) for i in range(5)]
    reds = [foe(f"R{i}", at=(i, 9)) for i in range(6)]
    scene = battle(*blues, mini("Off"), mini("Down", at=(7, 7), hp=0), *reds)
    assert facts(scene, ROUND)["counts"] == {"Blue": 7, "Red": 6}
    assert first(scene) == "blue"


@pytest.mark.rule("CDG-027")
def test_sides_alternate_one_miniature_at_a_time():
    scene = after(battle(mini("Ann", at=(1, 1)), mini("Bo", at=(2, 2)), foe("Orc", at=(9, 9))), ROUND)
    assert why_not(scene, act("activate", "orc")) == "CDG-027"
    scene = after(scene, act("activate", "ann"))
    assert why_not(scene, act("activate", "bo")) == "CDG-027"
    scene = after(scene, act("end", "ann"))
    assert why_not(scene, act("activate", "bo")) == "CDG-027"
    assert why_not(scene, act("activate", "orc")) is None


@pytest.mark.rule("CDG-027")
def test_with_three_sides_priority_passes_around_the_table():
    greens = [mini("Gil", "green", at=(5, 5)), mini("Gus", "green", at=(6, 6))]
    scene = battle(mini("Ann", at=(1, 1)), *greens, foe("Orc", at=(9, 9)), sides=TEAMS)
    scene = after(scene, ROUND)
    assert order(scene, {"blue": ["ann"], "green": ["gil", "gus"], "red": ["orc"]}) == [
        "green",
        "red",
        "blue",
        "green",
    ]


@pytest.mark.rule("CDG-028")
def test_t16_a_side_without_miniatures_left_is_skipped():
    blues = [mini(name, at=(i, 0)) for i, name in enumerate("ABC")]
    scene = after(battle(*blues, foe("Orc", at=(9, 9))), ROUND)
    assert order(scene, {"blue": ["a", "b", "c"], "red": ["orc"]}) == ["blue", "red", "blue", "blue"]


@pytest.mark.rule("CDG-028")
def test_when_the_last_waiting_miniature_of_a_side_is_taken_away_the_next_side_goes_on():
    scene = after(battle(mini("Ann", at=(1, 1)), mini("Bo", at=(2, 2)), foe("Orc", at=(9, 9))), ROUND)
    scene = activated(scene, "ann")
    scene = replace(scene, tokens=tuple(t for t in scene.tokens if t.id != "orc"))
    assert turn(scene).sides == ("blue",)
    assert why_not(scene, act("activate", "bo")) is None


@pytest.mark.rule("CDG-029")
def test_a_side_cannot_pass_but_may_end_an_activation_at_once():
    scene = after(battle(mini("Ann", at=(1, 1)), mini("Bo", at=(2, 2)), foe("Orc", at=(9, 9))), ROUND)
    assert why_not(scene, act("end", "ann")) == "CDG-027"
    scene = activated(scene, "ann")
    assert scene.token("ann").has("activated")
    assert scene.token("ann").at == (1, 1)


@pytest.mark.rule("CDG-030")
def test_the_round_ends_when_all_miniatures_have_been_activated():
    scene = after(battle(mini("Ann", at=(1, 1)), mini("Bo", at=(2, 2)), foe("Orc", at=(9, 9))), ROUND)
    assert why_not(scene, ROUND) == "CDG-030"
    scene = activated(activated(activated(scene, "ann"), "orc"), "bo")
    assert turn(scene).sides == ()
    assert why_not(scene, ROUND) is None
    assert turn(after(scene, ROUND)).round == 2


@pytest.mark.rule("CDG-030")
def test_the_round_does_not_end_in_the_middle_of_the_last_activation():
    scene = after(battle(mini("Ann", at=(1, 1)), mini("Bo", at=(2, 2))), ROUND)
    scene = after(activated(scene, "ann"), act("activate", "bo"))
    assert why_not(scene, ROUND) == "CDG-030"


@pytest.mark.rule("CDG-030")
def test_one_out_of_action_before_its_activation_is_not_waited_for():
    scene = after(
        battle(
            mini("Ann", at=(2, 2)),
            mini("Bo", at=(9, 0)),
            mini("Cy", at=(9, 2)),
            foe("Orc", at=(2, 1), hp=1, race="orc"),
            foe("Rat", at=(9, 9)),
        ),
        ROUND,
    )
    scene = after(scene, act("activate", "ann"))
    scene = after(scene, act("melee", "ann", "orc"), 5)
    scene = after(scene, act("melee", "ann", "orc", "fist"), 6)
    assert scene.token("orc").has("out")
    scene = after(scene, act("end", "ann"))
    for one, side in (("rat", "red"), ("bo", "blue"), ("cy", "blue")):
        assert turn(scene).sides == (side,)
        scene = after(after(scene, act("activate", one)), act("end", one))
    assert turn(scene).sides == ()


@pytest.mark.rule("CDG-031")
def test_initiative_is_not_worked_out_again_within_the_round():
    scene = after(
        battle(
            mini("Ann", at=(2, 2)),
            mini("Bo", at=(9, 0)),
            foe("Orc", at=(2, 1), hp=0),
            foe("Cur", at=(5, 5)),
            foe("Dog", at=(6, 6)),
        ),
        ROUND,
    )
    assert scene.conditions["first"] == "red"
    scene = activated(scene, "cur")
    scene = after(after(scene, act("activate", "ann")), act("melee", "ann", "orc"), 6)
    scene = after(scene, act("end", "ann"))
    assert turn(scene).sides == ("red",)
    assert scene.conditions["first"] == "red"


@pytest.mark.rule("CDG-031")
def test_initiative_is_worked_out_anew_each_round():
    scene = after(battle(mini("Ann", at=(2, 2)), mini("Bo", at=(9, 0)), foe("Orc", at=(5, 5))), ROUND)
    scene = activated(activated(activated(scene, "ann"), "orc"), "bo")
    scene = replace(scene, tokens=(*scene.tokens, foe("Cur", at=(7, 7)), foe("Dog", at=(8, 8))))
    assert first(activated(activated(scene, "cur"), "dog")) == "red"


@pytest.mark.rule("CDG-032")
def test_the_log_tells_of_activations_points_spent_and_weapons_used():
    archer = mini("Ann", at=(5, 9), hands=("bow",), armor="unarmored")
    scene = after(battle(archer, mini("Bo", at=(0, 0)), foe("Orc", at=(5, 4))), ROUND)
    assert log_text(scene, act("activate", "ann")) == "Ann is activated with 8 movement points."
    scene = after(scene, act("activate", "ann"))
    assert log_text(scene, act("move", "ann", at=(5, 8))).endswith("Cost: 1 of 8 movement points.")
    scene = after(scene, act("move", "ann", at=(5, 8)))
    assert " for 4 movement points" in log_text(scene, act("ranged", "ann", "orc", "bow"), 2)
    scene = after(scene, act("ranged", "ann", "orc", "bow"), 2)
    assert scene.token("ann").conditions["used"] == "bow"
    assert (
        log_text(scene, act("end", "ann"))
        == "Ann ends its activation with 3 movement points left; the next activation goes to Red."
    )


@pytest.mark.rule("CDG-032")
def test_the_last_activation_says_that_the_round_is_over():
    scene = after(battle(mini("Ann", at=(1, 1))), ROUND)
    scene = after(scene, act("activate", "ann"))
    assert log_text(scene, act("end", "ann")).endswith("the round is over.")


@pytest.mark.rule("CDG-024")
def test_an_undeployed_miniature_comes_in_by_the_edge_when_it_is_activated():
    scene = after(battle(mini("Late"), mini("Bo", at=(0, 0)), foe("Orc", at=(9, 9))), ROUND)
    scene = after(scene, act("activate", "late"))
    assert reach(scene, "late")[(0, 5)] == 1
    assert (5, 5) not in reach(scene, "late")
    assert judge(scene, "late", (0, 5), 90).cost == 1
    assert not judge(scene, "late", (0, 0)).allowed
    assert not judge(scene, "late", (5, 5)).allowed
    scene = after(scene, act("move", "late", at=(0, 5), facing=90))
    assert (scene.token("late").at, scene.token("late").facing) == ((0, 5), 90)
    assert scene.token("late").track("mp") == 5


@pytest.mark.rule("CDG-024")
def test_one_that_cannot_come_in_has_still_been_activated():
    scene = after(battle(mini("Late"), mini("Bo", at=(0, 0)), foe("Orc", at=(9, 9))), ROUND)
    scene = activated(scene, "late")
    assert why_not(scene, act("activate", "late")) is not None
    assert scene.token("late").has("activated")


@pytest.mark.rule("CDG-023")
def test_a_round_needs_miniatures():
    assert why_not(battle(), ROUND) == "CDG-019"


@pytest.mark.rule("CDG-023")
def test_the_result_of_a_roll_off_is_logged():
    scene = battle(mini("Ann", at=(1, 1)), foe("Orc", at=(9, 9)))
    assert (
        log_text(scene, ROUND, 2, 5)
        == "Round 1 begins; the first activation goes to Red.\nBlue 1, Red 1, dice 2, 5."
    )
    assert do(scene, ROUND, 3, 3, 6, 1).scene.conditions["first"] == "blue"


@pytest.mark.rule("CDG-021")
def test_weapons_attack_and_the_human_rerolls_once_in_each_round():
    board = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1), armor="heavy"))
    scene = after(after(after(board, ROUND, 6, 1), act("activate", "ann")), act("melee", "ann", "orc"), 1, 2)
    assert rerolls(scene, act("melee", "ann", "orc", "fist"), 1) == []
    scene = after(activated(after(scene, act("end", "ann")), "orc"), ROUND, 6, 1)
    assert rerolls(after(scene, act("activate", "ann")), act("melee", "ann", "orc"), 1, 2) == ["yes"]


def rerolls(scene, what, *dice):
    """Return the answers to the questions about rerolls in an act."""
    return [event.answer for event in do(scene, what, *dice).events if isinstance(event, ChoiceMade)]
