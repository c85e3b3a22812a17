"""The fields that many messages share, with their limits."""

from __future__ import annotations

from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from enfilade.time_budget import checkpoint

COORDINATE_LIMIT = 500 * 64
"""The furthest a point may lie from the corner: 500 cells, in 64ths."""

_WHOLE = validate.Range(-COORDINATE_LIMIT, COORDINATE_LIMIT)


MOST_WRONG = 20
"""After how many wrong entries of a list no further one is looked at."""


MOST_NAMES = 128
"""How many values by name one thing may have: several times what any ruleset names."""


class Strict(Schema):
    """A schema that refuses what it does not name."""

    class Meta:
        """marshmallow's options."""

        unknown = RAISE


class Several(fields.List[Any]):
    """A list of at most so many entries: a longer one is refused before any of them is looked at."""

    def __init__(self, inner: fields.Field[Any], most: int, **extra: Any) -> None:
        super().__init__(inner, validate=validate.Length(max=most), **extra)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **extra: Any) -> list[Any]:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        validate.Length(max=self._most)(value)
        loaded, wrong = [], {}
        for number, entry in enumerate(value):
            checkpoint()
            try:
                loaded.append(self.inner.deserialize(entry, attr, data, **extra))
            except ValidationError as problem:
                wrong[number] = problem.messages
            if len(wrong) == MOST_WRONG:
                break
        if wrong:
            raise ValidationError(wrong)
        return loaded


class Named(fields.Dict):
    """Values by their names, at most so many: more are refused before any of them is looked at."""

    def __init__(self, values: fields.Field[Any], most: int = MOST_NAMES, **extra: Any) -> None:
        super().__init__(keys=text(64), values=values, metadata={"maxProperties": most}, **extra)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **extra: Any) -> Any:
        if isinstance(value, dict):
            validate.Length(max=self._most)(value)
        return super()._deserialize(value, attr, data, **extra)  # type: ignore[no-untyped-call]


def whole(low: int, high: int, **extra: Any) -> fields.Integer:
    """A whole number between two bounds, both included; never a string, a float or a boolean."""
    return fields.Integer(strict=True, validate=validate.Range(low, high), **extra)


class Face(fields.Field[int | str]):
    """What a die shows: a whole number from 1 to 1000, or the name of a face in at most 20 characters."""

    default_error_messages = {"invalid": "A whole number from 1 to 1000, or the name of a face."}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **extra: Any) -> int | str:
        del attr, data, extra
        is_number = isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1_000
        if not is_number and not (isinstance(value, str) and 0 < len(value) <= 20):
            raise self.make_error("invalid")
        face: int | str = value
        return face

    def _jsonschema_type_mapping(self) -> dict[str, Any]:
        number = {"type": "integer", "minimum": 1, "maximum": 1_000}
        return {"anyOf": [number, {"type": "string", "minLength": 1, "maxLength": 20}]}


def text(longest: int, **extra: Any) -> fields.String:
    """A string of at most so many characters."""
    return fields.String(validate=validate.Length(max=longest), **extra)


def one_of(*words: str, **extra: Any) -> fields.String:
    """One of a few words."""
    return fields.String(validate=validate.OneOf(words), **extra)


def identifier(**extra: Any) -> fields.String:
    """An id: 1 to 64 letters, digits, dots, dashes, underscores."""
    return fields.String(validate=validate.Regexp(r"^[A-Za-z0-9._-]{1,64}\Z"), **extra)


def identifier_or_none(**extra: Any) -> fields.String:
    """An id, or an empty string for nobody."""
    return fields.String(validate=validate.Regexp(r"^[A-Za-z0-9._-]{0,64}\Z"), **extra)


def hexadecimal(**extra: Any) -> fields.String:
    """32 bytes in small hexadecimal digits."""
    return fields.String(validate=validate.Regexp(r"^[0-9a-f]{64}\Z"), **extra)


def epoch(**extra: Any) -> fields.String:
    """What the numbers of a table's entries belong to: 8 bytes in small hexadecimal digits."""
    return fields.String(validate=validate.Regexp(r"^[0-9a-f]{16}\Z"), **extra)


def random_bytes(**extra: Any) -> fields.String:
    """16 random bytes in small hexadecimal digits, or an empty string for none."""
    return fields.String(validate=validate.Regexp(r"^([0-9a-f]{32})?\Z"), **extra)


def players_hash(**extra: Any) -> fields.String:
    """32 bytes in small hexadecimal digits, or an empty string for none."""
    return fields.String(validate=validate.Regexp(r"^([0-9a-f]{64})?\Z"), **extra)


def part_bytes(**extra: Any) -> fields.String:
    """16 random bytes in small hexadecimal digits."""
    return fields.String(validate=validate.Regexp(r"^[0-9a-f]{32}\Z"), **extra)


def webhook_url(**extra: Any) -> fields.String:
    """`https://`, a host's name, perhaps a port, a path, perhaps a query; or an empty string for none.

    Nothing that two readers of URLs may read differently: no user, no fragment, no escapes, no capital host.
    """
    shape = (
        r"^(https://[a-z0-9.-]{1,253}(:[0-9]{1,5})?/[A-Za-z0-9._~/-]{1,400}(\?[A-Za-z0-9._~=&-]{1,200})?)?\Z"
    )
    return fields.String(validate=validate.Regexp(shape), **extra)


def cell(**extra: Any) -> fields.Tuple:
    """[column, row], or on a gridless board [x, y] in 64ths of an inch."""
    return fields.Tuple((_coordinate(), _coordinate()), **extra)


def segment(**extra: Any) -> fields.Tuple:
    """[x1, y1, x2, y2] in 64ths of a cell."""
    return fields.Tuple((_coordinate(), _coordinate(), _coordinate(), _coordinate()), **extra)


def facing(**extra: Any) -> fields.Integer:
    """Compass degrees, 0 up the board, clockwise; null where a token has no facing."""
    return whole(0, 359, allow_none=True, **extra)


def _coordinate() -> fields.Integer:
    return fields.Integer(strict=True, validate=_WHOLE)
