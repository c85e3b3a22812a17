"""A map file brought to a table: read, its picture kept as an asset, and set as the scene."""

from __future__ import annotations

import secrets
from typing import Any

from msgspec.structs import replace

from enfilade.importers import Imported, read_map
from enfilade.messages import dump
from enfilade.messages.load import load_command
from enfilade.play.command import Command
from enfilade.play.commands.scene_sync import usable_tokens
from enfilade.play.table import Table
from enfilade.scene.model import Scene
from enfilade.scene.seat import GM
from enfilade.transport.rooms import Room


def put_map(room: Room, data: bytes, name: str) -> dict[str, Any]:
    """Sets the map in a file's bytes as the scene; the acknowledgement's `notes` say what was left out.

    Raises BadFile or BadMessage where the file is broken, and what the table raises.
    """
    now = room.table.snapshot(GM).scene
    read = read_map(data, name, ruleset=now.ruleset)
    if not isinstance(read, Imported):
        return {**_set(room, read.content), "result": {"notes": []}}
    kept = {"house_rules": now.house_rules, "enforcement": now.enforcement}
    scene, unfit = usable_tokens(
        room.table.ruleset, replace(read.scene, sides=read.scene.sides or now.sides, **kept)
    )
    notes = [f"{token['name']} left out, for it has no unit profile: {token['why']}" for token in unfit]
    return put_imported(room, replace(read, scene=scene, notes=(*read.notes, *notes)))


def put_imported(room: Room, read: Imported) -> dict[str, Any]:
    """Sets a map that has been read as the scene, its picture behind it; answers with its notes."""
    answer = _put(room, _with_picture(room.table, read.scene, read))
    return {**answer, "result": {"notes": list(read.notes)}}


def _with_picture(table: Table, scene: Scene, read: Imported) -> Scene:
    if read.image is None:
        return scene
    asset = table.add_asset(read.image, read.image_type)
    return replace(scene, background=f"/api/tables/{table.id}/assets/{asset}")


def _put(room: Room, scene: Scene) -> dict[str, Any]:
    body = {"scene": dump.plain(scene)}
    return room.answer(GM, Command(id=secrets.token_hex(8), kind="scene.set", base=None, body=body))


def _set(room: Room, content: dict[str, Any]) -> dict[str, Any]:
    raw = {"v": 1, "id": secrets.token_hex(8), "kind": "scene.set", "body": {"scene": content}}
    return room.answer(GM, load_command(raw))
