"""Foundry's versions: where a map lies on the canvas in each, and the form of scenes from before Foundry 10.

The corners are worked out by hand from Foundry's rule for padding, apart from the code that is tested.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.importers.maps import foundry, read

from enfilade.importers import Imported
from enfilade.importers.canvas import find_canvas, map_dimensions
from enfilade.importers.foundry_shapes import Dimensions, read_scene_data
from enfilade.importers.pieces import Remarks

STEP = 100 * sqrt(3) / 2


def dimensions(**changes: Any) -> Dimensions:
    """The place of a map of 1000 x 800 pixels with a padding of a quarter on its canvas."""
    raw = foundry(**{"width": 1000, "height": 800, "padding": 0.25, **changes})
    remarks = Remarks()
    return map_dimensions(read_scene_data(raw, remarks), remarks)


def corner(**changes: Any) -> tuple[float, float]:
    place = dimensions(**changes)
    return round(place.scene_x, 3), round(place.scene_y, 3)


def hexes(kind: int) -> dict[str, Any]:
    return {"type": kind, "size": 100, "distance": 5, "units": "ft"}


@pytest.mark.parametrize("kind", [0, 1])
def test_a_margin_is_whole_cells_on_squares_and_without_a_grid(kind: int):
    assert corner(grid=hexes(kind)) == (300, 200)
    assert corner(grid=hexes(kind), padding=0) == (0, 0)
    assert corner(grid=hexes(kind), width=1201) == (400, 200)


@pytest.mark.parametrize("kind", [2, 3])
def test_a_margin_on_rows_of_hexes_is_whole_rows_and_an_odd_number_of_them_is_half_a_hex_wider(kind: int):
    assert corner(grid=hexes(kind)) == (350, round(3 * STEP, 3))
    assert corner(grid=hexes(kind), height=600) == (300, round(2 * STEP, 3))
    assert corner(grid=hexes(kind), padding=0) == (0, 0)


@pytest.mark.parametrize("kind", [4, 5])
def test_a_margin_on_columns_of_hexes_is_whole_columns_and_an_odd_number_is_half_a_hex_higher(kind: int):
    assert corner(grid=hexes(kind)) == (round(3 * STEP, 3), 250)
    assert corner(grid=hexes(kind), width=600) == (round(2 * STEP, 3), 200)


@pytest.mark.parametrize("kind", [2, 5])
def test_hexes_from_before_10_are_measured_from_point_to_point_and_their_margin_like_squares(kind: int):
    legacy = {"core": {"legacyHex": True}}
    assert corner(grid=hexes(kind), flags=legacy) == (300, 200)
    imported = read(foundry(grid=hexes(kind), flags=legacy))
    assert imported.origin is not None
    assert round(imported.origin.size, 3) == round(STEP, 3)
    assert corner(grid=hexes(kind), flags={"core": {"legacyHex": False}}) != (300, 200)


@pytest.mark.parametrize(
    "where", [{"background": {"offsetX": 150, "offsetY": -30}}, {"shiftX": 150, "shiftY": -30}]
)
@pytest.mark.parametrize("kind", range(6))
def test_the_pictures_offset_moves_the_map_the_other_way(kind: int, where: dict[str, Any]):
    x, y = corner(grid=hexes(kind))
    moved = corner(grid=hexes(kind), **where)
    assert (round(moved[0] - x, 3), round(moved[1] - y, 3)) == (-150, 30)


def test_a_margin_is_computed_as_foundry_computes_it_even_if_that_is_a_cell_too_many():
    """0.1 * 3510 * (1 / 117) is 3.0000000000000004 in floating-point numbers: Foundry rounds up to 4."""
    assert 0.1 * 3510 * (1 / 117) > 3
    assert corner(grid={"type": 1, "size": 117}, padding=0.1, width=3510)[0] == 4 * 117


def both(raw: dict[str, Any]) -> tuple[Imported, Imported]:
    """The same scene from a file, and as the module sends it: with outlines of regions and a level."""
    remarks = Remarks()
    place = map_dimensions(read_scene_data(raw, remarks), remarks)
    live = {"sceneX": place.scene_x, "sceneY": place.scene_y, "sceneWidth": raw["width"]}
    regions = [{**region, "polygons": polygons_of(region), "shapes": []} for region in raw.get("regions", [])]
    more = {"dimensions": {**live, "sceneHeight": raw["height"]}, "regions": regions}
    return read(raw), read({**raw, **more, "level": raw.get("initialLevel")})


def polygons_of(region: dict[str, Any]) -> list[list[int]]:
    """The outlines of a region's rectangles."""
    edges = [
        (one["x"], one["y"], one["x"] + one["width"], one["y"] + one["height"]) for one in region["shapes"]
    ]
    return [[x1, y1, x2, y1, x2, y2, x1, y2] for x1, y1, x2, y2 in edges]


def test_a_map_with_an_offset_is_the_same_board_as_in_foundry():
    door = {"c": [200, 200, 200, 800], "door": 1}
    walls, tokens = [door, {"c": [700, 200, 700, 800]}], [{"x": 200, "y": 300}, {"x": 1000, "y": 300}]
    raw = foundry(padding=0.25, background={"offsetX": 150, "offsetY": 0}, walls=walls, tokens=tokens)
    for imported in both(raw):
        scene = imported.scene
        assert (scene.grid.columns, scene.grid.rows) == (11, 6)
        assert [wall.line for wall in scene.walls] == [(64, 0, 64, 384), (384, 0, 384, 384)]
        assert [token.at for token in scene.tokens] == [(1, 1), (9, 1)]


def test_dimensions_that_differ_from_the_rule_are_followed_and_said():
    place = {"sceneX": 500, "sceneY": 700, "sceneWidth": 1000, "sceneHeight": 600}
    notes = read(foundry(padding=0.25, dimensions=place)).notes
    assert [note for note in notes if "begins at 500, 700 on the canvas" in note and "be 300, 200" in note]
    exact = {**place, "sceneX": 300, "sceneY": 200.4}
    assert not [note for note in read(foundry(padding=0.25, dimensions=exact)).notes if "rule" in note]


def before_10(**changes: Any) -> dict[str, Any]:
    """A scene as Foundry 9 exported it."""
    old = {"grid": 100, "gridType": 1, "gridDistance": 5, "gridUnits": "ft", "shiftX": 150, "shiftY": 0}
    return {"name": "Yard", "width": 1000, "height": 600, "padding": 0.25, **old, **changes}


def test_a_scene_from_before_10_is_read_like_one_since():
    walls, tokens = [{"c": [700, 200, 700, 800], "move": 1, "sense": 2, "door": 1}], [{"x": 200, "y": 300}]
    scene = read(before_10(walls=walls, tokens=tokens)).scene
    assert (scene.grid.kind, scene.grid.distance, scene.grid.units) == ("square", 5, "ft")
    assert [(wall.line, wall.move, wall.sight) for wall in scene.walls] == [
        ((384, 0, 384, 384), "normal", "limited")
    ]
    assert scene.tokens[0].at == (1, 1)
    assert any("before Foundry 10" in note for note in read(before_10()).notes)


def test_hexes_from_before_10_have_the_old_size():
    imported = read(before_10(gridType=4, padding=0, shiftX=0))
    assert imported.origin is not None
    assert round(imported.origin.size, 3) == round(STEP, 3)
    assert imported.scene.grid.kind == "hex_odd_q"


def test_a_scene_from_before_10_with_broken_walls_keeps_the_others():
    raw = before_10(walls=[None, {"c": [700, 200, 700, 800], "move": True}, {"c": None}], gridUnits=None)
    assert len(read(raw).scene.walls) == 1


offsets = st.integers(-300, 300)


@given(
    st.integers(0, 5),
    st.booleans(),
    st.sampled_from([0, 0.05, 0.1, 0.25, 0.5]),
    st.tuples(offsets, offsets, offsets, offsets),
    st.tuples(st.integers(300, 2_000), st.integers(300, 2_000), st.integers(50, 150)),
    st.lists(st.tuples(*[st.integers(-100, 3_000)] * 4), max_size=5),
    st.sampled_from([None, "a", "b"]),
)
def test_a_file_and_the_live_scene_give_the_same_board(
    kind: int,
    is_legacy: bool,
    padding: float,
    offset: tuple[int, int, int, int],
    size: tuple[int, int, int],
    lines: list[tuple[int, int, int, int]],
    level: str | None,
):
    levels = ["a", "b", ""]
    names = ["Mud [cost 2]", "Hill [height 10]", "Den [closed]"]
    raw = foundry(
        grid={"type": kind, "size": size[2], "distance": 5, "units": "ft"},
        width=size[0],
        height=size[1],
        padding=padding,
        background={"offsetX": offset[0], "offsetY": offset[1]},
        shiftX=offset[2],
        shiftY=offset[3],
        flags={"core": {"legacyHex": is_legacy}},
        walls=[
            {
                "c": line,
                "door": i % 3,
                "levels": [levels[i % 3]] if i % 3 < 2 else [],
                "flags": {"wall-height": {"bottom": 0, "top": line[3] % 20}} if line[3] % 2 else {},
            }
            for i, line in enumerate(lines)
        ],
        tokens=[
            {"x": line[0], "y": line[1], "width": 1, "height": 1, "level": levels[i % 3] or None}
            for i, line in enumerate(lines)
        ],
        regions=[
            {
                "name": names[i % 3],
                "elevation": {"bottom": line[2] % 15 - 5, "top": None},
                "levels": [levels[i % 3]] if i % 3 < 2 else [],
                "shapes": [
                    {
                        "type": "rectangle",
                        "x": line[0],
                        "y": line[1],
                        "width": 300,
                        "height": 50 + abs(line[2]),
                    }
                ],
            }
            for i, line in enumerate(lines)
        ],
        tiles=[
            {
                "x": line[0],
                "y": line[1],
                "width": 300,
                "height": 200,
                "elevation": line[2] % 15,
                "rotation": 30,
            }
            for line in lines
        ],
        levels=[
            {"_id": "a", "name": "A", "elevation": {"bottom": 5, "top": 10}},
            {"_id": "b", "name": "B", "elevation": {"bottom": None, "top": 5}},
        ]
        if level
        else [],
        initialLevel=level,
    )
    file, live = both(raw)
    assert file.scene == live.scene
    assert file.origin == live.origin


@given(
    st.integers(2, 5),
    st.integers(40, 200),
    st.sampled_from([0, 0.05, 0.1, 0.25, 0.5]),
    st.tuples(offsets, offsets),
    st.tuples(st.integers(300, 2_000), st.integers(300, 2_000)),
)
def test_each_hex_of_the_board_is_a_hex_of_foundrys_canvas(
    kind: int, width: int, padding: float, offset: tuple[int, int], size: tuple[int, int]
):
    """Foundry has the middle of a hex at (3q + 2) / (2 √3) and q / 2 + r; on even grids half more."""
    background = {"offsetX": offset[0], "offsetY": offset[1]}
    changes = {"grid": {**hexes(kind), "size": width}, "padding": padding, "background": background}
    remarks = Remarks()
    raw = foundry(width=size[0], height=size[1], **changes)
    canvas = find_canvas(read_scene_data(raw, remarks), remarks)
    for cell in [(0, 0), (canvas.columns - 1, canvas.rows - 1), (canvas.columns // 2, canvas.rows // 3)]:
        x, y = (
            (float(corner) + middle * width) / width
            for corner, middle in zip((canvas.left, canvas.top), canvas.middle(cell), strict=True)
        )
        along, across = (y, x) if kind > 3 else (x, y)
        q = (2 * sqrt(3) * across - 2) / 3
        r = along - (round(q) + kind % 2) / 2
        assert q == pytest.approx(round(q), abs=1e-6)
        assert r == pytest.approx(round(r), abs=1e-6)
