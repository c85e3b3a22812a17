"""The maps that come with the package, and one seen through the game's own eyes."""

from __future__ import annotations

import struct
import zlib
from importlib.resources import files

import msgspec
import pytest

from enfilade.geometry.board.base import Cell
from enfilade.geometry.board.square import center
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.line_of_sight import first_obstruction
from enfilade.importers import Imported, read_map
from enfilade.messages.load import load_scene
from enfilade.scene.model import Scene

MAPS = {"tavern-and-yard": (20, 14), "ruined-watch": (12, 10), "suite-of-rooms": (14, 10)}


def packaged(name: str) -> Imported:
    found = read_map(
        (files("enfilade") / "maps" / f"{name}.uvtt").read_bytes(), name, ruleset="coup_de_grace"
    )
    assert isinstance(found, Imported)
    return found


def sees(scene: Scene, a: Cell, b: Cell) -> bool:
    walls = [wall.line for wall in scene.walls if wall.sight != "none" and not wall.is_open]
    return first_obstruction(center(a), center(b), Blockers(walls)) is None


def pixels_of(png: bytes) -> tuple[int, int]:
    """A picture's size, after every part of it has passed its checksum."""
    at, parts = 8, []
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        parts.append((kind, body))
        at += 12 + length
    assert zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    width, height = struct.unpack(">II", parts[0][1][:8])
    return width, height


def test_every_map_in_the_package_is_tested_here():
    found = {file.name for file in (files("enfilade") / "maps").iterdir()}
    assert found == {f"{name}.uvtt" for name in MAPS}


@pytest.mark.parametrize(("name", "size"), MAPS.items())
def test_a_shipped_map_is_read_whole_with_nothing_moved_or_dropped(name: str, size: tuple[int, int]):
    imported = packaged(name)
    scene = imported.scene
    assert (scene.grid.columns, scene.grid.rows) == size
    assert {wall.door for wall in scene.walls} == {"none", "door"}
    assert not [note for note in imported.notes if "moved" in note or "left out" in note]


@pytest.mark.parametrize(("name", "size"), MAPS.items())
def test_a_shipped_maps_picture_covers_its_board(name: str, size: tuple[int, int]):
    imported = packaged(name)
    assert imported.image_type == "image/png"
    assert imported.image is not None
    assert pixels_of(imported.image) == (size[0] * 32, size[1] * 32)


@pytest.mark.parametrize("name", MAPS)
def test_a_shipped_map_is_a_scene_by_our_own_contract(name: str):
    scene = packaged(name).scene
    assert load_scene(msgspec.json.decode(msgspec.json.encode(scene))) == scene


def test_in_the_tavern_a_pillar_hides_and_an_open_door_does_not():
    scene = packaged("tavern-and-yard").scene
    assert not sees(scene, (8, 4), (12, 4))
    assert sees(scene, (8, 3), (12, 3))
    assert sees(scene, (9, 7), (9, 11))
    assert not sees(scene, (6, 6), (8, 6))
    assert sees(scene, (0, 6), (6, 6))


def test_in_the_suite_an_open_door_lets_fire_down_the_line_and_a_closed_one_ends_it():
    scene = packaged("suite-of-rooms").scene
    assert sees(scene, (1, 4), (8, 4))
    assert not sees(scene, (1, 4), (9, 4))
