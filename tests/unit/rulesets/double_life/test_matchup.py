"""The odds of a plan against each likely plan of one opponent are those of the round (DBL-003, DBL-021)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from enfilade.rules.dice import SeededDice
from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, resolve
from enfilade.rulesets.double_life.combat.odds import MATCHUP, exchange, likely_answers
from enfilade.rulesets.double_life.offers import ACTS
from tests.unit.rulesets.double_life.scenes import fighter, foe, health, plan, scene

AXE = {"name": "Axe", "dice": 1, "sides": 8}

PAIRS = {
    "attack against defense": (plan("attack 1 orc"), plan("defend front")),
    "attack against a side": (plan("attack 1 orc"), plan("defend left")),
    "attack against attack": (plan("attack 1 orc"), plan("attack 1 ann")),
    "defense against attack": (plan("defend front"), plan("attack 1 ann")),
    "flight from a defender": (plan("defend front", "flee 3,5"), plan("defend front")),
    "flight from an attacker": (plan("defend front", "flee 3,5"), plan("attack 1 ann")),
    "focus against attack": (plan("focus orc"), plan("attack 1 ann")),
    "focus beside a defender": (plan("focus orc"), plan("defend front")),
}


def pair(**orc):
    """Ann, a doubler, and an orc in contact; both may fall or die in one round."""
    sheet = {"tracks": {"poise": 2}, "health": 5}
    return scene(fighter("ann", (3, 3), mastery=3, attack=6, **sheet), foe("orc", (3, 2), **{**sheet, **orc}))


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("rules", [{}, {"poise": False}], ids=["poise", "no poise"])
def test_an_exchange_comes_to_what_the_round_comes_to(name, rules):
    mine, its = PAIRS[name]
    board = scene(*pair().tokens, house_rules=rules)
    seen = set()
    for seed in range(40):
        found = resolve(board, exchange, ("ann", mine, "orc", its), Answers(dice=SeededDice(seed))).result
        played = Answers(dice=SeededDice(seed), decisions=[*mine, *its])
        after = resolve(board, ACTS["round"].procedure, (Act(kind="round"),), played).scene
        expected = []
        for token in ("orc", "ann"):
            is_out = after.token(token).has("out")
            expected.append((5 - health(after, token), is_out or after.token(token).has("fallen"), is_out))
        said = [(found[i + 1], found[i + 2], found[i + 3]) for i in (0, 4)]
        for (damage, is_down, is_dead), (lost, was_down, was_dead) in zip(said, expected, strict=True):
            assert (damage, bool(is_dead)) == (lost, was_dead)
            assert was_down == bool(is_down or is_dead)
        assert all(found[i] or not found[i + 1] for i in (0, 4))
        seen.add(found)
    assert len(seen) > 2


def test_the_chances_of_a_hit_are_counted_by_hand():
    board = scene(fighter("ann", (3, 3)), foe("orc", (3, 2)))
    found = odds(board, exchange, ("ann", plan("attack 1 orc"), "orc", plan("defend front")))
    assert found.is_exact
    chance = sum((p for numbers, p in found.chances.items() if numbers[0]), Fraction(0))
    assert chance == Fraction(sum(a <= d for a in range(1, 21) for d in range(1, 21)), 400)
    bad = Fraction(sum(d - a <= -6 for a in range(1, 21) for d in range(1, 21)), 400)
    counter = sum((p for numbers, p in found.chances.items() if numbers[4]), Fraction(0))
    assert counter == bad / 2


def test_only_the_two_of_them_count():
    board = scene(
        fighter("ann", (3, 3)), fighter("bob", (2, 3)), foe("orc", (3, 2)), foe("owl", (4, 2), health=1)
    )
    found = odds(board, exchange, ("ann", plan("attack 1 orc,owl"), "orc", plan("attack 1 bob")))
    assert {numbers[4:] for numbers in found.chances} == {(0, 0, 0, 0)}
    assert max(numbers[1] for numbers in found.chances) == 6


def rows(board, other="orc"):
    return [(row.label, row.answers) for row in likely_answers(board, "ann", other)]


def test_each_stance_of_the_opponent_has_a_row():
    assert rows(pair(weapons=[{"name": "Pin", "sides": 2}, AXE], mastery=4)) == [
        ("attacks", ("attack 2 ann", "stay", "keep")),
        ("focuses", ("focus ann", "stay", "keep")),
        ("defends the front", ("defend front", "stay", "keep")),
        ("defends the left", ("defend left", "stay", "keep")),
        ("defends the right", ("defend right", "stay", "keep")),
        ("flees", ("defend front", "flee 1,0", "keep")),
    ]
    far = scene(fighter("ann", (3, 3)), foe("orc", (9, 9)))
    assert [label for label, _ in rows(far)] == [
        "defends the front",
        "defends the left",
        "defends the right",
    ]
    down = scene(fighter("ann", (3, 3)), foe("orc", (3, 2), conditions={"fallen": "1"}))
    assert rows(down) == [("has fallen", ("", "stay", "keep"))]


def test_a_fallen_opponent_is_an_easy_target():
    down = scene(fighter("ann", (3, 3)), foe("orc", (3, 2), conditions={"fallen": "1"}))
    found = odds(down, exchange, ("ann", plan("attack 1 orc"), "orc", ("", "stay", "keep")))
    assert {numbers[0] for numbers in found.chances} == {1}


def test_the_columns_are_of_the_opponent_and_then_of_the_character():
    assert [(c.label, c.is_own, c.is_amount) for c in MATCHUP.columns] == [
        ("hit", False, False),
        ("damage", False, True),
        ("falls", False, False),
        ("dies", False, False),
        ("hit", True, False),
        ("damage", True, True),
        ("falls", True, False),
        ("dies", True, False),
    ]
