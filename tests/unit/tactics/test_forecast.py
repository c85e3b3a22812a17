"""Forecasts: continuations with the rules' own procedures, and what is counted of them."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from msgspec.structs import replace
from tests.contract import differences
from tests.unit.tactics.test_decision_map import ANN, ORC, battle

from enfilade.errors import EnfiladeError
from enfilade.importers.demo import demo_battle
from enfilade.messages import dump
from enfilade.rules.registry import load_rulesets
from enfilade.rulesets import BUILT_IN
from enfilade.rulesets.coup_de_grace import COUP_DE_GRACE
from enfilade.scene.model import Wall
from enfilade.tactics.forecast import Continuations, Job, Tally, forecast_of, play_batch


def played(scene, count, first=0):
    job = msgspec.json.encode(Job(scene.ruleset, scene, 5))
    return msgspec.json.decode(play_batch(job, first, count), type=Tally)


def armed(token, points):
    return replace(token, tracks={**token.tracks, "hp": points})


@pytest.mark.parametrize("ruleset", load_rulesets(BUILT_IN).values(), ids=lambda ruleset: ruleset.key)
def test_every_game_has_forecasts_in_the_published_shape(ruleset):
    scene = demo_battle(ruleset).scene
    tally = played(scene, 1)
    found = forecast_of("f1", 4, "running", 10, scene, tally)
    assert not differences("forecast", dump.plain(found))
    assert found.played == 1
    assert {one.token for one in found.tokens} == {token.id for token in scene.on_board()}


def test_the_side_with_the_better_fighters_wins_more_often():
    scene = battle(ANN, replace(ANN, id="bo", at=(3, 6)), replace(ANN, id="cy", at=(5, 6)), armed(ORC, 1))
    tally = played(scene, 24)
    assert tally.played == 24
    assert tally.wins["blue"] > 18
    assert tally.fallen["orc"] == tally.wins["blue"]


def test_batches_add_up_to_the_whole():
    scene = battle(ANN, ORC)
    parts = played(scene, 3) + played(scene, 5, first=3)
    assert parts.played == 8
    assert sum(parts.rounds.values()) == 8
    assert parts.undecided + sum(parts.wins.values()) == 8


def test_a_continuation_repeats_for_its_number_and_differs_from_the_next():
    one, other = (Continuations(COUP_DE_GRACE, battle(ANN, ORC), 3) for _ in range(2))
    first = [one.continuation(number) for number in range(8)]
    assert first == [other.continuation(number) for number in range(8)]
    assert len(set(first)) > 1


def test_a_battle_that_is_over_is_won_in_every_continuation():
    over = replace(battle(ANN, ORC), conditions={"won": "red"})
    tally = played(over, 3)
    assert tally.wins == {"red": 3}
    assert tally.rounds == {0: 3}


def test_closed_doors_are_opened_and_locked_ones_are_not():
    def walled(state):
        walls = [Wall(id=f"w{x}", line=(x * 64, 320, x * 64 + 64, 320)) for x in range(9) if x != 4]
        door = Wall(id="door", line=(256, 320, 320, 320), door="door", state=state)
        return battle(replace(ANN, at=(4, 7)), replace(ORC, at=(4, 1)), walls=(*walls, door))

    assert played(walled("closed"), 4).undecided == 0
    assert played(walled("locked"), 2).undecided == 2


def test_the_margin_shrinks_with_the_count():
    scene = battle(ANN, ORC)
    few = forecast_of("f", 0, "done", 100, scene, Tally(played=100, wins={"blue": 60}))
    many = forecast_of("f", 0, "done", 10_000, scene, Tally(played=10_000, wins={"blue": 6_000}))
    assert (few.margin, many.margin) == (0.098, 0.0098)
    assert Fraction(*few.sides[0].chance) == Fraction(3, 5)


def test_an_unknown_ruleset_is_an_error():
    with pytest.raises(EnfiladeError, match="no ruleset"):
        play_batch(msgspec.json.encode(Job("chess", battle(ANN), 1)), 0, 1)
