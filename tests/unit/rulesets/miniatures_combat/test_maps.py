"""Maps: units, squares and bases; walls, doors, terrain and heights, as the battlefield measures them."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from msgspec.structs import replace

from enfilade.rulesets.miniatures_combat import MINIATURES_COMBAT
from enfilade.rulesets.miniatures_combat.battlefield import battlefield
from enfilade.rulesets.miniatures_combat.inches import inches_of_cell
from enfilade.rulesets.miniatures_combat.profiles import read_fighter
from enfilade.scene.model import Grid, Terrain, Token, Wall
from tests.unit.rulesets.miniatures_combat.scenes import (
    act,
    activated,
    go,
    hero,
    inches,
    model,
    orc,
    refused,
    scene,
    wall,
    with_token,
    with_tracks,
)


@pytest.mark.parametrize(
    ("distance", "units", "inches_"),
    [
        (1, "squares", 1),
        (3, "squares", 1),
        (1, "in", 1),
        (2, "Inches", 2),
        (1, '"', 1),
        (0.5, "in.", Fraction(1, 2)),
        (2.54, "cm", 1),
        (25.4, "mm", 1),
        (5, "ft", 1),
        (10, "feet", 2),
        (5, " Foot ", 1),
        (1.5, "m", 1),
        (3, "meters", 2),
        (3, "metres", 2),
        (5, "yards", 3),
        (1, "miles", 1),
        (0.0001, "in", Fraction(1, 32)),
        (0.333, "in", Fraction(333, 1000)),
    ],
)
def test_the_units_of_a_map_say_how_large_a_cell_is(distance, units, inches_):
    for kind in ("square", "gridless"):
        assert inches_of_cell(Grid(kind, 10, 10, distance=distance, units=units)) == inches_


def on_map(kind, distance, units, *tokens, terrain=(), walls=(), size=(30, 20), **more):
    board = scene(*tokens, **more)
    grid = Grid(kind, *size, distance=distance, units=units)
    return replace(board, grid=grid, terrain=tuple(terrain), walls=tuple(walls))


def squared(distance=1, units="inches", **places):
    """Return a squared map with the hero `one` and orcs in their cells."""
    tokens = [with_at(hero(key) if key == "one" else orc(key), place) for key, place in places.items()]
    return on_map("square", distance, units, *tokens)


def with_at(token, at):
    return replace(token, at=at)


def test_bases_in_squares_are_measured_from_base_to_base():
    board = squared(one=(2, 2), oa=(3, 2), ob=(3, 3), oc=(5, 2), od=(2, 19))
    field = battlefield(board)
    assert field.gap("one", "oa") == 0
    assert field.gap("one", "ob") == math.ceil(64 * math.sqrt(2)) - 64
    assert field.gap("one", "oc") == 2 * 64
    assert field.gap("one", "od") == 16 * 64
    two_inches = battlefield(squared(2, "inches", one=(2, 2), oa=(3, 2), oc=(5, 2)))
    assert (two_inches.gap("one", "oa"), two_inches.gap("one", "oc")) == (0, 4 * 64)
    assert two_inches.bases["one"].radius == 64


def test_a_large_base_is_round_in_the_middle_of_its_squares():
    board = squared(one=(2, 2), oa=(6, 2))
    board = with_token(board, "one", size=(2, 3))
    field = battlefield(board)
    assert (field.bases["one"].at, field.bases["one"].radius) == ((3 * 64, 2 * 64 + 96), 64)
    assert field.place(board.token("one"), (3 * 64, 2 * 64 + 96)) == (2, 2)


@pytest.mark.parametrize(("distance", "units"), [(1, "cm"), (0.9, "inches"), (1, "m"), (7, "ft"), (13, "mm")])
def test_cells_that_are_no_inches_keep_contact_and_stay_free_to_enter(distance, units):
    board = squared(distance, units, one=(3, 3), oa=(4, 3), ob=(3, 4), oc=(2, 3), od=(3, 2))
    field = battlefield(board)
    assert [field.gap("one", key) for key in ("oa", "ob", "oc", "od")] == [0] * 4
    for x in range(8):
        for y in range(8):
            taken = {token.id for token in board.tokens if token.at == (x, y)} - {"one"}
            assert set(field.overlaps(board.token("one"), (x, y))) == taken
    # A model walks into a free square between three enemies.
    apart = squared(distance, units, one=(3, 8), oa=(4, 3), ob=(2, 3), oc=(3, 2))
    apart = activated(apart, "one")
    apart = with_tracks(apart, "one", allowance=40 * 64)
    apart = replace(apart, conditions={**apart.conditions, "activated": "unengaged", "rolled": ""})
    ruling = MINIATURES_COMBAT.judge(apart, apart.token("one"), ((3, 3),), None)
    assert ruling.allowed, ruling.reasons
    exact = 5 * inches_of_cell(apart.grid) * 64
    assert exact - 1 <= ruling.cost <= exact + 2


def test_distances_over_many_cells_are_right_to_a_32nd_of_an_inch():
    # 18 inches are 45.72 cm: rounding each cell to 64ths would put 3 inches of error into 46 of them.
    for columns in (46, 47, 48):
        board = on_map(
            "square", 1, "cm", with_at(hero("one"), (0, 3)), with_at(orc("o"), (columns, 3)), size=(60, 20)
        )
        exact = (columns - 1) * 64 / 2.54
        assert exact - 1 <= battlefield(board).gap("one", "o") <= exact + 3


@pytest.mark.parametrize(("distance", "units"), [(2, "inches"), (10, "ft"), (1, "cm"), (0.5, "in"), (4, "m")])
def test_a_gridless_map_in_other_units_is_converted_too(distance, units):
    scale = float(inches_of_cell(Grid("gridless", 30, 20, distance=distance, units=units)))

    def at(x, y):
        return round(x * 64 / scale), round(y * 64 / scale)

    tokens = [with_at(hero("one", athletic=True), at(4, 4)), with_at(orc("o"), at(9, 4))]
    board = on_map("gridless", distance, units, *tokens, size=(60, 40))
    field = battlefield(board)
    assert field.gap("one", "o") == pytest.approx((5 - scale) * 64, abs=3)
    board = go(activated(board, "one"), act("roll_movement", "one", dice=1), 2).scene
    reach = MINIATURES_COMBAT.reach(board, board.token("one"))
    assert reach.budget == 3 * 64
    # The outline is in 64ths of a cell, as the board draws it.
    (band,) = reach.bands
    assert max(y for ring in band.rings for y in ring[1::2]) == pytest.approx(at(4, 7)[1], abs=2)
    for x, y, cost in reach.cells:
        ruling = MINIATURES_COMBAT.judge(board, board.token("one"), ((x, y),), None)
        assert (ruling.allowed, ruling.cost) == (True, cost)
    far = MINIATURES_COMBAT.judge(board, board.token("one"), (at(4, 7.1),), None)
    assert not far.allowed
    sight = MINIATURES_COMBAT.sight(board, board.token("one"), board.token("o"))
    assert sight.line == pytest.approx((*at(4, 4), *at(9, 4)), abs=1)


def test_bases_in_contact_on_a_converted_gridless_map_touch_and_do_not_overlap():
    for turn in range(0, 360, 5):
        x, y = (
            640 + round(64.6 * math.cos(math.radians(turn))),
            640 + round(64.6 * math.sin(math.radians(turn))),
        )
        if math.dist((x, y), (640, 640)) < 64:
            continue
        tokens = [with_at(hero("one"), (640, 640)), with_at(orc("o"), (x, y))]
        for distance, units in ((2, "in"), (1, "cm"), (7, "ft")):
            field = battlefield(on_map("gridless", distance, units, *tokens))
            assert field.overlaps(field.scene.token("one"), (640, 640)) == []
            assert field.gap("one", "o") <= 2 * 64 / 25


# Walls and terrain


def test_closed_walls_and_doors_stop_moves_and_melee_and_open_ones_do_not():
    closed = wall("w", 10.75, 5, 10.75, 15)
    tokens = hero("one", (10, 10)), orc("o", (11.5, 10))
    for one, is_free in (
        (closed, False),
        (replace(closed, move="none"), True),
        (replace(closed, door="door"), False),
        (replace(closed, door="door", state="open"), True),
        (replace(closed, door="secret", state="locked"), False),
    ):
        board = scene(*tokens, walls=[one])
        assert battlefield(board).has_clear_line("one", "o") is is_free
        assert (refused(activated(board, "one"), act("defend", "one", "o", dice=1)) is None) is is_free


def test_sight_is_stopped_by_walls_that_stop_sight():
    tokens = hero("one", (10, 10)), orc("o", (20, 10))
    window = wall("w", 15, 5, 15, 15)
    for one, is_seen in (
        (window, False),
        (replace(window, sight="none"), True),
        (replace(window, move="none"), False),
        (replace(window, door="door", state="open"), True),
        (wall("beside", 15, 11, 15, 15), True),
        (wall("end on the line", 15, 10, 15, 15), False),
        (wall("along the line", 12, 10, 18, 10), True),
    ):
        board = scene(*tokens, walls=[one])
        found = MINIATURES_COMBAT.sight(board, board.token("one"), board.token("o"))
        assert found.is_seen is is_seen, one.id
        if not is_seen:
            assert (found.blocker.kind, found.blocker.id, found.why) == (
                "wall",
                one.id,
                "The line of sight is blocked.",
            )
    door = scene(*tokens, walls=[replace(window, door="door")])
    assert MINIATURES_COMBAT.sight(door, door.token("one"), door.token("o")).blocker.kind == "door"


def test_sight_and_range_of_missiles():
    board = scene(hero("one", (10, 10)), orc("near", (29, 10)), orc("far", (29 + 1 / 64, 12)), orc("off"))
    near, far, off = (
        MINIATURES_COMBAT.sight(board, board.token("one"), board.token(key)) for key in ("near", "far", "off")
    )
    assert (near.is_seen, near.distance, near.why) == (True, "18 inches", "")
    assert (far.is_seen, far.why) == (False, "More than 18 inches away.")
    assert off.is_seen is None
    assert MINIATURES_COMBAT.sight(board, board.token("one"), board.token("one")).is_seen is None


@pytest.mark.parametrize(
    ("cells", "is_blocked"),
    [(((15, 10),), True), (((15, 9),), True), (((15, 8),), False), (((10, 10),), True), (((9, 10),), False)],
)
def test_terrain_blocks_sight_if_the_line_enters_or_touches_it(cells, is_blocked):
    wood = Terrain(id="wood", name="Wood", cells=cells, blocks_sight=True)
    board = scene(hero("one", (10.2, 10)), orc("o", (20, 10)), terrain=[wood])
    found = MINIATURES_COMBAT.sight(board, board.token("one"), board.token("o"))
    assert (found.is_seen is False) is is_blocked
    if is_blocked:
        assert (found.blocker.kind, found.blocker.name) == ("terrain", "Wood")


def test_closed_terrain_stops_moves():
    rock = Terrain(id="rock", name="Rock", cells=((12, 9), (12, 10)), cost=0)
    board = go(
        activated(scene(hero("one", (10, 10)), orc("o", (40, 10)), terrain=[rock]), "one"),
        act("roll_movement", "one", dice=2), 3, 3,
    ).scene  # fmt: skip
    judge = MINIATURES_COMBAT.judge
    assert judge(board, board.token("one"), (inches(11.5, 10),), None).allowed
    for x in (11.6, 12.5, 13.4):
        assert not judge(board, board.token("one"), (inches(x, 10),), None).allowed
    around = judge(board, board.token("one"), (inches(13.5, 10),), None)
    assert around.allowed
    assert around.cost > 3.5 * 64


@pytest.mark.rule("MNC-020")
def test_higher_than_all_compares_ground_elevation_and_horses_within_melee_range():
    hill = Terrain(id="hill", name="Hill", cells=((10, 10),), height=1)
    low = Terrain(id="bump", name="Bump", cells=((10, 10),), height=-2)

    def is_higher(*more, terrain=(), elevation=0, **sheet):
        one = replace(hero("one", (10.5, 10.5), **sheet), elevation=elevation)
        board = scene(one, *more, terrain=terrain)
        return battlefield(board).is_higher_than_all(read_fighter(board.token("one")))

    foe = orc("o", (12, 10.5))
    assert not is_higher(foe)
    assert is_higher(foe, terrain=[hill])
    assert is_higher(foe, elevation=1)
    assert is_higher(foe, mounted=True)
    assert not is_higher(foe, terrain=[low])
    assert is_higher(foe, terrain=[hill, low])
    assert not is_higher(terrain=[hill])  # no enemy is there
    rider = model("rider", (10.5, 12), side="orcs", mounted=True)
    assert not is_higher(foe, rider, terrain=[hill])
    # One 2 inches away counts only if a pole arm reaches so far.
    assert is_higher(foe, replace(rider, at=inches(10.5, 13.5)), terrain=[hill])
    spear = model("spear", (10.5, 13.5), side="orcs", mounted=True, weapon="pole")
    assert not is_higher(foe, spear, terrain=[hill])
    assert not is_higher(foe, replace(rider, at=inches(10.5, 13.5)), terrain=[hill], weapon="pole")
    assert is_higher(foe, replace(spear, at=inches(10.5, 13.5 + 1 / 64)), terrain=[hill])


@pytest.mark.rule("MNC-021")
@pytest.mark.parametrize(
    ("at", "is_covered"),
    [
        ((10, 10), False),
        ((11.5, 10.5), True),
        ((11.5 - 1 / 64, 10.5), False),
        ((11.6, 9.6), False),
        ((12.5, 10.5), True),
        ((13.5, 10.5), True),
        ((13.5 + 1 / 64, 10.5), False),
        ((12.5, 11.5), True),
        ((12.5, 9.5), True),
    ],
)
def test_cover_is_terrain_that_the_base_touches(at, is_covered):
    hedge = Terrain(id="hedge", name="Hedge", cells=((12, 10),), kind="cover")
    field = battlefield(scene(hero("one", at), terrain=[hedge]))
    assert field.has_cover(read_fighter(field.scene.token("one"))) is is_covered
    ruin = replace(hedge, kind="ruin")
    field = battlefield(scene(hero("one", at), terrain=[ruin]))
    assert not field.has_cover(read_fighter(field.scene.token("one")))


def test_a_base_stands_on_the_board_as_a_whole():
    board = scene(hero("one", (10, 10)))
    field, one = battlefield(board), board.token("one")
    for at, is_on in (
        ((0.5, 0.5), True),
        ((0.5 - 1 / 64, 5), False),
        ((5, 0.5 - 1 / 64), False),
        ((59.5, 39.5), True),
        ((59.5 + 1 / 64, 5), False),
        ((5, 39.5 + 1 / 64), False),
    ):
        assert field.is_on_board(one, inches(*at)) is is_on
    assert field.is_within(one, inches(12, 10), 2 * 64)
    assert not field.is_within(one, inches(12 + 1 / 64, 10), 2 * 64)
    assert not field.is_within(one, inches(0.2, 10), 20 * 64)


def test_a_token_off_the_board_has_no_base():
    field = battlefield(scene(hero("one", (10, 10)), Token(id="two", name="Two", side="heroes", profile={})))
    assert list(field.bodies) == ["one"]
    with pytest.raises(ValueError, match="two is not on the board"):
        field.base(field.scene.token("two"))


@pytest.mark.rule("MNC-009")
@pytest.mark.parametrize(
    ("gap", "weapon", "setting", "is_engaged"),
    [
        (1, "basic", "1 inch", True),
        (1 + 1 / 64, "basic", "1 inch", False),
        (1, "close", "1 inch", True),
        (2, "pole", "1 inch", False),
        (2, "pole", "reach of either", True),
        (2 + 1 / 64, "pole", "reach of either", False),
        (1 + 1 / 64, "basic", "reach of either", False),
    ],
)
def test_engagement_is_an_inch_or_by_a_house_rule_the_reach_of_either(gap, weapon, setting, is_engaged):
    enemy = model("o", (11 + gap, 10), side="orcs", weapon=weapon)
    board = scene(hero("one", (10, 10)), enemy, orc("far", (40, 10)), house_rules={"engagement": setting})
    field = battlefield(board)
    assert field.is_engaged(read_fighter(board.token("one"))) is is_engaged
    assert field.is_engaged(read_fighter(board.token("o"))) is is_engaged
    pairs = [one.tokens for one in MINIATURES_COMBAT.engagements(board)]
    assert pairs == ([("one", "o")] if is_engaged else [])


def test_the_engaged_are_pairs_of_enemies_once_each():
    board = scene(hero("one", (10, 10)), hero("two", (12, 10)), orc("o", (11, 11)), orc("p", (13, 11)))
    pairs = {one.tokens for one in MINIATURES_COMBAT.engagements(board)}
    assert pairs == {("one", "o"), ("two", "o"), ("two", "p")}
    assert {one.label for one in MINIATURES_COMBAT.engagements(board)} == {"Engaged"}


def test_the_nearest_enemies_come_first():
    board = scene(hero("one", (10, 10)), orc("far", (13, 10)), orc("near", (10, 11.5)), orc("off", (20, 10)))
    field = battlefield(board)
    one = read_fighter(board.token("one"))
    assert [found.id for found in field.enemies_within(one, 2 * 64)] == ["near", "far"]
    assert field.enemies_within(read_fighter(replace(board.token("one"), id="stranger")), 64) == []


def test_a_wall_is_named_as_such_in_the_reasons():
    barrier = Wall(id="w", line=inches(12, 0, 12, 40))
    board = go(
        activated(scene(hero("one", (10, 10)), orc("o", (40, 10)), walls=[barrier]), "one"),
        act("roll_movement", "one", dice=1), 6,
    ).scene  # fmt: skip
    ruling = MINIATURES_COMBAT.judge(board, board.token("one"), (inches(14, 10),), None)
    assert (ruling.allowed, ruling.cost, ruling.budget) == (False, None, 6 * 64)
    assert "MNC-109" in ruling.reasons[0] or "MNC-106" in ruling.reasons[0]
