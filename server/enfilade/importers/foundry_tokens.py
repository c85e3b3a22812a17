"""Foundry's tokens as miniatures on the board: place, facing, size, side and profile."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from enfilade.errors import BadFile
from enfilade.geometry.board.units import Cell
from enfilade.importers import limits
from enfilade.importers.canvas import Canvas, in_units, nearest_corner
from enfilade.importers.foundry_shapes import SceneData, TokenData
from enfilade.importers.imported import cleaned, how_many
from enfilade.importers.untrusted import shaped
from enfilade.importers.walls import exactly, nearest_unit
from enfilade.scene.model import GridKind, Side, Token
from enfilade.time_budget import checkpoint

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
"""The compass degrees a token may face: towards a neighbour across an edge; without a grid, anywhere."""

OWN_ID = re.compile(r"[A-Za-z0-9]{16}")
"""What Foundry names its documents; kept, so that a bridge finds them again."""
Profile = dict[Annotated[str, Meta(max_length=limits.KEY_LETTERS)], Any]


class Stood(msgspec.Struct, frozen=True):
    """A token as it stands now, and what had to be changed for it."""

    token: Token
    was_moved: bool
    was_turned: bool
    was_resized: bool


def sides_of(tokens: Sequence[TokenData]) -> tuple[Side, ...]:
    """The sides that have a token, in Foundry's order of dispositions."""
    used = {token.disposition for token in tokens}
    return tuple(Side(id=word, name=word.title()) for number, word in SIDES.items() if number in used)


def tokens_of(scene: SceneData, canvas: Canvas) -> tuple[tuple[Token, ...], list[str]]:
    """A scene's tokens on the board, and notes on what was changed; raises BadFile."""
    stood: list[Stood] = []
    ids: set[str] = set()
    for index, data in enumerate(scene.tokens):
        checkpoint()
        token_id = _id(data, index, ids)
        ids.add(token_id)
        one = _stood(data, index, token_id, canvas, scene.grid.distance)
        stood.append(one if _is_here(data, scene.level) else _elsewhere(one))
    return tuple(one.token for one in stood), _notes(stood, canvas)


def _is_here(data: TokenData, level: str | None) -> bool:
    return level is None or data.level in (None, level)


def _elsewhere(stood: Stood) -> Stood:
    """A token on another level: of the battle, but off this board."""
    return replace(stood, token=replace(stood.token, at=None), was_moved=False)


def _id(data: TokenData, index: int, taken: set[str]) -> str:
    """Foundry's own id where it is one, so that a bridge finds the token again; else one of ours."""
    if not OWN_ID.fullmatch(data.id or ""):
        return f"t{index + 1}"
    if data.id in taken:
        raise BadFile("another token has the same id", f"tokens[{index}]._id")
    return str(data.id)


def _stood(data: TokenData, index: int, token_id: str, canvas: Canvas, distance: float) -> Stood:
    size = _whole_size(data.width), _whole_size(data.height)
    at, was_on_grid = _at(data, size, canvas)
    facing = _facing(data.rotation, canvas.kind)
    token = Token(
        id=token_id,
        name=cleaned(data.name or "") or f"Token {index + 1}",
        side=SIDES[data.disposition],
        at=at,
        facing=facing,
        size=size,
        elevation=_elevation(data, index, distance),
        hidden=data.hidden,
        profile=_profile(data, index),
    )
    was_turned = facing != (exactly(data.rotation) + 180) % 360
    return Stood(token, not was_on_grid, was_turned, size != (data.width, data.height))


def _whole_size(cells: float) -> int:
    return min(limits.SIDES_OF_TOKEN, -int(-cells // 1))


def _at(data: TokenData, size: Cell, canvas: Canvas) -> tuple[Cell | None, bool]:
    """Where a token stands, None off the board, and whether it stood exactly there in Foundry."""
    spot = canvas.spot(data.x, data.y)
    if canvas.kind == "gridless":
        middle = (spot[0] + exactly(data.width) / 2, spot[1] + exactly(data.height) / 2)
        is_on = 0 <= middle[0] <= canvas.columns and 0 <= middle[1] <= canvas.rows
        return (in_units(middle) if is_on else None), True
    if canvas.kind == "square":
        cell, was_on_grid = nearest_corner(spot, size, data.width, data.height)
    else:
        cell, was_on_grid = canvas.first_hex(spot), True
    return (cell if canvas.holds(cell, size) else None), was_on_grid


def _facing(rotation: float, kind: GridKind) -> int:
    """Compass degrees from Foundry's rotation, clockwise with 0 towards the bottom of the board."""
    compass = (exactly(rotation) + 180) % 360
    if kind == "gridless":
        return round(compass) % 360
    return min(FACINGS[kind], key=lambda facing: min((facing - compass) % 360, (compass - facing) % 360))


def _elevation(data: TokenData, index: int, distance: float) -> int:
    units = nearest_unit(exactly(data.elevation) / exactly(distance))
    if abs(units) > limits.ELEVATION:
        raise BadFile("this is too high or too low", f"tokens[{index}].elevation")
    return units


def _profile(data: TokenData, index: int) -> dict[str, Any]:
    ours = (data.flags or {}).get("enfilade")
    profile = ours.get("profile") if isinstance(ours, dict) else None
    if not isinstance(profile, dict):
        return {}
    return shaped(profile, Profile, f"tokens[{index}].flags.enfilade.profile")


def _notes(stood: Sequence[Stood], canvas: Canvas) -> list[str]:
    on_hexes = canvas.kind.startswith("hex")
    changes = (
        (sum(one.was_moved for one in stood), "moved to the nearest cell"),
        (sum(one.was_turned for one in stood), "turned to the nearest facing of the grid"),
        (sum(one.was_resized for one in stood), "given a size in whole cells, 8 at most"),
        (sum(one.token.at is None for one in stood), "not wholly on the map, so left off the board"),
        (
            sum(on_hexes and one.token.size != (1, 1) for one in stood),
            "larger than a hex: check where the first hex of each lies",
        ),
    )
    return [f"{how_many(count, 'token')} {what}." for count, what in changes if count]
