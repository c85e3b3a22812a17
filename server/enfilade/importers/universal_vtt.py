"""Universal VTT maps (.uvtt, .dd2vtt, .df2vtt): walls, doors and the picture, on a square grid.

Lengths are in grid squares from the corner of the whole drawing; the map begins at `resolution.map_origin`.
The importer leaves out lights and weather. Programs write some keys as null, or leave them out, and wrap the
picture's text: the importer reads such files and says so in a note.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.doorways import cut_doorways
from enfilade.importers.imported import Imported, Objects
from enfilade.importers.pictures import area_of, media_type_of, picture_size
from enfilade.importers.untrusted import convert
from enfilade.importers.walls import DrawnWall, Spot, exact, filter_walls, line, side_in_cells
from enfilade.scene.model import Grid, Scene, Wall

FORMATS = (0.2, 0.3, 1.0)


class Position(msgspec.Struct, frozen=True):
    """A point, or a width and height, in grid squares."""

    x: float
    y: float


class Resolution(msgspec.Struct, frozen=True):
    """The position and size of the map on the whole drawing."""

    map_size: Position
    map_origin: Position = Position(0, 0)


class Portal(msgspec.Struct, frozen=True):
    """A door between two points; a freestanding one has no walls beside it."""

    bounds: tuple[Position, Position]
    closed: bool = True
    freestanding: bool = False


Polylines = list[list[Position]]


class UniversalVtt(msgspec.Struct, frozen=True):
    """The keys of a file that the importer reads."""

    resolution: Resolution
    format: float = FORMATS[-1]
    line_of_sight: Polylines = []
    objects_line_of_sight: Polylines = []
    portals: Annotated[list[Portal], Meta(max_length=limits.WALLS)] = []
    lights: list[Any] = []
    image: str = ""


def read_universal_vtt(raw: dict[str, Any], title: str, ruleset: str, objects: Objects) -> Imported:
    """Return the scene and picture of a Universal VTT map. Raises BadFile."""
    clean, gaps = _without_nulls(raw)
    file = convert(clean, UniversalVtt)
    if file.format not in FORMATS:
        raise BadFile(localize("import.uvtt_format", format=file.format), "format")
    grid = _grid(file.resolution.map_size)
    walls, notes = filter_walls(_draw_walls(file, objects), grid)
    image, area, picture_notes = _picture(file, grid)
    return Imported(
        kind="universal-vtt",
        scene=Scene(ruleset=ruleset, grid=grid, name=title, walls=walls),
        image=image,
        image_type=media_type_of(image or b""),
        image_area=area,
        notes=(*gaps, *picture_notes, *_notes_on(file, objects), *notes),
    )


def _without_nulls(raw: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the file without keys that are null, and notes on them and on a missing origin."""
    notes = []
    empty = [key for key in UniversalVtt.__struct_fields__ if key in raw and raw[key] is None]
    clean = {key: value for key, value in raw.items() if value is not None}
    if empty:
        notes.append(localize("import.uvtt_nulls", keys=", ".join(empty)))
    if isinstance(clean.get("portals"), list):
        clean["portals"] = [_filled(portal) for portal in clean["portals"] if portal is not None]
    if isinstance(clean.get("resolution"), dict):
        clean["resolution"] = _filled(clean["resolution"])
        if "map_origin" not in clean["resolution"]:
            notes.append(localize("import.uvtt_no_origin"))
    return clean, notes


def _filled(value: Any) -> Any:
    """Return an object without its keys that are null."""
    return {k: v for k, v in value.items() if v is not None} if isinstance(value, dict) else value


def _picture(file: UniversalVtt, grid: Grid) -> tuple[bytes | None, str, list[str]]:
    """Return the file's picture, the part under the board, and notes: without a picture why there is none."""
    text = "".join(file.image.rpartition(",")[2].split())
    if not text:
        return None, "", [localize("import.uvtt_no_picture")]
    try:
        data = base64.b64decode(text, validate=True)
        width, height = picture_size(data)
    except (binascii.Error, ValueError):
        return None, "", [localize("import.uvtt_picture_out", why=localize("import.picture_not_base64"))]
    except BadFile as problem:
        return None, "", [localize("import.uvtt_picture_out", why=problem.sentence)]
    size = file.resolution.map_size
    is_partial = bool(Fraction(size.x) % 1 or Fraction(size.y) % 1)
    area = area_of(0, 0, width * grid.columns / size.x, height * grid.rows / size.y) if is_partial else ""
    return data, area, []


def _grid(size: Position) -> Grid:
    columns = side_in_cells(exact(size.x), "resolution.map_size.x")
    rows = side_in_cells(exact(size.y), "resolution.map_size.y")
    return Grid(kind="square", columns=columns, rows=rows)


def _draw_walls(file: UniversalVtt, objects: Objects) -> list[DrawnWall]:
    origin = file.resolution.map_origin
    doors = list(_doors(file.portals, origin))
    walls = list(_walls(file.line_of_sight, origin, Wall(id="", line=_NOWHERE), "line_of_sight"))
    if objects != "ignore":
        like = Wall(id="", line=_NOWHERE, move="normal" if objects == "solid" else "none")
        walls.extend(_walls(file.objects_line_of_sight, origin, like, "objects_line_of_sight"))
    return [*cut_doorways(walls, doors), *doors]


_NOWHERE = (0, 0, 0, 0)


def _walls(polylines: Polylines, origin: Position, like: Wall, place: str) -> Iterator[DrawnWall]:
    """Yield each segment of each polyline as a wall like the given one."""
    if sum(map(len, polylines)) > 2 * limits.WALLS:
        raise BadFile(localize("import.too_many_walls", limit=limits.WALLS), place)
    for number, polyline in enumerate(polylines):
        spots = (_spot(position, origin) for position in polyline)
        for index, (start, end) in enumerate(pairwise(spots)):
            at, moved = line(start, end, f"{place}[{number}][{index}]")
            yield DrawnWall(msgspec.structs.replace(like, line=at), moved)


def _doors(portals: list[Portal], origin: Position) -> Iterator[DrawnWall]:
    for index, portal in enumerate(portals):
        a, b = portal.bounds
        at, moved = line(_spot(a, origin), _spot(b, origin), f"portals[{index}].bounds")
        yield DrawnWall(Wall(id="", line=at, door="door", state="closed" if portal.closed else "open"), moved)


def _spot(position: Position, origin: Position) -> Spot:
    return exact(position.x) - exact(origin.x), exact(position.y) - exact(origin.y)


def _notes_on(file: UniversalVtt, objects: Objects) -> Iterator[str]:
    size = file.resolution.map_size
    if Fraction(size.x) % 1 or Fraction(size.y) % 1:
        yield localize("import.uvtt_partial_square")
    if file.objects_line_of_sight:
        yield localize(_OBJECTS[objects], count=len(file.objects_line_of_sight))
    loose = sum(portal.freestanding for portal in file.portals)
    if loose:
        yield localize("import.uvtt_freestanding", count=loose)
    if file.lights:
        yield localize("import.uvtt_lights", count=len(file.lights))


_OBJECTS: dict[Objects, str] = {
    "ignore": "import.uvtt_objects_ignore",
    "sight": "import.uvtt_objects_sight",
    "solid": "import.uvtt_objects_solid",
}
