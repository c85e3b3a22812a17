"""Blockers as C takes them: the structures of sight.h, made from the tables kept with the blockers."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable

from enfilade.geometry.board.units import Point
from enfilade.geometry.sight.blockers import Blockers

WIDEST = 1 << 15
"""Coordinates and heights must lie closer together than this."""

_P = ctypes.c_void_p


class BlockersStruct(ctypes.Structure):
    """blockers_t of sight.h. It points into the blockers' tables and is valid as long as they live."""

    _fields_ = [
        ("walls", ctypes.c_int32),
        ("bodies", ctypes.c_int32),
        ("lines", _P),
        ("facts", _P),
        ("open", ctypes.c_char_p),
        *((name, _P) for name in ("heights", "part_starts", "corner_starts")),
        *((name, _P) for name in ("corners", "block_starts", "blocks")),
    ]


def at(table: array[int]) -> int | None:
    """The address of a table; None for an empty one."""
    return table.buffer_info()[0] if table else None


def struct_of(blockers: Blockers, open_walls: bytes | None) -> BlockersStruct:
    """The blockers as C takes them; `open_walls` are those that this eye sees through."""
    walls, bodies = blockers.wall_tables, blockers.body_tables
    tables = (at(table) for table in bodies[:6])
    count = len(bodies.part_starts) - 1
    return BlockersStruct(len(walls.lines) // 4, count, at(walls.lines), at(walls.facts), open_walls, *tables)


def fit(blockers: Blockers, numbers: Iterable[int]) -> bool:
    """Whether the blockers and some more coordinates lie close enough together for C."""
    try:
        spans = (*blockers.wall_tables.span, *blockers.body_tables.span)
    except OverflowError:  # not even 32 bits
        return False
    everything = (*numbers, *spans)
    return max(everything) - min(everything) < WIDEST


def seen_through(eye: Point, blockers: Blockers) -> bytes | None:
    """For each wall whether this eye sees through it; None where all walls stop every eye."""
    if blockers.stop_every_eye:
        return None
    before = {number for number, _ in blockers.walls_before(eye)}
    return bytes(number not in before for number in range(len(blockers.standing_walls)))
