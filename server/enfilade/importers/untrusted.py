"""Untrusted JSON: parse it to plain data that is safe to hold, and convert it to a shape.

Each error is a BadFile that names the place, like `portals[2].bounds[0].x`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
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


def read_json(data: bytes) -> Any:
    """Parse a JSON file to plain data. Raises BadFile, with the place if there is one."""
    if len(data) > limits.FILE_BYTES:
        raise BadFile(localize("import.file_too_large", limit=limits.FILE_BYTES // 1024**2))
    if sum(data.count(sign) for sign in (b",", b"[", b"{")) > limits.VALUES:
        raise BadFile(localize("import.too_many_values", limit=limits.VALUES))
    value = run_long(_parse, data)
    _check(value, ())
    return value


def _parse(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
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


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) == len(pairs):
        return entries
    twice = _DuplicateKey(entries)
    twice.key = Counter(key for key, _ in pairs).most_common(1)[0][0]
    return twice


def _check(value: Any, place: Place) -> None:
    checkpoint()
    if isinstance(value, dict):
        _check_object(value, place)
    elif isinstance(value, list):
        _check_depth(place)
        for index, entry in enumerate(value):
            _check(entry, (*place, index))
    elif isinstance(value, str):
        _check_text(value, place)
    elif isinstance(value, (int, float)):
        _check_number(value, place)


def _check_object(value: dict[str, Any], place: Place) -> None:
    _check_depth(place)
    if isinstance(value, _DuplicateKey):
        raise BadFile(localize("import.key_twice", key=clean_text(value.key, 40)), path_text(place))
    for key, entry in value.items():
        _check_text(key, place)
        _check(entry, (*place, key))


def _check_depth(place: Place) -> None:
    if len(place) >= limits.NESTING:
        raise BadFile(localize("import.too_deep", limit=limits.NESTING), path_text(place[:4]))


def _check_text(text: str, place: Place) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadFile(localize("import.lone_surrogate"), path_text(place)) from None


def _check_number(number: float, place: Place) -> None:
    if isinstance(number, float) and not math.isfinite(number):
        raise BadFile(localize("import.not_finite"), path_text(place))
    if isinstance(number, int) and abs(number) > limits.WHOLE_NUMBER:
        raise BadFile(localize("import.number_too_large"), path_text(place))


def path_text(place: Place) -> str:
    """Return a path as text: `portals[2].bounds[0].x`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{clean_text(step, 40)}" for step in place)
    return "".join(steps).removeprefix(".")


def convert(value: Any, shape: type[T], place: str = "") -> T:
    """Convert plain data to a shape; unknown keys are ignored. Raises BadFile."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at ")
        inside = path.removeprefix("`key` in ").removeprefix("`$").removesuffix("`")
        raise BadFile(_problem_text(problem), (place + inside).removeprefix(".")) from None


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
        return localize("import.expected_bound", kind=_kind_text(found[1]), bound=bound, limit=limit)
    if found := re.fullmatch(r"Expected `(.+)`, got `(\w+)`", problem):
        wanted = reduce(_either, map(_kind_text, found[1].split(" | ")))
        return localize("import.expected_kind", kind=wanted, found=_kind_text(found[2]))
    if found := re.fullmatch(r"Invalid enum value (.+)", problem, re.DOTALL):
        return localize("import.not_allowed", value=clean_text(found[1], 40))
    return clean_text(problem)


def _kind_text(name: str) -> str:
    return localize(_KINDS[name]) if name in _KINDS else name


def _either(first: str, second: str) -> str:
    return localize("import.kind_or", first=first, second=second)
