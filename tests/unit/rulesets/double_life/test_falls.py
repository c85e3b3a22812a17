"""Losing and regaining footing (DBL-008 to DBL-010, C-2, C-5, C-20, C-21)."""

from __future__ import annotations

import pytest

from enfilade.rulesets.double_life.plans import is_able
from tests.unit.rulesets.double_life.scenes import (
    attack,
    character,
    facts,
    fighter,
    foe,
    health,
    outcomes,
    play,
    poise,
    scene,
)


def fallen_orc(**sheet):
    """An orc on the ground since round 1, in round 1, beside Ann."""
    down = {"conditions": {"fallen": "1"}, "tracks": {"poise": 0}, **sheet}
    return scene(fighter("ann", (3, 3)), foe("orc", (3, 2), **down), number=1)


@pytest.mark.rule("DBL-008", "DBL-009", "DBL-010")
def test_dbl_t13_a_character_without_poise_falls_misses_a_round_and_tests_agility():
    board = scene(fighter("ann", (3, 3), attack=15), foe("orc", (3, 2), tracks={"poise": 2}))
    done = play(board, {"ann": "attack 1 orc"}, [10, 10, 1])
    assert outcomes(done) == [("ann", "good")]
    assert poise(done.scene, "orc") == 0
    assert done.scene.token("orc").conditions["fallen"] == "1"
    assert facts(done, "fall") == [{"token": "orc"}]
    assert not facts(done, "footing")
    assert not is_able(character(done.scene, "orc"))

    after = play(done.scene, {}, [10])
    assert [t["test"] for t in facts(after, "test")] == ["agility"]
    assert facts(after, "footing") == [{"token": "orc", "is_up": True}]
    assert not after.scene.token("orc").has("fallen")
    assert poise(after.scene, "orc") == 3


@pytest.mark.rule("DBL-009")
def test_a_fallen_character_is_hit_at_least_so_so_and_does_not_defend():
    done = play(fallen_orc(), {"ann": "attack 1 orc"}, [20, 3, 10])
    assert facts(done, "attack")[0]["easy"]
    assert facts(done, "outcome")[0] == {"token": "ann", "difference": 0, "band": "so-so"}
    assert health(done.scene, "orc") == 17
    assert poise(done.scene, "orc") == 3


def test_an_easy_target_is_hit_better_by_a_better_test():
    done = play(fallen_orc(), {"ann": "attack 1 orc"}, [5, 3, 10])
    assert outcomes(done) == [("ann", "good")]


@pytest.mark.rule("DBL-010")
@pytest.mark.parametrize(("thrown", "is_up"), [(10, True), (11, False)])
def test_a_result_of_0_regains_the_footing(thrown, is_up):
    done = play(fallen_orc(), {}, [thrown])
    assert facts(done, "footing") == [{"token": "orc", "is_up": is_up}]
    assert done.scene.token("orc").has("fallen") is not is_up
    again = play(done.scene, {}, [10] if not is_up else [])
    assert len(facts(again, "footing")) == (not is_up)


@pytest.mark.parametrize(("kept", "left"), [("half", 3), ("one", 1), ("all", 5)])
def test_the_poise_after_a_fall_is_a_house_rule(kept, left):
    board = scene(
        fighter("ann", (3, 3)),
        foe("orc", (3, 2), conditions={"fallen": "1"}, tracks={"poise": 0}),
        house_rules={"poise_after_fall": kept},
        number=1,
    )
    assert poise(play(board, {}, [1]).scene, "orc") == left


@pytest.mark.parametrize(
    ("strength", "agility", "half"), [(4, 4, 1), (8, 4, 2), (8, 8, 2), (12, 12, 3), (16, 16, 4)]
)
def test_half_the_poise_is_rounded_up(strength, agility, half):
    board = fallen_orc(strength=strength, agility=agility)
    assert poise(play(board, {}, [1]).scene, "orc") == half


WITHOUT_POISE = {"poise": False}


def without_poise(difference, *faces, difficulty=None, agility=10):
    rules = {**WITHOUT_POISE, **({"difficulty": difficulty} if difficulty else {})}
    board = scene(
        fighter("ann", (3, 3), attack=20 + difference, agility=agility),
        foe("orc", (3, 2), agility=agility),
        house_rules=rules,
    )
    return play(board, {"ann": "attack 1 orc"}, [20, 10, *faces])


@pytest.mark.rule("DBL-028", "DBL-029", "DBL-032", "DBL-033")
@pytest.mark.parametrize(
    ("difference", "who", "value", "before"),
    [
        (-10, "ann", 15, [20]),
        (-6, "ann", 15, [20]),
        (5, "orc", 10, [1]),
        (9, "orc", 10, [1]),
        (10, "orc", 5, [1]),
    ],
)
def test_without_poise_the_loser_tests_agility_or_falls(difference, who, value, before):
    # Before the test come the counter-attack, which is Bad here, or the damage; a Bad one costs a test too.
    is_counter = difference < 0
    rest = [1] if is_counter else []
    done = without_poise(difference, *before, value + 1, *rest)
    tests = [t for t in facts(done, "test") if t["test"] == "agility"]
    assert (tests[0]["token"], tests[0]["value"], tests[0]["score"]) == (who, value, -1)
    assert done.scene.token(who).has("fallen")
    assert poise(done.scene, who) == 5
    assert not facts(done, "poise")
    safe = without_poise(difference, *before, value, *rest)
    assert not safe.scene.token(who).has("fallen")


def test_without_poise_a_total_failure_needs_a_normal_agility_test():
    board = scene(fighter("ann", (3, 3), attack=1), foe("orc", (3, 2), defense=10), house_rules=WITHOUT_POISE)
    done = play(board, {"ann": "attack 1 orc"}, [12, 10, 11, 11])
    tests = [(t["token"], t["value"]) for t in facts(done, "test") if t["test"] == "agility"]
    assert tests == [("ann", 10)]
    assert done.scene.token("ann").has("fallen")


@pytest.mark.parametrize("difference", [-5, -1, 0, 4])
def test_without_poise_blah_and_so_so_need_no_test(difference):
    done = without_poise(difference, *([1] if difference >= 0 else []))
    assert all(t["test"] != "agility" for t in facts(done, "test"))


def test_as_written_an_easy_test_is_harder():
    done = without_poise(-6, 20, 6, 1, difficulty="as written")
    tests = [t for t in facts(done, "test") if t["test"] == "agility"]
    assert (tests[0]["value"], tests[0]["band"]) == (5, "blah")
    done = without_poise(10, 1, 15, difficulty="as written")
    assert facts(done, "test")[-1]["value"] == 15
    assert not done.scene.token("orc").has("fallen")


def test_without_poise_a_second_failed_test_is_not_rolled():
    rules = WITHOUT_POISE
    board = scene(
        fighter("ann", (3, 3), attack=15),
        fighter("bob", (4, 3), attack=15),
        foe("orc", (3, 2)),
        house_rules=rules,
    )
    plans = {"ann": "attack 1 orc", "bob": "attack 1 orc", "orc": "defend front"}
    done = play(board, plans, [10, 10, 1, 10, 10, 1, 11])
    assert [t["test"] for t in facts(done, "test")].count("agility") == 1
    passed = play(board, plans, [10, 10, 1, 10, 10, 1, 10, 11])
    assert [t["test"] for t in facts(passed, "test")].count("agility") == 2
    assert passed.scene.token("orc").has("fallen")


def test_without_poise_standing_up_leaves_poise_alone():
    board = scene(
        fighter("ann", (3, 3)),
        foe("orc", (3, 2), conditions={"fallen": "1"}, tracks={"poise": 2}),
        house_rules=WITHOUT_POISE,
        number=1,
    )
    done = play(board, {}, [1])
    assert not done.scene.token("orc").has("fallen")
    assert poise(done.scene, "orc") == 2


@pytest.mark.rule("DBL-022")
def test_poise_changes_of_a_phase_come_together():
    # The orc loses 3 to Ann and gains 2 from Bob's Total Failure: of 3 it keeps 2 and does not fall.
    board = scene(
        fighter("ann", (3, 3), attack=20),
        fighter("bob", (2, 3), attack=1),
        foe("orc", (3, 2), facing=180, tracks={"poise": 3}),
    )
    plans = {"ann": "attack 1 orc", "bob": "attack 1 orc"}
    done = play(board, plans, [10, 10, 1, 13, 10, 11])
    assert outcomes(done) == [("ann", "excellent"), ("bob", "total failure"), ("orc", "blah")]
    assert poise(done.scene, "orc") == 1
    assert not done.scene.token("orc").has("fallen")


@pytest.mark.parametrize(("start", "falls_down"), [(1, True), (2, False)])
def test_it_falls_at_0_and_not_above(start, falls_down):
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2), tracks={"poise": start}))
    done = play(board, {"ann": "attack 1 orc"}, [10, 10, 1])
    assert done.scene.token("orc").has("fallen") is falls_down


def test_a_dead_character_does_not_fall():
    board = scene(fighter("ann", (3, 3), attack=20), foe("orc", (3, 2), health=1, tracks={"poise": 1}))
    done = play(board, {"ann": "attack 1 orc"}, [10, 10, 1])
    assert done.scene.token("orc").has("out")
    assert not done.scene.token("orc").has("fallen")
    assert not facts(done, "fall")


def test_a_fallen_attacker_is_refused():
    board = fallen_orc()
    assert not is_able(character(board, "orc"))
    assert attack("orc", "ann").kind == "attack"


def test_a_character_on_its_feet_without_poise_falls_at_the_end_of_the_phase():
    board = scene(fighter("ann", (3, 3), tracks={"poise": 0}), foe("orc", (8, 8)))
    done = play(board, {})
    assert facts(done, "fall") == [{"token": "ann"}]
