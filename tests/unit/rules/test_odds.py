"""Exact odds: fractions that add up to one, for all dice and calls of a procedure."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from enfilade.rules import odds as odds_module
from enfilade.rules.dice import D6, Die, SeededDice
from enfilade.rules.exact import callees
from enfilade.rules.odds import Allowance, odds, roll_distribution
from enfilade.rules.procedures import Act, Call, CallEach, Change, Outcome, Rest, Roll, TailCall, yes_or_no
from enfilade.rules.resolve import Answers, resolve
from enfilade.rules.sampling import sample
from enfilade.scene.events import Explained
from enfilade.scene.model import Grid, Scene

SCENE = Scene(ruleset="any", grid=Grid("square", 5, 5))
ACT = Act(kind="try")
SYMBOLS = Die("symbols", ("hit", "hit", "crit", "-", "-", "-"))
DICE = st.sampled_from([D6, SYMBOLS, Die("coin", (0, 1)), Die("d3", (1, 2, 3))])


@given(DICE, st.integers(0, 5))
def test_each_multiset_of_faces_has_its_probability(die, count):
    counted = Counter(tuple(sorted(faces, key=die.faces.index)) for faces in product(die.faces, repeat=count))
    throws = len(die.faces) ** count
    assert dict(roll_distribution(die, count)) == {faces: Fraction(n, throws) for faces, n in counted.items()}


def hits(dice, rerolls):
    faces = yield Roll("dice", SYMBOLS, dice)
    blanks = faces.count("-")
    again = yield Roll("again", SYMBOLS, min(blanks, rerolls))
    return faces.count("hit") + again.count("hit"), faces.count("crit") + again.count("crit")


def attack(scene, act):
    yield Change(Explained(kind="declared", facts={"needed": 3}))
    mine, crits = yield Call(hits, (3, 1))
    yours, _ = yield Call(hits, (2, 0))
    if mine == yours and (yield yes_or_no("blue", "Push on?", default=True)) == "yes":
        (face,) = yield Roll("luck", D6)
        mine += face == 6
    return Outcome("hit" if mine > yours else "miss", damage=mine + crits)


def test_odds_sum_to_one_and_hold_the_declaration():
    found = odds(SCENE, attack, (ACT,))
    assert sum(found.chances.values()) == 1
    assert found.is_exact
    assert found.declared == (Explained(kind="declared", facts={"needed": 3}),)


def strike(scene):
    (face,) = yield Roll("strike", D6)
    return Outcome("hit" if face > 3 else "miss")


def test_odds_of_an_act_with_a_rest_hold_the_declaration():
    declared = Explained(kind="declared", facts={"needed": 4})

    def attack_with_rest(scene, act):
        yield Change(declared)
        return (yield Rest(strike))

    found = odds(SCENE, attack_with_rest, (ACT,))
    assert found.declared == (declared,)
    assert found.chance("hit") == Fraction(1, 2)


def test_odds_equal_a_count_of_every_sequence_of_dice():
    def pair(scene, act):
        first = yield Roll("first", D6, 2)
        second = yield Roll("second", D6)
        return Outcome("more" if sum(first) > 2 * sum(second) else "less")

    counted = Fraction(sum(a + b > 2 * c for a, b, c in product(range(1, 7), repeat=3)), 216)
    assert odds(SCENE, pair, (ACT,)).chance("more") == counted


def test_odds_agree_with_many_resolutions():
    found, times = odds(SCENE, attack, (ACT,)), 20_000
    tally = sample(SCENE, attack, (ACT,), times, seed=5)
    assert sum(tally.values()) == times
    assert tally.keys() <= found.chances.keys()
    for outcome, chance in found.chances.items():
        assert abs(Fraction(tally[outcome], times) - chance) < Fraction(2, 100)


def test_a_callee_is_computed_once_for_its_arguments():
    runs = []

    def counted(number):
        runs.append(number)
        faces = yield Roll("die", D6)
        return faces[0] + number

    def twice(scene, act):
        a = yield Call(counted, (1,))
        b = yield Call(counted, (1,))
        return Outcome("even" if (a + b) % 2 == 0 else "odd")

    assert odds(SCENE, twice, (ACT,)).chance("even") == Fraction(1, 2)
    odds(SCENE, twice, (ACT,))
    assert len(runs) == 1 + len(D6.faces)


def test_the_cache_of_distributions_has_a_limit(monkeypatch):
    monkeypatch.setattr(callees, "MAX_KEPT", 10)

    def many(scene, act):
        for rerolls in range(30):
            yield Call(hits, (0, rerolls))
        return Outcome("done")

    for _ in range(5):
        assert odds(SCENE, many, (ACT,)).chances == {Outcome("done"): 1}
    assert len(callees._kept) <= 30


def until_six(scene, act):
    throws = 1
    while (yield Roll("die", D6)) != (6,):
        throws += 1
    return Outcome("soon" if throws <= 4 else "late")


def test_odds_over_the_budget_are_sampled_and_marked():
    found = odds(SCENE, until_six, (ACT,))
    assert not found.is_exact
    assert sum(found.chances.values()) == 1
    assert float(found.chance("soon")) == pytest.approx(1 - (5 / 6) ** 4, abs=0.03)
    assert odds(SCENE, until_six, (ACT,)).chances == found.chances


COIN = Die("coin", (0, 1))


def nested(depth):
    if depth:
        yield Call(nested, (depth - 1,))
        yield Call(nested, (depth // 2,))
    faces = yield Roll("coin", COIN)
    return faces[0]


def deep(scene, act):
    first = yield Call(nested, (4,))
    second = yield Call(nested, (3,))
    return Outcome("more" if first > second else "less")


@cache
def least_budget():
    """Return the cost of exact odds of `deep` with an empty cache."""

    def is_enough(budget):
        callees.forget_callees()
        return odds(SCENE, deep, (ACT,), budget).is_exact

    return bisect_left(range(1_000), True, key=is_enough)


@pytest.mark.parametrize("depth", [0, 2, 3, 4])
def test_exactness_does_not_depend_on_earlier_questions(depth):
    """Else they would tell a player what the game master has just looked at."""

    def part(scene, act):
        yield Call(nested, (depth,))
        return Outcome("done")

    needed = least_budget()
    for asked_before in (part, deep):
        callees.forget_callees()
        odds(SCENE, asked_before, (ACT,))
        assert not odds(SCENE, deep, (ACT,), needed - 1).is_exact
        assert odds(SCENE, deep, (ACT,), needed).is_exact


def test_exactness_does_not_depend_on_earlier_questions_if_the_last_call_is_too_costly():
    def becoming(scene, act):
        yield TailCall(nested, (4,))

    def is_exact():
        return odds(SCENE, becoming, (ACT,), 20).is_exact

    callees.forget_callees()
    assert not is_exact()
    odds(SCENE, becoming, (ACT,))
    assert not is_exact()


def test_exactness_does_not_depend_on_a_cache_that_starts_over(monkeypatch):
    needed = least_budget()
    callees.forget_callees()
    monkeypatch.setattr(callees, "MAX_KEPT", 1)
    monkeypatch.setattr(callees, "checkpoint", callees.kept_callees)
    for _ in range(2):
        assert odds(SCENE, deep, (ACT,), needed).is_exact
        assert not odds(SCENE, deep, (ACT,), needed - 1).is_exact


@pytest.mark.parametrize(("dice", "against"), [(8, 6), (12, 10)])
def test_large_pools_stay_exact(dice, against):
    def battle(scene, act):
        mine, _ = yield Call(hits, (dice, 2))
        yours, _ = yield Call(hits, (against, 0))
        return Outcome("hit", damage=max(0, mine - yours))

    found = odds(SCENE, battle, (ACT,))
    assert found.is_exact
    assert sum(found.chances.values()) == 1


def sum_of(first, second):
    return first + second


def many_at_once(scene, act):
    total = yield CallEach((*[Call(hits, (2, 1), read=sum)] * 6, Call(nested, (2,))), 0, sum_of)
    return Outcome("hit", damage=total)


def many_in_turn(scene, act):
    total = 0
    for _ in range(6):
        total = total + (yield Call(hits, (2, 1), read=sum))
    return Outcome("hit", damage=total + (yield Call(nested, (2,))))


def test_callees_at_once_have_the_odds_of_callees_in_turn():
    at_once, in_turn = odds(SCENE, many_at_once, (ACT,)), odds(SCENE, many_in_turn, (ACT,))
    assert at_once.is_exact
    assert at_once.chances == in_turn.chances
    counts, times = sample(SCENE, many_at_once, (ACT,), 4_000, seed=5), 4_000
    for outcome, chance in at_once.chances.items():
        assert abs(counts[outcome] / times - float(chance)) < 0.03


def test_callees_at_once_roll_one_after_the_other():
    for seed in range(5):
        dice = [Answers(dice=SeededDice(seed)) for _ in range(2)]
        one, other = (
            resolve(SCENE, each, (ACT,), answers)
            for each, answers in zip((many_at_once, many_in_turn), dice, strict=True)
        )
        assert (one.events, one.result) == (other.events, other.result)


def test_acts_of_one_answer_pay_once_for_what_they_share():
    alone = Allowance(requests=1_000)
    odds(SCENE, deep, (ACT,), allowance=alone)
    shared = Allowance(requests=1_000)
    for _ in range(20):
        assert odds(SCENE, deep, (ACT,), allowance=shared).is_exact
    assert 1_000 - shared.requests < 20 * (1_000 - alone.requests)


@pytest.mark.parametrize("is_cached", [True, False])
def test_what_is_left_of_an_allowance_does_not_depend_on_the_cache(is_cached, monkeypatch):
    callees.forget_callees()
    if is_cached:
        odds(SCENE, deep, (ACT,))
    else:
        monkeypatch.setattr(callees, "MAX_KEPT", 1)
    allowance = Allowance(requests=1_000)
    for _ in range(3):
        odds(SCENE, deep, (ACT,), allowance=allowance)
    expected = Allowance(requests=1_000)
    monkeypatch.undo()
    callees.forget_callees()
    for _ in range(3):
        odds(SCENE, deep, (ACT,), allowance=expected)
    assert allowance.requests == expected.requests


def test_an_act_that_is_too_costly_is_sampled_with_a_margin_and_leaves_less_to_the_next():
    allowance = Allowance(requests=2 * odds_module.BUDGET)
    found = odds(SCENE, until_six, (ACT,), allowance=allowance)
    assert not found.is_exact
    assert 0 < found.margin <= 0.14
    assert sum(found.chances.values()) == 1
    assert allowance.requests <= odds_module.AFTER_FAILURE
    assert odds(SCENE, attack, (ACT,), allowance=allowance).is_exact
