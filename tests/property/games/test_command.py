"""`make games` plays the games it is asked for, of the rulesets that are named, and stops at a failure."""

from __future__ import annotations

import pytest
from tests.property.games import __main__ as command

from enfilade.rules.conformance import ConformanceError, End
from enfilade.rulesets import BUILT_IN


@pytest.fixture
def played(monkeypatch):
    """The games that are played, instead of playing them; game 13 fails."""
    games = []

    def check(ruleset, seed):
        games.append((ruleset.key, seed))
        if seed == 13:
            raise ConformanceError("a failure")
        return End(1, is_decided=True)

    monkeypatch.setattr(command, "check_random_game", check)
    return games


def test_a_number_alone_means_the_first_games_of_every_ruleset(played):
    assert command.main(["2"]) == 0
    assert played == [(ruleset.key, seed) for ruleset in BUILT_IN for seed in (0, 1)]


def test_from_says_with_which_game_to_start(played):
    assert command.main(["2", "torn", "--from", "500"]) == 0
    assert played == [("torn", 500), ("torn", 501)]


def test_it_stops_at_the_first_failure(played, capsys):
    assert command.main(["9", "torn", "double_life", "--from", "12"]) == 1
    assert played == [("torn", 12), ("torn", 13)]
    assert capsys.readouterr().out == "games: FAIL a failure\n"
