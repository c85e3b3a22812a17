"""Conformance counts what odds cost: the same on each machine, with the act, the cause and the cure."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.example import FIRST_BLOOD
from tests.fixtures.fifth_edition import FIFTH_EDITION

from enfilade.rules.conformance.odds import act_costs, check_costs, crowd
from enfilade.rules.dice import D6
from enfilade.rules.odds import forget
from enfilade.rules.procedures import Outcome, Rest, Roll
from enfilade.rules.ruleset import ActKind
from enfilade.rulesets import GAMES


def with_strike(strike):
    """Return First Blood with another strike after the checks of its own."""
    own = FIRST_BLOOD.acts["strike"].procedure

    def checked(scene, act):
        steps = own(scene, act)
        yield next(steps)
        steps.close()
        return (yield from strike(scene, act))

    return replace(FIRST_BLOOD, acts={**FIRST_BLOOD.acts, "strike": ActKind("Strike", checked)})


def one_by_one(scene, act):
    total = 0
    for _ in range(6):
        (face,) = yield Roll("strike", D6)
        total += face
    return Outcome("hit" if total > 20 else "miss", total)


def eight_dice(scene, act):
    faces = yield Roll("damage", D6, 8)
    return Outcome("hit", sum(faces))


def old_scene(scene, act):
    return (yield Rest(broken))


def broken(scene):
    (face,) = yield Roll("strike", D6)
    raise_if_watched(scene)
    return Outcome("hit", face)


def raise_if_watched(scene):
    if hasattr(scene, "watch"):
        raise ValueError("not to be followed")


def test_an_act_with_a_run_for_each_die_fails_with_its_name_and_a_cure():
    with pytest.raises(AssertionError, match=r"Strike \(strike\).*Put what follows the checks into `Rest`"):
        check_costs(with_strike(one_by_one))


@pytest.mark.parametrize(("strike", "cure"), [(eight_dice, "read="), (old_scene, "plain loop")])
def test_a_wide_roll_and_an_act_that_cannot_be_followed_bring_a_warning_with_a_cure(strike, cure):
    (warning,) = check_costs(with_strike(strike)).warnings
    assert "Strike" in warning
    assert cure in warning


@pytest.mark.parametrize("ruleset", [*GAMES, FIFTH_EDITION], ids=lambda ruleset: ruleset.key)
def test_the_costs_of_a_crowd_do_not_depend_on_what_is_kept(ruleset):
    forget()
    cold = act_costs(ruleset)
    assert len(cold) > 3
    assert act_costs(ruleset) == cold
    assert len(crowd(ruleset).tokens) >= 14


def test_a_report_has_the_three_costliest_acts():
    costliest = check_costs(FIRST_BLOOD).costliest
    runs = [one.cost.runs for one in act_costs(FIRST_BLOOD)]
    assert [one.cost.runs for one in costliest] == sorted(runs, reverse=True)[:3]
