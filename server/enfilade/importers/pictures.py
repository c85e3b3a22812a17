"""Pictures from files: their type and size by their headers, and a picture as a map under a grid.

The importer never decodes a picture. The size in its header bounds the memory that each browser needs for it.
"""

from __future__ import annotations

import io
import math

import imagesize  # type: ignore[import-untyped]
import msgspec

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.imported import Imported, title_from
from enfilade.scene.model import Grid, GridKind, Scene

_MARGIN_CELLS = 0.25
"""The part of a cell by which a board may reach beyond its picture: hand-drawn grids are not exact."""


class GridFit(msgspec.Struct, frozen=True):
    """A grid over a picture: its kind and size in cells, the width of a cell and its corner, in pixels.

    The width of a hex is that between its flat sides.
    """

    kind: GridKind
    columns: int
    rows: int
    cell: float
    left: float = 0
    top: float = 0


def media_type_of(data: bytes) -> str:
    """Return the media type of a picture by its first bytes; "" if it is not PNG, JPEG or WebP."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return ""


def picture_size(data: bytes, place: str = "") -> tuple[int, int]:
    """Return the width and height of a picture in pixels, from its header.

    Raises BadFile if the data is not PNG, JPEG or WebP, its header is broken, or it has too many pixels.
    """
    if not media_type_of(data):
        raise BadFile(localize("import.picture_format"), place)
    try:
        width, height = imagesize.get(io.BytesIO(data))
    except Exception:  # its parsers raise errors of many kinds
        width = height = -1
    if width < 1 or height < 1:
        raise BadFile(localize("import.picture_header"), place)
    if max(width, height) > limits.PICTURE_SIDE or width * height > limits.PICTURE_PIXELS:
        sizes = {"width": width, "height": height, "side": limits.PICTURE_SIDE}
        raise BadFile(
            localize("import.picture_size", **sizes, million=limits.PICTURE_PIXELS // 1_000_000), place
        )
    return width, height


def token_picture(data: bytes) -> str:
    """Return the media type of a picture for a unit. Raises BadFile if it is none, or too large."""
    if len(data) > limits.TOKEN_PICTURE_BYTES:
        raise BadFile(localize("import.token_picture_bytes", limit=limits.TOKEN_PICTURE_BYTES // 1024))
    if max(picture_size(data)) > limits.TOKEN_PICTURE_SIDE:
        raise BadFile(localize("import.token_picture_side", limit=limits.TOKEN_PICTURE_SIDE))
    return media_type_of(data)


def read_picture(data: bytes, name: str, *, ruleset: str, fit: GridFit) -> Imported:
    """Return a picture as a map without walls, with the part that lies under the grid.

    Raises BadFile if it is no picture, or the grid does not lie on it.
    """
    if len(data) > limits.FILE_BYTES:
        raise BadFile(localize("import.file_too_large", limit=limits.FILE_BYTES // 1024**2))
    width, height = picture_size(data)
    across, down = board_in_cells(fit.kind, fit.columns, fit.rows)
    margin = _MARGIN_CELLS * fit.cell
    right, bottom = fit.left + across * fit.cell, fit.top + down * fit.cell
    is_inside = right <= width + margin and bottom <= height + margin
    if fit.left < 0 or fit.top < 0 or fit.cell < limits.PIXELS_PER_CELL or not is_inside:
        raise BadFile(localize("import.picture_grid", width=width, height=height))
    return Imported(
        kind="picture",
        scene=Scene(
            ruleset=ruleset,
            grid=Grid(kind=fit.kind, columns=fit.columns, rows=fit.rows),
            name=title_from(name),
        ),
        image=data,
        image_type=media_type_of(data),
        image_area=area_of(fit.left, fit.top, across * fit.cell, down * fit.cell),
    )


def area_of(left: float, top: float, width: float, height: float) -> str:
    """Return a rectangle of a picture in pixels as the fragment of its URL (W3C Media Fragments)."""
    return "#xywh=pixel:" + ",".join(str(round(value)) for value in (left, top, width, height))


def board_in_cells(kind: GridKind, columns: int, rows: int) -> tuple[float, float]:
    """Return the width and height of a board in widths of a cell."""
    if not kind.startswith("hex"):
        return columns, rows

    def along(count: int, lines: int) -> float:
        return count + (0.5 if lines > 1 else 0)

    def across(lines: int) -> float:
        return (lines * 1.5 + 0.5) / math.sqrt(3)

    if kind.endswith("_r"):
        return along(columns, rows), across(rows)
    return across(columns), along(rows, columns)
