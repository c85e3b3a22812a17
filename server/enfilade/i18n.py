"""Look up the sentences that people read, in the catalog of the server's language.

The catalog is a flat JSON object in `lang/`, one file for each language. A key is an area and a name, such
as `play.not_your_turn`. A value is a text with named fields in braces, or an object with the texts for `one`
and `other`, of which the field `count` chooses. A translation is a copy of `en.json` under another language's
code; a key that it lacks falls back to English.
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


@cache
def catalog(language: str) -> Mapping[str, Text]:
    """Return all texts of a language by key; empty if the server has no file for it."""
    file = resources.files("enfilade").joinpath("lang", f"{language}.json")
    if not file.is_file():
        return {}
    found: dict[str, Text] = json.loads(file.read_text(encoding="utf-8"))
    return found


@cache
def texts() -> Mapping[str, Text]:
    """Return the texts of the server's language, English for what it lacks."""
    language = os.environ.get(LANGUAGE_VARIABLE, "en")
    return {**catalog("en"), **(catalog(language) if language.replace("-", "").isalnum() else {})}


def has_text(key: str) -> bool:
    """Return whether the catalog has a text for a key."""
    return key in texts()


def localize(key: str, /, **values: object) -> str:
    """Return the text of a key with its fields filled in.

    Raises:
        KeyError: if the catalog has no such key, or the text has a field without a value.
    """
    text = texts()[key]
    if not isinstance(text, str):
        text = text["one" if values["count"] == 1 else "other"]
    return text.format_map(values) if values else text
