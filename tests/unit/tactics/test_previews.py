"""The result of an area act: damage of each, how many fall, in numbers and words."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from bench.rules.area_acts import act_odds, blast, duel
from tests.fixtures.fifth_edition import FIFTH_EDITION

from enfilade.rules.odds import odds
from enfilade.rules.procedures import Act
from enfilade.tactics.overlays import overlay
from enfilade.tactics.verdicts import verdict


def fireball_at(scene):
    (found,) = [
        one
        for one in overlay(FIFTH_EDITION, scene, "wizard", 0, ["targets"]).targets
        if one.act.kind == "fireball" and one.target == "g0"
    ]
    return found


def test_a_fireball_has_the_damage_of_each_and_how_many_fall():
    found = fireball_at(blast(4, 3, hit_points=10)).area
    assert [one.token for one in found.tokens] == ["g0", "g1", "g2"]
    # A creature loses at most its hit points.
    (first, *_) = found.tokens
    assert Fraction(5) < Fraction(*first.damage) < Fraction(10)
    mean = sum(Fraction(*one.down) for one in found.tokens)
    assert abs(sum(number * Fraction(*chance) for number, chance in found.fallen) - mean) < Fraction(1, 10**6)
    assert abs(sum(Fraction(*chance) for _, chance in found.fallen) - 1) < Fraction(1, 10**6)
    assert found.text == "26 damage in all, 1.3 of 3 fall, all 3 11 %"
    assert Fraction(*dict(found.fallen)[3]) == all_fall((10, 11, 12)).limit_denominator(10**9)


def all_fall(hit_points):
    """Return the chance that four dice fell all creatures that save on 11 or more, worked out by hand."""
    chance = Fraction(0)
    for faces in product(range(1, 7), repeat=4):
        damage = sum(faces)
        each = [Fraction((damage >= left) + (damage // 2 >= left), 2) for left in hit_points]
        chance += Fraction(1, 6**4) * each[0] * each[1] * each[2]
    return chance


def test_the_chances_of_an_act_are_the_same_with_its_aftermath():
    scene, act = blast(8), Act(kind="fireball", token="wizard", target="g0")
    procedure = FIFTH_EDITION.acts["fireball"].procedure
    with_tokens = odds(scene, procedure, (act,), has_aftermath=True)
    assert with_tokens.chances == act_odds(scene, "fireball", "wizard", "g0").chances
    mine = with_tokens.aftermath.chance("g0", lambda token: token.at is None)
    assert mine == sum(p for outcome, p in with_tokens.chances.items() if outcome.leaves == "out")


def test_an_act_at_one_token_has_no_result_of_its_own():
    assert fireball_at(blast(4, 1)).area is None
    assert all(one.area is None for one in verdict(FIFTH_EDITION, duel(), "hero", "ogre", 0).acts)
