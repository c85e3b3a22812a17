"""Foundry tokens as tokens on the board: position, facing, size, side and profile."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from enfilade.errors import BadFile
from enfilade.geometry.board.base import Cell
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.canvas import Canvas, nearest_corner, to_units
from enfilade.importers.foundry_shapes import SceneData, TokenData
from enfilade.importers.imported import clean_text
from enfilade.importers.pieces import Remarks
from enfilade.importers.untrusted import convert
from enfilade.importers.walls import exact, nearest_unit
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene.model import FROM_TABLETOP, GridKind, Side, Token

SIDES = {-2: "secret", -1: "hostile", 0: "neutral", 1: "friendly"}
"""Foundry's dispositions, which become sides."""

_SQUARE = (0, 90, 180, 270)
_POINTY = (30, 90, 150, 210, 270, 330)
_FLAT = (0, 60, 120, 180, 240, 300)
FACINGS: dict[GridKind, tuple[int, ...]] = {
    "square": _SQUARE,
    "hex_odd_r": _POINTY,
    "hex_even_r": _POINTY,
    "hex_odd_q": _FLAT,
    "hex_even_q": _FLAT,
}
"""The facings of a token in compass degrees: toward a neighbor across an edge; free without a grid."""

OWN_ID = re.compile(r"[A-Za-z0-9]{16}")
"""The form of Foundry's document IDs; kept, so that a bridge finds its tokens again."""
_ADDRESS = re.compile(r"/api/tables/[A-Za-z0-9_-]{1,64}/assets/[A-Za-z0-9_-]{1,64}")
"""The address of a picture on a table's server. Any other is left out: pages load what stands here."""
Profile = dict[Annotated[str, Meta(max_length=limits.KEY_LETTERS)], Any]


class PlacedToken(msgspec.Struct, frozen=True):
    """A token on the board, the cells that it passed on its way there, and what the importer changed."""

    token: Token
    path: tuple[Cell, ...]
    hit_points: int | None
    was_moved: bool
    was_turned: bool
    was_resized: bool


def read_sides(tokens: Sequence[TokenData]) -> tuple[Side, ...]:
    """Return the sides that have a token, in the order of Foundry's dispositions."""
    used = {token.disposition for token in tokens}
    return tuple(Side(id=word, name=word.title()) for number, word in SIDES.items() if number in used)


def read_tokens(scene: SceneData, canvas: Canvas, remarks: Remarks) -> tuple[list[PlacedToken], list[str]]:
    """Return a scene's tokens on the board, and notes on changes."""
    placed: list[PlacedToken] = []
    ids: set[str] = set()
    for index, data in enumerate(scene.tokens):
        checkpoint()
        token_id = _id(data, index, ids, remarks)
        ids.add(token_id)
        one = _place_token(data, index, token_id, canvas, scene.grid.distance)
        profile = _profile(data, one.token.name, remarks)
        one = replace(one, token=replace(one.token, profile=profile))
        placed.append(one if _is_on_level(data, scene.level) else _off_board(one))
    return placed, _notes(placed, canvas)


def _is_on_level(data: TokenData, level: str | None) -> bool:
    return level is None or data.level in (None, level)


def _off_board(placed: PlacedToken) -> PlacedToken:
    """Return a token on another level: part of the battle, but off this board."""
    return replace(placed, token=replace(placed.token, at=None), was_moved=False)


def _id(data: TokenData, index: int, taken: set[str], remarks: Remarks) -> str:
    """Return Foundry's own ID if it is valid, so that a bridge finds the token again; else a new one."""
    if OWN_ID.fullmatch(data.id or "") and data.id not in taken:
        return str(data.id)
    if data.id in taken:
        remarks.ignore(clean_text(data.name or str(data.id)), localize("import.foundry_same_id"))
    return f"t{index + 1}"


def _place_token(data: TokenData, index: int, token_id: str, canvas: Canvas, distance: float) -> PlacedToken:
    size = _whole_size(data.width), _whole_size(data.height)
    at, was_on_grid = _at(data, size, canvas)
    facing = _facing(data.rotation, canvas.kind)
    token = Token(
        id=token_id,
        name=clean_text(data.name or "") or localize("import.foundry_unnamed_token", number=index + 1),
        side=SIDES[data.disposition],
        at=at,
        facing=facing,
        size=size,
        elevation=_elevation(data, distance),
        hidden=data.hidden,
        image=data.image + FROM_TABLETOP if _ADDRESS.fullmatch(data.image) else "",
    )
    was_turned = facing != (exact(data.rotation) + 180) % 360
    was_resized = size != (data.width, data.height)
    path = _path(data, size, canvas)
    return PlacedToken(token, path, data.hit_points, not was_on_grid, was_turned, was_resized)


def _path(data: TokenData, size: Cell, canvas: Canvas) -> tuple[Cell, ...]:
    """Return the cells that a token passed, the last its own; empty if one of them is off the board."""
    places = [msgspec.structs.replace(data, x=passed.x, y=passed.y) for passed in data.path]
    cells = [_at(place, size, canvas)[0] for place in (*places, data)] if places else []
    on_board = tuple(cell for cell in cells if cell is not None)
    path = tuple(cell for i, cell in enumerate(on_board) if i == 0 or cell != on_board[i - 1])
    return path if len(on_board) == len(cells) and len(path) > 1 else ()


def _whole_size(cells: float) -> int:
    return min(limits.SIDES_OF_TOKEN, -int(-cells // 1))


def _at(data: TokenData, size: Cell, canvas: Canvas) -> tuple[Cell | None, bool]:
    """Return a token's cell, or None off the board, and whether it was exactly there in Foundry."""
    spot = canvas.spot(data.x, data.y)
    if canvas.kind == "gridless":
        middle = (spot[0] + exact(data.width) / 2, spot[1] + exact(data.height) / 2)
        is_on = 0 <= middle[0] <= canvas.columns and 0 <= middle[1] <= canvas.rows
        return (to_units(middle) if is_on else None), True
    if canvas.kind == "square":
        cell, was_on_grid = nearest_corner(spot, size, data.width, data.height)
    else:
        cell, was_on_grid = canvas.middle_hex(spot, data.width, data.height), True
        size = (1, 1)  # its footprint depends on the rules, and is around this hex
    return (cell if canvas.holds(cell, size) else None), was_on_grid


def _facing(rotation: float, kind: GridKind) -> int:
    """Return compass degrees for Foundry's rotation, which is clockwise from the bottom of the board."""
    compass = (exact(rotation) + 180) % 360
    if kind == "gridless":
        return round(compass) % 360
    return min(FACINGS[kind], key=lambda facing: min((facing - compass) % 360, (compass - facing) % 360))


def _elevation(data: TokenData, distance: float) -> int:
    """Return a token's height in 64ths of a cell, as high or low as a token can be."""
    units = nearest_unit(exact(data.elevation) / exact(distance))
    return max(-limits.ELEVATION, min(limits.ELEVATION, units))


def _profile(data: TokenData, name: str, remarks: Remarks) -> dict[str, Any]:
    ours = (data.flags or {}).get("enfilade")
    profile = ours.get("profile") if isinstance(ours, dict) else None
    if not isinstance(profile, dict):
        return {}
    try:
        return convert(profile, Profile)
    except BadFile as problem:
        remarks.ignore(localize("import.foundry_profile_of", name=name), problem.sentence)
        return {}


def _notes(placed: Sequence[PlacedToken], canvas: Canvas) -> list[str]:
    on_hexes = canvas.kind.startswith("hex")
    changes = (
        (sum(one.was_moved for one in placed), "import.foundry_tokens_moved"),
        (sum(one.was_turned for one in placed), "import.foundry_tokens_turned"),
        (sum(one.was_resized for one in placed), "import.foundry_tokens_resized"),
        (sum(one.token.at is None for one in placed), "import.foundry_tokens_off_board"),
        (
            sum(on_hexes and one.token.size != (1, 1) for one in placed),
            "import.foundry_tokens_large_on_hexes",
        ),
    )
    return [localize(key, count=count) for count, key in changes if count]
