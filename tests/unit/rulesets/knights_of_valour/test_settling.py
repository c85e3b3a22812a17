"""Consequences of a change of a creature by hand."""

from __future__ import annotations

import pytest

from enfilade.rulesets.knights_of_valour import KNIGHTS_OF_VALOUR
from tests.unit.rulesets.knights_of_valour.scenes import facts, hero, in_round, monster, scene, with_token
from tests.unit.rulesets.settled import settled


def board(*more, **options):
    return in_round(scene(hero("ann", (2, 2)), monster("orc", (3, 2)), *more, **options), "ann")


def edit(there, *edited):
    return settled(KNIGHTS_OF_VALOUR, there, *edited).scene


@pytest.mark.parametrize(
    ("rules", "points", "is_out"),
    [({}, 1, False), ({}, 0, True), ({"defeat": "below 0 points"}, 0, False)],
)
def test_a_creature_without_points_is_defeated_and_returns_when_it_is_healed(rules, points, is_out):
    rat = monster("rat", (8, 8))
    there = board(rat, house_rules=rules)
    edited = edit(there, ("orc", {"tracks": {"points": points}}))
    assert (edited.token("orc").has("out"), edited.token("orc").at is None) == (is_out, is_out)
    out = edit(board(rat), ("orc", {"tracks": {"points": 0}}))
    for left, stays in ((0, True), (2, False)):
        again = edit(out, ("orc", {"tracks": {"points": left, "moves used": 1}, "at": (3, 2)}))
        assert again.token("orc").has("out") == stays


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"conditions": {"out": ""}}, "conditions.out"),
        ({"tracks": {"points": 1}, "conditions": {"out": ""}, "at": None}, "conditions.out"),
        ({"tracks": {"points": 0}, "conditions": {"out": ""}, "at": None}, ""),
        ({"tracks": {}, "conditions": {"out": ""}, "at": None}, ""),
        ({"tracks": {"points": 1}}, ""),
        ({"tracks": {"points": 0}}, "tracks.points"),
        ({"tracks": {"points": 0}, "at": None}, ""),
        ({"at": (2, 2)}, "at"),
    ],
)
def test_a_state_that_no_creature_can_be_in_is_named_by_its_field(changes, field):
    there = with_token(scene(hero("ann", (2, 2)), monster("orc", (3, 2))), "orc", **changes)
    assert list(KNIGHTS_OF_VALOUR.contradictions(there)) == ([f"tokens[1].{field}"] if field else [])


def test_the_last_team_has_won_if_another_fought_in_the_round():
    done = settled(KNIGHTS_OF_VALOUR, board(), ("orc", None))
    assert done.scene.conditions["won"] == "heroes"
    assert facts(done, "won") == [{"side": "heroes"}]
    assert not edit(board(monster("rat", (8, 8))), ("orc", None)).has("won")
    before_the_first_round = scene(hero("ann", (2, 2)), monster("orc", (3, 2)))
    assert not edit(before_the_first_round, ("orc", None)).has("won")
