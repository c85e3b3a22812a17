"""Shapes of Foundry's scene data in versions 12, 13 and 14; other keys are ignored.

The numbers in the Literals are Foundry's constants.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from enfilade.importers import limits

MAX_PIXELS = 10_000_000
Pixel = Annotated[float, Meta(ge=-MAX_PIXELS, le=MAX_PIXELS)]
Length = Annotated[float, Meta(gt=0, le=MAX_PIXELS)]
Things = list[Any]
Names = Annotated[list[str], Meta(max_length=1_000)]


class FoundryObject(msgspec.Struct, frozen=True, rename="camel"):
    """The base of Foundry's shapes, whose keys are in camelCase."""


class GridData(FoundryObject, frozen=True):
    """The grid: 0 gridless, 1 square, 2 to 5 hexes (odd rows, even rows, odd columns, even columns)."""

    type: Literal[0, 1, 2, 3, 4, 5]
    size: Annotated[float, Meta(ge=1, le=10_000)]
    distance: Annotated[float, Meta(gt=0, le=10_000)] = 1
    units: str = ""


class Background(FoundryObject, frozen=True):
    """The picture's path, and its offset from the grid in pixels (12 and 13)."""

    offset_x: float = 0
    offset_y: float = 0


class Dimensions(FoundryObject, frozen=True):
    """The position of the map on the padded canvas, in pixels; only a live scene has it."""

    scene_x: Pixel
    scene_y: Pixel
    scene_width: Length
    scene_height: Length


class WallData(FoundryObject, frozen=True):
    """A wall from (c[0], c[1]) to (c[2], c[3]) in pixels of the padded canvas; 14 adds levels."""

    c: tuple[Pixel, Pixel, Pixel, Pixel]
    id: str | None = msgspec.field(name="_id", default="")
    move: Literal[0, 20] = 20
    sight: Literal[0, 10, 20, 30, 40] = 20
    dir: Literal[0, 1, 2] = 0
    door: Literal[0, 1, 2] = 0
    ds: Literal[0, 1, 2] = 0
    levels: Names = []
    flags: dict[str, Any] | None = None


class Passed(FoundryObject, frozen=True):
    """A place that a token passed on its way: its top left corner in pixels."""

    x: Pixel
    y: Pixel


class TokenData(FoundryObject, frozen=True):
    """A token: its top left corner in pixels, its size in cells, its height in the grid's distance units.

    `path` has the places that a live token passed since its last position, `image` the address of its picture
    at the table, which the module has uploaded, `hitPoints` those that its actor has left.
    """

    x: Pixel
    y: Pixel
    id: str | None = msgspec.field(name="_id", default="")
    name: str | None = ""
    width: Annotated[float, Meta(gt=0, le=limits.CELLS_A_SIDE)] = 1
    height: Annotated[float, Meta(gt=0, le=limits.CELLS_A_SIDE)] = 1
    rotation: float = 0
    elevation: float = 0
    hidden: bool = False
    disposition: Literal[-2, -1, 0, 1] = 0
    level: str | None = None
    flags: dict[str, Any] | None = None
    image: str = ""
    hit_points: Annotated[int, Meta(ge=0, le=limits.HIT_POINTS)] | None = None
    path: Annotated[tuple[Passed, ...], Meta(max_length=limits.WAYPOINTS)] = ()


class BehaviourData(FoundryObject, frozen=True):
    """A behavior of a region; `system` has the shape of its type."""

    type: str
    disabled: bool = False
    system: dict[str, Any] = {}


class RegionData(FoundryObject, frozen=True):
    """A region of the canvas. Only a live scene has its outlines, as [x, y, x, y, ...] in pixels.

    `visibility` names Foundry's layers that show it; `hidden` belongs to 14.
    """

    id: str | None = msgspec.field(name="_id", default="")
    name: str | None = ""
    visibility: int | None = None
    hidden: bool | None = False
    polygons: list[list[Pixel]] = []
    behaviors: Annotated[list[BehaviourData], Meta(max_length=100)] = []
    levels: Names = []


class SceneData(FoundryObject, frozen=True):
    """A scene; `shift_x` and `shift_y` offset the picture in 14, which also has levels.

    `level` is the viewed one in a live scene; things only on other levels are left out. `diagonals` is the
    world's rule for rulers, `linked` has the tokens of each actor that several tokens are linked to.
    """

    width: Length
    height: Length
    grid: GridData
    name: str = ""
    padding: Annotated[float, Meta(ge=0, le=1)] = 0.25
    background: Background | None = None
    shift_x: float = 0
    shift_y: float = 0
    dimensions: Dimensions | None = None
    walls: Annotated[list[WallData], Meta(max_length=limits.WALLS)] = []
    tokens: Annotated[list[TokenData], Meta(max_length=limits.TOKENS)] = []
    levels: Things = []
    level: str | None = None
    diagonals: Literal[0, 1, 2, 3, 4, 5, 6] | None = None
    linked: Annotated[list[Names], Meta(max_length=limits.TOKENS)] = []
    regions: Annotated[list[RegionData], Meta(max_length=1_000)] = []
    tiles: Things = []
    drawings: Things = []
    lights: Things = []
    sounds: Things = []
    notes: Things = []
    templates: Things = []
