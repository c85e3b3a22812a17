"""One act that takes too long takes no other act with it, and the answer names it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from bench.rules.area_acts import blast, crowd
from tests.fixtures.fifth_edition import FIFTH_EDITION, enemies_of

from enfilade.errors import TooSlow
from enfilade.rules.dice import D6
from enfilade.rules.kit import offer
from enfilade.rules.procedures import Act, Outcome, Roll
from enfilade.rules.ruleset import ActKind, Offer
from enfilade.runtime.time_budget import TimeBudget, checkpoint, time_limited, time_share
from enfilade.tactics.advice import decision_map
from enfilade.tactics.overlays import overlay
from enfilade.tactics.previews import previews

SECONDS = 0.2
"""The time of one run of the slow act, by the clock of the tests."""


class Clock:
    """A clock that only the slow act moves."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def slow_game(clock):
    """Return the fifth edition with an act at each enemy that takes a second."""

    def ponder(scene, act):
        (face,) = yield Roll("ponder", D6)
        clock.now += SECONDS
        return Outcome("hit", face)

    def offers(scene, token):
        more = [Act(kind="ponder", token=token.id, target=one.id) for one in enemies_of(scene, token)]
        return [
            *[offer(scene, act, ponder, "Ponder") for act in more],
            *FIFTH_EDITION.offers(scene, token),
        ]

    acts = {**FIFTH_EDITION.acts, "ponder": ActKind("Ponder", ponder)}
    return replace(FIFTH_EDITION, acts=acts, offers=offers)


def limited(clock):
    return time_limited(TimeBudget(1.0, rest=lambda: None, clock=clock))


def test_an_overlay_has_the_odds_of_all_other_acts():
    clock, scene = Clock(), crowd("wizard")
    with limited(clock):
        found = overlay(slow_game(clock), scene, "wizard", 0, ["targets"]).targets
    slow = [one for one in found if one.act.kind == "ponder"]
    others = [one for one in found if one.act.kind != "ponder"]
    # Each face of its die takes a run of 0.2 seconds: the first act has time for two, the others for one.
    sentence = (
        "The odds of Ponder in Fifth edition in 24 rules take too long: {} % of the cases are not worked out."
    )
    assert {one.no_odds for one in slow} == {sentence.format(67), sentence.format(83)}
    assert {(one.exact, one.chance, one.up_to) for one in slow} == {
        (False, (1, 3), (1, 1)),
        (False, (1, 6), (1, 1)),
    }
    plain = overlay(FIFTH_EDITION, scene, "wizard", 0, ["targets"]).targets
    assert tuple(others) == plain


def test_an_act_of_which_nothing_is_known_in_time_has_no_chance():
    clock, scene = Clock(), blast(4, 1)

    def stuck(scene, act):
        clock.now += 0.7
        checkpoint()
        yield Roll("ponder", D6)
        return Outcome("hit")

    game = slow_game(clock)
    game = replace(game, acts={**game.acts, "ponder": ActKind("Ponder", stuck)})
    offers = [Offer(Act(kind="ponder", token="wizard", target="g0"), "Ponder")] * 2
    with limited(clock):
        found = previews(game, scene, offers)[0]
    assert (found.chance, found.up_to, found.outcomes, found.exact) == ((0, 1), None, (), False)
    assert found.no_odds == "The odds of Ponder in Fifth edition in 24 rules take too long to work out."


def test_a_decision_map_has_the_damage_of_all_other_acts():
    clock, scene = Clock(), blast(4, 2)
    with limited(clock):
        found = decision_map(slow_game(clock), scene, "wizard", 0, most=4)
    assert found.notes == ("The odds of Ponder in Fifth edition in 24 rules take too long to work out.",)
    assert found.cells == decision_map(FIFTH_EDITION, scene, "wizard", 0, most=4).cells


def test_a_map_that_is_cut_short_keeps_what_is_done():
    clock, places = Clock(), []

    def reach(scene, token):
        return FIFTH_EDITION.reach(scene, token)

    def arrive(scene, token, at, facing, cost):
        places.append(at)
        clock.now += 0.1
        checkpoint()
        return FIFTH_EDITION.outlook.arrive(scene, token, at, facing, cost)

    game = replace(FIFTH_EDITION, reach=reach, outlook=replace(FIFTH_EDITION.outlook, arrive=arrive))
    with limited(clock):
        found = decision_map(game, blast(4, 1), "wizard", 0, most=60)
    assert 5 <= len(found.cells) < 12
    assert not found.is_whole
    assert found.notes == ("The map has only the places that there was time for, the nearest first.",)


def test_a_share_of_the_time_leaves_the_rest():
    clock = Clock()
    with limited(clock):
        with time_share(2):
            clock.now += 0.31
            with pytest.raises(TooSlow, match="longer than the 1 seconds"):
                checkpoint()
        clock.now += 0.6
        checkpoint()
