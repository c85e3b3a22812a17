"""Reading a map piece by piece: a broken wall, point or token is left out and named, and the rest stays.

A value in another form than usual (a number as text, a whole number with a decimal point, 1 for true) is
converted. A field that cannot be read counts as missing. A piece without a field that it needs is left out.
`Remarks` collects what happened.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from enfilade.errors import BadFile
from enfilade.i18n import localize
from enfilade.importers import limits
from enfilade.importers.untrusted import kind_of, kind_text, problem_text
from enfilade.runtime.time_budget import checkpoint

T = TypeVar("T", bound=msgspec.Struct)

NAMED = 5
"""The number of places that one remark names; the others are counted."""
MAX_GROUPS = 20
"""The number of remarks of one kind; the others are counted in one more."""
NUMBER_LETTERS = 40
"""The longest text that is read as a number."""
_FIRST_KEY = re.compile(r"\$\.([A-Za-z_]\w*)")


class Remarks:
    """Remarks on what a file has in another form than usual, grouped by their reason."""

    def __init__(self) -> None:
        self._left_out: dict[str, list[str]] = {}
        self._ignored: dict[str, list[str]] = {}
        self._converted: list[str] = []
        self._notes: list[str] = []

    def note(self, sentence: str) -> None:
        """Add a sentence of its own."""
        self._notes.append(sentence)

    def leave_out(self, place: str, why: str) -> None:
        """Note a piece that is left out; `why` is a sentence."""
        self._left_out.setdefault(why, []).append(place)

    def ignore(self, place: str, why: str) -> None:
        """Note a field that counts as missing."""
        self._ignored.setdefault(why, []).append(place)

    def convert(self, place: str) -> None:
        """Note values that were converted, such as numbers written as text."""
        self._converted.append(place)

    def sentences(self) -> tuple[str, ...]:
        """Return all remarks as sentences."""
        return (
            *self._notes,
            *_grouped(self._left_out, "import.pieces_left_out", "import.more_left_out"),
            *_grouped(self._ignored, "import.fields_ignored", "import.more_ignored"),
            *([localize("import.converted", places=_listed(self._converted))] if self._converted else ()),
        )


def _grouped(groups: dict[str, list[str]], key: str, key_of_rest: str) -> list[str]:
    named = list(groups.items())[:MAX_GROUPS]
    rest = sum(map(len, groups.values())) - sum(len(places) for _, places in named)
    sentences = [localize(key, places=_listed(places), why=why) for why, places in named]
    return sentences + ([localize(key_of_rest, count=rest)] if rest else [])


def _listed(places: list[str]) -> str:
    listed = ", ".join(places[:NAMED])
    more = len(places) - NAMED
    return localize("import.places_and_more", places=listed, count=more) if more > 0 else listed


def read_pieces(raw: Any, shape: type[T], place: str, remarks: Remarks, most: int) -> list[T]:
    """Return the pieces of a list that can be read. Raises BadFile if there are more than `most`."""
    if not isinstance(raw, list):
        remarks.ignore(place, expected("array", raw))
        return []
    if len(raw) > most:
        raise BadFile(localize("import.expected_at_most_entries", limit=most, found=len(raw)), place)
    try:
        return msgspec.convert(raw, list[shape])  # type: ignore[valid-type]
    except msgspec.ValidationError:
        return list(_readable(raw, shape, place, remarks))


def _readable(raw: list[Any], shape: type[T], place: str, remarks: Remarks) -> Iterator[T]:
    for index, one in enumerate(raw):
        checkpoint()
        piece = read_piece(one, shape, f"{place}[{index}]", remarks)
        if piece is not None:
            yield piece


def read_piece(raw: Any, shape: type[T], place: str, remarks: Remarks) -> T | None:
    """Return an object in a shape, or None if it cannot be read; unknown keys are ignored."""
    try:
        return msgspec.convert(raw, shape)
    except msgspec.ValidationError:
        if not isinstance(raw, dict):
            remarks.leave_out(place, expected("object", raw))
            return None
    values = {key: copy.deepcopy(value) for key, value in raw.items() if value is not None}
    required = {field.encode_name for field in msgspec.structs.fields(shape) if field.required}
    converted: set[str] = set()
    while True:
        try:
            return msgspec.convert(values, shape)
        except msgspec.ValidationError as error:
            problem, where = problem_text(error)
            found = _FIRST_KEY.search(str(error))
            key = found[1] if found else ""
            if key in values and key not in converted:
                converted.add(key)
                usual = in_usual_form(values[key], str(error))
                if usual != values[key] or type(usual) is not type(values[key]):
                    remarks.convert(f"{place}.{key}".removeprefix("."))
                    values[key] = usual
                    continue
            if key not in values or key in required:
                remarks.leave_out((place + where).removeprefix("."), problem)
                return None
            remarks.ignore((place + where).removeprefix("."), problem)
            del values[key]


def in_usual_form(value: Any, problem: str) -> Any:
    """Return a value with the numbers that it has as text, or with a decimal point, as plain numbers.

    `problem` is msgspec's message, which tells the kind that it expects.
    """
    if isinstance(value, list):
        return [in_usual_form(entry, problem) for entry in value]
    if isinstance(value, dict):
        return {key: in_usual_form(entry, problem) for key, entry in value.items()}
    wanted = problem.partition(", got")[0]
    if "bool" in wanted:
        return (
            _TRUTH.get(value.lower() if isinstance(value, str) else value, value)
            if _is_plain(value)
            else value
        )
    if "int" not in wanted and "float" not in wanted:
        return value
    number = number_in(value) if isinstance(value, str) else value
    is_whole = isinstance(number, float) and number.is_integer() and abs(number) <= limits.WHOLE_NUMBER
    if number is None:
        return value
    return int(number) if is_whole and "int" in wanted else number


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float))


_TRUTH: dict[Any, bool] = {"true": True, "false": False, "yes": True, "no": False, 1: True, 0: False}


def number_in(text: str) -> float | None:
    """Return the number that a text is, or None if it is none."""
    try:
        number = float(text) if len(text) <= NUMBER_LETTERS else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def expected(kind: str, value: Any) -> str:
    """Return a sentence for a value of another kind: "array", "object" or "str" was expected."""
    return localize("import.expected_kind", kind=kind_text(kind), found=kind_of(value))
