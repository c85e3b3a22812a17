"""Outlines of gridless reaches in C: the same function as python_outlines.py, to one unit of rounding."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

from enfilade.geometry.kernel.c_gridless import NUMBERS, PLACES, TOO_SMALL, Search, at
from enfilade.geometry.kernel.library import declare, require
from enfilade.geometry.kernel.python_outlines import Ring
from enfilade.runtime.time_budget import checkpoint

_I, _P = ctypes.c_int32, ctypes.c_void_p

_outline = declare("enfilade_outline", _I, _I, _P, _P, _P, _P, _P, _P, _P, _P, _P, _P, _P)

FIRST_ROOM = (16_384, 512, 4_096, 512)
"""The room for coordinates of rings, rings, coordinates of lines and lines; it grows if needed."""


def outline(searches: Sequence[Search]) -> tuple[list[Ring], list[Ring]]:
    """See `python_outlines.outline`."""
    checkpoint()
    counts = array("i", [n for one in searches for n in (len(one.obstacles), len(one.discs), one.count)])
    tables: tuple[array[int] | array[float], ...] = (
        _join("d", (one.obstacle_table for one in searches)),
        _join("d", (one.disc_table for one in searches)),
        array("d", [one.budget for one in searches]),
        _join("d", (one.numbers[: NUMBERS * one.count] for one in searches)),
        _join("i", (one.places[: PLACES * one.count] for one in searches)),
    )
    room: tuple[int, ...] = FIRST_ROOM
    while True:
        sizes = array("i", room)
        found = [array("i", bytes(4 * count)) for count in room]
        done = _outline(
            len(searches),
            at(counts),
            *(at(table) for table in tables),
            at(sizes),
            *(at(table) for table in found),
        )
        if done != TOO_SMALL:
            break
        room = tuple(4 * count for count in room)
    require(done)
    checkpoint()
    return _cut(found[0], found[1][: sizes[1]]), _cut(found[2], found[3][: sizes[3]])


def _join(code: str, parts: Iterable[array[Any]]) -> array[Any]:
    joined = array(code)
    for part in parts:
        joined.extend(part)
    return joined


def _cut(numbers: array[int], sizes: array[int]) -> list[Ring]:
    return [tuple(numbers[first:last]) for first, last in pairwise(accumulate(sizes, initial=0))]
