"""Details of Miniatures combat at their limits: what the other tests do not come to."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.errors import EnfiladeError, IllegalAct
from enfilade.rules.resolve import Answers, ChoicePending, resolve
from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.combat.damage import Gain
from enfilade.rulesets.miniatures_combat.combat.defense import best_split
from enfilade.rulesets.miniatures_combat.combat.flight import flight_places
from enfilade.rulesets.miniatures_combat.combat.missiles import best_spread
from enfilade.rulesets.miniatures_combat.combat.story import Roller, opponent_of, possible_events
from enfilade.rulesets.miniatures_combat.groups import is_coherent
from enfilade.rulesets.miniatures_combat.movement import is_direct_route, way_points
from enfilade.rulesets.miniatures_combat.movement_dice import die_modifier, slowest
from enfilade.rulesets.miniatures_combat.offers import ACTS
from enfilade.rulesets.miniatures_combat.profiles import read_fighter
from enfilade.rulesets.miniatures_combat.straight_ways import (
    contact_place,
    free_place,
    nearest_free_place,
    touches_on_way,
)
from enfilade.scene.events import Explained
from enfilade.scene.model import Grid, Side, Terrain
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    asked_of,
    at_inches,
    facts,
    go,
    hero,
    inches,
    judged,
    model,
    moved,
    orc,
    points,
    refused,
    rolled,
    scene,
    wall,
    with_conditions,
    with_points,
    with_token,
    with_tracks,
)


def fighter(board, key):
    return read_fighter(board.token(key))


def asks(board, asked, *faces, answers=()):
    """Return the question at which an act waits."""
    given = Answers(faces=list(faces), decisions=list(answers), automatic=())
    with pytest.raises(ChoicePending) as waiting:
        resolve(board, ACTS[asked.kind].procedure, (asked,), given)
    return waiting.value.choice


# Places and lines


def test_a_place_in_squares_is_the_nearest_cell():
    board = scene(hero("one"))
    field = battlefield(type(board)(ruleset=board.ruleset, grid=Grid("square", 10, 8), sides=board.sides))
    one = board.token("one")
    for column in range(10):
        for off in (-32, -31, 0, 31):
            assert field.place(one, (column * 64 + 32 + off, 4 * 64 + 32)) == (column, 4)
            assert field.place(one, (4 * 64 + 32, min(7, column) * 64 + 32 + off)) == (4, min(7, column))
    assert field.place(one, (-500, 9_999)) == (0, 7)
    big = with_token(board, "one", size=(2, 3)).token("one")
    assert field.place(big, (9_999, 9_999)) == (8, 5)
    assert field.place(big, (3 * 64, 4 * 64 + 32)) == (2, 3)


def test_a_base_that_touches_a_line_does_not_block_it():
    for at, is_clear in (((11.5, 10.5), True), ((11.5, 10.5 - 1 / 64), False), ((11.5, 9.5), True)):
        board = scene(hero("one", (10, 10)), hero("two", at), orc("o", (13, 10)))
        assert battlefield(board).has_clear_line("one", "o") is is_clear


def test_ways_in_all_directions_end_before_models():
    for (dx, dy), at in (
        ((0, 1), (10, 12.5)),
        ((0, -1), (10, 7.5)),
        ((-1, 0), (7.5, 10)),
        ((1, 1), (12, 12)),
    ):
        board = scene(hero("one", (10, 10)), hero("two", at))
        field = battlefield(board)
        x, y = free_place(field, fighter(board, "one"), (dx, dy), 4 * 64)
        assert field.gap_at(board.token("one"), (x, y), "two") in (1, 2)
        past = free_place(field, fighter(board, "one"), (dx, dy), 7 * 64)
        assert past == (x, y)
        beside = scene(hero("one", (10, 10)), hero("two", (at[0] + 2 * dy, at[1] + 2 * dx)))
        if dx * dy == 0:
            end = free_place(battlefield(beside), fighter(beside, "one"), (dx, dy), 4 * 64)
            assert end == inches(10 + 4 * dx, 10 + 4 * dy)


def test_a_model_may_leave_one_that_it_touches():
    board = scene(hero("one", (10, 10)), orc("o", (11, 10)))
    field = battlefield(board)
    assert free_place(field, fighter(board, "one"), (-1, 0), 128) == inches(8, 10)
    assert free_place(field, fighter(board, "one"), (0, 1), 128) == inches(10, 12)
    assert free_place(field, fighter(board, "one"), (1, 0), 128) == inches(10, 10)


def test_a_vertical_sweep_touches_what_it_meets():
    board = scene(hero("one", (10, 10)), hero("below", (10.5, 11)), hero("above", (10, 8)))
    field, one = battlefield(board), fighter(board, "one")
    assert touches_on_way(field, one, inches(10, 12))
    assert touches_on_way(field, one, inches(10, 9))
    assert not touches_on_way(field, one, inches(8, 10))
    left = scene(hero("one", (10, 10)), hero("two", (8, 10)), hero("three", (12, 10.5)))
    assert touches_on_way(battlefield(left), fighter(left, "one"), inches(9, 10))
    assert touches_on_way(battlefield(left), fighter(left, "one"), inches(12, 10))
    assert not touches_on_way(battlefield(left), fighter(left, "one"), inches(10, 12))


def test_room_is_looked_for_within_the_distance():
    board = scene(hero("one", (10, 10)), hero("two", (10, 10)))
    field, two = battlefield(board), board.token("two")
    assert nearest_free_place(field, two, (1, 0), 64) == inches(11, 10)
    assert nearest_free_place(field, two, (1, 0), 63) is None
    assert nearest_free_place(field, two, (0, -1), 64) == inches(10, 9)


@pytest.mark.parametrize(("start", "target"), [((10, 12), (14, 15)), ((3, 20), (3, 10)), ((30, 5), (20, 9))])
def test_contact_is_on_the_line_between_any_centers(start, target):
    board = scene(hero("one", start), orc("o", target))
    x, y = contact_place(battlefield(board), fighter(board, "one"), fighter(board, "o"))
    (ax, ay), (bx, by) = inches(*start), inches(*target)
    far = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    assert x == pytest.approx(ax + (bx - ax) * (far - 64) / far, abs=1)
    assert y == pytest.approx(ay + (by - ay) * (far - 64) / far, abs=1)


def test_archers_look_every_half_inch_of_the_way():
    board = scene(hero("one", (10, 10)), orc("o", (40, 30)))
    assert way_points(board, fighter(board, "one"), [inches(10, 11)]) == [
        inches(10, 10),
        inches(10, 10.5),
        inches(10, 11),
    ]
    assert way_points(board, fighter(board, "one"), [inches(11, 10), inches(11, 10.2)]) == [
        inches(10, 10),
        inches(10.5, 10),
        inches(11, 10),
        inches(11, 10.2),
    ]
    absent = with_conditions(board, "one", out="")
    assert way_points(absent, fighter(absent, "one"), [inches(11, 10)]) == []


def test_an_archer_may_see_a_model_in_the_middle_of_a_vertical_way_only():
    slit = [wall("above", 15, 0, 15, 9.8), wall("below", 15, 10.2, 15, 40)]
    board = scene(hero("one", (10, 7)), orc("bow", (20, 10), missiles=True), walls=slit)
    board = go(activated(board, "one"), act("roll_movement", "one", dice=2), 3, 3).scene
    assert not board.token("bow").has("in sight")
    board = moved(board, "one", (10, 13))
    assert board.token("bow").has("in sight")


def test_a_reach_is_around_the_model_wherever_it_stands():
    board = scene(hero("one", (10, 14)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 3).scene
    places = {(x, y) for x, y, _ in MINIATURES_COMBAT.reach(board, board.token("one")).cells}
    assert {inches(13, 14), inches(7, 14), inches(10, 17), inches(10, 11), inches(10, 14)} <= places
    assert inches(12, 16) in places
    assert inches(13, 15) not in places
    assert len(places) == 29


def test_the_gm_moves_a_helpless_model_along_a_path():
    board = with_conditions(scene(hero("one", (10, 10)), orc("o", (40, 30))), "one", captured="orcs")
    done = go(board, act("move", "one", at=(12, 12), path=((12, 10), (12, 12))))
    assert at_inches(done.scene, "one") == (12, 12)


def test_a_detour_of_a_64th_is_the_most_direct_route():
    board = scene(hero("one", (10, 10)), orc("o", (40, 30)))
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    one = fighter(board, "one")
    assert is_direct_route(board, one, [inches(14, 10)], 6 * 64)
    assert is_direct_route(board, one, [inches(12, 10), inches(14, 10)], 6 * 64)
    assert is_direct_route(board, one, [inches(12, 10.1), inches(14, 10)], 6 * 64)
    assert not is_direct_route(board, one, [inches(12, 10.5), inches(14, 10)], 6 * 64)


# Groups and turns


def test_a_chain_is_found_in_any_order_of_its_members():
    board = scene(
        hero("x", (10, 10)),
        hero("z", (26, 10)),
        hero("y", (18, 10)),
        orc("o", (50, 30)),
        house_rules={"coherency": "chain"},
    )
    bases = battlefield(board).bases
    assert is_coherent(board, {key: bases[key].at for key in ("x", "z", "y")})
    assert is_coherent(board, {key: bases[key].at for key in ("z", "x", "y")})
    assert not is_coherent(board, {key: bases[key].at for key in ("x", "z")})
    two = scene(
        hero("x", (10, 10)),
        hero("z", (40, 10)),
        hero("y", (44, 10)),
        orc("o", (50, 30)),
        house_rules={"coherency": "chain"},
    )
    bases = battlefield(two).bases
    assert not is_coherent(two, {key: bases[key].at for key in ("x", "z", "y")})
    assert not is_coherent(two, {key: bases[key].at for key in ("x", "y", "z")})


def test_bodies_of_acts_are_fixed_values():
    for kind in ACTS.values():
        if kind.body:
            assert hash(kind.body()) == hash(kind.body())


def test_turns_and_rounds_are_counted_from_1():
    sides = (Side(id="heroes", name="Heroes"), Side(id="orcs", name="Orcs"), Side(id="elves", name="Elves"))
    board = scene(
        hero("one", (10, 10)), orc("o", (40, 30)), model("elf", (40, 10), side="elves"), sides=sides
    )
    assert MINIATURES_COMBAT.turn(board).round == 1
    seen = []
    for key in ("one", "o", "elf", "one", "o"):
        board = go(activated(board, key), act("end", key)).scene
        seen.append((board.conditions["side"], board.track("turn"), board.track("round")))
    assert seen == [("orcs", 2, 1), ("elves", 3, 1), ("heroes", 4, 2), ("orcs", 5, 2), ("elves", 6, 2)]


def test_a_side_without_models_has_no_turn():
    sides = (Side(id="heroes", name="Heroes"), Side(id="orcs", name="Orcs"), Side(id="elves", name="Elves"))
    board = scene(hero("one", (10, 10)), model("elf", (40, 10), side="elves"), sides=sides)
    board = go(activated(board, "one"), act("end", "one")).scene
    assert board.conditions["side"] == "elves"


def test_the_end_of_an_activation_clears_what_belongs_to_it_and_keeps_the_rest():
    board = scene(hero("one", (10, 10), shield="shield"), orc("o", (11.5, 10)), hero("two", (30, 10)))
    board = with_conditions(with_tracks(activated(board, "one"), "one", wounds=1), "one", prone="")
    board = go(board, act("defend", "one", "o", bonus=1), 5).scene
    ended = go(board, act("end", "one")).scene
    assert ended.token("one").conditions == {"prone": ""}
    assert ended.token("one").tracks == {"hits": 0, "wounds": 1}
    assert ended.conditions == {"side": "orcs"}
    assert ended.track("group") == 1


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        (act("turn", "", side="nobody"), "MNC-061"),
        (act("victory", "", side="nobody"), "MNC-061"),
    ],
)
def test_the_gm_names_a_side_of_the_table(asked, rule):
    assert refused(scene(hero("one", (10, 10)), orc("o", (30, 10))), asked) == rule


def test_the_gm_gives_the_turn_between_activations_and_ends_the_battle():
    board = scene(hero("one", (10, 10)), orc("o", (30, 10)))
    given = go(board, act("turn", "", side="orcs"))
    assert (given.scene.conditions["side"], given.scene.track("round")) == ("orcs", 1)
    assert go(board, act("turn", "o")).scene.conditions["side"] == "orcs"
    assert refused(activated(board, "one"), act("turn", "", side="orcs")) == "MNC-006"
    recorded = go(board, act("event", "", side="orcs", text="It rains."))
    assert facts(recorded, "story event") == [{"side": "orcs", "event": "", "text": "It rains."}]
    won = go(board, act("victory", "", side="orcs")).scene
    assert (MINIATURES_COMBAT.turn(won).is_over, MINIATURES_COMBAT.turn(won).winners) == (True, ("orcs",))
    for again, rule in (
        (act("victory", "", side="orcs"), "MNC-061"),
        (act("event", "", text="It rains."), "MNC-041"),
        (act("turn", "", side="orcs"), "MNC-006"),
    ):
        with pytest.raises(IllegalAct) as why:
            go(won, again)
        assert why.value.rule == rule


def test_allies_win_together_and_a_battle_without_models_is_a_draw():
    sides = (
        Side(id="heroes", name="Heroes", team="good"),
        Side(id="elves", name="Elves", team="good"),
        Side(id="orcs", name="Orcs"),
    )
    board = scene(hero("one", (10, 10)), model("elf", (12, 10), side="elves"), sides=sides)
    turn = MINIATURES_COMBAT.turn(board)
    assert (turn.is_over, turn.winners) == (True, ("heroes", "elves"))
    named = type(board)(**{**_fields(board), "conditions": {"won": "good"}})
    assert MINIATURES_COMBAT.turn(named).winners == ("heroes", "elves")
    nobody = scene(hero("one"), orc("o"))
    assert (MINIATURES_COMBAT.turn(nobody).is_over, MINIATURES_COMBAT.turn(nobody).winners) == (True, ())
    empty = scene()
    assert not MINIATURES_COMBAT.turn(empty).is_over
    lonely = scene(hero("one", (10, 10)), sides=(Side(id="heroes", name="Heroes"),))
    assert MINIATURES_COMBAT.turn(lonely).sides == ("heroes",)


def _fields(value):
    return {name: getattr(value, name) for name in value.__struct_fields__}


# Movement


def test_the_slowest_counts_dice_and_modifiers():
    board = scene(
        model("foot", (10, 10), level=2),
        model("short", (12, 10), level=2, short=True),
        model("rider", (14, 10), level=2, mounted=True, short=True),
        orc("o", (40, 30)),
    )
    board = activated(board, "foot", "short", "rider")
    members = [fighter(board, key) for key in ("foot", "short", "rider")]
    one, dice, modifier = slowest(board, members, 1)
    assert (one.id, dice, modifier) == ("short", 1, -2)
    one, dice, modifier = slowest(board, [members[0], members[2]], 1)
    assert (one.id, dice, modifier) == ("foot", 1, 0)
    same = slowest(board, [members[2], members[2]], 0)
    assert same[1:] == (2, -2)


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


@pytest.mark.rule("MNC-113", "MNC-114")
@pytest.mark.parametrize(("setting", "modifier"), [(-1, -1), (-2, -2), (0, 0)])
def test_the_modifier_of_a_load_is_a_house_rule(setting, modifier):
    board = carried(house_rules={"load_modifier": setting})
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


# Fights


@pytest.mark.parametrize(
    "asked",
    [
        act("attack", "one", "o", dice=1),
        act("defend", "one", "o", dice=1),
        act("fall_back", "one", "o", dice=1),
    ],
)
def test_a_charger_whom_arrows_slay_does_not_fight(asked):
    bows = [orc(f"b{i}", (25, 5 + 1.2 * i), missiles=True) for i in range(5)]
    board = scene(hero("one", (10, 10)), orc("o", (16, 10), weapon="close"), *bows)
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 6).scene
    board = moved(board, "one", (15, 10) if asked.kind != "attack" else (14.6, 10))
    done = go(board, asked, 6, 6, 6, 1, 1)
    assert done.result.result == "fell"
    assert done.scene.token("one").has("out")
    assert not facts(done, "strike")


def test_a_lunger_whom_arrows_slay_does_not_strike():
    bows = [orc(f"b{i}", (25, 5 + 1.2 * i), missiles=True) for i in range(5)]
    board = scene(hero("one", (10, 10)), orc("o", (13, 10)), *bows)
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 1).scene
    done = go(board, act("lunge", "one", "o", dice=1), 6, 6, 6, 1, 1)
    assert (done.result.result, at_inches(done.scene, "one")) == ("fell", None)


def test_an_item_is_offered_as_the_house_rule_says():
    sheet = {"shield": "shield", "heavy_armor": True}
    ogre = model("ogre", (11.5, 10), side="orcs", level=5, **sheet)
    for setting, keys in (
        ("each item", ["none", "shield", "armor", "shield+armor"]),
        ("one item", ["none", "shield", "armor"]),
    ):
        board = scene(hero("one", (10, 10)), ogre, house_rules={"negation": setting})
        board = with_conditions(activated(board, "one"), "one", defended="ogre=ok")
        choice = asks(board, act("attack", "one", "ogre", dice=3), 5, 5, 5)
        assert [answer.key for answer in choice.answers] == keys
        assert choice.default == keys[-1] if setting == "each item" else choice.default in keys
        labels = [answer.label for answer in choice.answers]
        assert labels[:3] == ["Take the hits", "Shield", "Armor"]
        one_hit = asks(board, act("attack", "one", "ogre", dice=1), 5)
        assert [answer.key for answer in one_hit.answers] == ["none", "shield", "armor"]
    used = with_conditions(board, "ogre", armor_used="")
    done = go(used, act("attack", "one", "ogre", dice=1), 5)
    assert [key for side, key in asked_of(done) if side == "orcs"] == []


def test_negation_is_the_default_only_if_it_saves():
    for level, default in ((2, "none"), (3, "shield")):
        target = model("ogre", (11.5, 10), side="orcs", level=level, shield="shield")
        board = scene(hero("one", (10, 10)), target)
        board = with_conditions(activated(board, "one"), "one", defended="ogre=ok")
        assert asks(board, act("attack", "one", "ogre", dice=3), 5, 5, 5).default == (
            "none" if level < 3 else default
        )
    board = with_tracks(board, "ogre", hits=1)
    assert asks(board, act("attack", "one", "ogre", dice=2), 5, 5).default == "shield"
    board = with_tracks(board, "ogre", hits=2)
    assert asks(board, act("attack", "one", "ogre", dice=2), 5, 5).default == "none"


def test_all_story_points_can_be_discarded_to_ignore_wounds():
    board = scene(hero("one", (10, 10), two_handed=True), orc("o", (11.5, 10)))
    board = with_points(with_tracks(activated(board, "one"), "one", wounds=3), "heroes", 2)
    board = with_conditions(board, "one", defended="o=ok")
    done = go(board, act("sweep", "one", dice=1, ignored=2), 5, 5)
    assert points(done.scene, "heroes") == 0
    assert facts(done, "sweep")[0]["needed"] == 6
    assert done.result.result == "stood"
    assert refused(board, act("sweep", "one", dice=1, ignored=3)) == "MNC-105"


def test_a_push_that_fails_moves_nobody_and_a_success_is_one_of_its_dice():
    board = scene(hero("one", (10, 10)), orc("o", (11.5, 10)))
    board = with_conditions(activated(board, "one"), "one", defended="o=ok")
    stood = go(board, act("push", "one", "o", dice=2), 4, 4)
    assert (stood.result.result, at_inches(stood.scene, "o")) == ("stood", (11.5, 10))
    pushed = go(board, act("push", "one", "o", dice=2), 4, 5)
    assert (pushed.result.result, at_inches(pushed.scene, "o")) == ("pushed", (13.5, 10))
    assert pushed.scene.token("one").track("dice") == 1
    # The default is to stay; the follow-up goes as far as 2 inches without contact.
    assert at_inches(pushed.scene, "one") == (10, 10)
    followed = go(board, act("push", "one", "o", dice=2), 4, 5, answers=["yes"])
    assert at_inches(followed.scene, "one") == (12, 10)


def test_a_sweep_moves_each_enemy_once_nearest_first():
    board = scene(
        hero("one", (10, 10), two_handed=True),
        orc("a", (11.5, 10)),
        orc("b", (10, 8.6)),
        orc("far", (10, 12.5)),
    )
    board = with_conditions(activated(board, "one"), "one", defended="a=ok b=ok")
    done = go(board, act("sweep", "one", dice=2), 5, 5, 5, 5)
    assert [key for _, key in asked_of(done)] == ["b", "a"]
    assert at_inches(done.scene, "b") == (10, 6.59375)
    assert at_inches(done.scene, "far") == (10, 12.5)
    assert facts(done, "sweep")[0]["dice"] == 4


def test_a_strike_notes_its_dice_for_the_heavy_weapon():
    board = scene(hero("one", (10, 10), two_handed=True), model("ogre", (11.5, 10), side="orcs", level=5))
    board = with_conditions(activated(board, "one"), "one", defended="ogre=ok")
    first = go(board, act("attack", "one", "ogre", dice=1), 1)
    assert facts(first, "strike")[0]["dice"] == 1
    second = go(first.scene, act("attack", "one", "ogre", dice=1), 1, 1)
    assert facts(second, "strike")[0]["dice"] == 2
    third = go(second.scene, act("attack", "one", "ogre", dice=1), 1)
    assert facts(third, "strike")[0]["dice"] == 1
    both = go(board, act("attack", "one", "ogre", dice=3), 1, 1, 1, 1)
    assert facts(both, "strike")[0]["dice"] == 4


def test_more_dice_come_from_the_bonus_first():
    board = scene(model("one", (10, 10), level=2, shield="shield"), orc("o", (11.5, 10)))
    board = activated(board, "one")
    done = go(board, act("defend", "one", "o", dice=1), 1, 1, 1, 1, 1, answers=["3"])
    assert (done.scene.token("one").track("dice"), done.scene.token("one").track("defense dice")) == (0, 0)
    some = go(board, act("defend", "one", "o", dice=1), 1, 1, 2, answers=["2"])
    assert (some.scene.token("one").track("dice"), some.scene.token("one").track("defense dice")) == (1, 0)
    # To fall back, general dice only.
    back = go(board, act("fall_back", "one", "o", dice=1), 1, 5, answers=["1"])
    assert (back.scene.token("one").track("dice"), back.scene.token("one").track("defense dice")) == (0, 1)
    choice = asks(board, act("fall_back", "one", "o", dice=1), 1)
    assert [answer.key for answer in choice.answers] == ["0", "1"]


def test_cover_and_height_are_used_before_the_shield_and_once():
    hedge = Terrain(id="hedge", name="Hedge", cells=((10, 10),), kind="cover", height=2)
    board = scene(
        model("one", (10.5, 10.5), level=2, shield="shield"),
        orc("a", (12, 10.5)),
        orc("b", (9, 10.5)),
        terrain=[hedge],
    )
    board = activated(board, "one")
    board = go(board, act("defend", "one", "a", bonus=2), 2, 2).scene
    one = board.token("one")
    assert one.track("defense dice") == 2
    assert {"height used", "cover used"} <= one.conditions.keys()
    board = go(board, act("defend", "one", "b", bonus=2), 2, 2).scene
    assert board.token("one").track("defense dice") == 0
    assert refused(activated(scene(*board.tokens), "one"), act("defend", "one", "a", bonus=3)) is not None


@pytest.mark.parametrize(
    ("enemies", "needed", "pool", "bonus", "split"),
    [
        (["a", "b"], 2, 5, 2, {"a": 1, "b": 1}),
        (["a", "b"], 2, 5, 3, {"a": 2, "b": 1}),
        (["a", "b", "c"], 3, 5, 2, {"a": 1, "b": 1, "c": 1}),
        (["a", "b", "c"], 3, 2, 2, {"a": 1, "b": 1, "c": 0}),
        (["a"], 1, 5, 4, {"a": 1}),
        (["a", "b"], 1, 5, 4, {"a": 1, "b": 1}),
        (["a"], 7, 5, 4, {}),
        (["a"], 6, 5, 4, {"a": 4}),
        ([], 2, 5, 4, {}),
    ],
)
def test_the_best_split(enemies, needed, pool, bonus, split):
    assert best_split(enemies, needed, pool, bonus) == split


@pytest.mark.parametrize(
    ("pool", "most", "spread"),
    [
        (1, 9, {"shielded": 0, "average": 1, "good": 0, "protected": 0}),
        (2, 9, {"shielded": 1, "average": 1, "good": 0, "protected": 0}),
        (5, 9, {"shielded": 2, "average": 1, "good": 2, "protected": 0}),
        (6, 9, {"shielded": 2, "average": 1, "good": 2, "protected": 1}),
        (7, 9, {"shielded": 2, "average": 2, "good": 2, "protected": 1}),
        (4, 1, {"shielded": 1, "average": 1, "good": 1, "protected": 1}),
    ],
)
def test_the_best_spread_uses_what_gear_and_toughness_take(pool, most, spread):
    board = scene(
        model("average", (10, 10), level=2),
        model("shielded", (12, 10), level=2, shield="shield"),
        hero("good", (14, 10)),
        model("protected", (16, 10), level=2, story_protected=True),
    )
    targets = [fighter(board, key) for key in ("shielded", "average", "good", "protected")]
    assert best_spread(targets, pool, most) == spread
    hurt = with_tracks(board, "good", hits=2)
    assert best_spread([fighter(hurt, "good"), fighter(hurt, "shielded")], 1, 9)["good"] == 0


# Story points


def roller(board, attacker="one", target="ogre"):
    gain = Gain("heroes", 1, attacker, target)
    return Roller("heroes", opponent_of(board, gain), gain)


def test_events_that_nothing_can_suffer_are_left_out():
    board = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4), orc("m", (20, 10)))
    keys = [event.key for event in possible_events(board, roller(board), 27)]
    assert keys == [
        "nothing", "stumble", "name group", "2 dice", "wound", "story event", "3 dice", "prone",
        "minions flee", "4 dice", "major story event", "unconscious",
    ]  # fmt: skip
    assert [event.key for event in possible_events(board, roller(board), 12)] == [
        "nothing", "stumble", "name group", "2 dice", "wound",
    ]  # fmt: skip
    arrows = Roller("heroes", "orcs", Gain("heroes", 1, "", "ogre"))
    assert "2 dice" not in [event.key for event in possible_events(board, arrows, 27)]
    assert "wound" in [event.key for event in possible_events(board, arrows, 27)]
    gone = with_conditions(board, "ogre", out="")
    left = [event.key for event in possible_events(gone, roller(gone), 27)]
    assert not {"2 dice", "3 dice", "4 dice", "wound", "unconscious"} & set(left)
    # The defender whose shield gave the point does not strike.
    negated = Roller("orcs", "heroes", Gain("orcs", 1, "one", "ogre"))
    assert "2 dice" not in [event.key for event in possible_events(board, negated, 27)]
    no_minions = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4))
    assert "minions flee" not in [event.key for event in possible_events(no_minions, roller(no_minions), 27)]
    alone = scene(hero("one", (10, 10)), hero("two", (20, 10)))
    assert [event.key for event in possible_events(alone, roller(alone), 27)] == [
        "nothing", "story event", "major story event",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("level", "total", "default"),
    [
        (2, 9, "2 dice"),
        (2, 12, "wound"),
        (2, 17, "3 dice"),
        (3, 9, "2 dice"),
        (3, 17, "wound"),
        (4, 22, "wound"),
        (2, 22, "4 dice"),
        (3, 18, "prone"),
        (2, 4, "nothing"),
        (3, 27, "unconscious"),
    ],
)
def test_the_default_event_is_the_highest_but_wounds_the_strong(level, total, default):
    board = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=level))
    count = -(-total // 5)
    faces = [5] * (count - 1) + [total - 5 * (count - 1)]
    board = with_points(activated(board, "one"), "heroes", count - 1)
    board = with_conditions(board, "one", defended="ogre=ok")
    choice = asks(board, act("attack", "one", "ogre", dice=1), 5, *faces, answers=[str(count)])
    assert choice.default == default
    assert choice.question == f"The story dice total {total}. Choose an event."


@pytest.mark.parametrize(
    ("level", "stored", "default"),
    [(2, 3, "0"), (2, 4, "5"), (3, 4, "0"), (3, 6, "0"), (3, 7, "8"), (4, 7, "8"), (2, 20, "12")],
)
def test_by_default_points_are_rolled_when_there_are_enough(level, stored, default):
    board = scene(hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=level))
    board = with_conditions(with_points(activated(board, "one"), "heroes", stored), "one", defended="ogre=ok")
    choice = asks(board, act("attack", "one", "ogre", dice=1), 5)
    assert choice.default == default
    assert [answer.key for answer in choice.answers] == [str(n) for n in range(min(12, stored + 1) + 1)]


def test_sixes_help_the_side_of_the_current_attack_or_the_first_enemy():
    sides = (
        Side(id="elves", name="Elves", team="good"),
        Side(id="heroes", name="Heroes", team="good"),
        Side(id="orcs", name="Orcs"),
        Side(id="wolves", name="Wolves"),
    )
    board = scene(hero("one", (10, 10)), orc("o", (20, 10)), model("w", (30, 10), side="wolves"), sides=sides)
    assert opponent_of(board, Gain("heroes", 1, "one", "w")) == "wolves"
    assert opponent_of(board, Gain("orcs", 1, "one", "o")) == "heroes"
    assert opponent_of(board, Gain("heroes", 1)) == "orcs"
    assert opponent_of(board, Gain("orcs", 1)) == "elves"


def test_a_choice_of_enemies_has_the_strongest_as_its_default():
    board = scene(
        hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4), orc("weak", (20, 10)),
        model("chief", (30, 10), side="orcs", level=5),
    )  # fmt: skip
    board = with_conditions(with_points(activated(board, "one"), "heroes", 3), "one", defended="ogre=ok")
    stumble = asks(board, act("attack", "one", "ogre", dice=1), 5, 5, answers=["1", "stumble"])
    assert (stumble.default, [answer.key for answer in stumble.answers]) == (
        "chief",
        ["ogre", "weak", "chief"],
    )
    flee = asks(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, answers=["4", "minions flee"])
    assert (flee.default, [answer.key for answer in flee.answers]) == ("weak", ["weak"])
    named = go(board, act("attack", "one", "ogre", dice=1), 5, 5, 2, answers=["2", "name group"]).scene
    ended = asks(named, act("end", "one"))
    assert (ended.side, ended.default) == ("heroes", "weak")


def test_a_stumble_costs_a_die_once():
    board = with_tracks(scene(hero("one", (10, 10)), orc("o", (30, 10))), "one", stumble=1)
    first = activated(board, "one")
    assert first.token("one").track("dice") == 2
    assert "stumble" not in first.token("one").tracks
    many = activated(with_tracks(board, "one", stumble=5), "one")
    assert many.token("one").track("dice") == 0


def test_a_named_model_is_free_after_its_activation():
    board = with_conditions(
        scene(hero("one", (10, 10)), hero("two", (30, 10)), orc("o", (50, 10))), "one", named=""
    )
    assert refused(board, act("activate", "two")) == "MNC-049"
    board = activated(board, "one")
    assert not board.token("one").has("named")


# Actions and captives


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


# Flight


def test_who_flees_goes_one_after_the_other_the_farthest_first():
    ogre = model("ogre", (11.5, 10), side="orcs", level=4)
    board = scene(hero("one", (10, 10)), ogre, orc("a", (16, 10)), orc("b", (17.2, 10)))
    board = with_conditions(with_points(activated(board, "one"), "heroes", 3), "one", defended="ogre=ok")
    done = go(
        board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, answers=["4", "minions flee", "a", "no"]
    )
    assert at_inches(done.scene, "a") == (24, 10)
    assert done.scene.token("b").at == inches(25.2, 10)
    assert facts(done, "flee") == [{"token": "a", "inches": 4, "distance": 8, "fleeing": ["a", "b"]}]


def test_a_character_that_must_flee_rolls_by_default():
    ogre = model("ogre", (11.5, 10), side="orcs", level=4)
    board = scene(
        hero("one", (10, 10)), ogre, orc("a", (20, 10)), model("captain", (22, 12), side="orcs", level=2)
    )
    board = with_conditions(with_points(activated(board, "one"), "heroes", 3), "one", defended="ogre=ok")
    answers = ["4", "minions flee", "a", "yes", "average"]
    for face, flees in ((3, True), (4, False)):
        done = go(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, face, answers=answers)
        assert done.scene.token("captain").has("fled") is flees
        assert ("orcs", "yes") in asked_of(done)[4:]


@pytest.mark.parametrize(("answer", "is_incapacitated"), [("yes", True), ("no", False)])
def test_the_log_knows_whether_a_captive_is_incapacitated(answer, is_incapacitated):
    board = with_conditions(scene(hero("one", (10, 10)), orc("o", (11.5, 10))), "one", endangered="0")
    board = with_conditions(activated(board, "one"), "one", defended="o=ok")
    done = go(board, act("end", "one"), answers=[answer])
    assert facts(done, "captured") == [{"token": "o", "target": "one", "incapacitated": is_incapacitated}]


def test_by_default_the_enemy_minion_with_most_around_it_breaks():
    own = [model(f"own{i}", (20, 20 + 1.2 * i), side="heroes", level=1, minion=True) for i in range(4)]
    board = scene(
        hero("one", (10, 10)),
        model("ogre", (11.5, 10), side="orcs", level=4),
        *own,
        orc("alone", (40, 30)),
        orc("a", (30, 10)),
        orc("b", (31.2, 10)),
    )
    board = with_conditions(with_points(activated(board, "one"), "heroes", 3), "one", defended="ogre=ok")
    choice = asks(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 5, answers=["4", "minions flee"])
    assert choice.default == "b"
    assert len(choice.answers) == 7


def test_the_sides_to_which_room_is_looked_for():
    crowd = scene(
        hero("one", (10, 10)), hero("two", (10, 10)), hero("three", (11, 10)), hero("four", (10, 11))
    )
    field, two = battlefield(crowd), crowd.token("two")
    found = {
        direction: nearest_free_place(field, two, direction, 128)
        for direction in ((1, 0), (0, 1), (3, 4), (-1, 0))
    }
    # Straight, and then by an eighth of half a turn more to each side: 90 or 112.5 degrees here.
    assert found == {(1, 0): (640, 576), (0, 1): (576, 640), (3, 4): (578, 656), (-1, 0): (576, 640)}


def test_bases_that_stop_moves_are_smaller_by_the_rounding_on_converted_maps():
    board = scene(hero("one", (10, 10)), orc("o", (20, 10)))
    for units, less in (("inches", 0), ("cm", 1)):
        field = battlefield(replace(board, grid=Grid("gridless", 60, 40, units=units)))
        assert [base.radius for base in field.obstacles(fighter(board, "one"))] == [
            field.bases["o"].radius - less
        ]


def test_diverted_ways_of_flight_are_45_degrees_to_the_sides():
    for enemy, straight, left, right in (
        ((20, 10), (20, 28), (25.65, 25.65), (14.35, 25.65)),
        ((10, 20), (28, 20), (25.65, 14.35), (25.65, 25.65)),
        ((20, 30), (20, 12), (14.35, 14.35), (25.65, 14.35)),
    ):
        board = scene(orc("a", (20, 20)), hero("one", enemy))
        places = flight_places(board, fighter(board, "a"), 8 * 64)
        for way, at in (("straight", straight), ("left", left), ("right", right)):
            assert places[way] == pytest.approx(inches(*at), abs=2), (enemy, way)


def test_a_volley_meets_models_of_all_players_of_a_side():
    bow = model("bow", (20, 12), side="heroes", missiles=True)
    board = scene(
        hero("one", (10, 10)), model("ogre", (11.5, 10), side="orcs", level=4), orc("mate", (14, 10)), bow
    )
    board = with_token(with_token(board, "ogre", owners=("anna",)), "mate", owners=("ben",))
    board = with_conditions(with_points(activated(board, "one"), "heroes", 2), "one", defended="ogre=ok")
    answers = ["3", "volley", "ogre", "group"]
    done = go(board, act("attack", "one", "ogre", dice=1), 5, 5, 5, 5, 1, answers=answers)
    assert facts(done, "arrows")[0]["targets"] == ["ogre", "mate"]


def test_dice_that_are_not_rolled_leave_no_trace():
    board = scene(hero("one", (10, 10)), orc("o", (11.5, 10)))
    done = go(activated(board, "one"), act("defend", "one", "o", dice=1))
    assert rolled(done) == []
    assert [event.kind for event in done.events if isinstance(event, Explained)] == ["defense", "defended"]
