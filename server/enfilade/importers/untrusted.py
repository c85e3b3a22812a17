"""Untrusted JSON: parse it to plain data that is safe to hold, and convert it to a shape.

Each error is a BadFile that names the place, like `portals[2].bounds[0].x`.
"""

from __future__ import annotations

import codecs
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

import msgspec

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.imported import clean_text
from enfilade.runtime.time_budget import checkpoint, run_long

Place = tuple[str | int, ...]
T = TypeVar("T")


class _DuplicateKey(dict[str, Any]):
    """An object with a duplicate key, kept until its place is known."""

    key = ""


Mend = Callable[[str, str], None]
"""A function that takes the place and the sentence of a value that was mended."""


def read_json(data: bytes, mend: Mend | None = None) -> Any:
    """Parse a JSON file to plain data. Raises BadFile, with the place if there is one.

    With `mend`, UTF-16 is read too, a file with a document on each line is a list, and a value that is not
    plain data is mended: the last of two equal keys counts, a number that is not finite or too large becomes
    null, and a lone surrogate a question mark.
    """
    if len(data) > limits.FILE_BYTES:
        raise BadFile(localize("import.file_too_large", limit=limits.FILE_BYTES // 1024**2))
    if sum(data.count(sign) for sign in (b",", b"[", b"{")) > limits.VALUES:
        raise BadFile(localize("import.too_many_values", limit=limits.VALUES))
    encoding = _encoding_of(data) if mend else "utf-8-sig"
    value = run_long(_parse, data, encoding, mend is not None)
    return _checked(value, (), mend)


def _encoding_of(data: bytes) -> str:
    """Return a file's encoding by its first bytes: JSON begins with two ASCII characters."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    if len(data) > 1 and 0 in data[:2]:
        return "utf-16-be" if data[0] == 0 else "utf-16-le"
    return "utf-8-sig"


def encoding_name(data: bytes) -> str:
    """Return the name of a file's encoding if it is not plain UTF-8, else ""."""
    if data.startswith(codecs.BOM_UTF8):
        return localize("import.encoding_bom")
    return "" if _encoding_of(data) == "utf-8-sig" else "UTF-16"


def _parse(data: bytes, encoding: str, takes_lines: bool) -> Any:
    try:
        text = data.decode(encoding)
        return _parse_lines(text) if takes_lines and _is_lines(text) else _parse_text(text)
    except UnicodeDecodeError:
        raise BadFile(localize("import.not_utf8")) from None
    except json.JSONDecodeError as error:
        raise BadFile(
            localize("import.not_json", problem=error.msg, line=error.lineno, column=error.colno)
        ) from None
    except ValueError:
        raise BadFile(localize("import.number_too_long")) from None
    except RecursionError:
        raise BadFile(localize("import.too_deep", limit=limits.NESTING)) from None


def _parse_text(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_object)


def _is_lines(text: str) -> bool:
    """Return whether a text has a whole object on each line, as Foundry's old compendiums."""
    first, _, rest = text.strip().partition("\n")
    return first.rstrip().endswith("}") and rest.lstrip().startswith("{")


def _parse_lines(text: str) -> list[Any]:
    return [_parse_text(line) for line in text.split("\n") if line.strip()]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) == len(pairs):
        return entries
    twice = _DuplicateKey(entries)
    twice.key = Counter(key for key, _ in pairs).most_common(1)[0][0]
    return twice


def _checked(value: Any, place: Place, mend: Mend | None) -> Any:
    """Return a value whose entries are checked and, with `mend`, mended in place."""
    checkpoint()
    if isinstance(value, dict):
        return _checked_object(value, place, mend)
    if isinstance(value, list):
        _check_depth(place)
        for index, entry in enumerate(value):
            value[index] = _checked(entry, (*place, index), mend)
    problem = _problem_of(value)
    if not problem:
        return value
    if mend is None:
        raise BadFile(problem, path_text(place))
    mend(path_text(place), problem)
    return _whole_text(value) if isinstance(value, str) else None


def _checked_object(value: dict[str, Any], place: Place, mend: Mend | None) -> dict[str, Any]:
    _check_depth(place)
    problems = [_problem_of(key) for key in value]
    if isinstance(value, _DuplicateKey):
        problems.append(localize("import.key_twice", key=clean_text(value.key, 40)))
    for problem in filter(None, problems):
        if mend is None:
            raise BadFile(problem, path_text(place))
        mend(path_text(place), problem)
    return {_whole_text(key): _checked(entry, (*place, key), mend) for key, entry in value.items()}


def _check_depth(place: Place) -> None:
    if len(place) >= limits.NESTING:
        raise BadFile(localize("import.too_deep", limit=limits.NESTING), path_text(place[:4]))


def _problem_of(value: Any) -> str:
    """Return why a text or number is not plain data; "" if it is."""
    if isinstance(value, str) and not _is_whole(value):
        return localize("import.lone_surrogate")
    if isinstance(value, float) and not math.isfinite(value):
        return localize("import.not_finite")
    if isinstance(value, int) and abs(value) > limits.WHOLE_NUMBER:
        return localize("import.number_too_large")
    return ""


def _is_whole(text: str) -> bool:
    """Return whether a text has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _whole_text(text: str) -> str:
    return text if _is_whole(text) else text.encode("utf-8", "replace").decode()


def path_text(place: Place) -> str:
    """Return a path as text: `portals[2].bounds[0].x`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{clean_text(step, 40)}" for step in place)
    return "".join(steps).removeprefix(".")


def convert(value: Any, shape: type[T], place: str = "") -> T:
    """Convert plain data to a shape; unknown keys are ignored. Raises BadFile."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        problem, inside = problem_text(error)
        raise BadFile(problem, (place + inside).removeprefix(".")) from None


def problem_text(error: msgspec.ValidationError) -> tuple[str, str]:
    """Return a sentence for msgspec's error, and the place in the converted value."""
    problem, _, path = str(error).partition(" - at ")
    return _problem_text(problem), path.removeprefix("`key` in ").removeprefix("`$").removesuffix("`")


_KINDS = {
    "float": "import.kind_float",
    "int": "import.kind_int",
    "str": "import.kind_str",
    "bool": "import.kind_bool",
    "array": "import.kind_array",
    "object": "import.kind_object",
    "null": "import.kind_null",
}
_BOUNDS = {
    "<=": "import.bound_at_most",
    ">=": "import.bound_at_least",
    "<": "import.bound_below",
    ">": "import.bound_above",
}


def _problem_text(problem: str) -> str:
    """Return a sentence for one of msgspec's messages."""
    if found := re.fullmatch(r"Object missing required field `(.+)`", problem):
        return localize("import.key_missing", key=found[1])
    if found := re.fullmatch(r"Expected `array` of length (<= )?(\d+)(?:, got (\d+))?", problem):
        if not found[3]:
            key = "import.expected_at_most_length" if found[1] else "import.expected_length"
            return localize(key, limit=found[2])
        key = "import.expected_at_most_entries" if found[1] else "import.expected_entries"
        return localize(key, limit=found[2], found=found[3])
    if found := re.fullmatch(r"Expected `str` of length <= (\d+)", problem):
        return localize("import.key_too_long", limit=found[1])
    if found := re.fullmatch(r"Expected `(\w+)` ([<>]=?) (\S+)", problem):
        bound, limit = localize(_BOUNDS[found[2]]), found[3].removesuffix(".0")
        return localize("import.expected_bound", kind=kind_text(found[1]), bound=bound, limit=limit)
    if found := re.fullmatch(r"Expected `(.+)`, got `(\w+)`", problem):
        wanted = reduce(_either, map(kind_text, found[1].split(" | ")))
        return localize("import.expected_kind", kind=wanted, found=kind_text(found[2]))
    if found := re.fullmatch(r"Invalid enum value (.+)", problem, re.DOTALL):
        return localize("import.not_allowed", value=clean_text(found[1], 40))
    return clean_text(problem)


_TYPES = (
    (bool, "bool"),
    (int, "int"),
    (float, "float"),
    (str, "str"),
    (list, "array"),
    (dict, "object"),
    (type(None), "null"),
)


def kind_of(value: Any) -> str:
    """Return the kind of a plain value in words, such as "a list"."""
    return kind_text(next(name for kind, name in _TYPES if isinstance(value, kind)))


def kind_text(name: str) -> str:
    """Return msgspec's name of a kind in words, such as "a list" for "array"."""
    return localize(_KINDS[name]) if name in _KINDS else name


def _either(first: str, second: str) -> str:
    return localize("import.kind_or", first=first, second=second)
