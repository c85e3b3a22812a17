"""Incoming messages: from JSON to values, with all wrong fields reported at once by their paths."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import msgspec
from marshmallow import Schema, ValidationError

from enfilade.errors import BadMessage, WrongVersion
from enfilade.i18n import localize
from enfilade.messages.commands import BODIES, CommandSchema, PartSchema
from enfilade.messages.fast_load import NeedsFullValidation, quick_reader
from enfilade.messages.members import ConnectSchema
from enfilade.messages.scene import SceneSchema
from enfilade.play.command import Command, ReplicaPosition
from enfilade.play.commands.registry import COMMANDS
from enfilade.scene.model import Scene

VERSION = 1

MAX_REPORTED = 50
"""How many wrong fields an answer names."""

MAX_PATH = 200
"""How many letters of a wrong field's path it tells, for a part of that may be the sender's own key."""

_COMMAND = CommandSchema()
_BODIES = {kind: schema() for kind, schema in BODIES.items()}
_CONNECT = ConnectSchema()
_PART = PartSchema()
_SCENE = SceneSchema()
_QUICK = {schema: quick_reader(schema) for schema in (_COMMAND, *_BODIES.values())}


def load_command(raw: Any) -> Command:
    """Return the command in a decoded message. Raises BadMessage with all wrong fields, or WrongVersion."""
    if isinstance(raw, dict) and isinstance(raw.get("v"), int) and raw["v"] != VERSION:
        raise WrongVersion(localize("messages.wrong_version", version=VERSION, sent=raw["v"]))
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
    """The auth data of a connection: the table, the credentials, and the client's state (None: no state)."""

    table: str
    ticket: str
    page: str
    close_others: bool
    known: ReplicaPosition | None


def load_connect(raw: Any) -> Connect:
    """Return the auth data of a connecting client. Raises BadMessage with all wrong fields."""
    said = checked(_CONNECT, raw)
    epoch, seq, scene_hash = (said.pop(name) for name in ("epoch", "seq", "hash"))
    is_back = epoch is not None and seq is not None
    return Connect(**said, known=ReplicaPosition(epoch, seq, scene_hash or "") if is_back else None)


class Part(msgspec.Struct, frozen=True):
    """A part of a command: the command's ID, the part's number, the count, and a piece of the JSON."""

    id: str
    part: int
    parts: int
    text: str


def load_part(raw: Any) -> Part:
    """Return the part of a command in a decoded message. Raises BadMessage with all wrong fields."""
    said = checked(_PART, raw)
    return Part(said["id"], said["part"], said["parts"], said["text"])


def load_scene(raw: Any) -> Scene:
    """Return the scene in a decoded file or message. Raises BadMessage with all wrong fields."""
    if isinstance(raw, dict) and isinstance(raw.get("version"), int) and raw["version"] != VERSION:
        raise WrongVersion(localize("messages.wrong_scene_version", version=VERSION, sent=raw["version"]))
    return msgspec.convert(checked(_SCENE, raw), Scene)


def checked(schema: Schema, raw: Any, prefix: str = "") -> dict[str, Any]:
    """Return the value that a schema loads. Raises BadMessage with all wrong fields, by prefix and path."""
    with suppress(NeedsFullValidation):
        return dict(_QUICK.get(schema, _needs_full_validation)(raw))
    try:
        return dict(schema.load(raw))
    except ValidationError as problem:
        raise BadMessage(_first(_paths(problem.messages, prefix))) from None


def _needs_full_validation(_: Any) -> Any:
    raise NeedsFullValidation


def _first(paths: Iterator[tuple[str, list[str]]]) -> dict[str, list[str]]:
    """Return the first wrong fields, so that an answer is not longer than the message."""
    reported = {path[:MAX_PATH]: problems for path, problems in islice(paths, MAX_REPORTED)}
    if next(paths, None) is not None:
        reported["message"] = [localize("messages.more_wrong")]
    return reported


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
