from __future__ import annotations

import base64
import json
from itertools import count
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.importers.maps import PNG, foundry, points, read, universal_vtt

from enfilade.errors import BadFile, TooSlow
from enfilade.importers import Imported, SceneFile, limits, read_map
from enfilade.messages.load import load_scene
from enfilade.runtime.time_budget import TimeBudget, time_limited

Path = tuple[str | int, ...]


def refused(raw: Any) -> BadFile:
    data = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
    with pytest.raises(BadFile) as caught:
        read_map(data, "map.uvtt", ruleset="coup_de_grace")
    return caught.value


def changed(raw: Any, path: Path, value: Any) -> Any:
    """A copy of a map with something else at one place."""
    if not path:
        return value
    copy = dict(raw) if isinstance(raw, dict) else list(raw)
    copy[path[0]] = changed(raw[path[0]] if len(path) > 1 else None, path[1:], value)
    return copy


def portal() -> dict[str, Any]:
    return {"bounds": points((1, 1), (2, 1)), "closed": True}


def full_universal_vtt() -> dict[str, Any]:
    return universal_vtt(
        line_of_sight=[points((0, 0), (1, 0))], portals=[portal(), portal(), portal()], image=PNG
    )


def full_foundry() -> dict[str, Any]:
    token = {
        "_id": "a" * 16,
        "name": "Orc",
        "x": 0,
        "y": 0,
        "flags": {"enfilade": {"profile": {"armor": "heavy"}}},
    }
    return foundry(walls=[{"c": [0, 0, 100, 0]}], tokens=[token])


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"{", b"<map/>", b"{'a': 1}", b"\x89PNG\r\n\x1a\n"])
def test_invalid_json_is_refused(data: bytes):
    assert "This is not JSON" in refused(data).sentence


def test_invalid_json_is_refused_with_line_and_column():
    assert "line 2, column 7" in refused(b'{"a": 1,\n "b": ,}').sentence


@pytest.mark.parametrize("raw", [[], 3, "map", None, True])
def test_a_top_level_that_is_no_object_is_refused(raw: Any):
    assert "A map is a JSON object" in refused(raw).sentence


def test_an_object_of_unknown_kind_is_refused_with_its_missing_fields():
    assert "no 'resolution'" in refused({"walls": []}).sentence


REFUSED: list[tuple[Any, Path, Any, str, str]] = [
    (full_universal_vtt(), ("resolution", "map_size", "x"), 501, "resolution.map_size.x", "1 to 500 cells"),
    (full_foundry(), ("grid", "size"), 0, "grid", "of at least 1"),
    (full_foundry(), ("grid", "size"), None, "grid", "The key 'size' is missing"),
    (full_foundry(), ("grid",), [], "grid", "Expected a number, found a list"),
    (full_foundry(), ("width",), 60_000, "width", "1 to 500 cells"),
]


@pytest.mark.parametrize(("raw", "path", "value", "place", "sentence"), REFUSED)
def test_a_map_is_refused_only_if_it_has_no_grid(raw: Any, path: Path, value: Any, place: str, sentence: str):
    error = refused(changed(raw, path, value))
    assert error.place == place
    assert error.sentence.startswith(place)
    assert sentence in error.sentence


LEFT_OUT: list[tuple[Any, Path, Any, int, str]] = [
    (
        full_universal_vtt(),
        ("portals", 0, "bounds"),
        points((1, 1)),
        3,
        "portals[0].bounds. Expected 2 entries",
    ),
    (full_universal_vtt(), ("portals", 1), {}, 3, "portals[1]. The key 'bounds' is missing"),
    (full_universal_vtt(), ("line_of_sight", 0, 1, "y"), True, 3, "[0][1].y. Expected a number, found true"),
    (full_universal_vtt(), ("line_of_sight", 0), None, 3, "line_of_sight[0]. Expected a list, found null"),
    (full_foundry(), ("walls", 0, "c"), [0, 0, 1], 0, "walls[0].c. Expected 4 entries, found 3"),
    (full_foundry(), ("walls", 0, "c", 1), None, 0, "walls[0].c[1]. Expected a number, found null"),
    (full_foundry(), ("walls", 0), 3, 0, "walls[0]. Expected an object, found an integer"),
]


@pytest.mark.parametrize(("raw", "path", "value", "walls", "remark"), LEFT_OUT)
def test_a_broken_piece_is_left_out_and_named(raw: Any, path: Path, value: Any, walls: int, remark: str):
    imported = read(changed(raw, path, value))
    assert len(imported.scene.walls) == walls
    assert [note for note in imported.notes if note.startswith("Left out: ") and remark in note]


IGNORED: list[tuple[Any, Path, Any, str]] = [
    (full_universal_vtt(), ("portals", 1, "closed"), "shut", "portals[1].closed. Expected true or false"),
    (full_universal_vtt(), ("line_of_sight",), {}, "line_of_sight. Expected a list, found an object"),
    (full_universal_vtt(), ("image",), 7, "image. Expected text"),
    (full_universal_vtt(), ("resolution", "map_size", "y"), 0, "map_size.y. Expected a number above 0"),
    (full_universal_vtt(), ("resolution", "map_size", "y"), -1e308, "map_size.y. Expected a number above 0"),
    (full_foundry(), ("walls", 0, "sight"), 25, "walls[0].sight. The value 25 is not allowed"),
    (full_foundry(), ("walls", 0, "door"), 3, "walls[0].door. The value 3 is not allowed"),
    (full_foundry(), ("walls", 0, "ds"), "open", "walls[0].ds. Expected an integer, found text"),
    (full_foundry(), ("tokens", 0, "width"), 0, "tokens[0].width. Expected a number above 0"),
    (full_foundry(), ("tokens", 0, "disposition"), 9, "tokens[0].disposition. The value 9"),
    (full_foundry(), ("tokens", 0, "name"), ["Orc"], "tokens[0].name. Expected text or null, found a list"),
    (full_foundry(), ("walls",), None, "walls. Expected a list, found null"),
    (full_foundry(), ("grid", "type"), 6, "grid.type. The value 6 is not allowed"),
    (full_foundry(), ("padding",), -1, "padding. Expected a number of at least 0"),
    (
        full_foundry(),
        ("tokens", 0, "flags", "enfilade", "profile"),
        {"k" * 65: 1},
        "the profile of Orc. Expected a key of at most 64 characters",
    ),
]


@pytest.mark.parametrize(("raw", "path", "value", "remark"), IGNORED)
def test_a_field_that_cannot_be_read_counts_as_missing_and_is_named(
    raw: Any, path: Path, value: Any, remark: str
):
    notes = read(changed(raw, path, value)).notes
    assert [note for note in notes if note.startswith("Read as if it were not there: ") and remark in note]


@pytest.mark.parametrize(
    ("raw", "path", "value", "place"),
    [
        (full_universal_vtt(), ("portals", 2, "bounds", 0, "x"), "1", "portals[2].bounds"),
        (full_universal_vtt(), ("portals", 2, "closed"), 1, "portals[2].closed"),
        (full_universal_vtt(), ("format",), "0.3", "format"),
        (full_universal_vtt(), ("resolution", "map_size"), {"x": "10", "y": "8.0"}, "resolution.map_size"),
        (full_foundry(), ("walls", 0, "c"), ["0", "0.0", 100, "0"], "walls[0].c"),
        (full_foundry(), ("walls", 0, "move"), "20", "walls[0].move"),
        (full_foundry(), ("walls", 0, "door"), 0.0, "walls[0].door"),
        (full_foundry(), ("tokens", 0, "hidden"), "false", "tokens[0].hidden"),
        (full_foundry(), ("grid", "size"), "100", "grid.size"),
        (full_foundry(), ("width",), "1000", "width"),
    ],
)
def test_numbers_and_truths_in_another_form_are_read_and_named(raw: Any, path: Path, value: Any, place: str):
    whole, imported = read(raw), read(changed(raw, path, value))
    assert imported.scene == whole.scene
    assert [note for note in imported.notes if note.endswith(f"such as a number as text: {place}.")]


@pytest.mark.parametrize(
    "path",
    [
        ("name",),
        ("padding",),
        ("background",),
        ("background", "offsetX"),
        ("regions",),
        ("levels",),
        ("grid", "units"),
        ("walls", 0, "move"),
        ("walls", 0, "sight"),
        ("walls", 0, "dir"),
        ("walls", 0, "door"),
        ("walls", 0, "flags"),
        ("walls", 0, "levels"),
        ("tokens", 0, "width"),
        ("tokens", 0, "rotation"),
        ("tokens", 0, "disposition"),
        ("tokens", 0, "hidden"),
        ("tokens", 0, "flags"),
    ],
)
def test_a_null_is_as_good_as_nothing(path: Path):
    """Each of these keys is missing from the map, or there with the value that a missing one counts as."""
    walls, tokens = [{"c": [300, 200, 300, 300]}], [{"_id": "a" * 16, "name": "Orc", "x": 300, "y": 200}]
    whole = foundry(walls=walls, tokens=tokens, name="", background={"offsetX": 0}, padding=0.25)
    whole["grid"]["units"] = ""
    nulled = read(changed(whole, path, None))
    assert nulled.scene == msgspec.structs.replace(read(whole).scene, name=nulled.scene.name)
    assert nulled.scene.walls
    assert nulled.scene.tokens[0].at == (0, 0)


def test_remarks_on_a_map_full_of_broken_walls_are_few_and_count_them():
    walls = [{"c": [0, 0, 9, "x"]} for i in range(5_000)]
    notes = read(foundry(walls=walls)).notes
    assert notes[0] == (
        "Left out: walls[0].c[3], walls[1].c[3], walls[2].c[3], walls[3].c[3], walls[4].c[3] and 4,995 more. "
        "Expected a number, found text."
    )
    many = [{"c": [0] * 4, "door": i} for i in range(5, 105)]
    assert "80 more values are read as if they were not there." in read(foundry(walls=many)).notes


def test_a_map_without_a_size_is_as_large_as_its_picture_or_its_walls():
    raw = universal_vtt(line_of_sight=[points((0, 0), (4.5, 3))])
    for size in (None, {"x": 0, "y": 8}, {"x": 10, "y": -8}):
        raw["resolution"]["map_size"] = size
        assert (read(raw).scene.grid.columns, read(raw).scene.grid.rows) == (10, 8)
    raw["image"] = ""
    assert (read(raw).scene.grid.columns, read(raw).scene.grid.rows) == (5, 3)
    assert "The file does not tell the size of the map. The board has all the walls." in read(raw).notes
    assert refused({**raw, "line_of_sight": []}).place == "resolution.map_size"
    scene = read(foundry(width=None, walls=[{"c": [150, 120, 460, 300]}], tokens=[{"x": 500, "y": 0}])).scene
    assert (scene.grid.columns, scene.grid.rows) == (5, 3)
    assert scene.walls[0].line == (32, 77, 230, 192)
    assert refused(foundry(height=0)).place == "width"


def test_a_wall_that_runs_out_of_reach_keeps_what_is_on_the_board():
    raw = foundry(
        walls=[{"c": [0, 100, 1e9, 100]}, {"c": [500, -1e300, 500, 1e300]}, {"c": [0, 1e9, 9, 1e9]}]
    )
    assert [wall.line for wall in read(raw).scene.walls] == [
        (0, 64, 32_000, 64),
        (320, -32_000, 320, 32_000),
    ]
    assert "1 wall or door left out: outside the board." in read(raw).notes


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_a_number_that_is_not_finite_counts_as_missing(number: str):
    data = json.dumps(full_universal_vtt()).replace('{"x": 0, "y": 0}', f'{{"x": {number}, "y": 0}}', 1)
    notes = read(data.encode()).notes
    assert "Read as if it were not there: resolution.map_origin.x. Expected a finite number." in notes


def test_a_huge_whole_number_counts_as_missing():
    notes = read(universal_vtt(lights=[{"range": 10**30}])).notes
    assert "Read as if it were not there: lights[0].range. This number is too large." in notes
    assert "too long" in refused(b'{"a": ' + b"9" * 5000 + b"}").sentence


def test_the_last_of_two_equal_keys_counts():
    data = json.dumps(full_universal_vtt()).replace('"closed": true', '"closed": true, "closed": false', 1)
    imported = read(data.encode())
    assert imported.scene.wall("d1").state == "open"
    assert "Read as if it were not there: portals[0]. The key 'closed' appears twice." in imported.notes


def test_half_a_character_becomes_a_question_mark():
    imported = read(json.dumps(foundry(name="In\ud800n")).encode())
    assert imported.scene.name == "In?n"
    assert "Read as if it were not there: name. A lone surrogate is not text." in imported.notes


@pytest.mark.parametrize("text", [b'"\\ud800"', b'{"\\udfff": 1}', b"NaN", b"9" * 30, b'{"b":1,"b":2}'])
def test_a_scene_of_ours_with_such_a_value_is_refused_where_it_stands(text: bytes):
    assert refused(b'{"ruleset": "torn", "version": 1, "a": [' + text + b"]}").place == "a[0]"


@pytest.mark.parametrize("depth", [limits.NESTING + 1, 900, 200_000])
@pytest.mark.parametrize(("left", "right"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_deep_nesting_is_refused(depth: int, left: bytes, right: bytes):
    assert "64 deep" in refused(left * depth + b"1" + right * depth).sentence


def test_nesting_up_to_the_limit_is_no_fault():
    deep = b"[" * (limits.NESTING - 1) + b"]" * (limits.NESTING - 1)
    data = json.dumps(universal_vtt(lights=[])).encode().replace(b'"lights": []', b'"lights": ' + deep)
    assert read(data).kind == "universal-vtt"


def test_a_file_that_is_too_large_is_refused_before_it_is_read():
    assert "64 MiB" in refused(b" " * (limits.FILE_BYTES + 1)).sentence


def test_a_file_of_too_many_values_is_refused_before_it_is_read():
    assert "1,000,000 values" in refused(b"[" + b"0," * limits.VALUES + b"0]").sentence


def test_too_many_walls_are_refused():
    assert "10,000 walls" in refused(universal_vtt(line_of_sight=[points((0, 0), (1, 0))] * 10_001)).sentence
    assert "at most 10000 entries" in refused(foundry(walls=[{"c": [0, 0, 9, 0]}] * 10_001)).sentence
    assert "10,000 walls" in refused(universal_vtt(line_of_sight=[points(*[(0, 0)] * 20_001)])).sentence
    assert refused(foundry(tokens=[{"x": 0, "y": 0}] * 501)).place == "tokens"


def test_walls_that_doors_would_cut_into_too_many_are_refused():
    doors = [{"bounds": points((x / 64, 1), ((x + 1) / 64, 1))} for x in range(0, 510, 2)]
    walls = [points((0, 1), (10, 1))] * 200
    assert "10,000 walls" in refused(universal_vtt(line_of_sight=walls, portals=doors)).sentence


def test_the_second_token_with_an_id_gets_another():
    token = {"_id": "a" * 16, "x": 0, "y": 0, "name": "Orc"}
    imported = read(foundry(tokens=[token, token]))
    assert [token.id for token in imported.scene.tokens] == ["a" * 16, "t2"]
    assert "Read as if it were not there: Orc. Another token has the same ID." in imported.notes


def test_names_lose_control_characters_and_their_excess():
    token = {"x": 0, "y": 0, "name": "Or\x00c\n\u202e" + "c" * 300}
    scene = read(foundry(tokens=[token], name="\x1b[31mRed")).scene
    assert scene.tokens[0].name == "Orc" + "c" * 197
    assert scene.name == "[31mRed"


@pytest.mark.parametrize(
    ("file_name", "title"),
    [
        ("../../etc/passwd.uvtt", "passwd"),
        ("C:\\maps\\The Inn.dd2vtt", "The Inn"),
        ("a\x07b.uvtt", "ab"),
        ("", ""),
    ],
)
def test_a_title_from_a_file_name_has_no_folders_and_no_ending(file_name: str, title: str):
    found = read_map(json.dumps(universal_vtt()).encode(), file_name, ruleset="coup_de_grace")
    assert isinstance(found, Imported)
    assert found.scene.name == title


def test_a_scene_of_ours_comes_back_undecoded():
    raw = {
        "version": 1,
        "ruleset": "torn",
        "grid": {"kind": "square", "columns": 3, "rows": 3},
        "more": [None],
    }
    assert read_map(json.dumps(raw).encode(), "a.json", ruleset="coup_de_grace") == SceneFile(raw)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_byte_order_mark_and_utf_16_are_read_and_said(encoding: str):
    imported = read(json.dumps(foundry(name="Müllers Hof"), ensure_ascii=False).encode(encoding))
    assert imported.scene.name == "Müllers Hof"
    name = "UTF-8 with a byte order mark" if encoding == "utf-8-sig" else "UTF-16"
    assert imported.notes[0] == f"The file is {name}, not plain UTF-8."


def test_unknown_keys_are_passed_over():
    assert (
        read(universal_vtt(software="someone's", environment={"baked_lighting": False})).kind
        == "universal-vtt"
    )
    assert read(foundry(weather="rain")).kind == "foundry"


def is_taken_or_refused(data: bytes) -> bool:
    """Read a file: the result is a scene that our contract accepts, or BadFile."""
    try:
        found = read_map(data, "map.uvtt", ruleset="coup_de_grace")
    except BadFile as error:
        error.sentence.encode()
        return False
    if isinstance(found, Imported):
        assert load_scene(msgspec.json.decode(msgspec.json.encode(found.scene))) == found.scene
    return True


@given(st.binary(max_size=300))
def test_any_bytes_are_taken_or_refused(data: bytes):
    is_taken_or_refused(data)


numbers = st.one_of(
    st.integers(-3, 50), st.integers(), st.floats(), st.sampled_from([5e-324, 1.7e308, 2**53, 1e7, -1e7, 0.1])
)
anything = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def places(raw: Any, path: Path = ()) -> list[Path]:
    entries = raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
    return [path] + [deeper for key, value in entries for deeper in places(value, (*path, key))]


@pytest.mark.parametrize("raw", [full_universal_vtt(), full_foundry()], ids=["universal-vtt", "foundry"])
@given(data=st.data())
def test_a_map_with_anything_anywhere_is_taken_or_refused(raw: Any, data: st.DataObject):
    for _ in range(data.draw(st.integers(1, 3))):
        raw = changed(raw, data.draw(st.sampled_from(places(raw))), data.draw(anything))
        if not isinstance(raw, dict):
            break
    is_taken_or_refused(json.dumps(raw).encode())


@given(kind=st.integers(0, 5), data=st.data())
def test_a_foundry_scene_with_any_numbers_is_taken_or_refused(kind: int, data: st.DataObject):
    raw = {**full_foundry(), "grid": {"type": kind, "size": 100, "distance": 5}}
    raw["dimensions"] = {"sceneX": 0, "sceneY": 0, "sceneWidth": 1000, "sceneHeight": 600}
    raw["tokens"][0].update(width=1, height=1, rotation=0, elevation=0)
    number_places = [
        path for path in places(raw) if isinstance(_at(raw, path), (int, float)) and path != ("grid", "type")
    ]
    for path in data.draw(st.lists(st.sampled_from(number_places), max_size=3)):
        raw = changed(raw, path, data.draw(numbers))
    is_taken_or_refused(json.dumps(raw).encode())


def _at(raw: Any, path: Path) -> Any:
    for step in path:
        raw = raw[step]
    return raw


def test_the_full_maps_of_these_tests_are_taken():
    assert is_taken_or_refused(json.dumps(full_universal_vtt()).encode())
    assert is_taken_or_refused(json.dumps(full_foundry()).encode())
    assert base64.b64decode(PNG).startswith(b"\x89PNG")


def values_in(raw: Any) -> int:
    """Return the number of values in JSON, itself included."""
    entries = raw.values() if isinstance(raw, dict) else raw if isinstance(raw, list) else ()
    return 1 + sum(map(values_in, entries))


@pytest.mark.parametrize(
    ("raw", "things"),
    [
        (foundry(notes=[1] * 1_000), 0),
        (foundry(walls=[{"c": [0, 0, 130, 130]}] * 500), 500),
        (foundry(tokens=[{"x": 0, "y": 0}] * 500), 500),
        (universal_vtt(line_of_sight=[points((0, 0), (1, 1)) * 500]), 2 * 999),
    ],
    ids=["values", "walls", "tokens", "lines"],
)
def test_reading_a_large_map_lets_others_have_their_turn_and_ends_with_its_time(raw: Any, things: int):
    rests: list[int] = []
    ticks = count()
    with time_limited(TimeBudget(10**9, lambda: rests.append(1), clock=lambda: next(ticks))):
        read(raw)
    assert len(rests) == values_in(raw) + things
    with (
        pytest.raises(TooSlow),
        time_limited(TimeBudget(len(rests), lambda: None, clock=lambda: next(ticks))),
    ):
        read(raw)
