"""Say which texts of the two catalogs lack a translation: `python -m tests.style.translations`.

The server's catalog is flat, that of the page and the module has sections. A text is a string, or an object
with the forms that the number `count` chooses, such as {one, other}.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
CATALOGS = {"server": ROOT / "server/enfilade/lang", "page and module": ROOT / "plugin_manifest/lang"}
ENGLISH = "en"
FORMS = {"zero", "one", "two", "few", "many", "other"}

CURE = "Mend it, or delete the translation: English is shown then, until a release asks for it."

Text = str | dict[str, str]


def texts(file: Path) -> dict[str, Text]:
    """Return the texts of a catalog by key."""
    return dict(_flat(json.loads(file.read_text("utf-8")), ""))


def _flat(section: Mapping[str, Any], above: str) -> Iterator[tuple[str, Text]]:
    for key, value in section.items():
        if isinstance(value, str) or set(value) <= FORMS:
            yield f"{above}{key}", value
        else:
            yield from _flat(value, f"{above}{key}.")


def forms(text: Text) -> list[str]:
    """Return a text's forms."""
    return [text] if isinstance(text, str) else list(text.values())


def fields(text: str) -> list[str]:
    """Return the named fields of a text, with their formats, sorted."""
    return sorted(set(re.findall(r"\{[^}]*\}", text)))


def languages(folder: Path) -> list[str]:
    """Return the languages of a catalog beside English."""
    return sorted(path.stem for path in folder.glob("*.json") if path.stem != ENGLISH)


def missing(folder: Path, language: str) -> list[str]:
    """Return the keys that a language lacks."""
    known = texts(folder / f"{language}.json")
    return [key for key in texts(folder / f"{ENGLISH}.json") if key not in known]


def stale(folder: Path, language: str) -> list[str]:
    """Return the keys of a language that English has no more."""
    english = texts(folder / f"{ENGLISH}.json")
    return [key for key in texts(folder / f"{language}.json") if key not in english]


def wrong(folder: Path, language: str) -> Iterator[str]:
    """Yield a sentence for each text whose fields or forms are not those of the English one."""
    english = texts(folder / f"{ENGLISH}.json")
    for key, text in texts(folder / f"{language}.json").items():
        if key not in english:
            continue  # stale names it
        wanted = {field for form in forms(english[key]) for field in fields(form)}
        for form in forms(text):
            if set(fields(form)) - wanted or (wanted - set(fields(form)) - {"{count}", "{count:,}"}):
                yield f"{key}: the fields are {fields(form)} and not {sorted(wanted)}. {CURE}"
        if isinstance(text, dict) and "other" not in text:
            yield f"{key}: the form 'other' is missing."


def main() -> int:
    """Print what is missing and wrong; return 1 if anything is."""
    found = 0
    for name, folder in CATALOGS.items():
        for language in languages(folder):
            lacking, bad = missing(folder, language), list(wrong(folder, language))
            for key in lacking:
                print(f"{name}, {language}: {key} is missing: {texts(folder / 'en.json')[key]}")
            bad += [f"{key}: English has no such text. Delete it." for key in stale(folder, language)]
            for sentence in bad:
                print(f"{name}, {language}: {sentence}")
            found += len(lacking) + len(bad)
    print(f"translations: {'FAIL' if found else 'PASS'} findings={found}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
