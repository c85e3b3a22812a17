"""Movement of Miniatures combat at their limits."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.movement import way_points
from enfilade.rulesets.miniatures_combat.movement_dice import die_modifier, slowest
from enfilade.scene.model import Terrain
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
    moved,
    orc,
    scene,
    with_conditions,
    with_tracks,
)


def test_the_slowest_has_the_least_modifier_as_all_roll_the_same_dice():
    board = scene(
        model("foot", (10, 10), level=2),
        model("short", (12, 10), level=2, short=True),
        model("rider", (14, 10), level=2, mounted=True, short=True),
        orc("o", (40, 30)),
    )
    board = activated(board, "foot", "short", "rider")
    members = [fighter(board, key) for key in ("foot", "short", "rider")]
    one, modifier = slowest(board, members)
    assert (one.id, modifier) == ("rider", -2)
    one, modifier = slowest(board, members[:2])
    assert (one.id, modifier) == ("short", -2)
    assert slowest(board, members[:1]) == (members[0], 0)


def test_modifiers_add_up():
    mud = Terrain(id="mud", name="Mud", cells=((10, 10),), cost=2)
    board = scene(hero("one", (10.5, 10.5), athletic=True, short=True), orc("o", (40, 30)), terrain=[mud])
    board = with_tracks(board, "one", wounds=2)
    assert die_modifier(board, fighter(board, "one")) == 1 - 2 - 2 - 1
    paved = scene(*board.tokens, terrain=[Terrain(id="road", name="Road", cells=((10, 10),), cost=1)])
    assert die_modifier(paved, fighter(paved, "one")) == 1 - 2 - 2


@pytest.mark.rule("MNC-113")
@pytest.mark.parametrize(
    ("rule", "setting", "modifier"),
    [
        ("short_modifier", -2, -2),
        ("short_modifier", -1, -1),
        ("short_modifier", -3, -3),
        ("wound_modifier", -2, -2),
        ("wound_modifier", 0, 0),
        ("difficult_modifier", -2, -2),
        ("difficult_modifier", 0, 0),
    ],
)
def test_modifiers_are_house_rules(rule, setting, modifier):
    mud = Terrain(id="mud", name="Mud", cells=((10, 10),), cost=2 if "difficult" in rule else 1)
    one = hero("one", (10.5, 10.5), short="short" in rule)
    board = scene(one, orc("o", (40, 30)), terrain=[mud], house_rules={rule: setting})
    board = with_tracks(board, "one", wounds=int("wound" in rule))
    assert die_modifier(board, fighter(board, "one")) == modifier


def test_before_the_roll_the_budget_is_0():
    board = scene(hero("one", (10, 10)), orc("o", (40, 30)))
    reach = MINIATURES_COMBAT.reach(board, board.token("one"))
    assert (reach.budget, reach.cells, len(reach.bands)) == (0, (), 3)


def test_a_move_is_paid_once_by_the_active_group_only():
    board = scene(hero("one", (10, 10)), hero("two", (20, 10)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    walked = moved(board, "one", (12.5, 10))
    assert walked.token("one").track("allowance") == 3.5 * 64
    walked = moved(walked, "one", (12.5, 13.5))
    assert walked.token("one").track("allowance") == 0
    assert not judged(walked, "one", (12.5, 13.6)).allowed
    # A model outside the group is moved by the GM's hand and pays nothing.
    pushed = go(board, act("move", "two", at=(25, 10))).scene
    assert "allowance" not in pushed.token("two").tracks
    assert not pushed.token("two").has("moved")


def test_an_engaged_model_pays_whole_dice():
    board = scene(hero("one", (10, 10)), orc("o", (11.5, 10)))
    board = with_conditions(activated(board, "one"), "one", defended="o=ok")
    for far, dice in ((1, 1), (2, 1), (2 + 1 / 64, 2), (4, 2), (5, 3)):
        assert moved(board, "one", (10 - far, 10)).token("one").track("dice") == 3 - dice


def test_a_shield_loses_a_die_once_by_moving():
    board = scene(
        hero("one", (10, 10), shield="shield"), model("two", (12, 10), shield="buckler"), orc("o", (40, 30))
    )
    board = go(activated(board, "one", "two"), act("roll_movement", "one", dice=1), 6).scene
    board = moved(moved(board, "one", (12, 12)), "one", (13, 12))
    board = moved(board, "two", (14, 10))
    assert board.token("one").track("defense dice") == 1
    assert board.token("two").track("defense dice") == 1


def test_a_charge_is_noted_only_from_unengaged_to_engaged():
    board = scene(hero("one", (10, 10)), hero("two", (10, 13)), orc("o", (16, 10)))
    board = go(activated(board, "one", "two"), act("roll_movement", "one", dice=1), 6).scene
    board = moved(board, "one", (15, 10))
    assert board.token("one").has("charged")
    assert not board.token("one").has("must defend")
    board = moved(board, "two", (12, 13))
    assert not board.token("two").has("charged")


def test_the_note_of_a_route_has_where_it_began_its_length_and_its_moves():
    board = scene(hero("one", (10, 12)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    first = moved(board, "one", (12, 12))
    assert first.token("one").conditions["moved"] == "640,768,128.00,1"
    assert moved(first, "one", (12, 13)).token("one").conditions["moved"] == "640,768,192.00,2"


def test_the_outline_of_a_reach_is_labeled_with_no_more_inches_than_it_has():
    board = scene(hero("one", (10, 10)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    board = with_tracks(board, "one", allowance=204)
    (band,) = MINIATURES_COMBAT.reach(board, board.token("one")).bands
    assert band.label == 'Reach 3.1"'  # 3.1875 inches


@pytest.mark.rule("MNC-106")
def test_a_place_that_is_taken_is_refused_for_that_alone_and_a_move_to_no_place_as_such():
    board = scene(hero("one", (10, 10)), hero("two", (30, 10)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    far, taken = judged(board, "one", (34, 10)), judged(board, "one", (30, 10))
    assert (far.causes, taken.causes) == (("distance",), ("occupied",))
    nowhere = MINIATURES_COMBAT.judge(board, board.token("one"), (), None)
    assert (nowhere.allowed, nowhere.cost, nowhere.causes) == (False, None, ("request",))


@pytest.mark.rule("MNC-016", "MNC-109")
def test_the_plan_of_an_active_rider_counts_its_free_dice():
    board = activated(scene(model("rider", (20, 20), level=2, mounted=True), orc("o", (50, 35))), "rider")
    bands = MINIATURES_COMBAT.reach(board, board.token("rider")).bands
    assert [band.label for band in bands] == ['At least 9"', 'On average 12"', 'At most 18"']


@pytest.mark.rule("MNC-108")
def test_a_model_that_is_prone_or_of_an_engaged_group_has_no_plan_of_a_roll():
    board = scene(hero("one", (10, 10)), hero("two", (10, 12)), orc("o", (12, 10)))
    assert MINIATURES_COMBAT.reach(board, board.token("two")).bands
    prone = with_conditions(board, "two", prone="")
    assert MINIATURES_COMBAT.reach(prone, prone.token("two")).bands == ()
    spent = with_tracks(activated(board, "one", "two"), "two", dice=0)
    assert MINIATURES_COMBAT.reach(spent, spent.token("two")).bands == ()


@pytest.mark.rule("MNC-001", "MNC-076")
def test_a_model_outside_the_group_or_whose_movement_is_over_has_no_length_left():
    board = scene(hero("one", (10, 10)), hero("two", (20, 10)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    over = replace(board, conditions={**board.conditions, "movement over": ""})
    assert judged(board, "two", (20.5, 10)).budget == 0
    assert judged(over, "one", (10.5, 10)).budget == 0
    assert MINIATURES_COMBAT.reach(over, over.token("one")).budget == 0


def charge(board, *way):
    """Return the model `one` of an unengaged group after moves with an allowance of 6 inches."""
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    for at in way:
        board = go(board, act("move", "one", at=at), overrides=True).scene
    return board.token("one")


@pytest.mark.rule("MNC-110")
def test_the_most_direct_route_of_a_charge_leads_around_the_enemies_in_its_way():
    guarded = scene(hero("one", (10, 10)), orc("guard", (12.5, 10)), orc("o", (16, 10)))
    one = charge(guarded, (14.5, 10))
    assert one.track("allowance") < 1.4 * 64
    assert one.has("charged")
    assert not one.has("must defend")
    detour = charge(scene(hero("one", (10, 10)), orc("o", (16, 10))), (12.5, 11), (14.5, 10))
    assert (detour.has("charged"), detour.has("must defend")) == (True, True)


@pytest.mark.rule("MNC-110")
@pytest.mark.parametrize(("aside", "is_direct"), [(3, True), (6, False)])
def test_each_move_of_a_direct_route_may_be_longer_by_a_64th(aside, is_direct):
    # Two moves of 5 64ths go 8 ahead by a way of 10; two of 10 go 16 ahead by one of 20.
    ahead = aside * 4 // 3
    start, end = (10, 10), (10 + 2 * ahead / 64, 10)
    board = scene(hero("one", start), orc("o", (12 + 2 * ahead / 64, 10)))
    one = charge(board, (10 + ahead / 64, 10 + aside / 64), end)
    assert one.has("charged")
    assert one.has("must defend") is not is_direct


@pytest.mark.rule("MNC-110")
def test_one_move_with_a_bend_of_two_64ths_is_no_direct_route():
    board = scene(hero("one", (10, 10)), orc("o", (12 + 8 / 64, 10)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    way = ((10 + 4 / 64, 10 + 3 / 64), (10 + 8 / 64, 10))
    one = moved(board, "one", way[-1], path=way).token("one")
    assert (one.has("charged"), one.has("must defend")) == (True, True)


@pytest.mark.rule("MNC-106")
def test_the_ruling_on_a_move_has_its_way_from_where_the_model_stands():
    board = scene(hero("one", (10, 10)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    ruling = judged(board, "one", (12, 11), path=((12, 10), (12, 11)))
    assert ruling.path == (inches(10, 10), inches(12, 10), inches(12, 11))
    assert (ruling.allowed, ruling.cost) == (True, 3 * 64)


@pytest.mark.rule("MNC-110")
def test_a_move_that_is_no_legal_way_makes_no_charge_indirect():
    one = charge(scene(hero("one", (10, 10)), orc("o", (30, 10))), (28.5, 10))
    assert one.has("charged")
    assert not one.has("must defend")
    assert one.track("allowance") == 0


@pytest.mark.rule("MNC-106")
@pytest.mark.parametrize("at", [(0.25, 10), (10, 39.75)])
def test_a_model_that_overlaps_the_edge_may_only_move_to_where_its_whole_base_is_on_the_board(at):
    board = scene(hero("one", at), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 3).scene
    places = [(x, y) for x, y, _ in MINIATURES_COMBAT.reach(board, board.token("one")).cells]
    assert places
    assert all(32 <= x <= 60 * 64 - 32 and 32 <= y <= 40 * 64 - 32 for x, y in places)


@pytest.mark.rule("MNC-015")
def test_a_shield_whose_dice_are_spent_loses_none_by_moving():
    board = scene(hero("one", (10, 10), shield="shield"), orc("o", (11.5, 10)), orc("p", (10, 11.5)))
    board = with_conditions(activated(board, "one"), "one", defended="o=ok p=ok")
    spent = moved(with_tracks(board, "one", defense_dice=0), "one", (8, 10))
    assert spent.token("one").track("defense dice") == 0


def test_a_move_to_no_place_leaves_a_model_where_it_stands():
    board = scene(hero("one", (10, 10)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 3).scene
    after = go(board, act("move", "one")).scene
    assert (at_inches(after, "one"), after.token("one").track("allowance")) == ((10, 10), 3 * 64)


@pytest.mark.rule("MNC-076")
def test_archers_look_at_a_long_way_every_half_inch_too():
    board = scene(hero("one", (10, 10)), orc("o", (40, 30)))
    expected = [inches(10 + half / 2, 10) for half in range(34)]
    assert way_points(board, fighter(board, "one"), [inches(26.5, 10)]) == expected


@pytest.mark.rule("MNC-106")
def test_the_refusal_of_a_place_too_far_away_names_no_more_inches_than_the_model_has():
    board = scene(hero("one", (10, 10)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    board = with_tracks(board, "one", allowance=204)  # 3.1875 inches
    (reason,) = judged(board, "one", (20, 10)).reasons
    assert "within 3.1 inches" in reason
