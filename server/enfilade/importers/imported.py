"""The result of an import: a scene and its picture, or a scene file to decode."""

from __future__ import annotations

import unicodedata
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from enfilade.errors import BadFile
from enfilade.geometry.board.base import CELL, Cell
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.scene.model import Scene, Token

Objects = Literal["ignore", "sight", "solid"]
"""The effect of object outlines on a Universal VTT map: none, block sight, or block movement too."""

_INVISIBLE = {"Cc", "Cs", "Zl", "Zp"}
_DIRECTION_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Origin(msgspec.Struct, frozen=True):
    """The corner of a board on another program's canvas, and the width of a cell, in pixels."""

    left: float
    top: float
    size: float


PictureArea = tuple[float, float, float, float]
"""The part of a picture under the board: left, top, width and height as shares of the picture's size.

It may reach beyond the picture.
"""


class Imported(msgspec.Struct, frozen=True):
    """A map as a scene, with the picture of the file and notes for the GM.

    `image_type` is the picture's media type, or empty. `image_area` is the fragment of its URL that names the
    part under the board, empty for the whole picture. `picture_area` is that part of a picture that the file
    does not have. Each of `notes` is a sentence about something left
    out, rounded or guessed. `origin` places the board on the canvas it came from. `paths` has the cells that
    tokens passed on their way, `hit_points` those that they have left, both by their IDs. The tokens of a
    group in `linked` share their hit points. `levels` has the names of a scene's levels, if it has several,
    and `level` that of the board.
    """

    kind: Literal["universal-vtt", "foundry", "enfilade", "picture"]
    scene: Scene
    image: bytes | None = None
    image_type: str = ""
    image_area: str = ""
    notes: tuple[str, ...] = ()
    origin: Origin | None = None
    paths: dict[str, tuple[Cell, ...]] = {}
    hit_points: dict[str, int] = {}
    linked: tuple[frozenset[str], ...] = ()
    levels: tuple[str, ...] = ()
    level: str = ""
    picture_area: PictureArea | None = None


def without_cells(imported: Imported) -> Imported:
    """Return a squared map as a board without cells: tokens stand at their centers, all else stays.

    Raises BadFile for hexes. A map without cells stays as it is.
    """
    scene = imported.scene
    if scene.grid.kind == "gridless":
        return imported
    if scene.grid.kind != "square":
        raise BadFile(localize("import.gridless_squares"), "grid")
    tokens = tuple(replace(token, at=_center(token)) for token in scene.tokens)
    grid = replace(scene.grid, kind="gridless")
    return replace(imported, scene=replace(scene, grid=grid, tokens=tokens), paths={})


def _center(token: Token) -> Cell | None:
    if token.at is None:
        return None
    (x, y), (width, height) = token.at, token.size
    return (2 * x + width) * CELL // 2, (2 * y + height) * CELL // 2


class SceneFile(msgspec.Struct, frozen=True):
    """An Enfilade scene file as plain data: safe to hold, its shape not yet checked."""

    content: dict[str, Any]
    kind: Literal["enfilade"] = "enfilade"


def clean_text(text: str, longest: int = limits.NAME_LETTERS) -> str:
    """Return text for people: without control characters and direction overrides, and shortened."""
    seen = (c for c in text if unicodedata.category(c) not in _INVISIBLE and c not in _DIRECTION_CONTROLS)
    return "".join(islice(seen, longest)).strip()


def title_from(file_name: str) -> str:
    """Return the title of a map from its file name, without folders and suffix."""
    return clean_text(PurePosixPath(file_name.replace("\\", "/")).stem)
