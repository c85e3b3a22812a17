"""The laws at their limits: the fled, failed defenses, carriers, and models out of the fight."""

from __future__ import annotations

import pytest

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.laws import LAWS
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    at_inches,
    fighter,
    go,
    hero,
    inches,
    judged,
    model,
    orc,
    refused,
    scene,
    with_conditions,
    with_token,
    with_tracks,
)

PART = 1 / 64
"""A 64th of an inch, in inches."""


@pytest.mark.rule("MNC-107")
@pytest.mark.parametrize(("far", "rule"), [(11.5, "MNC-107"), (30, None)])
def test_a_failed_defense_ends_the_acts_of_engaged_movement_alone(far, rule):
    board = activated(scene(hero("one", (10, 10)), orc("o", (far, 10))), "one")
    failed = with_conditions(board, "one", defended="o=failed")
    assert refused(failed, act("action", "one", weapon="use")) == rule


@pytest.mark.rule("MNC-028", "MNC-107")
@pytest.mark.parametrize("notes", ["o=failed", ""])
def test_a_model_out_of_the_fight_is_refused_as_such_before_its_defenses_count(notes):
    board = activated(scene(hero("one", (10, 10)), hero("two", (10, 12)), orc("o", (11.5, 10))), "one", "two")
    gone = with_conditions(board, "one", captured="orcs", defended=notes)
    assert refused(gone, act("action", "one", weapon="use")) == "MNC-028"


@pytest.mark.rule("MNC-060")
def test_the_fled_are_kept_from_new_fights_alone():
    board = scene(orc("f", (10, 10), side="heroes"), orc("o", (11.5, 10)), orc("p", (10, 13)))
    board = with_conditions(activated(board, "f"), "f", fled="", defended="o=ok")
    # It is engaged already, so that it moves on beside its enemy or to another.
    assert judged(board, "f", (10.2, 10.2)).allowed
    assert judged(board, "f", (10, 11.2)).allowed
    gone = with_conditions(board, "o", out="")
    assert refused(gone, act("fall_back", "f", "o")) == "MNC-062"
    helpless = with_conditions(board, "f", captured="orcs")
    assert refused(helpless, act("lunge", "f", "p")) == "MNC-028"


@pytest.mark.rule("MNC-091", "MNC-092")
@pytest.mark.parametrize(("gap", "rule"), [(1, "MNC-091"), (1 + PART, "MNC-092")])
def test_a_lunge_is_refused_within_an_inch_and_beyond_it_for_want_of_defenses(gap, rule):
    pike = model("p", (11 + gap, 10), side="orcs", weapon="pole")
    board = activated(scene(hero("one", (10, 10)), pike), "one")
    assert refused(board, act("lunge", "one", "p")) == rule


@pytest.mark.rule("MNC-096")
def test_a_push_needs_the_defense_against_its_target_alone():
    board = activated(scene(hero("one", (10, 10)), orc("o", (11.5, 10)), orc("p", (10, 11.5))), "one")
    held = with_conditions(board, "one", defended="o=ok")
    assert refused(held, act("push", "one", "o")) is None
    assert refused(held, act("push", "one", "p")) == "MNC-096"
    fist = scene(hero("one", (10, 10)), model("fist", (11.5, 10), side="orcs", weapon="close"))
    assert refused(activated(fist, "one"), act("push", "one", "fist")) is None


@pytest.mark.rule("MNC-072", "MNC-073")
def test_at_the_end_a_model_owes_each_defense_that_it_has_not_made():
    board = activated(scene(hero("one", (10, 10)), orc("o", (11.5, 10)), orc("p", (10, 11.5))), "one")
    board = with_conditions(board, "one", defended="p=failed")

    def owed(scene_now, key):
        found = LAWS.owed(scene_now, scene_now.token(key), act("end", key), {"ends"})
        return [(one.duty.rule, one.to) for one in found]

    assert owed(board, "one") == [("MNC-072", ("o",))]
    assert owed(with_conditions(board, "one", captured="orcs"), "one") == []


@pytest.mark.rule("MNC-114")
@pytest.mark.parametrize(("gap", "moves"), [(1, True), (1 + PART, False)])
def test_a_carrier_is_at_most_an_inch_from_its_captive(gap, moves):
    lying = model("prisoner", (10, 11), side="orcs", level=2)
    board = scene(hero("one", (10, 10)), hero("two", (10, 12 + gap)), lying, orc("o", (40, 30)))
    board = with_conditions(board, "prisoner", captured="heroes", carried="one two")
    board = go(activated(board, "one", "two"), act("roll_movement", "one", dice=1), 6).scene
    after = go(board, act("move", "one", at=(7, 10))).scene
    assert at_inches(after, "prisoner") == ((7, 11) if moves else (10, 11))


@pytest.mark.rule("MNC-009")
def test_a_model_out_of_the_fight_or_off_the_board_is_engaged_with_nobody():
    board = scene(hero("one", (10, 10)), hero("two"), orc("o", (11.5, 10)))
    assert battlefield(board).is_engaged(fighter(board, "one"))
    assert not battlefield(board).is_engaged(fighter(board, "two"))
    out = with_conditions(board, "one", out="")
    assert not battlefield(out).is_engaged(fighter(out, "one"))
    assert MINIATURES_COMBAT.engagements(out) == ()


@pytest.mark.rule("MNC-110")
def test_a_move_without_any_length_left_is_no_route():
    board = scene(hero("one", (10, 10)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    spent = with_tracks(board, "one", allowance=0)
    after = go(spent, act("move", "one", at=(10 + PART, 10)), overrides=True).scene
    assert after.token("one").conditions["moved"] == ""
    assert with_token(after, "one", at=inches(10, 10)).token("one").track("allowance") == 0
