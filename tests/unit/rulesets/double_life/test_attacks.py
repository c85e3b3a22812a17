"""Attack and defense: tests, outcomes, counter-attacks and poise (DBL-011 to DBL-016, DBL-025 to DBL-036)."""

from __future__ import annotations

import pytest

from tests.unit.rulesets.double_life.scenes import (
    NORTH,
    SWORD,
    acts_in,
    attack,
    dice,
    do,
    facts,
    fighter,
    foe,
    health,
    outcomes,
    plan,
    play,
    poise,
    refused,
    scene,
    text_of,
)


def duel(house_rules=None, mine=(), theirs=()):
    """Ann attacks an orc that faces her, both with a poise of 3 of 5."""
    shaken = {"poise": 3}
    return scene(
        fighter("ann", (3, 3), tracks=shaken, **dict(mine)),
        foe("orc", (3, 2), tracks=shaken, **dict(theirs)),
        house_rules=house_rules,
    )


def strike(difference, *more, house_rules=None):
    """Play a round in which Ann attacks the defending orc with an outcome; `more` are the dice after it."""
    board = duel(house_rules, mine={"attack": 20 + difference})
    return play(board, {"ann": "attack 1 orc"}, [20, 10, *more])


@pytest.mark.rule("DBL-012", "DBL-025", "DBL-026", "DBL-027", "DBL-056")
def test_the_outcome_is_the_attack_test_minus_the_defense_test():
    board = duel(mine={"attack": 14}, theirs={"defense": 12})
    done = play(board, {"ann": "attack 1 orc"}, [9, 5])
    tests = [(t["token"], t["test"], t["value"], t["throw"], t["score"]) for t in facts(done, "test")]
    assert tests == [("ann", "attack", 14, 9, 5), ("orc", "defense", 12, 5, 7)]
    assert facts(done, "outcome") == [{"token": "ann", "difference": -2, "band": "blah"}]


TABLE = [
    (-12, "total failure", -3, 2, True),
    (-11, "total failure", -3, 2, True),
    (-10, "bad", -2, 1, True),
    (-6, "bad", -2, 1, True),
    (-5, "blah", -1, 0, False),
    (-1, "blah", -1, 0, False),
    (0, "so-so", 0, -1, False),
    (4, "so-so", 0, -1, False),
    (5, "good", 1, -2, False),
    (9, "good", 1, -2, False),
    (10, "excellent", 2, -3, False),
]


@pytest.mark.rule(
    "DBL-006",
    "DBL-007",
    "DBL-016",
    "DBL-028",
    "DBL-029",
    "DBL-030",
    "DBL-031",
    "DBL-032",
    "DBL-033",
)
@pytest.mark.parametrize(("difference", "band", "mine", "theirs", "counters"), TABLE)
def test_dbl_t01_to_t06_the_table_of_attack_against_defense(difference, band, mine, theirs, counters):
    is_hit = difference >= 0
    # A counter-attack of So-so costs its target one more poise, and no one gains.
    done = strike(difference, *([10, 1] if counters else [4] if is_hit else []))
    assert outcomes(done)[0] == ("ann", band)
    assert acts_in(done)[1:] == ([("counter-attack", "orc", "ann")] if counters else [])
    assert poise(done.scene, "ann") == max(0, min(5, 3 + mine - counters))
    assert poise(done.scene, "orc") == max(0, min(5, 3 + theirs))
    assert health(done.scene, "orc") == (16 if is_hit else 20)
    assert health(done.scene, "ann") == (19 if counters else 20)


@pytest.mark.rule("DBL-005")
@pytest.mark.parametrize(("strength", "agility", "start"), [(10, 10, 5), (10, 9, 4), (3, 0, 1), (0, 0, 1)])
def test_poise_starts_at_a_quarter_of_strength_and_agility(strength, agility, start):
    board = scene(fighter("ann", (3, 3), strength=strength, agility=agility))
    assert poise(board, "ann") == start
    assert board.token("ann").tracks["poise"] == start


def test_poise_never_exceeds_its_start():
    board = scene(fighter("ann", (3, 3), attack=20), foe("orc", (3, 2)))
    done = play(board, {"ann": "attack 1 orc"}, [10, 10, 1])
    assert poise(done.scene, "ann") == 5
    assert poise(done.scene, "orc") == 2


@pytest.mark.rule("DBL-011", "DBL-012")
def test_an_attack_names_its_weapon_and_targets_with_one_test_for_each():
    weapons = [SWORD, {"name": "Axe", "dice": 2, "sides": 4, "bonus": 1}]
    board = scene(
        fighter("ann", (3, 3), weapons=weapons), foe("orc", (3, 2)), foe("owl", (4, 2), facing=180 + 45)
    )
    done = play(board, {"ann": "attack 2 orc,owl"}, [10, 10, 2, 3, 12, 10])
    assert acts_in(done) == [("attack", "ann", "orc"), ("attack", "ann", "owl")]
    assert [one["weapon"] for one in facts(done, "attack")] == ["Axe", "Axe"]
    assert dice(done) == [
        ("d20", [10]),
        ("d20", [10]),
        ("d4", [2, 3]),
        ("d20", [12]),
        ("d20", [10]),
    ]
    assert health(done.scene, "orc") == 14


@pytest.mark.rule("DBL-013")
def test_an_attacker_does_not_defend_and_suffers_each_successful_attack():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)), foe("owl", (3, 4), NORTH))
    plans = {"ann": "attack 1 owl", "orc": "attack 1 ann", "owl": "defend front"}
    done = play(board, plans, [14, 10, 10, 3])
    assert [t["test"] for t in facts(done, "test")] == ["attack", "defense", "attack"]
    assert facts(done, "attack")[1]["defenders"] == []
    assert health(done.scene, "ann") == 17


@pytest.mark.rule("DBL-034", "DBL-035", "DBL-036")
def test_dbl_t09_attack_against_attack_both_succeed_and_both_may_die():
    board = duel(mine={"health": 3}, theirs={"health": 2})
    done = play(board, {"ann": "attack 1 orc", "orc": "attack 1 ann"}, [10, 6, 9, 5])
    assert outcomes(done) == [("ann", "so-so"), ("orc", "so-so")]
    assert [t["test"] for t in facts(done, "test")] == ["attack", "attack"]
    assert [token.has("out") for token in done.scene.tokens] == [True, True]
    assert [token.at for token in done.scene.tokens] == [None, None]
    assert done.scene.conditions["won"] == ""


@pytest.mark.rule("DBL-034")
def test_an_attack_against_an_attacker_succeeds_from_a_test_of_0():
    plans = {"ann": "attack 1 orc", "orc": "attack 1 ann"}
    done = play(duel(), plans, [11, 10, 1])
    assert outcomes(done) == [("ann", "blah"), ("orc", "so-so")]
    assert (health(done.scene, "ann"), health(done.scene, "orc")) == (19, 20)


def test_an_attack_against_an_attacker_changes_poise_but_brings_no_counter_attack():
    board = duel(mine={"attack": 5})
    done = play(board, {"ann": "attack 1 orc", "orc": "attack 1 ann"}, [12, 4, 1])
    assert outcomes(done) == [("ann", "bad"), ("orc", "good")]
    assert len(acts_in(done)) == 2
    assert poise(done.scene, "ann") == 0
    assert poise(done.scene, "orc") == 4


@pytest.mark.rule("DBL-016")
def test_a_counter_attack_is_a_test_without_defense_and_has_no_counter_attack():
    done = play(duel(mine={"attack": 1}), {"ann": "attack 1 orc"}, [15, 10, 20])
    assert outcomes(done) == [("ann", "total failure"), ("orc", "bad")]
    assert facts(done, "attack")[1]["defenders"] == []
    # The orc gains 2 for its defense and loses 2 for its Bad counter-attack.
    assert poise(done.scene, "orc") == 3


@pytest.mark.rule("DBL-016")
def test_by_a_house_rule_defenders_are_asked_to_counter_attack():
    board = duel({"counter_attacks": "ask"}, mine={"attack": 5})
    plans = {"ann": "attack 1 orc"}
    assert len(acts_in(play(board, plans, [12, 10, 10, 4], extra=["yes"]))) == 2
    assert len(acts_in(play(board, plans, [12, 10], extra=["no"]))) == 1


def test_a_character_without_weapons_does_not_counter_attack():
    done = play(duel(mine={"attack": 5}, theirs={"weapons": []}), {"ann": "attack 1 orc"}, [12, 10])
    assert acts_in(done) == [("attack", "ann", "orc")]


def test_a_counter_attack_uses_the_weapon_with_the_most_damage():
    weapons = [SWORD, {"name": "Axe", "dice": 1, "sides": 4, "bonus": 2}, {"name": "Pin", "sides": 2}]
    done = play(
        duel(mine={"attack": 5}, theirs={"weapons": weapons}), {"ann": "attack 1 orc"}, [12, 10, 10, 1]
    )
    assert facts(done, "attack")[1]["weapon"] == "Axe"
    assert health(done.scene, "ann") == 17


def test_by_a_house_rule_weapons_do_more_damage_in_better_bands():
    for difference, damage in ((0, 3), (5, 6), (10, 9)):
        done = strike(difference, 3, house_rules={"weapon_ladder": True})
        assert health(done.scene, "orc") == 20 - damage
    assert len(dice(strike(-1, house_rules={"weapon_ladder": True}))) == 2


def test_a_weapon_does_no_less_than_0_damage():
    dull = {"name": "Feather", "dice": 1, "sides": 2, "bonus": -3}
    done = play(duel(mine={"weapons": [dull]}), {"ann": "attack 1 orc"}, [10, 10, 1])
    assert health(done.scene, "orc") == 20
    assert not facts(done, "wound")


def test_attack_and_defense_are_half_of_agility_and_perception_without_values_of_their_own():
    sheet = {"attack": 0, "defense": 0, "agility": 8, "perception": 7, "experience": {"agility": 6}}
    done = play(duel(mine=sheet, theirs=sheet), {"ann": "attack 1 orc"}, [10, 9])
    assert [t["value"] for t in facts(done, "test")] == [9, 9]


@pytest.mark.rule("DBL-003", "DBL-011")
@pytest.mark.parametrize(
    ("act", "rule"),
    [
        (attack("ann", "orc"), ""),
        (attack("ann", "orc", "Spoon"), "DBL-011"),
        (attack("ann", "ann"), "DBL-011"),
        (attack("ann", "far"), "DBL-052"),
        (attack("ann", "gone"), "DBL-052"),
        (attack("down", "orc"), "DBL-009"),
    ],
)
def test_a_single_attack_is_refused_with_its_rule(act, rule):
    board = scene(
        fighter("ann", (3, 3)),
        fighter("down", (2, 3), conditions={"fallen": "1"}),
        foe("orc", (3, 2)),
        foe("far", (8, 8)),
        foe("gone"),
    )
    assert refused(board, act) == rule


@pytest.mark.parametrize(
    ("stance", "tests", "easy"),
    [
        ("defends the front", ["attack", "defense"], False),
        ("defends the left", ["attack"], False),
        ("attacks", ["attack"], False),
        ("easy target", ["attack"], True),
    ],
)
def test_a_single_attack_is_resolved_against_a_stance(stance, tests, easy):
    done = do(duel(), attack("ann", "orc", stance=stance), [14, 15, 4] if len(tests) == 2 else [10, 4])
    assert [t["test"] for t in facts(done, "test")] == tests
    assert facts(done, "attack")[0]["easy"] is easy
    assert health(done.scene, "orc") == 16
    assert (done.result.result, done.result.damage, done.result.leaves) == ("so-so", 4, "")


def test_a_single_attack_says_that_it_kills_and_ends_the_fight():
    board = duel(theirs={"health": 4})
    done = do(board, attack("ann", "orc", stance="attacks"), [10, 6])
    assert (done.result.damage, done.result.leaves) == (4, "dead")
    assert done.scene.conditions["won"] == "blue"
    assert poise(done.scene, "ann") == 3


def test_a_single_attack_is_answered_by_a_counter_attack():
    done = do(duel(mine={"attack": 5}), attack("ann", "orc"), [12, 10, 10, 2])
    assert acts_in(done) == [("attack", "ann", "orc"), ("counter-attack", "orc", "ann")]
    assert health(done.scene, "ann") == 18


def test_plans_default_to_the_front_defense():
    assert plan() == ("defend front", "stay", "keep")


def test_without_an_answer_a_defender_that_is_asked_counter_attacks():
    board = duel({"counter_attacks": "ask"}, mine={"attack": 5})
    done = play(board, {"ann": "attack 1 orc"}, [12, 10, 10, 4])
    assert acts_in(done)[1:] == [("counter-attack", "orc", "ann")]


def test_the_log_says_that_a_defender_does_not_counter_attack():
    board = duel({"counter_attacks": "ask"}, mine={"attack": 5})
    done = play(board, {"ann": "attack 1 orc"}, [12, 10], extra=["no"])
    assert "Orc counter-attacks Ann with Sword? No." in text_of(board, done)
    assert "attack or defend?" not in text_of(board, done)


def test_the_change_of_poise_is_explained():
    done = strike(5, 1)
    assert facts(done, "poise") == [
        {"token": "ann", "change": 1, "left": 4},
        {"token": "orc", "change": -2, "left": 1},
    ]
    assert facts(done, "wound") == [{"token": "orc", "damage": 1, "left": 19}]
    assert facts(done, "damage") == [{"dice": 1, "bonus": 0, "part": "1", "damage": 1}]


def test_the_log_names_defenders_easy_targets_and_damage():
    board = duel()
    done = play(board, {"ann": "attack 1 orc"}, [5, 10, 4])
    assert text_of(board, done) == (
        "Round 1. Ann: attacks Orc with Sword. Orc: defends the front. Ann attacks Orc with Sword. "
        "Orc defends. Good. Orc loses 4 Health, 16 left.\n"
        "Ann, attack 10 - 5 (5) = 5, Good. Orc, defense 10 - 10 (10) = 0, So-so. "
        "Difference +5: Good. Damage 4: 4. Ann: poise +1, now 4. Orc: poise -2, now 1."
    )
    done = do(board, attack("ann", "orc", stance="easy target"), [20, 2])
    assert "Orc is an easy target." in text_of(board, done)
    assert "A fumble." in text_of(board, done)
    done = do(duel({"weapon_ladder": True}), attack("ann", "orc", stance="attacks"), [1, 2])
    assert "A critical throw." in text_of(board, done)
    assert "Damage 2 x 2: 4." in text_of(board, done)


def test_an_excellent_attack_gains_two_and_takes_three():
    board = scene(
        fighter("ann", (3, 3), attack=20, tracks={"poise": 1}), foe("orc", (3, 2), tracks={"poise": 5})
    )
    done = play(board, {"ann": "attack 1 orc"}, [10, 10, 1])
    assert (poise(done.scene, "ann"), poise(done.scene, "orc")) == (3, 2)


def test_acts_with_a_stance_can_be_compared_and_kept():
    assert len({attack("ann", "orc"), attack("ann", "orc"), attack("ann", "orc", stance="attacks")}) == 2
