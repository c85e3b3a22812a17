"""A fast reader of a schema for plain, valid messages, derived from the schema itself.

marshmallow takes as long to check a command as the rules take to judge a move. A fast reader calls the same
validators of the same fields. It leaves everything that it does not know, and everything invalid, to the
schema, which reports the problem.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from marshmallow import Schema, ValidationError, fields, missing

from enfilade.messages.fields import ChoiceAnswer

Read = Callable[[Any], Any]


class NeedsFullValidation(Exception):
    """The schema itself has to look."""


class _Part(NamedTuple):
    name: str
    is_required: bool
    default: Any
    read: Read


def quick_reader(schema: Schema) -> Read:
    """Return a reader that loads most messages that the schema would load.

    The reader raises NeedsFullValidation for all others. It reads the private
    `_hooks` of a marshmallow 4 schema, so that it never skips a hook; a test checks that attribute's shape.
    """
    if any(schema._hooks.values()) or any(map(_is_renamed, schema.load_fields.values())):
        return _doubt
    parts = tuple(
        _Part(name, field.required, field.load_default, _reader(field))
        for name, field in schema.load_fields.items()
    )
    return lambda raw: _read(parts, raw)


def _is_renamed(field: fields.Field[Any]) -> bool:
    return bool(field.data_key or field.attribute) or callable(field.load_default)


def _read(parts: tuple[_Part, ...], raw: Any) -> dict[str, Any]:
    if type(raw) is not dict:
        raise NeedsFullValidation
    loaded, known = {}, 0
    for name, is_required, default, read in parts:
        if name in raw:
            known += 1
            loaded[name] = read(raw[name])
        elif is_required:
            raise NeedsFullValidation
        elif default is not missing:
            loaded[name] = default
    if known != len(raw):
        raise NeedsFullValidation
    return loaded


def _reader(field: fields.Field[Any]) -> Read:
    plain, validators = _plain_reader(field), tuple(field.validators)

    def read(value: Any) -> Any:
        if value is None and field.allow_none:
            return None
        loaded = plain(value)
        try:
            for validator in validators:
                validator(loaded)
        except ValidationError:
            raise NeedsFullValidation from None
        return loaded

    return read


def _plain_reader(field: fields.Field[Any]) -> Read:
    """Return a reader for a field that needs only a value of the right type, or None."""
    kind = type(field)
    if isinstance(field, fields.String) and kind is fields.String:
        return _of_type(str)
    if isinstance(field, fields.Integer) and kind is fields.Integer and field.strict:
        return _of_type(int)
    if isinstance(field, fields.Dict) and not (field.key_field or field.value_field):
        return lambda value: dict(_of_type(dict)(value))
    if isinstance(field, fields.Tuple) and kind is fields.Tuple:
        return _of_list(tuple(map(_reader, field.tuple_fields)))
    if isinstance(field, fields.Nested) and not (field.many or field.only or field.exclude or field.unknown):
        return quick_reader(field.schema)
    if isinstance(field, ChoiceAnswer):
        return _of_text(64)  # a split is rare, and left to the schema
    return _doubt


def _of_text(longest: int) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not str or len(value) > longest:
            raise NeedsFullValidation
        return value

    return read


def _of_type(wanted: type) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not wanted:
            raise NeedsFullValidation
        return value

    return read


def _of_list(readers: tuple[Read, ...]) -> Read:
    def read(value: Any) -> tuple[Any, ...]:
        if type(value) is not list or len(value) != len(readers):
            raise NeedsFullValidation
        return tuple(read(entry) for read, entry in zip(readers, value, strict=True))

    return read


def _doubt(_: Any) -> Any:
    raise NeedsFullValidation
