"""Any system: what the board tells, on squares, on hexes and without a grid."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from enfilade.errors import BadMessage, IllegalAct
from enfilade.importers.demo import demo_battle
from enfilade.play.setup import prepare_scene
from enfilade.rules.procedures import Act
from enfilade.rules.resolve import Answers, refusal, resolve
from enfilade.rulesets.any_system import ANY_SYSTEM
from enfilade.scene.model import Grid, Scene, Side, Terrain, Token, Wall
from enfilade.tactics.verdicts import drawn_area

SIDES = (Side(id="blue", name="Blue"), Side(id="red", name="Red"))


def token(key, side, at, size=(1, 1), elevation=0, **profile):
    return Token(id=key, name=key.title(), side=side, at=at, size=size, elevation=elevation, profile=profile)


FIELD = Grid("square", 16, 12, distance=5, units="feet")


def board(*tokens, system="dnd5e", grid=FIELD, **more):
    rules = {"any_system.system": system, **more.pop("rules", {})}
    bare = Scene(ruleset="any_system", grid=grid, sides=SIDES, tokens=tokens, house_rules=rules, **more)
    return prepare_scene(ANY_SYSTEM, bare)


def cost(scene, key, at):
    cells = ANY_SYSTEM.reach(scene, scene.token(key)).cells
    return next((cost for x, y, cost in cells if (x, y) == at), None)


def sight(scene, one, other):
    return ANY_SYSTEM.sight(scene, scene.token(one), scene.token(other))


def cells(scene, key, layer, label=""):
    found = ANY_SYSTEM.areas(scene, scene.token(key), layer)
    runs = [run for area in found if area.label.startswith(label) for run in area.runs]
    return {(x, row) for row, first, last in runs for x in range(first, last + 1)}


def card(scene, key):
    return {line.label: line.value for line in ANY_SYSTEM.card(scene, scene.token(key))}


@pytest.mark.rule("ANY-001")
def test_there_are_no_turns_no_dice_and_no_acts_but_moves():
    scene = demo_battle(ANY_SYSTEM).scene
    assert ANY_SYSTEM.only_moves
    assert ANY_SYSTEM.turn(scene).round == 0
    assert not any(ANY_SYSTEM.offers(scene, one) for one in scene.tokens)


@pytest.mark.rule("ANY-002")
def test_a_token_without_a_profile_has_defaults_and_a_wrong_profile_is_named():
    scene = board(token("ann", "blue", (5, 5)))
    assert card(scene, "ann") == {"Walk": "30 feet", "Dash": "60 feet", "Reach": "5 feet"}
    with pytest.raises(BadMessage):
        board(token("ann", "blue", (5, 5), speeds={"jog": 30}))


@pytest.mark.rule("ANY-003", "ANY-005")
def test_a_large_creature_moves_and_is_measured_as_a_block():
    walls = (Wall("a", (6 * 64, 0, 6 * 64, 4 * 64)), Wall("b", (6 * 64, 5 * 64, 6 * 64, 12 * 64)))
    small = board(token("ann", "blue", (3, 4)), walls=walls)
    large = board(token("ann", "blue", (3, 4), size=(2, 2)), walls=walls)
    assert cost(small, "ann", (6, 4)) == 15
    assert cost(large, "ann", (6, 4)) is None, "the gap is one square wide"
    ogre = board(token("ann", "blue", (0, 0), size=(2, 2)), token("bo", "red", (4, 1)))
    assert sight(ogre, "ann", "bo").distance == "15 feet"


@pytest.mark.rule("ANY-003")
def test_a_token_without_a_size_of_its_own_has_that_of_its_profile():
    assert board(token("ann", "blue", (5, 5))).token("ann").size == (1, 1)
    huge = Token(id="bo", name="Bo", side="red", at=(5, 5), profile={"size": "huge"})
    assert board(huge).token("bo").size == (3, 3)
    assert board(replace(huge, size=(2, 2))).token("bo").size == (2, 2)


@pytest.mark.rule("ANY-003")
@pytest.mark.parametrize(
    ("size", "rules", "count"),
    [((2, 2), {}, 3), ((2, 2), {"any_system.large_hexes": 4}, 4), ((3, 3), {}, 7), ((4, 4), {}, 12)],
)
@pytest.mark.parametrize("kind", ["hex_odd_r", "hex_even_q"])
def test_large_creatures_fill_several_hexes_which_are_one_piece(kind, size, rules, count):
    scene = board(token("ann", "blue", (6, 4), size=size), grid=Grid(kind, 16, 12, 5, "feet"), rules=rules)
    runs = ANY_SYSTEM.body(scene, scene.token("ann"))
    filled = {(x, row) for row, first, last in runs for x in range(first, last + 1)}
    assert len(filled) == count
    around = cells(scene, "ann", "ranges", "Reach")
    assert filled < around, "the reach is counted from the edge"
    assert ANY_SYSTEM.body(scene, replace(scene.token("ann"), size=(1, 1))) == ()


@pytest.mark.rule("ANY-004")
def test_diagonals_count_as_the_system_or_the_table_has_it():
    ann, bo = token("ann", "blue", (0, 0)), token("bo", "red", (3, 3))
    assert sight(board(ann, bo), "ann", "bo").distance == "15 feet"
    pathfinder = board(ann, bo, system="pf2e")
    assert sight(pathfinder, "ann", "bo").distance == "20 feet"
    assert cost(pathfinder, "ann", (2, 2)) == 15
    assert cost(board(ann, bo, rules={"any_system.diagonals": "none"}), "ann", (2, 2)) == 20


@pytest.mark.rule("ANY-005", "ANY-006")
def test_the_reach_goes_around_walls_and_enemies_and_slowly_through_brambles():
    scene = board(
        token("ann", "blue", (5, 5)),
        token("ally", "blue", (6, 5)),
        token("foe", "red", (5, 6)),
        terrain=(Terrain("brambles", "Brambles", ((4, 5),), 2),),
        walls=(Wall("w", (5 * 64, 5 * 64, 6 * 64, 5 * 64)),),
    )
    assert cost(scene, "ann", (4, 5)) == 10
    assert cost(scene, "ann", (5, 4)) == 15, "around the wall"
    assert cost(scene, "ann", (7, 5)) == 10, "through an ally"
    assert cost(scene, "ann", (6, 5)) is None, "nobody ends on an ally"
    assert cost(scene, "ann", (5, 7)) == 10, "beside the enemy, not through it"
    assert ANY_SYSTEM.reach(scene, scene.token("ann")).budget == 60
    walked = replace(scene, house_rules={**scene.house_rules, "any_system.dash": False})
    assert ANY_SYSTEM.reach(walked, walked.token("ann")).budget == 30
    assert cells(scene, "ann", "ranges", "Walk") < cells(scene, "ann", "ranges", "Dash")


@pytest.mark.rule("ANY-005")
def test_a_flier_in_the_air_crosses_low_ground_that_stops_a_walker():
    rock = Terrain("rock", "Rock", tuple((6, y) for y in range(12)), 0, height=10)
    low = board(token("ann", "blue", (5, 5), speeds={"walk": 30, "fly": 60}), terrain=(rock,))
    high = board(token("ann", "blue", (5, 5), elevation=15, speeds={"walk": 30, "fly": 60}), terrain=(rock,))
    assert cost(low, "ann", (7, 5)) is None
    assert cost(high, "ann", (7, 5)) == 10
    assert card(high, "ann")["Fly"] == "60 feet"


@pytest.mark.rule("ANY-005")
def test_a_move_beyond_the_reach_is_told_and_not_prevented():
    scene = board(token("ann", "blue", (0, 0)), token("bo", "red", (1, 0)))
    far = Act(kind="move", token="ann", at=(15, 11))
    done = resolve(scene, ANY_SYSTEM.acts["move"].procedure, (far,), Answers())
    assert done.scene.token("ann").at == (15, 11)
    told = ANY_SYSTEM.narrate(scene, done.events)
    assert told == "Ann moves. The way is 75 feet long; Ann moves 60 feet. (ANY-005)"
    ruling = ANY_SYSTEM.judge(scene, scene.token("ann"), ((1, 0),), None)
    assert (ruling.allowed, ruling.reasons) == (False, ("Bo stands there. (ANY-005)",))
    nowhere = replace(scene, tokens=(replace(scene.token("ann"), at=None),))
    refused = refusal(nowhere, ANY_SYSTEM.acts["move"].procedure, Act(kind="move", token="ann"))
    assert isinstance(refused, IllegalAct)
    assert refused.rule == "ANY-005"


@pytest.mark.rule("ANY-005")
def test_a_way_through_waypoints_costs_the_sum_of_its_parts():
    scene = board(token("ann", "blue", (0, 0)))
    ruling = ANY_SYSTEM.judge(scene, scene.token("ann"), ((0, 3), (3, 3)), None)
    assert (ruling.cost, ruling.path[0], ruling.path[3], ruling.path[-1]) == (30, (0, 0), (0, 3), (3, 3))


@pytest.mark.rule("ANY-007")
def test_sight_names_what_blocks_the_line_and_a_high_eye_looks_over_a_statue():
    door = Wall("d", (4 * 64, 0, 4 * 64, 12 * 64), door="door")
    shut = board(token("ann", "blue", (1, 5)), token("bo", "red", (8, 5)), walls=(door,))
    assert sight(shut, "ann", "bo").why == "Blocked by a closed door between you and Bo."
    assert (8, 5) not in cells(shut, "ann", "sight")
    assert (8, 5) in cells(shut, "ann", "blind")
    statue = Terrain("s", "Statue", tuple((4, y) for y in range(12)), 0, blocks_sight=True, height=10)
    pair = (token("ann", "blue", (1, 5)), token("bo", "red", (8, 5)))
    assert sight(board(*pair, terrain=(statue,)), "ann", "bo").blocker.name == "Statue"
    high = (replace(pair[0], elevation=40), replace(pair[1], elevation=40))
    assert sight(board(*high, terrain=(statue,)), "ann", "bo").is_seen


@pytest.mark.rule("ANY-008", "ANY-010")
def test_who_has_whom_in_reach_is_told_and_no_wall_is_struck_through():
    long = token("ann", "blue", (5, 5), reach=10)
    assert [one.label for one in ANY_SYSTEM.engagements(board(long, token("bo", "red", (7, 5))))] == [
        "Bo is in the reach of Ann"
    ]
    both = ANY_SYSTEM.engagements(board(long, token("bo", "red", (6, 5))))
    assert [one.label for one in both] == ["Ann and Bo are in each other's reach"]
    wall = Wall("w", (6 * 64, 0, 6 * 64, 12 * 64))
    assert not ANY_SYSTEM.engagements(board(long, token("bo", "red", (6, 5)), walls=(wall,)))
    assert not ANY_SYSTEM.engagements(board(long, token("bo", "blue", (6, 5))))


@pytest.mark.rule("ANY-009")
@pytest.mark.parametrize("state", ["unconscious", "stunned", "dead"])
def test_the_helpless_threaten_nobody(state):
    ann = token("ann", "blue", (5, 5))
    assert (6, 6) in cells(board(ann, token("bo", "red", (7, 6))), "ann", "threat")
    assert not cells(board(ann, token("bo", "red", (7, 6), conditions=[state])), "ann", "threat")
    down = board(ann, token("bo", "red", (7, 6), hit_points=10))
    hurt = [replace(one, tracks={"hp": 0}) if one.id == "bo" else one for one in down.tokens]
    assert not cells(replace(down, tokens=tuple(hurt)), "ann", "threat")


@pytest.mark.rule("ANY-010")
def test_a_weapon_has_two_bands_from_the_edge_of_a_space():
    bow = {"name": "Bow", "normal": 20, "long": 30}
    scene = board(token("ann", "blue", (5, 5), size=(2, 2), ranges=[bow]))
    near, far = cells(scene, "ann", "ranges", "Bow: range"), cells(scene, "ann", "ranges", "Bow: long")
    assert {(1, 5), (10, 5)} <= near
    assert {(0, 5), (11, 5)}.isdisjoint(near)
    assert {(0, 5), (12, 5)} <= far


@pytest.mark.rule("ANY-010", "ANY-005")
def test_without_a_grid_distances_go_from_edge_to_edge_and_the_gm_sets_the_reach():
    grid = Grid("gridless", 16, 12, 5, "feet")
    ann, bo = token("ann", "blue", (320, 320)), token("bo", "red", (320 + 64 + 96, 320))
    scene = board(ann, bo, grid=grid)
    assert sight(scene, "ann", "bo").distance == "7.5 feet"
    assert not ANY_SYSTEM.engagements(scene)
    assert ANY_SYSTEM.engagements(board(ann, bo, grid=grid, rules={"any_system.tolerance": 3}))
    assert ANY_SYSTEM.engagements(board(ann, bo, grid=grid, rules={"any_system.melee_reach": 10}))
    reach = ANY_SYSTEM.reach(scene, scene.token("ann"))
    assert [band.label for band in reach.bands] == ["Walk 30 feet", "Dash 60 feet"]
    onto = ANY_SYSTEM.judge(scene, scene.token("ann"), ((480, 330),), None)
    assert onto.reasons == ("Bo stands there. (ANY-005)",)
    assert ANY_SYSTEM.judge(scene, scene.token("ann"), ((320, 448),), None).cost == 10


@pytest.mark.rule("ANY-005")
def test_without_a_grid_one_that_stands_over_the_edge_reaches_only_places_wholly_on_the_board():
    ogre = token("ogre", "red", (32, 224), size=(3, 3), speeds={"walk": 40})
    scene = board(ogre, grid=Grid("gridless", 16, 12, 5, "feet"))
    places = [(x, y) for x, y, _ in ANY_SYSTEM.reach(scene, scene.token("ogre")).cells]
    assert places
    assert {
        at: found.reasons
        for at in places
        if not (found := ANY_SYSTEM.judge(scene, scene.token("ogre"), (at,), None)).allowed
    } == {}
    assert all(x >= 96 and y >= 96 for x, y in places)


def behind(*more, system="dnd5e", target=(4, 0), **profile):
    """Return a board with Ann at (0, 2) and Bo behind what there is."""
    ann, bo = token("ann", "blue", (0, 2)), token("bo", "red", (target[0], target[1] + 2), **profile)
    tokens = [one for one in more if isinstance(one, Token)]
    walls = tuple(one for one in more if isinstance(one, Wall))
    return board(ann, bo, *tokens, walls=walls, system=system)


CORNER = Wall("w", (2 * 64, 3 * 64, 2 * 64, 11 * 64))


@pytest.mark.rule("ANY-011")
@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("dnd5e", "Three-quarters cover (+5 to AC and Dexterity saves)."),
        ("pf2e", "Greater cover (+4 circumstance bonus to AC)."),
        ("swade", "Heavy cover (-6)."),
        ("other", "Three-quarters cover."),
    ],
)
def test_a_wall_covers_three_of_four_corners_and_each_system_has_its_word(system, name):
    assert sight(behind(CORNER, system=system, target=(3, 2)), "ann", "bo").cover == name


@pytest.mark.rule("ANY-011", "ANY-013")
@pytest.mark.parametrize(
    ("system", "bonus", "of_creature"),
    [
        ("dnd5e", 5, ("half", 2)),
        ("pf2e", 4, ("lesser", 1)),
        ("swade", 6, ("lesser", 2)),
        ("other", 0, ("half", 0)),
    ],
)
def test_the_cover_has_a_level_and_a_bonus_for_programs(system, bonus, of_creature):
    found = sight(behind(CORNER, system=system, target=(3, 2)), "ann", "bo")
    assert (found.cover_level, found.cover_bonus) == ("three_quarters", bonus)
    found = sight(behind(token("cy", "red", (2, 2)), system=system), "ann", "bo")
    assert (found.cover_level, found.cover_bonus) == of_creature
    found = sight(behind(system=system), "ann", "bo")
    assert (found.cover_level, found.cover_bonus) == ("", 0)


@pytest.mark.rule("ANY-012")
def test_a_creature_in_the_way_covers_half_and_one_beside_the_line_nothing():
    half = "Half cover (+2 to AC and Dexterity saves)."
    assert sight(behind(token("cy", "red", (2, 2))), "ann", "bo").cover == half
    assert sight(behind(token("cy", "red", (2, 3))), "ann", "bo").cover == ""
    assert sight(behind(token("cy", "red", (2, 2), conditions=["prone"])), "ann", "bo").cover == ""
    lesser = sight(behind(token("cy", "red", (2, 2)), system="pf2e"), "ann", "bo").cover
    assert lesser == "Lesser cover (+1 circumstance bonus to AC)."
    plain = behind(token("cy", "red", (2, 2)))
    none = replace(plain, house_rules={**plain.house_rules, "any_system.creature_cover": False})
    assert sight(none, "ann", "bo").cover == ""


@pytest.mark.rule("ANY-012")
def test_a_creature_on_the_ground_covers_no_flier():
    ann, bo = token("ann", "blue", (0, 2), elevation=30), token("bo", "red", (4, 2), elevation=30)
    assert sight(board(ann, bo, token("cy", "red", (2, 2))), "ann", "bo").cover == ""
    assert sight(board(ann, bo, token("cy", "red", (2, 2), elevation=30)), "ann", "bo").cover


@pytest.mark.rule("ANY-013")
def test_a_wall_before_all_lines_is_total_cover():
    wall = Wall("w", (2 * 64, 0, 2 * 64, 12 * 64))
    found = sight(behind(wall), "ann", "bo")
    assert (found.is_seen, found.cover) == (False, "")
    assert (found.cover_level, found.cover_bonus) == ("total", None)
    window = replace(wall, sight="none")
    assert sight(behind(window), "ann", "bo").is_seen


@pytest.mark.rule("ANY-014")
@pytest.mark.parametrize("kind", ["square", "hex_odd_r"])
def test_the_cover_of_each_cell_is_that_of_a_target_there(kind):
    grid = Grid(kind, 12, 10, 5, "feet")
    walls = (Wall("w", (3 * 64, 3 * 64, 3 * 64, 8 * 64)),)
    scene = board(token("ann", "blue", (1, 4)), token("cy", "red", (5, 2)), grid=grid, walls=walls)
    by_cell = {
        at: area.label
        for area in ANY_SYSTEM.areas(scene, scene.token("ann"), "cover")
        for row, first, last in area.runs
        for at in [(x, row) for x in range(first, last + 1)]
    }
    assert len(set(by_cell.values())) == 2
    for at in {(x, y) for x in range(12) for y in range(10)} - {(1, 4), (5, 2)}:
        there = replace(scene, tokens=(*scene.tokens, token("bo", "red", at)))
        assert sight(there, "ann", "bo").cover == by_cell.get(at, ""), at


@pytest.mark.rule("ANY-015")
def test_two_enemies_at_opposite_sides_flank_and_the_line_says_with_whom():
    ann, bo, cy = token("ann", "blue", (4, 5)), token("bo", "red", (5, 5)), token("cy", "blue", (6, 5))
    scene = board(ann, bo, cy, system="pf2e")
    assert sight(scene, "ann", "bo").cover == "Ann flanks Bo with Cy."
    assert card(scene, "bo")["Flanked by"] == "Ann, Cy"
    beside = board(ann, bo, replace(cy, at=(6, 6)), system="pf2e")
    assert sight(beside, "ann", "bo").cover == ""
    assert sight(board(ann, bo, cy), "ann", "bo").cover == "", "no flanking in dnd5e"
    chosen = board(ann, bo, cy, rules={"any_system.flanking": "yes"})
    assert sight(chosen, "ann", "bo").cover == "Ann flanks Bo with Cy."
    stunned = board(ann, bo, token("cy", "blue", (6, 5), conditions=["stunned"]), system="pf2e")
    assert sight(stunned, "ann", "bo").cover == ""


@pytest.mark.rule("ANY-015")
@pytest.mark.parametrize(
    ("one", "other", "is_flanked"),
    [((3, 3), (6, 6), True), ((3, 4), (6, 5), True), ((4, 3), (5, 6), True), ((3, 4), (5, 6), False)],
)
def test_a_large_creature_is_flanked_from_opposite_sides_or_corners(one, other, is_flanked):
    ogre = token("bo", "red", (4, 4), size=(2, 2))
    scene = board(token("ann", "blue", one), ogre, token("cy", "blue", other), system="pf2e")
    assert ("flanks" in sight(scene, "ann", "bo").cover) is is_flanked


@pytest.mark.rule("ANY-015")
def test_on_hexes_only_the_hexes_across_flank():
    grid = Grid("hex_odd_r", 12, 12, 5, "feet")
    ann, bo = token("ann", "blue", (4, 5)), token("bo", "red", (5, 5))
    across = board(ann, bo, token("cy", "blue", (6, 5)), grid=grid, system="pf2e")
    aside = board(ann, bo, token("cy", "blue", (6, 4)), grid=grid, system="pf2e")
    assert sight(across, "ann", "bo").cover == "Ann flanks Bo with Cy."
    assert sight(aside, "ann", "bo").cover == ""


@pytest.mark.rule("ANY-016")
def test_the_reach_says_whose_reach_a_way_leaves_and_what_the_safe_way_costs():
    scene = board(token("ann", "blue", (5, 5)), token("bo", "red", (6, 5)))
    reach = ANY_SYSTEM.reach(scene, scene.token("ann"))
    provoked = {(x, y): who for x, y, who in reach.provokes}
    assert [one.token for one in reach.provocations] == ["bo"]
    assert provoked[3, 5] == (0,)
    assert (5, 4) not in provoked, "within the reach"
    assert (7, 5) not in provoked, "around the enemy"
    step = ANY_SYSTEM.judge(scene, scene.token("ann"), ((3, 5),), None).steps[0]
    assert [one.token for one in step.provokes] == ["bo"]
    other = board(token("ann", "blue", (5, 5)), token("bo", "red", (6, 5)), system="other")
    assert ANY_SYSTEM.reach(other, other.token("ann")).provokes == ()


@pytest.mark.rule("ANY-016")
def test_of_equal_ways_the_one_that_provokes_nothing_is_taken_also_by_a_large_creature():
    for size in ((1, 1), (2, 2)):
        scene = board(token("ann", "blue", (2, 4), size=size), token("bo", "red", (6, 2)))
        reach = ANY_SYSTEM.reach(scene, scene.token("ann"))
        assert (10, 6) not in {(x, y) for x, y, _ in reach.provokes}
        way = ANY_SYSTEM.judge(scene, scene.token("ann"), ((10, 6),), None)
        assert way.cost == 40
        assert way.steps == ()


@pytest.mark.rule("ANY-017")
def test_hit_points_are_a_bar_and_conditions_are_on_the_card():
    scene = board(token("ann", "blue", (5, 5), hit_points=12, armor_class=15, conditions=["frightened"]))
    assert ANY_SYSTEM.bar(scene.token("ann")).most == 12
    assert card(scene, "ann")["Hit points"] == "12"
    assert card(scene, "ann")["Conditions"] == "frightened"
    assert ANY_SYSTEM.bar(board(token("ann", "blue", (5, 5))).token("ann")) is None


def test_a_map_in_meters_shows_meters_and_one_in_squares_counts_profiles_in_feet():
    meters = board(token("ann", "blue", (0, 0), speeds={"walk": 9}), grid=Grid("square", 16, 12, 1.5, "m"))
    assert card(meters, "ann") == {"Walk": "9 m", "Dash": "18 m", "Reach": "1.5 m"}
    assert cost(meters, "ann", (6, 0)) == 6, "cells, because 1.5 m are no whole number"
    squares = board(token("ann", "blue", (0, 0), speeds={"walk": 25}), grid=Grid("square", 16, 12))
    assert card(squares, "ann")["Walk"] == "5 squares"


def drawn(scene, outline, origin):
    found = drawn_area(ANY_SYSTEM, scene, outline, origin, 0).caught
    return {one.token: (one.cover_level, one.cover_bonus, one.is_spared) for one in found}


@pytest.mark.rule("ANY-018")
def test_a_drawn_area_catches_with_cover_from_its_origin_and_total_cover_spares():
    near, half = token("ann", "blue", (1, 2)), token("bo", "red", (3, 2))
    spared, out = token("cy", "red", (3, 4)), token("dee", "red", (9, 2))
    large = token("eve", "red", (4, 0), size=(2, 2))
    wall = Wall("w", (3 * 64, 3 * 64, 3 * 64, 7 * 64))
    scene = board(near, half, spared, out, large, walls=(wall,), system="dnd5e")
    square = [(0, 0), (5 * 64, 0), (5 * 64, 6 * 64), (0, 6 * 64)]
    found = drawn(scene, square, (2 * 64, 4 * 64))
    assert found["ann"] == ("", 0, False)
    assert found["cy"] == ("total", None, True)
    assert "dee" not in found
    assert found["eve"][2] is False, "one of its four squares is enough"
    assert found["bo"][0] in ("half", "three_quarters")


@pytest.mark.rule("ANY-018")
def test_a_cell_whose_center_is_on_the_outline_is_in_it_and_one_beyond_is_not():
    scene = board(token("ann", "blue", (2, 2)), token("bo", "red", (3, 2)))
    to_center = [(0, 0), (160, 0), (160, 400), (0, 400)]
    assert set(drawn(scene, to_center, (0, 0))) == {"ann"}
    short = [(0, 0), (150, 0), (150, 400), (0, 400)]
    assert set(drawn(scene, short, (0, 0))) == set()
    notched = [(0, 0), (400, 0), (400, 400), (208, 64), (0, 400)]
    assert set(drawn(scene, notched, (0, 0))) == set()
