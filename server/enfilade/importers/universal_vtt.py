"""Universal VTT maps (.uvtt, .dd2vtt, .df2vtt): walls, doors and the picture, on a square grid.

All lengths in such a file are in grid squares, seen from the corner of the whole drawing; the map begins
at `resolution.map_origin`. Lights and weather are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from enfilade.errors import BadFile
from enfilade.importers import limits
from enfilade.importers.doorways import cut
from enfilade.importers.imported import Imported, Objects, how_many
from enfilade.importers.pictures import picture
from enfilade.importers.untrusted import shaped
from enfilade.importers.walls import Drawn, Spot, exactly, line, side_in_cells, sifted
from enfilade.scene.model import Grid, Scene, Wall

FORMATS = (0.2, 0.3, 1.0)


class Position(msgspec.Struct, frozen=True):
    """A point, or a width and height, in grid squares."""

    x: float
    y: float


class Resolution(msgspec.Struct, frozen=True):
    """Where the map lies on the whole drawing, and how large it is."""

    map_origin: Position
    map_size: Position


class Portal(msgspec.Struct, frozen=True):
    """A door between two points; a free-standing one has no wall to its sides."""

    bounds: tuple[Position, Position]
    closed: bool = True
    freestanding: bool = False


Polylines = list[list[Position]]


class UniversalVtt(msgspec.Struct, frozen=True):
    """What we read of a file; other keys are passed over."""

    format: float
    resolution: Resolution
    line_of_sight: Polylines
    objects_line_of_sight: Polylines = []
    portals: Annotated[list[Portal], Meta(max_length=limits.WALLS)] = []
    lights: list[Any] = []
    image: str = ""


def read_universal_vtt(raw: dict[str, Any], title: str, ruleset: str, objects: Objects) -> Imported:
    """The scene and picture of a Universal VTT map; raises BadFile."""
    file = shaped(raw, UniversalVtt)
    if file.format not in FORMATS:
        raise BadFile(f"format {file.format:g} is not known; 0.2, 0.3 and 1.0 are", "format")
    grid = _grid(file.resolution.map_size)
    walls, notes = sifted(_drawn(file, objects), grid)
    image, image_type = picture(file.image, "image")
    return Imported(
        kind="universal-vtt",
        scene=Scene(ruleset=ruleset, grid=grid, name=title, walls=walls),
        image=image,
        image_type=image_type,
        notes=(*_notes_on(file, objects), *notes),
    )


def _grid(size: Position) -> Grid:
    columns = side_in_cells(exactly(size.x), "resolution.map_size.x")
    rows = side_in_cells(exactly(size.y), "resolution.map_size.y")
    return Grid(kind="square", columns=columns, rows=rows)


def _drawn(file: UniversalVtt, objects: Objects) -> list[Drawn]:
    origin = file.resolution.map_origin
    doors = list(_doors(file.portals, origin))
    walls = list(_walls(file.line_of_sight, origin, Wall(id="", line=_NOWHERE), "line_of_sight"))
    if objects != "ignore":
        like = Wall(id="", line=_NOWHERE, move="normal" if objects == "solid" else "none")
        walls.extend(_walls(file.objects_line_of_sight, origin, like, "objects_line_of_sight"))
    return [*cut(walls, doors), *doors]


_NOWHERE = (0, 0, 0, 0)


def _walls(polylines: Polylines, origin: Position, like: Wall, place: str) -> Iterator[Drawn]:
    """Each piece of each polyline as a wall of its own, like the one given."""
    if sum(map(len, polylines)) > 2 * limits.WALLS:
        raise BadFile(f"the map has more than {limits.WALLS:,} walls", place)
    for number, polyline in enumerate(polylines):
        spots = (_spot(position, origin) for position in polyline)
        for index, (start, end) in enumerate(pairwise(spots)):
            at, moved = line(start, end, f"{place}[{number}][{index}]")
            yield Drawn(msgspec.structs.replace(like, line=at), moved)


def _doors(portals: list[Portal], origin: Position) -> Iterator[Drawn]:
    for index, portal in enumerate(portals):
        a, b = portal.bounds
        at, moved = line(_spot(a, origin), _spot(b, origin), f"portals[{index}].bounds")
        yield Drawn(Wall(id="", line=at, door="door", state="closed" if portal.closed else "open"), moved)


def _spot(position: Position, origin: Position) -> Spot:
    return exactly(position.x) - exactly(origin.x), exactly(position.y) - exactly(origin.y)


def _notes_on(file: UniversalVtt, objects: Objects) -> Iterator[str]:
    size = file.resolution.map_size
    if Fraction(size.x) % 1 or Fraction(size.y) % 1:
        yield "The map ends inside a square; the board was made larger to hold it whole."
    if file.objects_line_of_sight:
        outlines = how_many(len(file.objects_line_of_sight), "outline of an object", "outlines of objects")
        yield f"{outlines}: {_OBJECTS[objects]}."
    loose = sum(portal.freestanding for portal in file.portals)
    if loose:
        yield f"{how_many(loose, 'free-standing door')} brought over like any other."
    if file.lights:
        yield f"{how_many(len(file.lights), 'light')} left out."


_OBJECTS: dict[Objects, str] = {
    "ignore": "left out",
    "sight": "sight ends there, but movement does not",
    "solid": "sight and movement end there",
}
