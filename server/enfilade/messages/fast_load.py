"""A fast reader of a schema for valid messages: a msgspec type that is derived from the schema's fields.

marshmallow takes as long to check a command as the rules take to judge a move. The derived type has the same
fields, bounds and patterns. What it does not know, and everything invalid, is left to the schema, which
reports the problem. The schema stays the only place where a message is described.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from marshmallow import Schema, fields, missing, validate

from enfilade.messages.fields import ChoiceAnswer, Several, Strict

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
