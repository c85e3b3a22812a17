from __future__ import annotations

import ast
import json
import string
from pathlib import Path

import pytest

from enfilade import i18n
from enfilade.i18n import catalog, localize

SERVER = Path(i18n.__file__).parent
BUILT_BY_DOUBLE_LIFE = (
    "answer_defend",
    "area",
    "band",
    "card",
    "column",
    "facing",
    "log",
    "race",
    "row",
    "side",
    "stance_defend",
    "test",
)
"""The kinds of texts that the ruleset chooses by a side, a race, a die or an event."""


@pytest.fixture
def german(monkeypatch):
    english = {"play.welcome": "Welcome, {name}.", "play.only_english": "Only English."}
    german = {"play.welcome": "Willkommen, {name}.", "play.size": "{size:,} Felder, {part:g}, {sign:+d}"}
    speak(monkeypatch, "de", {"en": english, "de": german})
    yield
    forget_language()


def speak(monkeypatch, language, catalogs=None):
    """Set the server's language as at its start."""
    monkeypatch.setenv(i18n.LANGUAGE_VARIABLE, language)
    if catalogs:
        monkeypatch.setattr(i18n, "catalog", lambda code: catalogs.get(code, {}))
    forget_language()


def forget_language():
    for kept in (i18n.language, i18n.texts, i18n._spoken):
        kept.cache_clear()


@pytest.fixture
def dice(monkeypatch):
    speak(monkeypatch, "en", {"en": {"dice": {"one": "{count} die", "other": "{count} dice"}}})
    yield
    forget_language()


def test_a_text_is_found_in_the_server_language_and_filled_in(german):
    assert localize("play.welcome", name="Mia") == "Willkommen, Mia."


def test_a_key_without_a_translation_falls_back_to_english(german):
    assert localize("play.only_english") == "Only English."


def test_the_count_chooses_the_form(dice):
    assert [localize("dice", count=count) for count in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]


def test_braces_in_a_value_are_not_read_as_fields(german):
    assert localize("play.welcome", name="{name.__class__}") == "Willkommen, {name.__class__}."


def test_a_language_that_is_a_path_is_ignored(monkeypatch):
    speak(monkeypatch, "../../etc")
    assert i18n.texts() == catalog("en")
    forget_language()


@pytest.mark.parametrize(
    ("asked", "spoken"), [("de", "de"), ("de-AT", "de"), ("xx", "en"), ("", "en"), ("en-GB", "en")]
)
def test_the_server_speaks_a_language_that_has_a_file(monkeypatch, asked, spoken):
    speak(monkeypatch, asked)
    assert i18n.language() == spoken
    forget_language()


def test_numbers_are_written_as_the_language_does(german):
    assert localize("play.size", size=1_234_567, part=1.5, sign=3) == "1.234.567 Felder, 1,5, +3"


def test_every_german_text_is_filled_in_with_the_fields_of_the_english_one(monkeypatch):
    speak(monkeypatch, "de")
    for key, text in catalog("en").items():
        values = {"count": 1, **dict.fromkeys(fields(text), 2)}
        assert "{" not in localize(key, **values), key
    forget_language()


def literal_keys():
    """Yield (file, key, field names or None) of each literal key of a call of `localize` or `told`."""
    for file in sorted(SERVER.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            is_call = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "localize" and node.args
            if is_call and isinstance(node.args[0], ast.Constant):
                names = {word.arg for word in node.keywords}
                yield file.name, node.args[0].value, None if None in names else names
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "told":
                words = [word.value for word in node.keywords if word.arg in ("detail", "dice")]
                for word in (*node.args, *words):
                    if isinstance(word, ast.Constant) and word.value:
                        yield file.name, word.value, None


def fields(text):
    texts = [text] if isinstance(text, str) else list(text.values())
    return {
        name.split(".")[0].split("[")[0]
        for t in texts
        for _, name, _, _ in string.Formatter().parse(t)
        if name
    }


def test_every_key_in_the_code_has_a_text_whose_fields_are_given():
    texts = catalog("en")
    missing = [(file, key) for file, key, _ in literal_keys() if key not in texts]
    assert not missing
    unfilled = [
        (file, key, sorted(fields(texts[key]) - names))
        for file, key, names in literal_keys()
        if names is not None and not fields(texts[key]) <= names
    ]
    assert not unfilled


def test_every_text_of_the_catalog_is_used():
    code = "\n".join(file.read_text(encoding="utf-8") for file in SERVER.rglob("*.py"))
    prefixes = (
        "house_rules.",
        "any_system.area_",
        "any_system.cover_",
        "any_system.mode_",
        "any_system.unit_",
        *(
            f"fifth_edition.{part}_"
            for part in (
                *("act", "area", "budget", "condition", "cover", "detail", "log", "mode", "roll", "start"),
                *("track", "until", "why"),
            )
        ),
        "battle.area_",
        "tactics.",
        "play.door_",
        "play.reported_",
        "play.result_",
        "play.rules_set_",
        "store.part_",
        *(f"double_life.{part}_" for part in BUILT_BY_DOUBLE_LIFE),
    )  # keys that the code builds
    unused = [key for key in catalog("en") if f'"{key}"' not in code and not key.startswith(prefixes)]
    assert not unused


def test_the_keys_of_each_file_are_sorted():
    for file in sorted((SERVER / "lang").rglob("*.json")):
        keys = list(json.loads(file.read_text(encoding="utf-8")))
        assert keys == sorted(keys), file.name


def test_no_key_of_english_stands_in_two_files():
    files = sorted((SERVER / "lang").rglob("en.json"))
    keys = [key for file in files for key in json.loads(file.read_text(encoding="utf-8"))]
    assert len(keys) == len(set(keys))
