"""The fifth edition of the fixtures: written plainly, it conforms, and its odds are exact and quick."""

from __future__ import annotations

from fractions import Fraction

import pytest
from bench.rules.area_acts import act_odds, blast, crowd, duel
from tests.fixtures.fifth_edition import FIFTH_EDITION

from enfilade.rules.conformance import check_conformance
from enfilade.rules.exact.plain import expanded_act
from enfilade.rules.odds import Allowance, odds
from enfilade.rules.procedures import Act
from enfilade.tactics.overlays import overlay


def test_it_conforms():
    check_conformance(FIFTH_EDITION, games=20, previews=4)


@pytest.mark.parametrize("targets", [1, 2])
def test_a_fireball_has_the_odds_of_its_loop(targets):
    scene, act = blast(4, targets), Act(kind="fireball", token="wizard", target="g0")
    plain = expanded_act(FIFTH_EDITION.acts["fireball"].procedure)
    wanted = odds(scene, plain, (act,), 10**9, Allowance(10**9))
    assert act_odds(scene, "fireball", "wizard", "g0").chances == wanted.chances


@pytest.mark.parametrize(("dice", "runs"), [(4, 1_000), (8, 1_200)])
def test_a_fireball_at_eight_is_exact_and_its_runs_are_counted(dice, runs):
    found = act_odds(blast(dice), "fireball", "wizard", "g0")
    assert sum(found.chances.values()) == 1
    assert found.cost.runs <= runs
    assert found.cost.widest == 5 * dice + 1


def test_three_attacks_with_advantage_are_exact():
    found = act_odds(duel(), "multiattack", "hero", "ogre")
    assert found.is_exact
    assert found.chance("hit") > Fraction(9, 10)


def test_all_acts_of_a_wizard_in_a_crowd_are_exact():
    targets = overlay(FIFTH_EDITION, crowd("wizard"), "wizard", 0, ["targets"]).targets
    legal = [one for one in targets if one.legal and one.target]
    assert len(legal) == 30
    assert all(one.exact for one in legal)
