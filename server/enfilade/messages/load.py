"""From outside to values: every wrong field reported at once, by its path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import msgspec
from marshmallow import Schema, ValidationError

from enfilade.errors import BadMessage, WrongVersion
from enfilade.messages.commands import BODIES, CommandSchema
from enfilade.messages.connect import ConnectSchema
from enfilade.messages.fast_load import DoubtError, quick_reader
from enfilade.messages.scene import SceneSchema
from enfilade.play.command import Command, ReplicaPosition
from enfilade.play.commands.registry import COMMANDS
from enfilade.scene.model import Scene

VERSION = 1

MOST_TOLD = 50
"""How many wrong fields an answer names."""

MOST_PATH = 200
"""How many letters of a wrong field's path it tells, for a part of that may be the sender's own key."""

_COMMAND = CommandSchema()
_BODIES = {kind: schema() for kind, schema in BODIES.items()}
_CONNECT = ConnectSchema()
_SCENE = SceneSchema()
_QUICK = {schema: quick_reader(schema) for schema in (_COMMAND, *_BODIES.values())}


def load_command(raw: Any) -> Command:
    """A command from a decoded message; raises BadMessage naming every wrong field, or WrongVersion."""
    if isinstance(raw, dict) and isinstance(raw.get("v"), int) and raw["v"] != VERSION:
        raise WrongVersion(f"This table speaks version {VERSION} of the contract, not {raw['v']}.")
    envelope = checked(_COMMAND, raw)
    body = checked(_BODIES[envelope["kind"]], envelope["body"], "body.")
    kind, base = envelope["kind"], envelope["base"]
    return Command(
        id=envelope["id"],
        kind=kind,
        base=base if COMMANDS[kind].needs_base else None,
        body=body,
        random=envelope["random"],
    )


class Connect(msgspec.Struct, frozen=True):
    """Which table a client wants to join, by what, and what it knows of it (None: nothing)."""

    table: str
    ticket: str
    resume: str
    known: ReplicaPosition | None


def load_connect(raw: Any) -> Connect:
    """What a connecting client says; raises BadMessage naming every wrong field."""
    said = checked(_CONNECT, raw)
    if bool(said["ticket"]) == bool(said["resume"]):
        raise BadMessage({"ticket": ["Send a ticket, or the resume token of the connection before."]})
    epoch, seq, scene_hash = (said.pop(name) for name in ("epoch", "seq", "hash"))
    is_back = epoch is not None and seq is not None
    return Connect(**said, known=ReplicaPosition(epoch, seq, scene_hash or "") if is_back else None)


def load_scene(raw: Any) -> Scene:
    """A scene from a decoded file or message; raises BadMessage naming every wrong field."""
    if isinstance(raw, dict) and isinstance(raw.get("version"), int) and raw["version"] != VERSION:
        raise WrongVersion(f"This program reads scene version {VERSION}, not {raw['version']}.")
    return msgspec.convert(checked(_SCENE, raw), Scene)


def checked(schema: Schema, raw: Any, prefix: str = "") -> dict[str, Any]:
    """What a schema loads; raises BadMessage naming every wrong field by its path after a prefix."""
    with suppress(DoubtError):
        return dict(_QUICK.get(schema, _doubted)(raw))
    try:
        return dict(schema.load(raw))
    except ValidationError as problem:
        raise BadMessage(_first(_paths(problem.messages, prefix))) from None


def _doubted(_: Any) -> Any:
    raise DoubtError


def _first(paths: Iterator[tuple[str, list[str]]]) -> dict[str, list[str]]:
    """The first wrong fields: an answer is not to be longer than what it answers."""
    told = {path[:MOST_PATH]: problems for path, problems in islice(paths, MOST_TOLD)}
    return told if next(paths, None) is None else {**told, "message": ["There is more that is wrong."]}


def _paths(messages: Any, path: str) -> Iterator[tuple[str, list[str]]]:
    if not isinstance(messages, dict):
        yield (path.rstrip(".") or "message", [str(m) for m in messages])
        return
    for key, inner in messages.items():
        if key == "_schema":
            yield (path.rstrip(".") or "message", [str(m) for m in inner])
        elif isinstance(key, int):
            yield from _paths(inner, f"{path.rstrip('.')}[{key}].")
        else:
            yield from _paths(inner, f"{path}{key}.")
