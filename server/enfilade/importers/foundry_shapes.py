"""Foundry's scene data as versions 12, 13 and 14 write it, as far as we read it; other keys are passed over.

The numbers in the Literals are Foundry's own constants.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from enfilade.importers import limits

MOST_PIXELS = 10_000_000
Pixel = Annotated[float, Meta(ge=-MOST_PIXELS, le=MOST_PIXELS)]
Length = Annotated[float, Meta(gt=0, le=MOST_PIXELS)]
Things = list[Any]
Names = Annotated[list[str], Meta(max_length=1_000)]


class Outside(msgspec.Struct, frozen=True, rename="camel"):
    """The base of Foundry's shapes, whose keys are in camelCase."""


class GridData(Outside, frozen=True):
    """The grid: 0 gridless, 1 square, 2 to 5 hexes (odd rows, even rows, odd columns, even columns)."""

    type: Literal[0, 1, 2, 3, 4, 5]
    size: Annotated[float, Meta(ge=1, le=10_000)]
    distance: Annotated[float, Meta(gt=0, le=10_000)] = 1
    units: str = ""


class Background(Outside, frozen=True):
    """The picture, by its path, and how far it is pushed against the grid in pixels (12 and 13)."""

    offset_x: float = 0
    offset_y: float = 0


class Dimensions(Outside, frozen=True):
    """Where the map lies on the padded canvas, in pixels; only a live Foundry knows it."""

    scene_x: Pixel
    scene_y: Pixel
    scene_width: Length
    scene_height: Length


class WallData(Outside, frozen=True):
    """A wall from (c[0], c[1]) to (c[2], c[3]) in pixels of the padded canvas; in 14 on some levels alone."""

    c: tuple[Pixel, Pixel, Pixel, Pixel]
    id: str | None = msgspec.field(name="_id", default="")
    move: Literal[0, 20] = 20
    sight: Literal[0, 10, 20, 30, 40] = 20
    dir: Literal[0, 1, 2] = 0
    door: Literal[0, 1, 2] = 0
    ds: Literal[0, 1, 2] = 0
    levels: Names = []
    flags: dict[str, Any] | None = None


class TokenData(Outside, frozen=True):
    """A token: its top left corner in pixels, its size in cells, its height in the grid's distance units."""

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


class BehaviourData(Outside, frozen=True):
    """What a region does to tokens in it; `system` is in the shape of its type."""

    type: str
    disabled: bool = False
    system: dict[str, Any] = {}


class RegionData(Outside, frozen=True):
    """A part of the canvas. Only a live Foundry says its outlines, as [x, y, x, y, ...] in pixels.

    `visibility` says on which of Foundry's layers it is drawn; `hidden` is of 14.
    """

    id: str | None = msgspec.field(name="_id", default="")
    name: str | None = ""
    visibility: int | None = None
    hidden: bool | None = False
    polygons: list[list[Pixel]] = []
    behaviors: Annotated[list[BehaviourData], Meta(max_length=100)] = []
    levels: Names = []


class SceneData(Outside, frozen=True):
    """A scene; `shift_x` and `shift_y` push the picture in 14, which also has levels.

    `level` is the one that is looked at, as a live Foundry says it; what lies on others alone is left out.
    `diagonals` is how its rulers count them, which is the world's and not the scene's.
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
    regions: Annotated[list[RegionData], Meta(max_length=1_000)] = []
    tiles: Things = []
    drawings: Things = []
    lights: Things = []
    sounds: Things = []
    notes: Things = []
    templates: Things = []
