"""Values of an exported actor: numbers at paths, and the formulas that stand in place of numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from enfilade.rules.sheets import Damage

Json = Mapping[str, Any]

_DICE = re.compile(r"(\d*)d(\d+)")
_NAME = re.compile(r"@([a-zA-Z0-9_.]+)")
_TERM = re.compile(r"([+-]?)([^+-]+)")
MOST_FORMULA = 200


def at(data: Any, path: str) -> Any:
    """Return the value at a path of names with points between; None if there is none."""
    for name in path.split("."):
        if not isinstance(data, Mapping) or name not in data:
            return None
        data = data[name]
    return data


def number(value: Any) -> float | None:
    """Return a number that is given as one or as text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    is_number = isinstance(value, int | float) and math.isfinite(value) and abs(value) < 1e6
    return value if is_number else None


def first_number(data: Json, paths: Iterable[str]) -> float | None:
    """Return the number at the first of some paths that has one."""
    return next((found for path in paths if (found := number(at(data, path))) is not None), None)


def things(value: Any) -> list[Any]:
    """Return the things of a list, or of a mapping by ID."""
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []


def words(value: Any) -> list[str]:
    """Return the words of a list."""
    return [one for one in things(value) if isinstance(one, str)]


def formula(text: Any, values: Mapping[str, float]) -> tuple[list[tuple[int, int]], int] | None:
    """Return the dice of a formula and the sum of its numbers; None for one that is more than a sum.

    `values` has the numbers that names after an "@" stand for; an unknown name makes it None.
    """
    if text in (None, ""):
        return [], 0
    plain = str(text).replace(" ", "")
    if len(plain) > MOST_FORMULA:
        return None
    names = _NAME.findall(plain)
    if any(name not in values for name in names):
        return None
    plain = (
        _NAME.sub(lambda found: f"{values[found.group(1)]:g}", plain).replace("+-", "-").replace("--", "+")
    )
    dice, total = list[tuple[int, int]](), 0.0
    if "".join(sign + term for sign, term in _TERM.findall(plain)) != plain:
        return None
    for sign, term in _TERM.findall(plain):
        die = _DICE.fullmatch(term)
        own = number(term)
        if die and sign != "-":
            dice.append((int(die.group(1) or 1), int(die.group(2))))
        elif own is not None:
            total += -own if sign == "-" else own
        else:
            return None
    return dice, math.floor(total)


def damage_part(part: Json, values: Mapping[str, float], more: int = 0) -> Damage | None:
    """Return a part of damage as dnd5e stores it, with `more` added; None for more than a sum."""
    types = words(part.get("types"))
    kind = types[0] if types else ""
    if at(part, "custom.enabled"):
        found = formula(at(part, "custom.formula"), values)
    else:
        found = formula(part.get("bonus"), values)
        count, sides = number(part.get("number")), number(part.get("denomination"))
        if found is not None and count and sides:
            found = [(int(count), int(sides)), *found[0]], found[1]
    if found is None or len(found[0]) > 1:
        return None
    (count, sides), bonus = found[0][0] if found[0] else (0, 0), found[1] + more
    return Damage(int(count), int(sides), bonus, kind)
