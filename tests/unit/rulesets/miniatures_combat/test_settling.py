"""Consequences of a change of a model by hand: the turn passes on with the last of the active group."""

from __future__ import annotations

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from tests.unit.rulesets.miniatures_combat.scenes import activated, hero, orc, scene
from tests.unit.rulesets.settled import settled


def test_the_turn_passes_on_when_the_active_group_is_gone():
    board = scene(hero("one", (10, 10)), hero("two", (12, 10)), hero("far", (30, 10)), orc("o", (40, 30)))
    active = activated(board, "one", "two")
    half = settled(MINIATURES_COMBAT, active, ("one", None)).scene
    assert ("activated" in half.conditions, half.conditions["side"]) == (True, "heroes")
    gone = settled(MINIATURES_COMBAT, active, ("one", None), ("two", None)).scene
    assert ("activated" in gone.conditions, gone.conditions["side"]) == (False, "orcs")
    # An edit between two activations ends no turn.
    assert settled(MINIATURES_COMBAT, board, ("one", None)).scene.conditions == board.conditions
