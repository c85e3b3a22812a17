from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.importers.maps import foundry, read

from enfilade.geometry.board.base import CELL
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.line_of_sight import first_obstruction
from enfilade.importers import Imported
from enfilade.scene.model import Grid, Token, Wall

NAMES = ["", None, "wall" * 4, "wall" * 4, "<img src=x>"]
FIXTURES = Path(__file__).parent / "fixtures"


def export(generation: int) -> Imported:
    return read((FIXTURES / f"foundry-{generation}.json").read_bytes())


def token(imported: Imported, name: str) -> Token:
    return next(token for token in imported.scene.tokens if token.name == name)


def one_token(grid: int = 1, **data: Any) -> Token:
    raw = foundry(
        tokens=[{"x": 0, "y": 0, **data}], grid={"type": grid, "size": 100, "distance": 5, "units": "ft"}
    )
    return read(raw).scene.tokens[0]


def one_wall(**data: Any) -> Wall:
    return read(foundry(walls=[{"c": [0, 0, 100, 0], **data}])).scene.walls[0]


@pytest.mark.parametrize("generation", [12, 13, 14])
def test_an_export_of_each_generation_is_read(generation: int):
    imported = export(generation)
    assert imported.kind == "foundry"
    assert imported.image is None
    assert imported.scene.tokens


def test_the_board_is_the_map_without_the_margin_round_it():
    assert export(12).scene.grid == Grid(kind="square", columns=10, rows=6, distance=5, units="ft")
    assert export(12).scene.wall("wallwallwall0001").line == (0, 0, 128, 0)
    assert token(export(12), "Orc").at == (0, 0)
    assert token(export(12), "Ferryman").at == (9, 5)


def test_a_margin_that_had_to_be_worked_out_is_said():
    said = [note for note in export(12).notes if "comes from its padding" in note]
    assert len(said) == 1
    assert not any("padding" in note for note in export(14).notes)


def test_dimensions_in_the_export_win_over_the_padding():
    raw = foundry(
        padding=0.25,
        dimensions={"sceneX": 500, "sceneY": 700, "sceneWidth": 1000, "sceneHeight": 600},
        tokens=[{"x": 500, "y": 700}],
    )
    assert read(raw).scene.tokens[0].at == (0, 0)


def test_a_map_that_begins_inside_a_cell_keeps_the_canvas_grid():
    raw = foundry(
        dimensions={"sceneX": 530, "sceneY": 700, "sceneWidth": 1000, "sceneHeight": 600},
        tokens=[{"x": 600, "y": 700}],
    )
    imported = read(raw)
    assert imported.scene.tokens[0].at == (1, 0)
    assert imported.scene.grid.columns == 11


def test_the_margin_is_whole_cells():
    raw = foundry(width=1010, height=590, padding=0.1, tokens=[{"x": 200, "y": 100}])
    assert read(raw).scene.tokens[0].at == (0, 0)


@pytest.mark.parametrize(
    ("raw", "area"),
    [
        (foundry(), (0, 0, 1, 1)),
        (foundry(background={"src": "a.webp", "offsetX": 25, "offsetY": 0}), (-0.075, 0, 1.1, 1)),
        (foundry(shiftY=-150), (0, -1 / 12, 1, 7 / 6)),
        (foundry(padding=0.25, width=950), (0, 0, 1000 / 950, 1)),
    ],
)
def test_the_part_of_the_maps_picture_under_the_board_is_known(raw: dict[str, Any], area: tuple[float, ...]):
    assert read(raw).picture_area == pytest.approx(area)


def test_hexes_lie_on_the_picture_as_in_foundry():
    """The board begins half a hex left of the map, and reaches over its right edge."""
    area = read(foundry(grid={"type": 2, "size": 100}, width=1000, height=600)).picture_area
    assert area is not None
    assert area[:2] == (-0.05, 0)
    assert area[2] == pytest.approx(1.15)
    assert 1 <= area[3] < 1.2


def test_walls_and_doors_keep_foundrys_ids_so_that_a_bridge_finds_them_again():
    ids = [wall.id for wall in export(12).scene.walls]
    assert ids[:3] == ["wallwallwall0001", "wallwallwall0002", "wallwallwall0003"]


def test_walls_and_doors_without_an_id_of_their_own_are_named_in_the_files_order():
    lines = [{"c": [100 * i, 0, 100 * i, 100], "door": i % 2, "_id": name} for i, name in enumerate(NAMES)]
    assert [wall.id for wall in read(foundry(walls=lines)).scene.walls] == [
        "w1",
        "d1",
        "wall" * 4,
        "d2",
        "w3",
    ]


@pytest.mark.parametrize(
    ("number", "word"), [(0, "none"), (10, "limited"), (20, "normal"), (30, "proximity"), (40, "distance")]
)
def test_a_number_for_sight_becomes_its_word(number: int, word: str):
    assert one_wall(sight=number).sight == word


@pytest.mark.parametrize(("number", "word"), [(0, "none"), (20, "normal")])
def test_a_number_for_movement_becomes_its_word(number: int, word: str):
    assert one_wall(move=number).move == word


@pytest.mark.parametrize(("number", "word"), [(0, "both"), (1, "left"), (2, "right")])
def test_a_one_way_wall_keeps_its_side(number: int, word: str):
    assert one_wall(dir=number).one_way == word


@pytest.mark.parametrize(("number", "word"), [(1, "door"), (2, "secret")])
def test_a_door_keeps_its_kind(number: int, word: str):
    assert one_wall(door=number).door == word


def test_a_secret_door_without_an_id_is_named_as_the_wall_it_looks_like():
    lines = [{"c": [0, y, 100, y], "door": door} for y, door in ((0, 0), (100, 2), (200, 1), (300, 0))]
    assert [wall.id for wall in read(foundry(walls=lines)).scene.walls] == ["w1", "w2", "d1", "w3"]


@pytest.mark.parametrize(("number", "word"), [(0, "closed"), (1, "open"), (2, "locked")])
def test_a_door_keeps_its_state_and_a_wall_has_none(number: int, word: str):
    assert one_wall(door=1, ds=number).state == word
    assert one_wall(door=0, ds=number).state == "closed"


@pytest.mark.parametrize(
    ("sight", "threshold", "units"),
    [
        (30, {"sight": 10, "light": 99}, 128),
        (40, {"sight": 7.5}, 96),
        (30, {"sight": 1_000_000}, 32_000),
        (30, {"sight": None}, 0),
        (30, None, 0),
        (30, {"sight": "far"}, 0),
        (20, {"sight": 10}, 0),
    ],
)
def test_a_window_keeps_the_distance_from_which_it_is_looked_through(sight: int, threshold: Any, units: int):
    assert one_wall(sight=sight, threshold=threshold).threshold == units


def test_a_unit_at_a_window_sees_out_and_one_further_off_does_not():
    window = {"c": [500, 0, 500, 600], "move": 0, "sight": 30, "threshold": {"sight": 10}}
    walls = Blockers(walls=read(foundry(walls=[window])).scene.walls)
    outside = (8 * CELL, 3 * CELL)
    assert first_obstruction((4 * CELL, 3 * CELL), outside, walls) is None
    assert first_obstruction((2 * CELL, 3 * CELL), outside, walls) is not None


def test_a_window_without_a_distance_is_said():
    near = {"c": [0, 0, 100, 0], "sight": 30}
    notes = read(foundry(walls=[near, near, {**near, "threshold": {"sight": 5}}])).notes
    assert "2 proximity or distance walls have no range: they block sight from everywhere." in notes


def test_things_off_the_board_are_counted_in_one_note():
    assert "Left out: 1 region, 1 tile." in export(13).notes


def test_the_initial_level_is_the_board_and_others_are_named():
    assert "The board is the level Ground. The scene has other levels too: First floor." in export(14).notes
    assert (export(14).levels, export(14).level) == (("Ground", "First floor"), "Ground")
    assert not any("level" in note for note in read(foundry(levels=[{}])).notes)


@pytest.mark.parametrize(
    ("rotation", "facing"), [(0, 180), (90, 270), (180, 0), (270, 90), (-90, 90), (720, 180)]
)
def test_foundrys_south_is_our_180_and_both_turn_clockwise(rotation: int, facing: int):
    assert one_token(rotation=rotation).facing == facing


@pytest.mark.parametrize(
    ("grid", "facings"),
    [(1, {0, 90, 180, 270}), (2, {30, 90, 150, 210, 270, 330}), (5, {0, 60, 120, 180, 240, 300})],
)
def test_a_token_is_turned_to_the_nearest_facing_of_its_grid(grid: int, facings: set[int]):
    found = {rotation: one_token(grid, rotation=rotation).facing for rotation in range(0, 360, 7)}
    assert set(found.values()) == facings
    for rotation, facing in found.items():
        turned = abs((facing or 0) - (rotation + 180)) % 360
        assert min(turned, 360 - turned) <= 180 / len(facings)


def test_without_a_grid_a_token_faces_any_whole_degree():
    assert one_token(0, rotation=33.4).facing == 213


def test_a_turned_token_is_said():
    assert "1 token turned to the nearest facing of the grid." in export(12).notes


def test_a_token_off_the_map_comes_without_a_place_and_is_said():
    assert token(export(12), "Watcher").at is None
    assert "1 token left off the board: not wholly on the map." in export(12).notes


def test_a_large_token_that_sticks_out_is_left_off_the_board():
    assert one_token(x=900, width=2, height=2).at is None
    assert one_token(x=800, width=2, height=2).at == (8, 0)


def test_a_large_token_keeps_its_size_and_a_small_one_gets_a_cell():
    assert (token(export(12), "Troll").at, token(export(12), "Troll").size) == ((2, 2), (2, 2))
    assert (token(export(12), "Cat").at, token(export(12), "Cat").size) == ((5, 2), (1, 1))
    assert one_token(width=30, height=30).size == (8, 8)


def test_a_token_between_cells_moves_to_the_nearest_and_is_said():
    imported = read(foundry(tokens=[{"x": 140, "y": 160}]))
    assert imported.scene.tokens[0].at == (1, 2)
    assert "1 token moved to the nearest cell." in imported.notes


def test_height_is_in_64ths_of_a_cell_for_each_cell_size():
    assert token(export(12), "Ferryman").elevation == 2 * 64
    assert token(export(14), "Guard").elevation == 2 * 64


def test_dispositions_become_the_sides_that_are_used():
    assert [side.id for side in export(12).scene.sides] == ["secret", "hostile", "neutral", "friendly"]
    assert [side.name for side in export(13).scene.sides] == ["Hostile"]
    assert token(export(12), "Mira").side == "friendly"
    assert token(export(12), "Watcher").side == "secret"


def test_a_hidden_token_stays_hidden():
    assert token(export(12), "Mira").hidden
    assert not token(export(12), "Orc").hidden


def test_a_tokens_picture_is_not_kept():
    assert {token.image for token in export(12).scene.tokens} == {""}


def test_a_profile_set_in_foundry_comes_over_and_anything_else_there_does_not():
    assert token(export(14), "Guard").profile == {"armor": "heavy", "hands": ["sword", "shield"]}
    assert token(export(14), "Thief").profile == {}
    assert one_token(flags={"enfilade": 3}).profile == {}


def test_foundrys_id_is_kept_so_that_a_bridge_finds_the_token_and_no_other_text_is():
    assert export(12).scene.tokens[0].id == "tokentokent00001"
    assert one_token(_id="table").id == "t1"
    assert one_token(_id="side:hostile").id == "t1"
    assert one_token(_id=None).id == "t1"


def test_a_token_without_a_name_gets_a_number():
    assert one_token(name="").name == "Token 1"


def test_on_a_gridless_board_a_token_stands_by_its_center_in_64ths():
    assert one_token(0, x=125, y=200, width=1, height=1).at == (112, 160)
    assert one_token(0, x=5000, y=200).at is None


@pytest.mark.parametrize(
    ("grid", "kind"),
    [
        (0, "gridless"),
        (1, "square"),
        (2, "hex_odd_r"),
        (3, "hex_even_r"),
        (4, "hex_odd_q"),
        (5, "hex_even_q"),
    ],
)
def test_each_of_foundrys_grids_has_its_kind(grid: int, kind: str):
    assert read(foundry(grid={"type": grid, "size": 100})).scene.grid.kind == kind


def foundrys_corner(kind: int, column: int, row: int) -> tuple[int, int]:
    """Return the place of a 100 wide hex in Foundry: every other row or column begins half a hex outside."""
    across, along = (row, column) if kind in (2, 3) else (column, row)
    is_out = (across % 2 == 0) == (kind in (2, 4))
    near, far = round((along - (0.5 if is_out else 0)) * 100), round(across * 100 * 3**0.5 / 2)
    return (near, far) if kind in (2, 3) else (far, near)


@given(
    st.sampled_from([2, 3, 4, 5]),
    st.integers(0, 8),
    st.integers(0, 4),
    st.sampled_from([None, (2, 4), (2.5, 3)]),
)
def test_a_token_on_hexes_stands_in_the_hex_it_has_in_foundry(
    kind: int, column: int, row: int, margin: tuple[float, int] | None
):
    """Behind an odd number of rows Foundry's margin is half a hex wider, so that the map begins alike."""
    along, across = margin or (0, 0)
    near, far = round(along * 100), round(across * 100 * 3**0.5 / 2)
    left, top = (near, far) if kind in (2, 3) else (far, near)
    x, y = foundrys_corner(kind, column, row)
    raw = foundry(
        grid={"type": kind, "size": 100},
        dimensions={"sceneX": left, "sceneY": top, "sceneWidth": 1000, "sceneHeight": 1000},
        tokens=[{"x": x + left, "y": y + top}],
    )
    assert read(raw).scene.tokens[0].at == (column, row)


@given(st.sampled_from([2, 3, 4, 5]), st.integers(0, 800), st.integers(0, 500))
def test_a_token_anywhere_on_hexes_goes_to_the_nearest(kind: int, x: int, y: int):
    found = read(foundry(grid={"type": kind, "size": 100}, tokens=[{"x": x, "y": y}])).scene.tokens[0].at
    assert found is not None

    def distance(cell: tuple[int, int]) -> float:
        there = foundrys_corner(kind, *cell)  # a token counts as a little left and up of its middle
        return (there[0] - x + 4.37) ** 2 + (there[1] - y + 4.37) ** 2

    nearest = min(distance((column, row)) for column in range(15) for row in range(10))
    assert distance(found) <= nearest + 170  # Foundry's corners are rounded to whole pixels


def test_a_wall_in_the_half_hex_that_juts_out_is_kept():
    raw = foundry(grid={"type": 2, "size": 100}, width=700, walls=[{"c": [760, 90, 760, 120]}])
    imported = read(raw)
    assert imported.scene.grid.columns == 8
    assert len(imported.scene.walls) == 1


def test_a_board_of_hexes_has_as_many_as_foundry_shows():
    grid = export(13).scene.grid
    assert (grid.kind, grid.columns, grid.rows) == ("hex_odd_r", 8, 6)


def test_walls_on_hexes_are_measured_from_the_boards_corner_in_the_hexs_own_width_and_height():
    assert export(13).scene.wall("wallwallwall0001").line == (32, 0, 96, 28)


@given(st.integers(20, 300), st.lists(st.tuples(*[st.integers(0, 400)] * 4), max_size=20))
def test_walls_keep_their_place_to_half_a_64th(size: int, lines: list[tuple[int, ...]]):
    raw = foundry(
        width=size * 10, height=size * 10, grid={"type": 1, "size": size}, walls=[{"c": c} for c in lines]
    )
    raw["walls"] = [{"c": [v * size / 40 for v in line]} for line in lines]
    found = [wall.line for wall in read(raw).scene.walls]
    kept = [line for line in lines if line[:2] != line[2:]]
    assert len(found) == len(kept)
    for line, ours in zip(kept, found, strict=True):
        assert all(abs(unit - value * 64 / 40) <= 0.5 + 1e-9 for unit, value in zip(ours, line, strict=True))


@pytest.mark.parametrize("number", range(7))
def test_rulers_that_count_diagonals_otherwise_than_steps_are_said(number: int):
    notes = read(foundry(diagonals=number)).notes
    assert any("diagonals" in note for note in notes) is (number > 0)


def paths(*passed: tuple[int, int], **more: Any) -> dict[str, tuple[tuple[int, int], ...]]:
    """Return the paths of a live scene whose only token passed these places, in pixels, before x 300, y 0."""
    path = [{"x": x, "y": y} for x, y in passed]
    return read(foundry(tokens=[{"x": 300, "y": 0, "path": path, **more}])).paths


def test_the_cells_that_a_token_passed_are_read_with_its_own_at_the_end():
    assert paths((0, 100), (98, 203)) == {"t1": ((0, 1), (1, 2), (3, 0))}
    assert paths((100, 100), (110, 90)) == {"t1": ((1, 1), (3, 0))}


@pytest.mark.parametrize("passed", [(), ((300, 0),), ((0, 100), (-500, 0)), ((90_000, 0),)])
def test_there_is_no_path_without_another_cell_or_off_the_board(passed: tuple[tuple[int, int], ...]):
    assert paths(*passed) == {}


def test_a_path_of_more_than_63_places_counts_as_missing():
    assert paths(*[(100 * (i % 2), 0) for i in range(63)])
    assert not paths(*[(100 * (i % 2), 0) for i in range(64)])


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("/api/tables/t1/assets/aB-_9", "/api/tables/t1/assets/aB-_9#tabletop"),
        ("https://example.org/a.png", ""),
        ("//example.org/a.png", ""),
        ("/api/tables/t1/assets/../../x", ""),
        ("javascript:alert(1)", ""),
        ("", ""),
    ],
)
def test_a_token_keeps_a_picture_of_the_tables_server_only(given: str, kept: str):
    assert one_token(image=given).image == kept


HALF_GRID = {"c": [550, 0, 550, 1000], "move": 20, "sight": 20}


def test_a_token_through_whose_middle_a_wall_runs_is_named():
    # It had no reach and saw nothing, and no note said why.
    tokens = [{"x": 500, "y": 100, "name": "Ferryman"}, {"x": 700, "y": 100, "name": "Orc"}]
    notes = read(foundry(walls=[HALF_GRID], tokens=tokens)).notes
    (said,) = [note for note in notes if "stands on a wall" in note]
    assert said.startswith("Ferryman stands on a wall")
    many = read(foundry(walls=[HALF_GRID], tokens=[{"x": 500, "y": 100 * y} for y in range(3)])).notes
    assert any(note.startswith("3 tokens stand on walls") for note in many)


def test_a_wall_between_cells_or_one_that_stops_nothing_is_no_note():
    tokens = [{"x": 500, "y": 100, "name": "Ferryman"}]
    for wall in ({"c": [500, 0, 500, 1000]}, HALF_GRID | {"move": 0, "sight": 0}):
        assert not any("on a wall" in note for note in read(foundry(walls=[wall], tokens=tokens)).notes)
