"""Readings of a live Foundry scene: the same data as an exported scene, with what only a live one knows.

A whole reading brings the table in step. A reading of some tokens moves, edits and removes those, each by a
command of its own, so that the rules judge every move.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from enfilade.errors import BadFile, EnfiladeError, StaleBase
from enfilade.importers import Imported, limits, read_live_scene
from enfilade.importers.untrusted import convert, read_json
from enfilade.messages import dump
from enfilade.play.command import Command, CommandResult
from enfilade.play.commands.scene_sync import command_for_token
from enfilade.scene.model import Scene, Token
from enfilade.scene.seat import GM
from enfilade.transport.rooms import Room

_Ids = Annotated[list[str], Meta(max_length=limits.TOKENS)]


class _Beside(msgspec.Struct, frozen=True):
    """What a reading of some tokens says beside them: who has left, and whose profile is new."""

    gone: _Ids = []
    renewed: _Ids = []


def put_scene(room: Room, data: bytes) -> dict[str, Any]:
    """Brings the table in step with a whole reading.

    The result has the importer's `notes`, the `unfit` tokens that were left out, and the `origin` of the
    board on Foundry's canvas. Raises BadFile, and what the table raises.
    """
    read = read_live_scene(_object(data), ruleset=room.table.scene.ruleset)
    answer = _do(room, "scene.sync", {"scene": dump.plain(read.scene)})
    return {**answer, "result": {**answer["result"], **_about(read)}}


def put_tokens(room: Room, data: bytes) -> dict[str, Any]:
    """Moves, edits and removes the tokens of a reading; `tokens` in the result has what came of each.

    Raises BadFile, and StaleBase where the table shows another scene.
    """
    raw = _object(data)
    beside = convert(raw, _Beside)
    read = read_live_scene(raw, ruleset=room.table.scene.ruleset)
    _must_be_shown(room, read.scene)
    _name_sides(room, read.scene)
    done = {token.id: _token(room, token, token.id in beside.renewed) for token in read.scene.tokens}
    done |= {token: _gone(room, token) for token in beside.gone}
    return dump.ack("", CommandResult(seq=room.table.number(GM), result={"tokens": done}))


def _object(data: bytes) -> dict[str, Any]:
    raw = read_json(data)
    if not isinstance(raw, dict):
        raise BadFile("a scene is a JSON object, and this holds something else")
    return raw


def _about(read: Imported) -> dict[str, Any]:
    return {"notes": list(read.notes), "origin": dump.plain(read.origin)}


def _must_be_shown(room: Room, scene: Scene) -> None:
    shown = room.table.scene
    if (shown.name, shown.grid) != (scene.name, scene.grid):
        raise StaleBase("The table shows another scene; send this one whole first.", room.table.number(GM))


def _name_sides(room: Room, scene: Scene) -> None:
    """Adds the sides that tokens have come over to."""
    known = {side.id for side in room.table.scene.sides}
    new = [side for side in scene.sides if side.id not in known]
    if new:
        _do(room, "sides.set", {"sides": dump.plain([*room.table.scene.sides, *new])})


def _token(room: Room, token: Token, is_renewed: bool) -> dict[str, Any]:
    step = command_for_token(room.table.scene, token, is_renewed)
    return _tried(room, *step) if step else {"ok": True}


def _gone(room: Room, token: str) -> dict[str, Any]:
    if all(known.id != token for known in room.table.scene.tokens):
        return {"ok": True}
    return _tried(room, "token.remove", {"token": token})


def _tried(room: Room, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """What came of a command: its result, or the error that refused it; the others go on."""
    try:
        return {"ok": True, **_do(room, kind, body)["result"]}
    except EnfiladeError as problem:
        return {"ok": False, "error": dump.error(problem)}


def _do(room: Room, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    return room.answer(GM, Command(id=f"foundry-{secrets.token_hex(8)}", kind=kind, base=None, body=body))
