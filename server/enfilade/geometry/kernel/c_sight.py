"""Shadows on a board in C: the same functions as python_sight.py, with the same answers.

What C leaves over comes from Python: boards too large for its numbers, and the few walls and joints that an
eye looks along. Where such a wall may be a limited one, Python does it all, for it counts what it darkens.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from functools import lru_cache
from typing import Any

from enfilade.geometry.board.units import Cell, Point
from enfilade.geometry.kernel import python_sight
from enfilade.geometry.kernel.c_blockers import BlockersStruct, at, fit, seen_through, struct_of
from enfilade.geometry.kernel.c_cover import blocked_lines, clear_pairs
from enfilade.geometry.kernel.library import declare, require
from enfilade.geometry.sight.blockers import Blockers
from enfilade.geometry.sight.casting import add_thin, thin_ones
from enfilade.geometry.sight.raster import Darkness, Lattice
from enfilade.geometry.sight.shadows import Heights

__all__ = ["blocked_lines", "cells_seen", "clear_pairs", "darkness"]

_P = ctypes.c_void_p


class _LatticeStruct(ctypes.Structure):
    """lattice_t of sight.h: the fields of `raster.Lattice`."""

    _fields_ = [(name, ctypes.c_int32) for name in Lattice.__slots__]


_POINTERS = (ctypes.POINTER(_LatticeStruct), _P, ctypes.POINTER(BlockersStruct), _P, _P, _P)
_shadows = declare("enfilade_shadows", ctypes.c_int32, *_POINTERS)
_view = declare("enfilade_view", *(ctypes.c_int32,) * 3, ctypes.c_char_p, *(ctypes.c_int32,) * 2, _P)

WIDEST_VIEW = 500
"""The most cells a side for which the fractions of view.c fit."""


def darkness(lattice: Lattice, eye: Point, heights: Heights, blockers: Blockers) -> Darkness:
    """See `python_sight.darkness`."""
    corner = lattice.centre(lattice.columns, lattice.rows)
    if not fit(blockers, (lattice.x, lattice.y, *corner, *eye, *heights)):
        return python_sight.darkness(lattice, eye, heights, blockers)
    words = (lattice.columns + 63) // 64
    rows = array("Q", bytes(8 * words * lattice.rows))
    found = array("i", bytes(4 * (len(blockers.standing_walls) + len(blockers.all_bodies) + 1)))
    counts = array("i", (0, 0))
    view = array("i", (*eye, *heights, *blockers.touching.slacks))
    blockers_struct = struct_of(blockers, seen_through(eye, blockers))
    require(_shadows(_struct_of(lattice), at(view), blockers_struct, at(rows), at(found), at(counts)))
    looked_along, holding = found[: counts[0]], set(found[counts[0] : sum(counts)])
    if looked_along and blockers.wall_tables.facts:
        return python_sight.darkness(lattice, eye, heights, blockers)
    dark = Darkness(lattice, eye, _whole_rows(rows, words))
    edge_on = [blockers.standing_walls[number] for number in looked_along]
    for thin in thin_ones(eye, blockers, edge_on, holding):
        add_thin(dark, heights, thin)
    return dark


@lru_cache(maxsize=64)
def _struct_of(lattice: Lattice) -> Any:
    return _LatticeStruct(*(getattr(lattice, name) for name in Lattice.__slots__))


def cells_seen(columns: int, rows: int, opaque: bytes, cell: Cell) -> list[int]:
    """See `python_sight.cells_seen`."""
    if max(columns, rows) > WIDEST_VIEW:
        return python_sight.cells_seen(columns, rows, opaque, cell)
    words = (columns + 63) // 64
    seen = array("Q", bytes(8 * words * rows))
    require(_view(columns, rows, opaque, *cell, at(seen)))
    return _whole_rows(seen, words)


def _whole_rows(words: array[int], per_row: int) -> list[int]:
    if per_row == 1:
        return words.tolist()
    if sys.byteorder == "big":
        words.byteswap()
    data, step = words.tobytes(), 8 * per_row
    return [int.from_bytes(data[i : i + step], "little") for i in range(0, len(data), step)]
