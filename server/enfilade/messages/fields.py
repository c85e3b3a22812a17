"""Fields of many messages, with their limits."""

from __future__ import annotations

from contextlib import suppress
from inspect import isfunction
from typing import Annotated, Any

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, validate

from enfilade.runtime.time_budget import checkpoint

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The dialect of every published schema."""

COORDINATE_LIMIT = 500 * 64
"""The maximum distance of a point from the corner: 500 cells, in 64ths."""

_WHOLE = validate.Range(-COORDINATE_LIMIT, COORDINATE_LIMIT)


MAX_WRONG = 20
"""After how many wrong entries of a list no further one is looked at."""


_AT_ONCE = 1_000
"""The most entries of a list that are read between two rests."""


MAX_NAMES = 128
"""How many values by name one thing may have: several times what any ruleset names."""


class Strict(Schema):
    """A schema of fields alone: it refuses unknown ones, and has no hook that a quick reader would skip."""

    class Meta:
        """The options of marshmallow."""

        unknown = RAISE

    def __init_subclass__(cls, **extra: Any) -> None:
        """Refuse a schema with methods."""
        super().__init_subclass__(**extra)
        methods = [name for name, value in vars(cls).items() if isfunction(value)]
        if methods:
            raise TypeError(f"{cls.__name__} may have fields only, not {methods}.")


class Several(fields.List[Any]):
    """A list with a maximum length. It refuses a longer list before it reads an entry.

    `quick` is the msgspec type of right entries, for a list that may be long: it takes a tenth of the time of
    `inner`, which reads what does not fit, and reports what is wrong.
    """

    def __init__(self, inner: fields.Field[Any], most: int, quick: Any = None, **extra: Any) -> None:
        super().__init__(inner, validate=validate.Length(max=most), **extra)
        self._most, self._quick = most, quick and list[quick]

    def _deserialize(self, value: Any, attr: str | None, data: Any, **extra: Any) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise self.make_error("invalid")
        validate.Length(max=self._most)(value)
        loaded: list[Any] = []
        wrong: dict[int, Any] = {}
        for first in range(0, len(value), _AT_ONCE):
            checkpoint()
            some = value[first : first + _AT_ONCE]
            if self._quick:
                with suppress(msgspec.ValidationError):
                    loaded += msgspec.convert(some, self._quick)
                    continue
            for number, entry in enumerate(some, first):
                checkpoint()
                try:
                    loaded.append(self.inner.deserialize(entry, attr, data, **extra))
                except ValidationError as problem:
                    wrong[number] = problem.messages
                if len(wrong) == MAX_WRONG:
                    raise ValidationError(wrong)
        if wrong:
            raise ValidationError(wrong)
        return loaded


class Named(fields.Dict):
    """Values by name with a maximum number. It refuses more before it reads one."""

    def __init__(self, values: fields.Field[Any], most: int = MAX_NAMES, **extra: Any) -> None:
        super().__init__(keys=_name(), values=values, metadata={"maxProperties": most}, **extra)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **extra: Any) -> Any:
        if isinstance(value, dict):
            validate.Length(max=self._most)(value)
        return super()._deserialize(value, attr, data, **extra)  # type: ignore[no-untyped-call]


def whole(low: int, high: int, **extra: Any) -> fields.Integer:
    """Return the field of a whole number between two inclusive bounds; no string, float or boolean."""
    return fields.Integer(strict=True, validate=validate.Range(low, high), **extra)


class Face(fields.Field[int | str]):
    """The face of a die: a whole number from 1 to 1000, or a name of at most 20 characters."""

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


MAX_SLOTS, MAX_ALLOCATED = 64, 999
"""The options over which one answer may split a pool, and the most that it may give to one."""


class ChoiceAnswer(fields.Field[str | dict[str, int]]):
    """The key of an answer, or for an allocation the number that each option gets."""

    default_error_messages = {"invalid": "The key of an answer, or a whole number for each option."}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **extra: Any) -> str | dict[str, int]:
        del attr, data, extra
        is_key = isinstance(value, str) and len(value) <= 64
        if not is_key and not is_split(value):
            raise self.make_error("invalid")
        answer: str | dict[str, int] = value
        return answer

    def _jsonschema_type_mapping(self) -> dict[str, Any]:
        number = {"type": "integer", "minimum": 0, "maximum": MAX_ALLOCATED}
        split = {"type": "object", "additionalProperties": number, "maxProperties": MAX_SLOTS}
        return {"anyOf": [{"type": "string", "maxLength": 64}, split]}


def is_split(value: Any) -> bool:
    """Return whether a value has a whole number from 0 to 999 for each of at most 64 names."""
    return (
        isinstance(value, dict)
        and len(value) <= MAX_SLOTS
        and all(
            isinstance(key, str)
            and len(key) <= 64
            and isinstance(number, int)
            and not isinstance(number, bool)
            and 0 <= number <= MAX_ALLOCATED
            for key, number in value.items()
        )
    )


def text(longest: int, **extra: Any) -> fields.String:
    """Return the field of a string with a maximum length."""
    return fields.String(validate=validate.Length(max=longest), **extra)


UNPRINTABLE = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
"""Control characters, line breaks, and marks that turn the direction of what follows."""

_PICTURE = (
    r"^(?:/(?!/)[A-Za-z0-9._/-]{1,400}(?:#tabletop|#xywh=pixel:[0-9]{1,6}(?:,[0-9]{1,6}){3})?"
    r"|data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]{1,450})?\Z"
)


def line(longest: int, shortest: int = 0, **extra: Any) -> fields.String:
    """Return the field of text on one line, such as a name or a note, with a maximum length.

    Control characters, line breaks and marks of direction are refused: they would disguise a name, or break
    the log that quotes it.
    """
    said = f"{shortest} to {longest} characters on one line, without control characters."
    pattern = rf"^[^{UNPRINTABLE}]{{{shortest},{longest}}}\Z"
    return fields.String(validate=validate.Regexp(pattern, error=said), **extra)


def picture(**extra: Any) -> fields.String:
    """Return the field of a picture's address: a path on this server, a small data URL, or an empty string.

    A path may end in `#xywh=pixel:LEFT,TOP,WIDTH,HEIGHT`, the part of the picture to show, or in `#tabletop`
    if the tabletop gave the picture.
    """
    said = "The path of a picture on this server, such as /api/tables/ID/assets/ID."
    return fields.String(validate=validate.Regexp(_PICTURE, error=said), **extra)


def one_of(*choices: str, **extra: Any) -> fields.String:
    """Return the field of one of a few words."""
    return fields.String(validate=validate.OneOf(choices), **extra)


_NOT_RESERVED = (
    r"^(?!(?:__proto__|constructor|hasOwnProperty|isPrototypeOf|propertyIsEnumerable|toLocaleString|toString"
    r"|valueOf|__(?:define|lookup)[GS]etter__)\Z)"
)
"""The names that every JavaScript object has: as an ID they would be found in an empty object."""


def _name() -> fields.String:
    """Return the field of a name of values: at most 64 characters, and no reserved name."""
    return fields.String(validate=validate.Regexp(rf"{_NOT_RESERVED}[\s\S]{{0,64}}\Z"))


def identifier(**extra: Any) -> fields.String:
    """Return the field of an ID: 1 to 64 letters, digits, dots, dashes, underscores; no reserved name."""
    return fields.String(validate=validate.Regexp(rf"{_NOT_RESERVED}[A-Za-z0-9._-]{{1,64}}\Z"), **extra)


def identifier_or_none(**extra: Any) -> fields.String:
    """Return the field of an ID, or an empty string for none."""
    return fields.String(validate=validate.Regexp(rf"{_NOT_RESERVED}[A-Za-z0-9._-]{{0,64}}\Z"), **extra)


def hexadecimal(**extra: Any) -> fields.String:
    """Return the field of 32 bytes in lower-case hexadecimal digits."""
    return fields.String(validate=validate.Regexp(r"^[0-9a-f]{64}\Z"), **extra)


def epoch(**extra: Any) -> fields.String:
    """Return the field of a log's epoch: 8 bytes in lower-case hexadecimal digits."""
    return fields.String(validate=validate.Regexp(r"^[0-9a-f]{16}\Z"), **extra)


def random_bytes(**extra: Any) -> fields.String:
    """Return the field of 16 random bytes in lower-case hexadecimal digits, or an empty string for none."""
    return fields.String(validate=validate.Regexp(r"^([0-9a-f]{32})?\Z"), **extra)


def webhook_url(**extra: Any) -> fields.String:
    """Return the field of a URL: `https://`, a host, and perhaps port, path and query; or an empty string.

    It allows nothing that two URL parsers may read differently: no user, fragment, escape or capital in the
    host.
    """
    shape = (
        r"^(https://[a-z0-9.-]{1,253}(:[0-9]{1,5})?/[A-Za-z0-9._~/-]{1,400}(\?[A-Za-z0-9._~=&-]{1,200})?)?\Z"
    )
    return fields.String(validate=validate.Regexp(shape), **extra)


_COORDINATE = Annotated[int, msgspec.Meta(ge=-COORDINATE_LIMIT, le=COORDINATE_LIMIT)]
CELL_TYPE = tuple[_COORDINATE, _COORDINATE]
"""The type of what `cell` loads."""


def cell(**extra: Any) -> fields.Tuple:
    """Return the field of a cell: [column, row], or on a gridless board [x, y] in 64ths of an inch."""
    return fields.Tuple((coordinate(), coordinate()), **extra)


def segment(**extra: Any) -> fields.Tuple:
    """Return the field of a line: [x1, y1, x2, y2] in 64ths of a cell."""
    return fields.Tuple((coordinate(), coordinate(), coordinate(), coordinate()), **extra)


def facing(**extra: Any) -> fields.Integer:
    """Return the field of a facing in compass degrees, 0 up the board, clockwise; null without a facing."""
    return whole(0, 359, allow_none=True, **extra)


def coordinate() -> fields.Integer:
    """Return the field of one coordinate of a cell or a point."""
    return fields.Integer(strict=True, validate=_WHOLE)
