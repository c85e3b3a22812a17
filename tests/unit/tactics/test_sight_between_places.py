"""The sight of a unit from one place to another: the ruler asks before the unit goes there."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.unit.play.redaction.secrets_table import MIA, WRAITH, SecretsTable, with_hidden

from enfilade.errors import BadMessage, Forbidden
from enfilade.scene.model import GM, SPECTATOR, Wall

WALL = Wall(id="wall", line=(384, 0, 384, 384))


def table(**changes):
    return SecretsTable(scene=replace(with_hidden(()), walls=(WALL,), **changes))


def asked(at, to, seat=GM, game=None, **more):
    return (game or table()).table.verdict(seat, "bran", at=at, to=to, **more)


def test_a_unit_is_asked_about_a_place_as_if_it_stood_at_another():
    assert "sees" in asked((2, 5), (5, 5)).sentence
    blocked = asked((2, 5), (8, 5))
    assert blocked.sight.is_seen is False
    assert "a unit there" in blocked.sentence
    assert asked((2, 7), (8, 7)).sight.is_seen
    assert asked((8, 4), (8, 2)).sight.is_seen


def test_who_stands_there_is_looked_at_and_nothing_changes():
    game = table()
    before = game.table.scene
    found = asked((5, 2), (3, 2), game=game)
    assert found.target == "orc-3"
    assert "Orc 3" in found.sentence
    assert game.table.scene is before


def test_it_has_range_and_odds_of_the_acts_that_reach_there():
    near, far = asked((2, 2), (3, 4)), asked((2, 2), (3, 3))
    assert near.sight.distance != far.sight.distance
    assert all(act.act.target == "someone-there" for act in far.acts)


def test_what_a_player_does_not_know_is_not_in_the_answer():
    scene = replace(with_hidden((replace(WRAITH, at=(4, 4), owners=()),)), walls=())
    game = SecretsTable(scene=scene)
    assert asked((2, 4), (4, 4), game=game).target == "wraith"
    mine = asked((2, 4), (4, 4), seat=MIA, game=game)
    assert (mine.target, mine.token) == ("someone-there", "bran")


def test_a_place_off_the_board_and_another_players_unit_are_refused():
    with pytest.raises(BadMessage, match="off the board"):
        asked((2, 2), (99, 2))
    with pytest.raises(Forbidden):
        table().table.verdict(MIA, "orc-3", at=(1, 1), to=(2, 2))
    assert asked((2, 2), (3, 3), seat=SPECTATOR).sentence
