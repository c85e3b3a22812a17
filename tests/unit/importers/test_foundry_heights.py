"""Heights of walls, regions, tiles and levels: what of them is on the ground of the board."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.importers.maps import foundry, read

from enfilade.importers import Imported
from enfilade.rulesets.knights_of_valour.battlefield import Landscape


def fence(bottom: float | None, top: float | None, **more: Any) -> dict[str, Any]:
    return {"c": [100, 0, 100, 600], "flags": {"wall-height": {"bottom": bottom, "top": top}}, **more}


@pytest.mark.parametrize(("top", "sight"), [(3, "none"), (5, "none"), (5.5, "normal"), (None, "normal")])
def test_units_look_over_a_wall_that_is_no_higher_than_a_cell_and_do_not_step_over_it(
    top: float | None, sight: str
):
    imported = read(foundry(walls=[fence(0, top)]))
    assert [(wall.sight, wall.move) for wall in imported.scene.walls] == [(sight, "normal")]
    said = [note for note in imported.notes if note == "1 wall no higher than a cell: units look over it."]
    assert bool(said) is (sight == "none")


def test_a_low_window_keeps_no_range_and_a_wall_without_sight_is_not_counted():
    low = [fence(0, 4, sight=30, threshold={"sight": 10}), fence(0, 4, sight=0)]
    imported = read(foundry(walls=low))
    assert [(wall.sight, wall.threshold) for wall in imported.scene.walls] == [("none", 0), ("none", 0)]
    assert "1 wall no higher than a cell: units look over it." in imported.notes


def storeys(level: str, **things: Any) -> Imported:
    """A scene whose first floor lies 10 feet above the ground floor."""
    levels = [
        {"_id": "low", "name": "Low", "elevation": {"bottom": 0, "top": 10}},
        {"_id": "high", "name": "High", "elevation": {"bottom": 10, "top": None}},
    ]
    return read(foundry(levels=levels, **things), level=level)


@pytest.mark.parametrize(("level", "kept"), [("low", [0, 2]), ("high", [1, 2])])
def test_heights_count_from_the_floor_of_the_level(level: str, kept: list[int]):
    walls = [{**fence(*ends), "c": [0, y, 100, y]} for y, ends in enumerate([(0, 10), (10, 20), (0, None)])]
    scene = storeys(level, walls=walls).scene
    assert [wall.sight for wall in scene.walls] == ["normal", "normal"]
    assert len(scene.walls) == len(kept)
    bottoms = [-5, 10, 0]
    regions = [
        {
            "name": f"Mud {i} [cost 2]",
            "elevation": {"bottom": bottom, "top": bottom + 6},
            "shapes": [{"type": "rectangle", "x": 0, "y": 0, "width": 100, "height": 100}],
        }
        for i, bottom in enumerate(bottoms)
    ]
    imported = storeys(level, regions=regions)
    names = [ground.name for ground in imported.scene.terrain]
    assert names == (["Mud 0", "Mud 2"] if level == "low" else ["Mud 1"])
    left_out = len(regions) - len(names)
    counted = "1 region" if left_out == 1 else f"{left_out} regions"
    assert f"{counted} left out: above or below the ground." in imported.notes


def tile(elevation: float, **more: Any) -> dict[str, Any]:
    return {"x": 200, "y": 100, "width": 300, "height": 200, "elevation": elevation, **more}


HILL = {(x, y) for x in (2, 3, 4) for y in (1, 2)}


def test_a_tile_with_a_height_is_raised_ground():
    imported = read(foundry(tiles=[tile(10), tile(0), tile(4, name="Dais", hidden=True)], drawings=[{}]))
    first, second = imported.scene.terrain
    assert (first.name, first.kind, first.height, first.cost) == ("Raised ground 1", "raised", 10, 1)
    assert set(first.cells) == HILL
    assert (second.name, second.height, second.hidden, second.id) == ("Dais", 4, True, "h1")
    assert [note for note in imported.notes if note.startswith("2 tiles with a height are raised ground")]
    assert "Left out: 1 tile, 1 drawing." in imported.notes


def test_a_tile_is_turned_around_its_center_or_around_its_anchor():
    upright = {(3, 0), (3, 1), (3, 2), (3, 3)}
    plank = tile(5, x=150, y=150, width=400, height=100, rotation=90)
    assert set(read(foundry(tiles=[plank])).scene.terrain[0].cells) == upright
    anchored = {**plank, "x": 350, "y": 200, "anchorX": 0.5, "anchorY": 0.5}
    assert set(read(foundry(tiles=[anchored])).scene.terrain[0].cells) == upright


@pytest.mark.parametrize(
    "roof",
    [
        tile(10, overhead=True),
        tile(10, occlusion={"mode": 1}),
        tile(10, occlusion={"modes": [4]}),
        tile(20),
        tile(-5),
        tile(0.2),
        tile(10, levels=["other"]),
    ],
)
def test_a_roof_and_what_is_above_all_tokens_is_no_ground(roof: dict[str, Any]):
    scene = foundry(level="here", levels=[{"_id": "here"}, {"_id": "other"}], tiles=[roof])
    imported = read(scene)
    assert imported.scene.terrain == ()
    assert "Left out: 1 tile." in imported.notes


def test_the_scene_says_how_high_the_roofs_begin():
    assert read(foundry(tiles=[tile(25)], foregroundElevation=30)).scene.terrain
    assert not read(foundry(tiles=[tile(10)], foregroundElevation=8)).scene.terrain
    flat = tile(10, occlusion={"mode": 0, "modes": []})
    assert read(foundry(tiles=[flat])).scene.terrain


def test_a_game_with_heights_climbs_onto_a_tile():
    landscape = Landscape(read(foundry(tiles=[tile(10)])).scene.terrain)
    assert [landscape.height(cell) for cell in ((2, 1), (5, 1))] == [10, 0]
