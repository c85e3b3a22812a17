"""Look up the sentences that people read, in the catalog of the server's language.

The catalog is a flat JSON object in `lang/`, one file for each language. A key is an area and a name, such
as `play.not_your_turn`. A value is a text with named fields in braces, or an object with the texts for `one`
and `other`, of which the field `count` chooses. A translation is a copy of `en.json` under another language's
code; a key that it lacks falls back to English. A server speaks one language: its log is one for all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from importlib import resources

LANGUAGE_VARIABLE = "ENFILADE_LANGUAGE"
"""The environment variable that names the language, like `en` or `pt-BR`."""

Text = str | Mapping[str, str]

_SIGNS = {"de": str.maketrans(",.", ".,")}
"""What the signs in a number like 1,234.5 become, for languages that write them otherwise."""


@cache
def catalog(language: str) -> Mapping[str, Text]:
    """Return all texts of a language by key; empty if the server has no file for it."""
    file = resources.files("enfilade").joinpath("lang", f"{language}.json")
    if not file.is_file():
        return {}
    found: dict[str, Text] = json.loads(file.read_text(encoding="utf-8"))
    return found


@cache
def language() -> str:
    """Return the code of the server's language: the environment's, if it has a file, else English."""
    wanted = os.environ.get(LANGUAGE_VARIABLE, "en")
    codes = (wanted, wanted.partition("-")[0]) if wanted.replace("-", "").isalnum() else ()
    return next((code for code in codes if catalog(code)), "en")


@cache
def texts() -> Mapping[str, Text]:
    """Return the texts of the server's language, English for what it lacks."""
    return {**catalog("en"), **catalog(language())}


@cache
def _spoken() -> tuple[Mapping[str, Text], dict[int, int] | None]:
    """Return the texts of the server's language, and the signs of its numbers if they are others."""
    return texts(), _SIGNS.get(language())


def has_text(key: str) -> bool:
    """Return whether the catalog has a text for a key."""
    return key in texts()


def localize(key: str, /, **values: object) -> str:
    """Return the text of a key with its fields filled in.

    Raises:
        KeyError: if the catalog has no such key, or the text has a field without a value.
    """
    known, signs = _spoken()
    text = known[key]
    if not isinstance(text, str):
        text = text["one" if values["count"] == 1 else "other"]
    if not values:
        return text
    return text.format_map(values if signs is None else _written(values, signs))


def _written(values: Mapping[str, object], signs: dict[int, int]) -> Mapping[str, object]:
    """Return values whose numbers are written with the signs of a language."""
    return {
        name: _Number(value, signs) if type(value) in (int, float) else value
        for name, value in values.items()
    }


class _Number:
    """A number that is formatted with the signs of a language."""

    def __init__(self, value: object, signs: dict[int, int]) -> None:
        self._value, self._signs = value, signs

    def __format__(self, spec: str) -> str:
        return format(self._value, spec).translate(self._signs)
