"""Shadows on a board in C: the same functions as python_sight.py, with the same answers.

What C leaves over comes from Python: boards too large for its numbers, and the few walls and joints that an
eye looks along. Where such a wall is a limited one, Python does it all, for it counts what it darkens.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from functools import lru_cache
from typing import Any

from enfilade.geometry.blockers import Blockers
from enfilade.geometry.casting import add_thin, thin_ones
from enfilade.geometry.kernel import python_sight
from enfilade.geometry.kernel.library import declare, require
from enfilade.geometry.raster import Darkness, Lattice
from enfilade.geometry.shadows import Heights
from enfilade.geometry.tables import BodyTables, WallTables
from enfilade.geometry.units import Point

_P = ctypes.c_void_p
WIDEST = 1 << 15
"""Coordinates must lie closer together than this."""


class _Blockers(ctypes.Structure):
    """blockers_t of sight.h."""

    _fields_ = [
        ("walls", ctypes.c_int32),
        ("bodies", ctypes.c_int32),
        ("lines", _P),
        ("facts", _P),
        ("open", ctypes.c_char_p),
        *((name, _P) for name in ("heights", "part_starts", "corner_starts")),
        *((name, _P) for name in ("corners", "block_starts", "blocks")),
    ]


class _Lattice(ctypes.Structure):
    """lattice_t of sight.h: the fields of `raster.Lattice`."""

    _fields_ = [(name, ctypes.c_int32) for name in Lattice.__slots__]


_shadows = declare("enfilade_shadows", ctypes.c_int32, ctypes.POINTER(_Lattice), _P, _P, _P, _P, _P)


def darkness(lattice: Lattice, eye: Point, heights: Heights, blockers: Blockers) -> Darkness:
    """See `python_sight.darkness`."""
    try:
        walls, bodies = blockers.wall_tables, blockers.body_tables
    except OverflowError:  # numbers beyond 32 bits
        return python_sight.darkness(lattice, eye, heights, blockers)
    if not _fits(lattice, eye, heights, walls, bodies):
        return python_sight.darkness(lattice, eye, heights, blockers)
    words = (lattice.columns + 63) // 64
    rows = array("Q", bytes(8 * words * lattice.rows))
    found = array("i", bytes(4 * (len(blockers.standing_walls) + len(blockers.all_bodies) + 1)))
    counts = array("i", (0, 0))
    open_walls = _seen_through(eye, blockers)
    table = _table(walls, bodies, open_walls)
    view = array("i", (*eye, *heights, *blockers.touching.slacks))
    require(
        _shadows(_struct(lattice), _at(view), ctypes.addressof(table), _at(rows), _at(found), _at(counts))
    )
    thin, holding = found[: counts[0]], set(found[counts[0] : counts[0] + counts[1]])
    if thin and walls.facts:
        return python_sight.darkness(lattice, eye, heights, blockers)
    dark = Darkness(lattice, eye, _whole_rows(rows, words))
    edge_on = [blockers.standing_walls[number] for number in thin]
    for one in thin_ones(eye, blockers, edge_on, holding):
        add_thin(dark, heights, one)
    return dark


@lru_cache(maxsize=64)
def _struct(lattice: Lattice) -> Any:
    return _Lattice(*(getattr(lattice, name) for name in Lattice.__slots__))


def _at(table: array[int]) -> int | None:
    return table.buffer_info()[0] if table else None


def _table(walls: WallTables, bodies: BodyTables, open_walls: bytes | None) -> _Blockers:
    """The blockers as C takes them; valid as long as the tables live."""
    return _Blockers(
        len(walls.lines) // 4,
        len(bodies.part_starts) - 1,
        _at(walls.lines),
        _at(walls.facts),
        open_walls,
        *(_at(table) for table in bodies[:6]),
    )


def _seen_through(eye: Point, blockers: Blockers) -> bytes | None:
    """For each wall whether this eye sees through it; None where all walls stop every eye."""
    if blockers.is_plain:
        return None
    before = {number for number, _ in blockers.walls_before(eye)}
    return bytes(number not in before for number in range(len(blockers.standing_walls)))


def _fits(lattice: Lattice, eye: Point, heights: Heights, walls: WallTables, bodies: BodyTables) -> bool:
    right, bottom = lattice.centre(lattice.columns, lattice.rows)
    low = min(lattice.x, lattice.y, *eye, *heights, walls.span[0], bodies.span[0])
    return max(right, bottom, *eye, *heights, walls.span[1], bodies.span[1]) - low < WIDEST


def _whole_rows(words: array[int], per_row: int) -> list[int]:
    if per_row == 1:
        return words.tolist()
    if sys.byteorder == "big":
        words.byteswap()
    data, step = words.tobytes(), 8 * per_row
    return [int.from_bytes(data[i : i + step], "little") for i in range(0, len(data), step)]
