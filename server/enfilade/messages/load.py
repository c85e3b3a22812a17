"""Incoming messages: from JSON to values, with all wrong fields reported at once by their paths.

marshmallow takes as long to check a command as the rules take to judge a move. So a msgspec type, derived
from the schema's fields, reads most valid messages. What it does not know, and everything invalid, is left to
the schema, which reports the problem. The schema stays the only place where a message is described.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Annotated, Any, Literal

import msgspec
from marshmallow import Schema, ValidationError, fields, missing, validate

from enfilade.errors import BadMessage, WrongVersion
from enfilade.i18n import localize
from enfilade.messages.commands import BODIES, CommandSchema, PartSchema
from enfilade.messages.fields import ChoiceAnswer, Several, Strict
from enfilade.messages.members import ConnectSchema
from enfilade.messages.scene import SceneSchema
from enfilade.play.command import Command, ReplicaPosition
from enfilade.play.commands.registry import COMMANDS
from enfilade.scene.model import Scene

Read = Callable[[Any], Any]


class NeedsFullValidation(Exception):
    """The schema itself has to look."""


_NEVER = Literal["\0"]
"""The kind of a field that only the schema can read: a message that has it is left to the schema."""


_LONG = 1_000
"""The most entries of a list that are read at once; the schema rests between those of a longer one."""


class _UnknownFieldError(Exception):
    """A field that the derived type cannot have."""


def quick_reader(schema: Schema) -> Read:
    """Return a reader that loads most messages that the schema would load.

    The reader raises NeedsFullValidation for all others.
    """
    try:
        kind = _struct(schema)
    except _UnknownFieldError:
        return _doubt

    def read(raw: Any) -> Any:
        try:
            return msgspec.to_builtins(msgspec.convert(raw, kind))
        except (msgspec.ValidationError, TypeError, RecursionError):
            raise NeedsFullValidation from None

    return read


def _doubt(_: Any) -> Any:
    raise NeedsFullValidation


def _struct(schema: Schema) -> type[msgspec.Struct]:
    if not isinstance(schema, Strict):  # others may have methods
        raise _UnknownFieldError
    parts: list[Any] = []
    for name, field in schema.load_fields.items():
        if field.data_key or field.attribute or callable(field.load_default):
            raise _UnknownFieldError
        try:
            kind = _kind(field)
        except _UnknownFieldError:
            kind = _NEVER
        if field.required:
            parts.append((name, kind))
        elif field.load_default is missing:
            parts.append((name, kind | msgspec.UnsetType, msgspec.UNSET))
        else:
            parts.append((name, kind, field.load_default))
    return msgspec.defstruct(type(schema).__name__, parts, kw_only=True, forbid_unknown_fields=True)


def _kind(field: fields.Field[Any]) -> Any:
    kind = _plain_kind(field)
    for validator in field.validators:
        kind = _bounded(kind, validator)
    return kind | None if field.allow_none else kind


def _plain_kind(field: fields.Field[Any]) -> Any:  # noqa: C901 - one case for each field
    kind: Any = type(field)
    if kind is fields.String:
        return str
    if kind is fields.Integer and field.strict:  # type: ignore[attr-defined]
        return int
    if kind is fields.Boolean:
        return bool  # "yes" and 1 are left to the schema
    if kind is fields.Tuple:
        return tuple[tuple(map(_kind, field.tuple_fields))]  # type: ignore[attr-defined, misc]
    if kind is fields.Dict and not (field.key_field or field.value_field):  # type: ignore[attr-defined]
        return dict[str, Any]
    if kind is ChoiceAnswer:
        return Annotated[str, msgspec.Meta(max_length=64)]  # a split is rare, and left to the schema
    if kind in (fields.List, Several):
        return list[_kind(field.inner)]  # type: ignore[attr-defined, misc]
    if kind is fields.Nested and not (field.many or field.only or field.exclude or field.unknown):  # type: ignore[attr-defined]
        return _struct(field.schema)  # type: ignore[attr-defined]
    raise _UnknownFieldError


def _bounded(kind: Any, validator: Any) -> Any:
    match validator:
        case validate.Range(min=low, max=high) if validator.min_inclusive and validator.max_inclusive:
            return Annotated[kind, msgspec.Meta(ge=low, le=high)]
        case validate.Regexp(regex=regex) if str(regex.pattern).startswith("^"):  # msgspec searches
            return Annotated[kind, msgspec.Meta(pattern=str(regex.pattern))]
        case validate.Length(min=low, max=high, equal=None) if (high or 0) <= _LONG:  # longer ones need rests
            return Annotated[kind, msgspec.Meta(min_length=low, max_length=high)]
        case validate.OneOf(choices=choices):
            return Literal[tuple(choices)]
        case validate.Equal(comparable=value) if isinstance(value, int | str):
            return Literal[value]
    raise _UnknownFieldError


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
