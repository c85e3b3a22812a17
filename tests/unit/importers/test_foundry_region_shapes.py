"""The ten kinds of shapes of a region in Foundry 14, as cells of the board."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.importers.maps import foundry, read

from enfilade.importers import Imported


def region_of(shapes: list[Any], **scene: Any) -> Imported:
    region = {"name": "Mud [cost 2]", "shapes": shapes, "behaviors": []}
    return read(foundry(regions=[region], **scene))


def cells_of(*shapes: Any, **scene: Any) -> set[tuple[int, int]]:
    return {cell for ground in region_of(list(shapes), **scene).scene.terrain for cell in ground.cells}


def box(left: int, top: int, right: int, bottom: int) -> set[tuple[int, int]]:
    return {(x, y) for x in range(left, right) for y in range(top, bottom)}


def test_a_line_runs_from_its_start_and_has_its_width_on_both_sides():
    line = {"type": "line", "x": 100, "y": 250, "length": 400, "width": 100}
    assert cells_of(line) == box(1, 2, 5, 3)
    assert cells_of({**line, "x": 450, "y": 100, "rotation": 90}) == box(4, 1, 5, 5)
    assert cells_of({**line, "x": 500, "rotation": 180}) == box(1, 2, 5, 3)


def test_a_cone_ends_round_or_straight_or_in_a_half_circle():
    cone = {"type": "cone", "x": 100, "y": 250, "radius": 400, "angle": 90}
    flat, curved = cells_of({**cone, "curvature": "flat"}), cells_of({**cone, "curvature": "round"})
    dome = cells_of({**cone, "curvature": "semicircle"})
    assert {(4, 0), (4, 4)} <= flat
    assert (4, 0) not in curved
    assert all((4, 2) in cells for cells in (flat, curved, dome))
    assert all((5, 2) not in cells for cells in (flat, curved, dome))
    assert dome < curved < flat
    around = {**cone, "x": 450, "y": 250, "radius": 101, "angle": 360}
    assert cells_of(around) == {(4, 2), (3, 2), (5, 2), (4, 1), (4, 3)}
    assert cells_of({**cone, "x": 500, "rotation": 180}) == {(5 - x, y) for x, y in cells_of(cone)}


def test_a_ring_leaves_out_what_lies_within_it_and_nothing_of_the_shapes_before_it():
    ring = {"type": "ring", "x": 450, "y": 250, "radius": 200, "innerWidth": 60, "outerWidth": 60}
    found = cells_of(ring)
    assert {(2, 2), (6, 2), (4, 0), (4, 4)} <= found
    assert not found & {(4, 2), (3, 2), (5, 2), (4, 1), (4, 3)}
    middle = {"type": "circle", "x": 450, "y": 250, "radius": 101}
    assert cells_of(middle, ring) == cells_of(middle) | found
    disc = {"type": "ring", "x": 450, "y": 250, "radius": 60, "innerWidth": 60, "outerWidth": 41}
    assert cells_of(disc) == cells_of(middle)


def test_a_token_has_its_spaces_and_an_emanation_all_that_is_near_them():
    token = {"type": "token", "x": 400, "y": 200, "width": 2, "height": 1, "shape": 4}
    assert cells_of(token) == box(4, 2, 6, 3)
    aura = {"type": "emanation", "radius": 75, "base": token}
    assert cells_of(aura) == box(3, 1, 7, 4)
    assert cells_of({**aura, "radius": 60}) == box(3, 1, 7, 4) - {(3, 1), (6, 1), (3, 3), (6, 3)}
    assert cells_of({**aura, "base": {**token, "hole": True}}) == box(3, 1, 7, 4) - box(4, 2, 6, 3)
    drop = {"type": "emanation", "radius": 51, "base": {"type": "circle", "x": 450, "y": 250, "radius": 50}}
    assert cells_of(drop) == {(4, 2), (3, 2), (5, 2), (4, 1), (4, 3)}


@pytest.mark.parametrize("kind", [2, 3, 4, 5])
def test_on_hexes_a_token_has_the_hex_in_its_middle(kind: int):
    grid = {"type": kind, "size": 100, "distance": 5, "units": "ft"}
    token = {"x": 360 if kind < 4 else 300, "y": 300 if kind < 4 else 360, "width": 1, "height": 1}
    here = read(foundry(grid=grid, tokens=[token])).scene.tokens[0].at
    assert cells_of({"type": "token", **token}, grid=grid) == {here}


def test_named_spaces_are_the_squares_of_the_canvas():
    shape = {
        "type": "grid",
        "offsets": [{"i": 4, "j": 5}, {"i": 4, "j": 6}, {"i": 0, "j": 0}],
        "origin": None,
    }
    assert cells_of(shape, padding=0.2) == {(3, 2), (4, 2)}
    whole = {"type": "rectangle", "x": 200, "y": 200, "width": 900, "height": 300}
    spared = box(0, 0, 9, 3) - {(3, 2), (4, 2)}
    assert cells_of(whole, {**shape, "hole": True}, padding=0.2) == spared


@pytest.mark.parametrize(
    "shape",
    [
        {"type": "spiral", "x": 9},
        {"type": "cone", "x": 9},
        {"type": "line", "length": 300},
        {"type": "ring", "radius": 0},
        {"type": "emanation", "radius": 100},
        {"type": "emanation", "radius": 100, "base": {"type": "polygon", "points": [0, 0, 9, 9, 0, 9]}},
        {"type": "token", "width": 0},
        {"type": "circle", "radius": -1},
    ],
)
def test_a_shape_without_area_or_of_another_kind_is_left_out_and_named(shape: dict[str, Any]):
    whole = {"type": "rectangle", "x": 0, "y": 0, "width": 100, "height": 100}
    imported = region_of([shape, whole])
    assert imported.scene.terrain[0].cells == ((0, 0),)
    assert [note for note in imported.notes if f"kind '{shape['type']}' such as this are not read" in note]


def test_a_shape_that_foundry_measures_in_spaces_is_taken_by_its_outline_and_said():
    circle = {"type": "circle", "x": 450, "y": 250, "radius": 101, "gridBased": True}
    imported = region_of([circle])
    assert len(imported.scene.terrain[0].cells) == 5
    assert [note for note in imported.notes if "shape 1 of region Mud [cost 2] is measured in spaces" in note]


sizes = st.one_of(st.floats(-1e7, 1e7), st.integers(-5, 2_000), st.none(), st.text(max_size=3))
kinds = st.sampled_from(
    ["circle", "cone", "ellipse", "rectangle", "line", "ring", "emanation", "polygon", "token", "grid"]
)
keys = ["x", "y", "width", "height", "length", "radius", "innerWidth", "outerWidth", "angle", "rotation"]


@given(
    st.dictionaries(st.sampled_from(keys), sizes),
    kinds,
    kinds,
    st.sampled_from(["flat", "round", "semicircle", "bent"]),
    st.integers(0, 5),
)
def test_whatever_a_shape_says_the_map_is_read(
    sizes: dict[str, Any], kind: str, base: str, curvature: str, grid: int
):
    shape = {**sizes, "type": kind, "curvature": curvature, "base": {**sizes, "type": base}}
    region_of([shape], grid={"type": grid, "size": 100, "distance": 5})
