"""Import a live Foundry scene, whole or some of its tokens.

The data is that of an exported scene, with what only a live scene has. A whole scene synchronizes the table.
Tokens alone are moved, edited and removed, each by a command of its own, so that the rules judge every move
that a user has made by hand.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from enfilade.errors import BadFile, EnfiladeError, StaleBase
from enfilade.i18n import localize
from enfilade.importers import limits, read_live_scene
from enfilade.importers.untrusted import convert, read_json
from enfilade.messages import dump
from enfilade.play.command import Command, CommandResult
from enfilade.play.commands.scene_sync import command_for_token, with_hit_points
from enfilade.scene import scene_json
from enfilade.scene.model import GM, Scene
from enfilade.transport.rooms import Room

_TokenIds = Annotated[list[str], Meta(max_length=limits.TOKENS)]


class _TokenChanges(msgspec.Struct, frozen=True):
    """The tokens that left the scene, those whose profile changed, and those that a program has moved."""

    gone: _TokenIds = []
    renewed: _TokenIds = []
    displaced: _TokenIds = []


def put_scene(room: Room, data: bytes, base: int | None = None) -> dict[str, Any]:
    """Synchronize the table with a whole scene.

    `base` is the last entry that the scene shows, None for a page that does not know. If the table has
    changed since, it takes nothing and the result says `is_stale`: any busy battle has that, and it is no
    error. Else the result has the import's `notes`, the `unfit` tokens that were left out, and the `origin`
    of the board on Foundry's canvas. Raises BadFile, and what the table raises.
    """
    imported = read_live_scene(_read_object(data), ruleset=room.table.scene.ruleset)
    room.table.link_tokens(imported.linked)
    try:
        body = {"scene": scene_json.normalized(imported.scene), "hit_points": imported.hit_points}
        answer = _execute(room, "scene.sync", body, base)
    except StaleBase:
        return dump.ack("", CommandResult(seq=room.table.number(GM), result={"is_stale": True}))
    details = {"notes": list(imported.notes), "origin": dump.plain(imported.origin)}
    return {**answer, "result": {**answer["result"], **details}}


def put_tokens(room: Room, data: bytes) -> dict[str, Any]:
    """Move, edit and remove tokens; `tokens` in the result has the outcome of each.

    Raises BadFile, and StaleBase if the table has another scene.
    """
    raw = _read_object(data)
    changes = convert(raw, _TokenChanges)
    imported = read_live_scene(raw, ruleset=room.table.scene.ruleset)
    scene = imported.scene
    current = room.table.scene
    if (current.name, current.grid) != (scene.name, scene.grid):
        raise StaleBase(localize("server.other_scene"), room.table.number(GM))
    room.table.link_tokens(imported.linked)
    _add_sides(room, scene)
    outcomes: dict[str, Any] = {}
    for token in scene.tokens:
        path = imported.paths.get(token.id, ())
        if all(known.id != token.id for known in current.tokens):
            token = with_hit_points(room.table.ruleset, token, imported.hit_points)
        step = command_for_token(
            room.table.scene,
            token,
            token.id in changes.renewed,
            path,
            is_displaced=token.id in changes.displaced,
        )
        outcomes[token.id] = _try(room, *step) if step else {"ok": True}
    for token_id in changes.gone:
        is_present = any(token.id == token_id for token in room.table.scene.tokens)
        outcomes[token_id] = _try(room, "token.remove", {"token": token_id}) if is_present else {"ok": True}
    return dump.ack("", CommandResult(seq=room.table.number(GM), result={"tokens": outcomes}))


def _read_object(data: bytes) -> dict[str, Any]:
    raw = read_json(data)
    if not isinstance(raw, dict):
        raise BadFile(localize("server.scene_not_an_object"))
    return raw


def _add_sides(room: Room, scene: Scene) -> None:
    """Add the sides of new tokens to the table."""
    known = {side.id for side in room.table.scene.sides}
    new = [side for side in scene.sides if side.id not in known]
    if new:
        _execute(room, "sides.set", {"sides": dump.plain([*room.table.scene.sides, *new])})


def _try(room: Room, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return a command's result or the error that refused it, so that the other commands still run."""
    try:
        return {"ok": True, **_execute(room, kind, body)["result"]}
    except EnfiladeError as problem:
        return {"ok": False, "error": dump.error(problem)}


def _execute(room: Room, kind: str, body: dict[str, Any], base: int | None = None) -> dict[str, Any]:
    return room.answer(GM, Command(id=f"foundry-{secrets.token_hex(8)}", kind=kind, base=base, body=body))
