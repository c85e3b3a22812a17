"""Universal VTT maps (.uvtt, .dd2vtt, .df2vtt): walls, doors and the picture, on a square grid.

Lengths are in grid squares from the corner of the whole drawing; the map begins at `resolution.map_origin`.
The importer leaves out lights and weather. Programs write keys as null or leave them out, write numbers as
text, and wrap the picture's text: the importer reads such files and says so in a note.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.doorways import count_closed, cut_doorways
from enfilade.importers.imported import Imported, Objects, clean_text
from enfilade.importers.pictures import area_of, media_type_of, picture_size
from enfilade.importers.pieces import Remarks, expected, number_in, read_piece, read_pieces
from enfilade.importers.walls import NOWHERE, DrawnWall, Spot, draw, exact, filter_walls, side_in_cells
from enfilade.scene.model import Grid, Scene, Wall

FORMATS = (0.2, 0.3, 1.0)
HAIR = 1 / 128
"""The part of a cell by which a map's size may differ from whole cells: half the unit of length."""
MAX_POINTS = 2 * limits.WALLS
"""Largest number of points of one kind of outline."""


class Position(msgspec.Struct, frozen=True):
    """A point, or a width and height, in grid squares."""

    x: float
    y: float


class Size(msgspec.Struct, frozen=True):
    """A width and height, in grid squares."""

    x: Annotated[float, Meta(gt=0)]
    y: Annotated[float, Meta(gt=0)]


class Resolution(msgspec.Struct, frozen=True):
    """The position and size of the map on the whole drawing, and the width of a square on the picture."""

    map_size: Size | None = None
    map_origin: Position = Position(0, 0)
    pixels_per_grid: float = 0


class Portal(msgspec.Struct, frozen=True):
    """A door between two points; a freestanding one has no walls beside it."""

    bounds: tuple[Position, Position]
    closed: bool = True
    freestanding: bool = False


Polylines = list[list[Position]]


class UniversalVtt(msgspec.Struct, frozen=True):
    """The parts of a file that the importer reads; `size` is that of the map in grid squares."""

    size: Position
    origin: Position
    line_of_sight: Polylines
    objects_line_of_sight: Polylines
    portals: list[Portal]
    lights: int
    image: str


def read_universal_vtt(
    raw: dict[str, Any], title: str, ruleset: str, objects: Objects, remarks: Remarks
) -> Imported:
    """Return the scene and picture of a Universal VTT map. Raises BadFile if it has no size."""
    gaps = _notes_on_gaps(raw)
    file = _read_file({key: value for key, value in raw.items() if value is not None}, remarks)
    grid = _grid(file.size)
    drawn, closed = _draw_walls(file, objects)
    walls, notes = filter_walls(drawn, grid)
    if closed:
        notes.append(localize("import.uvtt_doors_closed", count=closed))
    image, area, picture_notes = _picture(file, grid)
    return Imported(
        kind="universal-vtt",
        scene=Scene(ruleset=ruleset, grid=grid, name=title, walls=walls),
        image=image,
        image_type=media_type_of(image or b""),
        image_area=area,
        notes=(*remarks.sentences(), *gaps, *picture_notes, *_notes_on(file, objects), *notes),
    )


_LISTS = ("line_of_sight", "objects_line_of_sight", "portals", "lights")


def _notes_on_gaps(raw: dict[str, Any]) -> list[str]:
    """Return notes on keys that are null and on a missing origin."""
    notes = []
    empty = [key for key in ("format", *_LISTS, "image") if key in raw and raw[key] is None]
    if empty:
        notes.append(localize("import.uvtt_nulls", keys=", ".join(empty)))
    resolution = raw.get("resolution")
    if isinstance(resolution, dict) and resolution.get("map_origin") is None:
        notes.append(localize("import.uvtt_no_origin"))
    return notes


def _read_file(raw: dict[str, Any], remarks: Remarks) -> UniversalVtt:
    _check_format(raw.get("format", FORMATS[-1]), remarks)
    lines, objects = (_polylines(raw.get(key, []), key, remarks) for key in _LISTS[:2])
    portals = read_pieces(raw.get("portals", []), Portal, "portals", remarks, limits.WALLS)
    lights, image = raw.get("lights", []), raw.get("image", "")
    if not isinstance(image, str):
        remarks.ignore("image", expected("str", image))
    resolution = _resolution(raw.get("resolution"), remarks)
    picture = image if isinstance(image, str) else ""
    size = resolution.map_size or _size_of(picture, resolution, [*lines, *objects], remarks)
    size = Position(_without_hair(size.x), _without_hair(size.y))
    return UniversalVtt(
        size=size,
        origin=resolution.map_origin,
        line_of_sight=lines,
        objects_line_of_sight=objects,
        portals=portals,
        lights=len(lights) if isinstance(lights, list) else 0,
        image=picture,
    )


def _check_format(version: Any, remarks: Remarks) -> None:
    number = number_in(version) if isinstance(version, str) else version
    if isinstance(version, str):
        remarks.convert("format")
    if number not in FORMATS:
        remarks.note(localize("import.uvtt_format", format=clean_text(str(version), 40)))


def _resolution(raw: Any, remarks: Remarks) -> Resolution:
    return read_piece({} if raw is None else raw, Resolution, "resolution", remarks) or Resolution()


def _size_of(image: str, resolution: Resolution, lines: Polylines, remarks: Remarks) -> Position:
    """Return the size of a map whose file does not tell it, by its picture or else by its walls."""
    data, cell, origin = _decode(image), resolution.pixels_per_grid, resolution.map_origin
    with suppress(BadFile):
        width, height = picture_size(data)
        if cell >= 1:
            remarks.note(localize("import.uvtt_size_of_picture"))
            return Position(width / cell, height / cell)
    points = [point for polyline in lines for point in polyline]
    right, bottom = (max((getattr(point, way) for point in points), default=0.0) for way in ("x", "y"))
    if right <= origin.x or bottom <= origin.y:
        raise BadFile(localize("import.uvtt_no_size"), "resolution.map_size")
    remarks.note(localize("import.uvtt_size_of_walls"))
    return Position(ceil(right - origin.x), ceil(bottom - origin.y))


def _without_hair(cells: float) -> float:
    """Return a length as whole cells if it is nearly that: programs divide pixels by pixels."""
    return round(cells) if abs(cells) < limits.CELLS_A_SIDE and abs(cells - round(cells)) < HAIR else cells


def _polylines(raw: Any, place: str, remarks: Remarks) -> Polylines:
    """Return the outlines that can be read; a broken point is left out of its outline."""
    if not isinstance(raw, list):
        remarks.ignore(place, expected("array", raw))
        return []
    if sum(len(polyline) for polyline in raw if isinstance(polyline, list)) > MAX_POINTS:
        raise BadFile(localize("import.too_many_walls", limit=limits.WALLS), place)
    found = []
    for number, polyline in enumerate(raw):
        if isinstance(polyline, list):
            found.append(read_pieces(polyline, Position, f"{place}[{number}]", remarks, MAX_POINTS))
        else:
            remarks.leave_out(f"{place}[{number}]", expected("array", polyline))
    return found


def _picture(file: UniversalVtt, grid: Grid) -> tuple[bytes | None, str, list[str]]:
    """Return the file's picture, the part under the board, and notes: without a picture why there is none."""
    if not file.image.strip():
        return None, "", [localize("import.uvtt_no_picture")]
    data = _decode(file.image)
    if not data:
        return None, "", [localize("import.uvtt_picture_out", why=localize("import.picture_not_base64"))]
    try:
        width, height = picture_size(data)
    except BadFile as problem:
        return None, "", [localize("import.uvtt_picture_out", why=problem.sentence)]
    size = file.size
    is_partial = bool(Fraction(size.x) % 1 or Fraction(size.y) % 1)
    area = area_of(0, 0, width * grid.columns / size.x, height * grid.rows / size.y) if is_partial else ""
    return data, area, []


def _decode(image: str) -> bytes:
    """Return the bytes of a picture in base64, with or without the head of a data address; b"" if broken."""
    try:
        return base64.b64decode("".join(image.rpartition(",")[2].split()), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _grid(size: Position) -> Grid:
    columns = side_in_cells(exact(size.x), "resolution.map_size.x")
    rows = side_in_cells(exact(size.y), "resolution.map_size.y")
    return Grid(kind="square", columns=columns, rows=rows)


def _draw_walls(file: UniversalVtt, objects: Objects) -> tuple[list[DrawnWall], int]:
    """Return the walls and doors, and the number of doors that open nothing."""
    origin = file.origin
    doors = list(_doors(file.portals, origin))
    walls = list(_walls(file.line_of_sight, origin, Wall(id="", line=NOWHERE)))
    if objects != "ignore":
        like = Wall(id="", line=NOWHERE, move="normal" if objects == "solid" else "none")
        walls.extend(_walls(file.objects_line_of_sight, origin, like))
    walls = cut_doorways(walls, doors)
    return [*walls, *doors], count_closed(walls, doors)


def _walls(polylines: Polylines, origin: Position, like: Wall) -> Iterator[DrawnWall]:
    """Yield each segment of each polyline as a wall like the given one."""
    for polyline in polylines:
        spots = (_spot(position, origin) for position in polyline)
        for start, end in pairwise(spots):
            yield draw(like, start, end)


def _doors(portals: list[Portal], origin: Position) -> Iterator[DrawnWall]:
    for portal in portals:
        a, b = portal.bounds
        door = Wall(id="", line=NOWHERE, door="door", state="closed" if portal.closed else "open")
        yield draw(door, _spot(a, origin), _spot(b, origin))


def _spot(position: Position, origin: Position) -> Spot:
    return exact(position.x) - exact(origin.x), exact(position.y) - exact(origin.y)


def _notes_on(file: UniversalVtt, objects: Objects) -> Iterator[str]:
    size = file.size
    if Fraction(size.x) % 1 or Fraction(size.y) % 1:
        yield localize("import.uvtt_partial_square")
    if file.objects_line_of_sight:
        yield localize(_OBJECTS[objects], count=len(file.objects_line_of_sight))
    loose = sum(portal.freestanding for portal in file.portals)
    if loose:
        yield localize("import.uvtt_freestanding", count=loose)
    if file.lights:
        yield localize("import.uvtt_lights", count=file.lights)


_OBJECTS: dict[Objects, str] = {
    "ignore": "import.uvtt_objects_ignore",
    "sight": "import.uvtt_objects_sight",
    "solid": "import.uvtt_objects_solid",
}
