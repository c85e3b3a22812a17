"""Second-lives: Focus + Will, the ladder, focusing and control (DBL-037 to DBL-045, C-13, C-26)."""

from __future__ import annotations

import pytest

from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.rulesets.double_life.plans import default_stance, stances
from enfilade.rulesets.double_life.sight import can_reach_with_second_life, is_beyond_second_life
from enfilade.scene.model import Terrain, Wall
from tests.unit.rulesets.double_life.scenes import (
    acts_in,
    areas,
    card,
    character,
    dice,
    do,
    facts,
    fighter,
    foe,
    health,
    outcomes,
    play,
    poise,
    refused,
    scene,
    second_life,
    text_of,
)

CONTROLS = {"conditions": {"second-life": ""}}


def doubler(mastery=3, **sheet):
    """Ann with Focus 10 and Will 10, whose second-life has a D4 and reaches 5 cases; an orc 4 cases away."""
    return scene(fighter("ann", (3, 3), mastery=mastery, **sheet), foe("orc", (3, 7)))


@pytest.mark.rule("DBL-037", "DBL-038", "DBL-039", "DBL-040", "DBL-041")
@pytest.mark.parametrize(
    ("value", "band", "damage"),
    [
        (9, "total failure", None),
        (10, "bad", None),
        (15, "blah", 2),
        (20, "so-so", 3),
        (25, "good", 6),
        (30, "excellent", 9),
    ],
)
def test_a_focus_and_will_test_decides_the_damage_of_a_second_life(value, band, damage):
    board = doubler(focus=value - 5, will=5)
    done = play(board, {"ann": "focus orc"}, [20] if damage is None else [20, 3])
    assert acts_in(done) == [("second-life", "ann", "orc")]
    assert outcomes(done) == [("ann", band)]
    assert facts(done, "test")[0]["test"] == "focus"
    assert health(done.scene, "orc") == 20 - (damage or 0)
    assert poise(done.scene, "orc") == 5
    assert poise(done.scene, "ann") == 5


@pytest.mark.rule("DBL-037")
def test_a_defense_does_not_help_against_a_second_life():
    board = scene(fighter("ann", (3, 3), mastery=1), foe("orc", (3, 2)))
    done = play(board, {"ann": "focus orc", "orc": "defend front"}, [20, 1, 20, 2])
    assert facts(done, "attack")[0]["defenders"] == []
    assert facts(done, "attack")[0]["easy"] is False


def test_by_a_house_rule_the_value_is_the_mean():
    board = scene(
        fighter("ann", (3, 3), mastery=3, focus=11, will=8),
        foe("orc", (3, 7)),
        house_rules={"focus_test": "mean"},
    )
    assert facts(play(board, {"ann": "focus orc"}, [9, 1]), "test")[0]["value"] == 9


@pytest.mark.rule("DBL-042", "DBL-043")
def test_a_doubler_that_is_not_revealed_focuses_and_then_controls_its_second_life():
    board = doubler()
    keys = list(stances(board, character(board, "ann")))
    assert "focus orc" in keys
    assert not any(key.startswith("attack") for key in keys)
    assert card(board, "ann")["Second-life"] == "1D4, 5 cases, Focus + Will 20"
    done = play(board, {"ann": "focus orc"}, [20, 1])
    assert done.scene.token("ann").has("second-life")
    assert facts(done, "appears") == [{"token": "ann"}]
    assert "Ann's second-life appears." in text_of(board, done)
    keys = list(stances(done.scene, character(done.scene, "ann")))
    assert "attack 2 orc" in keys
    assert not any(key.startswith("focus") for key in keys)
    again = play(done.scene, {"ann": "attack 2 orc"}, [20, 1])
    assert acts_in(again) == [("second-life", "ann", "orc")]
    assert not facts(again, "appears")


@pytest.mark.rule("DBL-042")
@pytest.mark.parametrize(("value", "appears"), [(9, False), (14, False), (15, True)])
def test_a_second_life_that_misses_does_not_appear(value, appears):
    done = play(doubler(focus=value, will=0), {"ann": "focus orc"}, [20, *([1] if appears else [])])
    assert done.scene.token("ann").has("second-life") is appears


@pytest.mark.rule("DBL-042")
@pytest.mark.parametrize(("mastery", "focuses"), [(0, False), (1, True), (4, True), (5, False), (10, False)])
def test_a_revealed_doubler_needs_no_focus(mastery, focuses):
    board = scene(fighter("ann", (3, 3), mastery=mastery), foe("orc", (3, 2)))
    keys = list(stances(board, character(board, "ann")))
    assert ("focus orc" in keys) is focuses
    assert ("attack 2 orc" in keys) is (mastery >= 5)
    assert ("second-life" in {o.act.kind for o in DOUBLE_LIFE.offers(board, board.token("ann"))}) is (
        mastery > 0
    )


@pytest.mark.rule("DBL-044")
def test_a_focusing_character_is_an_easy_target_and_suffers_opportunity_attacks():
    board = scene(
        fighter("ann", (3, 3), mastery=3), foe("orc", (3, 2)), foe("owl", (4, 3)), foe("far", (9, 9))
    )
    plans = {"ann": "focus orc", "orc": "attack 1 ann", "owl": "defend front"}
    done = play(board, plans, [20, 1, 20, 2, 20, 3])
    assert acts_in(done) == [
        ("second-life", "ann", "orc"),
        ("attack", "orc", "ann"),
        ("opportunity attack", "owl", "ann"),
    ]
    assert [one["easy"] for one in facts(done, "attack")] == [False, True, True]
    assert health(done.scene, "ann") == 15


@pytest.mark.rule("DBL-045")
@pytest.mark.parametrize(("thrown", "is_kept"), [(12, True), (13, False)])
def test_each_attack_on_a_character_that_controls_a_second_life_forces_a_focus_test(thrown, is_kept):
    board = scene(fighter("ann", (3, 3), mastery=3, focus=6, will=6, **CONTROLS), foe("orc", (3, 2)))
    done = play(board, {"orc": "attack 1 ann"}, [11, 10, thrown])
    tests = [(t["token"], t["test"], t["value"]) for t in facts(done, "test")]
    assert tests[-1] == ("ann", "focus", 12)
    assert facts(done, "control") == [{"token": "ann", "is_kept": is_kept}]
    assert done.scene.token("ann").has("second-life") is is_kept


@pytest.mark.rule("DBL-045")
def test_two_attacks_force_two_tests_and_a_lost_second_life_none():
    board = scene(fighter("ann", (3, 3), mastery=3, **CONTROLS), foe("orc", (3, 2)), foe("owl", (4, 2)))
    plans = {"orc": "attack 1 ann", "owl": "attack 1 ann"}
    done = play(board, plans, [11, 10, 11, 10, 1, 1])
    assert len(facts(done, "control")) == 2
    weak = scene(
        fighter("ann", (3, 3), mastery=3, focus=0, will=0, **CONTROLS), foe("orc", (3, 2)), foe("owl", (4, 2))
    )
    done = play(weak, plans, [11, 10, 11, 10, 1])
    assert len(facts(done, "control")) == 1


def test_a_second_life_attack_forces_a_focus_test_too():
    board = scene(fighter("ann", (3, 3), mastery=3, **CONTROLS), foe("orc", (3, 6), mastery=5))
    done = play(board, {"orc": "attack 2 ann"}, [20, 1, 1, 1])
    assert len(facts(done, "control")) == 1


MASTERIES = [(1, 1, "1D2"), (2, 3, "1D3"), (3, 5, "1D4"), (4, 10, "1D6"), (5, 20, "2D4"), (6, 50, "2D6")]


@pytest.mark.parametrize(
    ("mastery", "reach", "damage"),
    [*MASTERIES, (7, 100, "2D8"), (8, 500, "3D6"), (9, 100_000, "3D8"), (10, 100_000, "4D6")],
)
def test_the_ranks_of_mastery_have_their_reach_and_damage(mastery, reach, damage):
    board = doubler(mastery)
    assert card(board, "ann")["Second-life"] == f"{damage}, {reach} cases, Focus + Will 20"


@pytest.mark.parametrize(("meters", "is_reached"), [(1, True), (2, False)])
def test_the_reach_is_in_meters(meters, is_reached):
    board = scene(fighter("ann", (3, 3), mastery=3), foe("orc", (3, 7)), house_rules={"case_meters": meters})
    assert (refused(board, second_life("ann", "orc")) == "") is is_reached
    near = scene(fighter("ann", (3, 3), mastery=1), foe("orc", (3, 4)), house_rules={"case_meters": 2})
    assert refused(near, second_life("ann", "orc")) == ""


def test_a_second_life_needs_a_clear_line_within_its_reach():
    assert refused(doubler(), second_life("ann", "orc")) == ""
    assert refused(doubler(2), second_life("ann", "orc")) == "DBL-037"
    assert refused(doubler(0), second_life("ann", "orc")) == "DBL-042"
    down = doubler(conditions={"fallen": "1"})
    assert refused(down, second_life("ann", "orc")) == "DBL-009"
    wall = Wall("w", (0, 5 * 64, 10 * 64, 5 * 64))
    ann, orc = fighter("ann", (3, 3), mastery=3), foe("orc", (3, 7))
    board = scene(ann, orc, walls=(wall,))
    assert refused(board, second_life("ann", "orc")) == "DBL-037"
    found = DOUBLE_LIFE.sight(board, board.token("ann"), board.token("orc"))
    assert (found.is_seen, found.why, found.distance) == (False, "a wall is in between.", "4 cases")
    assert found.blocker.id == "w"
    door = Wall("w", (0, 5 * 64, 10 * 64, 5 * 64), door="door")
    board = scene(ann, orc, walls=(door,))
    assert DOUBLE_LIFE.sight(board, board.token("ann"), board.token("orc")).blocker.kind == "door"
    wood = Terrain("wood", "Wood", tuple((x, 5) for x in range(10)), 1, blocks_sight=True)
    board = scene(ann, orc, terrain=(wood,))
    found = DOUBLE_LIFE.sight(board, board.token("ann"), board.token("orc"))
    assert (found.blocker.kind, found.blocker.id, found.why) == ("terrain", "wood", "Wood is in between.")
    clear = DOUBLE_LIFE.sight(doubler(), doubler().token("ann"), doubler().token("orc"))
    assert (clear.is_seen, clear.why, clear.blocker) == (True, "", None)
    alone = scene(fighter("ann", (3, 3)), foe("orc"))
    assert DOUBLE_LIFE.sight(alone, alone.token("ann"), alone.token("orc")).is_seen is None
    assert DOUBLE_LIFE.sight(alone, alone.token("ann"), alone.token("ann")).is_seen is None


def test_a_single_second_life_attack_is_resolved():
    done = do(doubler(focus=15), second_life("ann", "orc"), [20, 3])
    assert (done.result.result, done.result.damage) == ("good", 6)
    assert done.scene.token("ann").has("second-life")
    assert dice(done) == [("d20", [20]), ("d4", [3])]


def test_the_default_of_a_doubler_is_to_focus_on_an_enemy_out_of_contact():
    board = doubler()
    assert default_stance(board, character(board, "ann")) == "focus orc"
    assert areas(board, "ann", "ranges")["Second-life, 5 cases"] == {(3, 7)}
    far = scene(fighter("ann", (3, 3), mastery=2), foe("orc", (3, 7)))
    assert default_stance(far, character(far, "ann")) == "defend front"
    assert areas(far, "ann", "ranges")["Second-life, 3 cases"] == set()


@pytest.mark.rule("DBL-045")
def test_an_attack_on_a_revealed_doubler_that_attacks_with_its_second_life_forces_a_focus_test():
    # "Any attack while controlling a second-life": one that need not focus to have it was never tested.
    board = scene(fighter("ann", (3, 3), mastery=5), foe("orc", (3, 2), attack=14))
    done = play(board, {"ann": "attack 2 orc", "orc": "attack 1 ann"}, [10, 3, 3, 10, 3, 11])
    tests = [(one["token"], one["test"]) for one in facts(done, "test")]
    assert tests == [("ann", "focus"), ("orc", "attack"), ("ann", "focus")]
    assert facts(done, "control") == [{"token": "ann", "is_kept": True}]
    assert done.scene.token("ann").has("second-life")
    again = play(done.scene, {"orc": "attack 1 ann"}, [10, 3, 10])
    assert facts(again, "control") == [{"token": "ann", "is_kept": True}]


@pytest.mark.rule("DBL-019", "DBL-037")
@pytest.mark.parametrize("value", [0, 10])
def test_a_second_life_attack_does_not_miss_one_that_flees(value):
    # "Automatically sustain the attack of an attacking opponent": a test of -10 missed.
    board = scene(
        fighter("ann", (3, 3), mastery=5, focus=value, will=0),
        fighter("bob", (5, 6)),
        foe("orc", (5, 5)),
        house_rules={"surrounded": "no free case"},
    )
    done = play(board, {"ann": "attack 2 orc", "orc": ("attack 1 bob", "flee 5,3", "keep")}, [20, 1, 1, 20])
    assert [one["easy"] for one in facts(done, "attack") if one["act"] == "second-life"] == [True]
    assert health(done.scene, "orc") < 20


@pytest.mark.rule("DBL-042")
def test_a_doubler_with_nobody_in_reach_may_focus():
    # "They must focus to make their second-life appear": without a target no one could.
    board = scene(fighter("ann", (3, 3), mastery=1), foe("orc", (9, 9)))
    assert "focus" in stances(board, character(board, "ann"))
    done = play(board, {"ann": "focus"}, [20])
    assert done.scene.token("ann").has("second-life")
    assert "focus" in text_of(board, done).lower()
    weak = scene(fighter("ann", (3, 3), mastery=1, focus=0, will=0), foe("orc", (9, 9)))
    assert not play(weak, {"ann": "focus"}, [5]).scene.token("ann").has("second-life")
    near = scene(fighter("ann", (3, 3), mastery=1), foe("orc", (3, 4)))
    assert "focus" not in stances(near, character(near, "ann"))


def test_a_second_life_reaches_nobody_who_is_off_the_board_and_nobody_off_it_reaches_another():
    board = scene(fighter("ann", (3, 3), mastery=3), foe("orc", None))
    ann, orc = character(board, "ann"), character(board, "orc")
    assert is_beyond_second_life(board, ann, orc)
    assert is_beyond_second_life(board, orc, ann)
    assert not can_reach_with_second_life(board, ann, orc)
