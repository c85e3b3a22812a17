from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.importers.maps import PNG, jpeg, png, points, read, universal_vtt, webp

from enfilade.scene.model import Grid, Wall


def walls(raw: dict[str, Any], **options: Any) -> dict[str, tuple[int, int, int, int]]:
    return {wall.id: wall.line for wall in read(raw, **options).scene.walls}


def portal(*bounds: tuple[float, float], **more: Any) -> dict[str, Any]:
    return {"position": {"x": 0, "y": 0}, "bounds": points(*bounds), "rotation": 0, "closed": True, **more}


def test_the_board_has_the_maps_size_and_the_files_name():
    scene = read(universal_vtt()).scene
    assert scene.grid == Grid(kind="square", columns=10, rows=8)
    assert (scene.name, scene.ruleset) == ("the map", "coup_de_grace")


@pytest.mark.parametrize("version", [0.4, "2.0", "next", [1]])
def test_an_unknown_format_is_read_and_said(version: Any):
    raw = universal_vtt(format=version, line_of_sight=[points((1, 1), (2, 1))])
    assert len(read(raw).scene.walls) == 1
    assert [note for note in read(raw).notes if note.startswith("Format ") and "is not known" in note]


def test_a_broken_point_is_left_out_and_the_wall_runs_on_past_it():
    raw = universal_vtt(
        line_of_sight=[[*points((1, 1)), None, {"x": 2}, *points((3, 1))], [], points((1, 1))]
    )
    assert walls(raw) == {"w1": (64, 64, 192, 64)}
    assert [note for note in read(raw).notes if "line_of_sight[0][1]" in note]


@pytest.mark.parametrize("version", [0.2, 0.3, 1.0, 1])
def test_each_known_format_is_read(version: float):
    assert read(universal_vtt(format=version)).kind == "universal-vtt"


def test_a_polyline_becomes_one_wall_for_each_of_its_pieces_even_in_a_straight_row():
    raw = universal_vtt(line_of_sight=[points((1, 1), (2, 1), (3, 1), (3, 2))])
    assert walls(raw) == {"w1": (64, 64, 128, 64), "w2": (128, 64, 192, 64), "w3": (192, 64, 192, 128)}


def test_a_wall_stops_movement_and_sight():
    wall = read(universal_vtt(line_of_sight=[points((1, 1), (2, 1))])).scene.wall("w1")
    assert wall == Wall(id="w1", line=(64, 64, 128, 64), move="normal", sight="normal")


def test_a_map_that_begins_elsewhere_is_moved_to_the_boards_corner():
    raw = universal_vtt(
        line_of_sight=[points((0.1, 1.1), (2.1, 1.1))], portals=[portal((3.1, 1.1), (4.1, 1.1))]
    )
    raw["resolution"]["map_origin"] = {"x": 0.1, "y": 1.1}
    assert walls(raw) == {"w1": (0, 0, 128, 0), "d1": (192, 0, 256, 0)}
    assert read(raw).notes == ()


def test_the_real_maps_places_come_out_as_worked_out_by_hand():
    raw = universal_vtt(
        line_of_sight=[points((7, 2), (7, 2.5)), points((7, 3.5), (7, 8.619141))],
        portals=[portal((7, 2.5), (7, 3.5)), portal((7, 8.619141), (7, 9.380859), closed=False)],
    )
    raw["resolution"]["map_origin"] = {"x": 2, "y": 1}
    assert walls(raw) == {
        "w1": (320, 64, 320, 96),
        "w2": (320, 160, 320, 488),
        "d1": (320, 96, 320, 160),
        "d2": (320, 488, 320, 536),
    }


def test_halves_of_a_64th_are_rounded_away_from_zero_on_both_sides():
    half = 1 / 128
    raw = universal_vtt(line_of_sight=[points((half, -half), (1 + half, 3 * half))])
    assert walls(raw) == {"w1": (1, -1, 65, 2)}


def test_rounding_is_said_once_and_only_where_something_moved():
    raw = universal_vtt(line_of_sight=[points((0, 0), (0.501, 0), (1, 0), (2, 0))])
    assert read(raw).notes == ("2 walls or doors moved to the nearest 64th of a cell.",)
    assert read(universal_vtt(line_of_sight=[points((0, 0), (0.5, 0.015625))])).notes == ()


def test_a_piece_without_length_is_dropped_and_said():
    imported = read(universal_vtt(line_of_sight=[points((1, 1), (1.001, 1), (2, 1))]))
    assert [wall.id for wall in imported.scene.walls] == ["w1"]
    assert "1 wall or door left out: too short." in imported.notes


def test_a_wall_wholly_outside_the_board_is_dropped_and_said():
    imported = read(universal_vtt(line_of_sight=[points((11, 1), (12, 1)), points((9, 1), (12, 1))]))
    assert [wall.line for wall in imported.scene.walls] == [(576, 64, 768, 64)]
    assert imported.notes == ("1 wall or door left out: outside the board.",)


def test_a_portal_becomes_a_door_open_or_closed_as_it_is():
    raw = universal_vtt(portals=[portal((1, 1), (2, 1)), portal((3, 1), (4, 1), closed=False)])
    doors = read(raw).scene.walls
    assert [(door.id, door.door, door.state) for door in doors] == [
        ("d1", "door", "closed"),
        ("d2", "door", "open"),
    ]


def test_a_freestanding_portal_is_a_door_too():
    imported = read(universal_vtt(portals=[portal((1, 1), (2, 1), freestanding=True)]))
    assert imported.scene.wall("d1").door == "door"
    assert imported.notes == ("1 freestanding door imported like other doors.",)


def test_a_door_interrupts_a_wall_that_runs_on_behind_it():
    raw = universal_vtt(line_of_sight=[points((0, 1), (6, 1))], portals=[portal((3, 1), (2, 1))])
    assert walls(raw) == {"w1": (0, 64, 128, 64), "w2": (192, 64, 384, 64), "d1": (192, 64, 128, 64)}


def test_doors_that_meet_in_a_sloping_wall_leave_one_gap():
    raw = universal_vtt(
        line_of_sight=[points((6, 6), (0, 0))], portals=[portal((3, 3), (4, 4)), portal((2, 2), (3, 3))]
    )
    assert walls(raw) == {
        "w1": (384, 384, 256, 256),
        "w2": (128, 128, 0, 0),
        "d1": (192, 192, 256, 256),
        "d2": (128, 128, 192, 192),
    }


def test_a_door_beside_or_across_a_wall_leaves_it_whole():
    raw = universal_vtt(
        line_of_sight=[points((0, 1), (6, 1))],
        portals=[portal((6, 1), (7, 1)), portal((3, 0), (3, 2)), portal((2, 2), (3, 2))],
    )
    assert walls(raw)["w1"] == (0, 64, 384, 64)


def test_a_wall_that_is_all_door_leaves_nothing_behind():
    raw = universal_vtt(line_of_sight=[points((2, 1), (3, 1))], portals=[portal((1, 1), (4, 1))])
    assert walls(raw) == {"d1": (64, 64, 256, 64)}


@pytest.mark.parametrize(
    ("objects", "found"),
    [("ignore", []), ("sight", [("none", "normal")]), ("solid", [("normal", "normal")])],
)
def test_objects_stop_sight_alone_unless_asked_otherwise(objects: str, found: list[tuple[str, str]]):
    raw = universal_vtt(objects_line_of_sight=[points((1, 1), (2, 1))])
    assert [(wall.move, wall.sight) for wall in read(raw, objects=objects).scene.walls] == found
    assert len(read(raw, objects=objects).notes) == 1
    assert read(raw) == read(raw, objects="sight")


def test_a_map_that_ends_inside_a_square_gets_a_board_that_holds_it_whole():
    raw = universal_vtt()
    raw["resolution"]["map_size"] = {"x": 9.25, "y": 8}
    imported = read(raw)
    assert imported.scene.grid.columns == 10
    assert imported.notes == ("The map ends inside a square. The board is large enough to hold all of it.",)
    raw["resolution"]["map_size"] = {"x": 9.0000001, "y": 7.999}
    assert (read(raw).scene.grid.columns, read(raw).scene.grid.rows, read(raw).notes) == (9, 8, ())


def test_lights_are_left_out_and_said():
    assert read(universal_vtt(lights=[{}, {}])).notes == ("2 lights left out.",)


def test_a_map_without_a_picture_says_so():
    for image in ("", None):
        imported = read(universal_vtt(image=image))
        assert (imported.image, imported.image_type) == (None, "")
        assert "The file has no picture." in imported.notes


@pytest.mark.parametrize(
    ("picture", "media_type"),
    [(png(700, 560), "image/png"), (jpeg(700, 560), "image/jpeg"), (webp(700, 560), "image/webp")],
)
def test_a_picture_is_known_by_its_first_bytes(picture: bytes, media_type: str):
    imported = read(universal_vtt(image=base64.b64encode(picture).decode()))
    assert (imported.image, imported.image_type) == (picture, media_type)


def test_a_picture_written_as_a_data_address_is_taken_by_its_bytes_not_its_label():
    assert read(universal_vtt(image="data:text/html;base64," + PNG)).image_type == "image/png"


def test_a_picture_in_lines_of_76_letters_is_read():
    wrapped = base64.encodebytes(png(700, 560)).decode()
    assert "\n" in wrapped
    imported = read(universal_vtt(image=wrapped))
    assert (imported.image, imported.notes) == (png(700, 560), ())


@pytest.mark.parametrize(
    ("image", "why"),
    [
        ("not base64!", "not base64"),
        ("ÄÖ", "not base64"),
        ("abc", "not base64"),
        (PNG + "!", "not base64"),
        ("PHN2Zz4=", "not PNG, WebP or JPEG"),
        (base64.b64encode(b"\x89PNG\r\n\x1a\n").decode(), "header is broken"),
        (base64.b64encode(png(16_385, 10)).decode(), "16,385 x 10 pixels"),
        (base64.b64encode(png(12_000, 12_000)).decode(), "120 million"),
    ],
)
def test_a_picture_that_cannot_be_used_is_left_out_with_the_reason(image: str, why: str):
    imported = read(universal_vtt(image=image, line_of_sight=[points((1, 1), (2, 1))]))
    assert imported.image is None
    assert len(imported.scene.walls) == 1
    assert [note for note in imported.notes if why in note]


def test_keys_that_are_null_or_missing_are_read_as_empty_and_said():
    raw = universal_vtt(
        line_of_sight=None, portals=[{**portal((1, 1), (2, 1)), "closed": None}, None], lights=None
    )
    del raw["resolution"]["map_origin"], raw["format"]
    imported = read(raw)
    assert [wall.id for wall in imported.scene.walls] == ["d1"]
    assert imported.notes == (
        "Left out: portals[1]. Expected an object, found null.",
        "Empty in the file: line_of_sight, lights.",
        "The file does not say where the map begins on its drawing. It begins at the corner here.",
    )


def test_the_picture_of_a_map_that_ends_inside_a_square_keeps_its_scale():
    raw = universal_vtt(image=base64.b64encode(png(735, 560)).decode())
    raw["resolution"]["map_size"] = {"x": 10.5, "y": 8}
    assert read(raw).image_area == "#xywh=pixel:0,0,770,560"


coordinates = st.integers(0, 8 * 64)


@given(st.lists(st.tuples(coordinates, coordinates, coordinates, coordinates), max_size=30))
def test_walls_on_whole_64ths_keep_their_place(lines: list[tuple[int, int, int, int]]):
    polylines = [points((x1 / 64, y1 / 64), (x2 / 64, y2 / 64)) for x1, y1, x2, y2 in lines]
    expected = [line for line in lines if line[:2] != line[2:]]
    assert list(walls(universal_vtt(line_of_sight=polylines)).values()) == expected


@given(st.floats(-8, 8), st.floats(-8, 8))
def test_no_end_of_a_wall_moves_by_more_than_half_a_64th(x: float, y: float):
    raw = universal_vtt(line_of_sight=[points((8, 8), (x, y))])
    raw["resolution"]["map_origin"] = {"x": -8, "y": -8}
    raw["resolution"]["map_size"] = {"x": 16, "y": 16}
    for _, _, x2, y2 in walls(raw).values():
        assert abs(x2 - (x + 8) * 64) <= 0.5 + 1e-9
        assert abs(y2 - (y + 8) * 64) <= 0.5 + 1e-9


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=12))
def test_walls_and_doors_of_one_line_never_overlap_and_leave_no_gap(spans: list[tuple[int, int]]):
    """An oracle in single steps: a step of the line is wall, door or empty."""
    doors = [(min(s), max(s)) for s in spans[::2] if s[0] != s[1]]
    lines = [(min(s), max(s)) for s in spans[1::2] if s[0] != s[1]]
    raw = universal_vtt(
        line_of_sight=[points((a / 4, 1), (b / 4, 1)) for a, b in lines],
        portals=[portal((a / 4, 1), (b / 4, 1)) for a, b in doors],
    )
    steps_with_doors = {step for a, b in doors for step in range(a, b)}
    expected = sorted(step for a, b in lines for step in range(a, b) if step not in steps_with_doors)
    found = [wall.line for wall in read(raw).scene.walls if wall.door == "none"]
    assert sorted(step for x1, _, x2, _ in found for step in range(x1 // 16, x2 // 16)) == expected
