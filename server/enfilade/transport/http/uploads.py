"""Uploads: maps, pictures and saved battles, read with bounded memory and set as the table's scene."""

from __future__ import annotations

import base64
import math
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import gevent
import msgspec
from flask import Request
from msgspec.structs import replace

from enfilade.errors import BadFile, NotFound, TooSlow
from enfilade.geometry.board.base import CELL
from enfilade.i18n import localize
from enfilade.importers import (
    GridFit,
    Imported,
    SceneFile,
    SeveralScenes,
    media_type_of,
    picture_size,
    read_actor_file,
    read_map,
    read_picture,
    without_cells,
)
from enfilade.importers.limits import CELLS_A_SIDE
from enfilade.importers.pictures import area_of
from enfilade.messages import dump
from enfilade.messages.load import load_command
from enfilade.play.command import Command, CommandResult
from enfilade.play.commands.scene_sync import usable_tokens
from enfilade.play.table import new_asset_id
from enfilade.play.tables import Links, Tables, new_table_id
from enfilade.rules.sheets import Sheet, profile_from
from enfilade.runtime.config import Limits
from enfilade.runtime.time_budget import checkpoint
from enfilade.scene import scene_json
from enfilade.scene.model import GM, Grid, OwnUnit, Scene, Token
from enfilade.transport.limits.connections import UploadMemory
from enfilade.transport.limits.rate import SeatQuota
from enfilade.transport.rooms import Room

SMALL_BYTES = 1024 * 1024
"""Uploads up to this size, such as most updates from a bridge, neither wait for a map nor count as one."""
TIMEOUT_SECONDS = 300
MOST_KEY = 40
"""The greatest length of the key of a unit that comes from an actor."""
MAX_SHARE = 1_000
"""The greatest distance of a board's edge from a picture, in sizes of the picture."""


class Uploads:
    """The uploads in memory: one at a time per seat, and a total size for all seats."""

    def __init__(
        self, limits: Limits, memory: UploadMemory, timeout_seconds: float = TIMEOUT_SECONDS
    ) -> None:
        self._limits = limits
        self._memory = memory
        self._timeout_seconds = timeout_seconds

    @contextmanager
    def read(self, quota: SeatQuota, request: Request, most: int | None = None) -> Iterator[bytes]:
        """Yield a request's body; its memory stays reserved in the block. Raises RateLimited or TooSlow.

        `most` is the largest size, without it that of a map file.
        """
        maximum = request.max_content_length = most or self._limits.upload_bytes
        length = request.content_length
        with self._reserve(quota, maximum if length is None else min(length, maximum)):
            with gevent.Timeout(self._timeout_seconds, TooSlow(localize("server.upload_too_slow"))):
                data = request.get_data(cache=False)
            yield data

    @contextmanager
    def _reserve(self, quota: SeatQuota, size: int) -> Iterator[None]:
        if size <= SMALL_BYTES:
            yield
            return
        with quota.upload_lock:
            self._memory.reserve(size)
            try:
                yield
            finally:
                self._memory.release(size)


def put_map(room: Room, data: bytes, query: Mapping[str, str]) -> dict[str, Any]:
    """Set a map file as the table's scene; the result's `notes` list what the import left out.

    `query` has the file's `name`, and the grid of a picture: `kind`, `columns`, `rows`, `cell`, `left`, `top`
    (importers/pictures.py). With `grid=gridless` a squared map is used without its cells. `scene` and `level`
    name one of several scenes and one of a scene's levels; a file with several scenes and no such name
    changes nothing, and the result has its `scenes`. The table keeps its name, and its units if the map
    brings none. A picture with `under` changes the picture alone: it has the part of it that lies under the
    board, as shares of the picture's size, as the result of a Foundry scene has it as `picture`.

    An exported actor of a tabletop's system becomes a unit of the table's own.

    Raises BadFile or BadMessage if the file is malformed, and what the table raises.
    """
    current, name = room.table.snapshot(GM).scene, query.get("name", "")
    if media_type_of(data) and "under" in query:
        return _put_picture_under(room, data, query["under"])
    if media_type_of(data):
        imported: Imported | SceneFile = read_picture(
            data, name, ruleset=current.ruleset, fit=_read_fit(query)
        )
    else:
        scene_name, level = query.get("scene", ""), query.get("level", "")
        if b'"items"' in data and (sheet := read_actor_file(data)):
            return put_unit(room, sheet, current)
        try:
            imported = read_map(data, name, ruleset=current.ruleset, scene=scene_name, level=level)
        except SeveralScenes as several:
            result = {"notes": [several.sentence], "scenes": dump.plain(several.scenes)}
            return dump.ack("", CommandResult(seq=room.table.number(GM), result=result))
    if not isinstance(imported, Imported):
        return put_battle(room, imported.content)
    if query.get("grid") == "gridless":
        imported = without_cells(imported)
    scene, notes = _with_current(imported.scene, current)
    scene, unfit = usable_tokens(room.table.ruleset, scene)
    notes += [localize("server.token_left_out", name=token["name"], reason=token["why"]) for token in unfit]
    return put_imported(room, replace(imported, scene=scene, notes=(*imported.notes, *notes)))


def put_unit(room: Room, sheet: Sheet, scene: Scene) -> dict[str, Any]:
    """Add an exported actor to the table's own units, or put it in the place of one with its name.

    Raises BadFile if the game reads no actors, BadMessage if it has no place for such a one.
    """
    ruleset, name = room.table.ruleset, sheet.name or localize("server.unit_unnamed")
    if not ruleset.reads_actors:
        raise BadFile(localize("server.no_actors", title=ruleset.title))
    key = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:MOST_KEY] or "unit"
    unit = OwnUnit(key=key, name=name, profile=profile_from(sheet, ruleset, scene.grid.units))
    units = [*(one for one in scene.units if one.key != key), unit]
    body = {"units": dump.plain(tuple(units))}
    answer = room.answer(GM, Command(id=secrets.token_hex(8), kind="units.set", base=None, body=body))
    notes = [localize("server.unit_added", name=name)]
    if sheet.unread:
        notes.append(localize("server.unit_unread", names=", ".join(sheet.unread)))
    return {**answer, "result": {"notes": notes}}


def _put_picture_under(room: Room, data: bytes, under: str) -> dict[str, Any]:
    """Set the picture under the table's map, which stays as it is. Raises BadFile."""
    width, height = picture_size(data)
    try:
        left, top, across, down = map(float, under.split(","))
    except ValueError:
        raise BadFile(localize("server.map_under")) from None
    if not (
        max(map(abs, (left, top, across, down))) <= MAX_SHARE and min(across, down) * min(width, height) >= 1
    ):
        raise BadFile(localize("server.map_under"))
    area = area_of(left * width, top * height, across * width, down * height)
    scene = room.table.snapshot(GM).scene
    found = Imported(kind="picture", scene=scene, image=data, image_type=media_type_of(data), image_area=area)
    return put_imported(room, found)


def _read_fit(query: Mapping[str, str]) -> GridFit:
    numbers = {key: query[key] for key in ("columns", "rows", "cell", "left", "top") if key in query}
    try:
        fit = msgspec.convert({"kind": query.get("kind"), **numbers}, GridFit, strict=False)
    except msgspec.ValidationError:
        raise BadFile(localize("server.map_fit")) from None
    sides = (fit.columns, fit.rows)
    if not all(map(math.isfinite, (fit.cell, fit.left, fit.top))):
        raise BadFile(localize("server.map_fit"))
    if min(sides) < 1 or max(sides) > CELLS_A_SIDE:
        raise BadFile(localize("import.board_size", cells=CELLS_A_SIDE))
    return fit


def _with_current(scene: Scene, current: Scene) -> tuple[Scene, list[str]]:
    """Return a map's scene with all that the table keeps, and a note if units had to move."""
    kept = replace(
        scene,
        name=current.name or scene.name,
        sides=scene.sides or current.sides,
        house_rules=current.house_rules,
        enforcement=current.enforcement,
        units=current.units,
    )
    if scene.tokens:
        return kept, []
    tokens = tuple(_onto(scene.grid, token, current.grid) for token in current.tokens)
    moved = sum(
        after.at != before.at for after, before in zip(tokens, current.tokens, strict=True) if before.at
    )
    notes = [localize("server.map_kept_units", count=moved)] if moved else []
    state = {"tracks": current.tracks, "conditions": current.conditions}
    return replace(kept, sides=current.sides, tokens=tokens, **state), notes


def _onto(grid: Grid, token: Token, old: Grid) -> Token:
    """Return a token on another board: where it was, or at the nearest place on the board."""
    if token.at is None:
        return token
    units = [CELL if board.kind == "gridless" else 1 for board in (old, grid)]
    sides = zip(token.at, token.size, (grid.columns, grid.rows), strict=True)
    x, y = (_inside(at * units[1] // units[0], size, count, units[1]) for at, size, count in sides)
    return replace(token, at=(x, y))


def _inside(at: int, size: int, count: int, unit: int) -> int:
    """Return a coordinate on a board of `count` cells; on a grid the whole token is on it."""
    last = count - size if unit == 1 else count * unit - 1
    return max(0, min(at, last))


def put_imported(room: Room, imported: Imported) -> dict[str, Any]:
    """Set an imported map as the table's scene, store its image, and return its notes."""
    scene = imported.scene
    if imported.image is not None:
        address = add_picture(room, imported.image, imported.image_type)
        scene = replace(scene, background=address + imported.image_area)
    body = {"scene": scene_json.normalized(scene)}
    command = Command(id=secrets.token_hex(8), kind="scene.set", base=None, body=body)
    result: dict[str, Any] = {"notes": list(imported.notes)}
    if imported.levels:
        result |= {"levels": list(imported.levels), "level": imported.level}
    if imported.picture_area:
        result["picture"] = list(imported.picture_area)
    return {**room.answer(GM, command), "result": result}


def add_picture(room: Room, data: bytes, media_type: str) -> str:
    """Store a picture of the table, and return its address."""
    return _address_of(room.table.id, room.table.add_asset(data, media_type))


def _address_of(table: str, asset: str) -> str:
    return f"/api/tables/{table}/assets/{asset}"


def read_battle(room: Room) -> dict[str, Any]:
    """Return the table's scene as a file that starts the battle again: the scene, and the pictures in base64.

    `pictures` has each picture of this table by its address in the scene. Seats stay behind: tokens have no
    owners.
    """
    scene = room.table.snapshot(GM).scene
    scene = replace(scene, tokens=tuple(replace(token, owners=()) for token in scene.tokens))
    prefix = f"/api/tables/{room.table.id}/assets/"
    pictures = {}
    for address in _addresses(scene):
        if address.startswith(prefix):
            with suppress(NotFound):
                data, _ = room.table.asset(address.removeprefix(prefix))
                pictures[address] = base64.b64encode(data).decode()
    checkpoint()
    parts = {name: dump.fragment(getattr(scene, name)) for name in scene.__struct_fields__}
    return {**parts, "pictures": pictures}


def put_battle(room: Room, content: dict[str, Any]) -> dict[str, Any]:
    """Set a scene file, with the pictures that it may bring, as the table's scene. Raises BadMessage."""
    command = _load_battle(content)  # refuses a malformed scene before anything is stored
    pictures, notes = _read_pictures(content)
    addresses = {old: add_picture(room, data, media_type_of(data)) for old, data in pictures.items()}
    checkpoint()  # the largest scene takes milliseconds in each of these steps
    given = _with_addresses(scene_json.convert(command.body["scene"], Scene), addresses)
    command = replace(command, body={"scene": given})
    checkpoint()
    return {**room.answer(GM, command), "result": {"notes": notes}}


def start_battle(tables: Tables, data: bytes) -> Links:
    """Create a table with the saved battle in a file. A file that is refused leaves nothing.

    Raises BadFile or BadMessage if the file is malformed, and WrongGrid or NotFound as the rules do.
    """
    file = read_map(data, "", ruleset="")
    if not isinstance(file, SceneFile):
        raise BadFile(localize("server.no_battle"))
    command = _load_battle(file.content)
    pictures, _ = _read_pictures(file.content)
    table = new_table_id()
    assets = {old: new_asset_id() for old in pictures}
    stored = {assets[old]: (media_type_of(picture), picture) for old, picture in pictures.items()}
    checkpoint()
    addresses = {old: _address_of(table, asset) for old, asset in assets.items()}
    scene = _with_addresses(scene_json.convert(command.body["scene"], Scene), addresses)
    checkpoint()
    return tables.create_with_pictures(scene, table, stored)


def _load_battle(content: dict[str, Any]) -> Command:
    """Return the command that sets a saved battle's scene. Raises BadMessage."""
    scene = {key: value for key, value in content.items() if key != "pictures"}
    return load_command({"v": 1, "id": secrets.token_hex(8), "kind": "scene.set", "body": {"scene": scene}})


def _read_pictures(content: dict[str, Any]) -> tuple[dict[str, bytes], list[str]]:
    """Return a saved battle's pictures by their addresses in the scene, and notes on broken ones."""
    pictures, found, notes = content.get("pictures") or {}, {}, []
    for address, text in pictures.items() if isinstance(pictures, dict) else ():
        try:
            data = base64.b64decode(text, validate=True)
            picture_size(data)
        except (TypeError, ValueError, BadFile) as problem:
            notes.append(localize("server.battle_picture", why=str(problem)))
        else:
            found[address] = data
    return found, notes


def _addresses(scene: Scene) -> set[str]:
    """Return the addresses of a scene's pictures, without the part under the board."""
    tokens, units = (token.image for token in scene.tokens), (unit.image for unit in scene.units)
    return {picture.partition("#")[0] for picture in (scene.background, *tokens, *units) if picture}


def _with_addresses(scene: Scene, addresses: Mapping[str, str]) -> Scene:
    """Return a scene with other addresses of its pictures."""

    def moved(picture: str) -> str:
        address, hash_sign, area = picture.partition("#")
        return addresses.get(address, address) + hash_sign + area

    return replace(
        scene,
        background=moved(scene.background),
        tokens=tuple(replace(token, image=moved(token.image)) for token in scene.tokens),
        units=tuple(replace(unit, image=moved(unit.image)) for unit in scene.units),
    )
