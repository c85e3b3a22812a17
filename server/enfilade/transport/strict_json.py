"""Strict JSON for input from clients: no ambiguity, no deep nesting, no extensions."""

from __future__ import annotations

import json
from typing import Any

import orjson

from enfilade.errors import BadMessage
from enfilade.i18n import localize

MAX_DEPTH = 64
"""How deep lists and objects may be nested."""


def decode(text: str | bytes) -> Any:
    """Parse a JSON text. Raises BadMessage.

    Beside invalid JSON, it refuses NaN and infinities, lone surrogates (orjson does), duplicate keys in one
    object, and nesting deeper than MAX_DEPTH.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as problem:
        raise _bad_message(localize("server.not_json", reason=problem.msg)) from None
    strings = _count_strings(value)
    text = text if isinstance(text, str) else text.decode()
    # If no string of the text is missing in the value, no key was a duplicate. Escapes make the count unsafe.
    if "\\" in text or text.count('"') != 2 * strings:
        _DUPLICATE_FINDER.decode(text)
    return value


def encode(value: Any) -> str:
    """Serialize a value."""
    return encode_bytes(value).decode()


def encode_bytes(value: Any) -> bytes:
    """Serialize a value as UTF-8."""
    return orjson.dumps(value)


def _count_strings(value: Any) -> int:
    """Count the strings in a value, keys included. Raises BadMessage if it is nested too deep."""
    count, level = int(type(value) is str), [value]
    for _ in range(MAX_DEPTH):
        children: list[Any] = []
        for parent in level:
            if type(parent) is dict:
                count += len(parent)
                children += parent.values()
            elif type(parent) is list:
                children += parent
        count += [type(child) for child in children].count(str)
        level = [child for child in children if type(child) is dict or type(child) is list]
        if not level:
            return count
    raise _bad_message(localize("server.json_too_deep", count=MAX_DEPTH))


def _check_duplicates(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        raise _bad_message(localize("server.json_duplicate_key"))


_DUPLICATE_FINDER = json.JSONDecoder(object_pairs_hook=_check_duplicates)
"""A second parse that sees every key: orjson silently keeps the last of two."""


def _bad_message(sentence: str) -> BadMessage:
    return BadMessage({"message": [sentence]}, sentence)
