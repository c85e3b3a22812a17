"""Each language has the texts of English, with the same named parts."""

from __future__ import annotations

import json

import pytest

from tests.style import translations

MAX_MISSING = 80
"""English texts may come and go before their translations do; a release needs all (tests/release)."""

PAIRS = [
    (folder, language)
    for folder in translations.CATALOGS.values()
    for language in translations.languages(folder)
]


def test_the_server_and_the_page_speak_the_same_languages():
    spoken = [translations.languages(folder) for folder in translations.CATALOGS.values()]
    assert spoken == [["de"], ["de"]]


@pytest.mark.parametrize(("folder", "language"), PAIRS)
def test_no_text_has_other_fields_or_forms(folder, language):
    assert list(translations.wrong(folder, language)) == []


@pytest.mark.parametrize(("folder", "language"), PAIRS)
def test_few_texts_lack_a_translation_and_each_is_named(folder, language):
    lacking = translations.missing(folder, language) + translations.stale(folder, language)
    assert len(lacking) <= MAX_MISSING, lacking


@pytest.fixture
def catalog(tmp_path):
    """Return a function that writes a catalog of two languages, and returns its folder."""

    def write(english, german):
        for language, content in (("en", english), ("de", german)):
            (tmp_path / f"{language}.json").write_text(json.dumps(content))
        return tmp_path

    return write


def test_a_missing_text_is_found_in_sections_and_with_forms(catalog):
    many = {"one": "{count} die", "other": "{count} dice"}
    folder = catalog({"Log": {"Dice": many, "Title": "Log"}, "x.y": "z"}, {"Log": {"Title": "Protokoll"}})
    assert translations.missing(folder, "de") == ["Log.Dice", "x.y"]
    assert translations.stale(folder, "de") == []


def test_a_text_that_english_has_no_more_is_named(catalog):
    folder = catalog({"Log": {"Title": "Log"}}, {"Log": {"Title": "Protokoll", "Gone": "Weg"}})
    assert translations.stale(folder, "de") == ["Log.Gone"]
    assert list(translations.wrong(folder, "de")) == []


@pytest.mark.parametrize(
    ("german", "sentence"),
    [
        ({"a": "{name} geht."}, ""),
        ({"a": "Jemand geht."}, r"the fields are \[\]"),
        ({"a": "{who} geht."}, "{who}"),
        ({"a": "{name:,} geht."}, "{name:,}"),
        ({"a": {"one": "{name} geht."}}, "'other' is missing"),
    ],
)
def test_a_text_with_other_fields_is_named(catalog, german, sentence):
    found = " ".join(translations.wrong(catalog({"a": "{name} goes."}, german), "de"))
    assert (sentence.replace(r"\[\]", "[]") in found) if sentence else not found
