"""JSON from outside made into plain data that is safe to hold, and plain data into the shape a reader wants.

Whatever is wrong ends in a BadFile that names the place, like `portals[2].bounds[0].x`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any, TypeVar

import msgspec

from enfilade.errors import BadFile
from enfilade.importers import limits
from enfilade.importers.imported import cleaned
from enfilade.time_budget import checkpoint

Place = tuple[str | int, ...]
T = TypeVar("T")


class _Twice(dict[str, Any]):
    """An object that has a key twice, kept until its place is known."""

    key = ""


def read_json(data: bytes) -> Any:
    """The plain data in a JSON file; raises BadFile, with the place where there is one."""
    if len(data) > limits.FILE_BYTES:
        raise BadFile(f"the file is larger than {limits.FILE_BYTES // 1024**2} MiB")
    if sum(data.count(sign) for sign in (b",", b"[", b"{")) > limits.VALUES:
        raise BadFile(f"the file holds more than {limits.VALUES:,} values")
    value = _parsed(data)
    _check(value, ())
    return value


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
    except UnicodeDecodeError:
        raise BadFile("this is not JSON: it is not text in UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadFile(f"this is not JSON: {error.msg} at {where}") from None
    except ValueError:
        raise BadFile("this holds a whole number too long to read") from None
    except RecursionError:
        raise BadFile(_TOO_DEEP) from None


_TOO_DEEP = f"lists and objects lie more than {limits.NESTING} deep in one another"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) == len(pairs):
        return entries
    twice = _Twice(entries)
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
    if isinstance(value, _Twice):
        raise BadFile(f"the key '{cleaned(value.key, 40)}' is there twice", spelt(place))
    for key, entry in value.items():
        _check_text(key, place)
        _check(entry, (*place, key))


def _check_depth(place: Place) -> None:
    if len(place) >= limits.NESTING:
        raise BadFile(_TOO_DEEP, spelt(place[:4]))


def _check_text(text: str, place: Place) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadFile("half of a character (a lone surrogate) is no text", spelt(place)) from None


def _check_number(number: float, place: Place) -> None:
    if isinstance(number, float) and not math.isfinite(number):
        raise BadFile("expected a finite number", spelt(place))
    if isinstance(number, int) and abs(number) > limits.WHOLE_NUMBER:
        raise BadFile("this whole number is too large", spelt(place))


def spelt(place: Place) -> str:
    """A place as people write it: `portals[2].bounds[0].x`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{cleaned(step, 40)}" for step in place)
    return "".join(steps).removeprefix(".")


def shaped(value: Any, shape: type[T], place: str = "") -> T:
    """Plain data as a value of the shape, keys it does not name ignored; raises BadFile."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at ")
        inside = path.removeprefix("`key` in ").removeprefix("`$").removesuffix("`")
        raise BadFile(_in_words(problem), (place + inside).removeprefix(".")) from None


_WORDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing (null)",
}
_BOUNDS = {"<=": "of at most", ">=": "of at least", "<": "below", ">": "above"}


def _in_words(problem: str) -> str:
    """One of msgspec's messages as a sentence."""
    if found := re.fullmatch(r"Object missing required field `(.+)`", problem):
        return f"the key '{found[1]}' is missing"
    if found := re.fullmatch(r"Expected `array` of length (<= )?(\d+)(?:, got (\d+))?", problem):
        most = "at most " if found[1] else ""
        return f"expected {most}{found[2]} entries" + (f", found {found[3]}" if found[3] else "")
    if found := re.fullmatch(r"Expected `str` of length <= (\d+)", problem):
        return f"expected a key of at most {found[1]} letters"
    if found := re.fullmatch(r"Expected `(\w+)` ([<>]=?) (\S+)", problem):
        return f"expected {_word(found[1])} {_BOUNDS[found[2]]} {found[3].removesuffix('.0')}"
    if found := re.fullmatch(r"Expected `(.+)`, got `(\w+)`", problem):
        wanted = " or ".join(_word(name) for name in found[1].split(" | "))
        return f"expected {wanted}, found {_word(found[2])}"
    if found := re.fullmatch(r"Invalid enum value (.+)", problem, re.DOTALL):
        return f"{cleaned(found[1], 40)} is not a value that may stand here"
    return cleaned(problem)


def _word(name: str) -> str:
    return _WORDS.get(name, name)
