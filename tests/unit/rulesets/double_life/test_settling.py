"""Consequences of a change of a character by hand."""

from __future__ import annotations

from enfilade.rulesets.double_life import DOUBLE_LIFE
from enfilade.scene.events import Explained
from tests.unit.rulesets.double_life.scenes import fighter, foe, scene
from tests.unit.rulesets.settled import settled


def board(*more, number=1):
    return scene(fighter("ann", (2, 2)), foe("orc", (3, 2)), *more, number=number)


def edit(there, *edited):
    return settled(DOUBLE_LIFE, there, *edited).scene


def test_a_character_without_health_is_dead_and_returns_when_it_is_healed():
    rat = foe("rat", (8, 8))
    for health, is_dead in ((1, False), (0, True)):
        orc = edit(board(rat), ("orc", {"tracks": {"health": health}})).token("orc")
        assert (orc.has("out"), orc.at is None) == (is_dead, is_dead)
    dead = edit(board(rat), ("orc", {"tracks": {"health": 0}}))
    for health, is_dead in ((0, True), (1, False)):
        orc = edit(dead, ("orc", {"tracks": {"health": health, "poise": 1}, "at": (3, 2)})).token("orc")
        assert orc.has("out") == is_dead


def test_the_last_team_has_won_if_another_fought_in_the_round():
    done = settled(DOUBLE_LIFE, board(), ("orc", None))
    assert done.scene.conditions["won"] == "blue"
    assert [e.facts for e in done.events if isinstance(e, Explained) and e.kind == "won"] == [
        {"side": "blue"}
    ]
    assert not edit(board(foe("rat", (8, 8))), ("orc", None)).has("won")
    assert not edit(board(number=0), ("orc", None)).has("won")
