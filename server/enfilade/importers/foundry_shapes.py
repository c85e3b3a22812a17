"""Shapes of Foundry's scene data since version 10; other keys are ignored.

The numbers in the Literals are Foundry's constants. `read_scene_data` reads a scene piece by piece.

Scenes of Foundry 8 and 9 are put into this form first. Until 9 a scene's `grid` was the size of a cell, the
picture's offset was `shiftX` and `shiftY`, and hexes were measured from point to point. Until 8 a wall's
`sense` was what is `sight` now, and walls had other numbers.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.pieces import Remarks, read_piece, read_pieces

MAX_PIXELS = 10_000_000
MAX_REGIONS = MAX_LEVELS = 1_000
MAX_TILES = 10_000
Pixel = Annotated[float, Meta(ge=-MAX_PIXELS, le=MAX_PIXELS)]
Length = Annotated[float, Meta(gt=0, le=MAX_PIXELS)]
Names = Annotated[list[str], Meta(max_length=1_000)]


class FoundryObject(msgspec.Struct, frozen=True, rename="camel"):
    """The base of Foundry's shapes, whose keys are in camelCase."""


class GridData(FoundryObject, frozen=True):
    """The grid: 0 gridless, 1 square, 2 to 5 hexes (odd rows, even rows, odd columns, even columns)."""

    size: Annotated[float, Meta(ge=1, le=10_000)]
    type: Literal[0, 1, 2, 3, 4, 5] = 1
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


class ThresholdData(FoundryObject, frozen=True):
    """The distance of a proximity or distance wall for sight, in the grid's distance units."""

    sight: Annotated[float, Meta(ge=0, le=1_000_000)] | None = None


class WallData(FoundryObject, frozen=True):
    """A wall from (c[0], c[1]) to (c[2], c[3]) in pixels of the padded canvas; 14 adds levels."""

    c: tuple[float, float, float, float]
    id: str | None = msgspec.field(name="_id", default="")
    move: Literal[0, 20] = 20
    sight: Literal[0, 10, 20, 30, 40] = 20
    dir: Literal[0, 1, 2] = 0
    door: Literal[0, 1, 2] = 0
    ds: Literal[0, 1, 2] = 0
    threshold: ThresholdData | None = None
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


class ElevationData(FoundryObject, frozen=True):
    """The heights between which a region or a level is, in the grid's distance units; None has no end."""

    bottom: float | None = None
    top: float | None = None


class RegionData(FoundryObject, frozen=True):
    """A region: in a live scene its outlines, as [x, y, x, y, ...] in pixels, in a file its shapes.

    `visibility` names Foundry's layers that show it; `hidden` belongs to 14.
    """

    id: str | None = msgspec.field(name="_id", default="")
    name: str | None = ""
    visibility: int | None = None
    hidden: bool | None = False
    polygons: list[list[Pixel]] = []
    shapes: Annotated[list[Any], Meta(max_length=1_000)] = []
    behaviors: Annotated[list[BehaviourData], Meta(max_length=100)] = []
    elevation: ElevationData | None = None
    levels: Names = []


class OcclusionData(FoundryObject, frozen=True):
    """The fading of a tile above tokens: none with 0 or an empty list. A number until 11, a list since 12."""

    mode: int | None = None
    modes: Annotated[list[int], Meta(max_length=100)] | None = None


class TileData(FoundryObject, frozen=True):
    """A picture on the map: its place in pixels as a region's rectangle has it, its height above the ground.

    `overhead` marks a roof until 11.
    """

    x: Pixel
    y: Pixel
    width: Annotated[float, Meta(ge=0, le=MAX_PIXELS)] = 0
    height: Annotated[float, Meta(ge=0, le=MAX_PIXELS)] = 0
    name: str | None = ""
    rotation: float = 0
    elevation: Annotated[float, Meta(ge=-1_000_000, le=1_000_000)] = 0
    hidden: bool = False
    overhead: bool = False
    occlusion: OcclusionData | None = None
    anchor_x: float | None = None
    anchor_y: float | None = None
    levels: Names = []


class LevelData(FoundryObject, frozen=True):
    """A level of a scene (14), and the heights of its floor and its ceiling."""

    id: str | None = msgspec.field(name="_id", default="")
    name: str | None = ""
    elevation: ElevationData | None = None


class SceneFields(FoundryObject, frozen=True):
    """The plain fields of a scene; a width or height of 0 is unknown.

    `shift_x` and `shift_y` offset the picture in 14, which also has levels: `level` is the viewed one in a
    live scene, `initial_level` the one that players see first. `diagonals` is the world's rule for rulers,
    `foreground_elevation` the height from which tiles are above all tokens (12 and 13).
    """

    width: Annotated[float, Meta(ge=0, le=MAX_PIXELS)] = 0
    height: Annotated[float, Meta(ge=0, le=MAX_PIXELS)] = 0
    name: str = ""
    padding: Annotated[float, Meta(ge=0, le=1)] = 0.25
    shift_x: Pixel = 0
    shift_y: Pixel = 0
    level: str | None = None
    initial_level: str | None = None
    foreground_elevation: float | None = None
    diagonals: Literal[0, 1, 2, 3, 4, 5, 6] | None = None
    linked: Annotated[list[Names], Meta(max_length=limits.TOKENS)] = []
    flags: dict[str, Any] | None = None


class SceneData(SceneFields, frozen=True, kw_only=True):
    """A scene. Things only on other levels than the viewed one are left out.

    `linked` has the tokens of each actor that several tokens are linked to. `others` counts the things that
    no board has, by their key.
    """

    grid: GridData
    background: Background = Background()
    dimensions: Dimensions | None = None
    walls: list[WallData] = []
    tokens: list[TokenData] = []
    regions: list[RegionData] = []
    tiles: list[TileData] = []
    levels: list[LevelData] = []
    others: dict[str, int] = {}

    @property
    def is_legacy_hex(self) -> bool:
        """Return whether the size of the hexes is that from point to point, as before Foundry 10."""
        core = (self.flags or {}).get("core")
        return self.grid.type > 1 and isinstance(core, dict) and bool(core.get("legacyHex"))


OTHERS = {
    "lights": "import.foundry_count_light",
    "sounds": "import.foundry_count_sound",
    "tiles": "import.foundry_count_tile",
    "drawings": "import.foundry_count_drawing",
    "notes": "import.foundry_count_note",
    "templates": "import.foundry_count_template",
}
"""Things that no board has, and the text that counts them."""


def read_scene_data(raw: dict[str, Any], remarks: Remarks) -> SceneData:
    """Return a scene without the pieces that cannot be read. Raises BadFile if it has no grid."""
    grid = read_piece(raw["grid"], GridData, "grid", remarks)
    if grid is None:
        raise BadFile(localize("import.foundry_no_grid", why=" ".join(remarks.sentences())), "grid")
    plain = {key: value for key, value in raw.items() if not isinstance(value, list) or key == "linked"}
    fields = read_piece(plain, SceneFields, "", remarks) or SceneFields()
    background, dimensions = raw.get("background"), raw.get("dimensions")
    return SceneData(
        **msgspec.structs.asdict(fields),
        grid=grid,
        background=(read_piece(background, Background, "background", remarks) if background else None)
        or Background(),
        dimensions=read_piece(dimensions, Dimensions, "dimensions", remarks) if dimensions else None,
        walls=read_pieces(raw.get("walls", []), WallData, "walls", remarks, limits.WALLS),
        tokens=read_pieces(raw.get("tokens", []), TokenData, "tokens", remarks, limits.TOKENS),
        regions=read_pieces(raw.get("regions", []), RegionData, "regions", remarks, MAX_REGIONS),
        tiles=read_pieces(raw.get("tiles", []), TileData, "tiles", remarks, MAX_TILES),
        levels=read_pieces(raw.get("levels", []), LevelData, "levels", remarks, MAX_LEVELS),
        others={key: len(raw[key]) for key in OTHERS if isinstance(raw.get(key), list)},
    )


SINCE_9 = {1: 20, 2: 10}
"""The numbers of walls since 9 for those before: blocks, and blocks as a second one (sight)."""


def is_from_before_10(raw: dict[str, Any]) -> bool:
    """Return whether scene data has the form of Foundry 9 or earlier."""
    return not isinstance(raw.get("grid"), dict)


def since_10(raw: dict[str, Any]) -> dict[str, Any]:
    """Return scene data from before Foundry 10 in the form since then; broken pieces stay as they are."""
    walls = raw.get("walls")
    return {
        **raw,
        "grid": {
            "size": raw.get("grid"),
            "type": raw.get("gridType", 1),
            "distance": raw.get("gridDistance", 1),
            "units": raw.get("gridUnits", ""),
        },
        "background": {"offsetX": raw.get("shiftX", 0), "offsetY": raw.get("shiftY", 0)},
        "shiftX": 0,
        "shiftY": 0,
        "flags": {"core": {"legacyHex": True}},
        "walls": [_wall(wall) for wall in walls] if isinstance(walls, list) else walls,
    }


def _wall(wall: Any) -> Any:
    if not isinstance(wall, dict):
        return wall
    sight = wall.get("sight", wall.get("sense"))
    numbers = {"move": wall.get("move"), "sight": sight, "light": wall.get("light")}
    renewed = {
        key: SINCE_9.get(number, number)
        for key, number in numbers.items()
        if isinstance(number, int) and not isinstance(number, bool)
    }
    return {**wall, **renewed}
