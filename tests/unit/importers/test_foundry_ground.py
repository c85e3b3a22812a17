"""Foundry's regions, levels and heights: what of them lies on the one board that is played on."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from tests.unit.importers.maps import foundry, read

from enfilade.errors import BadFile, TooSlow
from enfilade.importers import limits
from enfilade.play.setup import MAX_TERRAIN
from enfilade.runtime.time_budget import TimeBudget, time_limited


def region(*polygons: list[float], **behavior: Any) -> dict[str, Any]:
    behaviors = [{"type": "modifyMovementCost", "system": {"difficulties": {"walk": 2}}, **behavior}]
    return {"_id": "region" * 3, "name": "Mud", "polygons": list(polygons), "behaviors": behaviors}


def test_a_region_that_is_hard_to_cross_is_terrain_in_the_cells_whose_middle_it_holds():
    (mud,) = read(foundry(regions=[region([100, 100, 340, 100, 340, 200, 100, 200])])).scene.terrain
    assert (mud.name, mud.cost, mud.cells) == ("Mud", 2, ((1, 1), (2, 1)))


@pytest.mark.parametrize("how", [{"visibility": 1}, {"hidden": True}])
def test_a_region_that_only_game_masters_see_is_hidden_ground_and_leaves_no_gap(how: dict[str, Any]):
    square = [100, 100, 200, 100, 200, 200, 100, 200]
    regions = [region(square), {**region(square), **how}, {**region(square), "visibility": 0}]
    terrain = read(foundry(regions=regions)).scene.terrain
    assert [(ground.id, ground.hidden) for ground in terrain] == [("t1", False), ("t2", False), ("h1", True)]


def test_a_hole_in_a_region_is_no_terrain():
    hole = [100, 100, 200, 100, 200, 200, 100, 200]
    (mud,) = read(foundry(regions=[region([0, 0, 300, 0, 300, 300, 0, 300], hole)])).scene.terrain
    assert len(mud.cells) == 8
    assert (1, 1) not in mud.cells


@pytest.mark.parametrize(
    ("behavior", "cost"),
    [
        ({"system": {"difficulties": {"walk": None}}}, 0),
        ({"system": {"difficulties": {"walk": 99}}}, 10),
        ({"type": "dnd5e.difficultTerrain", "system": {}}, 2),
        ({"disabled": True}, None),
        ({"type": "teleportToken"}, None),
        ({"system": {"difficulties": {"walk": 1}}}, None),
        ({"system": {"difficulties": "much"}}, None),
    ],
)
def test_a_regions_effect_on_movement_is_its_cost(behavior: dict[str, Any], cost: int | None):
    found = read(foundry(regions=[region([0, 0, 100, 0, 100, 100, 0, 100], **behavior)])).scene.terrain
    assert [terrain.cost for terrain in found] == ([] if cost is None else [cost])


@pytest.mark.parametrize(
    ("grid", "corner"), [(2, (300, 260)), (3, (350, 260)), (4, (260, 300)), (5, (260, 350))]
)
def test_on_hexes_a_region_round_a_tokens_middle_is_the_tokens_own_hex(grid: int, corner: tuple[int, int]):
    size = {"type": grid, "size": 100, "distance": 5, "units": "ft"}
    raw = foundry(grid=size, padding=0, tokens=[{"x": corner[0], "y": corner[1]}])
    at = read(raw).scene.tokens[0].at
    left, top = corner[0] + 45, corner[1] + 45
    around = [left, top, left + 20, top, left + 20, top + 20, left, top + 20]
    (mud,) = read({**raw, "regions": [region(around)]}).scene.terrain
    assert mud.cells == (at,)


def test_outlines_without_end_are_refused():
    endless = region([float(i % 7) for i in range(limits.OUTLINE_NUMBERS + 2)])
    with pytest.raises(BadFile, match="regions"):
        read(foundry(regions=[endless]))


def board_sized(regions: int) -> dict[str, Any]:
    """The largest board, covered by so many regions."""
    side = limits.CELLS_A_SIDE * 100
    every = [region([0, 0, side, 0, side, side, 0, side]) for _ in range(regions)]
    return foundry(width=side, height=side, regions=every)


def test_regions_may_cover_the_largest_board_once():
    (ground,) = read(board_sized(1)).scene.terrain
    assert len(ground.cells) == limits.TERRAIN_CELLS == MAX_TERRAIN


def test_regions_that_cover_a_board_over_and_over_are_refused_before_their_cells_are_all_made():
    tracemalloc.start()
    with pytest.raises(BadFile, match="regions: Difficult terrain covers more than 250,000 cells"):
        read(board_sized(10))
    assert tracemalloc.get_traced_memory()[1] < 100 * 1024 * 1024
    tracemalloc.stop()


def test_laying_regions_on_a_board_keeps_to_the_time_a_map_has():
    narrow = [region([0, 0, 1, 0, 1, 50_000, 0, 50_000]) for _ in range(1_000)]
    endless = foundry(width=50_000, height=50_000, regions=narrow)
    with pytest.raises(TooSlow), time_limited(TimeBudget(0.05, rest=lambda: None)):
        read(endless)


def test_only_the_viewed_level_is_on_the_board():
    raw = foundry(
        level="cellar",
        levels=[{"_id": "cellar"}, {"_id": "ground"}],
        walls=[{"c": [0, 0, 100, 0], "levels": [level]} for level in ("cellar", "ground")]
        + [{"c": [0, 100, 100, 100], "levels": []}],
        tokens=[{"x": 0, "y": 0, "level": "cellar"}, {"x": 0, "y": 0, "level": "ground"}],
    )
    scene = read(raw).scene
    assert len(scene.walls) == 2
    assert [token.at for token in scene.tokens] == [(0, 0), None]


def floors(**more: Any) -> dict[str, Any]:
    """A scene of two levels in a file: the cellar's wall is above that of the ground."""
    return foundry(
        levels=[{"_id": "cellar", "name": "Cellar"}, {"_id": "ground", "name": ""}],
        walls=[{"c": [0, y, 100, y], "levels": [level]} for y, level in ((0, "cellar"), (100, "ground"))],
        tokens=[{"x": 0, "y": 0, "level": "cellar"}, {"x": 0, "y": 0, "level": "ground"}],
        **more,
    )


@pytest.mark.parametrize(
    ("raw", "level", "row"),
    [
        (floors(), "", 0),
        (floors(initialLevel="ground"), "", 1),
        (floors(initialLevel="attic"), "", 0),
        (floors(initialLevel="ground"), "cellar", 0),
        (floors(), "level 2", 1),
        (floors(), "ground", 1),
    ],
)
def test_a_file_has_its_initial_level_on_the_board_or_the_chosen_one(
    raw: dict[str, Any], level: str, row: int
):
    imported = read(raw, level=level)
    assert [wall.line[1] for wall in imported.scene.walls] == [64 * row]
    assert [token.at is not None for token in imported.scene.tokens] == [row == 0, row == 1]
    assert (imported.levels, imported.level) == (("Cellar", "Level 2"), ("Cellar", "Level 2")[row])


def test_a_level_that_a_scene_does_not_have_is_refused_with_those_that_it_has():
    with pytest.raises(
        BadFile, match=r"No level of the scene has the name attic\. Its levels: Cellar, Level 2\."
    ):
        read(floors(), level="attic")


@pytest.mark.parametrize(
    ("bottom", "top", "stands"),
    [(None, None, True), (0, 10, True), (4, 10, True), (5, 10, False), (-10, 0, False)],
)
def test_a_wall_by_its_height_stands_where_it_meets_the_lowest_cell(
    bottom: float | None, top: float | None, stands: bool
):
    high = {"c": [0, 0, 100, 0], "flags": {"wall-height": {"bottom": bottom, "top": top}}}
    assert bool(read(foundry(walls=[high])).scene.walls) is stands


def named(name: str, **more: Any) -> dict[str, Any]:
    square = [100, 100, 300, 100, 300, 200, 100, 200]
    return {"_id": "region" * 3, "name": name, "polygons": [square], "behaviors": [], **more}


def test_words_in_brackets_after_a_regions_name_say_what_its_ground_is():
    names = [
        "Hill [height 10]",
        "Hedge [Cover, cost 2]",
        "Pond [closed]",
        "Wood [blocks sight, cost 2]",
        "Camp",
    ]
    found = read(foundry(regions=[named(name) for name in names])).scene.terrain
    assert [(one.name, one.kind, one.cost, one.height, one.blocks_sight) for one in found] == [
        ("Hill", "", 1, 10, False),
        ("Hedge", "cover", 2, 0, False),
        ("Pond", "", 0, 0, False),
        ("Wood", "", 2, 0, True),
    ]
    assert all(one.cells == ((1, 1), (2, 1)) for one in found)


def test_a_word_that_says_nothing_is_noted_with_the_regions_name():
    imported = read(foundry(regions=[named("Hill [cost 2, height ten!]")]))
    assert [(one.cost, one.height) for one in imported.scene.terrain] == [(2, 0)]
    assert [note for note in imported.notes if note.startswith("Region Hill: 'height ten!' in its brackets")]


def shaped(*shapes: dict[str, Any], name: str = "Mud [cost 2]") -> set[tuple[int, int]]:
    """The cells of a region as a file has it: by its shapes."""
    found = read(foundry(regions=[{"name": name, "shapes": list(shapes), "behaviors": []}])).scene.terrain
    return {cell for terrain in found for cell in terrain.cells}


def rectangle(x: float, y: float, width: float, height: float, **more: Any) -> dict[str, Any]:
    return {"type": "rectangle", "x": x, "y": y, "width": width, "height": height, **more}


def test_a_file_has_the_shapes_of_a_region_and_a_hole_takes_away_from_those_before_it():
    whole, hole = rectangle(200, 100, 300, 300), rectangle(300, 200, 100, 100, hole=True)
    square = {(x, y) for x in (2, 3, 4) for y in (1, 2, 3)}
    assert shaped(whole, hole) == square - {(3, 2)}
    assert shaped(hole, whole) == square
    assert shaped(whole, hole, rectangle(300, 200, 100, 100)) == square
    assert shaped({"type": "polygon", "points": [200, 100, 500, 100, 500, 400, 200, 400]}) == square


def test_circles_ellipses_and_turned_rectangles_have_the_cells_whose_centers_they_hold():
    circle = {"type": "circle", "x": 450, "y": 250, "radius": 101}
    assert shaped(circle) == {(4, 2), (3, 2), (5, 2), (4, 1), (4, 3)}
    ellipse = {"type": "ellipse", "x": 450, "y": 250, "radiusX": 210, "radiusY": 60}
    assert shaped(ellipse) == {(2, 2), (3, 2), (4, 2), (5, 2), (6, 2)}
    assert shaped({**ellipse, "rotation": 90}) == {(4, 0), (4, 1), (4, 2), (4, 3), (4, 4)}
    long = rectangle(200, 200, 500, 100)
    assert shaped({**long, "rotation": 90}) == {(4, 0), (4, 1), (4, 2), (4, 3), (4, 4)}
    anchored = {**long, "x": 450, "y": 250, "anchorX": 0.5, "anchorY": 0.5}
    assert shaped(anchored) == shaped(long)
    assert shaped({**anchored, "rotation": 90}) == shaped({**long, "rotation": 90})


def test_a_shape_of_another_kind_is_left_out_and_named():
    region = {"name": "Fire [closed]", "shapes": [{"type": "cone", "x": 9}, rectangle(0, 0, 100, 100), None]}
    imported = read(foundry(regions=[region]))
    assert imported.scene.terrain[0].cells == ((0, 0),)
    assert [
        note
        for note in imported.notes
        if "shape 1 of region Fire [closed]. Shapes of the kind 'cone'" in note
    ]
    assert [note for note in imported.notes if "shape 3 of region Fire [closed]. Expected an object" in note]


def test_without_a_grid_terrain_lies_in_squares():
    (hill,) = read(foundry(grid={"type": 0, "size": 100}, regions=[named("Hill [height 10]")])).scene.terrain
    assert hill.cells == ((1, 1), (2, 1))
