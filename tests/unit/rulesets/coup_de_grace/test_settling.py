"""Consequences of a change of a miniature by hand (CDG-067 to CDG-078)."""

from __future__ import annotations

import pytest

from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from tests.unit.rulesets.coup_de_grace.scenes import SOUTH, active, battle, foe, mini
from tests.unit.rulesets.settled import settled


def board(*more, hp=3):
    return active(battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1), hp=hp), *more), "ann")


def edit(scene, *edited, **changes):
    return settled(COUP_DE_GRACE, scene, *edited, **changes).scene


@pytest.mark.rule("CDG-067", "CDG-068")
def test_hit_points_by_hand_down_a_miniature_and_take_it_out():
    rat = foe("Rat", at=(9, 9))
    for hp, states in ((1, ()), (0, ("downed",)), (-1, ("out",))):
        orc = edit(board(rat), ("orc", {"tracks": {"hp": hp}})).token("orc")
        assert [state for state in ("downed", "out") if orc.has(state)] == list(states)
        assert (orc.at is None) == ("out" in states)
        assert (orc.facing is None) == bool(states)


def test_one_that_is_healed_by_hand_stands_up_and_one_that_is_out_returns():
    rat = foe("Rat", at=(9, 9))
    downed = edit(board(rat), ("orc", {"tracks": {"hp": 0}}))
    orc = edit(downed, ("orc", {"tracks": {"hp": 2}})).token("orc")
    assert (orc.has("downed"), orc.facing) == (False, SOUTH)
    # A condition that the GM sets stays: only a change of the hit points heals.
    assert edit(downed, ("orc", {"name": "Ork"})).token("orc").has("downed")
    out = edit(board(rat), ("orc", {"tracks": {"hp": -1}}))
    for hp, is_out in ((-1, True), (0, False), (1, False)):
        again = edit(out, ("orc", {"tracks": {"hp": hp, "mp": 1}, "at": (2, 1)})).token("orc")
        assert again.has("out") == is_out


@pytest.mark.rule("CDG-078")
def test_victory_is_looked_at_only_when_one_has_left_in_play():
    gone = edit(board(), ("orc", None))
    assert gone.conditions["won"] == "blue"
    assert not edit(board(foe("Rat", at=(9, 9))), ("orc", None)).has("won")
    setup = battle(mini("Ann", at=(2, 2)), foe("Orc", at=(2, 1)))
    assert not edit(setup, ("orc", None)).has("won")
    alone = active(battle(mini("Ann", at=(2, 2))), "ann")
    assert not edit(alone, ("ann", {"name": "Anna"})).has("won")


def test_the_turn_passes_on_when_the_active_miniature_is_out():
    more = mini("Bo", at=(7, 7)), foe("Rat", at=(9, 9))
    left = edit(board(*more), ("ann", {"tracks": {"hp": -1}}))
    assert ("active" in left.conditions, left.conditions["priority"]) == (False, "red")
    stays = edit(board(*more), ("orc", {"tracks": {"hp": 1}}))
    assert (stays.conditions["active"], stays.conditions["priority"]) == ("ann", "blue")
