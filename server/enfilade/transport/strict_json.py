"""JSON as it is taken from outside: nothing ambiguous, nothing deep, nothing that is not JSON."""

from __future__ import annotations

import json
from typing import Any

import orjson

from enfilade.errors import BadMessage

MOST_NESTED = 64
"""How many lists and objects may stand inside each other."""


def decode(text: str | bytes) -> Any:
    """The value of a JSON text; raises BadMessage.

    Refused besides what is not JSON: NaN and the infinities, lone surrogates (orjson), a key that comes
    twice in one object, and nesting deeper than MOST_NESTED.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as problem:
        raise _refused(f"This is not JSON: {problem.msg}.") from None
    strings = _strings(value)
    text = text if isinstance(text, str) else text.decode()
    if "\\" in text or text.count('"') != 2 * strings:  # else each string of the text is in the value
        _TWIN_FINDER.decode(text)
    return value


def encode(value: Any) -> str:
    """A value of ours as JSON."""
    return orjson.dumps(value).decode()


def _strings(value: Any) -> int:
    """How many strings stand in a value, keys too; raises BadMessage where it is nested too deep."""
    found, level = int(type(value) is str), [value]
    for _ in range(MOST_NESTED):
        inside: list[Any] = []
        for outer in level:
            if type(outer) is dict:
                found += len(outer)
                inside += outer.values()
            elif type(outer) is list:
                inside += outer
        found += [type(inner) for inner in inside].count(str)
        level = [inner for inner in inside if type(inner) is dict or type(inner) is list]
        if not level:
            return found
    raise _refused(f"Lists and objects may stand at most {MOST_NESTED} deep in each other.")


def _without_twins(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        raise _refused("A key stands twice in one object.")


_TWIN_FINDER = json.JSONDecoder(object_pairs_hook=_without_twins)
"""Reads only to see every key as it stands: orjson keeps the last of two without a word."""


def _refused(sentence: str) -> BadMessage:
    return BadMessage({"message": [sentence]}, sentence)
