"""Actions and captives of Miniatures combat at their limits."""

from __future__ import annotations

import pytest

from enfilade.errors import EnfiladeError, IllegalAct
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.movement_dice import die_modifier
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    facts,
    fighter,
    go,
    hero,
    inches,
    model,
    moved,
    orc,
    refused,
    scene,
    with_conditions,
    with_token,
    with_tracks,
)


def test_an_unknown_action_is_refused_in_few_words():
    board = activated(scene(hero("one", (10, 10)), orc("o", (30, 10))), "one")
    with pytest.raises(IllegalAct) as why:
        go(board, act("action", "one", weapon="x" * 41))
    assert "x" * 40 in why.value.sentence
    assert "x" * 41 not in why.value.sentence


def test_actions_change_what_they_say():
    board = activated(scene(hero("one", (10, 10), mounted=True), orc("o", (30, 10))), "one")
    assert board.token("one").track("movement dice") == 2
    off = go(board, act("action", "one", weapon="dismount"))
    assert off.scene.token("one").has("dismounted")
    assert (off.scene.token("one").track("movement dice"), off.scene.token("one").track("dice")) == (0, 3)
    assert facts(off, "action") == [{"token": "one", "act": "dismount"}]
    on = go(off.scene, act("action", "one", weapon="mount")).scene
    assert not on.token("one").has("dismounted")
    assert on.token("one").track("dice") == 2
    assert refused(on, act("action", "one", weapon="mount")) == "MNC-111"
    assert refused(off.scene, act("action", "one", weapon="dismount")) == "MNC-111"
    assert refused(board, act("action", "one", weapon="stand")) == "MNC-111"
    prone = with_conditions(board, "one", prone="")
    up = go(prone, act("action", "one", weapon="stand")).scene
    assert not up.token("one").has("prone")
    spent = with_tracks(board, "one", dice=0, movement_dice=0)
    assert refused(spent, act("action", "one", weapon="use")) == "MNC-111"


def carried(**more):
    prisoner = model("prisoner", (10, 11.2), side="orcs", level=1)
    board = scene(hero("one", (10, 10)), prisoner, orc("o", (40, 30)), **more)
    board = activated(with_conditions(board, "prisoner", captured="heroes"), "one")
    board = go(board, act("roll_movement", "one", dice=1), 6).scene
    return go(board, act("carry", "one", "prisoner")).scene


def test_a_captive_moves_with_the_first_carrier_and_finds_room():
    board = moved(carried(), "one", (14, 10))
    assert board.token("prisoner").at == inches(14, 11.2)
    blocked = with_token(carried(), "o", at=inches(14, 11.4))
    board = moved(blocked, "one", (14, 10))
    field = battlefield(board)
    assert not field.overlaps(board.token("prisoner"), board.token("prisoner").at)
    # It makes room along the way of its carrier first.
    assert board.token("prisoner").at == (951, 694)
    edge = with_token(carried(), "prisoner", at=inches(10, 39.4))
    moved_down = go(edge, act("move", "one", at=(10, 15)), overrides=True).scene
    assert battlefield(moved_down).is_on_board(moved_down.token("prisoner"), moved_down.token("prisoner").at)


def test_a_captive_is_helpless_near_and_needs_active_carriers():
    prisoner = model("prisoner", (10, 11.2), side="orcs", level=2)
    board = scene(
        hero("one", (10, 10)), hero("two", (11.2, 11.2)), hero("far", (10, 16)), prisoner, orc("o", (40, 30))
    )
    board = activated(board, "one", "two", "far")
    assert refused(board, act("carry", "one", "prisoner", members=("two",))) == "MNC-114"
    board = with_conditions(board, "prisoner", incapacitated="")
    assert refused(board, act("carry", "one", "prisoner", members=("two",))) is None
    assert refused(board, act("carry", "one", "prisoner")) == "MNC-114"
    assert refused(board, act("carry", "one", "prisoner", members=("far",))) == "MNC-114"
    done = go(board, act("carry", "one", "prisoner", members=("two", "one")))
    assert done.scene.token("prisoner").conditions["carried"] == "one two"
    assert done.result.result == "carried"
    off = with_token(board, "prisoner", at=None)
    with pytest.raises(EnfiladeError):
        go(off, act("carry", "one", "prisoner", members=("two",)))


@pytest.mark.rule("MNC-113", "MNC-114")
@pytest.mark.parametrize(("setting", "modifier"), [(-1, -1), (-2, -2), (0, 0)])
def test_the_modifier_of_a_load_is_a_house_rule(setting, modifier):
    board = carried(house_rules={"load_modifier": setting})
    assert die_modifier(board, fighter(board, "one")) == modifier


@pytest.mark.rule("MNC-114")
def test_who_carries_a_captive_does_not_take_it_up_again():
    # Nothing changed, so that the same act could go on without end.
    board = activated(scene(hero("one", (10, 10)), orc("far", (50, 30)), orc("orc", (11.2, 10))), "one")
    board = with_conditions(board, "orc", captured="heroes", incapacitated="")
    carried = go(board, act("carry", "one", "orc")).scene
    assert refused(carried, act("carry", "one", "orc")) == "MNC-114"


@pytest.mark.rule("MNC-114")
@pytest.mark.parametrize(("size", "room_at"), [(11, 36), (12, 10)])
def test_a_captive_looks_for_room_within_6_inches_and_else_stays_where_it_is(size, room_at):
    # A giant of 5.5 or 6 inches from its middle to its edge stands where the captive would come.
    board = with_token(carried(), "o", at=inches(30, 11.2), size=(size, size))
    done = go(board, act("move", "one", at=(30, 10)), overrides=True).scene
    assert done.token("prisoner").at == inches(room_at, 11.2)


@pytest.mark.rule("MNC-114")
@pytest.mark.parametrize(("gap", "rule"), [(1, None), (1 + 1 / 64, "MNC-114")])
def test_a_carrier_is_within_an_inch_of_its_captive(gap, rule):
    prisoner = model("prisoner", (10, 11 + gap), side="orcs", level=1)
    board = activated(scene(hero("one", (10, 10)), prisoner, orc("o", (40, 30))), "one")
    board = with_conditions(board, "prisoner", captured="heroes", incapacitated="")
    assert refused(board, act("carry", "one", "prisoner")) == rule


@pytest.mark.rule("MNC-111")
@pytest.mark.parametrize(
    ("dice", "free", "left"), [(1, 1, (1, 0)), (2, 0, (1, 0)), (0, 1, (0, 0)), (0, 0, None)]
)
def test_an_action_costs_one_die_and_free_dice_come_first(dice, free, left):
    board = activated(scene(hero("one", (10, 10)), orc("o", (30, 10))), "one")
    board = with_tracks(board, "one", dice=dice, movement_dice=free)
    if left is None:
        with pytest.raises(EnfiladeError, match="One has 0 dice left"):
            go(board, act("action", "one", weapon="climb"))
        return
    one = go(board, act("action", "one", weapon="climb")).scene.token("one")
    assert (one.track("dice"), one.track("movement dice")) == left


@pytest.mark.rule("MNC-111")
@pytest.mark.parametrize("mounted", [False, True])
def test_only_a_rider_on_foot_mounts_and_only_one_in_the_saddle_dismounts(mounted):
    board = activated(scene(hero("one", (10, 10), mounted=mounted), orc("o", (30, 10))), "one")
    assert refused(board, act("action", "one", weapon="mount")) == "MNC-111"
    assert refused(board, act("action", "one", weapon="dismount")) == (None if mounted else "MNC-111")
    assert refused(board, act("action", "one", weapon="use")) is None
